// Efforts x that bring the levels of a task nearest to their targets, while every contact obeys
// Signorini's law:
//
//     minimize, level by level, 1/2 sum_i w_i (J x + J_c lambda + e)_i^2,
//     then 1/2 (x + x0)' R (x + x0)                                       as in hierarchy.h
//     subject to   lo <= x <= hi,   blo <= A x + A_c lambda <= bhi
//                  0 <= lambda,   0 <= delta = W_ca x + W_cc lambda + gap,   lambda_i delta_i = 0
//
// a quadratic program with complementarity constraints [coevoet2019, eq. 4.10], solved in the
// reduced formulation over x alone (section 4.4.2): on each piece, which is a set of active
// contacts, lambda is affine in x. W_cc is symmetric positive semi-definite.
// Methods and certificates: docs/theory/contact-solvers.md.
#ifndef SOLVE_QPCC_H
#define SOLVE_QPCC_H

#include "solve/hierarchy.h"

#include <stdbool.h>

typedef struct qpcc_level {
    int nrow;
    const double *J;      // (nrow x n)
    const double *Jc;     // (nrow x ncontact)
    const double *e;      // (nrow)
    const double *weight; // (nrow) >= 0, or NULL: all 1
} qpcc_level;

typedef struct qpcc_problem {
    int n, nlimit, ncontact, nlevel;
    const qpcc_level *level; // (nlevel) most important first
    const double *lo, *hi;   // (n) may be infinite
    const double *A, *Ac;    // (nlimit x n), (nlimit x ncontact)
    const double *blo, *bhi; // (nlimit) may be infinite
    const double *W_ca;      // (ncontact x n)
    const double *W_cc;      // (ncontact x ncontact)
    const double *gap;       // (ncontact) at x = 0 and lambda = 0
    const double *R, *x0;    // (n x n), (n); NULL: the identity, 0
    hierarchy_mode mode;
    double factor; // HIERARCHY_MIXED only; 0 stands for HIERARCHY_MIX

    const double *start;         // (n) the pieces around it are searched first; NULL: 0
    const double *lambda_start;  // (ncontact) a guess of the forces there; NULL: 0
    bool global;                 // go on to prove the optimum, or find a better one
    int most_nodes;              // … and give up after this many subproblems; 0: 100000
    bool (*stop)(void *stopper); // … or as soon as this is true; may be NULL
    void *stopper;
    // told of every point and piece on the way; may be NULL
    void (*visit)(void *visitor, const double *x, const bool *active);
    void *visitor;
} qpcc_problem;

typedef enum qpcc_status {
    QPCC_SOLVED,
    QPCC_RELAXED,   // the limits cannot be met with these contacts: solved with those in `relaxed`
    QPCC_NO_ROOM,   // contacts contradict each other, whatever the efforts: lambda is the proof
    QPCC_FAILED,    // a QP on a piece did not end well: `piece` says how
    QPCC_BAD_INPUT, // something that should be a finite number is not, or is too large for the work
} qpcc_status;

// What is proved about x. Each includes those after it.
typedef enum qpcc_proof {
    QPCC_GLOBAL,    // nothing better exists
    QPCC_STRONG,    // multipliers of both forces and gaps have the right sign: a local minimum
    QPCC_LOCAL,     // no piece that x lies on has anything better: a local minimum
    QPCC_ONE_PIVOT, // nor has any piece one change of contact away, of more pieces than were tried
    QPCC_NOTHING,
} qpcc_proof;

// Arrays belong to the work they were solved with and live until its next use.
typedef struct qpcc_solution {
    qpcc_status status;
    qpcc_proof proof;
    qp_status piece;                      // of the last QP
    double primal, dual, complementarity; // of the last piece's QP, as in qp.h
    double signorini;         // largest |min(lambda, delta)|, in each contact's own scale, relative
    double wrong_sign;        // largest multiplier of a contact against QPCC_STRONG, relative
    int pivot;                // changes of piece that were accepted
    int piece_count;          // pieces that were solved on the way
    int node;                 // global: subproblems
    double bound;             // global: no x has a lower cost of level 0, or of the mixed objective
    const double *x;          // (n)
    const double *lambda;     // (ncontact)
    const double *delta;      // (ncontact)
    const bool *active;       // (ncontact) the piece
    const double *residual;   // J x + J_c lambda + e of every level, one after another
    const double *cost;       // (nlevel + 1) of each level, then the tie-breaker's; mixed: one
    const double *multiplier; // (n + nlimit) d(cost of level 0) / d(limit); 0 where inactive
    const double *relaxed;    // (nlimit) > 0: the upper limit was exceeded by this, < 0: the lower
} qpcc_solution;

typedef struct qpcc_size {
    int n, nlimit, ncontact, nlevel, nrow; // nrow of all levels
    bool global;                           // memory for proofs is there
} qpcc_size;

typedef struct qpcc_work qpcc_work;

// For problems of up to this size. NULL when there is no memory. Solving never allocates.
qpcc_work *qpcc_create(arena *a, qpcc_size size);

qpcc_status qpcc_solve(qpcc_work *w, const qpcc_problem *p, qpcc_solution *s);

const char *qpcc_proof_text(qpcc_proof proof);

#endif
