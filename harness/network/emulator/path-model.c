#include "path-model.h"
#include "random.h"

#include <string.h>

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
    path_model_start(model, now_ns, 1, 0);
}

void path_model_start(struct path_model *model, uint64_t now_ns, uint64_t seed, uint64_t offset_ns)
{
    const struct path_config *config = &model->config;
    model->random_state = spread(seed) | 1;
    model->bad = false;
    model->trace_origin_ns = now_ns;
    if (config->trace_length_ns > 0)
        model->trace_origin_ns = now_ns - offset_ns % config->trace_length_ns;
    model->step_index = 0;
    model->opportunity_index = 0;
    model->opportunity_left_bytes = 0;
    if (model->last_departure_ns < now_ns)
        model->last_departure_ns = now_ns;
}

static bool is_lost(struct path_model *model)
{
    const struct path_config *config = &model->config;
    if (config->good_to_bad > 0) {
        double change = random_uniform(&model->random_state);
        if (model->bad ? change < config->bad_to_good : change < config->good_to_bad)
            model->bad = !model->bad;
    }
    double loss = model->bad ? config->loss_bad : config->loss_good;
    return loss > 0 && random_uniform(&model->random_state) < loss;
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

/** Spends `bits` from `start_ns` on, over as many steps as that takes. The trace must have a rate above 0 somewhere. */
static uint64_t depart_by_steps(struct path_model *model, uint64_t start_ns, double bits)
{
    const struct path_config *config = &model->config;
    for (;;) {
        uint64_t in_trace_ns = (start_ns - model->trace_origin_ns) % config->trace_length_ns;
        if (config->steps[model->step_index].start_ns > in_trace_ns)
            model->step_index = 0;
        while (model->step_index + 1 < config->step_count &&
               config->steps[model->step_index + 1].start_ns <= in_trace_ns)
            model->step_index++;
        size_t next = model->step_index + 1;
        uint64_t end_ns = next < config->step_count ? config->steps[next].start_ns : config->trace_length_ns;
        double rate = config->steps[model->step_index].bits_per_second;
        double possible = rate * (double)(end_ns - in_trace_ns) * 1e-9;
        if (possible >= bits && rate > 0)
            return start_ns + (uint64_t)(bits / rate * 1e9);
        bits -= possible;
        start_ns += end_ns - in_trace_ns;
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
    if (config->step_count > 0)
        return depart_by_steps(model, start_ns, bytes * 8.0);
    if (config->bits_per_second > 0)
        return start_ns + (uint64_t)(bytes * 8.0 / config->bits_per_second * 1e9);
    return now_ns;
}

static uint64_t delayed(struct path_model *model, uint64_t departure_ns)
{
    const struct path_config *config = &model->config;
    uint64_t release_ns = departure_ns + config->delay_ns;
    if (config->jitter_ns > 0) {
        double shift = (2 * random_uniform(&model->random_state) - 1) * (double)config->jitter_ns;
        if (shift < 0 && (uint64_t)-shift > config->delay_ns)
            release_ns = departure_ns;
        else
            release_ns = shift < 0 ? release_ns - (uint64_t)-shift : release_ns + (uint64_t)shift;
    }
    if (release_ns < model->last_release_ns)
        release_ns = model->last_release_ns;
    model->last_release_ns = release_ns;
    return release_ns;
}

struct path_result path_model_arrive(struct path_model *model, uint64_t now_ns, uint32_t bytes)
{
    const struct path_config *config = &model->config;
    if (is_lost(model))
        return (struct path_result){.fate = PATH_LOST};
    forget_departed(model, now_ns);
    if (config->queue_bytes > 0 && model->backlog_bytes + bytes > config->queue_bytes)
        return (struct path_result){.fate = PATH_QUEUE_FULL};
    if (model->waiting_tail - model->waiting_head >= model->waiting_capacity)
        return (struct path_result){.fate = PATH_NO_ROOM};
    uint64_t sojourn_ns = model->last_departure_ns > now_ns ? model->last_departure_ns - now_ns : 0;
    uint64_t departure_ns = path_model_depart(model, now_ns, bytes);
    model->waiting[model->waiting_tail++ % model->waiting_capacity] =
        (struct waiting_packet){.departure_ns = departure_ns, .bytes = bytes};
    model->backlog_bytes += bytes;
    struct path_result result = path_model_deliver(model, departure_ns);
    result.sojourn_ns = sojourn_ns;
    return result;
}

bool path_model_loses(struct path_model *model)
{
    return is_lost(model);
}

uint64_t path_model_depart(struct path_model *model, uint64_t now_ns, uint32_t bytes)
{
    return model->last_departure_ns = departure(model, now_ns, bytes);
}

struct path_result path_model_deliver(struct path_model *model, uint64_t departure_ns)
{
    const struct path_config *config = &model->config;
    if (config->reorder > 0 && random_uniform(&model->random_state) < config->reorder)
        return (struct path_result){.fate = PATH_OVERTAKES, .release_ns = departure_ns};
    return (struct path_result){.fate = PATH_DELIVERED, .release_ns = delayed(model, departure_ns)};
}

bool path_model_duplicates(struct path_model *model)
{
    return model->config.duplicate > 0 && random_uniform(&model->random_state) < model->config.duplicate;
}

uint64_t path_model_backlog(struct path_model *model, uint64_t now_ns)
{
    forget_departed(model, now_ns);
    return model->backlog_bytes;
}
