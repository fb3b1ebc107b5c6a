#include "flow-table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void flow_table_clear(struct flow_table *table, uint64_t now_ns)
{
    memset(table, 0, sizeof *table);
    table->start_ns = now_ns;
}

static bool is_same(const struct flow *a, const struct flow *b)
{
    return a->is_v6 == b->is_v6 && a->protocol == b->protocol && a->client_port == b->client_port &&
           a->server_port == b->server_port;
}

/** The place of a flow like this one, which is taken now if it is new; NULL where there is no room. */
static struct flow *flow_of(struct flow_table *table, const struct flow *wanted)
{
    uint32_t place = (wanted->client_port * 31u + wanted->server_port + wanted->protocol) % FLOW_PLACES;
    for (uint32_t tried = 0; tried < FLOW_PLACES; tried++, place = (place + 1) % FLOW_PLACES) {
        struct flow *flow = &table->flows[place];
        if (flow->is_used && is_same(flow, wanted))
            return flow;
        if (flow->is_used)
            continue;
        if (table->count == MOST_FLOWS)
            return NULL;
        table->count++;
        *flow = *wanted;
        return flow;
    }
    return NULL;
}

void flow_table_count(struct flow_table *table, bool is_up, const struct ip_packet *packet, uint64_t came_ns)
{
    if (packet->headers.ports_at == 0)
        return;
    const unsigned char *ports = packet->at + packet->headers.ports_at;
    uint16_t source = (uint16_t)(ports[0] << 8 | ports[1]), destination = (uint16_t)(ports[2] << 8 | ports[3]);
    struct flow wanted = {.is_used = true,
                          .is_v6 = ip_is_v6(packet->at),
                          .protocol = packet->headers.protocol,
                          .client_port = is_up ? source : destination,
                          .server_port = is_up ? destination : source,
                          .first_ns = came_ns > table->start_ns ? came_ns - table->start_ns : 0};
    struct flow *flow = flow_of(table, &wanted);
    if (!flow) {
        table->unlisted_packets++;
        return;
    }
    if (is_up) {
        flow->up_packets++;
        flow->up_bytes += packet->bytes;
    } else {
        flow->down_packets++;
        flow->down_bytes += packet->bytes;
    }
}

size_t flow_table_write(const struct flow_table *table, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "{\"unlistedPackets\":%" PRIu64 ",\"flows\":[", table->unlisted_packets);
    const char *separator = "";
    for (uint32_t place = 0; place < FLOW_PLACES; place++) {
        const struct flow *flow = &table->flows[place];
        if (!flow->is_used)
            continue;
        length += (size_t)snprintf(text + length, size - length,
                                   "%s{\"family\":%d,\"transport\":\"%s\",\"clientPort\":%u,\"serverPort\":%u,\"firstMs\":%.3f,\"upPackets\":%" PRIu64
                                   ",\"upBytes\":%" PRIu64 ",\"downPackets\":%" PRIu64 ",\"downBytes\":%" PRIu64 "}",
                                   separator, flow->is_v6 ? 6 : 4, flow->protocol == PROTOCOL_TCP ? "tcp" : "udp", flow->client_port,
                                   flow->server_port, (double)flow->first_ns / 1e6, flow->up_packets, flow->up_bytes, flow->down_packets,
                                   flow->down_bytes);
        separator = ",";
    }
    return length + (size_t)snprintf(text + length, size - length, "]}\n");
}
