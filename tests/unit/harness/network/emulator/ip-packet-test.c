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
    static const unsigned char header[24] = {0x45, 0, 0x05, 0xdc, 0x12, 0x34, 0x40, 0, 64, 17, 0, 0,
                                             198,  18, 0,   2,    198,  18,   0,    1, 0x1f, 0x90, 0xc3, 0x50};
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

int main(void)
{
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
    say(ip_ecn(packet) == ECT0 && ip_protocol(packet) == PROTOCOL_UDP, "the ECN field and the protocol are read");
    make(other, NOT_ECT, 2);
    say(ip_flow(packet, 1500) == ip_flow(other, 1500), "packets of a flow have one hash, whatever their ECN field");
    other[21]++;
    say(ip_flow(packet, 1500) != ip_flow(other, 1500), "another port is another flow");
    unsigned char v6[64] = {0x60, 0x20};
    v6[6] = PROTOCOL_TCP;
    say(ip_ecn(v6) == ECT0 && ip_protocol(v6) == PROTOCOL_TCP, "IPv6 is read too");
    ip_mark(v6);
    say(ip_ecn(v6) == CE && v6[0] == 0x60, "and marked");
    return failures > 0;
}
