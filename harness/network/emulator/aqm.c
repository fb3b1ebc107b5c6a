#include "aqm.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000u
#define MTU_BYTES 1500u
/** RFC 8289, section 4. */
#define CODEL_TARGET_NS (5u * MS)
#define CODEL_INTERVAL_NS (100u * MS)
/** After so long without dropping, the rate of dropping is forgotten (section 5.5). */
#define CODEL_MEMORY_NS (16u * CODEL_INTERVAL_NS)
/** RFC 8290, sections 5.2.3 and 4.1: a quantum in bytes of Ethernet, and how many packets an overflow drops at most. */
#define QUANTUM_BYTES 1514
#define MOST_DROPPED 64
/** RFC 9332, figure 2. */
#define PI_TARGET_S 0.015
#define PI_UPDATE_NS (15u * MS)
#define PI_ALPHA_HZ 0.15
#define PI_BETA_HZ 3.0
#define COUPLING 2.0
#define MOST_CLASSIC 0.25
#define LOW_MIN_S 0.0008
#define LOW_RANGE_S 0.0004
/** Percent of the link that the classic queue keeps where both want it (section 2.5.1.1 wants it small). */
#define CLASSIC_SHARE 10

bool aqm_init(struct aqm *aqm, const struct aqm_config *config, uint32_t slots)
{
    memset(aqm, 0, sizeof *aqm);
    aqm->config = *config;
    aqm->new_head = aqm->old_head = AQM_NO_PACKET;
    aqm->nodes = calloc(slots, sizeof *aqm->nodes);
    aqm->flows = calloc(AQM_FLOWS, sizeof *aqm->flows);
    aqm_seed(aqm, 1);
    return aqm->nodes && aqm->flows;
}

void aqm_seed(struct aqm *aqm, uint64_t seed)
{
    aqm->random_state = (seed + 1) * 0x9e3779b97f4a7c15u | 1;
    /* What one trial's packets made of the coupled queues is nothing to the next. */
    if (aqm->count == 0) {
        aqm->probability = aqm->low_remainder = 0;
        aqm->previous_delay_ns = 0;
        aqm->classic_credit = 0;
    }
}

static void push(struct aqm *aqm, struct aqm_fifo *fifo, uint32_t slot)
{
    struct aqm_node *node = &aqm->nodes[slot];
    node->next = AQM_NO_PACKET;
    if (fifo->count++)
        aqm->nodes[fifo->tail].next = slot;
    else
        fifo->head = slot;
    fifo->tail = slot;
    fifo->bytes += node->bytes;
    aqm->bytes += node->bytes;
    aqm->count++;
}

static uint32_t pop(struct aqm *aqm, struct aqm_fifo *fifo)
{
    if (fifo->count == 0)
        return AQM_NO_PACKET;
    uint32_t slot = fifo->head;
    fifo->head = aqm->nodes[slot].next;
    fifo->count--;
    fifo->bytes -= aqm->nodes[slot].bytes;
    aqm->bytes -= aqm->nodes[slot].bytes;
    aqm->count--;
    return slot;
}

static uint64_t sojourn(const struct aqm *aqm, uint32_t slot, uint64_t now_ns)
{
    uint64_t arrived_ns = aqm->nodes[slot].arrived_ns;
    return now_ns > arrived_ns ? now_ns - arrived_ns : 0;
}

static bool can_mark(const struct aqm *aqm, uint32_t slot)
{
    return aqm->config.marks && aqm->nodes[slot].ecn != NOT_ECT;
}

/* CoDel (RFC 8289, section 5). */

static uint64_t control_law(uint64_t from_ns, uint32_t count)
{
    return from_ns + (uint64_t)(CODEL_INTERVAL_NS / sqrt(count));
}

