/* Moves packets between two devices as two path models say, and counts what it did. */
#ifndef H2H3_FORWARDER_H
#define H2H3_FORWARDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "direction.h"

struct forwarder {
    struct direction up, down;
    /** Since the last start. */
    struct flow_table flows;
    struct flight_log log;
    /** Work is gathered for this long where packets come faster, because each wake-up costs CPU time. */
    uint64_t quantum_ns;
    uint64_t wakes;
    /** How much later than asked the kernel wakes it: what is due is asked for earlier by that, what woke it came earlier. */
    uint64_t wake_delay_ns;
    /** Whether the kernel takes super-packets of UDP. */
    bool joins_udp;
    /** Held while packets are moved, and by whoever reads counters or starts a trace. */
    pthread_mutex_t lock;
};

/** @returns false when there is no memory. */
bool forwarder_init(struct forwarder *forwarder, struct device_pair devices, const struct path_config *up,
                    const struct path_config *down, uint64_t quantum_ns);

/** The client's end of the traffic beside, by its device and its address in network order; before `forwarder_run`. */
void forwarder_add_beside(struct forwarder *forwarder, int device, uint32_t address);

/** Where traces and schedules begin. */
struct path_start {
    uint64_t seed;
    uint64_t trace_offset_ns;
    /** Whether schedules hold from now on, and how far into what repeats. */
    bool scheduled;
    uint64_t schedule_offset_ns;
};

/** Starts both directions' traces, schedules and random numbers; lateness, flows and courses begin anew. */
void forwarder_start(struct forwarder *forwarder, const struct path_start *start);

/** Sets figures of one direction from now on. */
void forwarder_set(struct forwarder *forwarder, bool is_up, const struct schedule_step *live);

/** Never returns. */
void forwarder_run(struct forwarder *forwarder);

#endif
