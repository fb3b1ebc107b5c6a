#include "flow-table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void flow_table_clear(struct flow_table *table)
{
    memset(table, 0, sizeof *table);
}

/** The flow's place, which is taken now if it is new; NULL where there is no room. */
static struct flow *flow_of(struct flow_table *table, uint8_t protocol, uint16_t client_port, uint16_t server_port)
{
    uint32_t place = (client_port * 31u + server_port + protocol) % FLOW_PLACES;
    for (uint32_t tried = 0; tried < FLOW_PLACES; tried++, place = (place + 1) % FLOW_PLACES) {
        struct flow *flow = &table->flows[place];
        if (!flow->is_used) {
            if (table->count == MOST_FLOWS)
                return NULL;
            table->count++;
            *flow = (struct flow){
                .is_used = true, .protocol = protocol, .client_port = client_port, .server_port = server_port};
            return flow;
        }
        if (flow->protocol == protocol && flow->client_port == client_port && flow->server_port == server_port)
            return flow;
    }
    return NULL;
}

void flow_table_count(struct flow_table *table, bool is_up, const struct ip_packet *packet)
{
    uint8_t protocol = packet->headers.protocol;
    if (packet->headers.ports_at == 0)
        return;
    const unsigned char *ports = packet->at + packet->headers.ports_at;
    uint16_t source = (uint16_t)(ports[0] << 8 | ports[1]), destination = (uint16_t)(ports[2] << 8 | ports[3]);
    struct flow *flow = is_up ? flow_of(table, protocol, source, destination)
                              : flow_of(table, protocol, destination, source);
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
                                   "%s{\"transport\":\"%s\",\"clientPort\":%u,\"serverPort\":%u,\"upPackets\":%" PRIu64
                                   ",\"upBytes\":%" PRIu64 ",\"downPackets\":%" PRIu64 ",\"downBytes\":%" PRIu64 "}",
                                   separator, flow->protocol == PROTOCOL_TCP ? "tcp" : "udp", flow->client_port,
                                   flow->server_port, flow->up_packets, flow->up_bytes, flow->down_packets,
                                   flow->down_bytes);
        separator = ",";
    }
    return length + (size_t)snprintf(text + length, size - length, "]}\n");
}
