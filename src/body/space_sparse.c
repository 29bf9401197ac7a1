#include "body/space_sparse.h"

#include <math.h>

_Static_assert(sizeof(space_span) == sizeof(sparse_span), "spans are the same to both");

lithe_status space_sparse_create(const body *b, const space_size *size, arena *memory,
                                 space_tangent *out)
{
    LITHE_TRY(
        sparse_factor_create(b->symbolic, size->max_rhs, size->threads, memory, &out->factor));
    return size->single ? sparse_single_create(out->factor, memory) : LITHE_OK;
}

double space_sparse_bytes(const body *b, const space_size *size)
{
    return sparse_factor_bytes(b->symbolic, size->max_rhs, size->threads) +
           (size->single ? sparse_single_bytes(b->symbolic) : 0);
}

space_report space_sparse_factor(space_tangent *t, pool *threads, double *y, int *row)
{
    sparse_report report = sparse_factorize_along(t->factor, t->A, threads, y);
    *row = report.bad_block;
    return (space_report){.negative = report.negative, .singular = report.zero > 0, .node = -1};
}

void space_sparse_forward(const body *b, space_tangent *t, int nrhs, int nblock, const int *block,
                          double *B)
{
    (void)b;
    sparse_lend(t->factor, t->threads); // factors change hands in the asynchronous mode
    if (block)
        sparse_forward_few(t->factor, nrhs, nblock, block, B);
    else
        sparse_forward(t->factor, nrhs, B);
}

int space_sparse_reach(const body *b, const space_tangent *t, space_span *span)
{
    (void)b;
    return sparse_reach(t->factor, (sparse_span *)span);
}

const double *space_sparse_pivots(const space_tangent *t)
{
    return sparse_inverse_pivots(t->factor);
}

void space_sparse_backward(const body *b, space_tangent *t, int nrhs, double *Y)
{
    (void)b;
    sparse_lend(t->factor, t->threads);
    sparse_backward(t->factor, nrhs, Y);
}

void space_sparse_round(space_tangent *t)
{
    sparse_round(t->factor);
}

void space_sparse_fetch(const space_tangent *t, int part, int parts)
{
    sparse_fetch(t->factor, part, parts);
}

void space_mask(double K[9], int row_held, int column_held, bool diagonal)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if ((row_held & (1 << i)) || (column_held & (1 << j)))
                K[3 * i + j] = diagonal && i == j ? fabs(K[3 * i + j]) : 0;
}
