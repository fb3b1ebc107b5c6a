/* Unit tests of queue management with a clock of their own. Prints one line a test, `ok NAME` or `failed NAME: why`. */
#include "check.h"
#include "queue-simulation.h"

#include <string.h>

static uint64_t drop_times[256];
static uint32_t dropped;
static uint64_t drop_now_ns;

static void note_drop(void *context, uint32_t slot)
{
    (void)context;
    (void)slot;
    if (dropped < 256)
        drop_times[dropped++] = drop_now_ns;
}

/** A queue that always has packets older than the target, served each 0.1 ms: when does it drop, or mark? */
static void overload(struct aqm *aqm, enum ecn ecn, uint64_t ms)
{
    uint32_t slot = 0;
    dropped = 0;
    for (uint64_t t = SECOND; t < SECOND + ms * MS; t += MS / 10) {
        drop_now_ns = t;
        while (aqm->count < 200) {
            struct aqm_arrival arrival = {.slot = slot++ % 4096, .bytes = PACKET_BYTES, .ecn = ecn};
            aqm_enqueue(aqm, &arrival, t - 20 * MS, note_drop, NULL);
        }
        struct aqm_departure departure = aqm_dequeue(aqm, t, note_drop, NULL);
        if (departure.mark)
            note_drop(NULL, departure.slot);
    }
}

static struct aqm make(struct aqm_config config)
{
    struct aqm aqm;
    aqm_init(&aqm, &config, 4096);
    return aqm;
}

/** RFC 8289, section 5: the first an interval after the target was passed, then each interval ÷ √n later. */
static void expect_control_law(const char *what)
{
    expect(dropped >= 10, "%s: %u only", what, dropped);
    expect(fabs((double)(drop_times[0] - SECOND) / MS - 100) < 0.2, "%s: first after %lu ns", what,
           drop_times[0] - SECOND);
    double due_ms = (double)(drop_times[0] - SECOND) / MS;
    for (uint32_t n = 1; n < 10; n++) {
        due_ms += 100 / sqrt(n);
        double at_ms = (double)(drop_times[n] - SECOND) / MS;
        expect(fabs(at_ms - due_ms) < 0.2, "%s: number %u at %.1f ms instead of %.1f", what, n + 1, at_ms, due_ms);
    }
}

static void codel_drops_at_the_times_of_its_control_law(void)
{
    struct aqm aqm = make((struct aqm_config){.kind = AQM_CODEL});
    overload(&aqm, NOT_ECT, 1000);
    expect_control_law("drops");
}

static void codel_marks_at_the_same_times_what_has_ecn(void)
{
    struct aqm aqm = make((struct aqm_config){.kind = AQM_CODEL, .marks = true});
    overload(&aqm, ECT0, 1000);
    expect_control_law("marks");
}

static void codel_marks_nothing_unless_told_to(void)
{
    struct aqm aqm = make((struct aqm_config){.kind = AQM_CODEL});
    for (uint32_t slot = 0; slot < 400; slot++)
        aqm_enqueue(&aqm, &(struct aqm_arrival){.slot = slot, .bytes = PACKET_BYTES, .ecn = ECT0}, SECOND, note_drop, NULL);
    for (uint64_t t = SECOND; aqm.count > 0; t += MS)
        expect(!aqm_dequeue(&aqm, t, note_drop, NULL).mark, "marked at %lu", t);
}

static void codel_leaves_a_queue_below_its_target_alone(void)
{
    struct aqm aqm = make((struct aqm_config){.kind = AQM_CODEL});
    dropped = 0;
    uint64_t t = SECOND;
    for (uint32_t i = 0; i < 2000; i++, t += MS) {
        aqm_enqueue(&aqm, &(struct aqm_arrival){.slot = i % 64, .bytes = PACKET_BYTES}, t, note_drop, NULL);
        if (i >= 4)
            aqm_dequeue(&aqm, t, note_drop, NULL);
    }
    expect(dropped == 0, "%u dropped of a queue of 4 ms", dropped);
}

static void a_full_queue_drops_what_comes(void)
{
    struct aqm aqm = make((struct aqm_config){.kind = AQM_CODEL, .limit_bytes = 4500});
    dropped = 0;
    for (uint32_t slot = 0; slot < 4; slot++)
        aqm_enqueue(&aqm, &(struct aqm_arrival){.slot = slot, .bytes = PACKET_BYTES}, SECOND, note_drop, NULL);
    expect(dropped == 1 && aqm.bytes == 4500, "%u dropped, %lu bytes wait", dropped, aqm.bytes);
}

