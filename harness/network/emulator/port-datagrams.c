#define _GNU_SOURCE
#include "port-datagrams.h"

#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "relay-base.h"

#define DATAGRAM_BYTES 65536
/** As much as a browser asks for. */
#define UDP_BUFFER_BYTES (1 << 20)
#define FLOWS 1024
/** A flow that is silent for so long gives its place to a new one. */
#define IDLE_S 120

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

void *pass_datagrams(void *of)
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
