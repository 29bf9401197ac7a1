// What spaces whose A is sparse share: a matrix of 3x3 blocks and its factor.
#ifndef BODY_SPACE_SPARSE_H
#define BODY_SPACE_SPARSE_H

#include "body/body.h"

lithe_status space_sparse_create(const body *b, const space_size *size, arena *memory,
                                 space_tangent *out);
double space_sparse_bytes(const body *b, const space_size *size);

// row: of A, with the first bad pivot; -1: none.
space_report space_sparse_factor(space_tangent *t, pool *threads, double *y, int *row);
void space_sparse_forward(const body *b, space_tangent *t, int nrhs, int nblock, const int *block,
                          double *B);
int space_sparse_reach(const body *b, const space_tangent *t, space_span *span);
const double *space_sparse_pivots(const space_tangent *t);
void space_sparse_backward(const body *b, space_tangent *t, int nrhs, double *Y);
void space_sparse_round(space_tangent *t);
void space_sparse_fetch(const space_tangent *t, int part, int parts);

// A block whose row and column have held axes: zero there, but for the diagonal.
void space_mask(double K[9], int row_held, int column_held, bool diagonal);

#endif
