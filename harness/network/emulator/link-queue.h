/* The queue in front of a link where it is more than drop-tail, and what is counted of any queue since the last start. */
#ifndef H2H3_LINK_QUEUE_H
#define H2H3_LINK_QUEUE_H

#include "aqm.h"
#include "flight-log.h"
#include "ip-packet.h"
#include "path-model.h"
#include "super-packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct held_packet {
    uint64_t arrival_ns;
    uint64_t release_ns;
    uint32_t slot;
    uint32_t bytes;
    struct ip_headers headers;
    struct open_checksum checksum;
    /** Of the traffic beside: it belongs to the other device. */
    bool beside;
    struct log_place log_place;
};

/** Times in the queue are counted in steps of an eighth of a power of two, from 64 µs to 34 s. */
#define SOJOURN_STEPS 154

/** Of what is measured, or of the traffic beside. */
struct queue_counters {
    /** What came, IP headers included. */
    uint64_t packets, bytes;
    /** By ECN field (Not-ECT, ECT(1), ECT(0), CE) as they came. */
    uint64_t tcp_ecn[4], udp_ecn[4];
    /** By random loss are no drops of the queue. */
    uint64_t dropped, marked;
    uint64_t sojourns[SOJOURN_STEPS];
};

void queue_count_arrival(struct queue_counters *counters, const struct ip_packet *packet);
void queue_count_sojourn(struct queue_counters *counters, uint64_t sojourn_ns);

/** Room that `queue_counters_write` needs. */
#define QUEUE_COUNTERS_TEXT_BYTES (1024u + SOJOURN_STEPS * 64u)

/** Writes them as JSON; of the times in the queue `[from µs, to µs, packets]` for each step that has any. @returns its length */
size_t queue_counters_write(const struct queue_counters *counters, char *text, size_t size);

struct link_queue {
    struct aqm aqm;
    /** Packets that wait, by slot. */
    struct held_packet *waiting;
    /** When the first packet of the present busy time came. */
    uint64_t busy_since_ns;
};

/** @returns false without memory. */
bool link_queue_init(struct link_queue *queue, const struct aqm_config *config, uint32_t slots);

/** Whether packets wait in it, and not in the path model's own queue. */
bool link_queue_is_managed(const struct link_queue *queue);

void link_queue_add(struct link_queue *queue, const struct held_packet *packet, const unsigned char *bytes,
                    uint64_t arrival_ns, aqm_drop *drop, void *context);

struct link_taken {
    struct held_packet packet;
    enum path_fate fate;
    bool mark;
    uint64_t arrival_ns, sojourn_ns;
};

/** Lets the link take the next packet, if it could by `until_ns`. @returns false where it took none. */
bool link_queue_take(struct link_queue *queue, struct path_model *model, uint64_t until_ns, struct link_taken *taken,
                     aqm_drop *drop, void *context);

/** No packet that waits arrives before that time; UINT64_MAX where none waits. */
uint64_t link_queue_next_ns(const struct link_queue *queue, const struct path_model *model);

#endif
