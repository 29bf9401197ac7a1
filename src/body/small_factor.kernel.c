#include "body/small_factor.h"

#include <math.h>
#include <stddef.h>

extern const small_kernels KERNEL(small);

// to -= factor from
static inline __attribute__((always_inline)) void take_away(int n, double factor,
                                                            const double *from, double *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] -= factor * from[i];
}

static void eliminate(small_factor *f, double zero)
{
    for (int k = 0; k < f->n; k++) {
        const double *line = &f->upper[(size_t)k * (size_t)f->n];
        bool none = !(fabs(line[k]) > zero);
        f->singular = f->singular || none;
        f->negative += !none && line[k] < 0;
        f->inverse[k] = none ? 0 : 1 / line[k];
        for (int i = k + 1; i < f->last[k]; i++)
            take_away(f->last[k] - i, line[i] * f->inverse[k], line + i,
                      &f->upper[(size_t)i * (size_t)f->n + (size_t)i]);
    }
}

static void forward(const small_factor *f, int nrhs, double *B)
{
    for (int k = 0; k < f->n; k++) {
        const double *line = &f->upper[(size_t)k * (size_t)f->n], *b = &B[(size_t)k * (size_t)nrhs];
        if (nrhs == 1) {
            take_away(f->last[k] - k - 1, f->inverse[k] * *b, line + k + 1, B + k + 1);
            continue;
        }
        for (int i = k + 1; i < f->last[k]; i++)
            take_away(nrhs, line[i] * f->inverse[k], b, &B[(size_t)i * (size_t)nrhs]);
    }
}

static void backward(const small_factor *f, int nrhs, double *Y)
{
    for (int k = f->n - 1; k >= 0; k--) {
        const double *line = &f->upper[(size_t)k * (size_t)f->n];
        double *y = &Y[(size_t)k * (size_t)nrhs];
        for (int i = k + 1; i < f->last[k]; i++)
            take_away(nrhs, line[i], &Y[(size_t)i * (size_t)nrhs], y);
        for (int r = 0; r < nrhs; r++)
            y[r] *= f->inverse[k];
    }
}

const small_kernels KERNEL(small) = {eliminate, forward, backward};
