/* What the log of first packets says of them. Prints one line a case, `ok NAME` or `failed NAME: why`. */
#include "flight-log.h"

#include "check.h"

#include <string.h>

#define CLIENT 50000
#define SERVER 443
#define SYN 0x02
#define ACK 0x10
#define TCP_HEADERS 40u
#define UDP_HEADERS 28u

static struct flight_log flights;
static unsigned char bytes_of_packet[1500];

static void put16(unsigned char *at, uint32_t value)
{
    at[0] = (unsigned char)(value >> 8);
    at[1] = (unsigned char)value;
}

/** An IPv4 packet of so many bytes, from or to the client's port. */
static struct ip_packet make(uint8_t protocol, bool is_up, uint32_t bytes, unsigned char mark)
{
    unsigned char *transport = bytes_of_packet + 20;
    memset(bytes_of_packet, 0, sizeof bytes_of_packet);
    bytes_of_packet[0] = 0x45;
    put16(bytes_of_packet + 2, bytes);
    bytes_of_packet[9] = protocol;
    put16(transport, is_up ? CLIENT : SERVER);
    put16(transport + 2, is_up ? SERVER : CLIENT);
    if (protocol == PROTOCOL_TCP) {
        transport[12] = 0x50;
        transport[13] = mark;
    } else {
        put16(transport + 4, bytes - 20);
        transport[8] = mark;
    }
    struct ip_packet packet = {.at = bytes_of_packet, .bytes = bytes};
    ip_read_headers(&packet.headers, bytes_of_packet, bytes);
    return packet;
}

static uint8_t kind_of(uint8_t protocol, bool is_up, uint32_t bytes, unsigned char mark)
{
    struct ip_packet packet = make(protocol, is_up, bytes, mark);
    flight_log_clear(&flights, 0);
    flight_log_came(&flights, is_up, &packet, 1000);
    return flights.flows[0].log[0].kind;
}

static void packets_are_told_apart(void)
{
    expect(kind_of(PROTOCOL_TCP, true, TCP_HEADERS, SYN) == (KIND_UP | KIND_OPENING), "a SYN");
    expect(kind_of(PROTOCOL_TCP, true, TCP_HEADERS, ACK) == KIND_UP, "a mere acknowledgement");
    expect(kind_of(PROTOCOL_TCP, false, TCP_HEADERS + 100, ACK) == KIND_DATA, "data of TCP");
    expect(kind_of(PROTOCOL_UDP, true, UDP_HEADERS + 1200, 0xc0) == (KIND_UP | KIND_DATA | KIND_OPENING), "an Initial");
    expect(kind_of(PROTOCOL_UDP, false, UDP_HEADERS + 1200, 0x40) == KIND_DATA, "a short header");
    expect(kind_of(PROTOCOL_UDP, false, UDP_HEADERS, 0) == 0, "a datagram without data");
}

static void both_ways_are_one_flow_and_times_count_from_the_start(void)
{
    flight_log_clear(&flights, 500000);
    struct ip_packet up = make(PROTOCOL_TCP, true, TCP_HEADERS, SYN);
    struct log_place first = flight_log_came(&flights, true, &up, 400000);
    struct ip_packet down = make(PROTOCOL_TCP, false, TCP_HEADERS, SYN | ACK);
    flight_log_came(&flights, false, &down, 3000000);
    flight_log_left(&flights, first, 2000000);
    char text[512];
    flight_log_write(&flights, text, sizeof text);
    const char *wanted = "[{\"transport\":\"tcp\",\"clientPort\":50000,\"serverPort\":443,\"isWhole\":true,"
                         "\"packets\":[[0,1500,40,5],[2500,null,40,4]]}]\n";
    expect(!strcmp(text, wanted), "%s", text);
}

static void what_came_before_a_start_leaves_no_trace_after_it(void)
{
    flight_log_clear(&flights, 0);
    struct ip_packet up = make(PROTOCOL_TCP, true, TCP_HEADERS, SYN);
    struct log_place before = flight_log_came(&flights, true, &up, 1000);
    flight_log_clear(&flights, 0);
    flight_log_came(&flights, true, &up, 5000);
    flight_log_left(&flights, before, 6000);
    expect(flights.flows[0].log[0].left_ns == 0, "left at %llu", (unsigned long long)flights.flows[0].log[0].left_ns);
}

static void beyond_its_room_packets_are_counted_alone(void)
{
    flight_log_clear(&flights, 0);
    struct ip_packet up = make(PROTOCOL_TCP, true, TCP_HEADERS, ACK);
    struct log_place last = {0};
    for (uint32_t i = 0; i <= LOGGED_PACKETS; i++)
        last = flight_log_came(&flights, true, &up, 1000 + i);
    expect(last.place == 0, "the last was written down");
    expect(flights.flows[0].packets == LOGGED_PACKETS + 1, "%u packets", flights.flows[0].packets);
    for (uint32_t port = 1; port <= LOGGED_FLOWS; port++) {
        put16(bytes_of_packet + 20, port);
        last = flight_log_came(&flights, true, &up, 2000);
    }
    expect(flights.flow_count == LOGGED_FLOWS && last.place == 0, "%u flows", flights.flow_count);
    static char text[FLIGHT_LOG_TEXT_BYTES];
    size_t length = flight_log_write(&flights, text, sizeof text);
    expect(length < sizeof text && strstr(text, "\"isWhole\":false") != NULL, "%zu bytes", length);
}

static void a_tail_is_what_nothing_follows_and_is_said_once(void)
{
    flight_log_clear(&flights, 0);
    struct ip_packet down = make(PROTOCOL_UDP, false, 1000, 0x40);
    struct log_place first = flight_log_came(&flights, false, &down, 1000);
    expect(first.number == 1 && first.flow == 1, "number %u of flow %u", first.number, first.flow);
    expect(!flight_log_is_tail(&flights, first, false, 1001), "before so many bytes");
    struct log_place second = flight_log_came(&flights, false, &down, 1000);
    struct ip_packet up = make(PROTOCOL_UDP, true, 100, 0x40);
    expect(flight_log_came(&flights, true, &up, 1000).number == 1, "directions are counted apart");
    expect(!flight_log_is_tail(&flights, first, false, 1001), "one that another follows");
    expect(flight_log_is_tail(&flights, second, false, 1001), "the last");
    struct log_place third = flight_log_came(&flights, false, &down, 2000);
    expect(!flight_log_is_tail(&flights, third, false, 1001), "a second time");
    flight_log_clear(&flights, 0);
    expect(!flight_log_is_tail(&flights, third, false, 1), "one of before the start");
}

int main(void)
{
    run("packets_are_told_apart", packets_are_told_apart);
    run("both_ways_are_one_flow_and_times_count_from_the_start", both_ways_are_one_flow_and_times_count_from_the_start);
    run("what_came_before_a_start_leaves_no_trace_after_it", what_came_before_a_start_leaves_no_trace_after_it);
    run("beyond_its_room_packets_are_counted_alone", beyond_its_room_packets_are_counted_alone);
    run("a_tail_is_what_nothing_follows_and_is_said_once", a_tail_is_what_nothing_follows_and_is_said_once);
    return failures > 0;
}
