#include "connection-start.h"

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
