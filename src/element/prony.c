#include "element/prony.h"

extern const prony_kernels prony_kernels_portable;
extern const prony_kernels prony_kernels_avx2;
extern const prony_kernels prony_kernels_avx512;

const prony_kernels *prony_choose(void)
{
#ifdef LITHE_X86
    static const prony_kernels *const kernels[] = {&prony_kernels_portable, &prony_kernels_avx2,
                                                   &prony_kernels_avx512};
#else
    static const prony_kernels *const kernels[] = {&prony_kernels_portable};
#endif
    return kernels[element_best_variant()];
}

// a = exp(-h/tau) and r b = r (1 - a) tau/h
static void factors(const prony_batch *b, int term, int lane, double h, double *a, double *rb)
{
    double t = h / b->time[term][lane];
    *a = exp(-t);
    *rb = b->ratio[term][lane] * (t > 0 ? -expm1(-t) / t : 1);
}

void prony_begin(const prony_batch *b, int nterm, double h, prony_state *s)
{
    for (int l = 0; l < LANES; l++) {
        s->share[0][l] = 0;
        for (int i = 0; i < 6; i++)
            s->hold[i][l] = 0;
        for (int k = 0; k < nterm && h > 0; k++) {
            double a, rb;
            factors(b, k, l, h, &a, &rb);
            s->share[0][l] += rb;
            for (int i = 0; i < 6; i++)
                s->hold[i][l] += a * s->over[6 * k + i][l] - rb * s->stress[i][l];
        }
    }
}

void prony_end(const prony_kernels *kernels, const prony_batch *b, int nterm, double h,
               const double *x, const double *factor, prony_state *s)
{
    _Alignas(64) double stress[6][LANES];
    kernels->stress(b, x, factor, stress);
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < nterm; k++) {
                double a = 0, rb = 0;
                if (h > 0)
                    factors(b, k, l, h, &a, &rb);
                s->over[6 * k + i][l] =
                    a * s->over[6 * k + i][l] + rb * (stress[i][l] - s->stress[i][l]);
            }
            s->stress[i][l] = stress[i][l];
        }
}
