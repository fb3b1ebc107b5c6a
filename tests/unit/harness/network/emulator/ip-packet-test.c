/* Unit tests of what is read of IP packets and written to them. Prints one line a test, `ok NAME` or `failed NAME: why`. */
#include "ip-packet.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void say(bool holds, const char *name)
{
    failures += !holds;
    printf("%s %s\n", holds ? "ok" : "failed", name);
}

/** Sum over the header with its checksum: all ones where that is right (RFC 1071). */
static bool is_sound(const unsigned char *packet)
{
    uint32_t sum = 0;
    for (int i = 0; i < 20; i += 2)
        sum += (uint32_t)(packet[i] << 8 | packet[i + 1]);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return sum == 0xffff;
}

static void make(unsigned char *packet, unsigned char ecn, unsigned char seed)
{
    static const unsigned char header[26] = {0x45, 0, 0,    40,   0x12, 0x34, 0x40, 0, 64, 17, 0, 0,
                                             198,  18, 0,   2,    198,  18,   0,    1, 0x1f, 0x90, 0xc3, 0x50, 0,   20};
    memcpy(packet, header, sizeof header);
    packet[1] = ecn;
    packet[4] = seed;
    uint32_t sum = 0;
    for (int i = 0; i < 20; i += 2)
        sum += (uint32_t)(packet[i] << 8 | packet[i + 1]);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    packet[10] = (unsigned char)(~sum >> 8);
    packet[11] = (unsigned char)~sum;
}

/** A packet of 40 bytes with this first byte, protocol, fragment field and the byte at 32, where TCP has its data offset. */
static struct ip_headers read_made(uint32_t bytes, unsigned char first, unsigned char protocol, unsigned fragment,
                                   unsigned char offset)
{
    unsigned char packet[64] = {first};
    struct ip_headers headers = {.protocol = 255, .ports_at = 255, .data_at = 255};
    packet[3] = 40;
    packet[6] = (unsigned char)(fragment >> 8);
    packet[7] = (unsigned char)fragment;
    packet[9] = protocol;
    packet[25] = 20;
    packet[32] = offset;
    if (first >> 4 == 6)
        packet[6] = protocol;
    if (!ip_read_headers(&headers, packet, bytes))
        headers.protocol = 255;
    return headers;
}

/** A packet of IPv6 whose header says so many bytes behind it, with the byte at which TCP has its data offset; UDP says 20. */
static struct ip_headers read_v6(uint32_t bytes, unsigned char behind, unsigned char next, unsigned char offset)
{
    unsigned char packet[64] = {0x60};
    struct ip_headers headers;
    packet[5] = behind;
    packet[6] = next;
    packet[45] = 20;
    packet[52] = offset;
    if (!ip_read_headers(&headers, packet, bytes))
        headers.protocol = 255;
    return headers;
}

static bool is_read_as(struct ip_headers headers, unsigned ports_at, unsigned data_at)
{
    return headers.protocol != 255 && headers.ports_at == ports_at && headers.data_at == data_at;
}

static bool is_refused(uint32_t bytes, unsigned char first)
{
    return read_made(bytes, first, PROTOCOL_TCP, 0, 0x50).protocol == 255;
}

