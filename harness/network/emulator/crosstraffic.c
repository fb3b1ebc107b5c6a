/*
 * Traffic of another client of the same path: what a household does while something is measured.
 *
 * crosstraffic serve PORT                     at the far end: answers whoever asks, until standard input ends
 * crosstraffic load KIND ADDRESS PORT CONTROL at the near end: loads until standard input ends
 *   KIND     download: one connection without end; upload: the same the other way; video: a chunk of 2.5 MB every 4 s
 *            (5 Mbit/s); call: 30 frames of 6250 bytes a second each way over UDP (1.5 Mbit/s)
 *   CONTROL  congestion control of the sender's TCP; `-`: the namespace's
 *
 * `serve` prints `ready`. `load` prints one line of JSON when it loads: which congestion control its sender really has.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CHUNK_BYTES 2500000u
#define CHUNK_GAP_NS 4000000000u
#define FRAME_GAP_NS 33333333u
#define FRAME_PACKETS 5
#define FRAME_PACKET_BYTES 1250u
#define LINE_BYTES 64

static char bytes[1 << 16];

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct sockaddr_in address_of(const char *address, const char *port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    if (address && inet_pton(AF_INET, address, &place.sin_addr) != 1)
        die(address);
    return place;
}

static void send_whole(int connection, const char *from, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(connection, from, size, MSG_NOSIGNAL);
        if (sent < 0)
            exit(0);
        from += sent;
        size -= (size_t)sent;
    }
}

/** Reads up to the end of a line. @returns false where the other end is gone. */
static bool read_line(int connection, char line[LINE_BYTES])
{
    size_t length = 0;
    while (length + 1 < LINE_BYTES && recv(connection, line + length, 1, 0) == 1)
        if (line[length++] == '\n') {
            line[length - 1] = 0;
            return true;
        }
    return false;
}

/** Sets the algorithm, unless it is the namespace's. @returns false where the kernel does not take it. */
static bool set_control(int connection, const char *control)
{
    return !strcmp(control, "-") ||
           setsockopt(connection, IPPROTO_TCP, TCP_CONGESTION, control, (socklen_t)strlen(control)) == 0;
}

static void control_of(int connection, char name[LINE_BYTES])
{
    socklen_t size = LINE_BYTES - 1;
    memset(name, 0, LINE_BYTES);
    getsockopt(connection, IPPROTO_TCP, TCP_CONGESTION, name, &size);
}

/** Throws away what comes. @returns false when the other end is gone. */
static bool swallow(int handle)
{
    ssize_t size = recv(handle, bytes, sizeof bytes, MSG_DONTWAIT);
    return size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNREFUSED));
}

static void send_without_end(int connection)
{
    for (;;)
        send_whole(connection, bytes, sizeof bytes);
}

static int udp_to(struct sockaddr_in place)
{
    int handle = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (handle < 0 || connect(handle, (struct sockaddr *)&place, sizeof place) < 0)
        die("a socket of UDP");
    return handle;
}

static uint16_t port_of(int handle)
{
    struct sockaddr_in own;
    socklen_t size = sizeof own;
    getsockname(handle, (struct sockaddr *)&own, &size);
    return ntohs(own.sin_port);
}

/** Sends frames and takes those of the other side until `ends` is readable. */
static void call(int udp, int ends)
{
    uint64_t due_ns = now_ns();
    for (;;) {
        uint64_t time_ns = now_ns();
        if (time_ns >= due_ns) {
            for (int i = 0; i < FRAME_PACKETS; i++)
                send(udp, bytes, FRAME_PACKET_BYTES, MSG_DONTWAIT);
            due_ns += FRAME_GAP_NS;
            continue;
        }
        struct timespec wait = {.tv_nsec = (long)(due_ns - time_ns)};
        struct pollfd watched[] = {{.fd = udp, .events = POLLIN}, {.fd = ends, .events = POLLIN}};
        ppoll(watched, 2, &wait, NULL);
        if (watched[1].revents)
            return;
        if (watched[0].revents)
            swallow(udp);
    }
}

/* The far end. */

static void answer_call(int connection, const char *port)
{
    struct sockaddr_in peer;
    socklen_t size = sizeof peer;
    if (getpeername(connection, (struct sockaddr *)&peer, &size) < 0)
        exit(0);
    peer.sin_port = htons((uint16_t)atoi(port));
    int udp = udp_to(peer);
    char line[LINE_BYTES];
    int length = snprintf(line, sizeof line, "%u\n", port_of(udp));
    send_whole(connection, line, (size_t)length);
    call(udp, connection);
}

