/* Counts what each flow of TCP and UDP brought to the path, by IP version, the client's port and the server's. */
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
    bool is_used, is_v6;
    unsigned char protocol;
    uint16_t client_port, server_port;
    /** When its first packet came. */
    uint64_t first_ns;
    uint64_t up_packets, up_bytes, down_packets, down_bytes;
};

struct flow_table {
    struct flow flows[FLOW_PLACES];
    uint32_t count;
    uint64_t start_ns;
    /** Packets of flows for which there was no room. */
    uint64_t unlisted_packets;
};

/** Begins anew; times count from here on. */
void flow_table_clear(struct flow_table *table, uint64_t now_ns);

/** Counts a packet that came then, IP header included; what is neither TCP nor UDP, and later fragments, which have no ports, are left out. */
void flow_table_count(struct flow_table *table, bool is_up, const struct ip_packet *packet, uint64_t came_ns);

/** Room that `flow_table_write` needs. */
#define FLOW_TABLE_TEXT_BYTES (MOST_FLOWS * 240u)

/** Writes all flows as JSON. @returns its length. */
size_t flow_table_write(const struct flow_table *table, char *text, size_t size);

#endif
