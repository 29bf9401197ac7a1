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

#endif
