// Singular values of a tall, narrow, dense matrix.
#ifndef CONTROL_SINGULAR_H
#define CONTROL_SINGULAR_H

// a: nrow x ncolumn, column after column. Leaves A V = U S in a, V (ncolumn x ncolumn, column after
// column), and s descending. One-sided Jacobi: small singular values are found to high relative
// accuracy, which those of A'A would not be.
void singular_decompose(int nrow, int ncolumn, double *a, double *s, double *V);

#endif
