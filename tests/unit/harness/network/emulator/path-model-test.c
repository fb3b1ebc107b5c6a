/* Unit tests of the path model with a clock of their own. Prints one line a test, `ok NAME` or `failed NAME: why`. */
#include "check.h"
#include "path-model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SECOND 1000000000u
#define MS 1000000u
#define ROOM 65536

static struct path_model make(struct path_config config)
{
    static struct waiting_packet waiting[ROOM];
    struct path_model model;
    path_model_init(&model, &config, waiting, ROOM, SECOND);
    return model;
}

static void delay_alone_shifts_every_packet(void)
{
    struct path_model model = make((struct path_config){.delay_ns = 25 * MS});
    for (uint64_t t = SECOND; t < SECOND + 10 * MS; t += MS) {
        struct path_result result = path_model_arrive(&model, t, 1500);
        expect(result.fate == PATH_DELIVERED && result.release_ns == t + 25 * MS, "released at %lu", result.release_ns);
    }
}

static void a_rate_spaces_packets_by_their_size(void)
{
    /* 1500 bytes at 12 Mbit/s take 1 ms. */
    struct path_model model = make((struct path_config){.bits_per_second = 12e6, .queue_bytes = 1 << 20});
    for (uint64_t i = 1; i <= 100; i++) {
        struct path_result result = path_model_arrive(&model, SECOND, 1500);
        expect(result.release_ns == SECOND + i * MS, "packet %lu at %lu", i, result.release_ns);
    }
    expect(path_model_arrive(&model, SECOND + 500 * MS, 750).release_ns == SECOND + 500 * MS + MS / 2,
           "an idle link does not save up time");
}

static void the_queue_drops_at_its_tail_by_bytes(void)
{
    struct path_model model = make((struct path_config){.bits_per_second = 12e6, .queue_bytes = 4500});
    for (int i = 0; i < 3; i++)
        expect(path_model_arrive(&model, SECOND, 1500).fate == PATH_DELIVERED, "packet %d was not taken", i);
    expect(path_model_arrive(&model, SECOND, 40).fate == PATH_QUEUE_FULL, "a full queue took 40 bytes");
    expect(path_model_backlog(&model, SECOND) == 4500, "backlog %lu", path_model_backlog(&model, SECOND));
    expect(path_model_arrive(&model, SECOND + MS, 1500).fate == PATH_DELIVERED, "no room after one had left");
    expect(path_model_arrive(&model, SECOND + MS, 1500).fate == PATH_QUEUE_FULL, "room for two after one had left");
    expect(path_model_backlog(&model, SECOND + 10 * MS) == 0, "the queue does not empty");
}

static void a_queue_may_count_packets_of_any_size(void)
{
    struct path_model model = make((struct path_config){.bits_per_second = 12e6, .queue_packets = 3});
    const uint32_t sizes[] = {1500, 40, 1500};
    for (int i = 0; i < 3; i++)
        expect(path_model_arrive(&model, SECOND, sizes[i]).fate == PATH_DELIVERED, "packet %d was not taken", i);
    expect(path_model_arrive(&model, SECOND, 40).fate == PATH_QUEUE_FULL, "a fourth packet was taken");
    expect(path_model_arrive(&model, SECOND + MS, 1500).fate == PATH_DELIVERED, "no room after one had left");
    expect(path_model_arrive(&model, SECOND + MS, 40).fate == PATH_QUEUE_FULL, "room for two after one had left");
}

