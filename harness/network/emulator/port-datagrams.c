#define _GNU_SOURCE
#include "port-datagrams.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>

#include "event-loop.h"
#include "relay-base.h"

#define DATAGRAM_BYTES 65536
/** As much as a browser asks for. */
#define UDP_BUFFER_BYTES (1 << 20)
/** Datagrams in a row, before others have their turn. */
#define MOST_DATAGRAMS 64
#define BUCKETS 4096u

/** A port at which datagrams come. */
struct udp_port {
    struct watch watch;
    uint16_t port;
};

/** Datagrams of one port at the near end, and the socket over which this machine's server answers them. */
struct flow {
    struct watch watch;
    struct udp_port *to;
    struct sockaddr_in near;
    uint64_t last_ms;
    /** By when something was passed on last. */
    struct flow *newer, *older;
    struct flow *next_in_bucket;
};

static struct flow *newest, *oldest, *buckets[BUCKETS];
static size_t flow_count, most_flows;
static uint64_t idle_ms;
/** What is under way. */
static char bytes[DATAGRAM_BYTES];

/** A socket that tells the marks of what it receives, and has room for what a browser sends at once. */
static void prepare_udp(int handle)
{
    int size = UDP_BUFFER_BYTES;
    setsockopt(handle, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    setsockopt(handle, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    set_flag(handle, IPPROTO_IP, IP_RECVTOS);
}

/** @param tos is set to the type of service, with the mark of ECN. @returns bytes; -1: there is nothing (more) */
static ssize_t receive(int handle, struct sockaddr_in *source, uint8_t *tos)
{
    struct iovec part = {.iov_base = bytes, .iov_len = sizeof bytes};
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
static void send_on(int handle, ssize_t size, struct sockaddr_in *target, uint8_t tos)
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
    sendmsg(handle, &whole, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void take_out(struct flow *flow)
{
    *(flow->newer ? &flow->newer->older : &newest) = flow->older;
    *(flow->older ? &flow->older->newer : &oldest) = flow->newer;
}

static void put_first(struct flow *flow)
{
    flow->newer = NULL;
    flow->older = newest;
    *(newest ? &newest->newer : &oldest) = flow;
    newest = flow;
}

static void was_used(struct flow *flow)
{
    flow->last_ms = loop_now_ms();
    if (flow == newest)
        return;
    take_out(flow);
    put_first(flow);
}

static struct flow **bucket_of(const struct sockaddr_in *near)
{
    return &buckets[ntohs(near->sin_port) % BUCKETS];
}

static void end_flow(struct flow *flow)
{
    struct flow **place = bucket_of(&flow->near);
    while (*place != flow)
        place = &(*place)->next_in_bucket;
    *place = flow->next_in_bucket;
    take_out(flow);
    loop_close(&flow->watch);
    free(flow);
    flow_count--;
}

/** The server's answers. One that is not there is told once, as an error. */
static void flow_ready(struct watch *watch, uint32_t events)
{
    struct flow *flow = (struct flow *)watch;
    struct sockaddr_in source;
    uint8_t tos;
    ssize_t size;
    (void)events;
    was_used(flow);
    for (int turn = 0; turn < MOST_DATAGRAMS && (size = receive(watch->handle, &source, &tos)) >= 0; turn++)
        send_on(flow->to->watch.handle, size, &flow->near, tos);
}

/** @returns a socket that leads to this machine's server at a port; -1 where none is to be had */
static int socket_to(uint16_t port)
{
    struct sockaddr_in place = loopback(port);
    int handle = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (handle < 0)
        return -1;
    prepare_udp(handle);
    connect(handle, (struct sockaddr *)&place, sizeof place);
    return handle;
}

static bool is_of(const struct flow *flow, const struct udp_port *to, const struct sockaddr_in *near)
{
    return flow->to == to && flow->near.sin_port == near->sin_port &&
           flow->near.sin_addr.s_addr == near->sin_addr.s_addr;
}

/** @returns NULL where no socket is to be had */
static struct flow *begin_flow(struct udp_port *to, const struct sockaddr_in *near)
{
    struct flow *flow = calloc(1, sizeof *flow);
    if (!flow)
        return NULL;
    *flow = (struct flow){.watch = {.handle = socket_to(to->port), .ready = flow_ready}, .to = to, .near = *near};
    if (flow->watch.handle < 0 || !loop_want(&flow->watch, EPOLLIN)) {
        loop_close(&flow->watch);
        free(flow);
        return NULL;
    }
    struct flow **bucket = bucket_of(near);
    flow->next_in_bucket = *bucket;
    *bucket = flow;
    put_first(flow);
    flow_count++;
    return flow;
}

/** @returns NULL where no socket is to be had: the datagram is lost */
static struct flow *flow_of(struct udp_port *to, const struct sockaddr_in *near)
{
    for (struct flow *flow = *bucket_of(near); flow; flow = flow->next_in_bucket)
        if (is_of(flow, to, near))
            return flow;
    if (flow_count >= most_flows && oldest)
        end_flow(oldest);
    struct flow *flow = begin_flow(to, near);
    if (flow || !oldest)
        return flow;
    end_flow(oldest);
    return begin_flow(to, near);
}

static void port_ready(struct watch *watch, uint32_t events)
{
    struct udp_port *port = (struct udp_port *)watch;
    struct sockaddr_in source;
    uint8_t tos;
    ssize_t size;
    (void)events;
    for (int turn = 0; turn < MOST_DATAGRAMS && (size = receive(watch->handle, &source, &tos)) >= 0; turn++) {
        struct flow *flow = flow_of(port, &source);
        if (!flow)
            continue;
        was_used(flow);
        send_on(flow->watch.handle, size, NULL, tos);
    }
}

void limit_flows(size_t most, uint32_t idle_s)
{
    most_flows = most;
    idle_ms = (uint64_t)idle_s * 1000;
}

void pass_datagrams(int handle, uint16_t port)
{
    struct udp_port *opened = calloc(1, sizeof *opened);
    if (!opened)
        die("memory");
    *opened = (struct udp_port){.watch = {.handle = handle, .ready = port_ready}, .port = port};
    prepare_udp(handle);
    if (!loop_want(&opened->watch, EPOLLIN))
        die("epoll");
}

int datagrams_tick(void)
{
    if (!oldest)
        return -1;
    uint64_t now_ms = loop_now_ms();
    while (oldest && now_ms - oldest->last_ms >= idle_ms)
        end_flow(oldest);
    if (!oldest)
        return -1;
    uint64_t left_ms = oldest->last_ms + idle_ms - now_ms;
    return left_ms < INT_MAX ? (int)left_ms : INT_MAX;
}
