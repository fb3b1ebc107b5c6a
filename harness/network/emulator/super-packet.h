/*
 * Super-packets: what an end's kernel hands over in one piece and a network card would cut (TSO and UDP segmentation,
 * virtio 1.2 §5.1.6). They are cut into the packets that they stand for before the path sees them, and packets that leave
 * it together are handed over in one piece again, as receive offload (GRO) does. Each costs the kernel's whole way through
 * its stack, so that this decides what a fast path costs.
 */
#ifndef H2H3_SUPER_PACKET_H
#define H2H3_SUPER_PACKET_H

#include "ip-packet.h"

#include <linux/virtio_net.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#define PACKET_BYTES 2048u
#define SUPER_PACKET_BYTES 65535u
/** Most packets put together: what kernels take for UDP (UDP_MAX_SEGMENTS). */
#define MOST_JOINED 64

/** Where the checksum that the kernel left open has to be filled in; `start` 0: it is complete. */
struct open_checksum {
    uint16_t start, offset;
};

/** A super-packet, or a packet, that is being taken apart. */
struct cutting {
    struct ip_packet packet;
    struct open_checksum checksum;
    uint32_t header_bytes, payload_bytes, segment_bytes, done_bytes;
    uint16_t index;
    bool whole, ended;
};

/** @returns false for what is neither a packet of at most PACKET_BYTES nor a super-packet of TCP or UDP. */
bool cutting_begin(struct cutting *cutting, const struct virtio_net_hdr *header, const struct ip_packet *packet);

/** Writes the next packet to `target`, which has PACKET_BYTES. @returns its bytes; 0 when there is none left. */
uint32_t cutting_next(struct cutting *cutting, unsigned char *target);

/** Packets that are put together; one is put together with itself. */
struct joining {
    struct virtio_net_hdr header;
    /** The first packet's, changed to those of the whole; `headers` tells where they end. */
    unsigned char head[128];
    struct ip_headers headers;
    struct iovec parts[2 + MOST_JOINED];
    uint32_t header_bytes, segment_bytes, bytes, next_sequence;
    uint16_t count;
    /** Nothing more can be added: a smaller packet, or one that must be the last, has come. */
    bool closed;
};

/**
 * Adds a packet, whose memory must last until the parts have been written.
 *
 * @param udp whether the kernel takes super-packets of UDP
 * @returns false when it does not belong to what is there, which must then be written first
 */
bool joining_add(struct joining *joining, const struct ip_packet *packet, struct open_checksum checksum, bool udp);

/** Makes `parts` what is to be written. @returns how many parts. */
int joining_finish(struct joining *joining);

/** Makes it empty. */
void joining_reset(struct joining *joining);

#endif
