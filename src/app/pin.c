#define _GNU_SOURCE // cores are not in POSIX
#include "app/pin.h"

#include <sched.h>

static cpu_set_t before;
static bool pinned;

int pin_to_core(void)
{
    int core = sched_getcpu();
    if (core < 0 || core >= CPU_SETSIZE || sched_getaffinity(0, sizeof before, &before) != 0)
        return -1;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    pinned = sched_setaffinity(0, sizeof one, &one) == 0;
    return pinned ? core : -1;
}

void pin_release(void)
{
    if (pinned)
        sched_setaffinity(0, sizeof before, &before);
    pinned = false;
}
