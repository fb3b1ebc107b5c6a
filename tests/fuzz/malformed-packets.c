/*
 * Malformed packets through every kind of queue that a direction of a path may have, in its own memory: the devices are sockets
 * of this process.
 *
 * malformed-packets SEED PACKETS
 *
 * Prints one line, `ok …` or `failed …`, for each kind. What it looks for beside what the sanitizers find: every packet leaves, or is
 * counted as dropped, and gives its place back; what leaves has headers that agree with its size.
 */
#include "direction.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MS 1000000ull
#define GSO_UDP 5
#define SLOTS 65536u
#define DATA_BYTES 60000u
/** Packets between two looks at what leaves. */
#define BURST 10

static uint64_t random_state;
static struct {
    struct virtio_net_hdr header;
    unsigned char packet[SUPER_PACKET_BYTES];
} __attribute__((packed)) unit, left;

/** From 0 to `below`, without it. */
static uint32_t any(uint32_t below)
{
    return (uint32_t)(random_uniform(&random_state) * below);
}

static uint32_t one_of(const uint32_t *values, uint32_t count)
{
    return values[any(count)];
}
#define ONE_OF(...) one_of((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void put16(unsigned char *at, uint32_t value)
{
    at[0] = (unsigned char)(value >> 8);
    at[1] = (unsigned char)value;
}

static void fill(unsigned char *at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)any(256);
}

/** A header of IPv4 in front of what is there already. @returns the packet's bytes */
static uint32_t put_ip(uint32_t words, unsigned char protocol, uint32_t behind)
{
    unsigned char *packet = unit.packet;
    uint32_t bytes = words * 4 + behind;
    memset(packet, 0, 20);
    packet[0] = (unsigned char)(0x40 | words);
    packet[1] = (unsigned char)any(4);
    put16(packet + 2, any(8) ? bytes : any(65536));
    packet[8] = 64;
    packet[9] = protocol;
    memcpy(packet + 12, "\306\022\000\001\306\022\000\002", 8);
    return bytes;
}

static uint32_t noise(void)
{
    uint32_t bytes = any(80);
    fill(unit.packet, bytes);
    return bytes;
}

static uint32_t odd_ip(void)
{
    uint32_t words = any(16), behind = any(1400);
    fill(unit.packet + 20, 60 + behind);
    return put_ip(words, (unsigned char)ONE_OF(6, 17, 1, 0, 255), behind);
}

static uint32_t ipv6(void)
{
    uint32_t bytes = 1 + any(100);
    fill(unit.packet, bytes);
    unit.packet[0] = 0x60;
    unit.packet[6] = (unsigned char)ONE_OF(6, 17, 58);
    return bytes;
}

/** Puts a header of IPv6 in the place of one of IPv4 without options. @returns the packet's bytes */
static uint32_t over_ipv6(uint32_t bytes)
{
    unsigned char *packet = unit.packet, protocol = packet[9];
    uint32_t behind = bytes - 20;
    memmove(packet + 40, packet + 20, behind);
    memset(packet, 0, 40);
    packet[0] = 0x60;
    packet[1] = (unsigned char)(any(4) << 4);
    put16(packet + 4, any(8) ? behind : any(65536));
    /* Now and then an extension header. */
    packet[6] = any(16) ? protocol : (unsigned char)ONE_OF(0, 43, 44, 60);
    packet[7] = 64;
    packet[23] = 1;
    packet[39] = 2;
    if (unit.header.csum_start > 0)
        unit.header.csum_start = 40;
    if (unit.header.gso_type == VIRTIO_NET_HDR_GSO_TCPV4 && any(8))
        unit.header.gso_type = VIRTIO_NET_HDR_GSO_TCPV6;
    return behind + 40;
}

static void leave_checksum_open(uint32_t offset)
{
    unit.header.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM;
    unit.header.csum_start = 20;
    unit.header.csum_offset = (uint16_t)offset;
}

/** Tiny ones of little data only: each of them is a packet that takes a place. */
static uint16_t segment_bytes(uint32_t data)
{
    return (uint16_t)(data > 1400 ? ONE_OF(536, 1200, 1448, 1472, 2048, 65535) : ONE_OF(0, 1, 7, 99, 536));
}

