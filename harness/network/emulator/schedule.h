/*
 * What a direction of a path is set to while it changes with time, as arithmetic only. A step holds from its start until the
 * next one; a negative figure leaves the direction's own.
 */
#ifndef H2H3_SCHEDULE_H
#define H2H3_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct schedule_step {
    uint64_t start_ns;
    /** 0: the link stands still. */
    double bits_per_second;
    double delay_ns;
    double jitter_ns;
    /** 0 … 1. */
    double loss;
    /** Nothing passes. */
    bool outage;
    /** Of what comes while it holds, so many packets are lost from the first on. */
    uint32_t lost_packets;
    /** Of each connection the packet of this number that comes while it holds is lost, from 1; 0: none. */
    uint32_t lost_of_each;
    /** Of each connection that has carried so many bytes by then, the packet behind which nothing comes until it leaves is lost, once; 0: none. */
    uint32_t lost_tail_after;
};

/** Steps in the order of their starts, the first at 0. */
struct schedule {
    const struct schedule_step *steps;
    size_t count;
    /** After this time it begins again; 0: it does not, and its last step holds for ever. */
    uint64_t length_ns;
};

/** A step that leaves all as it is. */
struct schedule_step schedule_no_step(void);

/** What is set at a time; figures that are negative are not. */
struct in_force {
    double bits_per_second;
    double delay_ns;
    double jitter_ns;
    double loss;
    bool outage;
    uint32_t lost_packets, lost_of_each, lost_tail_after;
    /** Since the beginning of its schedule, of the step that loses packets. */
    uint64_t losing_since_ns;
    /** Until then nothing of it changes; UINT64_MAX: for ever. */
    uint64_t end_ns;
};

/** Nothing. */
struct in_force schedule_nothing(void);

/** Lays the figures of one step over `force`, whatever its start. */
void schedule_lay_step(const struct schedule_step *step, struct in_force *force);

/** Lays over `force` what the schedule sets at `now_ns`, which is `elapsed_ns` after its beginning. */
void schedule_lay(const struct schedule *schedule, uint64_t now_ns, uint64_t elapsed_ns, struct in_force *force);

#endif