static void a_full_fair_queue_drops_from_the_longest_flow(void)
{
    struct aqm aqm = make((struct aqm_config){.kind = AQM_FQ_CODEL, .limit_bytes = 15000});
    dropped = 0;
    for (uint32_t slot = 0; slot < 10; slot++)
        aqm_enqueue(&aqm, &(struct aqm_arrival){.slot = slot, .bytes = PACKET_BYTES, .flow = 1}, SECOND, note_drop, NULL);
    aqm_enqueue(&aqm, &(struct aqm_arrival){.slot = 10, .bytes = PACKET_BYTES, .flow = 2}, SECOND, note_drop, NULL);
    bool second_left = false;
    while (aqm.count > 0)
        second_left |= aqm_dequeue(&aqm, SECOND, note_drop, NULL).slot == 10;
    expect(dropped == 5 && second_left, "%u dropped; the short flow's packet %s", dropped, second_left ? "left" : "did not leave");
}

static void two_flows_share_a_fair_queue_by_bytes(void)
{
    struct aqm aqm = make((struct aqm_config){.kind = AQM_FQ_CODEL});
    uint64_t bytes[2] = {0};
    for (uint32_t slot = 0; slot < 1200; slot++) {
        bool large = slot < 600;
        aqm_enqueue(&aqm, &(struct aqm_arrival){.slot = slot, .bytes = large ? 1500 : 500, .flow = large}, SECOND, note_drop, NULL);
    }
    for (int i = 0; i < 400; i++) {
        uint32_t slot = aqm_dequeue(&aqm, SECOND, note_drop, NULL).slot;
        bytes[slot < 600] += slot < 600 ? 1500 : 500;
    }
    double share = (double)bytes[0] / (double)(bytes[0] + bytes[1]);
    expect(fabs(share - 0.5) < 0.02, "the flow of small packets got %.3f", share);
}

static const struct sender reno = {.kind = RENO};
static const struct sender reno_ecn = {.kind = RENO, .ecn = ECT0};

/** Reno flows behind a queue: at 10 Mbit/s and 100 ms, for which CoDel's interval is made (RFC 8289, section 4.3). */
static struct simulation *loaded(struct aqm_config config, uint32_t flows, bool ecn)
{
    struct simulation *s = simulation_new(config, 10, 100);
    for (uint32_t i = 0; i < flows; i++)
        simulation_add(s, ecn ? reno_ecn : reno);
    simulation_run(s, 60, 20);
    return s;
}

static double used(const struct simulation *s, uint64_t seconds)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < s->sender_count; i++)
        bytes += s->senders[i].delivered;
    return (double)bytes * 8 / (s->bits_per_second * (double)seconds);
}

static void a_drop_tail_queue_stands_full(void)
{
    struct simulation *s = loaded((struct aqm_config){.kind = AQM_DROPTAIL, .limit_bytes = 400000}, 4, false);
    double median = sojourn_quantile(&s->senders[0], 0.5);
    expect(median > 150, "median %.1f ms of 320", median);
    simulation_free(s);
}

static void expect_held(struct simulation *s, const char *what)
{
    double least = sojourn_quantile(&s->senders[0], 0.1), median = sojourn_quantile(&s->senders[0], 0.5);
    /* The standing queue is the one that never goes: the target, and the packet that a slow link is at. */
    expect(least <= 5 + 1.2, "%s: a queue of %.1f ms stands", what, least);
    expect(median <= 30, "%s: median %.1f ms", what, median);
    expect(used(s, 40) > 0.75, "%s: %.2f of the link used", what, used(s, 40));
}

static void codel_holds_the_standing_queue_at_its_target(void)
{
    struct simulation *s = loaded((struct aqm_config){.kind = AQM_CODEL, .limit_bytes = 400000}, 4, false);
    expect_held(s, "dropping");
    expect(s->drops > 20 && s->marks == 0, "%lu drops, %lu marks", s->drops, s->marks);
    simulation_free(s);
}

