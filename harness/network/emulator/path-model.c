#include "path-model.h"
#include "random.h"

#include <string.h>

/** A packet that no rate ever takes: later than any clock here says. */
#define NEVER_NS (UINT64_MAX / 2)

/** splitmix64: spreads a small seed over 64 bits (Steele, Lea and Flood 2014). */
static uint64_t spread(uint64_t seed)
{
    uint64_t z = seed + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void path_model_init(struct path_model *model, const struct path_config *config, struct waiting_packet *waiting,
                     size_t waiting_capacity, uint64_t now_ns)
{
    memset(model, 0, sizeof *model);
    model->config = *config;
    model->waiting = waiting;
    model->waiting_capacity = waiting_capacity;
    model->live = schedule_no_step();
    path_model_start(model, now_ns, 1, 0);
}

void path_model_start(struct path_model *model, uint64_t now_ns, uint64_t seed, uint64_t offset_ns)
{
    const struct path_config *config = &model->config;
    model->random_state = spread(seed) | 1;
    model->bad = false;
    model->scheduled = false;
    model->trace_origin_ns = now_ns;
    if (config->trace_length_ns > 0)
        model->trace_origin_ns = now_ns - offset_ns % config->trace_length_ns;
    model->step_index = 0;
    model->opportunity_index = 0;
    model->opportunity_left_bytes = 0;
    if (model->last_departure_ns < now_ns)
        model->last_departure_ns = now_ns;
}

void path_model_follow_schedule(struct path_model *model, uint64_t now_ns, uint64_t offset_ns)
{
    model->scheduled = true;
    model->schedule_start_ns = now_ns;
    model->schedule_offset_ns = offset_ns;
    model->losing_since_ns = UINT64_MAX;
}

static struct in_force in_force_at(const struct path_model *model, uint64_t time_ns)
{
    struct in_force force = schedule_nothing();
    if (model->scheduled) {
        /* What came just before the start is told to have come then. */
        uint64_t elapsed_ns = time_ns > model->schedule_start_ns ? time_ns - model->schedule_start_ns : 0;
        schedule_lay(&model->config.repeating, time_ns, elapsed_ns + model->schedule_offset_ns, &force);
        schedule_lay(&model->config.once, time_ns, elapsed_ns, &force);
    }
    schedule_lay_step(&model->live, &force);
    return force;
}

void path_model_set(struct path_model *model, const struct schedule_step *live)
{
    model->live = *live;
}

/** Counts what comes while a step loses packets. @returns whether this one is among them. */
static bool meets_losing(struct path_model *model, const struct in_force *force)
{
    if (model->losing_since_ns != force->losing_since_ns) {
        model->losing_since_ns = force->losing_since_ns;
        model->losing_met = 0;
    }
    return model->losing_met++ < force->lost_packets;
}

static bool is_lost(struct path_model *model, uint64_t now_ns)
{
    const struct path_config *config = &model->config;
    struct in_force force = in_force_at(model, now_ns);
    if (force.outage)
        return true;
    if (force.lost_packets > 0 && meets_losing(model, &force))
        return true;
    if (force.loss >= 0)
        return force.loss > 0 && random_uniform(&model->random_state) < force.loss;
    if (config->good_to_bad > 0) {
        double change = random_uniform(&model->random_state);
        if (model->bad ? change < config->bad_to_good : change < config->good_to_bad)
            model->bad = !model->bad;
    }
    double loss = model->bad ? config->loss_bad : config->loss_good;
    return loss > 0 && random_uniform(&model->random_state) < loss;
}

/** The direction whose link and queue a packet takes. */
static struct path_model *link_of(struct path_model *model)
{
    return model->shared ? model->shared : model;
}

static void forget_departed(struct path_model *model, uint64_t now_ns)
{
    while (model->waiting_head != model->waiting_tail) {
        const struct waiting_packet *first = &model->waiting[model->waiting_head % model->waiting_capacity];
        if (first->departure_ns > now_ns)
            return;
        model->backlog_bytes -= first->bytes;
        model->waiting_head++;
    }
}

/** A time in which the rate stays what it is. */
struct stretch {
    double bits_per_second;
    bool unlimited;
    uint64_t end_ns;
};

/** By the direction's own rate or trace. */
static struct stretch own_stretch(struct path_model *model, uint64_t time_ns)
{
    const struct path_config *config = &model->config;
    if (config->step_count == 0)
        return (struct stretch){.bits_per_second = config->bits_per_second,
                                .unlimited = config->bits_per_second <= 0,
                                .end_ns = UINT64_MAX};
    uint64_t in_trace_ns = (time_ns - model->trace_origin_ns) % config->trace_length_ns;
    if (config->steps[model->step_index].start_ns > in_trace_ns)
        model->step_index = 0;
    while (model->step_index + 1 < config->step_count && config->steps[model->step_index + 1].start_ns <= in_trace_ns)
        model->step_index++;
    size_t next = model->step_index + 1;
    uint64_t end_ns = next < config->step_count ? config->steps[next].start_ns : config->trace_length_ns;
    return (struct stretch){.bits_per_second = config->steps[model->step_index].bits_per_second,
                            .end_ns = time_ns + (end_ns - in_trace_ns)};
}

static struct stretch stretch_at(struct path_model *model, uint64_t time_ns)
{
    struct in_force force = in_force_at(model, time_ns);
    if (force.bits_per_second >= 0)
        return (struct stretch){.bits_per_second = force.bits_per_second, .end_ns = force.end_ns};
    struct stretch own = own_stretch(model, time_ns);
    if (force.end_ns < own.end_ns)
        own.end_ns = force.end_ns;
    return own;
}

/** Spends `bits` from `start_ns` on, over as many stretches as that takes. */
static uint64_t depart_by_rate(struct path_model *model, uint64_t start_ns, double bits)
{
    for (;;) {
        struct stretch stretch = stretch_at(model, start_ns);
        if (stretch.unlimited)
            return start_ns;
        double rate = stretch.bits_per_second;
        double possible = rate * (double)(stretch.end_ns - start_ns) * 1e-9;
        if (possible >= bits && rate > 0)
            return start_ns + (uint64_t)(bits / rate * 1e9);
        if (stretch.end_ns == UINT64_MAX)
            return NEVER_NS;
        bits -= possible;
        start_ns = stretch.end_ns;
    }
}

static uint64_t opportunity_time(const struct path_model *model, uint64_t index)
{
    const struct path_config *config = &model->config;
    uint64_t lap = index / config->opportunity_count;
    return model->trace_origin_ns + lap * config->trace_length_ns +
           config->opportunities_ns[index % config->opportunity_count];
}

/** As mahimahi: each opportunity carries 1500 bytes, of several packets or part of one; unused ones are gone. */
static uint64_t depart_by_opportunities(struct path_model *model, uint64_t start_ns, uint32_t bytes)
{
    const struct path_config *config = &model->config;
    if (start_ns > model->last_departure_ns)
        model->opportunity_left_bytes = 0;
    uint64_t time_ns = start_ns;
    while (model->opportunity_left_bytes < bytes) {
        bytes -= model->opportunity_left_bytes;
        uint64_t laps = (time_ns - model->trace_origin_ns) / config->trace_length_ns;
        if (model->opportunity_index < laps * config->opportunity_count)
            model->opportunity_index = laps * config->opportunity_count;
        while (opportunity_time(model, model->opportunity_index) < time_ns)
            model->opportunity_index++;
        time_ns = opportunity_time(model, model->opportunity_index++);
        model->opportunity_left_bytes = OPPORTUNITY_BYTES;
    }
    model->opportunity_left_bytes -= bytes;
    return time_ns;
}

static uint64_t departure(struct path_model *model, uint64_t now_ns, uint32_t bytes)
{
    const struct path_config *config = &model->config;
    uint64_t start_ns = now_ns > model->last_departure_ns ? now_ns : model->last_departure_ns;
    if (config->opportunity_count > 0)
        return depart_by_opportunities(model, start_ns, bytes);
    return depart_by_rate(model, start_ns, bytes * 8.0);
}

static uint64_t delayed(struct path_model *model, uint64_t departure_ns, const struct in_force *force)
{
    const struct path_config *config = &model->config;
    uint64_t delay_ns = force->delay_ns >= 0 ? (uint64_t)force->delay_ns : config->delay_ns;
    uint64_t jitter_ns = force->jitter_ns >= 0 ? (uint64_t)force->jitter_ns : config->jitter_ns;
    uint64_t release_ns = departure_ns + delay_ns;
    if (jitter_ns > 0) {
        double shift = (2 * random_uniform(&model->random_state) - 1) * (double)jitter_ns;
        if (shift < 0 && (uint64_t)-shift > delay_ns)
            release_ns = departure_ns;
        else
            release_ns = shift < 0 ? release_ns - (uint64_t)-shift : release_ns + (uint64_t)shift;
    }
    if (release_ns < model->last_release_ns)
        release_ns = model->last_release_ns;
    model->last_release_ns = release_ns;
    return release_ns;
}

/** Whether its queue has no room for so many bytes more. */
static bool is_full(const struct path_model *link, uint32_t bytes)
{
    const struct path_config *config = &link->config;
    if (config->queue_packets > 0 && link->waiting_tail - link->waiting_head >= config->queue_packets)
        return true;
    return config->queue_bytes > 0 && link->backlog_bytes + bytes > config->queue_bytes;
}

struct path_result path_model_arrive(struct path_model *model, uint64_t now_ns, uint32_t bytes)
{
    struct path_model *link = link_of(model);
    if (is_lost(model, now_ns))
        return (struct path_result){.fate = PATH_LOST, .release_ns = now_ns};
    forget_departed(link, now_ns);
    if (is_full(link, bytes))
        return (struct path_result){.fate = PATH_QUEUE_FULL};
    if (link->waiting_tail - link->waiting_head >= link->waiting_capacity)
        return (struct path_result){.fate = PATH_NO_ROOM};
    uint64_t sojourn_ns = link->last_departure_ns > now_ns ? link->last_departure_ns - now_ns : 0;
    uint64_t departure_ns = path_model_depart(link, now_ns, bytes);
    link->waiting[link->waiting_tail++ % link->waiting_capacity] =
        (struct waiting_packet){.departure_ns = departure_ns, .bytes = bytes};
    link->backlog_bytes += bytes;
    struct path_result result = path_model_deliver(model, departure_ns);
    result.sojourn_ns = sojourn_ns;
    return result;
}

bool path_model_loses(struct path_model *model, uint64_t now_ns)
{
    return is_lost(model, now_ns);
}

bool path_model_loses_of_each(const struct path_model *model, uint64_t now_ns, uint32_t number)
{
    return number > 0 && in_force_at(model, now_ns).lost_of_each == number;
}

uint32_t path_model_tail_bytes(const struct path_model *model, uint64_t now_ns)
{
    return in_force_at(model, now_ns).lost_tail_after;
}

uint64_t path_model_depart(struct path_model *model, uint64_t now_ns, uint32_t bytes)
{
    return model->last_departure_ns = departure(model, now_ns, bytes);
}

struct path_result path_model_deliver(struct path_model *model, uint64_t departure_ns)
{
    const struct path_config *config = &model->config;
    struct in_force force = in_force_at(model, departure_ns);
    if (force.outage)
        return (struct path_result){.fate = PATH_LOST, .release_ns = departure_ns};
    if (config->reorder > 0 && random_uniform(&model->random_state) < config->reorder)
        return (struct path_result){.fate = PATH_OVERTAKES, .release_ns = departure_ns};
    return (struct path_result){.fate = PATH_DELIVERED, .release_ns = delayed(model, departure_ns, &force)};
}

uint64_t path_model_least_delay_ns(const struct path_model *model)
{
    const struct path_config *config = &model->config;
    bool varies = config->reorder > 0 || config->repeating.count > 0 || config->once.count > 0 ||
                  model->live.delay_ns >= 0 || model->live.jitter_ns >= 0;
    return varies || config->jitter_ns > config->delay_ns ? 0 : config->delay_ns - config->jitter_ns;
}

bool path_model_duplicates(struct path_model *model)
{
    return model->config.duplicate > 0 && random_uniform(&model->random_state) < model->config.duplicate;
}

uint64_t path_model_backlog(struct path_model *model, uint64_t now_ns)
{
    struct path_model *link = link_of(model);
    forget_departed(link, now_ns);
    return link->backlog_bytes;
}
