/* Packets that wait for their release, first in, first out. */
#ifndef H2H3_PACKET_RING_H
#define H2H3_PACKET_RING_H

#include "link-queue.h"

#include <stdbool.h>
#include <stdint.h>

/** Packets that a direction holds at the most. */
#define RING_SLOTS 65536u

struct packet_ring {
    struct held_packet *packets;
    uint64_t head, tail;
};

/** @returns false when there is no memory */
bool packet_ring_init(struct packet_ring *ring);

void packet_ring_push(struct packet_ring *ring, const struct held_packet *packet);

/** The packet that leaves first; NULL: there is none. */
const struct held_packet *packet_ring_first(const struct packet_ring *ring);

/** The ring whose first packet leaves first, of earlier ones where several do; NULL when all are empty. */
struct packet_ring *packet_ring_next(struct packet_ring *const *rings, int count);

#endif
