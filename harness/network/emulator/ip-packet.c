#include "ip-packet.h"

#include <stdbool.h>
#include <string.h>

#define CHECKSUM_AT 10
#define DESTINATION_AT 16

static bool is_v6(const unsigned char *packet)
{
    return packet[0] >> 4 == 6;
}

static uint16_t get16(const unsigned char *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

unsigned char ip_protocol(const unsigned char *packet)
{
    return is_v6(packet) ? packet[6] : packet[9];
}

enum ecn ip_ecn(const unsigned char *packet)
{
    return is_v6(packet) ? (packet[1] >> 4) & 3 : packet[1] & 3;
}

void ip_mark(unsigned char *packet)
{
    if (is_v6(packet)) {
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

uint32_t ip_flow(const unsigned char *packet, uint32_t bytes)
{
    uint32_t hash = 2166136261u, ports_at = (packet[0] & 0x0fu) * 4;
    unsigned char protocol = ip_protocol(packet);
    hash = hashed(hash, &protocol, &protocol + 1);
    if (is_v6(packet)) {
        hash = hashed(hash, packet + 8, packet + (bytes < 40 ? bytes : 40));
    } else {
        bool has_ports = (protocol == PROTOCOL_TCP || protocol == PROTOCOL_UDP) && bytes >= ports_at + 4 &&
                         (get16(packet + 6) & 0x3fff) == 0;
        hash = hashed(hash, packet + 12, packet + 20);
        if (has_ports)
            hash = hashed(hash, packet + ports_at, packet + ports_at + 4);
    }
    return hash ^ hash >> 15;
}

uint32_t ip_destination(const unsigned char *packet)
{
    uint32_t address = 0;
    if (!is_v6(packet))
        memcpy(&address, packet + DESTINATION_AT, sizeof address);
    return address;
}