static void codel_holds_it_by_marks_and_drops_nothing(void)
{
    struct simulation *s = loaded((struct aqm_config){.kind = AQM_CODEL, .marks = true, .limit_bytes = 1 << 20}, 4, true);
    expect_held(s, "marking");
    expect(s->marks > 20 && s->drops < s->marks / 10, "%lu drops, %lu marks", s->drops, s->marks);
    simulation_free(s);
}

static void fq_codel_holds_every_flow_at_its_target_and_shares_alike(void)
{
    struct simulation *s = loaded((struct aqm_config){.kind = AQM_FQ_CODEL, .limit_bytes = 400000}, 4, false);
    expect_held(s, "fair");
    for (uint32_t i = 0; i < 4; i++) {
        double share = (double)s->senders[i].delivered * 8 / (s->bits_per_second * 40) / used(s, 40);
        expect(fabs(share - 0.25) < 0.05, "flow %u got %.3f", i, share);
    }
    simulation_free(s);
}

static void fq_codel_lets_a_sparse_flow_pass(void)
{
    struct simulation *s = simulation_new((struct aqm_config){.kind = AQM_FQ_CODEL, .limit_bytes = 400000}, 10, 40);
    for (int i = 0; i < 4; i++)
        simulation_add(s, reno);
    struct sender *sparse = simulation_add(s, (struct sender){.kind = STEADY, .gap_ns = 20 * MS});
    simulation_run(s, 30, 10);
    double usual = sojourn_quantile(sparse, 0.95), most = sojourn_quantile(sparse, 1);
    /* Behind the packet that is sent and one more, of 1.2 ms each; seldom behind flows that have just run dry and count as new too (RFC 8290, section 4.2). */
    expect(usual <= 2.4, "a sparse flow waited %.2f ms in 95 %% of all times", usual);
    expect(most <= 6, "a sparse flow waited %.2f ms", most);
    simulation_free(s);
}

static void dualpi2_keeps_the_low_latency_queue_short(void)
{
    struct simulation *s = simulation_new((struct aqm_config){.kind = AQM_DUALPI2, .marks = true, .limit_bytes = 1 << 21}, 40, 20);
    struct sender *classic = simulation_add(s, reno_ecn);
    struct sender *scalable = simulation_add(s, (struct sender){.kind = SCALABLE, .ecn = ECT1});
    simulation_run(s, 60, 20);
    double low = sojourn_quantile(scalable, 0.95), median = sojourn_quantile(classic, 0.5);
    double ratio = (double)scalable->delivered / (double)classic->delivered;
    expect(low <= 2, "low latency: 95th percentile %.2f ms", low);
    expect(median < 30, "classic: median %.1f ms, target 15", median);
    expect(used(s, 40) > 0.9, "%.2f of the link used", used(s, 40));
    /* The coupling makes rates alike at like round trips; here the classic flow waits 15 ms longer for each. */
    expect(ratio > 0.5 && ratio < 4, "scalable got %.2f times the classic flow's", ratio);
    simulation_free(s);
}

static void dualpi2_holds_classic_flows_at_its_target(void)
{
    struct simulation *s = simulation_new((struct aqm_config){.kind = AQM_DUALPI2, .limit_bytes = 1 << 21}, 40, 20);
    for (int i = 0; i < 4; i++)
        simulation_add(s, reno);
    simulation_run(s, 60, 20);
    double median = sojourn_quantile(&s->senders[0], 0.5);
    expect(median > 5 && median < 25, "median %.1f ms, target 15", median);
    simulation_free(s);
}

#define RUN(test) run(#test, test)

int main(void)
{
    RUN(codel_drops_at_the_times_of_its_control_law);
    RUN(codel_marks_at_the_same_times_what_has_ecn);
    RUN(codel_marks_nothing_unless_told_to);
    RUN(codel_leaves_a_queue_below_its_target_alone);
    RUN(a_full_queue_drops_what_comes);
    RUN(a_full_fair_queue_drops_from_the_longest_flow);
    RUN(two_flows_share_a_fair_queue_by_bytes);
    RUN(a_drop_tail_queue_stands_full);
    RUN(codel_holds_the_standing_queue_at_its_target);
    RUN(codel_holds_it_by_marks_and_drops_nothing);
    RUN(fq_codel_holds_every_flow_at_its_target_and_shares_alike);
    RUN(fq_codel_lets_a_sparse_flow_pass);
    RUN(dualpi2_keeps_the_low_latency_queue_short);
    RUN(dualpi2_holds_classic_flows_at_its_target);
    return failures > 0;
}
