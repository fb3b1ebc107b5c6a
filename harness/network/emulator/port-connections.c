#define _GNU_SOURCE
#include "port-connections.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

#include "relay-base.h"

#define HALF_BYTES 65536

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

void *pass_connections(void *of)
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
