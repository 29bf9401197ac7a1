// Seconds on a clock that only runs forward.
#ifndef APP_STOPWATCH_H
#define APP_STOPWATCH_H

#include <time.h>

static inline double stopwatch_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
