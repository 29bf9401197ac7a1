// Least squares in order of importance. Level k minimizes 1/2 sum_i w_i (J_k x + e_k)_i^2 with only
// the freedom that the levels before it leave; the tie-breaker 1/2 (x + x0)' R (x + x0) settles
// what is left after the last level, so that the solution is unique where R is positive definite
// and the levels do not notice it. All levels obey
//
//     lo <= x <= hi,   blo <= A x <= bhi
//
// In use x holds increments of efforts, x0 the present efforts, R their compliance W_aa.
// Methods: docs/theory/qp.md.
#ifndef SOLVE_HIERARCHY_H
#define SOLVE_HIERARCHY_H

#include "solve/qp.h"

typedef struct hierarchy_level {
    int nrow;
    const double *J;      // (nrow x n)
    const double *e;      // (nrow)
    const double *weight; // (nrow) >= 0, or NULL: all 1
} hierarchy_level;

typedef enum hierarchy_mode {
    HIERARCHY_STRICT,
    // All levels at once and the work of the total efforts mixed in: 1/2 sum w (J x + e)^2 +
    // epsilon (x + x0)'R(x + x0) with epsilon = factor |J'J|_inf / |R|_inf [coevoet2019, section
    // 3.3.2]. Fast, but misses reachable targets.
    HIERARCHY_MIXED,
} hierarchy_mode;

typedef struct hierarchy_problem {
    int n, m, nlevel;
    const hierarchy_level *level; // (nlevel) most important first
    const double *lo, *hi;        // (n) may be infinite
    const double *A;              // (m x n)
    const double *blo, *bhi;      // (m) may be infinite
    const double *R;              // (n x n) positive semi-definite; NULL: the identity
    const double *x0;             // (n); NULL: 0
    hierarchy_mode mode;
    double factor; // HIERARCHY_MIXED only; 0 stands for HIERARCHY_MIX
    double mix;    // HIERARCHY_MIXED only; epsilon itself, if > 0
} hierarchy_problem;

// Arrays belong to the work they were solved with and live until its next use.
typedef struct hierarchy_solution {
    qp_status status;
    int failed_level;                     // which level's status it is; nlevel: the tie-breaker's
    double primal, dual, complementarity; // worst over the levels, as in qp.h
    int iteration;                        // changes of active sets, all levels
    const double *x;                      // (n)
    const double *residual;               // J x + e of every level, one after another
    const double *cost;                   // (nlevel) the minimum of each level
    const double *multiplier; // (n + m) d(cost of level 0) / d(limit i); 0 where inactive
    const int *active;        // (n + m) the limits that hold x, as in qp.h
    int nconflict;            // QP_INFEASIBLE: as in qp.h
    const qp_conflict *conflict;
} hierarchy_solution;

typedef struct hierarchy_work hierarchy_work;

// For problems of up to these sizes; nrow counts the rows of all levels. NULL when there is no
// memory. Solving never allocates.
hierarchy_work *hierarchy_create(arena *a, int n, int m, int nlevel, int nrow);

// Starts from the active sets of the last solve with this work, which must have had the same n and
// m.
qp_status hierarchy_solve(hierarchy_work *w, const hierarchy_problem *p, hierarchy_solution *s);

// Forgets the last solve: the next one gives the same bits as the first ever.
void hierarchy_forget(hierarchy_work *w);

// What one solve leaves to the next, for whoever saves it.
enum { HIERARCHY_LAST = 3 };

typedef struct hierarchy_memory {
    int *last;  // sizes of the last problem: n, m, levels; the first is -1: there is none
    int *guess; // (nguess) its active sets
    size_t nguess;
} hierarchy_memory;

hierarchy_memory hierarchy_remembered(hierarchy_work *w);

#endif
