#include "body/row_panels.h"

#include "body/body.h"

lithe_status row_panels_create(const body *b, int split, int max_width, bool *const mark[2],
                               arena *memory, row_panels *out)
{
    out->split = split;
    LITHE_TRY(panel_create(b, split, mark[0], memory, &out->of[0]));
    return panel_create(b, max_width - split, mark[1], memory, &out->of[1]);
}

void row_panels_begin(const body *b, int width, row_panels *p)
{
    int first = width < p->split ? width : p->split;
    panel_begin(b, first, &p->of[0]);
    panel_begin(b, width - first, &p->of[1]);
}

void row_panels_add(const body *b, const double *J, int node, const double f[3], int column,
                    row_panels *p)
{
    int k = column >= p->split;
    panel_add(b, J, node, f, column - (k ? p->split : 0), &p->of[k]);
}

void row_panels_gather(const body *b, const double *J, const double *f, int column, row_panels *p)
{
    int k = column >= p->split;
    panel_gather(b, J, f, column - (k ? p->split : 0), &p->of[k]);
}

void row_panels_solve(const body *b, space_tangent *t, row_panels *p)
{
    for (int k = 0; k < 2; k++)
        if (p->of[k].width > 0)
            panel_solve(b, t, &p->of[k]);
}

void row_panels_project(const body *b, const space_tangent *t, const row_panels *p, const double *y,
                        double *out)
{
    for (int k = 0; k < 2; k++)
        panel_project(b, t, &p->of[k], y, out + (k ? p->split : 0));
}

void row_panels_spread(const body *b, const row_panels *p, int n, const double *f, double *y)
{
    int first = n < p->split ? n : p->split;
    panel_spread(b, &p->of[0], first, f, y);
    panel_spread(b, &p->of[1], n - first, f + first, y);
}

void row_panels_square(const body *b, const space_tangent *t, const row_panels *p, int n,
                       double *out)
{
    size_t stride = (size_t)n;
    int first = n < p->split ? n : p->split;
    double *below = out + stride * (size_t)p->split;
    panel_multiply(b, t, &p->of[0], first, &p->of[0], stride, out);
    if (p->of[1].width == 0)
        return;
    panel_multiply(b, t, &p->of[1], first, &p->of[0], stride, below);
    panel_multiply(b, t, &p->of[1], n - first, &p->of[1], stride, below + first);
}

void row_panels_times(const body *b, const space_tangent *t, const row_panels *p,
                      const space_panel *right, size_t stride, double *out)
{
    for (int k = 0; k < 2; k++)
        panel_multiply(b, t, &p->of[k], right->width, right, stride,
                       out + (k ? (size_t)p->split * stride : 0));
}

void row_panels_by(const body *b, const space_tangent *t, const space_panel *left,
                   const row_panels *p, size_t stride, double *out)
{
    for (int k = 0; k < 2; k++)
        panel_multiply(b, t, left, p->of[k].width, &p->of[k], stride, out + (k ? p->split : 0));
}
