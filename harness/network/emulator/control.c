#define _GNU_SOURCE
#include "control.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_CLIENTS 8

static int write_counters(char *text, size_t size, const char *name, const struct direction_counters *c)
{
    int length = snprintf(text, size,
                          "\"%s\":{\"packetsIn\":%" PRIu64 ",\"bytesIn\":%" PRIu64 ",\"packetsOut\":%" PRIu64
                          ",\"bytesOut\":%" PRIu64 ",\"tcpBytesIn\":%" PRIu64 ",\"udpBytesIn\":%" PRIu64
                          ",\"lost\":%" PRIu64 ",\"queueDrops\":%" PRIu64 ",\"aqmDrops\":%" PRIu64
                          ",\"marked\":%" PRIu64 ",\"duplicated\":%" PRIu64 ",\"noRoomDrops\":%" PRIu64 ",\"writeErrors\":%" PRIu64
                          ",\"malformed\":%" PRIu64 ",\"lateMaxUs\":%" PRIu64,
                          name, c->packets_in, c->bytes_in, c->packets_out, c->bytes_out, c->tcp_bytes_in,
                          c->udp_bytes_in, c->lost, c->queue_drops, c->aqm_drops, c->marked, c->duplicated, c->no_room_drops, c->write_errors, c->malformed,
                          c->late_max_ns / 1000);
    for (int step = 0; step < LATENESS_STEPS; step++)
        length += snprintf(text + length, size - (size_t)length, ",\"late%" PRIu64 "us\":%" PRIu64,
                           lateness_steps_us[step], c->late[step]);
    return length + snprintf(text + length, size - (size_t)length, "}");
}

static void answer_stats(struct forwarder *forwarder, int client)
{
    pthread_mutex_lock(&forwarder->lock);
    struct direction_counters up = forwarder->up.counters, down = forwarder->down.counters;
    uint64_t wakes = forwarder->wakes;
    pthread_mutex_unlock(&forwarder->lock);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    uint64_t cpu_us = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000u +
                      (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    char text[4096] = "{";
    size_t length = 1;
    length += (size_t)write_counters(text + length, sizeof text - length, "up", &up);
    text[length++] = ',';
    length += (size_t)write_counters(text + length, sizeof text - length, "down", &down);
    length += (size_t)snprintf(text + length, sizeof text - length, ",\"cpuUs\":%" PRIu64 ",\"wakes\":%" PRIu64 "}\n",
                               cpu_us, wakes);
    if (send(client, text, length, MSG_NOSIGNAL) < 0)
        perror("answering stats");
}

static void send_all(int client, const char *text, size_t length)
{
    for (size_t sent = 0; sent < length;) {
        ssize_t part = send(client, text + sent, length - sent, MSG_NOSIGNAL);
        if (part < 0) {
            perror("answering");
            return;
        }
        sent += (size_t)part;
    }
}

static void answer_flows(struct forwarder *forwarder, int client)
{
    static struct flow_table flows;
    static char text[FLOW_TABLE_TEXT_BYTES];
    pthread_mutex_lock(&forwarder->lock);
    flows = forwarder->flows;
    pthread_mutex_unlock(&forwarder->lock);
    send_all(client, text, flow_table_write(&flows, text, sizeof text));
}

static void answer_flights(struct forwarder *forwarder, int client)
{
    static struct flight_log log;
    static char text[FLIGHT_LOG_TEXT_BYTES];
    pthread_mutex_lock(&forwarder->lock);
    log = forwarder->log;
    pthread_mutex_unlock(&forwarder->lock);
    send_all(client, text, flight_log_write(&log, text, sizeof text));
}

static size_t write_queue(const struct direction *direction, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "{\"measured\":");
    length += queue_counters_write(&direction->measured, text + length, size - length);
    length += (size_t)snprintf(text + length, size - length, ",\"beside\":");
    length += queue_counters_write(&direction->beside, text + length, size - length);
    return length + (size_t)snprintf(text + length, size - length, "}");
}

static void answer_queues(struct forwarder *forwarder, int client)
{
    static char text[4 * QUEUE_COUNTERS_TEXT_BYTES + 256];
    pthread_mutex_lock(&forwarder->lock);
    size_t length = (size_t)snprintf(text, sizeof text, "{\"up\":");
    length += write_queue(&forwarder->up, text + length, sizeof text - length);
    length += (size_t)snprintf(text + length, sizeof text - length, ",\"down\":");
    length += write_queue(&forwarder->down, text + length, sizeof text - length);
    length += (size_t)snprintf(text + length, sizeof text - length, "}\n");
    pthread_mutex_unlock(&forwarder->lock);
    send_all(client, text, length);
}

