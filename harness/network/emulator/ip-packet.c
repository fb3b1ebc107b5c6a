#include "ip-packet.h"

#include <string.h>

#define IPV4_HEADER_BYTES 20u
#define IPV6_HEADER_BYTES 40u
#define TCP_HEADER_BYTES 20u
#define UDP_HEADER_BYTES 8u
#define PORTS_BYTES 4u
#define LENGTH_AT 2
/** Of what follows the header (RFC 8200). */
#define IPV6_LENGTH_AT 4
#define FRAGMENT_AT 6
/** More fragments, and the offset of this one (RFC 791). */
#define ANY_FRAGMENT 0x3fff
#define LATER_FRAGMENT 0x1fff
#define TCP_OFFSET_AT 12
#define UDP_LENGTH_AT 4
#define CHECKSUM_AT 10
#define DESTINATION_AT 16

bool ip_is_v6(const unsigned char *packet)
{
    return packet[0] >> 4 == 6;
}

static uint16_t get16(const unsigned char *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

/** Where the data of TCP or UDP begins behind an IP header of so many bytes; 0 where lengths do not agree. */
static uint32_t data_behind(uint32_t ip, uint8_t protocol, const unsigned char *packet, uint32_t bytes)
{
    const unsigned char *transport = packet + ip;
    uint32_t left = bytes - ip;
    if (protocol == PROTOCOL_UDP)
        return left >= UDP_HEADER_BYTES && get16(transport + UDP_LENGTH_AT) == left ? ip + UDP_HEADER_BYTES : 0;
    if (protocol != PROTOCOL_TCP || left < TCP_HEADER_BYTES)
        return 0;
    uint32_t tcp = (transport[TCP_OFFSET_AT] >> 4) * 4u;
    return tcp >= TCP_HEADER_BYTES && tcp <= left ? ip + tcp : 0;
}

static bool has_ports(uint8_t protocol)
{
    return protocol == PROTOCOL_TCP || protocol == PROTOCOL_UDP;
}

bool ip_read_headers(struct ip_headers *headers, const unsigned char *packet, uint32_t bytes)
{
    if (bytes >= IPV6_HEADER_BYTES && ip_is_v6(packet)) {
        *headers = (struct ip_headers){.protocol = packet[6]};
        if (has_ports(headers->protocol) && bytes >= IPV6_HEADER_BYTES + PORTS_BYTES)
            headers->ports_at = IPV6_HEADER_BYTES;
        if (get16(packet + IPV6_LENGTH_AT) == bytes - IPV6_HEADER_BYTES)
            headers->data_at = (uint8_t)data_behind(IPV6_HEADER_BYTES, headers->protocol, packet, bytes);
        return true;
    }
    uint32_t ip = bytes < IPV4_HEADER_BYTES ? 0 : (packet[0] & 0x0fu) * 4;
    if (ip < IPV4_HEADER_BYTES || ip > bytes || packet[0] >> 4 != 4)
        return false;
    *headers = (struct ip_headers){.protocol = packet[9]};
    if (has_ports(headers->protocol) && bytes >= ip + PORTS_BYTES && !(get16(packet + FRAGMENT_AT) & LATER_FRAGMENT))
        headers->ports_at = (uint8_t)ip;
    if (get16(packet + LENGTH_AT) == bytes && !(get16(packet + FRAGMENT_AT) & ANY_FRAGMENT))
        headers->data_at = (uint8_t)data_behind(ip, headers->protocol, packet, bytes);
    return true;
}

enum ecn ip_ecn(const unsigned char *packet)
{
    return ip_is_v6(packet) ? (packet[1] >> 4) & 3 : packet[1] & 3;
}

void ip_mark(unsigned char *packet)
{
    if (ip_is_v6(packet)) {
        packet[1] |= 0x30;
        return;
    }
    uint16_t before = get16(packet);
    packet[1] |= CE;
    /* RFC 1624, equation 3. */
    uint32_t sum = (uint16_t)~get16(packet + CHECKSUM_AT) + (uint32_t)(uint16_t)~before + get16(packet);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    packet[CHECKSUM_AT] = (unsigned char)(~sum >> 8);
    packet[CHECKSUM_AT + 1] = (unsigned char)~sum;
}

/** FNV-1a. */
static uint32_t hashed(uint32_t hash, const unsigned char *from, const unsigned char *to)
{
    for (; from < to; from++)
        hash = (hash ^ *from) * 16777619u;
    return hash;
}

uint32_t ip_flow(const struct ip_packet *packet)
{
    const struct ip_headers *headers = &packet->headers;
    uint32_t hash = hashed(2166136261u, &headers->protocol, &headers->protocol + 1);
    if (ip_is_v6(packet->at))
        hash = hashed(hash, packet->at + 8, packet->at + IPV6_HEADER_BYTES);
    else
        hash = hashed(hash, packet->at + 12, packet->at + IPV4_HEADER_BYTES);
    if (headers->data_at > 0)
        hash = hashed(hash, packet->at + headers->ports_at, packet->at + headers->ports_at + PORTS_BYTES);
    return hash ^ hash >> 15;
}

uint32_t ip_destination(const unsigned char *packet)
{
    uint32_t address = 0;
    if (!ip_is_v6(packet))
        memcpy(&address, packet + DESTINATION_AT, sizeof address);
    return address;
}
