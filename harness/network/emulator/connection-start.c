#include "connection-start.h"

#include <stdlib.h>

#define PORTS 65536u
/** A source port that comes again after so long belongs to another connection. */
#define PORT_REUSE_NS 5000000000u
#define TCP_FLAGS_AT 13
#define TCP_SYN 0x02
#define TCP_ACK 0x10
#define QUIC_VERSION_1 1u
#define QUIC_VERSION_2 0x6b3343cfu
/** A client's datagram with an Initial is never smaller (RFC 9000 §14.1). */
#define INITIAL_DATAGRAM_BYTES 1200u

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool is_initial(const unsigned char *payload, uint32_t bytes)
{
    if (bytes < INITIAL_DATAGRAM_BYTES || (payload[0] & 0xc0) != 0xc0)
        return false;
    uint32_t version = big_endian(payload + 1);
    unsigned type = (payload[0] >> 4) & 3;
    return (version == QUIC_VERSION_1 && type == 0) || (version == QUIC_VERSION_2 && type == 1);
}

enum connection_start connection_start_of(const struct ip_packet *packet, uint16_t *port)
{
    const struct ip_headers *headers = &packet->headers;
    if (headers->data_at == 0)
        return START_NONE;
    const unsigned char *transport = packet->at + headers->ports_at;
    *port = (uint16_t)(transport[0] << 8 | transport[1]);
    if (headers->protocol == PROTOCOL_TCP)
        return (transport[TCP_FLAGS_AT] & (TCP_SYN | TCP_ACK)) == TCP_SYN ? START_TCP : START_NONE;
    return is_initial(packet->at + headers->data_at, packet->bytes - headers->data_at) ? START_QUIC : START_NONE;
}

bool connection_starts_init(struct connection_starts *starts)
{
    starts->first_initial_ns = calloc(PORTS, sizeof *starts->first_initial_ns);
    return starts->first_initial_ns != NULL;
}

bool connection_starts_holds(struct connection_starts *starts, const struct ip_packet *packet, uint64_t delay_ns,
                             uint64_t arrival_ns)
{
    uint16_t port;
    switch (connection_start_of(packet, &port)) {
    case START_TCP:
        return true;
    case START_QUIC: {
        uint64_t *first_ns = &starts->first_initial_ns[port];
        if (arrival_ns - *first_ns > PORT_REUSE_NS)
            *first_ns = arrival_ns;
        return arrival_ns - *first_ns < delay_ns;
    }
    case START_NONE:
        break;
    }
    return false;
}