static void directions_of_a_half_duplex_link_take_turns(void)
{
    static struct waiting_packet waiting[2][ROOM];
    struct path_config config = {.bits_per_second = 12e6, .queue_bytes = 6000, .delay_ns = 5 * MS};
    struct path_model up, down;
    path_model_init(&up, &config, waiting[0], ROOM, SECOND);
    path_model_init(&down, &config, waiting[1], ROOM, SECOND);
    down.shared = &up;
    for (uint64_t i = 1; i <= 4; i++) {
        struct path_result result = path_model_arrive(i % 2 ? &up : &down, SECOND, 1500);
        expect(result.release_ns == SECOND + (i + 5) * MS, "packet %lu at %lu", i, result.release_ns);
        expect(result.sojourn_ns == (i - 1) * MS, "packet %lu waited %lu", i, result.sojourn_ns);
    }
    expect(path_model_backlog(&up, SECOND) == 6000 && path_model_backlog(&down, SECOND) == 6000, "two queues");
    expect(path_model_arrive(&up, SECOND, 40).fate == PATH_QUEUE_FULL, "the way up has room of its own");
    expect(path_model_arrive(&down, SECOND, 40).fate == PATH_QUEUE_FULL, "the way down has room of its own");
    path_model_start(&down, 2 * SECOND, 1, 0);
    path_model_start(&up, 2 * SECOND, 1, 0);
    expect(path_model_arrive(&down, 2 * SECOND, 1500).release_ns == 2 * SECOND + 6 * MS, "an idle link is taken at once");
    expect(path_model_arrive(&up, 2 * SECOND, 1500).release_ns == 2 * SECOND + 7 * MS, "and is taken for both");
    struct schedule_step outage = schedule_no_step();
    outage.outage = true;
    path_model_set(&down, &outage);
    expect(path_model_arrive(&down, 3 * SECOND, 1500).fate == PATH_LOST, "its outage is its own");
    expect(path_model_arrive(&up, 3 * SECOND, 1500).release_ns == 3 * SECOND + 6 * MS, "what is lost takes no turn");
}

static void the_delay_does_not_fill_the_queue(void)
{
    struct path_model model =
        make((struct path_config){.bits_per_second = 12e6, .queue_bytes = 3000, .delay_ns = SECOND});
    for (uint64_t i = 0; i < 200; i++)
        expect(path_model_arrive(&model, SECOND + i * MS, 1500).fate == PATH_DELIVERED, "packet %lu dropped", i);
}

static double lost_share(struct path_config config, int count, int *longest_burst)
{
    struct path_model model = make(config);
    path_model_start(&model, SECOND, 2, 0);
    int lost = 0, burst = 0;
    *longest_burst = 0;
    for (int i = 0; i < count; i++) {
        bool gone = path_model_arrive(&model, SECOND + (uint64_t)i * MS, 100).fate == PATH_LOST;
        lost += gone;
        burst = gone ? burst + 1 : 0;
        if (burst > *longest_burst)
            *longest_burst = burst;
    }
    return (double)lost / count;
}

static void random_loss_is_within_three_deviations(void)
{
    const double shares[] = {0.01, 0.04, 0.12};
    for (int i = 0; i < 3; i++) {
        int burst, count = 1000000;
        double share = lost_share((struct path_config){.loss_good = shares[i]}, count, &burst);
        double deviation = sqrt(shares[i] * (1 - shares[i]) / count);
        expect(fabs(share - shares[i]) < 3 * deviation, "%.5f lost of %.2f", share, shares[i]);
    }
    int burst;
    expect(lost_share((struct path_config){.loss_good = 1}, 100, &burst) == 1, "a loss of 1 lets packets through");
    expect(lost_share((struct path_config){.delay_ns = MS}, 1000, &burst) == 0, "a loss of 0 loses packets");
}

static void gilbert_elliott_loses_in_bursts(void)
{
    struct path_config config = {.good_to_bad = 0.01, .bad_to_good = 0.25, .loss_bad = 1};
    int burst;
    double share = lost_share(config, 1000000, &burst), expected = 0.01 / 0.26;
    expect(fabs(share - expected) < 0.002, "%.4f lost of %.4f", share, expected);
    expect(burst >= 15, "longest burst %d", burst);
}

