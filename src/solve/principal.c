#include "solve/principal.h"

#include "solve/dense.h"
#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

bool principal_create(arena *a, int nmax, principal *p)
{
    size_t n = (size_t)nmax + 1;
    *p = (principal){.nmax = nmax,
                     .id = arena_new(a, n, int),
                     .position = arena_new(a, n, int),
                     .L = arena_new(a, n * n, double),
                     .c = arena_new(a, n, double),
                     .s = arena_new(a, n, double)};
    return p->id && p->position && p->L && p->c && p->s;
}

void principal_start(principal *p, int n, const double *W)
{
    p->n = n;
    p->W = W;
    p->count = 0;
    for (int i = 0; i < n; i++)
        p->position[i] = -1;
}

bool principal_enter(principal *p, int i)
{
    int k = p->count;
    double *row = p->L + (size_t)k * (size_t)p->nmax;
    const double *W = p->W + (size_t)i * (size_t)p->n;
    for (int j = 0; j < k; j++) {
        const double *above = p->L + (size_t)j * (size_t)p->nmax;
        row[j] = (W[p->id[j]] - dense_dot(j, row, above)) / above[j];
    }
    double own = W[i] - dense_dot(k, row, row);
    if (!(own > PRINCIPAL_DEPENDENT * fmax(1, W[i])))
        return false;
    row[k] = sqrt(own);
    p->id[k] = i;
    p->position[i] = k;
    p->count++;
    return true;
}

// Row k goes; the rows below it move up and have one entry too many, which rotations of
// neighbouring columns take away. Row by row: the rotations so far, then the new one.
void principal_leave(principal *p, int i)
{
    int k = p->position[i], last = --p->count;
    for (int r = k; r < last; r++) {
        double *row = p->L + (size_t)r * (size_t)p->nmax;
        memcpy(row, row + p->nmax, ((size_t)r + 2) * sizeof *row);
        for (int j = k; j < r; j++) {
            double a = row[j], b = row[j + 1];
            row[j] = p->c[j] * a + p->s[j] * b;
            row[j + 1] = p->c[j] * b - p->s[j] * a;
        }
        double length = hypot(row[r], row[r + 1]);
        p->c[r] = row[r] / length;
        p->s[r] = row[r + 1] / length;
        row[r] = length;
        p->id[r] = p->id[r + 1];
        p->position[p->id[r]] = r;
    }
    p->position[i] = -1;
}

void principal_solve(const principal *p, int nrhs, double *b)
{
    int n = p->count;
    size_t m = (size_t)nrhs;
    for (int k = 0; k < n; k++) {
        const double *row = p->L + (size_t)k * (size_t)p->nmax;
        double *at = b + (size_t)k * m;
        for (int j = 0; j < k; j++)
            for (size_t r = 0; r < m; r++)
                at[r] -= row[j] * b[(size_t)j * m + r];
        for (size_t r = 0; r < m; r++)
            at[r] /= row[k];
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *row = p->L + (size_t)k * (size_t)p->nmax;
        double *at = b + (size_t)k * m;
        for (size_t r = 0; r < m; r++)
            at[r] /= row[k];
        for (int j = 0; j < k; j++)
            for (size_t r = 0; r < m; r++)
                b[(size_t)j * m + r] -= row[j] * at[r];
    }
}
