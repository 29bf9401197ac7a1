// Small dense systems.
#ifndef SOLVE_DENSE_H
#define SOLVE_DENSE_H

#include <stdbool.h>

// B <- A^-1 B by Gauss-Jordan with row pivoting; A (n x n) is destroyed, B is (n x nrhs). False: A
// is singular.
bool dense_solve(int n, int nrhs, double *A, double *B);

#endif
