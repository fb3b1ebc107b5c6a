#define _GNU_SOURCE
#include "forwarder.h"

#include "connection-start.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SLOT_BYTES PACKET_BYTES
#define SLOTS 65536u
/** After so many packets from one device the other gets its turn. */
#define READ_BATCH 256
#define IDLE_WAIT_NS 1000000000u
#define PORTS 65536u
/** A source port that comes again after so long belongs to another connection. */
#define PORT_REUSE_NS 5000000000u
/** So many packets in a quantum (about 400 Mbit/s in large packets): the next pause is two quanta long. */
#define CROWD 8
/** The kernel wakes a process later than asked: by tens of microseconds on a busy CPU, by more on one that rests. */
#define MOST_WAKE_DELAY_NS 250000u
/** Of the latest such delay in what is expected of the next. */
#define WAKE_DELAY_WEIGHT 16

const uint64_t lateness_steps_us[LATENESS_STEPS] = {500, 1000, 2000, 5000, 10000};

uint64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool direction_init(struct direction *direction, int in, int out, const struct path_config *config)
{
    struct waiting_packet *waiting = calloc(SLOTS, sizeof *waiting);
    direction->ordered.packets = calloc(SLOTS, sizeof(struct held_packet));
    direction->overtaking.packets = calloc(SLOTS, sizeof(struct held_packet));
    direction->connecting.packets = calloc(SLOTS, sizeof(struct held_packet));
    direction->first_initial_ns = config->connect_delay_ns > 0 ? calloc(PORTS, sizeof(uint64_t)) : NULL;
    direction->free_slots = calloc(SLOTS, sizeof *direction->free_slots);
    /* Reserved, not used: pages are taken as packets need them. */
    direction->memory = mmap(NULL, (size_t)SLOTS * SLOT_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!waiting || !direction->ordered.packets || !direction->overtaking.packets ||
        !direction->connecting.packets || !direction->free_slots || direction->memory == MAP_FAILED ||
        (config->connect_delay_ns > 0 && !direction->first_initial_ns))
        return false;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        direction->free_slots[slot] = SLOTS - 1 - slot;
    direction->free_count = SLOTS;
    direction->in = in;
    direction->out = out;
    path_model_init(&direction->model, config, waiting, SLOTS, clock_now_ns());
    return true;
}

bool forwarder_init(struct forwarder *forwarder, int device_a, int device_b, const struct path_config *up,
                    const struct path_config *down, uint64_t quantum_ns)
{
    forwarder->quantum_ns = quantum_ns;
    forwarder->up.flows = forwarder->down.flows = &forwarder->flows;
    forwarder->up.is_up = true;
    pthread_mutex_init(&forwarder->lock, NULL);
    return direction_init(&forwarder->up, device_a, device_b, up) &&
           direction_init(&forwarder->down, device_b, device_a, down);
}

void forwarder_start(struct forwarder *forwarder, uint64_t seed, uint64_t offset_ns)
{
    pthread_mutex_lock(&forwarder->lock);
    uint64_t now_ns = clock_now_ns();
    path_model_start(&forwarder->up.model, now_ns, 2 * seed, offset_ns);
    path_model_start(&forwarder->down.model, now_ns, 2 * seed + 1, offset_ns);
    forwarder->up.counters.late_max_ns = 0;
    forwarder->down.counters.late_max_ns = 0;
    flow_table_clear(&forwarder->flows);
    pthread_mutex_unlock(&forwarder->lock);
}

static void ring_push(struct packet_ring *ring, struct held_packet packet)
{
    ring->packets[ring->tail++ % SLOTS] = packet;
}

/** The ring whose first packet leaves first; NULL when all are empty. */
static struct packet_ring *next_ring(struct direction *direction)
{
    struct packet_ring *first = NULL;
    struct packet_ring *rings[] = {&direction->ordered, &direction->overtaking, &direction->connecting};
    for (int i = 0; i < 3; i++) {
        struct packet_ring *ring = rings[i];
        if (ring->head == ring->tail)
            continue;
        if (!first || ring->packets[ring->head % SLOTS].release_ns < first->packets[first->head % SLOTS].release_ns)
            first = ring;
    }
    return first;
}

