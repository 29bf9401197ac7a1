// Rows of a compliance that are kept where they shall be whatever it costs, as joints keep what
// they join: taken out of the problem before efforts within limits are looked for.
//
//     W_EE x_E = aim_E - delta_E - W_EA x_A        x: changes of efforts
//
// leaves W_rA - W_rE W_EE^-1 W_EA of all other rows r.
#ifndef SOLVE_ELIMINATE_H
#define SOLVE_ELIMINATE_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct elimination {
    int n, first; // efforts; those from `first` on are kept
    double *own;  // W_EE (n - first squared)
    double *X;    // W_EE^-1 (W_EA, delta_E - aim_E) (n - first x first + 1)
    double *scratch;
} elimination;

bool elimination_create(arena *a, int n, int first, elimination *e);

// W: (nrow x n), delta: (nrow), of which the first n rows are those of the efforts; aim: (n). The
// kept rows and columns of W become 0, and what they measure their aim. Rows that say the same
// twice share their effort. False: W_EE is singular all the same.
bool eliminate(elimination *e, int nrow, double *W, double *delta, const double *aim);

// Negative eigenvalues that W_EE had.
int eliminate_negative(elimination *e);

// x_E of x_A, in the same array (n).
void eliminate_back(const elimination *e, double *x);

#endif
