// What a row measures as a polynomial of coordinates that stand among the nodes, three to a node:
//
//     delta = constant + linear . q + q' quadratic q / 2 + cubic(q, q, q) / 6
//
// A volume is such a polynomial of third degree where nodes are linear in q, a mean of nodes one of
// first degree. So a reduced model measures them without the nodes, and exactly.
#ifndef ROW_POLYNOMIAL_H
#define ROW_POLYNOMIAL_H

#include "row/row.h"

enum { POLYNOMIAL_MAX = 192 }; // coordinates

typedef struct row_polynomial {
    int body;
    int n;     // coordinates
    int first; // the node that has the first three of them, among the nodes of all bodies
    double constant;
    double *linear;    // (n)
    double *quadratic; // (n x n); NULL: of first degree
    double *cubic;     // of every i >= j, at i (i + 1) / 2 + j: d3(delta)/dq_i dq_j dq (n)
    int *block;        // of A for every pair of nodes a >= b, as in sparse_locate
} row_polynomial;

static inline int polynomial_nnode(const row_polynomial *p)
{
    return (p->n + 2) / 3;
}

double polynomial_value(const row_polynomial *p, const double *x);
void polynomial_gradient(const row_polynomial *p, const double *x, double *H); // += by node

// blocks += scale * d2(delta)/dq2, and that times a displacement of all nodes
void polynomial_stiffness(const row_polynomial *p, const double *x, double scale,
                          double *const *blocks);
void polynomial_stiffness_times(const row_polynomial *p, const double *x, double scale,
                                const double *displacement, double *force);

lithe_status polynomial_couple(const row_polynomial *p, int body_id, const body *b,
                               sparse_builder *builder);
lithe_status polynomial_finish(row_polynomial *p, const body *bodies, arena *memory);

#endif
