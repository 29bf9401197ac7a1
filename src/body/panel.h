// Columns of right-hand sides of one body. Forces on nodes become lines of A, one half solve makes
// Y = L^-1 G' of them, and whatever is wanted of A^-1 follows without another solve:
//
//     G1 A^-1 G2' = Y1' D^-1 Y2
//
// A panel has as many columns as are solved at a time. Panels are independent of each other: one
// that stays, of a model's rows, and as many as it takes of what comes and goes.
#ifndef BODY_PANEL_H
#define BODY_PANEL_H

#include "body/space.h"

enum { PANEL_WIDTH = 32 }; // columns of one of several panels

typedef struct space_panel {
    int width;        // columns
    double *Y;        // (nline x width)
    int nblock;       // block rows that forces may reach; without a list: any
    int *block;       //
    int nspan;        // where Y may be other than zero; without a list: anywhere
    space_span *span; //
} space_panel;

// Room for so many columns. Which nodes have forces is said beforehand, and few of them is fast:
// mark (panel_nmark of them) is filled by space.mark.
int panel_nmark(const body *b);
lithe_status panel_create(const body *b, int max_width, const bool *mark, arena *memory,
                          space_panel *out);

// So many columns of zeros; forces on one node, or on all, in one of them; and the half solve.
void panel_begin(const body *b, int width, space_panel *p);
void panel_add(const body *b, const double *J, int node, const double f[3], int column,
               space_panel *p);
void panel_gather(const body *b, const double *J, const double *f, int column, space_panel *p);
void panel_solve(const body *b, space_tangent *t, space_panel *p);

// out (left's columns x some of right's, of a stride) += Y1' D^-1 Y2
void panel_multiply(const body *b, const space_tangent *t, const space_panel *left, int nright,
                    const space_panel *right, size_t stride, double *out);

// out (columns) += Y' D^-1 y; and y += Y f, of the first n columns.
void panel_project(const body *b, const space_tangent *t, const space_panel *p, const double *y,
                   double *out);
void panel_spread(const body *b, const space_panel *p, int n, const double *f, double *y);

// Of n columns in panels of PANEL_WIDTH, in one array (nline x n) after another: the one that
// begins with column `first`.
space_panel panel_of(const body *b, double *Y, int n, int first);

#endif
