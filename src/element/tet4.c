#include "element/tet4.h"

#include "base/vec.h"
#include "material/polar.h"

#include <stddef.h>

tet4_function tet4_evaluate_portable;
tet4_function tet4_evaluate_avx2;
tet4_function tet4_evaluate_avx512;

tet4_function *tet4_variant(int variant)
{
#ifdef LITHE_X86
    __builtin_cpu_init();
    if (variant == 2)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl")
                   ? tet4_evaluate_avx512
                   : NULL;
    if (variant == 1)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? tet4_evaluate_avx2
                                                                               : NULL;
#endif
    return variant == 0 ? tet4_evaluate_portable : NULL;
}

tet4_function *tet4_choose(void)
{
    tet4_function *best = NULL;
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

void tet4_gradient(const tet4_batch *batch, int lane, const double *x, double F[9])
{
    double D[9], inverse[9];
    const double *origin = x + 3 * batch->node[0][lane];
    for (int a = 1; a < 4; a++)
        for (int i = 0; i < 3; i++)
            D[3 * i + a - 1] = x[3 * batch->node[a][lane] + i] - origin[i];
    for (int i = 0; i < 9; i++)
        inverse[i] = batch->gradient[i][lane];
    mat_mul(F, D, inverse);
}

static double mises(const double s[9])
{
    double a = s[0] - s[4], b = s[4] - s[8], c = s[8] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[1] * s[1] + s[2] * s[2] + s[5] * s[5]));
}

void tet4_stress(const tet4_batch *batch, int lane, const double *x, double *energy_density,
                 double *von_mises)
{
    double F[9], R[9], P[9], sigma[9];
    double mu = batch->mu[lane], lambda = batch->lambda[lane], stretch = -3, distance = 0;
    tet4_gradient(batch, lane, x, F);
    polar_rotation(F, R);
    for (int i = 0; i < 9; i++)
        stretch += R[i] * F[i];
    for (int i = 0; i < 9; i++) {
        distance += (F[i] - R[i]) * (F[i] - R[i]);
        P[i] = 2 * mu * (F[i] - R[i]) + lambda * stretch * R[i];
    }
    double J = mat_det(F);
    for (int i = 0; i < 3; i++) // Cauchy stress, P F' / J
        for (int j = 0; j < 3; j++)
            sigma[3 * i + j] = vec_dot(P + 3 * i, F + 3 * j) / J;
    *energy_density = mu * distance + 0.5 * lambda * stretch * stretch;
    *von_mises = mises(sigma);
}
