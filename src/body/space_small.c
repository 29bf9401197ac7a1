#include "body/space_small.h"

#include <string.h>

lithe_status space_small_create(const body *b, int stride, const int *first, arena *memory,
                                space_tangent *out)
{
    out->stride = stride;
    out->small = arena_new(memory, 1, small_factor);
    return out->small ? small_factor_create(b->nq, first, memory, out->small) : LITHE_NO_MEMORY;
}

lithe_status space_small_create_nodal(const body *b, arena *memory, space_tangent *out)
{
    out->K = arena_new(memory, 9 * (size_t)b->pattern.nblock, double);
    return out->K ? LITHE_OK : LITHE_NO_MEMORY;
}

space_report space_small_factor(const body *b, space_tangent *t, pool *threads, double *y)
{
    (void)b, (void)threads;
    small_factor_make(t->small, t->A, t->stride);
    if (y)
        small_factor_forward(t->small, 1, y);
    return (space_report){t->small->negative, t->small->singular, -1};
}

void space_small_spread(const body *b, const double *J, const double *line, double *dq)
{
    (void)J;
    memcpy(dq, line, (size_t)b->nq * sizeof *dq);
}

void space_small_mark(const body *b, int node, bool *mark)
{
    (void)node;
    memset(mark, true, ((size_t)b->nline + 2) / 3 * sizeof *mark);
}

void space_small_forward(const body *b, space_tangent *t, int nrhs, int nblock, const int *block,
                         double *B)
{
    (void)b, (void)nblock, (void)block;
    small_factor_forward(t->small, nrhs, B);
}

int space_small_reach(const body *b, const space_tangent *t, space_span *span)
{
    (void)t;
    *span = (space_span){0, b->nq};
    return 1;
}

const double *space_small_inverse_pivots(const space_tangent *t)
{
    return t->small->inverse;
}

void space_small_backward(const body *b, space_tangent *t, int nrhs, double *Y)
{
    (void)b;
    small_factor_backward(t->small, nrhs, Y);
}
