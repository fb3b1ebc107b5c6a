/* What every test in C here begins with: a test has failed with the first thing that does not hold, and says so in a line. */
#ifndef H2H3_CHECK_H
#define H2H3_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int failures;
static char reason[256];

static bool expect(bool holds, const char *format, ...)
{
    if (holds || reason[0])
        return holds;
    va_list values;
    va_start(values, format);
    vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
    return false;
}

static void run(const char *name, void (*test)(void))
{
    reason[0] = 0;
    test();
    if (reason[0]) {
        failures++;
        printf("failed %s: %s\n", name, reason);
    } else {
        printf("ok %s\n", name);
    }
}

#endif
