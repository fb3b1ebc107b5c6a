/*
 * Measures a path between two network namespaces of one machine, whose processes share one clock.
 *
 * path-probe echo PORT                            answers UDP packets with themselves
 * path-probe ping ADDRESS PORT COUNT GAP_US       round trips, one after the other
 * path-probe receive-udp PORT IDLE_MS [COUNT [OPEN_MS]]  counts packets until none came for IDLE_MS after the first, or COUNT came (0: any
 *                                                 number); the rate is that from OPEN_MS after the first on, behind those that overtake
 * path-probe send-udp ADDRESS PORT IP_BYTES MBPS COUNT [ECN]  evenly spaced; MBPS counts IP bytes; ECN field, 0 to 3
 * path-probe receive-tcp PORT                     takes one connection and counts to its end
 * path-probe send-tcp ADDRESS PORT MS             sends for so long
 *
 * Receivers print `ready` when they listen; at its end every mode prints one line of JSON. All end after 30 s, and at once
 * when standard input is a pipe whose other end is gone, which was the run's.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LONGEST_RUN_S 30
#define UDP_OVER_IP_BYTES 28
#define BUFFER_BYTES (8 << 20)
#define MOST_SAMPLES 4096
/** Below the emulator's. */
#define REALTIME_PRIORITY 5
#define PROMPT_BELOW_MBPS 150
/** Packets handed over at once above that: one call each would make the sender's CPU the limit. */
#define FAST_BATCH 16u
/** Throughput of TCP is told for the time after its start-up too. */
#define TCP_SLOTS 300
#define TCP_SLOT_NS 100000000u