/** `KIND CONTROL PORT`. */
static void answer(int connection)
{
    char line[LINE_BYTES], kind[LINE_BYTES], control[LINE_BYTES], port[LINE_BYTES], name[LINE_BYTES];
    if (!read_line(connection, line) || sscanf(line, "%63s %63s %63s", kind, control, port) != 3)
        return;
    bool sends = strcmp(kind, "upload") != 0;
    if (sends && !set_control(connection, control))
        return;
    control_of(connection, name);
    strcat(name, "\n");
    send_whole(connection, name, strlen(name));
    if (!strcmp(kind, "download"))
        send_without_end(connection);
    else if (!strcmp(kind, "call"))
        answer_call(connection, port);
    else if (!strcmp(kind, "upload"))
        while (recv(connection, bytes, sizeof bytes, 0) > 0)
            continue;
    else
        while (read_line(connection, line))
            for (size_t left = CHUNK_BYTES; left > 0;) {
                size_t part = left < sizeof bytes ? left : sizeof bytes;
                send_whole(connection, bytes, part);
                left -= part;
            }
}

static int serve(const char *port)
{
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    struct sockaddr_in place = address_of(NULL, port);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (listener < 0 || bind(listener, (struct sockaddr *)&place, sizeof place) < 0 || listen(listener, 8) < 0)
        die("listen");
    puts("ready");
    fflush(stdout);
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        struct pollfd watched[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
        if (poll(watched, 2, -1) < 0)
            continue;
        if (watched[0].revents)
            return 0;
        int connection = accept(listener, NULL, NULL);
        if (connection >= 0 && fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            answer(connection);
            _exit(0);
        }
        close(connection);
    }
}

/* The near end. */

/** @returns false when standard input has ended, or the far end has. */
static bool wait_for(int connection, short events, uint64_t until_ns, bool *ready)
{
    uint64_t time_ns = now_ns();
    uint64_t left_ns = until_ns > time_ns ? until_ns - time_ns : 0;
    struct timespec wait = {.tv_sec = (time_t)(left_ns / 1000000000u), .tv_nsec = (long)(left_ns % 1000000000u)};
    struct pollfd watched[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = connection, .events = events}};
    ppoll(watched, 2, &wait, NULL);
    *ready = watched[1].revents != 0;
    return watched[0].revents == 0;
}

static void take_in(int connection)
{
    for (bool ready; wait_for(connection, POLLIN, UINT64_MAX, &ready);)
        if (ready && !swallow(connection))
            return;
}

static void put_out(int connection)
{
    for (bool ready; wait_for(connection, POLLOUT, UINT64_MAX, &ready);)
        if (ready && send(connection, bytes, sizeof bytes, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EAGAIN)
            return;
}

static void watch(int connection)
{
    uint64_t due_ns = now_ns();
    for (bool ready; wait_for(connection, POLLIN, due_ns, &ready);) {
        if (ready && !swallow(connection))
            return;
        if (now_ns() < due_ns)
            continue;
        send_whole(connection, "next\n", 5);
        due_ns += CHUNK_GAP_NS;
    }
}

static int load(const char *kind, const char *address, const char *port, const char *control)
{
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in place = address_of(address, port);
    if (connection < 0 || connect(connection, (struct sockaddr *)&place, sizeof place) < 0)
        die("connect");
    bool sends = !strcmp(kind, "upload"), is_call = !strcmp(kind, "call");
    if (sends && !set_control(connection, control))
        die(control);
    place.sin_port = htons(9);
    int udp = is_call ? udp_to(place) : -1;
    char line[LINE_BYTES + 32], name[LINE_BYTES];
    int length = snprintf(line, sizeof line, "%s %s %u\n", kind, control, is_call ? port_of(udp) : 0);
    send_whole(connection, line, (size_t)length);
    if (!read_line(connection, name)) {
        fprintf(stderr, "the far end takes no congestion control %s\n", control);
        return 1;
    }
    if (sends)
        control_of(connection, name);
    if (is_call && (!read_line(connection, line) ||
                    (place.sin_port = htons((uint16_t)atoi(line)), connect(udp, (struct sockaddr *)&place, sizeof place) < 0)))
        die("the call");
    printf("{\"congestionControl\":\"%s\"}\n", name);
    fflush(stdout);
    if (is_call)
        call(udp, STDIN_FILENO);
    else if (sends)
        put_out(connection);
    else if (!strcmp(kind, "video"))
        watch(connection);
    else
        take_in(connection);
    /* What still waits would go on after it: a reset ends it. Nothing waits beside a call, and a reset that the path loses
       is not sent again: the far end would call for ever. */
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    if (!is_call)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    return 0;
}

int main(int count, char **words)
{
    const char *mode = count > 1 ? words[1] : "";
    if (!strcmp(mode, "serve") && count == 3)
        return serve(words[2]);
    if (!strcmp(mode, "load") && count == 6)
        return load(words[2], words[3], words[4], words[5]);
    fprintf(stderr, "crosstraffic: unknown mode or wrong number of words\n");
    return 2;
}
