/*
 * Emulates the path between two network namespaces: makes a TUN device in each and carries packets from one to the
 * other as `path-model.h` says. No super-packet crosses the path: what an end hands over in one piece is cut first.
 *
 * path-emulator NETNS_A NETNS_B DEVICE CONTROL_SOCKET QUANTUM_US OFFLOADS UP DOWN [NETNS_BESIDE ADDRESS]
 *   NETNS_…        files such as /proc/PID/ns/net; `up` is from A (the client) to B (the server)
 *   OFFLOADS       `on`: the ends may hand over, and are handed, super-packets as by a network card; `off`: never
 *   UP, DOWN       settings `name=value`, a line each: rate (bit/s), steps (file: start_ns bit/s a line),
 *                  opportunities (file: ns a line), length (ns, of the trace), queue (bytes), queue-packets,
 *                  half-duplex (1, of DOWN: it takes the link and the queue of UP), loss, loss-bad, good-to-bad,
 *                  bad-to-good, reorder, duplicate (0 … 1), delay, jitter, connect-delay (ns),
 *                  aqm (codel, fq-codel or dualpi2; absent: drop-tail), marks (1: what has ECN is marked, not dropped),
 *                  once, repeating (files: start_ns bit/s delay_ns jitter_ns loss outage lost-packets lost-of-each
 *                  lost-tail-after a line, the first figures -1: the direction's own, the last three 0: none),
 *                  repeating-length (ns), v6-delay (ns), v6-broken (1: what comes of IPv6 is lost)
 *   NETNS_BESIDE   where another client of the same path is, with that address: its traffic shares both directions
 *
 * Prints one line of JSON when the devices are there. The control socket takes lines: `start SEED OFFSET_NS` begins the
 * traces at that offset, and with a third number the schedules, the repeating ones at that offset of theirs; `stats`, and
 * `flows`, `flights`, `queues` and `courses` (since the last start), are answered by one line of JSON, and so is
 * `set up|down BIT/S DELAY_NS JITTER_NS LOSS OUTAGE`, which holds from then on (-1: the direction's own). It ends with
 * its standard input.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "control.h"
#include "forwarder.h"
#include "short-slice.h"

#define REALTIME_PRIORITY 10

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void enter_namespace(const char *file)
{
    int namespace = open(file, O_RDONLY | O_CLOEXEC);
    if (namespace < 0 || setns(namespace, CLONE_NEWNET) < 0)
        die(file);
    close(namespace);
}

/** Linux 6.2; older headers do not have them. Kernels take both or none. */
#define TUN_USO4 0x20
#define TUN_USO6 0x40

struct offloads {
    bool tcp, udp;
};

/** Lets the device hand over super-packets, as far as the kernel can. */
static struct offloads set_offloads(int tun, bool wanted)
{
    const unsigned tcp = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6;
    if (wanted && ioctl(tun, TUNSETOFFLOAD, tcp | TUN_USO4 | TUN_USO6) == 0)
        return (struct offloads){.tcp = true, .udp = true};
    if (wanted && ioctl(tun, TUNSETOFFLOAD, tcp) == 0)
        return (struct offloads){.tcp = true};
    if (ioctl(tun, TUNSETOFFLOAD, 0) < 0)
        die("switching offloads off");
    return (struct offloads){0};
}

static int open_tun(const char *namespace, const char *device)
{
    enter_namespace(namespace);
    int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tun < 0)
        die("/dev/net/tun");
    struct ifreq request = {0};
    strncpy(request.ifr_name, device, IFNAMSIZ - 1);
    request.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR;
    if (ioctl(tun, TUNSETIFF, &request) < 0)
        die("making the TUN device");
    return tun;
}

