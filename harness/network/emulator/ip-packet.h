/* What is read of an IP packet, and the one thing that is written to it: that it met congestion. */
#ifndef H2H3_IP_PACKET_H
#define H2H3_IP_PACKET_H

#include "aqm.h"

#include <stdbool.h>
#include <stdint.h>

#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17

/** Where a packet's headers end. They were looked at where it came in, and lie within it: nobody looks again. */
struct ip_headers {
    /** Protocol of IPv4 (RFC 791), next header of IPv6 (RFC 8200). */
    uint8_t protocol;
    /** Of TCP and UDP; 0: there are none, as in later fragments. */
    uint8_t ports_at;
    /** Of TCP and UDP that are no fragments, and whose lengths agree; 0: of all else. */
    uint8_t data_at;
};

/** Whether a packet whose headers were read is one of IPv6. */
bool ip_is_v6(const unsigned char *packet);

struct ip_packet {
    const unsigned char *at;
    uint32_t bytes;
    struct ip_headers headers;
};

/** Looks at what came in. @returns false for what has no whole header of IPv4 or IPv6, and is read no further */
bool ip_read_headers(struct ip_headers *headers, const unsigned char *packet, uint32_t bytes);

/** ECN field (RFC 3168, RFC 8200). */
enum ecn ip_ecn(const unsigned char *packet);

/** Sets Congestion Experienced, and puts the header's checksum right. */
void ip_mark(unsigned char *packet);

/** Of addresses, protocol and ports; of fragments and behind extension headers without ports. */
uint32_t ip_flow(const struct ip_packet *packet);

/** IPv4 destination in network order; 0 of IPv6. */
uint32_t ip_destination(const unsigned char *packet);

#endif
