// The nodal tangent as others see it: nodes, never blocks.
#include "body/body.h"

#include <math.h>
#include <string.h>

bool body_couples(const body *b, int first, int second)
{
    int i = b->block[first], j = b->block[second];
    return i < 0 || j < 0 || sparse_find(&b->pattern, i > j ? i : j, i > j ? j : i) >= 0;
}

void body_add_pair(const body *b, int first, int second, double factor, const double *block,
                   int stride, double *K)
{
    int i = b->block[first], j = b->block[second];
    int at = i < j || j < 0 ? -1 : sparse_find(&b->pattern, i, j);
    for (int l = 0; at >= 0 && l < 9; l++)
        K[9 * (size_t)at + (size_t)l] += factor * block[l / 3 * stride + l % 3];
}

void body_clear(const body *b, double *K)
{
    memset(K, 0, 9 * (size_t)b->pattern.nblock * sizeof *K);
}

static double largest_on_diagonal(const body *b, const double *K)
{
    double largest = 0;
    for (int i = 0; i < b->pattern.n; i++)
        for (int axis = 0; axis < 3; axis++)
            largest = fmax(largest, fabs(K[9 * (size_t)b->pattern.col_adr[i] + 4 * axis]));
    return largest;
}

void body_keep_scale(const body *b, space_tangent *t, bool keep)
{
    if (t->factor)
        sparse_scale(t->factor, keep ? largest_on_diagonal(b, t->K) : 0);
}

void body_exchange_factors(space_tangent *a, space_tangent *b)
{
    struct sparse_factor *factor = a->factor;
    a->factor = b->factor;
    b->factor = factor;
}

void body_exchange_stiffness(body_work *a, body_work *b)
{
    double *before = a->stiff;
    if (!a->kept) // it is nobody's after it has gone into A
        return;
    a->stiff = b->stiff;
    b->stiff = before;
}

double body_factor_flops(const body *b)
{
    return b->symbolic ? sparse_flops(b->symbolic) : 0;
}

double body_work_numbers(const body *b, bool keep, int threads, bool damped)
{
    double numbers = (double)(b->nslot + 3 * b->nforce) + 9.0 * b->pattern.nblock + b->nelement;
    if (threads > 1) // maps of integers
        numbers += 0.5 * (double)(b->nblock + b->nforce);
    return numbers + (keep || threads > 1 ? 9.0 * (double)b->nblock : 0) +
           (damped ? 9.0 * (double)b->nblock : 0);
}
