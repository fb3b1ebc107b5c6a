#define _GNU_SOURCE
#include "event-loop.h"

#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "relay-base.h"

#define MOST_EVENTS 64

static int poller = -1;
/** Those that came together; what was closed meanwhile is left out. */
static struct epoll_event events[MOST_EVENTS];
static int event_count;

bool loop_want(struct watch *watch, uint32_t wanted)
{
    if (watch->known && watch->wanted == wanted)
        return true;
    if (poller < 0 && (poller = epoll_create1(EPOLL_CLOEXEC)) < 0)
        return false;
    /* epoll tells of a hang-up that nobody asked for, and would do so without end. */
    struct epoll_event event = {.events = wanted ? wanted : EPOLLET, .data.ptr = watch};
    if (epoll_ctl(poller, watch->known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, watch->handle, &event) < 0)
        return false;
    watch->known = true;
    watch->wanted = wanted;
    return true;
}

void loop_close(struct watch *watch)
{
    for (int i = 0; i < event_count; i++)
        if (events[i].data.ptr == watch)
            events[i].data.ptr = NULL;
    if (watch->handle >= 0)
        close(watch->handle);
    watch->handle = -1;
    watch->known = false;
}

uint64_t loop_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

_Noreturn void loop_run(int (*tick)(void))
{
    for (;;) {
        event_count = epoll_wait(poller, events, MOST_EVENTS, tick());
        if (event_count < 0 && errno != EINTR)
            die("epoll_wait");
        for (int i = 0; i < event_count; i++) {
            struct watch *watch = events[i].data.ptr;
            if (watch)
                watch->ready(watch, events[i].events);
        }
    }
}
