// A loop that keeps time: absolute deadlines, so that what one cycle is late the next one is not.
#ifndef APP_BEAT_H
#define APP_BEAT_H

#include <stdint.h>

typedef struct beat {
    int64_t period, next; // ns
    long missed;          // deadlines that had passed before anybody waited for them
} beat;

beat beat_start(double period);

// Waits for the next deadline; those that have passed are left out and counted. Returns by how much
// it woke too late, s.
double beat_wait(beat *b);

// Memory that stays in place, and a priority above ordinary programs, for the calling thread. What
// the system did not allow; "": nothing.
const char *beat_claim(void);

#endif
