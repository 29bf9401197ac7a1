#include "solve/coupling.h"

#include "solve/dense.h"

#include <math.h>
#include <string.h>

bool coupling_create(arena *memory, int max, coupling *c)
{
    size_t square = (size_t)max * (size_t)max;
    *c = (coupling){.max = max};
    c->S = arena_new(memory, square + 1, double);
    c->K = arena_new(memory, square + 1, double);
    c->slant = arena_new(memory, square + 1, double);
    c->N = arena_new(memory, square + 1, double);
    c->scratch = arena_new(memory, square + 1, double);
    c->pivot = arena_new(memory, (size_t)max + 1, int);
    return c->S && c->K && c->slant && c->N && c->scratch && c->pivot;
}

bool coupling_factor(coupling *c)
{
    size_t n = (size_t)c->n;
    int before = dense_ldl(c->n, c->S);
    if (before < 0)
        return false;
    dense_ldl_inverse(c->n, c->S, c->N, c->scratch);
    for (size_t i = 0; i < n * n; i++)
        c->scratch[i] = c->N[i] + c->K[i];
    int after = dense_ldl(c->n, c->scratch);
    if (after < 0)
        return false;
    c->negative = after - before;
    if (c->symmetric) {
        memcpy(c->N, c->scratch, n * n * sizeof *c->N);
        return true;
    }
    for (size_t i = 0; i < n * n; i++) {
        c->K[i] += c->slant[i];
        c->N[i] += c->K[i];
    }
    return dense_factor(c->n, c->N, c->pivot);
}

void coupling_apply(const coupling *c, double *u)
{
    size_t n = (size_t)c->n;
    dense_ldl_solve(c->n, c->S, u);
    if (c->symmetric)
        dense_ldl_solve(c->n, c->N, u);
    else
        dense_apply(c->n, c->N, c->pivot, u);
    for (size_t i = 0; i < n; i++)
        c->scratch[i] = dense_dot(c->n, &c->K[i * n], u);
    memcpy(u, c->scratch, n * sizeof *u);
}