static void a_seed_decides_what_is_lost(void)
{
    struct path_config config = {.loss_good = 0.5};
    struct path_model a = make(config), b = make(config), c = make(config);
    path_model_start(&a, SECOND, 7, 0);
    path_model_start(&b, SECOND, 7, 0);
    path_model_start(&c, SECOND, 8, 0);
    int differ = 0;
    for (int i = 0; i < 1000; i++) {
        enum path_fate fate = path_model_arrive(&a, 2 * SECOND, 100).fate;
        expect(fate == path_model_arrive(&b, 2 * SECOND, 100).fate, "packet %d differs with the same seed", i);
        differ += fate != path_model_arrive(&c, 2 * SECOND, 100).fate;
    }
    expect(differ > 300, "only %d of 1000 differ with another seed", differ);
}

static const struct rate_step steps[] = {{0, 12e6}, {SECOND, 0}, {2u * SECOND, 24e6}};
static const struct path_config stepped = {
    .steps = steps, .step_count = 3, .trace_length_ns = 3ull * SECOND, .queue_bytes = 1 << 30};

static void a_trace_changes_the_rate_and_begins_again(void)
{
    struct path_model model = make(stepped);
    /* Each lap carries 12 + 0 + 24 Mbit: 1000 and 2000 packets of 1500 bytes. */
    uint64_t last = 0;
    for (int i = 0; i < 9000; i++) {
        uint64_t now = SECOND + (uint64_t)i * MS;
        last = path_model_arrive(&model, now, 1500).release_ns;
    }
    expect(llabs((long long)last - (long long)(10ull * SECOND)) < (long long)(10 * MS), "9000 packets took until %lu", last);
}

static void a_rate_of_zero_holds_packets_until_it_ends(void)
{
    struct path_model model = make(stepped);
    path_model_start(&model, 5ull * SECOND, 1, SECOND);
    uint64_t release = path_model_arrive(&model, 5ull * SECOND + 100 * MS, 1500).release_ns;
    expect(release == 6ull * SECOND + MS / 2, "released at %lu", release);
}

static void a_start_begins_the_trace_at_its_offset(void)
{
    struct path_model model = make(stepped);
    path_model_start(&model, 5ull * SECOND, 1, 2ull * SECOND);
    uint64_t release = path_model_arrive(&model, 5ull * SECOND, 1500).release_ns;
    expect(release == 5ull * SECOND + MS / 2, "released at %lu", release);
    path_model_start(&model, 7ull * SECOND, 1, 300ull * SECOND);
    release = path_model_arrive(&model, 7ull * SECOND, 1500).release_ns;
    expect(release == 7ull * SECOND + MS, "an offset beyond the end: released at %lu", release);
}

static const uint64_t opportunities[] = {10 * MS, 10 * MS, 20 * MS, 100 * MS};
static const struct path_config mahimahi = {.opportunities_ns = opportunities,
                                            .opportunity_count = 4,
                                            .trace_length_ns = 100 * MS,
                                            .queue_bytes = 1 << 30};

static void opportunities_carry_1500_bytes_each(void)
{
    struct path_model model = make(mahimahi);
    const uint64_t expected[] = {10, 10, 20, 100, 110, 110, 120, 200};
    for (int i = 0; i < 8; i++) {
        uint64_t release = path_model_arrive(&model, SECOND, 1500).release_ns;
        expect(release == SECOND + expected[i] * MS, "packet %d at %lu", i, release - SECOND);
    }
}

static void small_packets_share_an_opportunity_and_unused_ones_pass(void)
{
    struct path_model model = make(mahimahi);
    for (int i = 0; i < 3; i++)
        expect(path_model_arrive(&model, SECOND, 500).release_ns == SECOND + 10 * MS, "packet %d", i);
    /* The second one at 10 ms passes unused: nobody waits. */
    uint64_t release = path_model_arrive(&model, SECOND + 15 * MS, 1500).release_ns;
    expect(release == SECOND + 20 * MS, "released at %lu", release - SECOND);
}

