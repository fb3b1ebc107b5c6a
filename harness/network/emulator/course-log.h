/* What one direction did in each stretch of time since the last start: what came, was lost, and left, and how long it took. */
#ifndef H2H3_COURSE_LOG_H
#define H2H3_COURSE_LOG_H

#include <stddef.h>
#include <stdint.h>

#define COURSE_BIN_NS 50000000u
/** Ten minutes; what comes later is not written down. */
#define COURSE_BINS 12000u

struct course_bin {
    uint32_t packets_in;
    /** By loss and outages, not by queues. */
    uint32_t lost;
    uint32_t packets_out;
    /** IP headers included. */
    uint32_t bytes_out;
    /** From their arrival to their leaving, of those that left, all together. */
    uint64_t delay_ns;
};

struct course_log {
    uint64_t start_ns;
    size_t used;
    struct course_bin bins[COURSE_BINS];
};

void course_log_clear(struct course_log *log, uint64_t now_ns);
void course_log_came(struct course_log *log, uint64_t now_ns);
void course_log_lost(struct course_log *log, uint64_t now_ns);
void course_log_left(struct course_log *log, uint64_t now_ns, uint64_t arrival_ns, uint32_t bytes);

/** Room that `course_log_write` needs. */
#define COURSE_LOG_TEXT_BYTES (64u + COURSE_BINS * 64u)

/** Writes `[packets that came, lost, that left, bytes that left, mean delay in µs]` of each stretch as JSON. @returns its length */
size_t course_log_write(const struct course_log *log, char *text, size_t size);

#endif
