/* One direction of a path: takes packets in at one device, and lets them leave at the other when the path model says. */
#ifndef H2H3_DIRECTION_H
#define H2H3_DIRECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "connection-start.h"
#include "course-log.h"
#include "flight-log.h"
#include "flow-table.h"
#include "link-queue.h"
#include "packet-ring.h"
#include "path-model.h"
#include "super-packet.h"

/** Lateness is counted at and above these, µs. */
#define LATENESS_STEPS 5
extern const uint64_t lateness_steps_us[LATENESS_STEPS];

struct direction_counters {
    uint64_t packets_in, bytes_in, packets_out, bytes_out;
    /** Of what came in, IP headers included, without the traffic beside. */
    uint64_t tcp_bytes_in, udp_bytes_in;
    uint64_t lost, queue_drops;
    /** By what manages the queue: given up before it was full, or marked instead. */
    uint64_t aqm_drops, marked;
    /** Copies that the path made. */
    uint64_t duplicated;
    /** Not the path's doing: no memory left for packets, or the device would not take one. */
    uint64_t no_room_drops, write_errors;
    /** Dropped where they came in: no whole header of IP. */
    uint64_t malformed;
    uint64_t late[LATENESS_STEPS];
    /** Since the last start. */
    uint64_t late_max_ns;
};

/** A device of each end. */
struct device_pair {
    int in, out;
};

struct direction {
    struct path_model model;
    struct link_queue queue;
    struct direction_counters counters;
    /** Since the last start: of what is measured, and of the traffic beside. */
    struct queue_counters measured, beside;
    struct device_pair devices;
    /** Of the client's end of the traffic beside, which shares the server's device: -1 where there is none. */
    int beside_device;
    /** Its address, in network order. */
    uint32_t beside_address;
    /** Of both directions; `is_up`: this one leads from the client. */
    struct flow_table *flows;
    struct flight_log *log;
    /** Of what is measured. */
    struct course_log course;
    bool is_up;
    /** `late_v6`: of IPv6, where that is held back. */
    struct packet_ring ordered, overtaking, connecting, late_v6;
    /** Only where connecting is held back. */
    struct connection_starts starts;
    unsigned char *memory;
    uint32_t *free_slots;
    uint32_t free_count;
    /** Packets that are about to leave in one piece, where they lie, and whether they are of the traffic beside. */
    struct joining leaving;
    uint32_t leaving_slots[MOST_JOINED];
    bool leaving_beside;
};

uint64_t clock_now_ns(void);

/** @returns false when there is no memory. */
bool direction_init(struct direction *direction, struct device_pair devices, const struct path_config *config);

/** Begins its trace and random numbers; lateness, course and what is counted of the queue begin anew. */
void direction_start(struct direction *direction, uint64_t now_ns, uint64_t seed, uint64_t offset_ns);

/** Reads what waits at its devices, as having come at `arrival_ns`. @returns how many packets. */
int direction_drain(struct direction *direction, uint64_t arrival_ns);

/** Lets go what is due within `tolerance_ns`. @returns whether there was anything. */
bool direction_release(struct direction *direction, uint64_t now_ns, uint64_t tolerance_ns, bool joins_udp);

/** When the next packet may leave; UINT64_MAX when there is none. */
uint64_t direction_next_ns(struct direction *direction);

#endif