static void jitter_varies_the_delay_and_keeps_the_order(void)
{
    struct path_model model = make((struct path_config){.delay_ns = 20 * MS, .jitter_ns = 10 * MS});
    uint64_t before = 0, least = UINT64_MAX, most = 0;
    double sum = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t now = SECOND + i * 50 * MS, release = path_model_arrive(&model, now, 100).release_ns;
        expect(release >= before, "packet %lu overtook", i);
        before = release;
        uint64_t delay = release - now;
        least = delay < least ? delay : least;
        most = delay > most ? delay : most;
        sum += (double)delay / 10000;
    }
    expect(least < 11 * MS && most > 29 * MS && most <= 30 * MS, "from %lu to %lu", least, most);
    expect(fabs(sum - 20.0 * MS) < 0.2 * MS, "mean %.0f", sum);
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t release = path_model_arrive(&model, 1000ull * SECOND + i * MS, 100).release_ns;
        expect(release >= before, "close packets: %lu overtook", i);
        before = release;
    }
}

static void reordered_packets_skip_the_delay(void)
{
    struct path_model model = make((struct path_config){.delay_ns = 20 * MS, .reorder = 0.1});
    int overtaking = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t now = SECOND + i * MS;
        struct path_result result = path_model_arrive(&model, now, 100);
        if (result.fate == PATH_OVERTAKES) {
            overtaking++;
            expect(result.release_ns == now, "skipped to %lu", result.release_ns - now);
        } else {
            expect(result.release_ns == now + 20 * MS, "delayed to %lu", result.release_ns - now);
        }
    }
    expect(overtaking > 900 && overtaking < 1100, "%d of 10000 overtook", overtaking);
}

static void a_lost_packet_takes_no_time_of_the_link(void)
{
    struct path_model model =
        make((struct path_config){.bits_per_second = 12e6, .queue_bytes = 1 << 30, .loss_good = 0.5});
    uint64_t delivered = 0, last = 0;
    for (int i = 0; i < 1000; i++) {
        struct path_result result = path_model_arrive(&model, SECOND, 1500);
        if (result.fate == PATH_DELIVERED) {
            delivered++;
            last = result.release_ns;
        }
    }
    expect(last == SECOND + delivered * MS, "%lu packets took until %lu", delivered, last - SECOND);
}

/* Figures that are not set. */
#define OWN .bits_per_second = -1, .delay_ns = -1, .jitter_ns = -1, .loss = -1
#define SCHEDULE(list) {.steps = list, .count = sizeof list / sizeof list[0]}

static const struct schedule_step outage[] = {{.start_ns = 0, OWN},
                                              {.start_ns = 100 * MS, OWN, .outage = true},
                                              {.start_ns = 200 * MS, OWN}};

static void an_outage_loses_what_comes_in_it_and_what_would_leave_in_it(void)
{
    struct path_model model = make((struct path_config){
        .bits_per_second = 12e6, .queue_bytes = 1 << 20, .delay_ns = 20 * MS, .once = SCHEDULE(outage)});
    path_model_follow_schedule(&model, 2ull * SECOND, 0);
    uint64_t start = 2ull * SECOND;
    /* At 90 ms twenty packets come of 1 ms each: the link takes ten of them before the outage. */
    for (int i = 0; i < 20; i++) {
        struct path_result result = path_model_arrive(&model, start + 90 * MS, 1500);
        bool leaves = i < 9;
        expect(result.fate == (leaves ? PATH_DELIVERED : PATH_LOST), "packet %d: fate %d", i, (int)result.fate);
        expect(result.release_ns == start + (uint64_t)(91 + i + (leaves ? 20 : 0)) * MS, "packet %d at %lu", i,
               result.release_ns - start);
    }
    expect(path_model_arrive(&model, start + 199 * MS, 1500).fate == PATH_LOST, "199 ms passes");
    expect(path_model_arrive(&model, start + 200 * MS, 1500).fate == PATH_DELIVERED, "200 ms does not pass");
}

static const struct schedule_step slower[] = {{.start_ns = 0, OWN},
                                              {.start_ns = 10 * MS, .bits_per_second = 6e6, .delay_ns = -1, .jitter_ns = -1, .loss = -1},
                                              {.start_ns = 20 * MS, .bits_per_second = 0, .delay_ns = -1, .jitter_ns = -1, .loss = -1},
                                              {.start_ns = 40 * MS, OWN}};