static uint32_t codel_pop(struct aqm *aqm, struct codel *codel, struct aqm_fifo *fifo, uint64_t now_ns, bool *may_drop)
{
    uint32_t slot = pop(aqm, fifo);
    *may_drop = false;
    if (slot == AQM_NO_PACKET || sojourn(aqm, slot, now_ns) < CODEL_TARGET_NS || fifo->bytes <= MTU_BYTES)
        codel->first_above_ns = 0;
    else if (codel->first_above_ns == 0)
        codel->first_above_ns = now_ns + CODEL_INTERVAL_NS;
    else
        *may_drop = now_ns >= codel->first_above_ns;
    return slot;
}

/** In the dropping state: gives up, or marks, as many packets as are due. @returns the one that leaves. */
static uint32_t codel_go_on(struct aqm *aqm, struct codel *codel, struct aqm_fifo *fifo, uint64_t now_ns, uint32_t slot,
                            bool *mark, aqm_drop *drop, void *context)
{
    while (codel->dropping && now_ns >= codel->drop_next_ns) {
        bool may_drop;
        codel->count++;
        if (can_mark(aqm, slot)) {
            *mark = true;
            codel->drop_next_ns = control_law(codel->drop_next_ns, codel->count);
            return slot;
        }
        drop(context, slot);
        slot = codel_pop(aqm, codel, fifo, now_ns, &may_drop);
        if (may_drop)
            codel->drop_next_ns = control_law(codel->drop_next_ns, codel->count);
        else
            codel->dropping = false;
    }
    return slot;
}

static uint32_t codel_dequeue(struct aqm *aqm, struct aqm_flow *flow, uint64_t now_ns, bool *mark, aqm_drop *drop,
                              void *context)
{
    struct codel *codel = &flow->codel;
    bool may_drop;
    uint32_t slot = codel_pop(aqm, codel, &flow->fifo, now_ns, &may_drop);
    *mark = false;
    if (!may_drop) {
        codel->dropping = false;
        return slot;
    }
    if (codel->dropping)
        return codel_go_on(aqm, codel, &flow->fifo, now_ns, slot, mark, drop, context);
    *mark = can_mark(aqm, slot);
    if (!*mark) {
        drop(context, slot);
        slot = codel_pop(aqm, codel, &flow->fifo, now_ns, &may_drop);
    }
    codel->dropping = true;
    /* Begins with the rate that held the queue last time, where that was not long ago; its next time may be to come. */
    uint32_t since = codel->count - codel->last_count;
    codel->count = since > 1 && now_ns < codel->drop_next_ns + CODEL_MEMORY_NS ? since : 1;
    codel->drop_next_ns = control_law(now_ns, codel->count);
    codel->last_count = codel->count;
    return slot;
}

/* FQ-CoDel (RFC 8290, section 4). */

static void list_add(struct aqm *aqm, uint32_t *head, uint32_t *tail, uint32_t flow)
{
    aqm->flows[flow].next = AQM_NO_PACKET;
    if (*head == AQM_NO_PACKET)
        *head = flow;
    else
        aqm->flows[*tail].next = flow;
    *tail = flow;
}

/** Half of what waits in the longest queue goes, from its head. */
static void drop_from_longest(struct aqm *aqm, aqm_drop *drop, void *context)
{
    uint32_t longest = 0;
    for (uint32_t i = 1; i < AQM_FLOWS; i++)
        if (aqm->flows[i].fifo.bytes > aqm->flows[longest].fifo.bytes)
            longest = i;
    struct aqm_fifo *fifo = &aqm->flows[longest].fifo;
    uint64_t enough = fifo->bytes / 2;
    for (int i = 0; i < MOST_DROPPED && fifo->bytes > enough; i++)
        drop(context, pop(aqm, fifo));
}

