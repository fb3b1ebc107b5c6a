/*
 * Senders that share a link behind a managed queue, by a clock of the simulation: Reno (halves its window when a packet is lost
 * or marked), a scalable sender (takes half a packet off for each mark, RFC 9330) and one that sends at a steady pace.
 */
#include "aqm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SECOND 1000000000ull
#define MS 1000000ull
#define PACKET_BYTES 1500u
#define MOST_PACKETS 65536u
#define MOST_SENDERS 16
#define MOST_SAMPLES 400000u

enum sender_kind { RENO, SCALABLE, STEADY };

struct sender {
    enum sender_kind kind;
    enum ecn ecn;
    /** Of a steady one. */
    uint64_t gap_ns;
    double window, threshold;
    uint32_t in_flight;
    /** Packets sent so far, and how many had been when the window was halved last: news of those halves it no more. */
    uint64_t sent, halved_at;
    uint64_t next_ns, delivered;
    double *samples;
    uint32_t sampled;
};

/** An answer that comes back, or the news that a packet is lost. */
struct news {
    uint64_t at_ns, number;
    uint32_t sender;
    bool lost, marked;
};

struct simulation {
    struct aqm aqm;
    double bits_per_second;
    uint64_t round_trip_ns, now_ns, link_free_ns, measured_from_ns, drops, marks;
    struct sender senders[MOST_SENDERS];
    uint32_t sender_count;
    struct news news[MOST_PACKETS];
    uint32_t news_head, news_tail;
    uint64_t number[MOST_PACKETS];
    uint32_t owner[MOST_PACKETS], free[MOST_PACKETS], free_count;
};

static void simulation_tell(struct simulation *s, uint32_t slot, bool lost, bool marked)
{
    s->news[s->news_tail++ % MOST_PACKETS] = (struct news){.at_ns = s->now_ns + s->round_trip_ns,
                                                          .number = s->number[slot],
                                                          .sender = s->owner[slot],
                                                          .lost = lost,
                                                          .marked = marked};
}

static void simulation_drop(void *context, uint32_t slot)
{
    struct simulation *s = context;
    s->drops++;
    s->free[s->free_count++] = slot;
    simulation_tell(s, slot, true, false);
}

static void simulation_send(struct simulation *s, uint32_t sender)
{
    if (s->free_count == 0)
        return;
    uint32_t slot = s->free[--s->free_count];
    s->owner[slot] = sender;
    s->number[slot] = s->senders[sender].sent++;
    s->senders[sender].in_flight++;
    struct aqm_arrival arrival = {
        .slot = slot, .bytes = PACKET_BYTES, .ecn = s->senders[sender].ecn, .flow = sender * 7919u + 1};
    aqm_enqueue(&s->aqm, &arrival, s->now_ns, simulation_drop, s);
}

static void simulation_fill(struct simulation *s, uint32_t sender)
{
    struct sender *one = &s->senders[sender];
    while (one->kind != STEADY && one->in_flight < (uint32_t)one->window)
        simulation_send(s, sender);
}

static void simulation_hear(struct simulation *s, struct news news)
{
    struct sender *one = &s->senders[news.sender];
    one->in_flight--;
    if (one->kind == SCALABLE && news.marked) {
        one->threshold = one->window;
        one->window = fmax(one->window - 0.5, 2);
    } else if (news.lost || news.marked) {
        if (news.number >= one->halved_at) {
            one->threshold = one->window = fmax(one->window / 2, 2);
            one->halved_at = one->sent;
        }
    } else {
        one->window += one->window < one->threshold ? 1 : 1 / one->window;
    }
    simulation_fill(s, news.sender);
}

