/*
 * Tells the packets that open a connection: a TCP SYN, a QUIC Initial (RFC 9000 §17.2.2, RFC 9369 §3.2); and which of them are held
 * back where connecting takes longer.
 */
#ifndef H2H3_CONNECTION_START_H
#define H2H3_CONNECTION_START_H

#include "ip-packet.h"

#include <stdbool.h>
#include <stdint.h>

enum connection_start { START_NONE, START_TCP, START_QUIC };

/** What an IPv4 packet opens; its UDP or TCP source port goes to `port`. */
enum connection_start connection_start_of(const struct ip_packet *packet, uint16_t *port);

/** The connections of one direction, as far as it needs to know which datagrams open one. */
struct connection_starts {
    /** When the first Initial of each UDP source port came. */
    uint64_t *first_initial_ns;
};

/** @returns false when there is no memory. */
bool connection_starts_init(struct connection_starts *starts);

/**
 * Whether a packet is of the flight that opens its connection and is held back for `delay_ns`: until it is let through nothing can
 * have answered it.
 */
bool connection_starts_holds(struct connection_starts *starts, const struct ip_packet *packet, uint64_t delay_ns,
                             uint64_t arrival_ns);

#endif
