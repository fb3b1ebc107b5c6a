/* How a program that serves others gets a CPU soon where it may have no real-time priority. */
#ifndef H2H3_SHORT_SLICE_H
#define H2H3_SHORT_SLICE_H

#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHORTEST_SLICE_NS 100000u

/** `struct sched_attr` as kernels have it since the first of it; not every library of C has it. */
struct schedule_wish {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime_ns, deadline_ns, period_ns;
};

/**
 * Asks for the shortest slice of time: who wants a CPU for less is let in before those that want it for longer. Nobody needs a
 * privilege for it (sched_setattr(2), `sched_runtime` of SCHED_OTHER, since Linux 6.12). Older kernels take no notice.
 */
static inline void ask_for_short_slice(void)
{
    struct schedule_wish wish;
    if (syscall(SYS_sched_getattr, 0, &wish, sizeof wish, 0) != 0)
        return;
    wish.size = sizeof wish;
    wish.runtime_ns = SHORTEST_SLICE_NS;
    (void)syscall(SYS_sched_setattr, 0, &wish, 0);
}

#endif
