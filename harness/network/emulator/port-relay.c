/*
 * Ports of this machine's loopback, answered at the far end of a path as well.
 *
 * port-relay pass WORDS…  starts a command at the far end with a socket as its standard input, over which that hands over
 *                         what it listens at; passes on what comes there until its own standard input ends
 * port-relay open PORT…   that command: opens each port of its loopback for TCP and UDP, hands the sockets over, and ends
 *
 * A socket stays in the namespace in which it was made, so `pass` is at both ends at once. It prints one line of JSON when
 * all ports are open: those that a server at the far end has already. Connections end at the far end, datagrams are passed
 * one by one with their ECN marks.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "port-connections.h"
#include "port-datagrams.h"
#include "port-handover.h"
#include "relay-base.h"

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

static int pass(char **words)
{
    int from = start_far(words), handle;
    struct message message;
    const char *separator = "";
    printf("{\"answeredThere\":[");
    while (handle = take_over(from, &message), message.kind != DONE) {
        if (message.kind == TAKEN) {
            printf("%s%u", separator, message.port);
            separator = ",";
            continue;
        }
        struct opened *opened = allocate(sizeof *opened);
        *opened = (struct opened){.handle = handle, .port = message.port};
        start_thread(message.kind == TCP ? pass_connections : pass_datagrams, opened);
    }
    wait(NULL);
    puts("]}");
    fflush(stdout);
    char ignored;
    while (read(STDIN_FILENO, &ignored, 1) > 0)
        continue;
    return 0;
}

int main(int count, char **words)
{
    const char *mode = count > 2 ? words[1] : "";
    if (!strcmp(mode, "pass"))
        return pass(words + 2);
    if (!strcmp(mode, "open")) {
        for (int word = 2; word < count; word++)
            open_port((uint16_t)atoi(words[word]));
        hand_over(0, DONE, -1);
        return 0;
    }
    fprintf(stderr, "port-relay: unknown mode or wrong number of words\n");
    return 2;
}
