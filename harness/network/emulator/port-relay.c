/*
 * Ports of this machine's loopback, answered at the far end of a path as well.
 *
 * port-relay pass IDLE_S WORDS…  starts a command at the far end with a socket as its standard input, over which that hands
 *                                over what it listens at; passes on what comes there until its own standard input ends. UDP
 *                                between two ports is forgotten after so many seconds of silence
 * port-relay open PORT…          that command: opens each port of its loopback for TCP and UDP, hands the sockets over, and
 *                                ends
 *
 * A socket stays in the namespace in which it was made, so `pass` is at both ends at once. It prints one line of JSON when
 * all ports are open: those that a server at the far end has already. Connections end at the far end, datagrams are passed
 * one by one with their ECN marks. One thread passes on everything, so that more connections need nothing but two handles each.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event-loop.h"
#include "port-connections.h"
#include "port-datagrams.h"
#include "port-handover.h"
#include "relay-base.h"
#include "short-slice.h"

/** More are not used, however many may be had. */
#define MOST_HANDLES 32768

/** Starts the command at the far end. @returns the socket over which it hands over */
static int start_far(char **words)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        die("a pair of sockets");
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(pair[1], STDIN_FILENO);
        execvp(words[0], words);
        die(words[0]);
    }
    close(pair[1]);
    return pair[0];
}

/** Shares what handles this process may have among connections, which have two each, and flows of UDP. */
static void share_handles(uint32_t idle_s)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        die("the limit of handles");
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
        die("the limit of handles");
    size_t handles = limit.rlim_max < MOST_HANDLES ? (size_t)limit.rlim_max : MOST_HANDLES;
    limit_flows(handles / 8, idle_s);
    limit_connections(handles * 3 / 8);
}

static void input_ready(struct watch *watch, uint32_t events)
{
    char ignored[64];
    (void)events;
    if (read(watch->handle, ignored, sizeof ignored) <= 0)
        exit(0);
}

static int tick(void)
{
    int first = connections_tick(), second = datagrams_tick();
    return first < 0 || (second >= 0 && second < first) ? second : first;
}

static _Noreturn void pass(uint32_t idle_s, char **words)
{
    static struct watch input = {.handle = STDIN_FILENO, .ready = input_ready};
    int from = start_far(words), handle;
    struct message message;
    const char *separator = "";
    share_handles(idle_s);
    ask_for_short_slice();
    printf("{\"answeredThere\":[");
    while (handle = take_over(from, &message), message.kind != DONE) {
        if (message.kind == TCP)
            pass_connections(handle, message.port);
        if (message.kind == UDP)
            pass_datagrams(handle, message.port);
        if (message.kind != TAKEN)
            continue;
        printf("%s%u", separator, message.port);
        separator = ",";
    }
    wait(NULL);
    close(from);
    puts("]}");
    fflush(stdout);
    if (!loop_want(&input, EPOLLIN))
        die("standard input");
    loop_run(tick);
}

int main(int count, char **words)
{
    const char *mode = count > 2 ? words[1] : "";
    if (!strcmp(mode, "pass") && count > 3)
        pass((uint32_t)atoi(words[2]), words + 3);
    if (!strcmp(mode, "open")) {
        for (int word = 2; word < count; word++)
            open_port((uint16_t)atoi(words[word]));
        hand_over(0, DONE, -1);
        return 0;
    }
    fprintf(stderr, "port-relay: unknown mode or wrong number of words\n");
    return 2;
}
