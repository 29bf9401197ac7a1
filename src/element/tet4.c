#include "element/tet4.h"

#include "base/vec.h"

#include <stddef.h>

extern const tet4_kernels tet4_kernels_portable;
extern const tet4_kernels tet4_kernels_avx2;
extern const tet4_kernels tet4_kernels_avx512;

const tet4_kernels *tet4_variant(int variant)
{
#ifdef LITHE_X86
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
    if (variant == 2)
        return avx512 ? &tet4_kernels_avx512 : NULL;
    if (variant == 1)
        return avx2 ? &tet4_kernels_avx2 : NULL;
#endif
    return variant == 0 ? &tet4_kernels_portable : NULL;
}

const tet4_kernels *tet4_choose(void)
{
    const tet4_kernels *best = NULL;
    for (int variant = 2; !best; variant--)
        best = tet4_variant(variant);
    return best;
}

bool tet4_prepare(tet4_batch *batch, int lane, const int node[4], const double *const X[4],
                  double young, double poisson)
{
    double edge[3][3], cof[3][3];
    for (int a = 0; a < 3; a++)
        vec_sub(edge[a], X[a + 1], X[0]);
    // Dm has the edges as columns; its inverse's rows are the cross products of the edges over det
    // Dm
    for (int a = 0; a < 3; a++)
        vec_cross(cof[a], edge[(a + 1) % 3], edge[(a + 2) % 3]);
    double det = vec_dot(edge[0], cof[0]);
    if (!(det > 0))
        return false;
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            batch->gradient[3 * a + i][lane] = cof[a][i] / det;
    for (int a = 0; a < 4; a++)
        batch->node[a][lane] = node[a];
    batch->volume[lane] = det / 6;
    batch->mu[lane] = young / (2 * (1 + poisson));
    batch->lambda[lane] = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    return true;
}
