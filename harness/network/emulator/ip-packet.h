/* What is read of an IP packet, and the one thing that is written to it: that it met congestion. */
#ifndef H2H3_IP_PACKET_H
#define H2H3_IP_PACKET_H

#include "aqm.h"

#include <stdint.h>

#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17

/** Protocol of IPv4 (RFC 791), next header of IPv6 (RFC 8200). */
unsigned char ip_protocol(const unsigned char *packet);

/** ECN field (RFC 3168, RFC 8200). */
enum ecn ip_ecn(const unsigned char *packet);

/** Sets Congestion Experienced, and puts the header's checksum right. */
void ip_mark(unsigned char *packet);

/** Of addresses, protocol and ports; of fragments and IPv6 without ports. */
uint32_t ip_flow(const unsigned char *packet, uint32_t bytes);

/** IPv4 destination in network order; 0 of IPv6. */
uint32_t ip_destination(const unsigned char *packet);

#endif