/** Reads lines of numbers into pairs. @returns how many lines. */
static size_t read_numbers(const char *file, int columns, double **numbers)
{
    FILE *stream = fopen(file, "re");
    if (!stream)
        die(file);
    size_t count = 0, capacity = 0;
    *numbers = NULL;
    for (double value; fscanf(stream, "%lf", &value) == 1; count++) {
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            *numbers = realloc(*numbers, capacity * sizeof **numbers);
            if (!*numbers)
                die("memory for a trace");
        }
        (*numbers)[count] = value;
    }
    fclose(stream);
    if (count == 0 || count % (size_t)columns != 0) {
        fprintf(stderr, "%s: not a trace\n", file);
        exit(1);
    }
    return count / (size_t)columns;
}

static void read_steps(const char *file, struct path_config *config)
{
    double *numbers;
    size_t count = read_numbers(file, 2, &numbers);
    struct rate_step *steps = calloc(count, sizeof *steps);
    for (size_t i = 0; steps && i < count; i++)
        steps[i] = (struct rate_step){.start_ns = (uint64_t)numbers[2 * i], .bits_per_second = numbers[2 * i + 1]};
    free(numbers);
    config->steps = steps;
    config->step_count = count;
}

static void read_opportunities(const char *file, struct path_config *config)
{
    double *numbers;
    size_t count = read_numbers(file, 1, &numbers);
    uint64_t *times = calloc(count, sizeof *times);
    for (size_t i = 0; times && i < count; i++)
        times[i] = (uint64_t)numbers[i];
    free(numbers);
    config->opportunities_ns = times;
    config->opportunity_count = count;
}

static struct schedule read_schedule(const char *file)
{
    enum { COLUMNS = 9 };
    double *numbers;
    size_t count = read_numbers(file, COLUMNS, &numbers);
    struct schedule_step *steps = calloc(count, sizeof *steps);
    if (!steps)
        die("memory for a schedule");
    for (size_t i = 0; i < count; i++) {
        const double *row = numbers + COLUMNS * i;
        steps[i] = (struct schedule_step){.start_ns = (uint64_t)row[0],
                                          .bits_per_second = row[1],
                                          .delay_ns = row[2],
                                          .jitter_ns = row[3],
                                          .loss = row[4],
                                          .outage = row[5] > 0,
                                          .lost_packets = (uint32_t)row[6],
                                          .lost_of_each = (uint32_t)row[7],
                                          .lost_tail_after = (uint32_t)row[8]};
    }
    free(numbers);
    return (struct schedule){.steps = steps, .count = count};
}

static enum aqm_kind aqm_named(const char *name)
{
    static const char *const names[] = {"droptail", "codel", "fq-codel", "dualpi2"};
    for (int kind = AQM_DROPTAIL; kind <= AQM_DUALPI2; kind++)
        if (!strcmp(name, names[kind]))
            return (enum aqm_kind)kind;
    fprintf(stderr, "unknown queue %s\n", name);
    exit(2);
}

static void set(struct path_config *config, const char *name, const char *value)
{
    double number = atof(value);
    if (!strcmp(name, "rate")) config->bits_per_second = number;
    else if (!strcmp(name, "steps")) read_steps(value, config);
    else if (!strcmp(name, "opportunities")) read_opportunities(value, config);
    else if (!strcmp(name, "length")) config->trace_length_ns = (uint64_t)number;
    else if (!strcmp(name, "queue")) config->queue_bytes = (uint64_t)number;
    else if (!strcmp(name, "queue-packets")) config->queue_packets = (uint64_t)number;
    else if (!strcmp(name, "half-duplex")) config->half_duplex = number > 0;
    else if (!strcmp(name, "loss")) config->loss_good = number;
    else if (!strcmp(name, "loss-bad")) config->loss_bad = number;
    else if (!strcmp(name, "good-to-bad")) config->good_to_bad = number;
    else if (!strcmp(name, "bad-to-good")) config->bad_to_good = number;
    else if (!strcmp(name, "reorder")) config->reorder = number;
    else if (!strcmp(name, "delay")) config->delay_ns = (uint64_t)number;
    else if (!strcmp(name, "jitter")) config->jitter_ns = (uint64_t)number;
    else if (!strcmp(name, "duplicate")) config->duplicate = number;
    else if (!strcmp(name, "aqm")) config->queue.kind = aqm_named(value);
    else if (!strcmp(name, "marks")) config->queue.marks = number > 0;
    else if (!strcmp(name, "joins-marked")) config->joins_marked = number > 0;
    else if (!strcmp(name, "connect-delay")) config->connect_delay_ns = (uint64_t)number;
    else if (!strcmp(name, "v6-delay")) config->v6_delay_ns = (uint64_t)number;
    else if (!strcmp(name, "v6-broken")) config->v6_broken = number > 0;
    else if (!strcmp(name, "once")) config->once = read_schedule(value);
    else if (!strcmp(name, "repeating")) config->repeating = read_schedule(value);
    else if (!strcmp(name, "repeating-length")) config->repeating.length_ns = (uint64_t)number;
    else {
        fprintf(stderr, "unknown setting %s\n", name);
        exit(2);
    }
}

