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
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HALF_BYTES 65536
#define DATAGRAM_BYTES 65536
/** As much as a browser asks for. */
#define UDP_BUFFER_BYTES (1 << 20)
#define FLOWS 1024
/** A flow that is silent for so long gives its place to a new one. */
#define IDLE_S 120

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void *allocate(size_t size)
{
    void *room = calloc(1, size);
    if (!room)
        die("memory");
    return room;
}

static void start_thread(void *(*work)(void *), void *of)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, of) != 0)
        die("a thread");
    pthread_detach(thread);
}

static struct sockaddr_in loopback(uint16_t port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(port)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return place;
}

static void set_flag(int handle, int level, int option)
{
    int yes = 1;
    setsockopt(handle, level, option, &yes, sizeof yes);
}

/* What is handed over. */

enum kind { TCP, UDP, TAKEN, DONE };

struct message {
    uint16_t port;
    uint8_t kind;
};

/** Room for one number beside a message: a handle, or the type of service. */
union number_room {
    struct cmsghdr aligned;
    char bytes[CMSG_SPACE(sizeof(int))];
};

/** @param handle goes along; -1: none does */
static void hand_over(uint16_t port, enum kind kind, int handle)
{
    struct message message = {.port = port, .kind = (uint8_t)kind};
    struct iovec part = {.iov_base = &message, .iov_len = sizeof message};
    union number_room room = {0};
    struct msghdr whole = {.msg_iov = &part, .msg_iovlen = 1};
    if (handle >= 0) {
        whole.msg_control = room.bytes;
        whole.msg_controllen = sizeof room.bytes;
        struct cmsghdr *head = CMSG_FIRSTHDR(&whole);
        *head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
        memcpy(CMSG_DATA(head), &handle, sizeof handle);
    }
    if (sendmsg(STDIN_FILENO, &whole, MSG_NOSIGNAL) != (ssize_t)sizeof message)
        die("a socket cannot be handed over");
}

/** @returns the handle, -1 for a port that is taken */
static int take_over(int from, struct message *message)
{
    struct iovec part = {.iov_base = message, .iov_len = sizeof *message};
    union number_room room = {0};
    struct msghdr whole = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    if (recvmsg(from, &whole, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof *message)
        exit(1); /* the far end has said why */
    struct cmsghdr *head = CMSG_FIRSTHDR(&whole);
    int handle = -1;
    if (head && head->cmsg_type == SCM_RIGHTS)
        memcpy(&handle, CMSG_DATA(head), sizeof handle);
    return handle;
}

static void open_port(uint16_t port)
{
    struct sockaddr_in place = loopback(port);
    int tcp = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
    set_flag(tcp, SOL_SOCKET, SO_REUSEADDR);
    if (bind(tcp, (struct sockaddr *)&place, sizeof place) < 0 || listen(tcp, SOMAXCONN) < 0) {
        if (errno != EADDRINUSE)
            die("a port of TCP");
        hand_over(port, TAKEN, -1);
        return;
    }
    if (bind(udp, (struct sockaddr *)&place, sizeof place) < 0)
        die("a port of UDP");
    hand_over(port, TCP, tcp);
    hand_over(port, UDP, udp);
}

/* Connections: one thread each. */

/** One direction of a connection. */
struct half {
    int from, to;
    char *bytes;
    size_t start, end;
    bool ended;
};

/** Passes on what can be. @returns false where one side broke */
static bool pass_half(struct half *half)
{
    if (half->start == half->end && !half->ended) {
        ssize_t size = recv(half->from, half->bytes, HALF_BYTES, 0);
        if (size < 0)
            return errno == EAGAIN || errno == EINTR;
        half->start = 0;
        half->end = (size_t)size;
        half->ended = size == 0;
        if (half->ended)
            return shutdown(half->to, SHUT_WR) == 0;
    }
    if (half->start == half->end)
        return true;
    ssize_t sent = send(half->to, half->bytes + half->start, half->end - half->start, MSG_NOSIGNAL);
    if (sent < 0)
        return errno == EAGAIN || errno == EINTR;
    half->start += (size_t)sent;
    return true;
}

static bool is_full(const struct half *half)
{
    return half->start < half->end;
}

/** What to wait for at one side: room for what goes there, or bytes of what comes from there. */
static short events_of(const struct half *coming, const struct half *going)
{
    short reads = !coming->ended && !is_full(coming) ? POLLIN : 0;
    short writes = is_full(going) ? POLLOUT : 0;
    return reads | writes;
}

/** Until both directions have ended. @returns false where one side broke */
static bool pass_both(struct half *up, struct half *down)
{
    while (!up->ended || !down->ended) {
        struct pollfd sides[] = {{.fd = up->from, .events = events_of(up, down)},
                                 {.fd = up->to, .events = events_of(down, up)}};
        for (int side = 0; side < 2; side++)
            if (!sides[side].events)
                sides[side].fd = -1; /* else its hang-up would be told without end */
        if (poll(sides, 2, -1) < 0 && errno != EINTR)
            return false;
        if (!pass_half(up) || !pass_half(down))
            return false;
    }
    return true;
}

/** A connection to this machine's own server, over IPv4 or IPv6. @returns -1 where none listens */
static int connect_on(uint16_t port)
{
    struct sockaddr_in place = loopback(port);
    struct sockaddr_in6 place6 = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_loopback};
    int handle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(handle, (struct sockaddr *)&place, sizeof place) == 0)
        return handle;
    close(handle);
    handle = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(handle, (struct sockaddr *)&place6, sizeof place6) == 0)
        return handle;
    close(handle);
    return -1;
}