/** TCP whose data offset may be anything; the next one often follows this one's bytes. */
static uint32_t tcp(void)
{
    static uint32_t sequence;
    uint32_t words = any(8) ? 5 : any(16), data = ONE_OF(0, 1, 100, 1400, 3000, 20000, DATA_BYTES);
    unsigned char *header = unit.packet + 20;
    memset(header, 0, 60);
    put16(header, 443);
    put16(header + 2, 40000);
    put16(header + 4, sequence >> 16);
    put16(header + 6, sequence);
    header[12] = (unsigned char)((any(3) ? words : any(6)) << 4);
    header[13] = (unsigned char)ONE_OF(0x10, 0x10, 0x10, 0x18, 0x02, 0xff);
    leave_checksum_open(16);
    if (data > 1400 || any(8) == 0) {
        unit.header.gso_type = VIRTIO_NET_HDR_GSO_TCPV4;
        unit.header.gso_size = segment_bytes(data);
    }
    uint32_t behind = (words < 5 ? 20 : words * 4) + data;
    sequence += behind - (uint32_t)(header[12] >> 4) * 4;
    return put_ip(5, 6, behind);
}

static uint32_t udp(void)
{
    uint32_t data = ONE_OF(0, 1, 1200, 1200, 1400, 3000, 20000, DATA_BYTES);
    unsigned char *header = unit.packet + 20;
    put16(header, any(4) ? 443 : any(65536));
    put16(header + 2, any(4) ? 50000 : any(65536));
    put16(header + 4, any(8) ? 8 + data : any(65536));
    header[8] = (unsigned char)ONE_OF(0xc0, 0xff, 0x40);
    memcpy(header + 9, "\0\0\0\1", 4);
    leave_checksum_open(6);
    if (data > 1400 || any(8) == 0) {
        unit.header.gso_type = GSO_UDP;
        unit.header.gso_size = segment_bytes(data);
    }
    uint32_t bytes = put_ip(5, 17, 8 + data);
    if (any(16) == 0)
        put16(unit.packet + 6, any(65536));
    return bytes;
}

static uint32_t tcp_over_ipv6(void)
{
    return over_ipv6(tcp());
}

static uint32_t udp_over_ipv6(void)
{
    return over_ipv6(udp());
}

/** The unit as it stands, after a few of its bytes have changed. */
static void change(uint32_t bytes)
{
    for (uint32_t times = any(4); times > 0; times--)
        if (any(2))
            unit.packet[any(bytes < 60 ? bytes + 1 : 60)] = (unsigned char)any(256);
        else
            ((unsigned char *)&unit.header)[any(sizeof unit.header)] = (unsigned char)any(256);
}

/** @returns its bytes */
static uint32_t make_packet(void)
{
    static uint32_t (*const kinds[])(void) = {noise, odd_ip, ipv6, tcp, tcp, tcp, udp, udp,
                                                  tcp_over_ipv6, tcp_over_ipv6, udp_over_ipv6};
    unit.header = (struct virtio_net_hdr){0};
    uint32_t bytes = kinds[any(sizeof kinds / sizeof *kinds)]();
    if (any(4) == 0)
        change(bytes);
    return bytes && any(20) == 0 ? any(bytes) : bytes;
}

/** Whether what has left in one piece says of itself what it is. */
static bool is_whole(uint32_t bytes)
{
    struct ip_headers headers;
    struct virtio_net_hdr header = left.header;
    if (!ip_read_headers(&headers, left.packet, bytes))
        return false;
    if (header.gso_type == VIRTIO_NET_HDR_GSO_NONE)
        return bytes <= PACKET_BYTES;
    uint8_t tcp = ip_is_v6(left.packet) ? VIRTIO_NET_HDR_GSO_TCPV6 : VIRTIO_NET_HDR_GSO_TCPV4;
    if (header.gso_type != (headers.protocol == PROTOCOL_TCP ? tcp : GSO_UDP))
        return false;
    return headers.data_at > 0 && header.hdr_len == headers.data_at && header.gso_size > 0 &&
           header.csum_start == headers.ports_at && header.gso_size + headers.data_at <= PACKET_BYTES;
}

/** @returns false where something that left is not whole */
static bool read_left(int device)
{
    bool whole = true;
    for (ssize_t bytes; (bytes = read(device, &left, sizeof left)) > 0;)
        whole &= is_whole((uint32_t)((size_t)bytes - sizeof left.header));
    return whole;
}

