#include "packet-ring.h"

#include <stddef.h>
#include <stdlib.h>

bool packet_ring_init(struct packet_ring *ring)
{
    ring->packets = calloc(RING_SLOTS, sizeof(struct held_packet));
    return ring->packets != NULL;
}

void packet_ring_push(struct packet_ring *ring, const struct held_packet *packet)
{
    ring->packets[ring->tail++ % RING_SLOTS] = *packet;
}

const struct held_packet *packet_ring_first(const struct packet_ring *ring)
{
    return ring->head == ring->tail ? NULL : &ring->packets[ring->head % RING_SLOTS];
}

struct packet_ring *packet_ring_next(struct packet_ring *const *rings, int count)
{
    struct packet_ring *next = NULL;
    for (int i = 0; i < count; i++) {
        const struct held_packet *first = packet_ring_first(rings[i]);
        if (first && (!next || first->release_ns < packet_ring_first(next)->release_ns))
            next = rings[i];
    }
    return next;
}
