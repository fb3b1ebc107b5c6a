#include "flow-table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "connection-start.h"

#define IPV6_HEADER_BYTES 40u
/** Fragment offset of IPv4 (RFC 791): the low 13 bits of bytes 6 and 7. */
#define FRAGMENT_OFFSET_MASK 0x1f

void flow_table_clear(struct flow_table *table)
{
    memset(table, 0, sizeof *table);
}

/** Where the transport's header begins, and what transport it is. @returns false where no ports follow. */
static bool find_ports(const unsigned char *packet, uint32_t bytes, uint32_t *offset, unsigned char *protocol)
{
    if (bytes < 20)
        return false;
    if (packet[0] >> 4 == 4) {
        if ((packet[6] & FRAGMENT_OFFSET_MASK) != 0 || packet[7] != 0)
            return false;
        *offset = (packet[0] & 0x0fu) * 4;
        *protocol = packet[9];
    } else {
        *offset = IPV6_HEADER_BYTES;
        *protocol = packet[6];
    }
    return (*protocol == PROTOCOL_TCP || *protocol == PROTOCOL_UDP) && bytes >= *offset + 4;
}

/** The flow's place, which is taken now if it is new; NULL where there is no room. */
static struct flow *flow_of(struct flow_table *table, unsigned char protocol, uint16_t client_port, uint16_t server_port)
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

void flow_table_count(struct flow_table *table, bool is_up, const unsigned char *packet, uint32_t bytes)
{
    uint32_t offset;
    unsigned char protocol;
    if (!find_ports(packet, bytes, &offset, &protocol))
        return;
    const unsigned char *ports = packet + offset;
    uint16_t source = (uint16_t)(ports[0] << 8 | ports[1]), destination = (uint16_t)(ports[2] << 8 | ports[3]);
    struct flow *flow = is_up ? flow_of(table, protocol, source, destination)
                              : flow_of(table, protocol, destination, source);
    if (!flow) {
        table->unlisted_packets++;
        return;
    }
    if (is_up) {
        flow->up_packets++;
        flow->up_bytes += bytes;
    } else {
        flow->down_packets++;
        flow->down_bytes += bytes;
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
