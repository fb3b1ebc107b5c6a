#define _GNU_SOURCE
#include "port-connections.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "event-loop.h"
#include "relay-base.h"

#define READ_BYTES 65536
/** Reads and accepted connections in a row, before others have their turn. */
#define MOST_READS 4
#define MOST_ACCEPTED 64
/** Where no handle is to be had, those that wait are looked at again after so long. */
#define PAUSE_MS 10

/** One end of a connection, with what came from there. */
struct side {
    struct watch watch;
    struct connection *of;
    struct side *other;
    /** Read here, and not yet taken by the other side; NULL: nothing waits. */
    char *waiting;
    size_t waiting_at, waiting_bytes;
    /** Nothing more comes from here. */
    bool ended;
};

struct connection {
    struct side near, far;
    uint16_t port;
    /** Its server has not answered yet. */
    bool connecting, over_ipv6;
};

struct listener {
    struct watch watch;
    uint16_t port;
    struct listener *next;
};

static struct listener *listeners;
static size_t open_connections, most_connections;
static bool paused;

static void close_connection(struct connection *connection)
{
    loop_close(&connection->near.watch);
    loop_close(&connection->far.watch);
    free(connection->near.waiting);
    free(connection->far.waiting);
    free(connection);
    open_connections--;
}

/** Closes by a reset: a side that broke, or is not there, looks as it does without a path. */
static void reset_connection(struct connection *connection)
{
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    int handles[] = {connection->near.watch.handle, connection->far.watch.handle};
    for (int side = 0; side < 2; side++)
        if (handles[side] >= 0)
            setsockopt(handles[side], SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close_connection(connection);
}

/** @returns bytes that were taken, 0 where there is no room now, -1 where the side broke */
static ssize_t send_some(const struct side *to, const char *bytes, size_t size)
{
    ssize_t sent = send(to->watch.handle, bytes, size, MSG_NOSIGNAL);
    return sent < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : sent;
}

/** Passes on what waits. @returns false where the other side broke */
static bool pass_waiting(struct side *from)
{
    ssize_t sent = send_some(from->other, from->waiting + from->waiting_at, from->waiting_bytes);
    if (sent < 0)
        return false;
    from->waiting_at += (size_t)sent;
    from->waiting_bytes -= (size_t)sent;
    if (from->waiting_bytes > 0)
        return true;
    free(from->waiting);
    from->waiting = NULL;
    return true;
}

/** @returns false where there is no memory */
static bool keep_waiting(struct side *from, const char *bytes, size_t size)
{
    from->waiting = malloc(size);
    if (!from->waiting)
        return false;
    memcpy(from->waiting, bytes, size);
    from->waiting_at = 0;
    from->waiting_bytes = size;
    return true;
}

/** Passes on what has come, until the other side has no more room. @returns false where one side broke */
static bool pass_arrived(struct side *from)
{
    static char bytes[READ_BYTES];
    for (int turn = 0; turn < MOST_READS && !from->waiting && !from->ended; turn++) {
        ssize_t size = recv(from->watch.handle, bytes, sizeof bytes, 0);
        if (size < 0)
            return errno == EAGAIN || errno == EINTR;
        if (size == 0) {
            from->ended = true;
            return shutdown(from->other->watch.handle, SHUT_WR) == 0;
        }
        ssize_t sent = send_some(from->other, bytes, (size_t)size);
        if (sent < 0 || (sent < size && !keep_waiting(from, bytes + sent, (size_t)(size - sent))))
            return false;
        if (size < READ_BYTES)
            return true;
    }
    return true;
}

/** Room for what goes there, or bytes that come from there. */
static uint32_t wanted_of(const struct side *side)
{
    return (!side->ended && !side->waiting ? EPOLLIN : 0u) | (side->other->waiting ? EPOLLOUT : 0u);
}

/** Goes on with what both sides have, or ends. */
static void settle(struct connection *connection, bool whole)
{
    struct side *near = &connection->near, *far = &connection->far;
    if (whole && near->ended && far->ended)
        close_connection(connection);
    else if (!whole || !loop_want(&near->watch, wanted_of(near)) || !loop_want(&far->watch, wanted_of(far)))
        reset_connection(connection);
}

static void side_ready(struct watch *watch, uint32_t events)
{
    struct side *side = (struct side *)watch;
    /* A side from which nothing is read is not told of its reset by reading. */
    if ((events & EPOLLERR) && !(watch->wanted & EPOLLIN)) {
        reset_connection(side->of);
        return;
    }
    if (side->of->connecting)
        return;
    bool whole = true;
    if ((events & EPOLLOUT) && side->other->waiting)
        whole = pass_waiting(side->other) && pass_arrived(side->other);
    if (whole && (events & ~(uint32_t)EPOLLOUT))
        whole = pass_arrived(side);
    settle(side->of, whole);
}

static void begin_connecting(struct connection *connection);

/** The server has answered, or none listens; then it may do so over IPv6. */
static void far_ready(struct watch *watch, uint32_t events)
{
    struct connection *connection = ((struct side *)watch)->of;
    int error = 0;
    socklen_t size = sizeof error;
    (void)events;
    getsockopt(watch->handle, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
        loop_close(watch);
        begin_connecting(connection);
        return;
    }
    connection->connecting = false;
    watch->ready = side_ready;
    settle(connection, pass_arrived(&connection->near));
}

/** @returns the handle of a connection that has begun; -1 where none can */
static int connect_over(int family, uint16_t port)
{
    struct sockaddr_in place = loopback(port);
    struct sockaddr_in6 place6 = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_loopback};
    const struct sockaddr *to = family == AF_INET ? (struct sockaddr *)&place : (struct sockaddr *)&place6;
    int handle = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (handle < 0)
        return -1;
    set_flag(handle, IPPROTO_TCP, TCP_NODELAY);
    if (connect(handle, to, family == AF_INET ? sizeof place : sizeof place6) == 0 || errno == EINPROGRESS)
        return handle;
    close(handle);
    return -1;
}

