#include "super-packet.h"

#include <string.h>

#define UDP_LENGTH_AT 4
#define UDP_CHECKSUM_AT 6
#define TCP_SEQUENCE_AT 4
#define TCP_FLAGS_AT 13
#define TCP_CHECKSUM_AT 16
#define TCP_FIN 0x01
#define TCP_PSH 0x08
#define TCP_ACK 0x10
#define TCP_CWR 0x80
#define IP_LENGTH_AT 2
#define IP_ID_AT 4
#define IP_FRAGMENT_AT 6
#define IP_CHECKSUM_AT 10
#define IP_ADDRESSES_AT 12
#define IPV4_ADDRESSES_BYTES 8
#define IPV6_LENGTH_AT 4
#define IPV6_NEXT_HEADER_AT 6
#define IPV6_ADDRESSES_AT 8
#define IPV6_ADDRESSES_BYTES 32
/** Linux 6.2; older headers do not have it. */
#define GSO_UDP_L4 5

static uint16_t get16(const unsigned char *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static uint32_t get32(const unsigned char *at)
{
    return (uint32_t)get16(at) << 16 | get16(at + 2);
}

static void put16(unsigned char *at, uint16_t value)
{
    at[0] = (unsigned char)(value >> 8);
    at[1] = (unsigned char)value;
}

static void put32(unsigned char *at, uint32_t value)
{
    put16(at, (uint16_t)(value >> 16));
    put16(at + 2, (uint16_t)value);
}

static uint32_t sum16(const unsigned char *at, size_t bytes)
{
    uint32_t sum = 0;
    for (size_t i = 0; i + 1 < bytes; i += 2)
        sum += get16(at + i);
    return sum;
}

/** Ones' complement sum (RFC 1071). */
static uint16_t folded(uint32_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
}

/** The sum of the addresses, for a pseudo header (RFC 9293 §3.1, RFC 8200 §8.1). */
static uint32_t address_sum(const unsigned char *head)
{
    return ip_is_v6(head) ? sum16(head + IPV6_ADDRESSES_AT, IPV6_ADDRESSES_BYTES)
                          : sum16(head + IP_ADDRESSES_AT, IPV4_ADDRESSES_BYTES);
}

/**
 * Writes into a packet's headers how long it is, and the sum of the pseudo header, which is what stands in the place of a
 * checksum that is left open.
 */
static void set_length(unsigned char *head, const struct ip_headers *headers, uint32_t bytes)
{
    uint32_t ip = headers->ports_at;
    unsigned char *transport = head + ip;
    bool tcp = headers->protocol == PROTOCOL_TCP;
    if (ip_is_v6(head)) {
        put16(head + IPV6_LENGTH_AT, (uint16_t)(bytes - ip));
    } else {
        put16(head + IP_LENGTH_AT, (uint16_t)bytes);
        put16(head + IP_CHECKSUM_AT, 0);
        put16(head + IP_CHECKSUM_AT, (uint16_t)~folded(sum16(head, ip)));
    }
    if (!tcp)
        put16(transport + UDP_LENGTH_AT, (uint16_t)(bytes - ip));
    uint32_t pseudo = address_sum(head) + headers->protocol + (bytes - ip);
    put16(transport + (tcp ? TCP_CHECKSUM_AT : UDP_CHECKSUM_AT), folded(pseudo));
}

/** As what the kernel names a super-packet of this flow. */
static uint8_t gso_type_of(const unsigned char *head, const struct ip_headers *headers)
{
    if (headers->protocol == PROTOCOL_UDP)
        return GSO_UDP_L4;
    return ip_is_v6(head) ? VIRTIO_NET_HDR_GSO_TCPV6 : VIRTIO_NET_HDR_GSO_TCPV4;
}

bool cutting_begin(struct cutting *cutting, const struct virtio_net_hdr *header, const struct ip_packet *packet)
{
    *cutting = (struct cutting){.packet = *packet, .payload_bytes = packet->bytes, .whole = true};
    if (header->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM)
        cutting->checksum = (struct open_checksum){.start = header->csum_start, .offset = header->csum_offset};
    if (header->gso_type == VIRTIO_NET_HDR_GSO_NONE)
        return packet->bytes <= PACKET_BYTES;
    uint32_t end = packet->headers.data_at;
    uint8_t type = header->gso_type & (uint8_t)~VIRTIO_NET_HDR_GSO_ECN;
    if (end == 0 || type != gso_type_of(packet->at, &packet->headers) || header->gso_size == 0 ||
        end + header->gso_size > PACKET_BYTES)
        return false;
    cutting->whole = false;
    cutting->header_bytes = end;
    cutting->payload_bytes = packet->bytes - end;
    cutting->segment_bytes = header->gso_size;
    return true;
}

/** What differs from segment to segment beside the lengths: TCP's sequence and flags, and the identification of IPv4. */
static void number_segment(const struct cutting *cutting, unsigned char *target, bool last)
{
    unsigned char *transport = target + cutting->packet.headers.ports_at;
    if (!ip_is_v6(target))
        put16(target + IP_ID_AT, (uint16_t)(get16(target + IP_ID_AT) + cutting->index));
    if (cutting->packet.headers.protocol != PROTOCOL_TCP)
        return;
    put32(transport + TCP_SEQUENCE_AT, get32(transport + TCP_SEQUENCE_AT) + cutting->done_bytes);
    if (!last)
        transport[TCP_FLAGS_AT] &= (unsigned char)~(TCP_FIN | TCP_PSH);
    if (cutting->index > 0)
        transport[TCP_FLAGS_AT] &= (unsigned char)~TCP_CWR;
}

uint32_t cutting_next(struct cutting *cutting, unsigned char *target)
{
    if (cutting->ended)
        return 0;
    if (cutting->whole) {
        cutting->ended = true;
        memcpy(target, cutting->packet.at, cutting->payload_bytes);
        return cutting->payload_bytes;
    }
    uint32_t left = cutting->payload_bytes - cutting->done_bytes;
    uint32_t payload = left < cutting->segment_bytes ? left : cutting->segment_bytes;
    memcpy(target, cutting->packet.at, cutting->header_bytes);
    memcpy(target + cutting->header_bytes, cutting->packet.at + cutting->header_bytes + cutting->done_bytes, payload);
    number_segment(cutting, target, payload == left);
    set_length(target, &cutting->packet.headers, cutting->header_bytes + payload);
    cutting->done_bytes += payload;
    cutting->index++;
    cutting->ended = payload == left;
    return cutting->header_bytes + payload;
}

void joining_reset(struct joining *joining)
{
    joining->count = 0;
    joining->closed = false;
}

static unsigned char tcp_flags(const struct ip_packet *packet)
{
    return packet->at[packet->headers.ports_at + TCP_FLAGS_AT];
}

static bool must_be_last(const struct ip_packet *packet)
{
    return packet->headers.protocol == PROTOCOL_TCP && (tcp_flags(packet) & TCP_PSH);
}

/** Whether a packet with data may be put together with others at all; its checksum must have been left open. */
static bool is_joinable(const struct ip_packet *packet, struct open_checksum checksum, bool udp)
{
    const struct ip_headers *headers = &packet->headers;
    if (headers->data_at == 0 || headers->data_at == packet->bytes || checksum.start != headers->ports_at)
        return false;
    if (headers->protocol == PROTOCOL_UDP)
        return udp;
    return (tcp_flags(packet) & ~TCP_PSH) == TCP_ACK;
}

/** Whether two IP headers, of the same length, and the ports behind them are the same but for length, number and checksum. */
static bool is_same_flow(const unsigned char *head, const unsigned char *other, uint32_t ip)
{
    if (ip_is_v6(head) != ip_is_v6(other))
        return false;
    if (ip_is_v6(head))
        return !memcmp(head, other, IPV6_LENGTH_AT) &&
               !memcmp(head + IPV6_NEXT_HEADER_AT, other + IPV6_NEXT_HEADER_AT,
                       ip + TCP_SEQUENCE_AT - IPV6_NEXT_HEADER_AT);
    return !memcmp(head, other, IP_LENGTH_AT) &&
           !memcmp(head + IP_FRAGMENT_AT, other + IP_FRAGMENT_AT, IP_CHECKSUM_AT - IP_FRAGMENT_AT) &&
           !memcmp(head + IP_ADDRESSES_AT, other + IP_ADDRESSES_AT, ip + TCP_SEQUENCE_AT - IP_ADDRESSES_AT);
}

/** The same flow, the same headers but for lengths, numbers and checksums, and TCP's bytes right behind the last. */
static bool continues(const struct joining *joining, const struct ip_packet *packet)
{
    const unsigned char *head = joining->head, *other = packet->at;
    uint32_t ip = joining->headers.ports_at, end = joining->header_bytes;
    if (packet->headers.data_at != end || packet->headers.ports_at != ip || !is_same_flow(head, other, ip))
        return false;
    if (joining->headers.protocol == PROTOCOL_UDP)
        return true;
    const unsigned char *a = head + ip, *b = other + ip;
    return get32(b + TCP_SEQUENCE_AT) == joining->next_sequence &&
           !memcmp(a + TCP_SEQUENCE_AT + 4, b + TCP_SEQUENCE_AT + 4, TCP_FLAGS_AT - TCP_SEQUENCE_AT - 4) &&
           !memcmp(a + TCP_FLAGS_AT + 1, b + TCP_FLAGS_AT + 1, 2) &&
           !memcmp(a + TCP_CHECKSUM_AT + 2, b + TCP_CHECKSUM_AT + 2, end - ip - TCP_CHECKSUM_AT - 2);
}

static struct iovec part_of(const struct ip_packet *packet, uint32_t from)
{
    return (struct iovec){.iov_base = (void *)(uintptr_t)(packet->at + from), .iov_len = packet->bytes - from};
}

static void begin_joining(struct joining *joining, const struct ip_packet *packet, struct open_checksum checksum,
                          bool joinable)
{
    joining->header = (struct virtio_net_hdr){0};
    if (checksum.start > 0) {
        joining->header.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM;
        joining->header.csum_start = checksum.start;
        joining->header.csum_offset = checksum.offset;
    }
    joining->count = 1;
    joining->bytes = packet->bytes;
    joining->parts[2] = part_of(packet, 0);
    joining->closed = !joinable || must_be_last(packet);
    joining->headers = packet->headers;
    joining->header_bytes = joinable ? packet->headers.data_at : 0;
    joining->segment_bytes = packet->bytes - joining->header_bytes;
    if (!joinable)
        return;
    memcpy(joining->head, packet->at, joining->header_bytes);
    if (packet->headers.protocol == PROTOCOL_TCP)
        joining->next_sequence =
            get32(packet->at + packet->headers.ports_at + TCP_SEQUENCE_AT) + joining->segment_bytes;
}

bool joining_add(struct joining *joining, const struct ip_packet *packet, struct open_checksum checksum, bool udp)
{
    if (joining->count > 0 && joining->closed)
        return false;
    bool joinable = is_joinable(packet, checksum, udp);
    if (joining->count == 0) {
        begin_joining(joining, packet, checksum, joinable);
        return true;
    }
    uint32_t payload = packet->bytes - packet->headers.data_at;
    if (!joinable || joining->count == MOST_JOINED || payload > joining->segment_bytes ||
        joining->bytes + payload > SUPER_PACKET_BYTES || !continues(joining, packet))
        return false;
    joining->parts[2 + joining->count++] = part_of(packet, packet->headers.data_at);
    joining->bytes += payload;
    joining->next_sequence += payload;
    joining->closed = payload < joining->segment_bytes || must_be_last(packet);
    if (must_be_last(packet))
        joining->head[joining->headers.ports_at + TCP_FLAGS_AT] |= TCP_PSH;
    return true;
}

int joining_finish(struct joining *joining)
{
    joining->parts[0] = (struct iovec){.iov_base = &joining->header, .iov_len = sizeof joining->header};
    if (joining->count == 1) {
        joining->parts[1] = joining->parts[2];
        return 2;
    }
    set_length(joining->head, &joining->headers, joining->bytes);
    joining->header.gso_type = gso_type_of(joining->head, &joining->headers);
    joining->header.gso_size = (uint16_t)joining->segment_bytes;
    joining->header.hdr_len = (uint16_t)joining->header_bytes;
    joining->parts[1] = (struct iovec){.iov_base = joining->head, .iov_len = joining->header_bytes};
    joining->parts[2].iov_base = (unsigned char *)joining->parts[2].iov_base + joining->header_bytes;
    joining->parts[2].iov_len -= joining->header_bytes;
    return 2 + joining->count;
}
