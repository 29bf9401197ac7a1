// How long the steps of a run took, and their phases.
#ifndef APP_TIMING_H
#define APP_TIMING_H

#include "lithe/lithe.h"

enum { TIMING_FACTOR = 1, TIMING_NPHASE = 7 };
extern const char *const TIMING_PHASE[TIMING_NPHASE]; // in the order of the pipeline

typedef struct timing {
    int nstep;                    // taken
    int ntimed;                   // of them, those below: all that had something to do, if any had
    bool busy;                    // some had
    double *step;                 // (ntimed) s
    double *phase[TIMING_NPHASE]; // (ntimed) s
} timing;

// False: no memory.
bool timing_create(timing *t, int max_steps);
void timing_free(timing *t);

// idle: the step found an equilibrium as it began, without an iteration; how long that takes says
// nothing about how long steps take.
void timing_add(timing *t, double seconds, lithe_phase_time phase, bool idle);

// Sorts every list, after which the shares below can be asked for.
void timing_sort(timing *t);

// The value that this share of the sorted list does not exceed (nearest rank): 0.5 the median, 1
// the largest. 0 for an empty list.
double timing_rank(const double *sorted, int n, double share);
double timing_mean(const double *value, int n);

#endif
