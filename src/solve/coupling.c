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
    c->KL = arena_new(memory, square + 1, double);
    c->scratch = arena_new(memory, DENSE_BLOCK * (size_t)max + 1, double);
    c->pivot = arena_new(memory, (size_t)max + 1, int);
    return c->S && c->K && c->slant && c->N && c->L && c->KL && c->scratch && c->pivot;
}

static size_t size_of(const coupling *c, int k)
{
    return (size_t)(c->part[k + 1] - c->part[k]);
}

static size_t offset_of(const coupling *c, int k)
{
    size_t at = 0;
    for (int i = 0; i < k; i++)
        at += size_of(c, i) * size_of(c, i);
    return at;
}

double *coupling_part(const coupling *c, int k)
{
    return &c->S[offset_of(c, k)];
}

// L of a block, row by row.
static void transpose(const coupling *c, int k)
{
    size_t n = size_of(c, k);
    const double *S = coupling_part(c, k);
    double *L = &c->L[offset_of(c, k)];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            L[i * n + j] = j < i ? S[j * n + i] : j == i ? 1 : 0;
}

static bool factor_blocks(coupling *c)
{
    c->below = 0;
    for (int k = 0; k < c->npart; k++) {
        int negative = dense_ldl((int)size_of(c, k), coupling_part(c, k), c->scratch);
        if (negative < 0)
            return false;
        c->below += negative;
        transpose(c, k);
    }
    c->factored = true;
    return true;
}

// Is one of some rows of K, each `line` after the other, not zero in a column?
static bool meets(const double *K, int rows, size_t line)
{
    for (int i = 0; i < rows; i++)
        if (K[(size_t)i * line] != 0)
            return true;
    return false;
}

// Columns of K L that belong to a block. K is sparse, and rows of the same point of contact are not
// zero in the same columns, some in a row.
static void multiply_K(const coupling *c, int k)
{
    enum { ROWS = 6 };
    size_t n = (size_t)c->n, first = (size_t)c->part[k], size = size_of(c, k);
    const double *L = &c->L[offset_of(c, k)];
    for (size_t i = 0; i < n; i += ROWS) {
        int rows = (int)(n - i < ROWS ? n - i : ROWS);
        const double *K = &c->K[i * n + first];
        double *out = &c->KL[i * n + first];
        for (int r = 0; r < rows; r++)
            memset(&out[(size_t)r * n], 0, size * sizeof *out);
        for (size_t j = 0, end; j < size; j = end + 1) {
            for (end = j; end < size && meets(&K[end], rows, n);)
                end++;
            if (end > j)
                product_add(&(product){.m = rows,
                                       .n = (int)end,
                                       .k = (int)(end - j),
                                       .A = &K[j],
                                       .a_line = 1,
                                       .a_step = n,
                                       .B = &L[j * size],
                                       .b_line = size,
                                       .C = out,
                                       .c_line = n,
                                       .factor = 1});
        }
    }
}

// N = D^-1 + L' (K L), by strips of rows of a block: those of L' begin at the diagonal and end with
// the block. upper: that half alone.
static void project_block(const coupling *c, int k, bool upper)
{
    enum { STRIP = 24 };
    size_t n = (size_t)c->n, first = (size_t)c->part[k], size = size_of(c, k);
    const double *L = &c->L[offset_of(c, k)], *S = coupling_part(c, k);
    for (size_t i = 0; i < size; i += STRIP) {
        size_t line = first + i, column = upper ? line : 0;
        product_add(&(product){.m = (int)(size - i < STRIP ? size - i : STRIP),
                               .n = (int)(n - column),
                               .k = (int)(size - i),
                               .A = &L[i * size + i],
                               .a_line = size,
                               .a_step = 1,
                               .B = &c->KL[line * n + column],
                               .b_line = n,
                               .C = &c->N[line * n + column],
                               .c_line = n,
                               .factor = 1});
    }
    for (size_t i = 0; i < size; i++)
        c->N[(first + i) * n + first + i] += 1 / S[i * size + i];
}

static void project(const coupling *c, bool upper)
{
    memset(c->N, 0, (size_t)c->n * (size_t)c->n * sizeof *c->N);
    for (int k = 0; k < c->npart; k++)
        multiply_K(c, k);
    for (int k = 0; k < c->npart; k++)
        project_block(c, k, upper);
}

static bool factor_symmetric(coupling *c)
{
    project(c, true);
    int after = dense_ldl(c->n, c->N, c->scratch);
    c->negative = after - c->below;
    return after >= 0;
}

bool coupling_factor(coupling *c, bool count)
{
    size_t n = (size_t)c->n;
    if (!c->factored && !factor_blocks(c))
        return false;
    if ((count || c->symmetric) && !factor_symmetric(c))
        return false;
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
    for (int k = 0; k < c->npart; k++)
        dense_ldl_forward((int)size_of(c, k), coupling_part(c, k), &u[c->part[k]]);
    if (c->symmetric)
        dense_ldl_solve(c->n, c->N, u);
    else
        dense_apply(c->n, c->N, c->pivot, u);
    for (int k = 0; k < c->npart; k++)
        dense_ldl_times((int)size_of(c, k), coupling_part(c, k), &u[c->part[k]]);
    for (size_t i = 0; i < n; i++)
        c->scratch[i] = dense_dot(c->n, &c->K[i * n], u);
    memcpy(u, c->scratch, n * sizeof *u);
}