static void answer_courses(struct forwarder *forwarder, int client)
{
    static struct course_log up, down;
    static char text[2 * COURSE_LOG_TEXT_BYTES + 64];
    pthread_mutex_lock(&forwarder->lock);
    up = forwarder->up.course;
    down = forwarder->down.course;
    pthread_mutex_unlock(&forwarder->lock);
    size_t length = (size_t)snprintf(text, sizeof text, "{\"binMs\":%u,\"up\":", COURSE_BIN_NS / 1000000u);
    length += course_log_write(&up, text + length, sizeof text - length);
    length += (size_t)snprintf(text + length, sizeof text - length, ",\"down\":");
    length += course_log_write(&down, text + length, sizeof text - length);
    length += (size_t)snprintf(text + length, sizeof text - length, "}\n");
    send_all(client, text, length);
}

/** @returns false for a line that starts nothing. */
static bool read_start(const char *line, struct path_start *start)
{
    int fields = sscanf(line, "start %" SCNu64 " %" SCNu64 " %" SCNu64, &start->seed, &start->trace_offset_ns,
                        &start->schedule_offset_ns);
    start->scheduled = fields == 3;
    return fields >= 2;
}

/** `set up|down BIT/S DELAY_NS JITTER_NS LOSS OUTAGE`, -1 for the direction's own. @returns false for a line that sets nothing. */
static bool read_set(const char *line, bool *is_up, struct schedule_step *step)
{
    char direction[8];
    int outage;
    *step = schedule_no_step();
    if (sscanf(line, "set %7s %lf %lf %lf %lf %d", direction, &step->bits_per_second, &step->delay_ns, &step->jitter_ns,
               &step->loss, &outage) != 6)
        return false;
    step->outage = outage == 1;
    *is_up = !strcmp(direction, "up");
    return *is_up || !strcmp(direction, "down");
}

static void obey(struct forwarder *forwarder, int client, const char *line)
{
    struct path_start start;
    struct schedule_step step;
    bool is_up;
    if (read_set(line, &is_up, &step)) {
        forwarder_set(forwarder, is_up, &step);
        send_all(client, "{}\n", 3);
    } else if (read_start(line, &start))
        forwarder_start(forwarder, &start);
    else if (!strncmp(line, "stats", 5))
        answer_stats(forwarder, client);
    else if (!strncmp(line, "flows", 5))
        answer_flows(forwarder, client);
    else if (!strncmp(line, "flights", 7))
        answer_flights(forwarder, client);
    else if (!strncmp(line, "queues", 6))
        answer_queues(forwarder, client);
    else if (!strncmp(line, "courses", 7))
        answer_courses(forwarder, client);
    else
        fprintf(stderr, "unknown command %s\n", line);
}

/** Lines are short and written at once, so each read holds whole lines. @returns false when the client is gone. */
static bool serve_client(struct forwarder *forwarder, int client)
{
    char text[256];
    ssize_t length = read(client, text, sizeof text - 1);
    if (length <= 0)
        return false;
    text[length] = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;)
        if (*line)
            obey(forwarder, client, line);
    return true;
}

static void accept_client(int listener, struct pollfd *clients)
{
    int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    for (int i = 0; client >= 0 && i < MOST_CLIENTS; i++)
        if (clients[i].fd < 0) {
            clients[i].fd = client;
            return;
        }
    if (client >= 0)
        close(client);
}

void *control_thread(void *argument)
{
    struct control *control = argument;
    struct pollfd watched[2 + MOST_CLIENTS] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                               {.fd = control->listener, .events = POLLIN}};
    for (int i = 2; i < 2 + MOST_CLIENTS; i++)
        watched[i] = (struct pollfd){.fd = -1, .events = POLLIN};
    for (;;) {
        if (poll(watched, 2 + MOST_CLIENTS, -1) < 0)
            continue;
        char ignored[64];
        if (watched[0].revents && read(STDIN_FILENO, ignored, sizeof ignored) <= 0)
            _exit(0);
        if (watched[1].revents)
            accept_client(control->listener, watched + 2);
        for (int i = 2; i < 2 + MOST_CLIENTS; i++)
            if (watched[i].fd >= 0 && watched[i].revents && !serve_client(control->forwarder, watched[i].fd)) {
                close(watched[i].fd);
                watched[i].fd = -1;
            }
    }
    return NULL;
}
