// A small dense convex quadratic program:
//
//     minimize 1/2 x'Qx + c'x   subject to   lo <= x <= hi,   blo <= A x <= bhi
//
// with Q symmetric positive semi-definite (0 is allowed: a linear program). Constraints are
// numbered 0 to n-1 for the bounds and n to n+m-1 for the rows of A. The multipliers y, one for
// each, satisfy
//
//     Q x + c + y_bounds + A' y_rows = 0,   y >= 0 at an upper limit, y <= 0 at a lower one
//
// so the optimal value changes by -y_i per unit by which the active limit i is raised.
// Methods and proofs: docs/theory/qp.md.
#ifndef SOLVE_QP_H
#define SOLVE_QP_H

#include "base/arena.h"

#include "solve/tolerances.h"

#include <stdbool.h>

typedef enum qp_status {
    QP_SOLVED,     // every residual is at most QP_TOLERANCE
    QP_INFEASIBLE, // no x meets all constraints; the conflict says which ones contradict
    QP_UNBOUNDED,  // the objective falls without end along the ray
    QP_LIMIT,      // gave up; x is the best known, its residuals are as reported
    QP_NOT_CONVEX, // Q has a negative eigenvalue
    QP_BAD_INPUT,  // something that should be a finite number is not
} qp_status;

typedef struct qp_problem {
    int n, m;
    const double *Q;         // (n x n) symmetric
    const double *c;         // (n)
    const double *lo, *hi;   // (n) may be infinite; equal: the variable is fixed
    const double *A;         // (m x n)
    const double *blo, *bhi; // (m) may be infinite; equal: an equation
    const double *size; // (n) > 0, what counts as one unit of x, or NULL: chosen from Q and A. Give
                        // it where Q alone misleads, as when a column of a task is mere roundoff.

    // One of several problems in a row, all with the same n and size:
    int kept_rows; // the first rows of A are those of the problem solved last with this work
    bool kept_Q;   // and so are all of A and Q: the factor and the active set go on from there, and
                   // no other guess is looked at
} qp_problem;

// One member of a set of contradicting constraints. With side +1 for its upper limit and -1 for its
// lower one, sum over members of weight * side * (gradient) = 0 while
// sum of weight * side * limit < 0: no x can meet them all. Without any one of them some x can.
typedef struct qp_conflict {
    int id, side;
    double weight; // > 0, the largest is 1 in the solver's scale
} qp_conflict;

// Arrays belong to the work they were solved with and live until its next use.
typedef struct qp_solution {
    qp_status status;
    double objective;
    double primal;          // largest violation
    double dual;            // largest entry of Q x + c + y + A' y
    double complementarity; // largest y_i times the distance to its limit
                            // all three relative, in the solver's scale (docs/theory/qp.md)
    int iteration;          // changes of the active set
    const double *x;        // (n) within its bounds exactly
    const double *y;        // (n + m)
    int nconflict;          // QP_INFEASIBLE: at most n + 1 members, else 0
    const qp_conflict *conflict;
    const double *ray; // QP_UNBOUNDED: (n) direction, Q ray = 0 and c'ray < 0; else NULL
} qp_solution;

typedef struct qp_work qp_work;

// For problems of up to n variables and m rows. NULL when there is no memory. Solving never
// allocates.
qp_work *qp_create(arena *a, int n, int m);

// active: (n + m) in, a guess of which limits hold the solution: -1 the lower, +1 the upper, 0
// neither (all 0: no guess); out, those that do, linearly independent. The guess changes how long
// it takes and, where the solution is not unique, which one is found. The same input gives the same
// bits.
qp_status qp_solve(qp_work *w, const qp_problem *p, int *active, qp_solution *s);

const char *qp_status_text(qp_status status); // "solved", "infeasible", ...

#endif
