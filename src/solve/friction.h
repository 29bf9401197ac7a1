// Contacts with Coulomb's friction, and rows with bounds beside them. With w = W lambda + q:
//
//     box rows       as in box.h
//     contacts       each has three rows: the gap w_n and the slip w_t (2) of this step, and the
//     forces
//                    lambda_n, lambda_t along them:
//                    0 <= lambda_n, 0 <= w_n, lambda_n w_n = 0                  (Signorini)
//                    |lambda_t| <= mu lambda_n, and where w_t is not 0
//                    lambda_t = -mu lambda_n w_t / |w_t|                        (Coulomb)
//
// with the circular cone. W is symmetric positive semi-definite. Solutions need not be unique, and
// far from all data there need not be one; the residual says what was found.
// Methods: docs/theory/contact-solvers.md.
#ifndef SOLVE_FRICTION_H
#define SOLVE_FRICTION_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct friction_problem {
    int nbox, ncontact; // n = nbox + 3 ncontact rows, box rows first; normal first in each contact
    const double *W;    // (n x n)
    const double *q;    // (n)
    const double *lo, *hi; // (nbox) may be infinite
    const double *mu;      // (ncontact) >= 0
} friction_problem;

typedef struct friction_result {
    double residual; // largest entry of the natural map lambda - P(lambda - w - mu |w_t| n), P the
                     // projection onto bounds and cones, in the rows' own scales, over the largest
                     // |q|: 0 exactly at a solution
    int sweep;       // of Gauss-Seidel
    int newton;      // steps
    int interior;    // steps
    bool solved;     // residual <= FRICTION_TOLERANCE
} friction_result;

#define FRICTION_TOLERANCE 1e-10

typedef struct friction_work friction_work;

// For up to n rows. NULL when there is no memory. Solving never allocates.
friction_work *friction_create(arena *a, int n);

// lambda: (n) in, where to start; out, the solution.
friction_result friction_solve(friction_work *w, const friction_problem *p, double *lambda);

// One contact alone: W (3 x 3) positive definite, q (3). Exact but for roundoff.
void friction_local(const double W[9], const double q[3], double mu, double lambda[3]);

#endif
