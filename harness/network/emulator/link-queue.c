#include "link-queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_STEP_BITS 6
#define STEPS_PER_OCTAVE 8
#define STEP_BITS 3

void queue_count_arrival(struct queue_counters *counters, const struct ip_packet *packet)
{
    counters->packets++;
    counters->bytes += packet->bytes;
    if (packet->headers.protocol == PROTOCOL_TCP)
        counters->tcp_ecn[ip_ecn(packet->at)]++;
    else if (packet->headers.protocol == PROTOCOL_UDP)
        counters->udp_ecn[ip_ecn(packet->at)]++;
}

static uint32_t step_of(uint64_t sojourn_us)
{
    if (sojourn_us < 1u << FIRST_STEP_BITS)
        return 0;
    uint32_t bits = 63u - (uint32_t)__builtin_clzll(sojourn_us);
    uint32_t eighth = (uint32_t)(sojourn_us >> (bits - STEP_BITS)) & (STEPS_PER_OCTAVE - 1);
    uint32_t step = 1 + (bits - FIRST_STEP_BITS) * STEPS_PER_OCTAVE + eighth;
    return step < SOJOURN_STEPS ? step : SOJOURN_STEPS - 1;
}

static uint64_t step_begin_us(uint32_t step)
{
    if (step == 0)
        return 0;
    uint32_t octave = (step - 1) / STEPS_PER_OCTAVE, eighth = (step - 1) % STEPS_PER_OCTAVE;
    return (uint64_t)(STEPS_PER_OCTAVE + eighth) << (octave + FIRST_STEP_BITS - STEP_BITS);
}

void queue_count_sojourn(struct queue_counters *counters, uint64_t sojourn_ns)
{
    counters->sojourns[step_of(sojourn_ns / 1000)]++;
}

static size_t write_ecn(char *text, size_t size, const char *name, const uint64_t counts[4])
{
    return (size_t)snprintf(text, size, ",\"%s\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", name, counts[0],
                            counts[1], counts[2], counts[3]);
}

size_t queue_counters_write(const struct queue_counters *c, char *text, size_t size)
{
    size_t length = (size_t)snprintf(
        text, size, "{\"packets\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"dropped\":%" PRIu64 ",\"marked\":%" PRIu64,
        c->packets, c->bytes, c->dropped, c->marked);
    length += write_ecn(text + length, size - length, "tcpEcn", c->tcp_ecn);
    length += write_ecn(text + length, size - length, "udpEcn", c->udp_ecn);
    length += (size_t)snprintf(text + length, size - length, ",\"sojourns\":[");
    const char *between = "";
    for (uint32_t step = 0; step < SOJOURN_STEPS; step++) {
        if (c->sojourns[step] == 0)
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", between,
                                   step_begin_us(step), step_begin_us(step + 1), c->sojourns[step]);
        between = ",";
    }
    return length + (size_t)snprintf(text + length, size - length, "]}");
}

bool link_queue_init(struct link_queue *queue, const struct aqm_config *config, uint32_t slots)
{
    queue->aqm.config = *config;
    if (!link_queue_is_managed(queue))
        return true;
    queue->waiting = calloc(slots, sizeof *queue->waiting);
    return queue->waiting && aqm_init(&queue->aqm, config, slots);
}

bool link_queue_is_managed(const struct link_queue *queue)
{
    return queue->aqm.config.kind != AQM_DROPTAIL;
}

void link_queue_add(struct link_queue *queue, const struct held_packet *packet, const unsigned char *bytes,
                    uint64_t arrival_ns, aqm_drop *drop, void *context)
{
    if (queue->aqm.count == 0)
        queue->busy_since_ns = arrival_ns;
    queue->waiting[packet->slot] = *packet;
    struct ip_packet whole = {.at = bytes, .bytes = packet->bytes, .headers = packet->headers};
    struct aqm_arrival arrival = {
        .slot = packet->slot, .bytes = packet->bytes, .ecn = ip_ecn(bytes), .flow = ip_flow(&whole)};
    aqm_enqueue(&queue->aqm, &arrival, arrival_ns, drop, context);
}

/** When the link is free for the next packet. */
static uint64_t next_service_ns(const struct link_queue *queue, const struct path_model *model)
{
    uint64_t free_ns = model->last_departure_ns;
    return free_ns > queue->busy_since_ns ? free_ns : queue->busy_since_ns;
}

bool link_queue_take(struct link_queue *queue, struct path_model *model, uint64_t until_ns, struct link_taken *taken,
                     aqm_drop *drop, void *context)
{
    if (queue->aqm.count == 0)
        return false;
    uint64_t now_ns = next_service_ns(queue, model);
    if (now_ns > until_ns)
        return false;
    struct aqm_departure departure = aqm_dequeue(&queue->aqm, now_ns, drop, context);
    if (departure.slot == AQM_NO_PACKET)
        return false;
    taken->packet = queue->waiting[departure.slot];
    struct path_result result =
        path_model_deliver(model, path_model_depart(model, now_ns, taken->packet.bytes));
    taken->packet.release_ns = result.release_ns;
    taken->fate = result.fate;
    taken->mark = departure.mark;
    taken->sojourn_ns = departure.sojourn_ns;
    taken->arrival_ns = now_ns - departure.sojourn_ns;
    return true;
}

uint64_t link_queue_next_ns(const struct link_queue *queue, const struct path_model *model)
{
    if (queue->aqm.count == 0)
        return UINT64_MAX;
    return next_service_ns(queue, model) + path_model_least_delay_ns(model);
}
