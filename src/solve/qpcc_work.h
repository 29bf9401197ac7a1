// What the parts of the QPCC solver share. Contacts are in units of their own: force times
// sqrt(W_ii), gap over sqrt(W_ii), so that both are square roots of energy and comparable.
#ifndef SOLVE_QPCC_WORK_H
#define SOLVE_QPCC_WORK_H

#include "solve/box.h"
#include "solve/dense.h"
#include "solve/principal.h"
#include "solve/qpcc.h"
#include "solve/tolerances.h"

// The minimum on one piece.
typedef struct qpcc_point {
    qp_status status;
    double primal, dual, complementarity;
    double *x;          // (n) then, where limits are elastic, what they give (nlimit)
    double *cost;       // (nlevel + 1)
    double *multiplier; // (n + nlimit + ncontact), those of contacts in their own units
    double
        *value; // (ncontact) of the condition: the force of an active contact, the gap of another
} qpcc_point;

struct qpcc_work {
    qpcc_size max;
    const qpcc_problem *p;
    bool elastic; // limits may be exceeded, and the sum of squares of the excess is the cost

    // the contacts in their own units; written by qpcc_scale
    double *scale; // (nc) lambda = scale times the scaled one
    double *W;     // (nc x nc)
    double *B;     // (nc x (n + 1)) delta = B (x, 1) + W lambda
    double *size;  // (n) one unit of each effort
    double *give;  // (nlimit) one unit of each limit
    double extent; // what forces and gaps are measured against
    double mix;    // epsilon of the mixed objective

    // the piece
    principal active;
    double *M; // (active x (n + 1)) lambda of the active ones = M (x, 1), in the factor's order
    double *M_size; // (active) largest entry of a row of M, in units of the efforts
    double *offset; // (nc) the condition at x = 0
    bool *constant; // (nc) the condition does not depend on x
    double *row;    // (n + 1) scratch

    // its QP; written by qpcc_reduce
    int nvar;
    hierarchy_level *level;
    double *J, *e, *A, *blo, *bhi, *lo, *hi, *R, *x0;
    hierarchy_work *firm, *yielding;

    qpcc_point now, trial;
    double *mark;  // (nlevel + 1) cost that a better point must beat
    double *noise; // (nlevel + 1) differences of cost that mean nothing
    bool *on;      // (nc) contacts of `now`
    int *kink;     // (nc) contacts without force and gap
    int nkink;
    double *force, *gap_multiplier, *dual; // (nc) multipliers
    double slope_terms;                    // what multipliers are measured against
    double *relaxed;                       // (nlimit)
    double *wide_lo, *wide_hi;             // (nlimit) limits as relaxed
    box_work *lcp;
    double *zero, *infinite, *q, *lambda, *delta; // (nc)
    double *residual;                             // (nrow)

    // branch and bound; see qpcc_global.c
    hierarchy_work *open;
    signed char *branch; // (nc + 2) x nc decisions of the nodes that wait
    double *open_bound;  // (nc + 2) cost of level 0 below which they cannot go
    hierarchy_level *open_level;
    double *open_J, *open_A, *open_R, *open_x0, *open_lo, *open_hi, *open_blo, *open_bhi;
    double *open_cost; // (nlevel + 1)
};

// qpcc_piece.c
// Minimum over the piece of the active contacts, into `trial`. False: there is none.
bool qpcc_solve_piece(qpcc_work *w);
double qpcc_tie(const qpcc_problem *p, const double *x);
// Multipliers of all forces and gaps at `now`, from those that its piece's QP has.
void qpcc_multipliers(qpcc_work *w);

// qpcc.c
bool qpcc_better(const qpcc_work *w, const double *cost); // than `now`, beyond noise
void qpcc_accept(qpcc_work *w, qpcc_solution *s);         // `trial` becomes `now`
void qpcc_enter(qpcc_work *w, const bool *on);            // those that depend on others stay out

// qpcc_global.c
bool qpcc_global_create(arena *a, qpcc_work *w);
void qpcc_prove(qpcc_work *w, qpcc_solution *s);

#endif
