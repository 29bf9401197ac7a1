// A loop that keeps time: absolute deadlines, so that what one cycle is late the next one is not.
#ifndef APP_BEAT_H
#define APP_BEAT_H

#include <stdint.h>

typedef struct beat {
    int64_t period, next; // ns
    long missed;          // deadlines at which the cycle before was not over
    long skipped;         // periods that had no cycle for it: what is left of the last one has
} beat;

beat beat_start(double period);

// Waits for the next deadline, or not at all in a period that has begun already. Returns by how
// much it is too late, s.
double beat_wait(beat *b);

// Memory that stays in place, and a priority above ordinary programs, for the calling thread. What
// the system did not allow; "": nothing.
const char *beat_claim(void);

#endif
