// A = L D L' of a small symmetric matrix with its entries near the diagonal, unpivoted, for spaces
// with few coordinates. What is kept is D L', line by line: the loops run along its lines.
#ifndef BODY_SMALL_FACTOR_H
#define BODY_SMALL_FACTOR_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

typedef struct small_kernels small_kernels;

typedef struct small_factor {
    int n;
    double *upper;   // D L', on and above the diagonal (n x n)
    double *inverse; // 1 / D; 0: the pivot is zero
    int *last;       // one past the last entry of every line, ascending
    int negative;    // pivots below 0 by more than rounding
    bool singular;
    const small_kernels *kernels;
} small_factor;

// first: of every line of the lower half, its first entry; NULL: 0
lithe_status small_factor_create(int n, const int *first, arena *memory, small_factor *out);

// A: lower half, lines `stride` apart
void small_factor_make(small_factor *f, const double *A, int stride);

// Of n x nrhs numbers: B = L^-1 B; Y = L'^-1 D^-1 Y
void small_factor_forward(const small_factor *f, int nrhs, double *B);
void small_factor_backward(const small_factor *f, int nrhs, double *Y);

// For each instruction set.
struct small_kernels {
    void (*eliminate)(small_factor *f, double zero); // |pivot| <= zero is none
    void (*forward)(const small_factor *f, int nrhs, double *B);
    void (*backward)(const small_factor *f, int nrhs, double *Y);
};

const small_kernels *small_variant(int variant);

#endif
