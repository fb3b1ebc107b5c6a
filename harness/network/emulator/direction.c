#define _GNU_SOURCE
#include "direction.h"

#include "ip-packet.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SLOT_BYTES PACKET_BYTES
#define SLOTS RING_SLOTS
/** After so many packets from one device the other gets its turn. */
#define READ_BATCH 256

const uint64_t lateness_steps_us[LATENESS_STEPS] = {500, 1000, 2000, 5000, 10000};

uint64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool direction_init(struct direction *direction, struct device_pair devices, const struct path_config *config)
{
    struct waiting_packet *waiting = calloc(SLOTS, sizeof *waiting);
    direction->free_slots = calloc(SLOTS, sizeof *direction->free_slots);
    /* Reserved, not used: pages are taken as packets need them. */
    direction->memory = mmap(NULL, (size_t)SLOTS * SLOT_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!waiting || !packet_ring_init(&direction->ordered) || !packet_ring_init(&direction->overtaking) ||
        !packet_ring_init(&direction->connecting) || !packet_ring_init(&direction->late_v6) || !direction->free_slots || direction->memory == MAP_FAILED ||
        (config->connect_delay_ns > 0 && !connection_starts_init(&direction->starts)) ||
        !link_queue_init(&direction->queue, &config->queue, SLOTS))
        return false;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        direction->free_slots[slot] = SLOTS - 1 - slot;
    direction->free_count = SLOTS;
    direction->devices = devices;
    direction->beside_device = -1;
    path_model_init(&direction->model, config, waiting, SLOTS, clock_now_ns());
    return true;
}

void direction_start(struct direction *direction, uint64_t now_ns, uint64_t seed, uint64_t offset_ns)
{
    path_model_start(&direction->model, now_ns, seed, offset_ns);
    aqm_seed(&direction->queue.aqm, seed);
    direction->counters.late_max_ns = 0;
    direction->measured = direction->beside = (struct queue_counters){0};
    course_log_clear(&direction->course, now_ns);
}

static struct packet_ring *next_ring(struct direction *direction)
{
    struct packet_ring *const rings[] = {&direction->ordered, &direction->overtaking, &direction->connecting,
                                         &direction->late_v6};
    return packet_ring_next(rings, sizeof rings / sizeof *rings);
}

uint64_t direction_next_ns(struct direction *direction)
{
    struct packet_ring *ring = next_ring(direction);
    uint64_t release_ns = ring ? packet_ring_first(ring)->release_ns : UINT64_MAX;
    uint64_t queued_ns = link_queue_next_ns(&direction->queue, &direction->model);
    return queued_ns < release_ns ? queued_ns : release_ns;
}

static void count_lateness(struct direction_counters *counters, uint64_t now_ns, uint64_t release_ns)
{
    uint64_t late_ns = now_ns > release_ns ? now_ns - release_ns : 0;
    if (late_ns > counters->late_max_ns)
        counters->late_max_ns = late_ns;
    for (int step = 0; step < LATENESS_STEPS && late_ns >= lateness_steps_us[step] * 1000; step++)
        counters->late[step]++;
}

/** Writes what is about to leave. */
static void let_leave(struct direction *direction)
{
    struct joining *leaving = &direction->leaving;
    struct direction_counters *counters = &direction->counters;
    uint16_t count = leaving->count;
    if (count == 0)
        return;
    int parts = joining_finish(leaving);
    /* Towards the server both clients' packets leave at its one device. */
    bool to_beside = direction->leaving_beside && !direction->is_up;
    int device = to_beside ? direction->beside_device : direction->devices.out;
    if (writev(device, leaving->parts, parts) < 0) {
        counters->write_errors += count;
    } else {
        counters->packets_out += count;
        counters->bytes_out += leaving->bytes + (uint64_t)(count - 1) * leaving->header_bytes;
    }
    for (uint16_t i = 0; i < count; i++)
        direction->free_slots[direction->free_count++] = direction->leaving_slots[i];
    joining_reset(leaving);
}

static unsigned char *bytes_of(struct direction *direction, uint32_t slot)
{
    return direction->memory + (size_t)slot * SLOT_BYTES;
}

static struct ip_packet packet_of(struct direction *direction, const struct held_packet *held)
{
    return (struct ip_packet){
        .at = bytes_of(direction, held->slot), .bytes = held->bytes, .headers = held->headers};
}

static void put_back(struct direction *direction, uint32_t slot)
{
    direction->free_slots[direction->free_count++] = slot;
}

static struct queue_counters *counters_of(struct direction *direction, bool beside)
{
    return beside ? &direction->beside : &direction->measured;
}

