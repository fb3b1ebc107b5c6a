#define _GNU_SOURCE
#include "forwarder.h"

#include <poll.h>
#include <time.h>

#define IDLE_WAIT_NS 1000000000u
/** So many packets in a quantum (about 400 Mbit/s in large packets): the next pause is two quanta long. */
#define CROWD 8
/** The kernel wakes a process later than asked: by tens of microseconds on a busy CPU, by more on one that rests. */
#define MOST_WAKE_DELAY_NS 250000u
/** Of the latest such delay in what is expected of the next. */
#define WAKE_DELAY_WEIGHT 16

bool forwarder_init(struct forwarder *forwarder, struct device_pair devices, const struct path_config *up,
                    const struct path_config *down, uint64_t quantum_ns)
{
    forwarder->quantum_ns = quantum_ns;
    forwarder->up.flows = forwarder->down.flows = &forwarder->flows;
    forwarder->up.log = forwarder->down.log = &forwarder->log;
    forwarder->up.is_up = true;
    flight_log_clear(&forwarder->log, clock_now_ns());
    pthread_mutex_init(&forwarder->lock, NULL);
    struct device_pair back = {.in = devices.out, .out = devices.in};
    if (!direction_init(&forwarder->up, devices, up) || !direction_init(&forwarder->down, back, down))
        return false;
    forwarder->down.model.shared = down->half_duplex ? &forwarder->up.model : NULL;
    return true;
}

void forwarder_add_beside(struct forwarder *forwarder, int device, uint32_t address)
{
    forwarder->up.beside_device = forwarder->down.beside_device = device;
    forwarder->up.beside_address = forwarder->down.beside_address = address;
}

void forwarder_start(struct forwarder *forwarder, const struct path_start *start)
{
    pthread_mutex_lock(&forwarder->lock);
    uint64_t now_ns = clock_now_ns();
    direction_start(&forwarder->up, now_ns, 2 * start->seed, start->trace_offset_ns);
    direction_start(&forwarder->down, now_ns, 2 * start->seed + 1, start->trace_offset_ns);
    if (start->scheduled) {
        path_model_follow_schedule(&forwarder->up.model, now_ns, start->schedule_offset_ns);
        path_model_follow_schedule(&forwarder->down.model, now_ns, start->schedule_offset_ns);
    }
    flow_table_clear(&forwarder->flows, now_ns);
    flight_log_clear(&forwarder->log, now_ns);
    pthread_mutex_unlock(&forwarder->lock);
}

void forwarder_set(struct forwarder *forwarder, bool is_up, const struct schedule_step *live)
{
    pthread_mutex_lock(&forwarder->lock);
    path_model_set(is_up ? &forwarder->up.model : &forwarder->down.model, live);
    pthread_mutex_unlock(&forwarder->lock);
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
    int received = direction_drain(&forwarder->up, arrival_ns) + direction_drain(&forwarder->down, arrival_ns);
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
    release.any = direction_release(&forwarder->up, now_ns, tolerance_ns, forwarder->joins_udp);
    release.any |= direction_release(&forwarder->down, now_ns, tolerance_ns, forwarder->joins_udp);
    uint64_t up_ns = direction_next_ns(&forwarder->up), down_ns = direction_next_ns(&forwarder->down);
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
    /* A device that is not there is passed over. */
    struct pollfd devices[] = {{.fd = forwarder->up.devices.in, .events = POLLIN},
                               {.fd = forwarder->down.devices.in, .events = POLLIN},
                               {.fd = forwarder->up.beside_device, .events = POLLIN}};
    struct timespec wait = timespec_of(asked_ns - now_ns);
    int ready = ppoll(devices, 3, &wait, NULL);
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