static void a_schedule_changes_the_rate_and_gives_it_back(void)
{
    struct path_model model =
        make((struct path_config){.bits_per_second = 12e6, .queue_bytes = 1 << 20, .once = SCHEDULE(slower)});
    path_model_follow_schedule(&model, SECOND, 0);
    /* 10 at 1 ms, 5 at 2 ms, none for 20 ms, then 1 ms again. */
    uint64_t last = 0;
    for (int i = 0; i < 15; i++)
        last = path_model_arrive(&model, SECOND, 1500).release_ns;
    expect(last == SECOND + 20 * MS, "the fifteenth at %lu", last - SECOND);
    last = path_model_arrive(&model, SECOND, 1500).release_ns;
    expect(last == SECOND + 41 * MS, "the sixteenth at %lu", last - SECOND);
    last = path_model_arrive(&model, SECOND, 1500).release_ns;
    expect(last == SECOND + 42 * MS, "the seventeenth at %lu", last - SECOND);
}

static void a_schedule_may_stop_a_trace(void)
{
    struct path_config config = stepped;
    config.once = (struct schedule)SCHEDULE(slower);
    struct path_model model = make(config);
    path_model_start(&model, SECOND, 1, 0);
    path_model_follow_schedule(&model, SECOND, 0);
    uint64_t last = 0;
    for (int i = 0; i < 16; i++)
        last = path_model_arrive(&model, SECOND, 1500).release_ns;
    expect(last == SECOND + 41 * MS, "the sixteenth at %lu", last - SECOND);
}

static const struct schedule_step delays[] = {
    {.start_ns = 0, .bits_per_second = -1, .delay_ns = 40 * MS, .jitter_ns = 0, .loss = -1},
    {.start_ns = 50 * MS, .bits_per_second = -1, .delay_ns = 10 * MS, .jitter_ns = -1, .loss = -1}};

static void a_delay_that_falls_keeps_the_order(void)
{
    struct path_model model = make((struct path_config){.delay_ns = 20 * MS, .once = SCHEDULE(delays)});
    expect(path_model_least_delay_ns(&model) == 0, "a delay that varies has a least one");
    path_model_follow_schedule(&model, SECOND, 0);
    uint64_t before = 0;
    for (uint64_t t = 0; t < 200; t++) {
        struct path_result result = path_model_arrive(&model, SECOND + t * MS, 100);
        uint64_t expected = SECOND + (t < 50 ? t + 40 : t + 10 < 89 ? 89 : t + 10) * MS;
        expect(result.release_ns == expected, "at %lu ms: %lu", t, result.release_ns - SECOND);
        expect(result.release_ns >= before, "at %lu ms one overtook", t);
        before = result.release_ns;
    }
}

static const struct schedule_step bursts[] = {{.start_ns = 0, OWN},
                                              {.start_ns = 100 * MS, .bits_per_second = -1, .delay_ns = -1, .jitter_ns = -1, .loss = 0.3},
                                              {.start_ns = 200 * MS, OWN}};

static int lost_within(struct path_model *model, uint64_t from_ms, uint64_t to_ms)
{
    int lost = 0;
    for (uint64_t us = from_ms * 1000; us < to_ms * 1000; us += 10)
        lost += path_model_arrive(model, SECOND + us * 1000, 100).fate == PATH_LOST;
    return lost;
}

static void what_repeats_begins_at_its_offset_and_again(void)
{
    struct path_config config = {.repeating = SCHEDULE(bursts)};
    config.repeating.length_ns = 300 * MS;
    struct path_model model = make(config);
    path_model_follow_schedule(&model, SECOND, 50 * MS);
    expect(lost_within(&model, 0, 50) == 0, "a loss before its time");
    int first = lost_within(&model, 50, 150), between = lost_within(&model, 150, 350), second = lost_within(&model, 350, 450);
    /* Of 10 000 packets 3000 ± 46. */
    expect(abs(first - 3000) < 230 && abs(second - 3000) < 230, "%d and %d of 10000 lost", first, second);
    expect(between == 0, "%d lost between the bursts", between);
}

