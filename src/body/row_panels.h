// The columns of a model's rows in one body, in two panels: those of the first rows, which may
// reach any line, and those of the others, which are joints and reach few. One half solve for both
// would take the reach of the first for all.
#ifndef BODY_ROW_PANELS_H
#define BODY_ROW_PANELS_H

#include "body/panel.h"

typedef struct row_panels {
    int split; // columns of the first panel
    space_panel of[2];
} row_panels;

// As for panels; mark: of the first rows, of the others.
lithe_status row_panels_create(const body *b, int split, int max_width, bool *const mark[2],
                               arena *memory, row_panels *out);
void row_panels_begin(const body *b, int width, row_panels *p);
void row_panels_add(const body *b, const double *J, int node, const double f[3], int column,
                    row_panels *p);
void row_panels_gather(const body *b, const double *J, const double *f, int column, row_panels *p);
void row_panels_solve(const body *b, space_tangent *t, row_panels *p);
void row_panels_project(const body *b, const space_tangent *t, const row_panels *p, const double *y,
                        double *out);
void row_panels_spread(const body *b, const row_panels *p, int n, const double *f, double *y);

// out (columns x n) += Y' D^-1 Y, of its first n columns; where both are of them, at least the
// lower half.
void row_panels_square(const body *b, const space_tangent *t, const row_panels *p, int n,
                       double *out);

// out (rows x right's columns, of a stride) += Y' D^-1 Y2; and out (left's columns x rows) += Y1'
// D^-1 Y.
void row_panels_times(const body *b, const space_tangent *t, const row_panels *p,
                      const space_panel *right, size_t stride, double *out);
void row_panels_by(const body *b, const space_tangent *t, const space_panel *left,
                   const row_panels *p, size_t stride, double *out);

#endif
