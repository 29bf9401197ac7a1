// Dense arithmetic of fronts, once for each instruction set.
#ifndef SPARSE_DENSE_PANEL_H
#define SPARSE_DENSE_PANEL_H

#include <stdbool.h>
#include <stddef.h>

// A block of consecutive pivot columns of a panel. Row 0 is that of the first pivot.
typedef struct panel_block {
    double *L; // column-major; its own pivots first, then, from a multiple of SPARSE_PACK, the rest
    size_t ld;
    int npivot;
    // X = L D, from which updates are computed: entry (i, k) is at
    // (i - i % SPARSE_PACK) npivot + SPARSE_PACK k + i % SPARSE_PACK
    double *X;
    double *inverse_pivot; // (npivot)
} panel_block;

// What the pivots were like.
typedef struct panel_tally {
    double smallest;    // at or below it a pivot counts as zero
    double replacement; // takes the place of zeros
    int negative, zero;
    int first_bad; // number of the first pivot that was negative or zero; INT_MAX: none
} panel_tally;

// C -= L X', lower triangle, for the rows of the block from `row` on; C (0, 0) belongs to that row.
typedef struct panel_target {
    double *C;
    size_t ld;
    int row;         // a multiple of SPARSE_PACK
    int first, last; // columns of C; the first a multiple of SPARSE_PACK
    bool add;        // else C is overwritten
} panel_target;

// A child's update matrix on its way into the parent's front.
typedef struct panel_child {
    const double *C;
    size_t ld;
    int nrun;
    const struct sparse_run *run;
    // The target: columns [first, last) of the parent's panel, or those of its update matrix, which
    // go on where the panel ends. Panel row `first` is row 0 of T, column `first` is column 0.
    double *T;
    size_t target_ld;
    int first, last;
} panel_child;

typedef struct panel_kernels {
    // A = L D L' of the block's own rows. first: number of its first pivot.
    void (*factor)(const panel_block *b, int first, panel_tally *tally);
    // X and L of rows [first, last), multiples of SPARSE_PACK, behind the block's own.
    void (*solve)(const panel_block *b, int first, int last);
    // Rows [first, last) of the target, multiples of SPARSE_PACK.
    void (*update)(const panel_block *b, const panel_target *t, int first, int last);
    void (*extend_add)(const panel_child *c);
} panel_kernels;

// Right-hand sides go through the fronts SPARSE_PACK at a time: x[i] is SPARSE_PACK numbers.
typedef struct panel_rhs {
    const void *L; // doubles, or floats for the single solvers
    size_t ld;
    int npivot;     // scalars
    int pivot_rows; // where the rows below begin
    int nrow;       // block rows below
    const int *row; // their numbers
    double *pivot;  // the right-hand sides of the pivots
    double *all;    // those of all rows
} panel_rhs;

typedef struct panel_solvers {
    void (*forward)(const panel_rhs *r);
    void (*backward)(const panel_rhs *r); // after the division by the pivots
    // The same for one right-hand side; x[i] is one number. w: scratch for the rows of the panel.
    void (*forward_one)(const panel_rhs *r, double *w);
    void (*backward_one)(const panel_rhs *r, double *w);
} panel_solvers;

typedef enum panel_isa { PANEL_PORTABLE, PANEL_AVX2, PANEL_AVX512, PANEL_NISA } panel_isa;

// NULL when this processor cannot run them.
const panel_kernels *panel_kernels_for(panel_isa isa);
const panel_solvers *panel_solvers_for(panel_isa isa);
const panel_solvers *panel_single_solvers_for(panel_isa isa);
panel_isa panel_best_isa(void);

#endif