static void what_comes_once_has_precedence(void)
{
    static const struct schedule_step none[] = {{.start_ns = 0, .bits_per_second = -1, .delay_ns = -1, .jitter_ns = -1, .loss = 0},
                                                {.start_ns = 150 * MS, OWN}};
    struct path_config config = {.loss_good = 1, .repeating = SCHEDULE(bursts), .once = SCHEDULE(none)};
    config.repeating.length_ns = 300 * MS;
    struct path_model model = make(config);
    path_model_follow_schedule(&model, SECOND, 0);
    expect(lost_within(&model, 0, 150) == 0, "a loss where none was to be");
    int burst = lost_within(&model, 150, 200);
    expect(abs(burst - 1500) < 165, "%d of 5000 lost", burst);
    expect(lost_within(&model, 200, 201) == 100, "the direction's own loss is gone");
}

static const struct schedule_step counted[] = {{.start_ns = 0, OWN},
                                               {.start_ns = 100 * MS, OWN, .lost_packets = 3},
                                               {.start_ns = 200 * MS, OWN}};

static void as_many_packets_as_asked_are_lost_in_a_row(void)
{
    struct path_config config = {.repeating = SCHEDULE(counted)};
    config.repeating.length_ns = 300 * MS;
    struct path_model model = make(config);
    for (uint64_t start = 2ull * SECOND; start <= 3ull * SECOND; start += SECOND) {
        path_model_follow_schedule(&model, start, 0);
        for (uint64_t t = 0; t < 600; t++) {
            bool lost = t % 300 >= 100 && t % 300 < 103;
            expect((path_model_arrive(&model, start + t * MS, 100).fate == PATH_LOST) == lost, "at %lu ms", t);
        }
    }
}

static void a_packet_of_each_connection_is_lost_by_its_number(void)
{
    static const struct schedule_step second[] = {{.start_ns = 0, OWN, .lost_of_each = 2}, {.start_ns = SECOND, OWN}};
    struct path_model model = make((struct path_config){.once = SCHEDULE(second)});
    expect(!path_model_loses_of_each(&model, SECOND, 2), "lost before the schedule");
    path_model_follow_schedule(&model, SECOND, 0);
    expect(!path_model_loses_of_each(&model, SECOND, 1) && path_model_loses_of_each(&model, SECOND, 2) &&
               !path_model_loses_of_each(&model, SECOND, 3) && !path_model_loses_of_each(&model, SECOND, 0),
           "another than the second");
    expect(!path_model_loses_of_each(&model, 2 * SECOND, 2), "lost after its time");
    expect(path_model_arrive(&model, SECOND, 100).fate == PATH_DELIVERED, "lost by no number");
}

static void a_tail_is_lost_behind_so_many_bytes(void)
{
    static const struct schedule_step tail[] = {{.start_ns = 0, OWN, .lost_tail_after = 9000}, {.start_ns = SECOND, OWN}};
    struct path_model model = make((struct path_config){.once = SCHEDULE(tail)});
    path_model_follow_schedule(&model, SECOND, 0);
    expect(path_model_tail_bytes(&model, SECOND) == 9000 && path_model_tail_bytes(&model, 2 * SECOND) == 0, "its time");
}

static void schedules_hold_only_while_they_are_followed(void)
{
    struct path_model model = make((struct path_config){.once = SCHEDULE(outage)});
    expect(path_model_arrive(&model, SECOND + 150 * MS, 100).fate == PATH_DELIVERED, "an outage before its start");
    path_model_follow_schedule(&model, 2ull * SECOND, 0);
    expect(path_model_arrive(&model, 2ull * SECOND + 150 * MS, 100).fate == PATH_LOST, "no outage");
    path_model_start(&model, 3ull * SECOND, 1, 0);
    expect(path_model_arrive(&model, 3ull * SECOND + 150 * MS, 100).fate == PATH_DELIVERED, "an outage after its end");
}

