// The model as a function of what is to be found: residuals of every observation, from equilibria
// of the scene with other values in it. Several models run at once, one on each thread.
#ifndef STUDY_MISFIT_H
#define STUDY_MISFIT_H

#include "base/pool.h"
#include "study/observations.h"
#include "study/unknown.h"

#include <pthread.h>

typedef struct forward {
    study *study;
    const lithe_observations *data;
    int nunknown;
    const lithe_parameter *unknown;
    lithe_mesh **mesh; // (nbody) each is read once
    pool *pool;
    pthread_mutex_t compiling; // one model at a time
    pthread_mutex_t lock;      // over all that follows
    int expected;              // models that will be run, about
    int done;                  // models run
    int first_bad;             // the earliest model of this round that failed
    lithe_status status;
    lithe_report reason; // of it
} forward;

// On failure there is nothing to close.
lithe_status forward_open(forward *f, study *s, const lithe_observations *data,
                          const lithe_parameter *all);
void forward_close(forward *f);

// For calibrate_problem; user: the forward.
lithe_status forward_evaluate(void *user, int npoint, const double *value, double *residual,
                              bool *exists);

#endif
