/*
 * Active queue management in front of a link, as arithmetic only: CoDel (RFC 8289), FQ-CoDel (RFC 8290) and the dual-queue
 * coupled AQM (RFC 9332, appendix A). Time is passed in. Packets are named by their slots; of their contents only the ECN
 * field and a hash of their flow are known here.
 */
#ifndef H2H3_AQM_H
#define H2H3_AQM_H

#include <stdbool.h>
#include <stdint.h>

/** RFC 8290, section 5.2. */
#define AQM_FLOWS 1024u
#define AQM_NO_PACKET UINT32_MAX

enum aqm_kind { AQM_DROPTAIL, AQM_CODEL, AQM_FQ_CODEL, AQM_DUALPI2 };

/** As in the IP header (RFC 3168). */
enum ecn { NOT_ECT = 0, ECT1 = 1, ECT0 = 2, CE = 3 };

struct aqm_config {
    enum aqm_kind kind;
    /** Whether packets whose ends have ECN are marked instead of dropped. */
    bool marks;
    /** Bytes that may wait; 0: as many as there are slots. */
    uint64_t limit_bytes;
};

struct aqm_node {
    uint64_t arrived_ns;
    uint32_t bytes, next;
    uint8_t ecn;
};

struct aqm_fifo {
    uint32_t head, tail, count;
    uint64_t bytes;
};

struct codel {
    uint64_t first_above_ns, drop_next_ns;
    uint32_t count, last_count;
    bool dropping;
};

struct aqm_flow {
    struct aqm_fifo fifo;
    struct codel codel;
    int64_t deficit;
    uint32_t next;
    bool listed;
};

struct aqm {
    struct aqm_config config;
    struct aqm_node *nodes;
    /** What waits, in all queues. */
    uint64_t bytes;
    uint32_t count;
    /** CoDel has one flow. */
    struct aqm_flow *flows;
    uint32_t new_head, new_tail, old_head, old_tail;
    /** Coupled queues: [0] classic, [1] low latency. */
    struct aqm_fifo pair[2];
    /** The base probability p' of RFC 9332, and what is left of the low-latency queue's last draw. */
    double probability, low_remainder;
    uint64_t updated_ns, previous_delay_ns;
    int64_t classic_credit;
    uint64_t random_state;
};

/** Called with each packet that is given up. */
typedef void aqm_drop(void *context, uint32_t slot);

/** @returns false without memory. `slots`: how many packets there may be. */
bool aqm_init(struct aqm *aqm, const struct aqm_config *config, uint32_t slots);
void aqm_seed(struct aqm *aqm, uint64_t seed);

struct aqm_arrival {
    uint32_t slot, bytes;
    enum ecn ecn;
    /** Hash of its flow. */
    uint32_t flow;
};

void aqm_enqueue(struct aqm *aqm, const struct aqm_arrival *arrival, uint64_t now_ns, aqm_drop *drop, void *context);

struct aqm_departure {
    /** AQM_NO_PACKET where nothing waits. */
    uint32_t slot;
    bool mark;
    /** Time in the queue. */
    uint64_t sojourn_ns;
};

/** What the link takes at `now_ns`. */
struct aqm_departure aqm_dequeue(struct aqm *aqm, uint64_t now_ns, aqm_drop *drop, void *context);

#endif