static void what_came_just_before_the_start_counts_as_at_it(void)
{
    static const struct schedule_step first[] = {{.start_ns = 0, OWN, .outage = true}, {.start_ns = MS, OWN}};
    struct path_model model = make((struct path_config){.once = SCHEDULE(first)});
    path_model_follow_schedule(&model, 2ull * SECOND, 0);
    expect(path_model_arrive(&model, 2ull * SECOND - MS / 8, 100).fate == PATH_LOST, "it passed");
}

static void what_is_set_meanwhile_holds_until_it_is_unset(void)
{
    struct path_model model =
        make((struct path_config){.bits_per_second = 12e6, .queue_bytes = 1 << 20, .delay_ns = 10 * MS});
    expect(path_model_arrive(&model, SECOND, 1500).release_ns == SECOND + 11 * MS, "its own figures first");
    struct schedule_step slow = schedule_no_step();
    slow.bits_per_second = 1.2e6;
    slow.delay_ns = 50 * MS;
    path_model_set(&model, &slow);
    expect(path_model_least_delay_ns(&model) == 0, "a least delay that does not hold any more");
    expect(path_model_arrive(&model, 2 * SECOND, 1500).release_ns == 2 * SECOND + 60 * MS, "as it is set");
    struct schedule_step outage = schedule_no_step();
    outage.outage = true;
    path_model_set(&model, &outage);
    expect(path_model_arrive(&model, 3 * SECOND, 1500).fate == PATH_LOST, "something passed");
    path_model_start(&model, 4 * SECOND, 1, 0);
    expect(path_model_arrive(&model, 4 * SECOND, 1500).fate == PATH_LOST, "a start unset it");
    struct schedule_step none = schedule_no_step();
    path_model_set(&model, &none);
    expect(path_model_arrive(&model, 5ull * SECOND, 1500).release_ns == 5ull * SECOND + 11 * MS, "its own figures again");
}

int main(void)
{
#define RUN(test) run(#test, test)
    RUN(delay_alone_shifts_every_packet);
    RUN(a_rate_spaces_packets_by_their_size);
    RUN(the_queue_drops_at_its_tail_by_bytes);
    RUN(a_queue_may_count_packets_of_any_size);
    RUN(directions_of_a_half_duplex_link_take_turns);
    RUN(the_delay_does_not_fill_the_queue);
    RUN(random_loss_is_within_three_deviations);
    RUN(gilbert_elliott_loses_in_bursts);
    RUN(a_seed_decides_what_is_lost);
    RUN(a_trace_changes_the_rate_and_begins_again);
    RUN(a_rate_of_zero_holds_packets_until_it_ends);
    RUN(a_start_begins_the_trace_at_its_offset);
    RUN(opportunities_carry_1500_bytes_each);
    RUN(small_packets_share_an_opportunity_and_unused_ones_pass);
    RUN(jitter_varies_the_delay_and_keeps_the_order);
    RUN(reordered_packets_skip_the_delay);
    RUN(a_lost_packet_takes_no_time_of_the_link);
    RUN(an_outage_loses_what_comes_in_it_and_what_would_leave_in_it);
    RUN(a_schedule_changes_the_rate_and_gives_it_back);
    RUN(a_schedule_may_stop_a_trace);
    RUN(a_delay_that_falls_keeps_the_order);
    RUN(what_repeats_begins_at_its_offset_and_again);
    RUN(what_comes_once_has_precedence);
    RUN(schedules_hold_only_while_they_are_followed);
    RUN(as_many_packets_as_asked_are_lost_in_a_row);
    RUN(a_packet_of_each_connection_is_lost_by_its_number);
    RUN(a_tail_is_lost_behind_so_many_bytes);
    RUN(what_came_just_before_the_start_counts_as_at_it);
    RUN(what_is_set_meanwhile_holds_until_it_is_unset);
    return failures > 0;
}