/** Closes by a reset: a side that broke, or is not there, looks as it does without a path. */
static void reset(int handle)
{
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(handle, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(handle);
}

struct accepted {
    int near;
    uint16_t port;
};

static void *pass_connection(void *of)
{
    struct accepted accepted = *(struct accepted *)of;
    free(of);
    int near = accepted.near, far = connect_on(accepted.port);
    if (far < 0) {
        reset(near);
        return NULL;
    }
    for (int side = 0; side < 2; side++) {
        int handle = side == 0 ? near : far;
        set_flag(handle, IPPROTO_TCP, TCP_NODELAY);
        fcntl(handle, F_SETFL, fcntl(handle, F_GETFL) | O_NONBLOCK);
    }
    struct half up = {.from = near, .to = far, .bytes = allocate(HALF_BYTES)};
    struct half down = {.from = far, .to = near, .bytes = allocate(HALF_BYTES)};
    if (pass_both(&up, &down)) {
        close(near);
        close(far);
    } else {
        reset(near);
        reset(far);
    }
    free(up.bytes);
    free(down.bytes);
    return NULL;
}

/** What listens at the far end. */
struct opened {
    int handle;
    uint16_t port;
};

static void *pass_connections(void *of)
{
    struct opened *opened = of;
    for (;;) {
        int near = accept4(opened->handle, NULL, NULL, SOCK_CLOEXEC);
        if (near < 0) {
            poll(NULL, 0, 10); /* too many are open: some end */
            continue;
        }
        struct accepted *accepted = allocate(sizeof *accepted);
        *accepted = (struct accepted){.near = near, .port = opened->port};
        start_thread(pass_connection, accepted);
    }
    return NULL;
}

/* Datagrams: one thread for each port. */

/** Datagrams of one port at the near end, and the socket over which this machine's server answers them. */
struct flow {
    struct sockaddr_in near;
    int far;
    time_t last_s;
};

static time_t now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return now.tv_sec;
}

