/*
 * Writes down the first packets of each flow, when each came to the path and when it left it: of this a connection's
 * start is told (`connection-flights.ts`). Nothing is judged here.
 */
#ifndef H2H3_FLIGHT_LOG_H
#define H2H3_FLIGHT_LOG_H

#include "ip-packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Flows that are written down, and packets of each: four round trips of a sender that begins with 32 packets. */
#define LOGGED_FLOWS 64u
#define LOGGED_PACKETS 768u

/** Room for each in the answer: `[came,left,bytes,kind],`. */
#define FLIGHT_LOG_TEXT_BYTES (LOGGED_FLOWS * (128u + LOGGED_PACKETS * 40u))

/** What a packet is, as far as it says openly; bits. */
enum packet_kind {
    KIND_UP = 1,
    /** It carries data: of TCP it is no mere acknowledgement; of UDP it always does. */
    KIND_DATA = 2,
    /** Of TCP it has SYN; of UDP it begins with a long header (RFC 9000, section 17.2). */
    KIND_OPENING = 4,
};

struct logged_packet {
    uint64_t came_ns;
    /** 0: it has not left; lost, dropped, or still under way. */
    uint64_t left_ns;
    uint32_t bytes;
    uint8_t kind;
};

/** What of a flow came in one direction. */
struct flow_side {
    uint32_t packets;
    uint64_t bytes;
    bool lost_tail;
};

struct logged_flow {
    uint8_t protocol;
    uint16_t client_port, server_port;
    /** From the server, and from the client. */
    struct flow_side sides[2];
    /** Of all that came, also when there was no more room. */
    uint32_t packets;
    struct logged_packet log[LOGGED_PACKETS];
};

struct flight_log {
    uint64_t start_ns;
    uint32_t flow_count;
    /** Of the last start: what was taken in before it is written down no more. */
    uint16_t generation;
    struct logged_flow flows[LOGGED_FLOWS];
};

/** Where a packet was written down. */
struct log_place {
    uint16_t generation;
    /** Its flow, from 1; 0: none. */
    uint16_t flow;
    /** Of its flow and direction, from 1; 0: of none. */
    uint32_t number;
    /** From 1; 0: nowhere. */
    uint32_t place;
};

void flight_log_clear(struct flight_log *log, uint64_t now_ns);

/** Writes a packet of TCP or UDP down as having come. @returns where, for when it leaves */
struct log_place flight_log_came(struct flight_log *log, bool is_up, const struct ip_packet *packet, uint64_t came_ns);

/** Writes down that it left. */
void flight_log_left(struct flight_log *log, struct log_place place, uint64_t left_ns);

/**
 * Whether a packet that is about to leave is the last of its flow and direction that came, and the first such behind so many bytes:
 * then it is said once.
 */
bool flight_log_is_tail(struct flight_log *log, struct log_place place, bool is_up, uint64_t behind_bytes);

/** Writes all as JSON, times in µs since the last start. @returns its length */
size_t flight_log_write(const struct flight_log *log, char *text, size_t size);

#endif
