// Symmetric matrices of 3x3 blocks, one block per pair of nodes that share an element, and their
// factorization A = L D L'.
//
// The factorization is multifrontal and unpivoted: D is diagonal and may have negative entries,
// whose number is the number of negative eigenvalues of A. All symbolic work is done once by
// sparse_analyze; factoring and solving allocate nothing.
#ifndef SPARSE_SPARSE_H
#define SPARSE_SPARSE_H

#include "base/arena.h"
#include "base/pool.h"
#include "base/status.h"

// Lower triangle by block columns; row indices ascend, the first of each column is the diagonal.
typedef struct sparse_pattern {
    int n;        // block rows
    int nblock;   // stored blocks
    int *col_adr; // (n + 1)
    int *row;     // (nblock)
} sparse_pattern;

// Collects pairs (i, j) and makes a pattern of them. Diagonals are always there.
typedef struct sparse_builder sparse_builder;

sparse_builder *sparse_builder_create(int n); // NULL: no memory
// Every pair of rows[node], of node itself where rows is NULL; negative ones are ignored.
lithe_status sparse_builder_clique(sparse_builder *b, int nnode, const int *node, const int *rows);
lithe_status sparse_builder_finish(sparse_builder *b, arena *memory, sparse_pattern *out);
void sparse_builder_free(sparse_builder *b);

// Index of block (i, j) in the pattern, i >= j; -1 if it is not there.
int sparse_find(const sparse_pattern *p, int i, int j);

// Where block (i, j) of A is stored, whichever of i and j is larger: 2 * block + transposed. -1 if
// i or j is negative.
static inline int sparse_locate(const sparse_pattern *p, int i, int j)
{
    if (i < 0 || j < 0)
        return -1;
    return i >= j ? 2 * sparse_find(p, i, j) : 2 * sparse_find(p, j, i) + 1;
}

// What is found once from the pattern alone; shared by any number of factors.
typedef struct sparse_symbolic sparse_symbolic;

// Everything is allocated in `memory`, and nothing of the pattern is kept.
lithe_status sparse_analyze(const sparse_pattern *p, arena *memory, sparse_symbolic **out);

// Of one factorization in the order that was chosen, without the zeros that are stored and computed
// with to make fronts larger.
double sparse_flops(const sparse_symbolic *sym);
size_t sparse_nonzeros(const sparse_symbolic *sym); // entries of L

// Numbers of one factorization: L, D and the workspace of factoring and solving. For one thread at
// a time; the symbolic part may be shared.
typedef struct sparse_factor sparse_factor;

// max_rhs: most right-hand sides that one solve will be given. threads: most threads that any pool
// will have.
lithe_status sparse_factor_create(const sparse_symbolic *sym, int max_rhs, int threads,
                                  arena *memory, sparse_factor **out);

// Room for L in single precision beside it.
lithe_status sparse_single_create(sparse_factor *f, arena *memory);

// What the factor takes, and that beside it.
double sparse_factor_bytes(const sparse_symbolic *sym, int max_rhs, int threads);
double sparse_single_bytes(const sparse_symbolic *sym);

typedef struct sparse_report {
    int negative;  // negative entries of D
    int zero;      // entries that were too small to divide by; the factor is not usable if any
    int bad_block; // block row of the first entry that was negative or too small; -1 if none
} sparse_report;

// blocks: (nblock x 9) row-major 3x3, lower triangle by pattern (only the lower triangle of
// diagonal blocks is read). The bits of the result do not depend on the pool's number of threads.
sparse_report sparse_factorize(sparse_factor *f, const double *blocks, pool *threads);

// The same, and B, one right-hand side, becomes what sparse_forward makes of it: sooner than that,
// since each part of L is used while it is in the cache. NULL: none.
sparse_report sparse_factorize_along(sparse_factor *f, const double *blocks, pool *threads,
                                     double *B);

// Pivots count as zero by the largest entry on A's diagonal; or, from now on, by `scale`, where a
// few entries are large for a reason of their own (0: as before).
void sparse_scale(sparse_factor *f, double scale);

// From now on until the next factorization solves read L in single precision, half as much memory:
// for steps that correct themselves. X is then good to about 1e-6.
void sparse_round(sparse_factor *f);

// From now on these threads share solves that are worth it; they must outlive them. NULL, as at
// first: the caller's alone. The bits do not depend on their number.
void sparse_lend(sparse_factor *f, pool *threads);

// Right-hand sides are the columns of B: element i (0 <= i < 3 n) of right-hand side k is B[i *
// nrhs + k].

// X = A^-1 B, in place.
void sparse_solve(sparse_factor *f, int nrhs, double *B);

// The two halves: Y = L^-1 P B with the factor's own order of unknowns, then X = P' L'^-1 D^-1 Y,
// in place each. Right-hand sides with few nonzeros are cheap to forward. With Y1 and Y2 of the
// same factor, B1' A^-1 B2 = Y1' D^-1 Y2.
void sparse_forward(sparse_factor *f, int nrhs, double *B);
void sparse_backward(sparse_factor *f, int nrhs, double *Y);

// The same for right-hand sides that are zero but in n block rows: others are not read, and Y is
// written only where sparse_reach says.
void sparse_forward_few(sparse_factor *f, int nrhs, int n, const int *block_row, double *B);

// Coordinates [first, last) in the factor's order.
typedef struct sparse_span {
    int first, last;
} sparse_span;

// Where the last sparse_forward may have left anything but zeros: fills `span` in ascending order
// and returns how many there are.
int sparse_reach(const sparse_factor *f, sparse_span *span);
int sparse_max_spans(const sparse_symbolic *sym);

const double *sparse_inverse_pivots(const sparse_factor *f); // 1 / D in the factor's order (3 n)

// Reads one of so many parts of L, so that a core that did not make it has it near.
void sparse_fetch(const sparse_factor *f, int part, int parts);

#endif
