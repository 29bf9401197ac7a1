// The numbers of a factorization.
#ifndef SPARSE_FACTOR_H
#define SPARSE_FACTOR_H

#include "sparse/panel.h"
#include "sparse/symbolic.h"

struct sparse_factor {
    const sparse_symbolic *sym;
    const panel_kernels *kernels;
    const panel_solvers *solvers;

    // written by sparse_factorize
    double *panel;         // L (npanel)
    double *inverse_pivot; // 1 / D (3 n)

    // scratch
    double *workspace;   // (nworkspace)
    panel_tally *tally;  // (ntask)
    const double *block; // A, while factoring
    int max_rhs;
    double *rhs;   // right-hand sides in the order of elimination, SPARSE_PACK at a time
    double *below; // (max_below)
};

// Uses the arithmetic of another instruction set, which the processor must have.
void sparse_factor_use(sparse_factor *f, panel_isa isa);

// Factors one front, whose children are done. pack: scratch of the front's task.
void front_factor(sparse_factor *f, const sparse_front *front, double *pack, panel_tally *tally,
                  pool *threads);

#endif