/** The link takes the next packet. */
static void simulation_serve(struct simulation *s)
{
    struct aqm_departure departure = aqm_dequeue(&s->aqm, s->now_ns, simulation_drop, s);
    if (departure.slot == AQM_NO_PACKET)
        return;
    s->link_free_ns = s->now_ns + (uint64_t)(PACKET_BYTES * 8 / s->bits_per_second * 1e9);
    uint32_t sender = s->owner[departure.slot];
    struct sender *one = &s->senders[sender];
    s->free[s->free_count++] = departure.slot;
    s->marks += departure.mark;
    simulation_tell(s, departure.slot, false, departure.mark);
    if (s->now_ns < s->measured_from_ns)
        return;
    one->delivered += PACKET_BYTES;
    if (one->sampled < MOST_SAMPLES)
        one->samples[one->sampled++] = (double)departure.sojourn_ns / MS;
}

static struct simulation *simulation_new(struct aqm_config config, double mbps, uint64_t round_trip_ms)
{
    struct simulation *s = calloc(1, sizeof *s);
    s->bits_per_second = mbps * 1e6;
    s->round_trip_ns = round_trip_ms * MS;
    s->now_ns = s->link_free_ns = SECOND;
    for (uint32_t slot = 0; slot < MOST_PACKETS; slot++)
        s->free[s->free_count++] = slot;
    aqm_init(&s->aqm, &config, MOST_PACKETS);
    return s;
}

static struct sender *simulation_add(struct simulation *s, struct sender sender)
{
    struct sender *one = &s->senders[s->sender_count++];
    *one = sender;
    one->window = 10;
    one->threshold = 1e9;
    one->samples = calloc(MOST_SAMPLES, sizeof *one->samples);
    return one;
}

/** Runs for `seconds`; samples and bytes are those after the first `settle_s`. */
static void simulation_run(struct simulation *s, uint64_t seconds, uint64_t settle_s)
{
    uint64_t end_ns = s->now_ns + seconds * SECOND;
    s->measured_from_ns = s->now_ns + settle_s * SECOND;
    for (uint32_t i = 0; i < s->sender_count; i++) {
        s->senders[i].next_ns = s->now_ns;
        simulation_fill(s, i);
    }
    while (s->now_ns < end_ns) {
        uint64_t next_ns = end_ns;
        if (s->news_head != s->news_tail && s->news[s->news_head % MOST_PACKETS].at_ns < next_ns)
            next_ns = s->news[s->news_head % MOST_PACKETS].at_ns;
        if (s->aqm.count > 0 && s->link_free_ns < next_ns)
            next_ns = s->link_free_ns;
        for (uint32_t i = 0; i < s->sender_count; i++)
            if (s->senders[i].kind == STEADY && s->senders[i].next_ns < next_ns)
                next_ns = s->senders[i].next_ns;
        if (next_ns > s->now_ns)
            s->now_ns = next_ns;
        if (s->aqm.count > 0 && s->link_free_ns <= s->now_ns)
            simulation_serve(s);
        while (s->news_head != s->news_tail && s->news[s->news_head % MOST_PACKETS].at_ns <= s->now_ns)
            simulation_hear(s, s->news[s->news_head++ % MOST_PACKETS]);
        for (uint32_t i = 0; i < s->sender_count; i++)
            if (s->senders[i].kind == STEADY && s->senders[i].next_ns <= s->now_ns) {
                simulation_send(s, i);
                s->senders[i].next_ns += s->senders[i].gap_ns;
            }
    }
}

static int simulation_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/** Of the time that a sender's packets spent in the queue, ms. */
static double sojourn_quantile(struct sender *sender, double share)
{
    if (sender->sampled == 0)
        return 0;
    qsort(sender->samples, sender->sampled, sizeof *sender->samples, simulation_by_value);
    return sender->samples[(uint32_t)((sender->sampled - 1) * share)];
}

static void simulation_free(struct simulation *s)
{
    for (uint32_t i = 0; i < s->sender_count; i++)
        free(s->senders[i].samples);
    free(s->aqm.nodes);
    free(s->aqm.flows);
    free(s);
}
