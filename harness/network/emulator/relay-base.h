/* What every part of the port relay uses. */
#ifndef RELAY_BASE_H
#define RELAY_BASE_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

/** Room for one number beside a message: a handle, or the type of service. */
union number_room {
    struct cmsghdr aligned;
    char bytes[CMSG_SPACE(sizeof(int))];
};

/** While the relay starts: later nothing that one connection lacks ends the others. */
static inline void die(const char *what)
{
    perror(what);
    exit(1);
}

static inline struct sockaddr_in loopback(uint16_t port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(port)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return place;
}

static inline void set_flag(int handle, int level, int option)
{
    int yes = 1;
    setsockopt(handle, level, option, &yes, sizeof yes);
}

#endif
