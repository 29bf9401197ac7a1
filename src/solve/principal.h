// The Cholesky factor of a principal submatrix of a symmetric positive semi-definite matrix, kept
// up to date as indices enter and leave: O(k^2) for each, never O(k^3). Indices that depend on
// those already in are refused, so the factor is always regular.
#ifndef SOLVE_PRINCIPAL_H
#define SOLVE_PRINCIPAL_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct principal {
    int nmax;
    int n;           // of the matrix
    const double *W; // (n x n) about unit diagonal
    int count;       // indices that are in
    int *id;         // (count) which
    int *position;   // (n) where in id, -1: out
    double *L;       // row k at L + k nmax; L L' = W over id
    double *c, *s;   // (nmax) rotations of the last removal
} principal;

// For matrices of up to nmax. False: no memory.
bool principal_create(arena *a, int nmax, principal *p);

void principal_start(principal *p, int n, const double *W); // with no index in

// False, and nothing changes, if what i has of its own is at most PRINCIPAL_DEPENDENT of it.
bool principal_enter(principal *p, int i);
void principal_leave(principal *p, int i);

// b <- (W over id)^-1 b for nrhs right-hand sides, entry k of right-hand side r at b[k nrhs + r].
void principal_solve(const principal *p, int nrhs, double *b);

#endif
