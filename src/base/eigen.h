// Eigenvalues of small symmetric matrices.
#ifndef BASE_EIGEN_H
#define BASE_EIGEN_H

// a: (n x n) symmetric, destroyed; value: (n) in no order; vector: (n x n), column k belongs to
// value[k]. Cyclic Jacobi: slow, and accurate for every symmetric matrix, also with equal
// eigenvalues.
void eigen_symmetric(int n, double *a, double *value, double *vector);

#endif
