/* Counts what each flow of TCP and UDP brought to the path, by the client's port and the server's. */
#ifndef H2H3_FLOW_TABLE_H
#define H2H3_FLOW_TABLE_H

#include "ip-packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Flows that are listed; a page seldom has more than forty. */
#define MOST_FLOWS 512u
#define FLOW_PLACES (2 * MOST_FLOWS)

struct flow {
    bool is_used;
    unsigned char protocol;
    uint16_t client_port, server_port;
    uint64_t up_packets, up_bytes, down_packets, down_bytes;
};

struct flow_table {
    struct flow flows[FLOW_PLACES];
    uint32_t count;
    /** Packets of flows for which there was no room. */
    uint64_t unlisted_packets;
};

void flow_table_clear(struct flow_table *table);

/** Counts a packet, IP header included; what is neither TCP nor UDP, and later fragments, which have no ports, are left out. */
void flow_table_count(struct flow_table *table, bool is_up, const struct ip_packet *packet);

/** Room that `flow_table_write` needs. */
#define FLOW_TABLE_TEXT_BYTES (MOST_FLOWS * 192u)

/** Writes all flows as JSON. @returns its length. */
size_t flow_table_write(const struct flow_table *table, char *text, size_t size);

#endif
