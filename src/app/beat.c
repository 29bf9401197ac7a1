#include "app/beat.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <time.h>

static const int64_t SECOND = 1000000000;

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

beat beat_start(double period)
{
    int64_t ns = (int64_t)(period * 1e9);
    return (beat){.period = ns > 0 ? ns : 1, .next = now()};
}

double beat_wait(beat *b)
{
    b->next += b->period;
    int64_t behind = now() - b->next;
    if (behind > 0) {
        int64_t skipped = behind / b->period;
        b->missed += skipped + 1;
        b->skipped += skipped;
        b->next += skipped * b->period;
    }
    struct timespec when = {.tv_sec = b->next / SECOND, .tv_nsec = b->next % SECOND};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) == EINTR)
        ;
    return (double)(now() - b->next) / (double)SECOND;
}

const char *beat_claim(void)
{
    struct sched_param priority = {.sched_priority = 10};
    bool memory = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
    bool first = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    return memory  ? first ? "" : "real-time priority"
           : first ? "locked memory"
                   : "locked memory and real-time "
                     "priority";
}