static uint32_t fq_dequeue(struct aqm *aqm, uint64_t now_ns, bool *mark, aqm_drop *drop, void *context)
{
    for (;;) {
        bool is_new = aqm->new_head != AQM_NO_PACKET;
        uint32_t *head = is_new ? &aqm->new_head : &aqm->old_head;
        if (*head == AQM_NO_PACKET)
            return AQM_NO_PACKET;
        uint32_t index = *head;
        struct aqm_flow *flow = &aqm->flows[index];
        if (flow->deficit <= 0) {
            flow->deficit += QUANTUM_BYTES;
            *head = flow->next;
            list_add(aqm, &aqm->old_head, &aqm->old_tail, index);
            continue;
        }
        uint32_t slot = codel_dequeue(aqm, flow, now_ns, mark, drop, context);
        if (slot != AQM_NO_PACKET) {
            flow->deficit -= aqm->nodes[slot].bytes;
            return slot;
        }
        *head = flow->next;
        if (is_new && aqm->old_head != AQM_NO_PACKET)
            list_add(aqm, &aqm->old_head, &aqm->old_tail, index);
        else
            flow->listed = false;
    }
}

/* Dual-queue coupled AQM (RFC 9332, appendix A). */

static double head_delay_s(const struct aqm *aqm, const struct aqm_fifo *fifo, uint64_t now_ns)
{
    return fifo->count ? (double)sojourn(aqm, fifo->head, now_ns) * 1e-9 : 0;
}

static void pi_update(struct aqm *aqm, uint64_t now_ns)
{
    uint64_t steps = (now_ns - aqm->updated_ns) / PI_UPDATE_NS;
    /* While nothing waited each step took the same away: many of them at once. */
    if (steps > 64 && aqm->count == 0) {
        double rested = (double)steps * PI_ALPHA_HZ * PI_TARGET_S + PI_BETA_HZ * (double)aqm->previous_delay_ns * 1e-9;
        aqm->probability = fmax(aqm->probability - rested, 0);
        aqm->previous_delay_ns = 0;
        aqm->updated_ns += steps * PI_UPDATE_NS;
    }
    while (now_ns - aqm->updated_ns >= PI_UPDATE_NS) {
        double classic_s = head_delay_s(aqm, &aqm->pair[0], now_ns), low_s = head_delay_s(aqm, &aqm->pair[1], now_ns);
        double delay_s = classic_s > low_s ? classic_s : low_s, previous_s = (double)aqm->previous_delay_ns * 1e-9;
        aqm->probability += PI_ALPHA_HZ * (delay_s - PI_TARGET_S) + PI_BETA_HZ * (delay_s - previous_s);
        aqm->probability = fmin(fmax(aqm->probability, 0), 1);
        aqm->previous_delay_ns = (uint64_t)(delay_s * 1e9);
        aqm->updated_ns += PI_UPDATE_NS;
    }
}

/** `recur` of RFC 9332: marks that share, spaced evenly. */
static bool recurs(struct aqm *aqm, double share)
{
    aqm->low_remainder += share;
    if (aqm->low_remainder <= 1)
        return false;
    aqm->low_remainder -= 1;
    return true;
}

/** The low-latency queue's own ramp; a single packet is never marked by it. */
static double ramp(const struct aqm *aqm, uint64_t sojourn_ns)
{
    if (aqm->pair[1].count == 0)
        return 0;
    return fmin(fmax(((double)sojourn_ns * 1e-9 - LOW_MIN_S) / LOW_RANGE_S, 0), 1);
}

/** @returns whether the packet leaves. */
static bool low_leaves(struct aqm *aqm, uint32_t slot, uint64_t now_ns, bool *mark)
{
    double classic_share = aqm->probability * aqm->probability, coupled_share = COUPLING * aqm->probability;
    if (classic_share >= MOST_CLASSIC && random_uniform(&aqm->random_state) < classic_share)
        return false;
    *mark = recurs(aqm, fmin(fmax(ramp(aqm, sojourn(aqm, slot, now_ns)), coupled_share), 1));
    return true;
}

static bool classic_leaves(struct aqm *aqm, uint32_t slot, bool *mark)
{
    double share = aqm->probability * aqm->probability;
    if (random_uniform(&aqm->random_state) >= share)
        return true;
    *mark = can_mark(aqm, slot) && share < MOST_CLASSIC;
    return *mark;
}

