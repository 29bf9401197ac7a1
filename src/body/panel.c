#include "body/panel.h"

#include "base/product.h"
#include "body/body.h"

#include <string.h>

int panel_nmark(const body *b)
{
    return (b->nline + 2) / 3;
}

lithe_status panel_create(const body *b, int max_width, const bool *mark, arena *memory,
                          space_panel *out)
{
    int n = panel_nmark(b);
    *out = (space_panel){.Y = arena_new(memory, (size_t)b->nline * (size_t)max_width, double),
                         .block = arena_new(memory, n, int),
                         .span = arena_new(memory, body_max_spans(b), space_span)};
    if (!out->Y || !out->block || !out->span)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < n; i++)
        if (mark[i])
            out->block[out->nblock++] = i;
    return LITHE_OK;
}

space_panel panel_of(const body *b, double *Y, int n, int first)
{
    int left = n - first;
    return (space_panel){.width = left < PANEL_WIDTH ? left : PANEL_WIDTH,
                         .Y = Y + (size_t)b->nline * (size_t)first};
}

void panel_begin(const body *b, int width, space_panel *p)
{
    size_t triple = 3 * (size_t)width, end = (size_t)b->nline * (size_t)width;
    p->width = width;
    if (!p->block)
        memset(p->Y, 0, end * sizeof *p->Y);
    for (int i = 0; p->block && i < p->nblock; i++) {
        size_t at = triple * (size_t)p->block[i];
        memset(p->Y + at, 0, (end - at < triple ? end - at : triple) * sizeof *p->Y);
    }
}

void panel_add(const body *b, const double *J, int node, const double f[3], int column,
               space_panel *p)
{
    b->space->scatter(b, J, node, f, p->width, p->Y + column);
}

void panel_gather(const body *b, const double *J, const double *f, int column, space_panel *p)
{
    b->space->gather(b, J, f, p->width, p->Y + column);
}

void panel_solve(const body *b, space_tangent *t, space_panel *p)
{
    b->space->forward(b, t, p->width, p->nblock, p->block, p->Y);
    if (p->span)
        p->nspan = b->space->reach(b, t, p->span);
}

static int spans_of(const space_panel *p, const space_span *all, const space_span **span)
{
    *span = p->span ? p->span : all;
    return p->span ? p->nspan : 1;
}

// What one line adds. Most columns reach few lines.
static void multiply_line(const space_panel *left, const double *Y, int nright, const double *Z,
                          double inverse, size_t stride, double *out)
{
    for (int r = 0; r < left->width; r++) {
        if (Y[r] == 0)
            continue;
        double scaled = inverse * Y[r], *row = &out[(size_t)r * stride];
        for (int c = 0; c < nright; c++)
            row[c] += scaled * Z[c];
    }
}

// Of the first n columns: before `first` and from `last` on lines of the span are 0, as those of
// most joints are in one of the bodies of a chain.
static void find_used(const space_panel *p, space_span lines, int n, int *first, int *last)
{
    *first = n;
    *last = 0;
    for (int i = lines.first; i < lines.last; i++) {
        const double *row = &p->Y[(size_t)i * (size_t)p->width];
        int from = 0, to = n;
        while (from < *first && row[from] == 0)
            from++;
        while (to > *last && row[to - 1] == 0)
            to--;
        *first = from;
        *last = to;
    }
}

static void multiply_span(const space_panel *left, int nright, const space_panel *right,
                          const double *inverse, space_span lines, size_t stride, double *out)
{
    int above, below, from, to;
    find_used(left, lines, left->width, &above, &below);
    find_used(right, lines, nright, &from, &to);
    if (above >= below || from >= to)
        return;
    product_add(
        &(product){.m = below - above,
                   .n = to - from,
                   .k = lines.last - lines.first,
                   .A = &left->Y[(size_t)lines.first * (size_t)left->width + (size_t)above],
                   .a_line = (size_t)left->width,
                   .a_step = 1,
                   .B = &right->Y[(size_t)lines.first * (size_t)right->width + (size_t)from],
                   .b_line = (size_t)right->width,
                   .C = out + (size_t)above * stride + (size_t)from,
                   .c_line = stride,
                   .factor = 1,
                   .scale = &inverse[lines.first]});
}

void panel_multiply(const body *b, const space_tangent *t, const space_panel *left, int nright,
                    const space_panel *right, size_t stride, double *out)
{
    enum { MANY = 16 }; // columns, from which on skipping zeros is not worth it
    const double *inverse = b->space->inverse_pivots(t);
    const space_span all = {0, b->nline}, *span;
    int n = spans_of(left->span ? left : right, &all, &span);
    bool many = left->width >= MANY && nright >= MANY;
    for (int j = 0; j < n && many; j++)
        multiply_span(left, nright, right, inverse, span[j], stride, out);
    for (int j = 0; j < n && left->width > 0 && !many; j++)
        for (int i = span[j].first; i < span[j].last; i++)
            multiply_line(left, &left->Y[(size_t)i * (size_t)left->width], nright,
                          &right->Y[(size_t)i * (size_t)right->width], inverse[i], stride, out);
}

void panel_project(const body *b, const space_tangent *t, const space_panel *p, const double *y,
                   double *restrict out)
{
    const double *inverse = b->space->inverse_pivots(t);
    const space_span all = {0, b->nline}, *span;
    int n = spans_of(p, &all, &span);
    for (int j = 0; j < n && p->width > 0; j++) {
        const double *Y = &p->Y[(size_t)span[j].first * (size_t)p->width];
        for (int i = span[j].first; i < span[j].last; i++, Y += p->width) {
            double scaled = inverse[i] * y[i];
            for (int r = 0; r < p->width; r++)
                out[r] += Y[r] * scaled;
        }
    }
}

void panel_spread(const body *b, const space_panel *p, int ncol, const double *f, double *y)
{
    const space_span all = {0, b->nline}, *span;
    int n = spans_of(p, &all, &span);
    for (int j = 0; j < n && p->width > 0; j++) {
        const double *Y = &p->Y[(size_t)span[j].first * (size_t)p->width];
        for (int i = span[j].first; i < span[j].last; i++, Y += p->width)
            for (int r = 0; r < ncol; r++)
                y[i] += Y[r] * f[r];
    }
}
