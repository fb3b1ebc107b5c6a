/* One thread that waits for many handles at once, by epoll(7). */
#ifndef EVENT_LOOP_H
#define EVENT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/** A handle that is waited for; part of what it belongs to. */
struct watch {
    /** -1 where there is none. */
    int handle;
    /** Told the events of epoll that came, some of which nobody wanted any more may be among them. */
    void (*ready)(struct watch *watch, uint32_t events);
    bool known;
    uint32_t wanted;
};

/**
 * Waits for these events from now on. Of a handle of which nothing is wanted (0), its end is told once.
 *
 * @returns false where the kernel has no room for it
 */
bool loop_want(struct watch *watch, uint32_t wanted);

/** Closes the handle; what has come of it already is not told any more. */
void loop_close(struct watch *watch);

/** Since some moment, ms. */
uint64_t loop_now_ms(void);

/** @param tick called before each wait, which lasts as many ms as it returns at most; -1: for ever */
_Noreturn void loop_run(int (*tick)(void));

#endif
