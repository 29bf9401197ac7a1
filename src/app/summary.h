// How a run ended: as the JSON that every command which steps prints and saves, and as text.
#ifndef APP_SUMMARY_H
#define APP_SUMMARY_H

#include "app/accuracy.h"
#include "app/limits.h"
#include "app/timing.h"
#include "io/json.h"
#include "lithe/lithe.h"

// Overlaps over all steps.
typedef struct summary_overlap {
    double depth; // deepest, m
    int step;     // … and when
    int pair;     // … and whose, where depth is not 0
    int over;     // steps that left more than is allowed
} summary_overlap;

typedef struct summary {
    const char *scene;
    const lithe_def *def;
    const lithe_model *model;
    const lithe_state *state; // after the last step
    int steps;                // done, the one that failed included
    int threads;
    int newton;     // iterations of all steps
    bool converged; // every step did
    summary_overlap overlap;
    const timing *timing; // sorted
    const char *out;      // results folder; NULL: none
    // of a task
    const accuracy *accuracy;  // NULL: there was none
    bool reached;              // every target that was to be
    int nlimit;                // limits that hold the last step back
    const active_limit *limit; // (nlimit)
    const double *compliance;  // (nrow x ndriven); NULL: not asked for
    const double *jacobian;    // (nrow - ndriven x ndriven); NULL: not asked for, or there is none
} summary;

// Its items, into an object that is open.
void summary_write(json *j, const summary *s);

// The JSON text, to be freed with free(); NULL when there is no memory.
char *summary_json(const summary *s);

void summary_print(const summary *s);

#endif
