#include "base/product.h"
#include "base/lanes.h"

#include <string.h>

void KERNEL(product_add)(const product *p);

enum { TILE = 6 }; // rows of C at a time: as many sums as there are registers for

static inline lanes load(const double *p, int n)
{
    lanes v = lanes_set(0);
    if (n == LANES)
        memcpy(&v, p, sizeof v);
    else
        for (int l = 0; l < n; l++)
            v[l] = p[l];
    return v;
}

static inline void store(double *p, int n, lanes add)
{
    for (int l = 0; l < n; l++)
        p[l] += add[l];
}

// Columns j to j + width of C in rows i to i + TILE
static inline void add_tile(const product *p, int i, int j, int width)
{
    lanes sum[TILE];
    for (int r = 0; r < TILE; r++)
        sum[r] = lanes_set(0);
    const double *A = p->A + (size_t)i * p->a_step, *B = p->B + j;
    for (int l = 0; l < p->k; l++, A += p->a_line, B += p->b_line) {
        lanes b = load(B, width);
        if (p->scale)
            b *= p->scale[l];
        for (int r = 0; r < TILE; r++)
            sum[r] += A[(size_t)r * p->a_step] * b;
    }
    for (int r = 0; r < TILE; r++)
        store(p->C + (size_t)(i + r) * p->c_line + j, width, p->factor * sum[r]);
}

static inline void add_row(const product *p, int i, int j, int width)
{
    lanes sum = lanes_set(0);
    const double *A = p->A + (size_t)i * p->a_step, *B = p->B + j;
    for (int l = 0; l < p->k; l++, A += p->a_line, B += p->b_line)
        sum += (p->scale ? p->scale[l] * *A : *A) * load(B, width);
    store(p->C + (size_t)i * p->c_line + j, width, p->factor * sum);
}

void KERNEL(product_add)(const product *p)
{
    for (int j = 0; j < p->n; j += LANES) {
        int i = 0, width = p->n - j < LANES ? p->n - j : LANES;
        for (; i + TILE <= p->m; i += TILE) {
            if (width == LANES)
                add_tile(p, i, j, LANES);
            else
                add_tile(p, i, j, width);
        }
        for (; i < p->m; i++)
            add_row(p, i, j, width);
    }
}