/** Sends packets through a direction. @returns why that is a fault; NULL: it is none */
static const char *run(const struct path_config *config, bool is_up, uint32_t packets)
{
    static struct direction direction;
    static struct flow_table flows;
    static struct flight_log log;
    int in[2], out[2];
    uint64_t now_ns = clock_now_ns();
    memset(&direction, 0, sizeof direction);
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, in) < 0 ||
        socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, out) < 0)
        return "no sockets";
    int size = 1 << 22;
    setsockopt(in[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    setsockopt(out[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    if (!direction_init(&direction, (struct device_pair){.in = in[1], .out = out[0]}, config))
        return "no memory";
    flow_table_clear(&flows, now_ns);
    direction.flows = &flows;
    flight_log_clear(&log, 0);
    direction.log = &log;
    direction.is_up = is_up;
    direction_start(&direction, now_ns, 1, 0);
    path_model_follow_schedule(&direction.model, now_ns, 0);
    bool whole = true;
    for (uint32_t sent = 0; sent < packets; sent++) {
        uint32_t bytes = make_packet();
        (void)!write(in[0], &unit, sizeof unit.header + bytes);
        if (sent % BURST != 0)
            continue;
        now_ns += any(4) * MS;
        direction_drain(&direction, now_ns);
        direction_release(&direction, now_ns, MS / 8, any(2));
        whole &= read_left(out[1]);
    }
    while (direction_drain(&direction, now_ns) > 0)
        continue;
    for (uint64_t next_ns; (next_ns = direction_next_ns(&direction)) != UINT64_MAX;) {
        direction_release(&direction, next_ns, MS, true);
        whole &= read_left(out[1]);
    }
    const struct direction_counters *c = &direction.counters;
    uint64_t ended = c->packets_out + c->lost + c->queue_drops + c->aqm_drops + c->write_errors;
    close(in[0]);
    close(in[1]);
    close(out[0]);
    close(out[1]);
    if (!whole)
        return "what left has headers that do not agree with its size";
    if (direction.free_count != SLOTS)
        return "places of packets are lost";
    /* What found no room, or has no header, is counted where it comes in, before or after `packets_in`. */
    if (ended > c->packets_in || ended + c->no_room_drops < c->packets_in)
        return "packets are gone that nobody counted";
    return c->malformed > 0 && c->packets_out > 0 ? NULL : "nothing was tried";
}

/** Again and again: slow and lossy, dead, still. */
static const struct schedule_step changes[] = {
    {.bits_per_second = -1, .delay_ns = -1, .jitter_ns = -1, .loss = -1},
    {.start_ns = 20 * MS, .bits_per_second = 1e6, .delay_ns = 2 * MS, .jitter_ns = 5 * MS, .loss = 0.3},
    {.start_ns = 40 * MS, .bits_per_second = -1, .delay_ns = -1, .jitter_ns = -1, .loss = -1, .outage = true},
    {.start_ns = 45 * MS, .bits_per_second = 0, .delay_ns = 90 * MS, .jitter_ns = -1, .loss = -1},
};
#define CHANGES {.steps = changes, .count = 4, .length_ns = 60 * MS}

int main(int count, char **words)
{
    static const struct {
        const char *name;
        struct path_config config;
    } kinds[] = {
        {"no queue", {.delay_ns = 5 * MS}},
        {"a short queue, loss, reordering, copies",
         {.bits_per_second = 5e7, .queue_bytes = 100000, .delay_ns = 20 * MS, .jitter_ns = MS, .loss_good = 0.05,
          .reorder = 0.1, .duplicate = 0.1}},
        {"CoDel that marks",
         {.bits_per_second = 1e8, .queue = {.kind = AQM_CODEL, .marks = true, .limit_bytes = 1 << 20}}},
        {"FQ-CoDel that drops", {.bits_per_second = 1e8, .queue = {.kind = AQM_FQ_CODEL, .limit_bytes = 1 << 20}}},
        {"DualPI2 that marks",
         {.bits_per_second = 1e8, .queue = {.kind = AQM_DUALPI2, .marks = true, .limit_bytes = 1 << 20}}},
        {"a schedule before drop-tail",
         {.bits_per_second = 5e7, .queue_bytes = 1 << 20, .delay_ns = 20 * MS, .repeating = CHANGES}},
        {"a schedule before CoDel",
         {.bits_per_second = 5e7,
          .queue = {.kind = AQM_CODEL, .limit_bytes = 1 << 20},
          .delay_ns = 20 * MS,
          .repeating = CHANGES}},
        {"IPv6 held back", {.bits_per_second = 5e7, .queue_bytes = 1 << 20, .delay_ns = 5 * MS, .v6_delay_ns = 50 * MS}},
        {"IPv6 broken before CoDel",
         {.bits_per_second = 5e7, .queue = {.kind = AQM_CODEL, .limit_bytes = 1 << 20}, .v6_broken = true}},
        {"connections held back", {.bits_per_second = 5e7, .queue_bytes = 1 << 20, .connect_delay_ns = 30 * MS}},
    };
    if (count != 3)
        return 2;
    int faults = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        random_state = strtoull(words[1], NULL, 10) * 2 + 1;
        const char *why = run(&kinds[i].config, i % 2 == 0, (uint32_t)strtoul(words[2], NULL, 10));
        faults += why != NULL;
        printf("%s %s%s%s\n", why ? "failed" : "ok", kinds[i].name, why ? ": " : "", why ? why : "");
    }
    return faults > 0;
}
