#include "flight-log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TCP_FLAGS_AT 13
#define TCP_SYN 0x02
#define LONG_HEADER 0x80

void flight_log_clear(struct flight_log *log, uint64_t now_ns)
{
    log->start_ns = now_ns;
    log->flow_count = 0;
    log->generation++;
}

static struct logged_flow *flow_of(struct flight_log *log, uint8_t protocol, uint16_t client_port, uint16_t server_port)
{
    for (uint32_t i = 0; i < log->flow_count; i++) {
        struct logged_flow *flow = &log->flows[i];
        if (flow->client_port == client_port && flow->server_port == server_port && flow->protocol == protocol)
            return flow;
    }
    if (log->flow_count == LOGGED_FLOWS)
        return NULL;
    struct logged_flow *flow = &log->flows[log->flow_count++];
    flow->protocol = protocol;
    flow->client_port = client_port;
    flow->server_port = server_port;
    flow->packets = 0;
    memset(flow->sides, 0, sizeof flow->sides);
    return flow;
}

static uint8_t kind_of(bool is_up, const struct ip_packet *packet)
{
    uint32_t data_at = packet->headers.data_at;
    const unsigned char *transport = packet->at + packet->headers.ports_at;
    uint8_t kind = is_up ? KIND_UP : 0;
    if (data_at > 0 && packet->bytes > data_at)
        kind |= KIND_DATA;
    if (data_at == 0)
        return kind;
    if (packet->headers.protocol == PROTOCOL_TCP)
        return transport[TCP_FLAGS_AT] & TCP_SYN ? kind | KIND_OPENING : kind;
    return (kind & KIND_DATA) && (packet->at[data_at] & LONG_HEADER) ? kind | KIND_OPENING : kind;
}

struct log_place flight_log_came(struct flight_log *log, bool is_up, const struct ip_packet *packet, uint64_t came_ns)
{
    if (packet->headers.ports_at == 0)
        return (struct log_place){0};
    const unsigned char *ports = packet->at + packet->headers.ports_at;
    uint16_t source = (uint16_t)(ports[0] << 8 | ports[1]), destination = (uint16_t)(ports[2] << 8 | ports[3]);
    struct logged_flow *flow = is_up ? flow_of(log, packet->headers.protocol, source, destination)
                                     : flow_of(log, packet->headers.protocol, destination, source);
    if (!flow)
        return (struct log_place){0};
    uint32_t index = flow->packets++;
    struct flow_side *side = &flow->sides[is_up];
    side->bytes += packet->bytes;
    uint32_t flow_index = (uint32_t)(flow - log->flows);
    struct log_place place = {
        .generation = log->generation, .flow = (uint16_t)(flow_index + 1), .number = ++side->packets};
    if (index >= LOGGED_PACKETS)
        return place;
    flow->log[index] =
        (struct logged_packet){.came_ns = came_ns, .bytes = packet->bytes, .kind = kind_of(is_up, packet)};
    place.place = 1 + flow_index * LOGGED_PACKETS + index;
    return place;
}

void flight_log_left(struct flight_log *log, struct log_place place, uint64_t left_ns)
{
    if (place.place == 0 || place.generation != log->generation)
        return;
    uint32_t index = place.place - 1;
    log->flows[index / LOGGED_PACKETS].log[index % LOGGED_PACKETS].left_ns = left_ns;
}

bool flight_log_is_tail(struct flight_log *log, struct log_place place, bool is_up, uint64_t behind_bytes)
{
    if (place.flow == 0 || place.generation != log->generation)
        return false;
    struct flow_side *side = &log->flows[place.flow - 1].sides[is_up];
    if (side->lost_tail || side->bytes < behind_bytes || side->packets != place.number)
        return false;
    return side->lost_tail = true;
}

/** Since the start; what came just before it counts as at it. */
static uint64_t elapsed_us(const struct flight_log *log, uint64_t time_ns)
{
    return time_ns > log->start_ns ? (time_ns - log->start_ns) / 1000 : 0;
}

static size_t write_packet(const struct flight_log *log, const struct logged_packet *packet, char *text, size_t size)
{
    uint64_t came_us = elapsed_us(log, packet->came_ns);
    if (packet->left_ns == 0)
        return (size_t)snprintf(text, size, "[%" PRIu64 ",null,%u,%u]", came_us, packet->bytes, packet->kind);
    return (size_t)snprintf(text, size, "[%" PRIu64 ",%" PRIu64 ",%u,%u]", came_us, elapsed_us(log, packet->left_ns),
                            packet->bytes, packet->kind);
}

size_t flight_log_write(const struct flight_log *log, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "[");
    for (uint32_t i = 0; i < log->flow_count; i++) {
        const struct logged_flow *flow = &log->flows[i];
        length += (size_t)snprintf(text + length, size - length,
                                   "%s{\"transport\":\"%s\",\"clientPort\":%u,\"serverPort\":%u,\"isWhole\":%s,\"packets\":[",
                                   i > 0 ? "," : "", flow->protocol == PROTOCOL_TCP ? "tcp" : "udp", flow->client_port,
                                   flow->server_port, flow->packets <= LOGGED_PACKETS ? "true" : "false");
        for (uint32_t j = 0; j < flow->packets && j < LOGGED_PACKETS; j++) {
            if (j > 0)
                text[length++] = ',';
            length += write_packet(log, &flow->log[j], text + length, size - length);
        }
        length += (size_t)snprintf(text + length, size - length, "]}");
    }
    return length + (size_t)snprintf(text + length, size - length, "]\n");
}