struct stamp {
    uint64_t sequence;
    uint64_t sent_ns;
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static struct sockaddr_in address_of(const char *address, const char *port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    if (address && inet_pton(AF_INET, address, &place.sin_addr) != 1)
        die(address);
    return place;
}

/** Larger than the system's limit allows where that is permitted. */
static void enlarge(int handle, int option, int forced)
{
    int bytes = BUFFER_BYTES;
    if (setsockopt(handle, SOL_SOCKET, forced, &bytes, sizeof bytes) < 0)
        setsockopt(handle, SOL_SOCKET, option, &bytes, sizeof bytes);
}

static int udp_socket(const char *address, const char *port)
{
    int handle = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in place = address_of(address, port);
    if (handle < 0)
        die("socket");
    enlarge(handle, SO_RCVBUF, SO_RCVBUFFORCE);
    enlarge(handle, SO_SNDBUF, SO_SNDBUFFORCE);
    int failed = address ? connect(handle, (struct sockaddr *)&place, sizeof place)
                         : bind(handle, (struct sockaddr *)&place, sizeof place);
    if (failed < 0)
        die(address ? "connect" : "bind");
    return handle;
}

static void say_ready(void)
{
    puts("ready");
    fflush(stdout);
}

static bool readable_within(int handle, int ms)
{
    struct pollfd wait = {.fd = handle, .events = POLLIN};
    return poll(&wait, 1, ms) > 0;
}

static void sleep_until(uint64_t time_ns)
{
    struct timespec until = {.tv_sec = (time_t)(time_ns / 1000000000u), .tv_nsec = (long)(time_ns % 1000000000u)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static double quantile_us(uint64_t *sorted, size_t count, double share)
{
    return count == 0 ? -1 : (double)sorted[(size_t)((double)(count - 1) * share)] / 1000.0;
}

_Noreturn static void echo(const char *port)
{
    int handle = udp_socket(NULL, port);
    say_ready();
    for (;;) {
        char packet[2048];
        struct sockaddr_in from;
        socklen_t from_size = sizeof from;
        ssize_t size = recvfrom(handle, packet, sizeof packet, 0, (struct sockaddr *)&from, &from_size);
        if (size >= 0)
            sendto(handle, packet, (size_t)size, 0, (struct sockaddr *)&from, from_size);
    }
}

static int ping(const char *address, const char *port, int count, int gap_us)
{
    int handle = udp_socket(address, port);
    uint64_t samples[MOST_SAMPLES];
    size_t got = 0;
    for (int i = 0; i < count && got < MOST_SAMPLES; i++) {
        struct stamp stamp = {.sequence = (uint64_t)i, .sent_ns = now_ns()}, answer;
        if (send(handle, &stamp, sizeof stamp, 0) < 0)
            die("send");
        while (readable_within(handle, 3000) && recv(handle, &answer, sizeof answer, 0) == sizeof answer)
            if (answer.sequence == stamp.sequence) {
                samples[got++] = now_ns() - answer.sent_ns;
                break;
            }
        usleep((useconds_t)gap_us);
    }
    qsort(samples, got, sizeof *samples, by_value);
    printf("{\"sent\":%d,\"received\":%zu,\"medianUs\":%.1f,\"minUs\":%.1f,\"maxUs\":%.1f}\n", count, got,
           quantile_us(samples, got, 0.5), quantile_us(samples, got, 0), quantile_us(samples, got, 1));
    return 0;
}

static int receive_udp(const char *port, int idle_ms, uint64_t wanted, uint64_t open_ns)
{
    int handle = udp_socket(NULL, port);
    say_ready();
    uint64_t packets = 0, bytes = 0, begun_ns = 0, first_ns = 0, last_ns = 0, overtaken = 0, highest = 0;
    uint64_t repeated = 0, previous = UINT64_MAX;
    uint64_t samples[MOST_SAMPLES];
    size_t sampled = 0;
    while (packets < wanted && readable_within(handle, packets == 0 ? 10000 : idle_ms)) {
        char packet[2048];
        struct stamp stamp;
        ssize_t size = recv(handle, packet, sizeof packet, 0);
        uint64_t at_ns = now_ns();
        if (size < (ssize_t)sizeof stamp)
            continue;
        memcpy(&stamp, packet, sizeof stamp);
        /* A packet opens the interval: its bytes came before it. */
        if (packets++ == 0)
            begun_ns = at_ns;
        if (first_ns == 0 && at_ns >= begun_ns + open_ns)
            first_ns = at_ns;
        else if (first_ns != 0)
            bytes += (uint64_t)size + UDP_OVER_IP_BYTES;
        last_ns = at_ns;
        repeated += stamp.sequence == previous;
        previous = stamp.sequence;
        if (stamp.sequence < highest)
            overtaken++;
        else
            highest = stamp.sequence;
        if (sampled < MOST_SAMPLES)
            samples[sampled++] = at_ns - stamp.sent_ns;
    }
    qsort(samples, sampled, sizeof *samples, by_value);
    if (first_ns == 0)
        first_ns = last_ns;
    double seconds = (double)(last_ns - first_ns) * 1e-9;
    printf("{\"firstNs\":%" PRIu64 ",\"lastNs\":%" PRIu64 ",\"packets\":%" PRIu64 ",\"mbps\":%.4f,\"seconds\":%.4f,\"overtaken\":%" PRIu64
           ",\"repeated\":%" PRIu64 ",\"medianDelayUs\":%.1f,\"minDelayUs\":%.1f,\"maxDelayUs\":%.1f}\n",
           first_ns, last_ns, packets, seconds > 0 ? (double)bytes * 8e-6 / seconds : 0, seconds, overtaken, repeated,
           quantile_us(samples, sampled, 0.5), quantile_us(samples, sampled, 0), quantile_us(samples, sampled, 1));
    return 0;
}

/** Sends `count` packets in one call; the kernel cuts them apart (UDP_SEGMENT, udp(7)). */
static bool send_batch(int handle, const char *packets, size_t size, uint64_t count)
{
    struct iovec data = {.iov_base = (void *)(uintptr_t)packets, .iov_len = size * count};
    char control[CMSG_SPACE(sizeof(uint16_t))] = {0};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_UDP;
    header->cmsg_type = UDP_SEGMENT;
    header->cmsg_len = CMSG_LEN(sizeof(uint16_t));
    uint16_t segment = (uint16_t)size;
    memcpy(CMSG_DATA(header), &segment, sizeof segment);
    return sendmsg(handle, &message, 0) >= 0;
}

static int send_udp(const char *address, const char *port, int ip_bytes, double mbps, uint64_t count, int ecn)
{
    int handle = udp_socket(address, port);
    if (ecn > 0 && setsockopt(handle, IPPROTO_IP, IP_TOS, &ecn, sizeof ecn) < 0)
        die("the ECN field");
    static char packets[2048 * FAST_BATCH];
    size_t size = (size_t)(ip_bytes - UDP_OVER_IP_BYTES);
    uint64_t batch = mbps < PROMPT_BELOW_MBPS ? 1 : FAST_BATCH;
    double gap_ns = ip_bytes * 8e3 / mbps;
    uint64_t begun_ns = now_ns(), failed = 0;
    for (uint64_t first = 0; first < count; first += batch) {
        uint64_t due_ns = begun_ns + (uint64_t)((double)first * gap_ns), time_ns = now_ns();
        if (due_ns > time_ns + 50000)
            sleep_until(due_ns);
        uint64_t now_in_batch = count - first < batch ? count - first : batch;
        for (uint64_t i = 0; i < now_in_batch; i++) {
            struct stamp stamp = {.sequence = first + i, .sent_ns = now_ns()};
            memcpy(packets + i * size, &stamp, sizeof stamp);
        }
        bool sent = now_in_batch == 1 ? send(handle, packets, size, 0) >= 0
                                      : send_batch(handle, packets, size, now_in_batch);
        if (!sent)
            failed += now_in_batch;
    }
    double seconds = (double)(now_ns() - begun_ns) * 1e-9;
    printf("{\"sent\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"mbps\":%.4f}\n", count - failed, failed,
           (double)count * ip_bytes * 8e-6 / seconds);
    return 0;
}

static int receive_tcp(const char *port)
{
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    struct sockaddr_in place = address_of(NULL, port);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (listener < 0 || bind(listener, (struct sockaddr *)&place, sizeof place) < 0 || listen(listener, 1) < 0)
        die("listen");
    say_ready();
    int connection = readable_within(listener, 10000) ? accept(listener, NULL, NULL) : -1;
    if (connection < 0)
        die("accept");
    static char buffer[1 << 18];
    uint64_t begun_ns = now_ns(), last_ns = begun_ns, bytes = 0, late_bytes = 0, in_slots[TCP_SLOTS] = {0};
    for (ssize_t size; (size = recv(connection, buffer, sizeof buffer, 0)) > 0;) {
        last_ns = now_ns();
        bytes += (uint64_t)size;
        uint64_t slot = (last_ns - begun_ns) / TCP_SLOT_NS;
        in_slots[slot < TCP_SLOTS ? slot : TCP_SLOTS - 1] += (uint64_t)size;
    }
    uint64_t slots = (last_ns - begun_ns) / TCP_SLOT_NS;
    for (uint64_t slot = slots / 2; slot < slots && slot < TCP_SLOTS; slot++)
        late_bytes += in_slots[slot];
    double late_s = (double)(slots - slots / 2) * TCP_SLOT_NS * 1e-9, seconds = (double)(last_ns - begun_ns) * 1e-9;
    printf("{\"bytes\":%" PRIu64 ",\"mbps\":%.4f,\"settledMbps\":%.4f,\"seconds\":%.4f}\n", bytes,
           seconds > 0 ? (double)bytes * 8e-6 / seconds : 0, late_s > 0 ? (double)late_bytes * 8e-6 / late_s : 0, seconds);
    return 0;
}

static int send_tcp(const char *address, const char *port, int ms)
{
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in place = address_of(address, port);
    if (connection < 0 || connect(connection, (struct sockaddr *)&place, sizeof place) < 0)
        die("connect");
    static char buffer[1 << 16];
    struct timeval patience = {.tv_usec = 100000};
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    uint64_t end_ns = now_ns() + (uint64_t)ms * 1000000u;
    while (now_ns() < end_ns)
        if (send(connection, buffer, sizeof buffer, MSG_NOSIGNAL) < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
            die("send");
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    char algorithm[32] = "";
    socklen_t algorithm_size = sizeof algorithm - 1;
    getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size);
    getsockopt(connection, IPPROTO_TCP, TCP_CONGESTION, algorithm, &algorithm_size);
    printf("{\"retransmitted\":%u,\"reordering\":%u,\"rttUs\":%u,\"congestionControl\":\"%s\"}\n",
           info.tcpi_total_retrans, info.tcpi_reordering, info.tcpi_rtt, algorithm);
    fflush(stdout);
    /* What still waits would go on for seconds on a slow path: a reset ends it. */
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(connection);
    return 0;
}

/**
 * A measurement of the path must not measure the wait for a CPU. Only for what sleeps most of the time: the kernel
 * stops real-time processes that take a whole CPU. Where it is not permitted nothing changes.
 */
static void be_prompt(void)
{
    struct sched_param priority = {.sched_priority = REALTIME_PRIORITY};
    sched_setscheduler(0, SCHED_FIFO, &priority);
}

/** The kernel ends this by SIGIO when the other end is gone, whatever it is busy with then. */
static void end_with_input(void)
{
    struct stat input;
    struct pollfd ended = {.fd = STDIN_FILENO, .events = POLLIN};
    if (fstat(STDIN_FILENO, &input) < 0 || !(S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode)))
        return;
    fcntl(STDIN_FILENO, F_SETOWN, getpid());
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_ASYNC);
    if (poll(&ended, 1, 0) > 0)
        exit(1);
}

int main(int count, char **words)
{
    alarm(LONGEST_RUN_S);
    end_with_input();
    prctl(PR_SET_TIMERSLACK, 1);
    const char *mode = count > 1 ? words[1] : "";
    bool sends_udp = !strcmp(mode, "send-udp") && (count == 7 || count == 8);
    bool slow_sender = sends_udp && atof(words[5]) < PROMPT_BELOW_MBPS;
    if (!strcmp(mode, "echo") || !strcmp(mode, "ping") || !strcmp(mode, "receive-udp") || slow_sender)
        be_prompt();
    if (!strcmp(mode, "echo") && count == 3) echo(words[2]);
    if (!strcmp(mode, "ping") && count == 6) return ping(words[2], words[3], atoi(words[4]), atoi(words[5]));
    if (!strcmp(mode, "receive-udp") && count >= 4 && count <= 6) {
        uint64_t wanted = count > 4 ? strtoull(words[4], NULL, 10) : 0;
        uint64_t open_ns = count > 5 ? strtoull(words[5], NULL, 10) * 1000000 : 0;
        return receive_udp(words[2], atoi(words[3]), wanted == 0 ? UINT64_MAX : wanted, open_ns);
    }
    if (sends_udp)
        return send_udp(words[2], words[3], atoi(words[4]), atof(words[5]), strtoull(words[6], NULL, 10),
                        count == 8 ? atoi(words[7]) : 0);
    if (!strcmp(mode, "receive-tcp") && count == 3) return receive_tcp(words[2]);
    if (!strcmp(mode, "send-tcp") && count == 5) return send_tcp(words[2], words[3], atoi(words[4]));
    fprintf(stderr, "path-probe: unknown mode or wrong number of words\n");
    return 2;
}
