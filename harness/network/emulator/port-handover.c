#define _GNU_SOURCE
#include "port-handover.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "relay-base.h"

void hand_over(uint16_t port, enum kind kind, int handle)
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

int take_over(int from, struct message *message)
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

void open_port(uint16_t port)
{
    struct sockaddr_in place = loopback(port);
    int tcp = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), udp = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    set_flag(tcp, SOL_SOCKET, SO_REUSEADDR);
    if (bind(tcp, (struct sockaddr *)&place, sizeof place) < 0 || listen(tcp, SOMAXCONN) < 0) {
        if (errno != EADDRINUSE)
            die("a port of TCP");
        close(tcp);
        close(udp);
        hand_over(port, TAKEN, -1);
        return;
    }
    if (bind(udp, (struct sockaddr *)&place, sizeof place) < 0)
        die("a port of UDP");
    hand_over(port, TCP, tcp);
    hand_over(port, UDP, udp);
    close(tcp);
    close(udp);
}
