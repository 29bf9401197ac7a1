#include "solve/coupling.h"

#include "base/product.h"
#include "solve/dense.h"

#include <string.h>

bool coupling_create(arena *memory, int max, coupling *c)
{
    size_t square = (size_t)max * (size_t)max;
    *c = (coupling){.max = max};
    c->S = arena_new(memory, square + 1, double);
    c->K = arena_new(memory, square + 1, double);
    c->slant = arena_new(memory, square + 1, double);
    c->N = arena_new(memory, square + 1, double);
    c->L = arena_new(memory, square + 1, double);
    c->scratch = arena_new(memory, DENSE_BLOCK * (size_t)max + 1, double);
    c->pivot = arena_new(memory, (size_t)max + 1, int);
    return c->S && c->K && c->slant && c->N && c->L && c->scratch && c->pivot;
}

// L, row by row.
static void transpose(const coupling *c)
{
    size_t n = (size_t)c->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            c->L[i * n + j] = j < i ? c->S[j * n + i] : j == i ? 1 : 0;
}

// N = D^-1 + L' K L, by strips of rows, from the right: rows of L' begin at the diagonal, columns
// of L too. upper: that half alone.
static void project(const coupling *c, bool upper)
{
    enum { STRIP = 24 };
    size_t n = (size_t)c->n;
    memset(c->N, 0, n * n * sizeof *c->N);
    for (size_t i = 0; i < n; i++)
        c->N[i * n + i] = 1 / c->S[i * n + i];
    for (size_t i = 0; i < n; i += STRIP) {
        size_t rows = n - i < STRIP ? n - i : STRIP;
        double *strip = c->scratch; // rows of L' K
        memset(strip, 0, rows * n * sizeof *strip);
        product_add(&(product){.m = (int)rows,
                               .n = c->n,
                               .k = (int)(n - i),
                               .A = &c->L[i * n + i],
                               .a_line = n,
                               .a_step = 1,
                               .B = &c->K[i * n],
                               .b_line = n,
                               .C = strip,
                               .c_line = n,
                               .factor = 1});
        for (size_t j = upper ? i : 0; j < n; j += STRIP)
            product_add(&(product){.m = (int)rows,
                                   .n = (int)(n - j < STRIP ? n - j : STRIP),
                                   .k = (int)(n - j),
                                   .A = &strip[j],
                                   .a_line = 1,
                                   .a_step = n,
                                   .B = &c->L[j * n + j],
                                   .b_line = n,
                                   .C = &c->N[i * n + j],
                                   .c_line = n,
                                   .factor = 1});
    }
}

bool coupling_factor(coupling *c)
{
    size_t n = (size_t)c->n;
    int before = dense_ldl(c->n, c->S, c->scratch);
    if (before < 0)
        return false;
    transpose(c);
    project(c, true);
    int after = dense_ldl(c->n, c->N, c->scratch);
    if (after < 0)
        return false;
    c->negative = after - before;
    if (c->symmetric)
        return true;
    for (size_t i = 0; i < n * n; i++)
        c->K[i] += c->slant[i];
    project(c, false);
    return dense_factor(c->n, c->N, c->pivot);
}

void coupling_apply(const coupling *c, double *u)
{
    size_t n = (size_t)c->n;
    dense_ldl_forward(c->n, c->S, u);
    if (c->symmetric)
        dense_ldl_solve(c->n, c->N, u);
    else
        dense_apply(c->n, c->N, c->pivot, u);
    dense_ldl_times(c->n, c->S, u);
    for (size_t i = 0; i < n; i++)
        c->scratch[i] = dense_dot(c->n, &c->K[i * n], u);
    memcpy(u, c->scratch, n * sizeof *u);
}
