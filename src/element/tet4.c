#include "element/tet4.h"

#include "base/vec.h"

#include <stddef.h>

extern const element_kind tet4_corotational_portable;
extern const element_kind tet4_corotational_avx2;
extern const element_kind tet4_corotational_avx512;

const element_kind *tet4_corotational(int variant)
{
#ifdef LITHE_X86
    static const element_kind *const kind[] = {&tet4_corotational_portable, &tet4_corotational_avx2,
                                               &tet4_corotational_avx512};
#else
    static const element_kind *const kind[] = {&tet4_corotational_portable};
#endif
    return element_has_variant(variant) ? kind[variant] : NULL;
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

// (lambda + 2 mu) V |g|^2, g the gradients of all four shape functions
static double stiffness_size(const tet4_batch *batch, int lane)
{
    double sum = 0, last[3] = {0};
    for (int i = 0; i < 9; i++) {
        sum += batch->gradient[i][lane] * batch->gradient[i][lane];
        last[i % 3] -= batch->gradient[i][lane];
    }
    sum += vec_dot(last, last);
    return (batch->lambda[lane] + 2 * batch->mu[lane]) * batch->volume[lane] * sum;
}

lithe_status tet4_family(element_family *f, int n, const int *node, const double *X,
                         const element_material *material, arena *memory, int *bad)
{
    LITHE_TRY(family_create(f, tet4_corotational(element_best_variant()), n, memory));
    for (int k = 0; k < f->nbatch * LANES; k++) {
        int e = k < n ? k : n - 1, lane = k % LANES;
        tet4_batch *batch = (tet4_batch *)f->batch + k / LANES;
        const double *corner[4];
        for (int a = 0; a < 4; a++)
            corner[a] = &X[3 * node[4 * e + a]];
        if (!tet4_prepare(batch, lane, &node[4 * e], corner, material[e].young,
                          material[e].poisson)) {
            *bad = e;
            return LITHE_INVALID;
        }
        if (k >= n) {
            batch->volume[lane] = 0;
            continue;
        }
        f->stiffness[e] = stiffness_size(batch, lane);
        for (int a = 0; a < 4; a++) {
            f->node[4 * e + a] = node[4 * e + a];
            f->share[4 * e + a] = 0.25 * batch->volume[lane];
        }
    }
    return LITHE_OK;
}
