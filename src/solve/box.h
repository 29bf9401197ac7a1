// A box-constrained problem: find lambda in [lo, hi] such that w = W lambda + q satisfies, for
// every i,
//
//     w_i >= 0 where lambda_i = lo_i,   w_i <= 0 where lambda_i = hi_i,   w_i = 0 in between
//
// which is the minimum of 1/2 lambda' W lambda + q' lambda over the box. W is symmetric positive
// semi-definite. With lo = 0 and hi = infinity it is the linear complementarity problem of
// contacts, 0 <= W lambda + q, lambda >= 0, one of each pair 0; with finite or infinite limits on
// other rows the mixed one of contacts and actuators that are told their displacement. Method and
// proof that it ends: docs/theory/contact-solvers.md.
#ifndef SOLVE_BOX_H
#define SOLVE_BOX_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct box_residual {
    double gap; // largest |w_i| that should be 0 or has the wrong sign, over the largest |q_i|, in
                // each row's own scale
    int iteration; // changes of the active set
    bool solved;
    bool endless; // not solved, as there is no solution: the objective falls for ever along
                  // lambda, which has W lambda = 0 and q' lambda < 0 (contacts that contradict)
} box_residual;

typedef struct box_work box_work;

// For up to n rows. NULL when there is no memory. Solving never allocates.
box_work *box_create(arena *a, int n);

// lambda: in, where to start (clamped to the box); out, the solution. W: (n x n). lo <= hi, either
// may be infinite.
box_residual box_solve(box_work *work, int n, const double *W, const double *q, const double *lo,
                       const double *hi, double *lambda);

// The same conditions for a W that is not symmetric, though lambda' W lambda > 0: from lambda,
// which box_solve has found as if W were symmetric, by principal pivots. scratch: n * n + 3 * n
// numbers. False: W is not such, and lambda is as it was.
bool box_refine(int n, const double *W, const double *q, const double *lo, const double *hi,
                double *lambda, double *scratch);

#endif