/** Begins a connection to this machine's own server, over IPv4 first, then over IPv6. */
static void begin_connecting(struct connection *connection)
{
    struct watch *far = &connection->far.watch;
    if (!connection->connecting) {
        connection->connecting = true;
        far->handle = connect_over(AF_INET, connection->port);
    }
    if (far->handle < 0 && !connection->over_ipv6) {
        connection->over_ipv6 = true;
        far->handle = connect_over(AF_INET6, connection->port);
    }
    if (far->handle < 0 || !loop_want(far, EPOLLOUT) || !loop_want(&connection->near.watch, 0))
        reset_connection(connection);
}

/** @returns false where there is no memory: the connection is closed */
static bool take_connection(int near, uint16_t port)
{
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) {
        close(near);
        return false;
    }
    open_connections++;
    set_flag(near, IPPROTO_TCP, TCP_NODELAY);
    connection->port = port;
    connection->near.watch = (struct watch){.handle = near, .ready = side_ready};
    connection->far.watch = (struct watch){.handle = -1, .ready = far_ready};
    connection->near.of = connection->far.of = connection;
    connection->near.other = &connection->far;
    connection->far.other = &connection->near;
    begin_connecting(connection);
    return true;
}

static void listener_ready(struct watch *watch, uint32_t events)
{
    const struct listener *listener = (struct listener *)watch;
    (void)events;
    for (int turn = 0; turn < MOST_ACCEPTED; turn++) {
        bool has_room = open_connections < most_connections;
        int near = has_room ? accept4(watch->handle, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK) : -1;
        if (near < 0 && has_room && (errno == EAGAIN || errno == ECONNABORTED || errno == EINTR))
            return;
        if (near < 0 || !take_connection(near, listener->port)) {
            paused = true;
            loop_want(watch, 0);
            return;
        }
    }
}

void limit_connections(size_t most)
{
    most_connections = most;
}

void pass_connections(int handle, uint16_t port)
{
    struct listener *listener = calloc(1, sizeof *listener);
    if (!listener)
        die("memory");
    *listener =
        (struct listener){.watch = {.handle = handle, .ready = listener_ready}, .port = port, .next = listeners};
    listeners = listener;
    if (!loop_want(&listener->watch, EPOLLIN))
        die("epoll");
}

int connections_tick(void)
{
    static uint64_t again_ms;
    if (!paused)
        return -1;
    uint64_t now_ms = loop_now_ms();
    if (now_ms >= again_ms) {
        again_ms = now_ms + PAUSE_MS;
        paused = false;
        for (struct listener *listener = listeners; listener; listener = listener->next)
            if (!loop_want(&listener->watch, EPOLLIN))
                paused = true;
    }
    return PAUSE_MS;
}
