// The nodal tangent as others see it: nodes, never blocks.
#include "body/body.h"
#include "body/nodal_entry.h"

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

lithe_status nodal_entries(const body *b, arena *memory, int **adr, nodal_entry **entry)
{
    const sparse_pattern *p = &b->pattern;
    int *next = *adr = arena_new(memory, b->nnode + 2, int);
    *entry = arena_new(memory, 2 * (size_t)p->nblock, nodal_entry);
    if (!*adr || !*entry)
        return LITHE_NO_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < b->nrow; j++)
            for (int k = p->col_adr[j]; k < p->col_adr[j + 1]; k++) {
                int row = b->block_node[p->row[k]], column = b->block_node[j];
                if (pass == 0) {
                    next[row + 2]++;
                    next[column + 2] += row != column;
                    continue;
                }
                (*entry)[next[row + 1]++] = (nodal_entry){k, column, false};
                if (row != column)
                    (*entry)[next[column + 1]++] = (nodal_entry){k, row, true};
            }
        for (int i = 0; pass == 0 && i < b->nnode; i++)
            next[i + 2] += next[i + 1];
    }
    return LITHE_OK;
}
