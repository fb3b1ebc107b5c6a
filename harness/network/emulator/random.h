/* Numbers by chance that a seed repeats. */
#ifndef H2H3_RANDOM_H
#define H2H3_RANDOM_H

#include <stdint.h>

/** xorshift64* (Vigna 2016), uniform in [0, 1); the state is never zero. */
static inline double random_uniform(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (double)((x * 0x2545f4914f6cdd1du) >> 11) * 0x1p-53;
}

#endif
