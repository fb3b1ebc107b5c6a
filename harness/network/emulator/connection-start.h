/* Tells the packets that open a connection: a TCP SYN, a QUIC Initial (RFC 9000 §17.2.2, RFC 9369 §3.2). */
#ifndef H2H3_CONNECTION_START_H
#define H2H3_CONNECTION_START_H

#include "ip-packet.h"

#include <stdbool.h>
#include <stdint.h>

enum connection_start { START_NONE, START_TCP, START_QUIC };

/** What an IPv4 packet opens; its UDP or TCP source port goes to `port`. */
enum connection_start connection_start_of(const struct ip_packet *packet, uint16_t *port);

#endif
