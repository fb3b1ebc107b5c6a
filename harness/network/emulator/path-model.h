/*
 * One direction of a path, as arithmetic only: when does a packet that arrives now leave at the other end, or is it
 * dropped? Time is passed in, so that tests need no clock; nothing here knows of devices or packets' contents.
 *
 * A packet passes, in this order: loss; a drop-tail queue of so many bytes or packets in front of a link with a rate or a
 * trace; a delay, with jitter that never reorders; and, for a chosen share of packets, reordering by skipping that
 * delay. Another queue is driven by whoever calls the three steps by themselves (`link-queue.h`). Sizes are IP bytes:
 * header and payload of the IP packet, no link header.
 */
#ifndef H2H3_PATH_MODEL_H
#define H2H3_PATH_MODEL_H

#include "aqm.h"
#include "schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes that one delivery opportunity of a mahimahi trace carries. */
#define OPPORTUNITY_BYTES 1500

/** The rate from `start_ns` of the trace until the next step, or the trace's end. */
struct rate_step {
    uint64_t start_ns;
    double bits_per_second;
};

struct path_config {
    /** Constant rate; 0 when there is none. A trace takes precedence. */
    double bits_per_second;
    const struct rate_step *steps;
    size_t step_count;
    /** Times of delivery opportunities, ns, ascending (mahimahi). */
    const uint64_t *opportunities_ns;
    size_t opportunity_count;
    /** After this time the trace begins again. */
    uint64_t trace_length_ns;
    /** Bytes that may wait for the link, the packet in service included; 0: the queue does not count them. */
    uint64_t queue_bytes;
    /** Packets of any size that may wait for it, likewise. */
    uint64_t queue_packets;
    /** Whether it takes the other direction's link and queue, as in a half-duplex network; the forwarder's to do. */
    bool half_duplex;
    /** Loss of a packet in the good and in the bad state, 0 … 1; without a bad state only the first counts. */
    double loss_good;
    double loss_bad;
    /** Chance, at each packet, to change state (Gilbert–Elliott); 0: always good. */
    double good_to_bad;
    double bad_to_good;
    uint64_t delay_ns;
    /** The delay varies uniformly by up to this much either way. */
    uint64_t jitter_ns;
    /** Share of packets that skip the delay and so overtake others, 0 … 1. */
    double reorder;
    /** Share of packets behind which a copy follows, 0 … 1; the forwarder's to do. */
    double duplicate;
    /** What manages the queue; where it is more than drop-tail, whoever calls the three steps drives it. */
    struct aqm_config queue;
    /** Whether datagrams with ECN leave joined where the queue marks; the forwarder's to do. */
    bool joins_marked;
    /** What opens a connection is held back so long; the forwarder's to do, because it sees contents. */
    uint64_t connect_delay_ns;
    /** Packets of IPv6 are held back so long behind all else, or lost; the forwarder's to do likewise. */
    uint64_t v6_delay_ns;
    bool v6_broken;
    /** What changes with time: again and again, and, with precedence over that, once. They set no rate next to opportunities. */
    struct schedule repeating, once;
};

enum path_fate { PATH_DELIVERED, PATH_OVERTAKES, PATH_LOST, PATH_QUEUE_FULL, PATH_NO_ROOM };

struct path_result {
    enum path_fate fate;
    /** Time in the queue, before the link took it. */
    uint64_t sojourn_ns;
    /** When it leaves at the far end; of delivered packets never before an earlier one, nor of overtaking ones. Of lost ones: when. */
    uint64_t release_ns;
};

struct waiting_packet {
    uint64_t departure_ns;
    uint32_t bytes;
};

struct path_model {
    struct path_config config;
    /** Whose link and queue it takes; NULL: its own. */
    struct path_model *shared;
    uint64_t random_state;
    bool bad;
    /** When the trace was at its beginning. */
    uint64_t trace_origin_ns;
    /** Whether the schedules hold; since when, and how far into the repeating one it began then. */
    bool scheduled;
    uint64_t schedule_start_ns;
    uint64_t schedule_offset_ns;
    /** Of the step that loses packets, and how many of them came. */
    uint64_t losing_since_ns;
    uint32_t losing_met;
    /** What somebody has set meanwhile, over all else. */
    struct schedule_step live;
    size_t step_index;
    uint64_t opportunity_index;
    uint32_t opportunity_left_bytes;
    uint64_t last_departure_ns;
    uint64_t last_release_ns;
    /** Packets that have not left the link yet, a ring. */
    struct waiting_packet *waiting;
    size_t waiting_capacity;
    uint64_t waiting_head;
    uint64_t waiting_tail;
    uint64_t backlog_bytes;
};

/** Prepares `model`; `waiting` has room for `waiting_capacity` packets and is kept by the caller. */
void path_model_init(struct path_model *model, const struct path_config *config, struct waiting_packet *waiting,
                     size_t waiting_capacity, uint64_t now_ns);

/** Begins the trace at `offset_ns` of it, and the random numbers from `seed`. What is under way stays; schedules hold no more. */
void path_model_start(struct path_model *model, uint64_t now_ns, uint64_t seed, uint64_t offset_ns);

/** Begins the schedules, the repeating one at `offset_ns` of it. */
void path_model_follow_schedule(struct path_model *model, uint64_t now_ns, uint64_t offset_ns);

/**
 * Sets figures from now on, over those of schedules; `schedule_no_step()` sets none. What has come keeps the time at which it leaves, but for
 * an outage.
 */
void path_model_set(struct path_model *model, const struct schedule_step *live);

/** What becomes of a packet of `bytes` that arrives at `now_ns`; calls must come in order of time. */
struct path_result path_model_arrive(struct path_model *model, uint64_t now_ns, uint32_t bytes);

/** The three steps of a packet whose queue is not this model's: whether it is lost before it, */
bool path_model_loses(struct path_model *model, uint64_t now_ns);

/** Whether a schedule loses the packet of this number of its connection, from 1. */
bool path_model_loses_of_each(const struct path_model *model, uint64_t now_ns, uint32_t number);

/** How many bytes a connection carries before a schedule loses its tail; 0: it does not. */
uint32_t path_model_tail_bytes(const struct path_model *model, uint64_t now_ns);

/** when it has left the link, which takes it at `now_ns`, */
uint64_t path_model_depart(struct path_model *model, uint64_t now_ns, uint32_t bytes);

/** and when it arrives, if no outage meets it there. */
struct path_result path_model_deliver(struct path_model *model, uint64_t departure_ns);

/** The least delay that a packet may have. */
uint64_t path_model_least_delay_ns(const struct path_model *model);

/** Whether a copy follows this packet. */
bool path_model_duplicates(struct path_model *model);

/** Bytes that wait for the link at `now_ns`. */
uint64_t path_model_backlog(struct path_model *model, uint64_t now_ns);

#endif