static uint64_t next_release_ns(struct direction *direction)
{
    struct packet_ring *ring = next_ring(direction);
    return ring ? ring->packets[ring->head % SLOTS].release_ns : UINT64_MAX;
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
    if (writev(direction->out, leaving->parts, parts) < 0) {
        counters->write_errors += count;
    } else {
        counters->packets_out += count;
        counters->bytes_out += leaving->bytes + (uint64_t)(count - 1) * leaving->header_bytes;
    }
    for (uint16_t i = 0; i < count; i++)
        direction->free_slots[direction->free_count++] = direction->leaving_slots[i];
    joining_reset(leaving);
}

/** @returns whether anything was released. */
static bool release_due(struct direction *direction, uint64_t now_ns, uint64_t tolerance_ns, bool joins_udp)
{
    bool any = false;
    for (struct packet_ring *ring; (ring = next_ring(direction)) != NULL; any = true) {
        struct held_packet packet = ring->packets[ring->head % SLOTS];
        if (packet.release_ns > now_ns + tolerance_ns)
            break;
        ring->head++;
        count_lateness(&direction->counters, now_ns, packet.release_ns);
        const unsigned char *bytes = direction->memory + (size_t)packet.slot * SLOT_BYTES;
        if (!joining_add(&direction->leaving, bytes, packet.bytes, packet.checksum, joins_udp)) {
            let_leave(direction);
            joining_add(&direction->leaving, bytes, packet.bytes, packet.checksum, joins_udp);
        }
        direction->leaving_slots[direction->leaving.count - 1] = packet.slot;
    }
    let_leave(direction);
    return any;
}

/** Whether a packet is of the flight that opens its connection: until it is let through nothing can have answered it. */
static bool opens_connection(struct direction *direction, const struct held_packet *packet, uint64_t arrival_ns)
{
    uint64_t delay_ns = direction->model.config.connect_delay_ns;
    uint16_t port;
    if (delay_ns == 0)
        return false;
    switch (connection_start_of(direction->memory + (size_t)packet->slot * SLOT_BYTES, packet->bytes, &port)) {
    case START_TCP:
        return true;
    case START_QUIC: {
        uint64_t *first_ns = &direction->first_initial_ns[port];
        if (arrival_ns - *first_ns > PORT_REUSE_NS)
            *first_ns = arrival_ns;
        return arrival_ns - *first_ns < delay_ns;
    }
    case START_NONE:
        break;
    }
    return false;
}

static void count_arrival(struct direction_counters *counters, const unsigned char *packet, uint32_t bytes)
{
    counters->packets_in++;
    counters->bytes_in += bytes;
    /* Protocol of IPv4 (RFC 791), next header of IPv6 (RFC 8200). */
    unsigned char protocol = packet[0] >> 4 == 4 ? packet[9] : packet[6];
    if (protocol == PROTOCOL_TCP)
        counters->tcp_bytes_in += bytes;
    else if (protocol == PROTOCOL_UDP)
        counters->udp_bytes_in += bytes;
}

