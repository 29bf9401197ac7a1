// What forces on the coordinates of modes move in a sample, by which elements are chosen.
#ifndef STUDY_REDUCE_MOVED_H
#define STUDY_REDUCE_MOVED_H

#include "study/reducing.h"

typedef struct moved_sample {
    const lithe_model *m;         // the whole model
    const reduction_range *range; // of its actuators
    int n;                        // shapes
    const double *Phi;            // (nnode x 3 x n)
    const double *inverse;        // A^-1 in the sample (n x n)
    const double *x;              // nodes there (nnode x 3)
    const double *effort;         // (nact)
    double *H;                    // room for a row's gradient (nnode x 3)
} moved_sample;

// Numbers of effectors that count.
int reduce_nled(const lithe_model *m);

// out: (reduce_nled + n) x n, metres by unit force on each coordinate. False: there is no memory,
// or held rows cannot all be held.
bool reduce_moved(const moved_sample *k, arena *scratch, double *out);

#endif
