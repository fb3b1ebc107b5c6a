/* Cutting super-packets and putting packets together. Prints one line a case, `ok NAME` or `failed NAME`. */
#include "super-packet.h"

#include <stdio.h>
#include <string.h>

#define TCP 6
#define UDP 17
#define SEGMENT 1000u
#define ACK 0x10
#define PSH 0x08
#define CWR 0x80
#define GSO_UDP 5

static unsigned char super[SUPER_PACKET_BYTES], cut[80][PACKET_BYTES];
static uint32_t cut_bytes[80];
static struct joining joining;
static int failures;

static void expect(const char *name, bool fine)
{
    failures += !fine;
    printf("%s %s\n", fine ? "ok" : "failed", name);
}

static unsigned at16(const unsigned char *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

/** Ones' complement sum of a header; 0xffff where its checksum is right. */
static unsigned header_sum(const unsigned char *at, int bytes)
{
    unsigned sum = 0;
    for (int i = 0; i < bytes; i += 2)
        sum += at16(at + i);
    return (sum & 0xffff) + (sum >> 16);
}

static void put16(unsigned char *at, uint32_t value)
{
    at[0] = (unsigned char)(value >> 8);
    at[1] = (unsigned char)value;
}

static struct ip_packet read_packet(const unsigned char *at, uint32_t bytes)
{
    struct ip_packet packet = {.at = at, .bytes = bytes};
    ip_read_headers(&packet.headers, at, bytes);
    return packet;
}

static uint32_t head_bytes(unsigned char protocol)
{
    return protocol == TCP ? 20 + 32 : 20 + 8;
}

/** A super-packet with so much data; its bytes tell their places. @returns its size */
static uint32_t make(unsigned char protocol, uint32_t data, unsigned char flags)
{
    uint32_t head = head_bytes(protocol);
    memset(super, 0, head);
    super[0] = 0x45;
    put16(super + 2, head + data);
    if (protocol == UDP)
        put16(super + 24, head + data - 20);
    super[4] = 0x12;
    super[8] = 64;
    super[9] = protocol;
    memcpy(super + 12, "\306\022\000\001\306\022\000\002", 8);
    memcpy(super + 20, "\001\273\241\100", 4);
    if (protocol == TCP) {
        super[27] = 0xff;
        super[32] = 0x80;
        super[33] = flags;
        super[35] = 0x77;
        super[44] = 0x55;
    }
    for (uint32_t i = 0; i < data; i++)
        super[head + i] = (unsigned char)(i * 7 + i / 251);
    return head + data;
}

static struct virtio_net_hdr header_of(unsigned char protocol)
{
    return (struct virtio_net_hdr){.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
                                   .gso_type = protocol == TCP ? VIRTIO_NET_HDR_GSO_TCPV4 : GSO_UDP,
                                   .gso_size = SEGMENT,
                                   .csum_start = 20,
                                   .csum_offset = protocol == TCP ? 16 : 6};
}

static struct open_checksum checksum_of(unsigned char protocol)
{
    return (struct open_checksum){.start = 20, .offset = protocol == TCP ? 16 : 6};
}

/** @returns how many packets it gave. */
static int cut_all(unsigned char protocol, uint32_t bytes)
{
    struct virtio_net_hdr header = header_of(protocol);
    struct cutting cutting;
    int count = 0;
    struct ip_packet packet = read_packet(super, bytes);
    if (!cutting_begin(&cutting, &header, &packet))
        return -1;
    while (count < 80 && (cut_bytes[count] = cutting_next(&cutting, cut[count])) > 0)
        count++;
    return count;
}

static bool add(unsigned char protocol, int index)
{
    struct ip_packet packet = read_packet(cut[index], cut_bytes[index]);
    return joining_add(&joining, &packet, checksum_of(protocol), true);
}

/** @returns the size of what would be written; it is compared with the super-packet behind the headers. */
static uint32_t written(uint32_t head, bool *same)
{
    static unsigned char whole[SUPER_PACKET_BYTES + 100];
    int parts = joining_finish(&joining);
    uint32_t size = 0;
    for (int i = 1; i < parts; i++) {
        memcpy(whole + size, joining.parts[i].iov_base, joining.parts[i].iov_len);
        size += (uint32_t)joining.parts[i].iov_len;
    }
    *same = !memcmp(whole + head, super + head, size - head) && at16(whole + 2) == size &&
            header_sum(whole, 20) == 0xffff;
    return size;
}

static void cuts_and_joins(unsigned char protocol)
{
    uint32_t head = head_bytes(protocol), bytes = make(protocol, 3 * SEGMENT + 300, ACK | PSH);
    bool tcp = protocol == TCP, heads = true, flags = true, data = true, joined = true, same;
    int count = cut_all(protocol, bytes);
    for (int i = 0; i < count; i++) {
        const unsigned char *packet = cut[i];
        heads = heads && at16(packet + 2) == cut_bytes[i] && header_sum(packet, 20) == 0xffff &&
                at16(packet + 4) == 0x1200u + (unsigned)i && (tcp || at16(packet + 24) == cut_bytes[i] - 20);
        flags = flags && (!tcp || packet[33] == (i == count - 1 ? ACK | PSH : ACK)) &&
                (!tcp || at16(packet + 26) == ((0xffu + (unsigned)i * SEGMENT) & 0xffff));
        data = data && !memcmp(packet + head, super + head + (size_t)i * SEGMENT, cut_bytes[i] - head);
    }
    expect(tcp ? "tcp_is_cut_into_its_segments" : "udp_is_cut_into_its_datagrams",
           count == 4 && cut_bytes[0] == head + SEGMENT && cut_bytes[3] == head + 300);
    expect(tcp ? "each_tcp_segment_has_its_lengths" : "each_datagram_has_its_lengths", heads);
    expect(tcp ? "each_tcp_segment_has_its_number_and_flags" : "datagrams_have_no_flags", flags);
    expect(tcp ? "each_tcp_segment_has_its_data" : "each_datagram_has_its_data", data);
    joining_reset(&joining);
    for (int i = 0; i < count; i++)
        joined = joined && add(protocol, i);
    expect(tcp ? "tcp_segments_are_put_together" : "datagrams_are_put_together",
           joined && written(head, &same) == bytes && same && joining.header.gso_size == SEGMENT &&
               joining.header.gso_type == header_of(protocol).gso_type && joining.header.csum_start == 20);
    joining_reset(&joining);
    expect(tcp ? "a_lost_tcp_segment_leaves_a_gap" : "a_lost_datagram_leaves_none",
           add(protocol, 0) && add(protocol, 2) == !tcp);
    joining_reset(&joining);
    expect(tcp ? "nothing_follows_a_small_segment" : "nothing_follows_a_small_datagram",
           add(protocol, 3) && !add(protocol, 0));
    joining_reset(&joining);
    expect(tcp ? "one_segment_goes_as_it_is" : "one_datagram_goes_as_it_is",
           add(protocol, 0) && joining_finish(&joining) == 2 && joining.parts[1].iov_len == cut_bytes[0] &&
               joining.header.gso_type == VIRTIO_NET_HDR_GSO_NONE);
}

/** Whether the second packet is still taken after one of its bytes has changed. */
static bool taken_with(unsigned char protocol, int at, unsigned char value)
{
    cut_all(protocol, make(protocol, 3 * SEGMENT, ACK));
    cut[1][at] = value;
    joining_reset(&joining);
    return add(protocol, 0) && add(protocol, 1);
}

/**
 * Two packets of TCP, the second right behind the first, whose data offset is too small. Such a packet was put together with the
 * next: the end of its header lay before the fields that were compared.
 */
static bool joins_with_offset(unsigned words, uint32_t data)
{
    for (int i = 0; i < 2; i++) {
        cut_bytes[i] = make(TCP, data, ACK);
        super[32] = (unsigned char)(words << 4);
        put16(super + 26, 0x1000 + (unsigned)i * (cut_bytes[i] - 20 - words * 4));
        memcpy(cut[i], super, cut_bytes[i]);
    }
    joining_reset(&joining);
    return add(TCP, 0) && add(TCP, 1);
}

/** Whether a super-packet of TCP is refused after one of its bytes has changed. */
static bool refuses_to_cut_with(int at, unsigned char value)
{
    struct virtio_net_hdr header = header_of(TCP);
    struct cutting cutting;
    uint32_t bytes = make(TCP, 3 * SEGMENT, ACK);
    super[at] = value;
    struct ip_packet packet = read_packet(super, bytes);
    return !cutting_begin(&cutting, &header, &packet);
}

static void wrong_lengths(void)
{
    bool joins = false, cuts = false;
    for (unsigned words = 0; words < 5; words++)
        for (uint32_t data = 1; data <= 1400; data += 233)
            joins |= joins_with_offset(words, data);
    expect("tcp_whose_offset_is_too_small_is_never_put_together", !joins && joins_with_offset(5, 500));
    for (unsigned words = 0; words < 5; words++)
        cuts |= !refuses_to_cut_with(32, (unsigned char)(words << 4));
    expect("nor_is_it_cut", !cuts && !refuses_to_cut_with(32, 0x80));
    expect("a_length_that_is_not_the_packets_own_keeps_it_apart",
           !taken_with(TCP, 3, 1) && !taken_with(UDP, 3, 1) && !taken_with(UDP, 25, 1) && refuses_to_cut_with(2, 0));
    expect("so_do_options_that_would_end_behind_it", !taken_with(TCP, 0, 0x4f) && refuses_to_cut_with(0, 0x44));
}

/** The same over IPv6, whose header is twice as long. @returns its size */
static uint32_t make_v6(unsigned char protocol, uint32_t data, unsigned char flags)
{
    static unsigned char v4[SUPER_PACKET_BYTES];
    uint32_t bytes = make(protocol, data, flags);
    memcpy(v4, super, bytes);
    memcpy(super + 40, v4 + 20, bytes - 20);
    memset(super, 0, 40);
    super[0] = 0x60;
    super[3] = 0x2a;
    put16(super + 4, bytes - 20);
    super[6] = protocol;
    super[7] = 64;
    for (int i = 8; i < 40; i++)
        super[i] = (unsigned char)i;
    return bytes + 20;
}

static struct virtio_net_hdr header_of_v6(unsigned char protocol)
{
    struct virtio_net_hdr header = header_of(protocol);
    header.csum_start = 40;
    if (protocol == TCP)
        header.gso_type = VIRTIO_NET_HDR_GSO_TCPV6;
    return header;
}

static int cut_all_v6(unsigned char protocol, uint32_t bytes, struct virtio_net_hdr header)
{
    struct cutting cutting;
    int count = 0;
    struct ip_packet packet = read_packet(super, bytes);
    if (packet.headers.protocol != protocol || !cutting_begin(&cutting, &header, &packet))
        return -1;
    while (count < 80 && (cut_bytes[count] = cutting_next(&cutting, cut[count])) > 0)
        count++;
    return count;
}

static bool add_v6(unsigned char protocol, int index)
{
    struct ip_packet packet = read_packet(cut[index], cut_bytes[index]);
    struct open_checksum checksum = {.start = 40, .offset = protocol == TCP ? 16 : 6};
    return joining_add(&joining, &packet, checksum, true);
}

/** What stands in the place of an open checksum: the sum over addresses, protocol and length (RFC 8200 §8.1). */
static bool has_pseudo_sum(const unsigned char *packet, uint32_t bytes, unsigned char protocol)
{
    unsigned sum = protocol + bytes - 40;
    for (int i = 8; i < 40; i += 2)
        sum += at16(packet + i);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return at16(packet + 40 + (protocol == TCP ? 16 : 6)) == sum;
}

/** Whether the second packet over IPv6 is still taken after one of its bytes has changed. */
static bool taken_with_v6(unsigned char protocol, int at, unsigned char value)
{
    cut_all_v6(protocol, make_v6(protocol, 3 * SEGMENT, ACK), header_of_v6(protocol));
    cut[1][at] = value;
    joining_reset(&joining);
    return add_v6(protocol, 0) && add_v6(protocol, 1);
}

static void cuts_and_joins_v6(unsigned char protocol)
{
    uint32_t head = head_bytes(protocol) + 20, bytes = make_v6(protocol, 3 * SEGMENT + 300, ACK | PSH);
    bool tcp = protocol == TCP, heads = true, data = true, joined = true;
    int count = cut_all_v6(protocol, bytes, header_of_v6(protocol));
    for (int i = 0; i < count; i++) {
        const unsigned char *packet = cut[i];
        heads = heads && !memcmp(packet, super, 4) && !memcmp(packet + 6, super + 6, 34) &&
                at16(packet + 4) == cut_bytes[i] - 40 && has_pseudo_sum(packet, cut_bytes[i], protocol) &&
                (tcp ? at16(packet + 46) == ((0xffu + (unsigned)i * SEGMENT) & 0xffff)
                     : at16(packet + 44) == cut_bytes[i] - 40);
        data = data && !memcmp(packet + head, super + head + (size_t)i * SEGMENT, cut_bytes[i] - head);
    }
    expect(tcp ? "tcp_over_ipv6_is_cut" : "udp_over_ipv6_is_cut",
           count == 4 && cut_bytes[0] == head + SEGMENT && cut_bytes[3] == head + 300 && data);
    expect(tcp ? "each_has_its_payload_length_and_sum" : "each_datagram_has_its_payload_length_and_sum", heads);
    joining_reset(&joining);
    for (int i = 0; i < count; i++)
        joined = joined && add_v6(protocol, i);
    static unsigned char whole[SUPER_PACKET_BYTES + 100];
    int parts = joining_finish(&joining);
    uint32_t size = 0;
    for (int i = 1; i < parts; i++) {
        memcpy(whole + size, joining.parts[i].iov_base, joining.parts[i].iov_len);
        size += (uint32_t)joining.parts[i].iov_len;
    }
    expect(tcp ? "they_are_put_together_again" : "datagrams_are_put_together_again",
           joined && size == bytes && at16(whole + 4) == bytes - 40 && !memcmp(whole + head, super + head, size - head) &&
               joining.header.gso_type == header_of_v6(protocol).gso_type && joining.header.hdr_len == head &&
               joining.header.csum_start == 40);
    expect(tcp ? "another_flow_of_ipv6_is_not" : "another_flow_of_datagrams_is_not",
           taken_with_v6(protocol, 7, 64) && !taken_with_v6(protocol, 39, 1) && !taken_with_v6(protocol, 43, 1) &&
               !taken_with_v6(protocol, 3, 1) && !taken_with_v6(protocol, 1, 0x30));
    expect(tcp ? "nor_is_another_length" : "nor_are_other_lengths_of_datagrams",
           !taken_with_v6(protocol, 5, 1) && !taken_with_v6(protocol, 6, 0));
}

/** A version of IP that the kernel's word does not fit is not cut. */
static void other_version(void)
{
    uint32_t bytes = make_v6(TCP, 3 * SEGMENT, ACK);
    bool refuses_v4 = cut_all_v6(TCP, bytes, header_of(TCP)) < 0;
    bytes = make(TCP, 3 * SEGMENT, ACK);
    expect("tcp_of_another_version_than_said_is_not_cut",
           refuses_v4 && cut_all_v6(TCP, bytes, header_of_v6(TCP)) < 0 && cut_all(TCP, bytes) == 3);
    make_v6(UDP, 3 * SEGMENT, 0);
    super[6] = 44;
    expect("what_is_behind_an_extension_header_is_not_cut", cut_all_v6(44, 3 * SEGMENT + 48, header_of_v6(UDP)) < 0);
}

int main(void)
{
    wrong_lengths();
    other_version();
    cuts_and_joins_v6(TCP);
    cuts_and_joins_v6(UDP);
    cuts_and_joins(TCP);
    cuts_and_joins(UDP);
    expect("an_unchanged_packet_is_taken", taken_with(TCP, 8, 64) && taken_with(UDP, 8, 64));
    expect("another_flow_is_not", !taken_with(TCP, 23, 1) && !taken_with(UDP, 23, 1) && !taken_with(UDP, 15, 9));
    expect("another_acknowledgement_is_not", !taken_with(TCP, 31, 1));
    expect("another_window_or_option_is_not", !taken_with(TCP, 35, 1) && !taken_with(TCP, 44, 1));
    expect("another_mark_of_congestion_is_not", !taken_with(TCP, 1, 3) && !taken_with(UDP, 1, 3));
    expect("a_flag_beside_the_acknowledgement_is_not", !taken_with(TCP, 33, ACK | 0x01));
    expect("a_fragment_is_not", !taken_with(UDP, 6, 0x20));

    cut_all(TCP, make(TCP, 2 * SEGMENT, ACK | CWR));
    expect("a_reduced_window_is_told_once", cut[0][33] == (ACK | CWR) && cut[1][33] == ACK);

    cut_all(UDP, make(UDP, 2 * SEGMENT, 0));
    struct ip_packet first = read_packet(cut[0], cut_bytes[0]), second = read_packet(cut[1], cut_bytes[1]);
    joining_reset(&joining);
    expect("a_complete_checksum_keeps_packets_apart",
           joining_add(&joining, &first, (struct open_checksum){0}, true) && !add(UDP, 1));
    joining_reset(&joining);
    expect("a_kernel_without_it_gets_datagrams_one_by_one",
           joining_add(&joining, &first, checksum_of(UDP), false) &&
               !joining_add(&joining, &second, checksum_of(UDP), false));

    int count = cut_all(UDP, make(UDP, 65 * SEGMENT, 0)), taken = 0;
    joining_reset(&joining);
    while (taken < count && add(UDP, taken))
        taken++;
    bool same;
    expect("no_more_than_the_kernel_takes", count == 65 && taken == MOST_JOINED &&
                                                written(28, &same) == 28 + MOST_JOINED * SEGMENT && same);

    struct virtio_net_hdr plain = {0}, odd = header_of(TCP);
    struct cutting cutting;
    odd.gso_size = 3000;
    make(TCP, 5000, ACK);
    struct ip_packet small = read_packet(super, 600), large = read_packet(super, 5052);
    expect("a_packet_passes_as_it_is", cutting_begin(&cutting, &plain, &small) &&
                                           cutting_next(&cutting, cut[0]) == 600 && !memcmp(cut[0], super, 600) &&
                                           cutting_next(&cutting, cut[0]) == 0);
    expect("segments_larger_than_packets_are_refused", !cutting_begin(&cutting, &odd, &large));
    expect("a_large_packet_that_nobody_may_cut_is_refused", !cutting_begin(&cutting, &plain, &large));
    super[0] = 0x60;
    odd.gso_size = SEGMENT;
    large = read_packet(super, 5052);
    expect("what_is_not_ipv4_is_refused", !cutting_begin(&cutting, &odd, &large));
    return failures > 0;
}
