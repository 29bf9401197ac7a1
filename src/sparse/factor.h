// The numbers of a factorization.
#ifndef SPARSE_FACTOR_H
#define SPARSE_FACTOR_H

#include "sparse/dense_panel.h"
#include "sparse/symbolic.h"

#include <stdatomic.h>

struct sparse_factor {
    const sparse_symbolic *sym;
    const panel_kernels *kernels;
    const panel_solvers *solvers, *single_solvers;
    double scale; // by which pivots are judged; 0: the largest on the diagonal

    // written by sparse_factorize
    double *panel;         // L (npanel)
    double *inverse_pivot; // 1 / D (3 n)
    float *single;         // L rounded (npanel); NULL: never
    bool rounded;          // solves read that

    // scratch
    int ndesk;
    double *desk;        // (ndesk of them) one after the other
    atomic_bool *taken;  // (ndesk) by a thread
    double *kept;        // update matrices that outlive their task
    panel_tally *tally;  // (ntask)
    const double *block; // A, while factoring
    int max_rhs;
    double *rhs;  // right-hand sides in the order of elimination, SPARSE_PACK at a time
    bool *active; // (nfront) fronts that right-hand sides reach
    double *rows; // of one panel (max_rows)
};

// Uses the arithmetic of another instruction set, which the processor must have.
void sparse_factor_use(sparse_factor *f, panel_isa isa);

// Who factors a front, and where.
typedef struct front_work {
    double *desk;
    bool alone; // one thread factors all fronts
    panel_tally *tally;
    pool *threads; // that may help; NULL: none
} front_work;

// Factors one front, whose children are done.
void front_factor(sparse_factor *f, const sparse_front *front, const front_work *work);

#endif
