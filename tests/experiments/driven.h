// A driver and a plant in one process, in simulated time: a trial of a closed loop that is the same
// on every machine.
#ifndef EXPERIMENTS_DRIVEN_H
#define EXPERIMENTS_DRIVEN_H

#include "lithe/drive.h"

#include <stdbool.h>

enum { DRIVEN_SETS = 24 };

typedef struct driven {
    // what is driven
    const char *scene;                // under the repository's root
    const char *both[DRIVEN_SETS];    // overrides of the model and of the plant, up to a NULL
    const char *machine[DRIVEN_SETS]; // … of the plant alone
    const char *law;                  // … of the model alone: its controller
    const char *steps;                // … and its steps; NULL: as the scene has them
    int substeps;                     // of the plant in a cycle
    int every;                        // the last of so many cycles is looked at; 1: all

    // what came of it, from the beginning of the path on
    int n;
    double *off;                  // of the plant's effector from its target at that time (n) m
    double *seen;                 // of the reading from the target when it was taken (n) m
    double *at;                   // where the plant's effector was (3 x n) m
    double *there;                // and should have been (3 x n) m
    int limited;                  // cycles in which the gate held an output back
    char problem[LITHE_TEXT_MAX]; // why it could not be done; "": it was
} driven;

// All of them, on as many threads as there are processors. False: one has a problem.
bool driven_run(driven *list, int n);
void driven_free(driven *list, int n);

typedef struct spread {
    double least, quarter, median, mean, three_quarters, most;
} spread;

spread spread_of(const double *value, int n);

#endif
