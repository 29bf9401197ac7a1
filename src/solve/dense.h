// Small dense vectors and systems.
#ifndef SOLVE_DENSE_H
#define SOLVE_DENSE_H

#include <stdbool.h>

// Two sums in a fixed order, one for each half of a lane.
static inline double dense_dot(int n, const double *a, const double *b)
{
    double even = 0, odd = 0;
    int i = 0;
    for (; i + 1 < n; i += 2) {
        even += a[i] * b[i];
        odd += a[i + 1] * b[i + 1];
    }
    return i < n ? even + a[i] * b[i] + odd : even + odd;
}

// B <- A^-1 B by Gauss-Jordan with row pivoting; A (n x n) is destroyed, B is (n x nrhs). False: A
// is singular.
bool dense_solve(int n, int nrhs, double *A, double *B);

// A = L U with row pivoting, in place; pivot: (n). False: A is singular. Then b <- A^-1 b.
bool dense_factor(int n, double *A, int *pivot);
void dense_apply(int n, const double *LU, const int *pivot, double *b);

enum { DENSE_BLOCK = 32 };

// A = L D L' of a symmetric matrix whose upper half is given, in place: L' in its upper half, D on
// its diagonal. Not pivoted: returns how many entries of D are negative, as many as eigenvalues
// are; -1: one is too small to divide by. scratch: (DENSE_BLOCK x n).
int dense_ldl(int n, double *A, double *scratch);

// b <- A^-1 b; D^-1 L^-1 b; L b.
void dense_ldl_solve(int n, const double *LD, double *b);
void dense_ldl_forward(int n, const double *LD, double *b);
void dense_ldl_times(int n, const double *LD, double *b);

#endif