static void headers(void)
{
    bool small = true, refused = true;
    say(is_read_as(read_made(40, 0x45, PROTOCOL_TCP, 0, 0x50), 20, 40), "TCP without options ends where its offset says");
    say(is_read_as(read_made(40, 0x45, PROTOCOL_UDP, 0, 0), 20, 28), "UDP has eight bytes");
    for (unsigned char words = 0; words < 5; words++)
        small &= is_read_as(read_made(40, 0x45, PROTOCOL_TCP, 0, (unsigned char)(words << 4)), 20, 0);
    say(small, "an offset below the smallest header leads nowhere");
    say(is_read_as(read_made(40, 0x45, PROTOCOL_TCP, 0, 0x60), 20, 0), "nor does one behind the packet's end");
    say(is_read_as(read_made(44, 0x45, PROTOCOL_TCP, 0, 0x50), 20, 0), "nor one in a packet of another length");
    say(is_read_as(read_made(40, 0x4a, PROTOCOL_TCP, 0, 0x50), 0, 0), "options of IP that take all room leave no ports");
    say(is_read_as(read_made(40, 0x45, PROTOCOL_UDP, 0x2000, 0), 20, 0), "a first fragment has ports and no data of its own");
    say(is_read_as(read_made(40, 0x45, PROTOCOL_UDP, 0x0001, 0), 0, 0), "a later one has neither");
    say(is_read_as(read_made(40, 0x45, 1, 0, 0), 0, 0), "what is neither TCP nor UDP has neither");
    say(is_read_as(read_v6(60, 20, PROTOCOL_TCP, 0x50), 40, 60) && is_read_as(read_v6(60, 20, PROTOCOL_UDP, 0), 40, 48),
        "so do TCP and UDP right behind a header of IPv6");
    say(is_read_as(read_v6(60, 19, PROTOCOL_TCP, 0x50), 40, 0) && is_read_as(read_v6(60, 20, PROTOCOL_TCP, 0x40), 40, 0) &&
            is_read_as(read_v6(60, 20, PROTOCOL_TCP, 0x60), 40, 0) && is_read_as(read_v6(44, 4, PROTOCOL_UDP, 0), 40, 0),
        "unless its lengths do not agree");
    say(is_read_as(read_v6(60, 20, 44, 0x50), 0, 0), "a fragment of IPv6 has neither");
    say(is_read_as(read_made(44, 0x60, PROTOCOL_TCP, 0, 0x50), 40, 0) && is_read_as(read_made(40, 0x60, PROTOCOL_TCP, 0, 0), 0, 0),
        "IPv6 has ports where there is room for them");
    for (unsigned char words = 0; words < 5; words++)
        refused &= is_refused(40, (unsigned char)(0x40 | words));
    say(refused && is_refused(40, 0x4b) && is_refused(19, 0x45) && is_refused(0, 0x45) && is_refused(39, 0x60) &&
            is_refused(40, 0x50) && is_refused(40, 0x00),
        "what has no whole header of IP is refused");
}

static struct ip_packet read_packet(const unsigned char *at, uint32_t bytes)
{
    struct ip_packet packet = {.at = at, .bytes = bytes};
    ip_read_headers(&packet.headers, at, bytes);
    return packet;
}

int main(void)
{
    headers();
    unsigned char packet[64] = {0}, other[64] = {0};
    bool sound = true, marked = true;
    for (unsigned ecn = 0; ecn < 4; ecn++)
        for (unsigned seed = 0; seed < 256; seed++) {
            make(packet, (unsigned char)(0xb8 | ecn), (unsigned char)seed);
            ip_mark(packet);
            sound &= is_sound(packet);
            marked &= ip_ecn(packet) == CE && packet[1] >> 2 == 0xb8 >> 2;
        }
    say(sound, "a marked packet's checksum is right");
    say(marked, "a mark changes nothing but the ECN field");
    make(packet, ECT0, 1);
    struct ip_packet one = read_packet(packet, 40), two;
    say(ip_ecn(packet) == ECT0 && one.headers.protocol == PROTOCOL_UDP, "the ECN field and the protocol are read");
    make(other, NOT_ECT, 2);
    two = read_packet(other, 40);
    say(ip_flow(&one) == ip_flow(&two), "packets of a flow have one hash, whatever their ECN field");
    other[21]++;
    say(ip_flow(&one) != ip_flow(&two), "another port is another flow");
    unsigned char v6[64] = {0x60, 0x20};
    v6[6] = PROTOCOL_TCP;
    say(ip_ecn(v6) == ECT0 && read_packet(v6, 64).headers.protocol == PROTOCOL_TCP, "IPv6 is read too");
    ip_mark(v6);
    say(ip_ecn(v6) == CE && v6[0] == 0x60, "and marked");
    return failures > 0;
}
