// Sums of outer products, the one loop that dense work spends its time in. Compiled for each
// instruction set; the order of sums does not depend on it.
#ifndef BASE_PRODUCT_H
#define BASE_PRODUCT_H

#include <stddef.h>

// C (m x n) += factor * sum over l < k of A(l, i) scale_l B(l, j), B and C row by row.
typedef struct product {
    int m, n, k;
    const double *A; // A(l, i) at l * a_line + i * a_step
    size_t a_line, a_step;
    const double *B; // B(l, j) at l * b_line + j
    size_t b_line;
    double *C; // C(i, j) at i * c_line + j
    size_t c_line;
    double factor;
    const double *scale; // (k), NULL: 1
} product;

void product_add(const product *p);

#endif
