// The results of one run in their folder: a frame and a line of the series for every step, an index
// of the frames, and a summary; for a task also what hardware is told.
#ifndef IO_RESULTS_H
#define IO_RESULTS_H

#include "io/outdir.h"

#include <stdio.h>

typedef struct results {
    outdir folder;
    const char *series_path;
    FILE *series;
    const char *actuation_path;
    FILE *actuation;
    const char *contacts_path;
    FILE *contacts;       // NULL: nothing can come into contact
    const double *target; // of a task (nrow); NULL: there is none
    int nframe;
    int first; // step of the first frame
} results;

// target: where the caller keeps what rows shall measure; NULL without a task. On failure nothing
// is left to discard.
lithe_status results_open(const char *name, const lithe_model *m, const double *target, results *r,
                          lithe_report *report);

// The state as the next step, from 0.
lithe_status results_add(results *r, const lithe_model *m, const lithe_state *s,
                         lithe_report *report);

// W (nrow x ndriven) and J (nrow - ndriven x ndriven); J may be NULL.
lithe_status results_add_matrices(results *r, const lithe_model *m, const double *W,
                                  const double *J, lithe_report *report);

// Both end the results; after a failed commit nothing is left on the disk.
lithe_status results_commit(results *r, const lithe_model *m, const char *summary,
                            lithe_report *report);
void results_discard(results *r);

#endif
