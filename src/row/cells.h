// A volume as a sum of cells, each with a weight: a few parallelepipeds of three nodes, which are
// edges, that stand for all of it in a reduced model:
//
//     delta = constant + sum of weight det(x0, x1, x2)
#ifndef ROW_CELLS_H
#define ROW_CELLS_H

#include "row/row.h"

typedef struct row_cells {
    int body;
    int n;
    int *node;      // (n x 3) among the nodes of all bodies
    double *weight; // (n)
    double constant;
    int *slot;  // (n x 3) where each stands in the row's nodes
    int *block; // of A for the pairs (1, 0), (2, 0), (2, 1) of every cell, as in sparse_locate
} row_cells;

double cells_value(const row_cells *c, const double *x);
void cells_gradient(const row_cells *c, const double *x, double *H); // += by slot

// blocks += scale * d2(delta)/dx2, and that times a displacement of all nodes
void cells_stiffness(const row_cells *c, const double *x, double scale, double *const *blocks);
void cells_stiffness_times(const row_cells *c, const double *x, double scale,
                           const double *displacement, double *force);

lithe_status cells_couple(const row_cells *c, int body_id, const body *b, sparse_builder *builder);
lithe_status cells_finish(row_cells *c, const body *bodies, arena *memory);

#endif