/** Puts a packet that the link has carried where it waits for its release. */
static void send_on(struct direction *direction, struct held_packet packet, enum path_fate fate, uint64_t arrival_ns)
{
    uint64_t connect_delay_ns = direction->model.config.connect_delay_ns;
    struct ip_packet at_start = packet_of(direction, &packet);
    if (connect_delay_ns > 0 &&
        connection_starts_holds(&direction->starts, &at_start, connect_delay_ns, arrival_ns)) {
        packet.release_ns += connect_delay_ns;
        packet_ring_push(&direction->connecting, &packet);
        return;
    }
    if (direction->model.config.v6_delay_ns > 0 && ip_is_v6(bytes_of(direction, packet.slot))) {
        packet.release_ns += direction->model.config.v6_delay_ns;
        packet_ring_push(&direction->late_v6, &packet);
        return;
    }
    packet_ring_push(fate == PATH_OVERTAKES ? &direction->overtaking : &direction->ordered, &packet);
}

/** Of a managed queue, which drops at its tail too. */
static void give_up(void *context, uint32_t slot)
{
    struct direction *direction = context;
    direction->counters.aqm_drops++;
    counters_of(direction, direction->queue.waiting[slot].beside)->dropped++;
    put_back(direction, slot);
}

/** Lost at that time, to loss or an outage. */
static void lose(struct direction *direction, const struct held_packet *packet, uint64_t lost_ns)
{
    direction->counters.lost++;
    if (!packet->beside)
        course_log_lost(&direction->course, lost_ns);
    put_back(direction, packet->slot);
}

/** Lets the link take from a managed queue what it has taken by then. */
static void serve(struct direction *direction, uint64_t until_ns)
{
    struct link_taken taken;
    while (link_queue_take(&direction->queue, &direction->model, until_ns, &taken, give_up, direction)) {
        unsigned char *bytes = bytes_of(direction, taken.packet.slot);
        struct queue_counters *counters = counters_of(direction, taken.packet.beside);
        queue_count_sojourn(counters, taken.sojourn_ns);
        if (taken.fate == PATH_LOST) {
            lose(direction, &taken.packet, taken.packet.release_ns);
            continue;
        }
        if (taken.mark && ip_ecn(bytes) != CE) {
            ip_mark(bytes);
            counters->marked++;
            direction->counters.marked++;
        }
        send_on(direction, taken.packet, taken.fate, taken.arrival_ns);
    }
}

/** Whether a schedule loses it, the last before a pause, now that it is about to leave. */
static bool is_lost_tail(struct direction *direction, const struct held_packet *held, uint64_t now_ns)
{
    uint32_t behind_bytes = path_model_tail_bytes(&direction->model, now_ns);
    return behind_bytes > 0 && flight_log_is_tail(direction->log, held->log_place, direction->is_up, behind_bytes);
}

bool direction_release(struct direction *direction, uint64_t now_ns, uint64_t tolerance_ns, bool joins_udp)
{
    bool any = false, apart = direction->model.config.queue.marks && !direction->model.config.joins_marked;
    serve(direction, now_ns);
    for (struct packet_ring *ring; (ring = next_ring(direction)) != NULL; any = true) {
        struct held_packet held = *packet_ring_first(ring);
        if (held.release_ns > now_ns + tolerance_ns)
            break;
        ring->head++;
        if (is_lost_tail(direction, &held, now_ns)) {
            lose(direction, &held, now_ns);
            continue;
        }
        flight_log_left(direction->log, held.log_place, now_ns);
        count_lateness(&direction->counters, now_ns, held.release_ns);
        if (!held.beside)
            course_log_left(&direction->course, now_ns, held.arrival_ns, held.bytes);
        struct ip_packet packet = packet_of(direction, &held);
        /* Those that are joined have the same mark. Firefox counts it once, so it gets each datagram by itself. */
        bool joins = joins_udp && !(apart && ip_ecn(packet.at) != NOT_ECT);
        if (!joining_add(&direction->leaving, &packet, held.checksum, joins)) {
            let_leave(direction);
            joining_add(&direction->leaving, &packet, held.checksum, joins);
        }
        direction->leaving_beside = held.beside;
        direction->leaving_slots[direction->leaving.count - 1] = held.slot;
    }
    let_leave(direction);
    return any;
}

static void count_arrival(struct direction *direction, struct held_packet *held, uint64_t arrival_ns)
{
    struct direction_counters *counters = &direction->counters;
    struct ip_packet packet = packet_of(direction, held);
    counters->packets_in++;
    counters->bytes_in += packet.bytes;
    queue_count_arrival(counters_of(direction, held->beside), &packet);
    if (held->beside)
        return;
    if (packet.headers.protocol == PROTOCOL_TCP)
        counters->tcp_bytes_in += packet.bytes;
    else if (packet.headers.protocol == PROTOCOL_UDP)
        counters->udp_bytes_in += packet.bytes;
    course_log_came(&direction->course, arrival_ns);
    flow_table_count(direction->flows, direction->is_up, &packet, arrival_ns);
    held->log_place = flight_log_came(direction->log, direction->is_up, &packet, arrival_ns);
}

/** Into a managed queue. */
static void queue_in(struct direction *direction, const struct held_packet *packet, uint64_t arrival_ns)
{
    if (path_model_loses(&direction->model, arrival_ns)) {
        lose(direction, packet, arrival_ns);
        return;
    }
    serve(direction, arrival_ns);
    link_queue_add(&direction->queue, packet, bytes_of(direction, packet->slot), arrival_ns, give_up, direction);
}

