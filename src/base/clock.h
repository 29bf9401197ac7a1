// Seconds from an arbitrary start, which never go backwards: by the wall's clock, and those that
// the calling thread has computed.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

static inline double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double clock_computed(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
