#include "row/polynomial.h"

#include <string.h>

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static const double *coordinates(const row_polynomial *p, const double *x)
{
    return x + 3 * (size_t)p->first;
}

// out: share[0] quadratic d + share[1] cubic(q, d)
static void times(const row_polynomial *p, const double *q, const double *d, double quadratic,
                  double cubic, double *out)
{
    for (int i = 0; i < p->n; i++)
        out[i] = quadratic * dot(p->n, &p->quadratic[i * p->n], d);
    for (int i = 0, at = 0; i < p->n; i++)
        for (int j = 0; j <= i; j++, at++) {
            double entry = cubic * dot(p->n, &p->cubic[(size_t)at * (size_t)p->n], q);
            out[i] += entry * d[j];
            if (i != j)
                out[j] += entry * d[i];
        }
}

double polynomial_value(const row_polynomial *p, const double *x)
{
    const double *q = coordinates(p, x);
    double out[POLYNOMIAL_MAX], value = p->constant + dot(p->n, p->linear, q);
    if (!p->quadratic)
        return value;
    times(p, q, q, 1.0 / 2, 1.0 / 6, out);
    return value + dot(p->n, out, q);
}

void polynomial_gradient(const row_polynomial *p, const double *x, double *H)
{
    const double *q = coordinates(p, x);
    double out[POLYNOMIAL_MAX] = {0};
    if (p->quadratic)
        times(p, q, q, 1, 1.0 / 2, out);
    for (int i = 0; i < p->n; i++)
        H[i] += p->linear[i] + out[i];
}

static double second(const row_polynomial *p, const double *q, int i, int j)
{
    int at = i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
    return p->quadratic[i * p->n + j] + dot(p->n, &p->cubic[(size_t)at * (size_t)p->n], q);
}

void polynomial_stiffness(const row_polynomial *p, const double *x, double scale,
                          double *const *blocks)
{
    const double *q = coordinates(p, x);
    int at = 0;
    for (int a = 0; p->quadratic && a < polynomial_nnode(p); a++)
        for (int b = 0; b <= a; b++, at++) {
            double *K = &blocks[p->body][9 * (size_t)(p->block[at] >> 1)];
            bool transposed = p->block[at] & 1;
            for (int l = 0; l < 9; l++) {
                int i = 3 * a + (transposed ? l % 3 : l / 3);
                int j = 3 * b + (transposed ? l / 3 : l % 3);
                if (i < p->n && j < p->n)
                    K[l] += scale * second(p, q, i, j);
            }
        }
}

void polynomial_stiffness_times(const row_polynomial *p, const double *x, double scale,
                                const double *displacement, double *force)
{
    double out[POLYNOMIAL_MAX];
    if (!p->quadratic)
        return;
    times(p, coordinates(p, x), displacement + 3 * (size_t)p->first, 1, 1, out);
    for (int i = 0; i < p->n; i++)
        force[3 * (size_t)p->first + (size_t)i] += scale * out[i];
}

lithe_status polynomial_couple(const row_polynomial *p, int body_id, const body *b,
                               sparse_builder *builder)
{
    int node[POLYNOMIAL_MAX / 3];
    for (int i = 0; i < polynomial_nnode(p); i++)
        node[i] = p->first - b->node_adr + i;
    return p->body == body_id ? body_couple(b, builder, polynomial_nnode(p), node) : LITHE_OK;
}

lithe_status polynomial_finish(row_polynomial *p, const body *bodies, arena *memory)
{
    const body *b = &bodies[p->body];
    int n = polynomial_nnode(p), first = p->first - b->node_adr, at = 0;
    p->block = arena_new(memory, n * (n + 1) / 2, int);
    for (int i = 0; p->block && i < n; i++)
        for (int j = 0; j <= i; j++)
            p->block[at++] = sparse_locate(&b->pattern, b->block[first + i], b->block[first + j]);
    return p->block ? LITHE_OK : LITHE_NO_MEMORY;
}