static void take_in(struct direction *direction, uint32_t slot, uint32_t bytes, struct open_checksum checksum,
                    uint64_t arrival_ns)
{
    struct direction_counters *counters = &direction->counters;
    const unsigned char *bytes_of_packet = direction->memory + (size_t)slot * SLOT_BYTES;
    count_arrival(counters, bytes_of_packet, bytes);
    flow_table_count(direction->flows, direction->is_up, bytes_of_packet, bytes);
    struct path_result result = path_model_arrive(&direction->model, arrival_ns, bytes);
    struct held_packet packet = {.release_ns = result.release_ns, .slot = slot, .bytes = bytes, .checksum = checksum};
    bool delivered = result.fate == PATH_DELIVERED || result.fate == PATH_OVERTAKES;
    if (delivered && opens_connection(direction, &packet, arrival_ns)) {
        packet.release_ns += direction->model.config.connect_delay_ns;
        ring_push(&direction->connecting, packet);
        return;
    }
    switch (result.fate) {
    case PATH_DELIVERED:
        ring_push(&direction->ordered, packet);
        return;
    case PATH_OVERTAKES:
        ring_push(&direction->overtaking, packet);
        return;
    case PATH_LOST:
        counters->lost++;
        break;
    case PATH_QUEUE_FULL:
        counters->queue_drops++;
        break;
    case PATH_NO_ROOM:
        counters->no_room_drops++;
        break;
    }
    direction->free_slots[direction->free_count++] = slot;
}

/** Cuts what was read into packets. @returns how many. */
static int take_apart(struct direction *direction, const struct virtio_net_hdr *header, const unsigned char *packet,
                      uint32_t bytes, uint64_t arrival_ns)
{
    struct cutting cutting;
    if (!cutting_begin(&cutting, header, packet, bytes)) {
        direction->counters.no_room_drops++;
        return 1;
    }
    for (int count = 0;; count++) {
        static unsigned char overflow[SLOT_BYTES];
        bool room = direction->free_count > 0;
        uint32_t slot = room ? direction->free_slots[direction->free_count - 1] : 0;
        uint32_t size = cutting_next(&cutting, room ? direction->memory + (size_t)slot * SLOT_BYTES : overflow);
        if (size == 0)
            return count;
        if (!room) {
            direction->counters.no_room_drops++;
            continue;
        }
        direction->free_count--;
        take_in(direction, slot, size, cutting.checksum, arrival_ns);
    }
}

/** Reads what waits at the device. @returns how many packets. */
static int drain(struct direction *direction, uint64_t arrival_ns)
{
    static struct {
        struct virtio_net_hdr header;
        unsigned char packet[SUPER_PACKET_BYTES];
    } __attribute__((packed)) unit;
    int count = 0;
    while (count < READ_BATCH) {
        ssize_t bytes = read(direction->in, &unit, sizeof unit);
        if (bytes <= (ssize_t)sizeof unit.header)
            return count;
        struct virtio_net_hdr header = unit.header;
        count += take_apart(direction, &header, unit.packet, (uint32_t)((size_t)bytes - sizeof header), arrival_ns);
    }
    return count;
}

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
}

/** Takes in what came. @returns how many packets. */
static int take_packets(struct forwarder *forwarder, uint64_t arrival_ns)
{
    pthread_mutex_lock(&forwarder->lock);
    forwarder->wakes++;
    int received = drain(&forwarder->up, arrival_ns) + drain(&forwarder->down, arrival_ns);
    pthread_mutex_unlock(&forwarder->lock);
    return received;
}

/** Packets that left, and when the next one does. */
struct release {
    bool any;
    uint64_t next_ns;
};

/** Lets go what is due within `tolerance_ns`. */
static struct release let_go(struct forwarder *forwarder, uint64_t now_ns, uint64_t tolerance_ns)
{
    struct release release;
    pthread_mutex_lock(&forwarder->lock);
    release.any = release_due(&forwarder->up, now_ns, tolerance_ns, forwarder->joins_udp);
    release.any |= release_due(&forwarder->down, now_ns, tolerance_ns, forwarder->joins_udp);
    uint64_t up_ns = next_release_ns(&forwarder->up), down_ns = next_release_ns(&forwarder->down);
    release.next_ns = up_ns < down_ns ? up_ns : down_ns;
    pthread_mutex_unlock(&forwarder->lock);
    return release;
}

