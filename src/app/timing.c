#include "app/timing.h"

#include <math.h>
#include <stdlib.h>

const char *const TIMING_PHASE[TIMING_NPHASE] = {"assemble", "factor", "free",   "rows",
                                                 "condense", "solve",  "correct"};

bool timing_create(timing *t, int max_steps)
{
    size_t n = (size_t)max_steps;
    *t = (timing){.step = calloc(n * (TIMING_NPHASE + 1), sizeof *t->step)};
    if (!t->step)
        return false;
    for (size_t i = 0; i < TIMING_NPHASE; i++)
        t->phase[i] = t->step + (i + 1) * n;
    return true;
}

void timing_free(timing *t)
{
    free(t->step);
    *t = (timing){0};
}

void timing_add(timing *t, double seconds, lithe_phase_time phase, bool idle)
{
    const double share[TIMING_NPHASE] = {phase.assemble, phase.factor, phase.free,   phase.rows,
                                         phase.condense, phase.solve,  phase.correct};
    t->nstep++;
    if (idle && t->busy)
        return;
    if (!idle && !t->busy)
        t->ntimed = 0; // so far they were idle
    t->busy = t->busy || !idle;
    t->step[t->ntimed] = seconds;
    for (int i = 0; i < TIMING_NPHASE; i++)
        t->phase[i][t->ntimed] = share[i];
    t->ntimed++;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

void timing_sort(timing *t)
{
    qsort(t->step, (size_t)t->ntimed, sizeof *t->step, ascending);
    for (int i = 0; i < TIMING_NPHASE; i++)
        qsort(t->phase[i], (size_t)t->ntimed, sizeof *t->step, ascending);
}

double timing_rank(const double *sorted, int n, double share)
{
    if (n == 0)
        return 0;
    int rank = (int)ceil(share * n);
    return sorted[rank > 0 ? rank - 1 : 0];
}

double timing_mean(const double *value, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += value[i];
    return n > 0 ? sum / n : 0;
}
