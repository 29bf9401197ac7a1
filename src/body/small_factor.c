#include "body/small_factor.h"

#include "base/tolerances.h"
#include "element/family.h"

#include <math.h>

extern const small_kernels small_portable, small_avx2, small_avx512;

const small_kernels *small_variant(int variant)
{
#ifdef LITHE_X86
    static const small_kernels *const all[] = {&small_portable, &small_avx2, &small_avx512};
#else
    static const small_kernels *const all[] = {&small_portable};
#endif
    return element_has_variant(variant) ? all[variant] : NULL;
}

lithe_status small_factor_create(int n, const int *first, arena *memory, small_factor *out)
{
    *out = (small_factor){.n = n, .kernels = small_variant(element_best_variant())};
    out->upper = arena_new(memory, (size_t)n * (size_t)n, double);
    out->inverse = arena_new(memory, n, double);
    out->last = arena_new(memory, n, int);
    if (!out->upper || !out->inverse || !out->last)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < n; i++)
        for (int k = first ? first[i] : 0; k <= i; k++)
            out->last[k] = i + 1;
    for (int k = 1; k < n; k++) // what elimination fills
        out->last[k] = out->last[k] > out->last[k - 1] ? out->last[k] : out->last[k - 1];
    return LITHE_OK;
}

void small_factor_make(small_factor *f, const double *A, int stride)
{
    double size = 0;
    for (int k = 0; k < f->n; k++) {
        double *line = &f->upper[(size_t)k * (size_t)f->n];
        for (int i = k; i < f->last[k]; i++)
            line[i] = A[(size_t)i * (size_t)stride + (size_t)k];
        size = fmax(size, fabs(line[k]));
    }
    f->negative = 0;
    f->singular = false;
    f->kernels->eliminate(f, ZERO_PIVOT * size);
}

void small_factor_forward(const small_factor *f, int nrhs, double *B)
{
    f->kernels->forward(f, nrhs, B);
}

void small_factor_backward(const small_factor *f, int nrhs, double *Y)
{
    f->kernels->backward(f, nrhs, Y);
}
