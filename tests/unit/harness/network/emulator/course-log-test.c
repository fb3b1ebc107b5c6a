/* Unit tests of what is written down of a direction's course. Prints one line a test, `ok NAME` or `failed NAME: why`. */
#include "check.h"
#include "course-log.h"

#include <string.h>

#define SECOND 1000000000ull
#define MS 1000000ull

static struct course_log log;
static char text[COURSE_LOG_TEXT_BYTES];

static const char *written(void)
{
    text[course_log_write(&log, text, sizeof text)] = 0;
    return text;
}

static void what_happens_stands_in_its_stretch_of_time(void)
{
    course_log_clear(&log, SECOND);
    course_log_came(&log, SECOND);
    course_log_came(&log, SECOND + 49 * MS);
    course_log_lost(&log, SECOND + 50 * MS);
    course_log_left(&log, SECOND + 120 * MS, SECOND + 100 * MS, 1500);
    course_log_left(&log, SECOND + 130 * MS, SECOND + 100 * MS, 500);
    expect(!strcmp(written(), "[[2,0,0,0,0],[0,1,0,0,0],[0,0,2,2000,25000]]"), "%s", text);
}

static void a_start_begins_anew(void)
{
    course_log_clear(&log, 2 * SECOND);
    expect(!strcmp(written(), "[]"), "%s", text);
    course_log_came(&log, 2 * SECOND + 60 * MS);
    expect(!strcmp(written(), "[[0,0,0,0,0],[1,0,0,0,0]]"), "%s", text);
}

static void what_came_just_before_the_start_counts_as_at_it(void)
{
    course_log_clear(&log, 2 * SECOND);
    course_log_came(&log, 2 * SECOND - MS);
    expect(!strcmp(written(), "[[1,0,0,0,0]]"), "%s", text);
}

static void a_full_log_has_room_for_the_largest_figures_and_takes_no_more(void)
{
    course_log_clear(&log, SECOND);
    for (uint64_t i = 0; i < COURSE_BINS; i++) {
        course_log_came(&log, SECOND + i * COURSE_BIN_NS);
        log.bins[i] = (struct course_bin){UINT32_MAX, UINT32_MAX, 1, UINT32_MAX, 60 * SECOND};
    }
    course_log_came(&log, SECOND + (uint64_t)COURSE_BINS * COURSE_BIN_NS);
    size_t length = course_log_write(&log, text, sizeof text);
    expect(log.used == COURSE_BINS && length < sizeof text && text[length - 1] == ']', "%zu bytes", length);
}

int main(void)
{
#define RUN(test) run(#test, test)
    RUN(what_happens_stands_in_its_stretch_of_time);
    RUN(a_start_begins_anew);
    RUN(what_came_just_before_the_start_counts_as_at_it);
    RUN(a_full_log_has_room_for_the_largest_figures_and_takes_no_more);
    return failures > 0;
}