/** A socket that tells the marks of what it receives, and has room for what a browser sends at once. */
static void prepare_udp(int handle)
{
    int size = UDP_BUFFER_BYTES;
    setsockopt(handle, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    setsockopt(handle, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    set_flag(handle, IPPROTO_IP, IP_RECVTOS);
}

/** @param tos is set to the type of service, with the mark of ECN. @returns bytes; -1: there is nothing (more) */
static ssize_t receive(int handle, char *bytes, struct sockaddr_in *source, uint8_t *tos)
{
    struct iovec part = {.iov_base = bytes, .iov_len = DATAGRAM_BYTES};
    union number_room room;
    struct msghdr whole = {.msg_name = source,
                           .msg_namelen = sizeof *source,
                           .msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = room.bytes,
                           .msg_controllen = sizeof room.bytes};
    ssize_t size = recvmsg(handle, &whole, MSG_DONTWAIT);
    *tos = 0;
    struct cmsghdr *head = size < 0 ? NULL : CMSG_FIRSTHDR(&whole);
    if (head && head->cmsg_level == IPPROTO_IP && head->cmsg_type == IP_TOS)
        memcpy(tos, CMSG_DATA(head), 1);
    return size;
}

/** What cannot be sent is lost, as datagrams may be. @param target NULL: the socket has one */
static void send_on(int handle, char *bytes, ssize_t size, struct sockaddr_in *target, uint8_t tos)
{
    struct iovec part = {.iov_base = bytes, .iov_len = (size_t)size};
    union number_room room = {0};
    struct msghdr whole = {.msg_name = target,
                           .msg_namelen = target ? sizeof *target : 0,
                           .msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = room.bytes,
                           .msg_controllen = sizeof room.bytes};
    struct cmsghdr *head = CMSG_FIRSTHDR(&whole);
    *head = (struct cmsghdr){.cmsg_level = IPPROTO_IP, .cmsg_type = IP_TOS, .cmsg_len = CMSG_LEN(sizeof(int))};
    int value = tos;
    memcpy(CMSG_DATA(head), &value, sizeof value);
    sendmsg(handle, &whole, MSG_NOSIGNAL);
}

static bool is_same(const struct sockaddr_in *one, const struct sockaddr_in *other)
{
    return one->sin_port == other->sin_port && one->sin_addr.s_addr == other->sin_addr.s_addr;
}

/** Flows of one port, the sockets of which are watched in the same order after the port's own. */
struct flows {
    uint16_t port;
    size_t count;
    struct flow flows[FLOWS];
    struct pollfd watched[1 + FLOWS];
};

static void drop_flow(struct flows *all, size_t index)
{
    close(all->flows[index].far);
    all->count--;
    all->flows[index] = all->flows[all->count];
    all->watched[1 + index] = all->watched[1 + all->count];
}

/** Makes room for a flow: those that are silent go, or the one that was silent longest. */
static void drop_idle(struct flows *all)
{
    size_t oldest = 0;
    for (size_t index = all->count; index-- > 0;)
        if (now_s() - all->flows[index].last_s > IDLE_S)
            drop_flow(all, index);
    for (size_t index = 1; index < all->count; index++)
        if (all->flows[index].last_s < all->flows[oldest].last_s)
            oldest = index;
    if (all->count == FLOWS)
        drop_flow(all, oldest);
}

/** @returns NULL where no socket is to be had: the datagram is lost */
static struct flow *flow_of(struct flows *all, const struct sockaddr_in *near)
{
    for (size_t index = 0; index < all->count; index++)
        if (is_same(&all->flows[index].near, near))
            return &all->flows[index];
    drop_idle(all);
    struct sockaddr_in place = loopback(all->port);
    int far = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (far < 0)
        return NULL;
    prepare_udp(far);
    connect(far, (struct sockaddr *)&place, sizeof place);
    struct flow *flow = &all->flows[all->count];
    *flow = (struct flow){.near = *near, .far = far};
    all->watched[1 + all->count] = (struct pollfd){.fd = far, .events = POLLIN};
    all->count++;
    return flow;
}

static void *pass_datagrams(void *of)
{
    struct opened *opened = of;
    struct flows *all = allocate(sizeof *all);
    char *bytes = allocate(DATAGRAM_BYTES);
    struct sockaddr_in source;
    uint8_t tos;
    ssize_t size;
    all->port = opened->port;
    all->watched[0] = (struct pollfd){.fd = opened->handle, .events = POLLIN};
    prepare_udp(opened->handle);
    for (;;) {
        if (poll(all->watched, 1 + all->count, -1) < 0)
            continue;
        /* Answers first: datagrams of the port make and drop flows, which were not waited for then. */
        for (size_t index = 0; index < all->count; index++) {
            struct flow *flow = &all->flows[index];
            if (!all->watched[1 + index].revents)
                continue;
            flow->last_s = now_s();
            /* A server that is not there is told once, as an error. */
            while ((size = receive(flow->far, bytes, &source, &tos)) >= 0)
                send_on(opened->handle, bytes, size, &flow->near, tos);
        }
        while ((size = receive(opened->handle, bytes, &source, &tos)) >= 0) {
            struct flow *flow = flow_of(all, &source);
            if (!flow)
                continue;
            flow->last_s = now_s();
            send_on(flow->far, bytes, size, NULL, tos);
        }
    }
    return NULL;
}

/* Both ends. */

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
