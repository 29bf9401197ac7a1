// What spaces of a few coordinates share. The lower half of their A stands in t->A, its lines
// t->stride apart, and its factor is t->small; a coordinate's line is itself, and half solves fill
// all lines.
#ifndef BODY_SPACE_SMALL_H
#define BODY_SPACE_SMALL_H

#include "body/body.h"
#include "body/small_factor.h"

// The factor of A, whose lower half's lines begin at `first` (NULL: 0), and room for the nodal
// tangent. They fill these fields of a space's table.
lithe_status space_small_create(const body *b, int stride, const int *first, arena *memory,
                                space_tangent *out);
lithe_status space_small_create_nodal(const body *b, arena *memory, space_tangent *out);
space_report space_small_factor(const body *b, space_tangent *t, pool *threads, double *y);
void space_small_spread(const body *b, const double *J, const double *line, double *dq);
void space_small_mark(const body *b, int node, bool *mark);
void space_small_forward(const body *b, space_tangent *t, int nrhs, int nblock, const int *block,
                         double *B);
int space_small_reach(const body *b, const space_tangent *t, space_span *span);
const double *space_small_inverse_pivots(const space_tangent *t);
void space_small_backward(const body *b, space_tangent *t, int nrhs, double *Y);

#endif
