#include "solve/eliminate.h"

#include "base/eigen.h"
#include "solve/dense.h"
#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

bool elimination_create(arena *a, int n, int first, elimination *e)
{
    size_t kept = (size_t)(n - first);
    *e = (elimination){.n = n, .first = first};
    e->own = arena_new(a, kept * kept + 1, double);
    e->X = arena_new(a, kept * (size_t)(first + 1) + 1, double);
    e->scratch = arena_new(a, (2 * kept + DENSE_BLOCK + 2) * kept + 1, double);
    return e->own && e->X && e->scratch;
}

// Each row in its own unit, in which its diagonal is 1 or -1.
static double unit_of(double diagonal)
{
    return diagonal != 0 ? 1 / sqrt(fabs(diagonal)) : 1;
}

// What is said twice leaves W_EE singular: every row gives way by a little of itself.
static void fill_scaled(const elimination *e, double *A, double *unit)
{
    int n = e->n - e->first;
    for (int i = 0; i < n; i++)
        unit[i] = unit_of(e->own[i * n + i]);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            A[i * n + j] = unit[i] * e->own[i * n + j] * unit[j];
        A[i * n + i] += A[i * n + i] < 0 ? -ELIMINATE_GIVE : ELIMINATE_GIVE;
    }
}

static bool solve(elimination *e)
{
    int n = e->n - e->first, columns = e->first + 1;
    double *A = e->scratch, *unit = A + n * n;
    fill_scaled(e, A, unit);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < columns; c++)
            e->X[i * columns + c] *= unit[i];
    if (!dense_solve(n, columns, A, e->X))
        return false;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < columns; c++)
            e->X[i * columns + c] *= unit[i];
    return true;
}

static void gather(elimination *e, const double *W, const double *delta, const double *aim)
{
    int n = e->n, kept = n - e->first, columns = e->first + 1;
    for (int i = 0; i < kept; i++) {
        const double *line = &W[(e->first + i) * n];
        memcpy(&e->own[i * kept], &line[e->first], (size_t)kept * sizeof *line);
        memcpy(&e->X[i * columns], line, (size_t)e->first * sizeof *line);
        e->X[i * columns + e->first] = delta[e->first + i] - aim[e->first + i];
    }
}

bool eliminate(elimination *e, int nrow, double *W, double *delta, const double *aim)
{
    int n = e->n, kept = n - e->first, columns = e->first + 1;
    if (kept == 0)
        return true;
    gather(e, W, delta, aim);
    if (!solve(e))
        return false;
    for (int r = 0; r < nrow; r++) {
        double *line = &W[r * n];
        bool own = r >= e->first && r < n;
        for (int i = 0; i < kept && !own; i++) {
            double factor = line[e->first + i];
            const double *x = &e->X[i * columns];
            for (int c = 0; c < e->first && factor != 0; c++)
                line[c] -= factor * x[c];
            delta[r] -= factor * x[e->first];
        }
        memset(own ? line : line + e->first, 0, (size_t)(own ? n : kept) * sizeof *line);
        if (own)
            delta[r] = aim[r];
    }
    return true;
}

// By the signs of pivots, which are as many as those of eigenvalues; by eigenvalues where a pivot
// is too small.
int eliminate_negative(elimination *e)
{
    int n = e->n - e->first;
    double *A = e->scratch, *rest = A + n * n;
    fill_scaled(e, A, rest);
    int negative = n > 0 ? dense_ldl(n, A, rest) : 0;
    if (negative >= 0)
        return negative;
    memcpy(A, e->own, (size_t)n * (size_t)n * sizeof *A);
    return eigen_negative(n, A, rest);
}

void eliminate_back(const elimination *e, double *x)
{
    int columns = e->first + 1;
    for (int i = 0; i < e->n - e->first; i++) {
        const double *X = &e->X[i * columns];
        x[e->first + i] = -X[e->first] - dense_dot(e->first, X, x);
    }
}
