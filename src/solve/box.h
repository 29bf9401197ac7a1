// A box-constrained problem: find lambda in [lo, hi] such that w = W lambda + q satisfies, for
// every i,
//
//     w_i >= 0 where lambda_i = lo_i,   w_i <= 0 where lambda_i = hi_i,   w_i = 0 in between
//
// which is the minimum of 1/2 lambda' W lambda + q' lambda over the box. W is symmetric positive
// semi-definite.
#ifndef SOLVE_BOX_H
#define SOLVE_BOX_H

#include <stdbool.h>
#include <stddef.h>

typedef struct box_residual {
    double gap; // largest |w_i| that should be 0 or has the wrong sign, over the largest |q_i|, in
                // each row's own scale
    int iteration; // changes of the active set
    bool solved;   // false: the iteration limit was reached, or W is not what it should be
} box_residual;

size_t box_scratch(int n); // doubles that box_solve needs

// lambda: in, where to start (clamped to the box); out, the solution. W: (n x n). lo <= hi, either
// may be infinite.
box_residual box_solve(int n, const double *W, const double *q, const double *lo, const double *hi,
                       double *lambda, double *scratch);

#endif
