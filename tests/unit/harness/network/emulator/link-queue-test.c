/* Unit tests of the queue that a link takes packets from. Prints one line a test, `ok NAME` or `failed NAME`. */
#include "link-queue.h"

#include <stdio.h>
#include <string.h>

#define SECOND 1000000000ull
#define MS 1000000ull
#define SLOTS 1024u

static int failures;

static void say(bool holds, const char *name)
{
    failures += !holds;
    printf("%s %s\n", holds ? "ok" : "failed", name);
}

static uint32_t dropped;

static void note_drop(void *context, uint32_t slot)
{
    (void)context;
    (void)slot;
    dropped++;
}

static bool counts_every_time_once(void)
{
    for (uint64_t us = 0; us < 40000000; us = us < 200 ? us + 1 : us + us / 50) {
        struct queue_counters counters = {0};
        char text[QUEUE_COUNTERS_TEXT_BYTES];
        unsigned long from, to, count;
        queue_count_sojourn(&counters, us * 1000);
        text[queue_counters_write(&counters, text, sizeof text)] = 0;
        const char *steps = strstr(text, "\"sojourns\":[[");
        if (!steps || sscanf(steps, "\"sojourns\":[[%lu,%lu,%lu]]}", &from, &to, &count) != 3 || count != 1)
            return false;
        /* The last step takes what is longer still. */
        bool is_last = counters.sojourns[SOJOURN_STEPS - 1] == 1;
        if (us < from || (us >= to && !is_last) || (from > 0 && (double)to / (double)from > 1.126))
            return false;
    }
    return true;
}

static struct path_model make_model(const struct path_config *config)
{
    static struct waiting_packet waiting[SLOTS];
    struct path_model model;
    path_model_init(&model, config, waiting, SLOTS, SECOND);
    return model;
}

/** The same packets through the model's own queue and through a managed one that drops none: they arrive at the same times. */
static bool leaves_as_from_drop_tail(void)
{
    struct path_config config = {.bits_per_second = 12e6, .queue_bytes = 1 << 20, .delay_ns = 20 * MS, .jitter_ns = MS};
    struct path_model own = make_model(&config), other = own;
    struct link_queue queue = {0};
    struct aqm_config managed = {.kind = AQM_FQ_CODEL};
    static unsigned char bytes[64] = {0x45, 2};
    static uint64_t expected_ns[SLOTS];
    if (!link_queue_init(&queue, &managed, SLOTS))
        return false;
    uint32_t served = 0, count = 300;
    struct link_taken taken;
    uint64_t at_ns = SECOND;
    for (uint32_t slot = 0; slot < count; slot++) {
        at_ns += slot % 50 < 5 ? 0 : MS + MS / 5;
        expected_ns[slot] = path_model_arrive(&own, at_ns, 1500).release_ns;
        while (link_queue_take(&queue, &other, at_ns, &taken, note_drop, NULL))
            if (taken.packet.release_ns != expected_ns[served++])
                return false;
        struct held_packet packet = {.slot = slot, .bytes = 1500, .headers = {.protocol = PROTOCOL_UDP}};
        link_queue_add(&queue, &packet, bytes, at_ns, note_drop, NULL);
        if (link_queue_next_ns(&queue, &other) > expected_ns[served])
            return false;
    }
    while (link_queue_take(&queue, &other, at_ns + SECOND, &taken, note_drop, NULL))
        if (taken.packet.release_ns != expected_ns[served++])
            return false;
    return served == count && dropped == 0 && link_queue_next_ns(&queue, &other) == UINT64_MAX;
}

/** Ten packets of 1 ms each, and an outage from 5 ms on: it takes those that would leave in it, and nobody gives them up twice. */
static bool loses_what_would_leave_in_an_outage(void)
{
    static const struct schedule_step steps[] = {
        {.bits_per_second = -1, .delay_ns = -1, .jitter_ns = -1, .loss = -1},
        {.start_ns = 5 * MS, .bits_per_second = -1, .delay_ns = -1, .jitter_ns = -1, .loss = -1, .outage = true}};
    struct path_config config = {
        .bits_per_second = 12e6, .delay_ns = 20 * MS, .once = {.steps = steps, .count = 2}};
    struct path_model model = make_model(&config);
    struct link_queue queue = {0};
    struct aqm_config managed = {.kind = AQM_CODEL};
    static const unsigned char bytes[64] = {0x45};
    uint32_t delivered = 0, lost = 0;
    struct link_taken taken;
    if (!link_queue_init(&queue, &managed, SLOTS))
        return false;
    path_model_follow_schedule(&model, SECOND, 0);
    for (uint32_t slot = 0; slot < 10; slot++) {
        struct held_packet packet = {.slot = slot, .bytes = 1500};
        link_queue_add(&queue, &packet, bytes, SECOND, note_drop, NULL);
    }
    while (link_queue_take(&queue, &model, SECOND + 100 * MS, &taken, note_drop, NULL)) {
        delivered += taken.fate == PATH_DELIVERED;
        lost += taken.fate == PATH_LOST && taken.packet.release_ns >= SECOND + 5 * MS;
    }
    return delivered == 4 && lost == 6 && dropped == 0;
}

static bool counts_ecn_by_transport(void)
{
    struct queue_counters counters = {0};
    const unsigned char ect0[64] = {0x45, 2}, ce[64] = {0x45, 3};
    struct ip_packet tcp = {.at = ect0, .bytes = 1500, .headers = {.protocol = PROTOCOL_TCP}};
    struct ip_packet udp = {.at = ce, .bytes = 500, .headers = {.protocol = PROTOCOL_UDP}};
    queue_count_arrival(&counters, &tcp);
    queue_count_arrival(&counters, &udp);
    return counters.tcp_ecn[ECT0] == 1 && counters.udp_ecn[CE] == 1 && counters.packets == 2 && counters.bytes == 2000;
}

int main(void)
{
    say(counts_every_time_once(), "every time in the queue is counted once, in a step of an eighth");
    say(leaves_as_from_drop_tail(), "what a managed queue does not drop arrives when drop-tail's would");
    say(loses_what_would_leave_in_an_outage(), "an outage loses what would leave a managed queue in it");
    say(counts_ecn_by_transport(), "the ECN field is counted by transport");
    return failures > 0;
}
