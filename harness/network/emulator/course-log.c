#include "course-log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void course_log_clear(struct course_log *log, uint64_t now_ns)
{
    memset(log->bins, 0, log->used * sizeof log->bins[0]);
    log->used = 0;
    log->start_ns = now_ns;
}

/** The stretch of a time; NULL where it is not written down. What came just before the start counts as at it. */
static struct course_bin *bin_at(struct course_log *log, uint64_t now_ns)
{
    uint64_t index = now_ns > log->start_ns ? (now_ns - log->start_ns) / COURSE_BIN_NS : 0;
    if (index >= COURSE_BINS)
        return NULL;
    if (log->used <= index)
        log->used = index + 1;
    return &log->bins[index];
}

void course_log_came(struct course_log *log, uint64_t now_ns)
{
    struct course_bin *bin = bin_at(log, now_ns);
    if (bin)
        bin->packets_in++;
}

void course_log_lost(struct course_log *log, uint64_t now_ns)
{
    struct course_bin *bin = bin_at(log, now_ns);
    if (bin)
        bin->lost++;
}

void course_log_left(struct course_log *log, uint64_t now_ns, uint64_t arrival_ns, uint32_t bytes)
{
    struct course_bin *bin = bin_at(log, now_ns);
    if (!bin)
        return;
    bin->packets_out++;
    bin->bytes_out += bytes;
    if (now_ns > arrival_ns)
        bin->delay_ns += now_ns - arrival_ns;
}

size_t course_log_write(const struct course_log *log, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "[");
    for (size_t i = 0; i < log->used; i++) {
        const struct course_bin *bin = &log->bins[i];
        uint64_t delay_us = bin->packets_out == 0 ? 0 : bin->delay_ns / bin->packets_out / 1000;
        length += (size_t)snprintf(text + length, size - length,
                                   "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 "]", i == 0 ? "" : ",",
                                   bin->packets_in, bin->lost, bin->packets_out, bin->bytes_out, delay_us);
    }
    return length + (size_t)snprintf(text + length, size - length, "]");
}
