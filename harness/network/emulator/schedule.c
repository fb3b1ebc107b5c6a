#include "schedule.h"

struct in_force schedule_nothing(void)
{
    return (struct in_force){
        .bits_per_second = -1, .delay_ns = -1, .jitter_ns = -1, .loss = -1, .end_ns = UINT64_MAX};
}

struct schedule_step schedule_no_step(void)
{
    return (struct schedule_step){.bits_per_second = -1, .delay_ns = -1, .jitter_ns = -1, .loss = -1};
}

/** The last step that has begun by then. */
static size_t step_at(const struct schedule *schedule, uint64_t elapsed_ns)
{
    size_t from = 0, to = schedule->count;
    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;
        if (schedule->steps[middle].start_ns <= elapsed_ns)
            from = middle;
        else
            to = middle;
    }
    return from;
}

static void lay_figure(double given, double *figure)
{
    if (given >= 0)
        *figure = given;
}

void schedule_lay_step(const struct schedule_step *step, struct in_force *force)
{
    lay_figure(step->bits_per_second, &force->bits_per_second);
    lay_figure(step->delay_ns, &force->delay_ns);
    lay_figure(step->jitter_ns, &force->jitter_ns);
    lay_figure(step->loss, &force->loss);
    force->outage |= step->outage;
    if (step->lost_packets > 0)
        force->lost_packets = step->lost_packets;
    if (step->lost_of_each > 0)
        force->lost_of_each = step->lost_of_each;
    if (step->lost_tail_after > 0)
        force->lost_tail_after = step->lost_tail_after;
}

void schedule_lay(const struct schedule *schedule, uint64_t now_ns, uint64_t elapsed_ns, struct in_force *force)
{
    if (schedule->count == 0)
        return;
    uint64_t round_ns = schedule->length_ns > 0 ? elapsed_ns - elapsed_ns % schedule->length_ns : 0;
    elapsed_ns -= round_ns;
    size_t index = step_at(schedule, elapsed_ns);
    schedule_lay_step(&schedule->steps[index], force);
    if (schedule->steps[index].lost_packets > 0)
        force->losing_since_ns = round_ns + schedule->steps[index].start_ns;
    bool is_last = index + 1 == schedule->count;
    if (is_last && schedule->length_ns == 0)
        return;
    uint64_t end_ns = now_ns + ((is_last ? schedule->length_ns : schedule->steps[index + 1].start_ns) - elapsed_ns);
    if (end_ns < force->end_ns)
        force->end_ns = end_ns;
}