static void take_in(struct direction *direction, struct held_packet packet, uint64_t arrival_ns)
{
    struct direction_counters *counters = &direction->counters;
    count_arrival(direction, &packet, arrival_ns);
    if (path_model_loses_of_each(&direction->model, arrival_ns, packet.log_place.number)) {
        lose(direction, &packet, arrival_ns);
        return;
    }
    if (direction->model.config.v6_broken && ip_is_v6(bytes_of(direction, packet.slot))) {
        lose(direction, &packet, arrival_ns);
        return;
    }
    if (link_queue_is_managed(&direction->queue)) {
        queue_in(direction, &packet, arrival_ns);
        return;
    }
    struct path_result result = path_model_arrive(&direction->model, arrival_ns, packet.bytes);
    packet.release_ns = result.release_ns;
    switch (result.fate) {
    case PATH_DELIVERED:
    case PATH_OVERTAKES:
        queue_count_sojourn(counters_of(direction, packet.beside), result.sojourn_ns);
        send_on(direction, packet, result.fate, arrival_ns);
        return;
    case PATH_LOST:
        lose(direction, &packet, packet.release_ns);
        return;
    case PATH_QUEUE_FULL:
        counters->queue_drops++;
        counters_of(direction, packet.beside)->dropped++;
        break;
    case PATH_NO_ROOM:
        counters->no_room_drops++;
        break;
    }
    put_back(direction, packet.slot);
}

/** Takes a packet in and, where the path makes copies, perhaps once more. */
static void take_all(struct direction *direction, struct held_packet packet, uint64_t arrival_ns)
{
    bool copies = path_model_duplicates(&direction->model) && direction->free_count > 0;
    uint32_t slot = copies ? direction->free_slots[--direction->free_count] : 0;
    if (copies)
        memcpy(bytes_of(direction, slot), bytes_of(direction, packet.slot), packet.bytes);
    take_in(direction, packet, arrival_ns);
    if (!copies)
        return;
    direction->counters.duplicated++;
    packet.slot = slot;
    take_in(direction, packet, arrival_ns);
}

/** What was read from a device. */
struct reading {
    const struct virtio_net_hdr *header;
    struct ip_packet packet;
    /** From the device of the traffic beside. */
    bool beside;
};

/** Whether it belongs to the traffic beside, by the device that it came from or by where it goes. */
static bool is_beside(const struct direction *direction, const struct reading *reading)
{
    if (direction->beside_device < 0 || reading->beside)
        return reading->beside;
    return !direction->is_up && ip_destination(reading->packet.at) == direction->beside_address;
}

/** Cuts what was read into packets. @returns how many. */
static int take_apart(struct direction *direction, struct reading *reading, uint64_t arrival_ns)
{
    struct cutting cutting;
    struct ip_packet *packet = &reading->packet;
    if (!ip_read_headers(&packet->headers, packet->at, packet->bytes)) {
        direction->counters.malformed++;
        return 1;
    }
    bool beside = is_beside(direction, reading);
    if (!cutting_begin(&cutting, reading->header, packet)) {
        direction->counters.no_room_drops++;
        return 1;
    }
    for (int count = 0;; count++) {
        static unsigned char overflow[SLOT_BYTES];
        bool room = direction->free_count > 0;
        uint32_t slot = room ? direction->free_slots[direction->free_count - 1] : 0;
        uint32_t size = cutting_next(&cutting, room ? bytes_of(direction, slot) : overflow);
        if (size == 0)
            return count;
        if (!room) {
            direction->counters.no_room_drops++;
            continue;
        }
        direction->free_count--;
        struct held_packet held = {.arrival_ns = arrival_ns,
                                   .slot = slot,
                                   .bytes = size,
                                   .headers = packet->headers,
                                   .checksum = cutting.checksum,
                                   .beside = beside};
        take_all(direction, held, arrival_ns);
    }
}

/** Reads what waits at a device. @returns how many packets. */
static int drain(struct direction *direction, int device, bool beside, uint64_t arrival_ns)
{
    static struct {
        struct virtio_net_hdr header;
        unsigned char packet[SUPER_PACKET_BYTES];
    } __attribute__((packed)) unit;
    int count = 0;
    while (count < READ_BATCH) {
        ssize_t bytes = read(device, &unit, sizeof unit);
        if (bytes <= (ssize_t)sizeof unit.header)
            return count;
        struct virtio_net_hdr header = unit.header;
        struct reading reading = {.header = &header,
                                  .packet = {.at = unit.packet,
                                             .bytes = (uint32_t)((size_t)bytes - sizeof header)},
                                  .beside = beside};
        count += take_apart(direction, &reading, arrival_ns);
    }
    return count;
}

int direction_drain(struct direction *direction, uint64_t arrival_ns)
{
    int count = drain(direction, direction->devices.in, false, arrival_ns);
    if (direction->is_up && direction->beside_device >= 0)
        count += drain(direction, direction->beside_device, true, arrival_ns);
    return count;
}
