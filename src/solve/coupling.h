// A matrix that is known by its factor, plus a small dense one on a few of its coordinates:
// A + P K P'. Bodies are factored one by one; what couples two of them, or far parts of one, is K.
//
// With S = P' A^-1 P, the inverse of the Schur complement of A on the coordinates P,
//
//     (A + P K P')^-1 r = A^-1 (r - P t),   t = K (S^-1 + K)^-1 S^-1 u,   u = P' A^-1 r
//
// and A + P K P' has as many more negative eigenvalues than A as S^-1 + K has more than S. With S =
// L D L' neither is inverted: N = L' (S^-1 + K) L = D^-1 + L' K L, and t = K L N^-1 D^-1 L^-1 u.
//
// S has a block for each body, K few entries in a row: both are used.
#ifndef SOLVE_COUPLING_H
#define SOLVE_COUPLING_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct coupling {
    int n, max;      // coordinates
    int npart;       // of them, that do not meet in S
    const int *part; // where each begins (npart + 1)
    double *S;       // P' A^-1 P, block by block, upper halves; L' and D once factored
    bool factored;   // it is; set to false with every new S
    int below;       // its eigenvalues below 0
    double *K;       // (n x n), symmetric
    double *slant;   // what is added to K and is not symmetric (n x n), as where friction slips
    bool symmetric;  // there is none
    int negative;    // eigenvalues below 0 that K adds to those of A; may be below 0
    double *N;       // D^-1 + L' K L, factored (n x n)
    int *pivot;      // of N where it is not symmetric (n)
    double *L;       // block by block
    double *KL, *scratch;
} coupling;

bool coupling_create(arena *memory, int max, coupling *c); // false: no memory

// Where a block of S begins.
double *coupling_part(const coupling *c, int k);

// Takes S, which it factors if it is not yet, K and slant. Eigenvalues are counted without slant,
// which takes another factorization where there is one; not count: they stay what they were.
// False: singular.
bool coupling_factor(coupling *c, bool count);

// u = P' A^-1 r becomes the force t.
void coupling_apply(const coupling *c, double *u);

#endif
