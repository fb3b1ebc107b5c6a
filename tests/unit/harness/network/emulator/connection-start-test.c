/* Which packets count as opening a connection. Prints one line a case, `ok NAME` or `failed NAME`. */
#include "connection-start.h"

#include <stdio.h>
#include <string.h>

static unsigned char packet[1500];
static int failures;

/** An IPv4 packet of the protocol, its source port 0x1234, all else but TCP's data offset zero. */
static unsigned char *make(unsigned char protocol)
{
    memset(packet, 0, sizeof packet);
    packet[0] = 0x45;
    packet[9] = protocol;
    packet[20] = 0x12;
    packet[21] = 0x34;
    if (protocol == PROTOCOL_TCP)
        packet[32] = 0x50;
    return packet + 20;
}

static void expect(const char *name, uint32_t bytes, enum connection_start wanted)
{
    uint16_t port = 0;
    struct ip_packet read = {.at = packet, .bytes = bytes};
    packet[2] = (unsigned char)(bytes >> 8);
    packet[3] = (unsigned char)bytes;
    if (packet[9] == PROTOCOL_UDP) {
        packet[24] = (unsigned char)((bytes - 20) >> 8);
        packet[25] = (unsigned char)(bytes - 20);
    }
    ip_read_headers(&read.headers, packet, bytes);
    enum connection_start got = connection_start_of(&read, &port);
    int fine = got == wanted && (wanted == START_NONE || port == 0x1234);
    failures += !fine;
    printf("%s %s\n", fine ? "ok" : "failed", name);
}

static void make_quic(unsigned char first, uint32_t version)
{
    unsigned char *payload = make(17) + 8;
    payload[0] = first;
    for (int i = 0; i < 4; i++)
        payload[1 + i] = (unsigned char)(version >> (24 - 8 * i));
}

static struct connection_starts starts;
static const uint64_t second_ns = 1000000000u;

static void expect_held(const char *name, uint32_t bytes, double at_seconds, bool wanted)
{
    struct ip_packet read = {.at = packet, .bytes = bytes};
    packet[2] = (unsigned char)(bytes >> 8);
    packet[3] = (unsigned char)bytes;
    ip_read_headers(&read.headers, packet, bytes);
    /* Times of a machine that is up for a while: at 0 no port has been used yet. */
    uint64_t arrival_ns = 100 * second_ns + (uint64_t)(at_seconds * 1e9);
    bool fine = connection_starts_holds(&starts, &read, second_ns, arrival_ns) == wanted;
    failures += !fine;
    printf("%s %s\n", fine ? "ok" : "failed", name);
}

/** By a delay of a second. */
static void expect_holding(void)
{
    make(6)[13] = 0x02;
    expect_held("each_syn_is_held", 60, 0, true);
    expect_held("a_syn_that_is_sent_again_too", 60, 2, true);
    make(6)[13] = 0x10;
    expect_held("an_acknowledgement_is_not_held", 60, 0, false);
    make_quic(0xc3, 1);
    packet[24] = 1260 >> 8;
    packet[25] = 1260 & 0xff;
    expect_held("the_first_initial_is_held", 1280, 10, true);
    expect_held("one_within_the_delay_is_held", 1280, 10.9, true);
    expect_held("a_later_one_is_not", 1280, 11.1, false);
    expect_held("that_of_a_connection_with_the_same_port_is_held", 1280, 16, true);
}

int main(void)
{
    make(6)[13] = 0x02;
    expect("a_syn_opens", 60, START_TCP);
    make(6)[13] = 0x12;
    expect("a_syn_that_answers_does_not", 60, START_NONE);
    make(6)[13] = 0x10;
    expect("an_acknowledgement_does_not", 60, START_NONE);
    make_quic(0xc3, 1);
    expect("an_initial_of_version_1_opens", 1280, START_QUIC);
    expect("a_small_datagram_does_not", 900, START_NONE);
    make_quic(0xd0, 0x6b3343cf);
    expect("an_initial_of_version_2_opens", 1280, START_QUIC);
    make_quic(0xe0, 1);
    expect("a_handshake_packet_does_not", 1280, START_NONE);
    make_quic(0x43, 1);
    expect("a_short_header_does_not", 1280, START_NONE);
    make_quic(0xc3, 0xfaceb00c);
    expect("arbitrary_bytes_do_not", 1280, START_NONE);
    make(6)[13] = 0x02;
    packet[32] = 0x40;
    expect("a_syn_whose_header_is_too_short_does_not", 60, START_NONE);
    make_quic(0xc3, 1);
    packet[0] = 0x60;
    expect("what_is_not_ipv4_does_not", 1280, START_NONE);
    if (!connection_starts_init(&starts))
        return 1;
    expect_holding();
    return failures > 0;
}
