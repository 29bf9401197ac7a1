// The length of a polyline through points of the bodies and of the world, or the sum of those of
// its segments, each with a weight.
#ifndef ROW_LINE_H
#define ROW_LINE_H

#include "row/row.h"

double line_length(const row_line *line, const double *x);

// H += sign * d(length)/dx, by slot
void line_gradient(const row_line *line, const double *x, double *H);

// blocks += tension * d2(length)/dx2; positive: without the part of rotating arms, which has no
// sign
void line_stiffness(const row_line *line, const double *x, double tension, bool positive,
                    double *const *blocks);

// force += tension * d2(length)/dx2 displacement
void line_stiffness_times(const row_line *line, const double *x, double tension,
                          const double *displacement, double *force);

lithe_status line_couple(const row_line *line, int body_id, const body *b, sparse_builder *builder);
lithe_status line_finish(row_line *line, const body *bodies, arena *memory);

#endif