static struct path_config parse_direction(char *settings)
{
    struct path_config config = {0};
    for (char *rest = settings, *setting; (setting = strsep(&rest, "\n")) != NULL;) {
        char *name = strsep(&setting, "=");
        if (*name)
            set(&config, name, setting ? setting : "");
    }
    config.queue.limit_bytes = config.queue_bytes;
    return config;
}

static int listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    unlink(path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 8) < 0)
        die(path);
    /* Under sudo its user must reach it; the folder around it is the run's alone. */
    if (chmod(path, 0666) < 0)
        die(path);
    return listener;
}

/** Adds the other client of the path. */
static void add_beside(struct forwarder *forwarder, char **arguments, bool offloads)
{
    struct in_addr address;
    if (inet_pton(AF_INET, arguments[10], &address) != 1)
        die(arguments[10]);
    int device = open_tun(arguments[9], arguments[3]);
    set_offloads(device, offloads);
    forwarder_add_beside(forwarder, device, address.s_addr);
}

int main(int count, char **arguments)
{
    if (count != 9 && count != 11) {
        fprintf(stderr, "usage: path-emulator NETNS_A NETNS_B DEVICE CONTROL_SOCKET QUANTUM_US OFFLOADS UP DOWN [NETNS_BESIDE ADDRESS]\n");
        return 2;
    }
    static struct forwarder forwarder;
    struct path_config up = parse_direction(arguments[7]), down = parse_direction(arguments[8]);
    struct control control = {.forwarder = &forwarder, .listener = listen_at(arguments[4])};
    struct device_pair devices = {.in = open_tun(arguments[1], arguments[3])};
    devices.out = open_tun(arguments[2], arguments[3]);
    bool wanted = !strcmp(arguments[6], "on");
    struct offloads offloads = set_offloads(devices.in, wanted);
    set_offloads(devices.out, wanted);
    forwarder.joins_udp = offloads.udp;
    if (!forwarder_init(&forwarder, devices, &up, &down, strtoull(arguments[5], NULL, 10) * 1000))
        die("memory for packets");
    if (count == 11)
        add_beside(&forwarder, arguments, wanted);
    pthread_t thread;
    if (pthread_create(&thread, NULL, control_thread, &control) != 0)
        die("starting the control thread");
    prctl(PR_SET_TIMERSLACK, 1);
    struct sched_param priority = {.sched_priority = REALTIME_PRIORITY};
    bool realtime = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    if (!realtime)
        ask_for_short_slice();
    printf("{\"ready\":true,\"realtime\":%s,\"tcpOffload\":%s,\"udpOffload\":%s}\n", realtime ? "true" : "false",
           offloads.tcp ? "true" : "false", offloads.udp ? "true" : "false");
    fflush(stdout);
    forwarder_run(&forwarder);
}