static uint32_t dual_dequeue(struct aqm *aqm, uint64_t now_ns, bool *mark, aqm_drop *drop, void *context)
{
    for (;;) {
        pi_update(aqm, now_ns);
        bool has_low = aqm->pair[1].count > 0, has_classic = aqm->pair[0].count > 0;
        if (!has_low && !has_classic)
            return AQM_NO_PACKET;
        bool low = has_low && (!has_classic || aqm->classic_credit <= 0);
        uint32_t slot = pop(aqm, &aqm->pair[low]);
        int64_t bytes = aqm->nodes[slot].bytes;
        if (has_low && has_classic)
            aqm->classic_credit += low ? bytes * CLASSIC_SHARE : -bytes * (100 - CLASSIC_SHARE);
        else
            aqm->classic_credit = 0;
        *mark = false;
        if (low ? low_leaves(aqm, slot, now_ns, mark) : classic_leaves(aqm, slot, mark))
            return slot;
        drop(context, slot);
    }
}

static void enqueue_dual(struct aqm *aqm, const struct aqm_arrival *arrival, uint64_t now_ns)
{
    if (aqm->count == 0)
        pi_update(aqm, now_ns);
    bool is_low = aqm->config.marks && (arrival->ecn == ECT1 || arrival->ecn == CE);
    push(aqm, &aqm->pair[is_low], arrival->slot);
}

static void enqueue_fair(struct aqm *aqm, const struct aqm_arrival *arrival)
{
    uint32_t index = arrival->flow % AQM_FLOWS;
    struct aqm_flow *flow = &aqm->flows[index];
    push(aqm, &flow->fifo, arrival->slot);
    if (flow->listed)
        return;
    flow->listed = true;
    flow->deficit = QUANTUM_BYTES;
    list_add(aqm, &aqm->new_head, &aqm->new_tail, index);
}

void aqm_enqueue(struct aqm *aqm, const struct aqm_arrival *arrival, uint64_t now_ns, aqm_drop *drop, void *context)
{
    const struct aqm_config *config = &aqm->config;
    bool full = config->limit_bytes > 0 && aqm->bytes + arrival->bytes > config->limit_bytes;
    if (full && config->kind != AQM_FQ_CODEL) {
        drop(context, arrival->slot);
        return;
    }
    aqm->nodes[arrival->slot] =
        (struct aqm_node){.arrived_ns = now_ns, .bytes = arrival->bytes, .ecn = (uint8_t)arrival->ecn};
    if (config->kind == AQM_DUALPI2) {
        enqueue_dual(aqm, arrival, now_ns);
        return;
    }
    if (config->kind != AQM_FQ_CODEL) {
        push(aqm, &aqm->flows[0].fifo, arrival->slot);
        return;
    }
    enqueue_fair(aqm, arrival);
    if (full)
        drop_from_longest(aqm, drop, context);
}

struct aqm_departure aqm_dequeue(struct aqm *aqm, uint64_t now_ns, aqm_drop *drop, void *context)
{
    struct aqm_departure departure = {.slot = AQM_NO_PACKET};
    switch (aqm->config.kind) {
    case AQM_FQ_CODEL:
        departure.slot = fq_dequeue(aqm, now_ns, &departure.mark, drop, context);
        break;
    case AQM_DUALPI2:
        departure.slot = dual_dequeue(aqm, now_ns, &departure.mark, drop, context);
        break;
    case AQM_CODEL:
        departure.slot = codel_dequeue(aqm, &aqm->flows[0], now_ns, &departure.mark, drop, context);
        break;
    case AQM_DROPTAIL:
        departure.slot = pop(aqm, &aqm->flows[0].fifo);
        break;
    }
    if (departure.slot != AQM_NO_PACKET)
        departure.sojourn_ns = sojourn(aqm, departure.slot, now_ns);
    return departure;
}