static void learn_wake_delay(struct forwarder *forwarder, uint64_t asked_ns)
{
    uint64_t now_ns = clock_now_ns();
    uint64_t late_ns = now_ns > asked_ns ? now_ns - asked_ns : 0;
    if (late_ns > MOST_WAKE_DELAY_NS)
        late_ns = MOST_WAKE_DELAY_NS;
    forwarder->wake_delay_ns = (forwarder->wake_delay_ns * (WAKE_DELAY_WEIGHT - 1) + late_ns) / WAKE_DELAY_WEIGHT;
}

/** When to ask to be woken, so as to be awake at `wanted_ns`. */
static uint64_t asked_for(const struct forwarder *forwarder, uint64_t wanted_ns)
{
    return wanted_ns - forwarder->wake_delay_ns;
}

/**
 * Waits for a packet, or until the next one is due, but after a release no shorter than a quantum.
 * @returns whether a packet woke it.
 */
static bool wait_for_work(struct forwarder *forwarder, const struct release *release, uint64_t woken_ns)
{
    uint64_t now_ns = clock_now_ns();
    uint64_t wanted_ns = now_ns + IDLE_WAIT_NS;
    if (release->next_ns < wanted_ns)
        wanted_ns = release->next_ns;
    if (release->any && wanted_ns < woken_ns + forwarder->quantum_ns)
        wanted_ns = woken_ns + forwarder->quantum_ns;
    uint64_t asked_ns = asked_for(forwarder, wanted_ns);
    if (asked_ns <= now_ns)
        return false;
    struct pollfd devices[] = {{.fd = forwarder->up.in, .events = POLLIN}, {.fd = forwarder->down.in, .events = POLLIN}};
    struct timespec wait = timespec_of(asked_ns - now_ns);
    int ready = ppoll(devices, 2, &wait, NULL);
    if (ready == 0)
        learn_wake_delay(forwarder, asked_ns);
    return ready > 0;
}

/** What ended a wait. */
enum waking { BY_CLOCK, BY_PACKET, AFTER_SLEEP };

/** When the packets came that are found on waking at `woken_ns`, after a round that drained the devices at `drained_ns`. */
static uint64_t arrival_of(const struct forwarder *forwarder, enum waking waking, uint64_t drained_ns, uint64_t woken_ns)
{
    switch (waking) {
    case AFTER_SLEEP:
        /* What came during a sleep came, on average, in its middle. */
        return drained_ns + (woken_ns - drained_ns) / 2;
    case BY_PACKET:
        return woken_ns - drained_ns < forwarder->wake_delay_ns ? drained_ns : woken_ns - forwarder->wake_delay_ns;
    case BY_CLOCK:
        break;
    }
    return woken_ns;
}

void forwarder_run(struct forwarder *forwarder)
{
    uint64_t quantum_ns = forwarder->quantum_ns;
    uint64_t previous_receipt_ns = 0;
    uint64_t drained_ns = clock_now_ns();
    enum waking waking = BY_CLOCK;
    for (;;) {
        uint64_t woken_ns = clock_now_ns();
        int received = take_packets(forwarder, arrival_of(forwarder, waking, drained_ns, woken_ns));
        drained_ns = woken_ns;
        waking = BY_CLOCK;
        uint64_t pause_ns = received < CROWD ? quantum_ns : 2 * quantum_ns;
        /* Half of what is let go too early, or half too late: none on average. */
        struct release release = let_go(forwarder, woken_ns, pause_ns / 2);
        if (received == 0) {
            if (wait_for_work(forwarder, &release, woken_ns))
                waking = BY_PACKET;
            continue;
        }
        bool busy = woken_ns - previous_receipt_ns <= 2 * pause_ns;
        previous_receipt_ns = woken_ns;
        uint64_t asked_ns = asked_for(forwarder, woken_ns + pause_ns);
        if (!busy || clock_now_ns() >= asked_ns)
            continue;
        struct timespec until = timespec_of(asked_ns);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        learn_wake_delay(forwarder, asked_ns);
        waking = AFTER_SLEEP;
    }
}
