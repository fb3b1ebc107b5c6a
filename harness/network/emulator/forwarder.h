/* Moves packets between two devices as two path models say, and counts what it did. */
#ifndef H2H3_FORWARDER_H
#define H2H3_FORWARDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "flow-table.h"
#include "path-model.h"
#include "super-packet.h"

/** Lateness is counted at and above these, µs. */
#define LATENESS_STEPS 5
extern const uint64_t lateness_steps_us[LATENESS_STEPS];

struct direction_counters {
    uint64_t packets_in, bytes_in, packets_out, bytes_out;
    /** Of what came in, IP headers included. */
    uint64_t tcp_bytes_in, udp_bytes_in;
    uint64_t lost, queue_drops;
    /** Not the path's doing: no memory left for packets, or the device would not take one. */
    uint64_t no_room_drops, write_errors;
    uint64_t late[LATENESS_STEPS];
    /** Since the last start. */
    uint64_t late_max_ns;
};

struct held_packet {
    uint64_t release_ns;
    uint32_t slot;
    uint32_t bytes;
    struct open_checksum checksum;
};

/** First in, first out. */
struct packet_ring {
    struct held_packet *packets;
    uint64_t head, tail;
};

struct direction {
    struct path_model model;
    struct direction_counters counters;
    int in, out;
    /** Of both directions; `is_up`: this one leads from the client. */
    struct flow_table *flows;
    bool is_up;
    struct packet_ring ordered, overtaking, connecting;
    /** When the first Initial of each UDP source port came; only where connecting is held back. */
    uint64_t *first_initial_ns;
    unsigned char *memory;
    uint32_t *free_slots;
    uint32_t free_count;
    /** Packets that are about to leave in one piece, and where they lie. */
    struct joining leaving;
    uint32_t leaving_slots[MOST_JOINED];
};

struct forwarder {
    struct direction up, down;
    /** Since the last start. */
    struct flow_table flows;
    /** Work is gathered for this long where packets come faster, because each wake-up costs CPU time. */
    uint64_t quantum_ns;
    uint64_t wakes;
    /** How much later than asked the kernel wakes it: what is due is asked for earlier by that, what woke it came earlier. */
    uint64_t wake_delay_ns;
    /** Whether the kernel takes super-packets of UDP. */
    bool joins_udp;
    /** Held while packets are moved, and by whoever reads counters or starts a trace. */
    pthread_mutex_t lock;
};

uint64_t clock_now_ns(void);

/** @returns false when there is no memory. */
bool forwarder_init(struct forwarder *forwarder, int device_a, int device_b, const struct path_config *up,
                    const struct path_config *down, uint64_t quantum_ns);

/** Starts both directions' traces and random numbers; lateness and flows begin anew. */
void forwarder_start(struct forwarder *forwarder, uint64_t seed, uint64_t offset_ns);

/** Never returns. */
void forwarder_run(struct forwarder *forwarder);

#endif
