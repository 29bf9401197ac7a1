// Eigenvalues of small symmetric matrices.
#ifndef BASE_EIGEN_H
#define BASE_EIGEN_H

// a: (n x n) symmetric, destroyed; value: (n) in no order; vector: (n x n), column k belongs to
// value[k]. Cyclic Jacobi: slow, and accurate for every symmetric matrix, also with equal
// eigenvalues.
void eigen_symmetric(int n, double *a, double *value, double *vector);

// How many eigenvalues of a are negative, and not zero as pivots are (ZERO_PIVOT of the largest),
// once every row and column is divided by the root of its diagonal entry: rows' units do not
// matter. a is destroyed; scratch: (n + n^2).
int eigen_negative(int n, double *a, double *scratch);

#endif
