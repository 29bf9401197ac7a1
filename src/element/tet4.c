#include "element/tet4.h"

#include "base/vec.h"

#include <stddef.h>

extern const element_kind tet4_corotational_portable;
extern const element_kind tet4_corotational_avx2;
extern const element_kind tet4_corotational_avx512;
extern const element_kind tet4_law_portable[LAW_KINDS];
extern const element_kind tet4_law_avx2[LAW_KINDS];
extern const element_kind tet4_law_avx512[LAW_KINDS];

const element_kind *tet4_kind(law_kind law, int variant)
{
#ifdef LITHE_X86
    static const element_kind *const special[] = {
        &tet4_corotational_portable, &tet4_corotational_avx2, &tet4_corotational_avx512};
    static const element_kind *const general[] = {tet4_law_portable, tet4_law_avx2,
                                                  tet4_law_avx512};
#else
    static const element_kind *const special[] = {&tet4_corotational_portable};
    static const element_kind *const general[] = {tet4_law_portable};
#endif
    if (!element_has_variant(variant))
        return NULL;
    return law == LAW_COROTATIONAL ? special[variant] : &general[variant][law];
}

bool tet4_prepare(tet4_batch *batch, int lane, const int node[4], const double *const X[4],
                  const law_material *stuff)
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
    for (int i = 0; i < law_nparameter(stuff->law); i++)
        batch->parameter[i][lane] = stuff->parameter[i];
    return true;
}

int tet4_points(void *batch, int q, double (*gradient)[LANES], double *weight,
                double (**parameter)[LANES])
{
    tet4_batch *b = batch;
    (void)q; // there is one
    *parameter = b->parameter;
    for (int l = 0; l < LANES; l++) {
        weight[l] = b->volume[l];
        for (int i = 0; i < 3; i++) {
            gradient[i][l] = 0;
            for (int a = 1; a < 4; a++) {
                gradient[3 * a + i][l] = b->gradient[3 * (a - 1) + i][l];
                gradient[i][l] -= b->gradient[3 * (a - 1) + i][l];
            }
        }
    }
    return 1;
}

void tet4_mass(const double (*X)[3], double *pair)
{
    double edge[3][3], normal[3];
    for (int a = 0; a < 3; a++)
        vec_sub(edge[a], X[a + 1], X[0]);
    vec_cross(normal, edge[1], edge[2]);
    double volume = vec_dot(edge[0], normal) / 6;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b <= a; b++)
            pair[element_pair(a, b)] = volume / (a == b ? 10 : 20);
}

// stiffest modulus * V |g|^2, g the gradients of all four shape functions
static double stiffness_size(const tet4_batch *batch, int lane, double modulus)
{
    double sum = 0, last[3] = {0};
    for (int i = 0; i < 9; i++) {
        sum += batch->gradient[i][lane] * batch->gradient[i][lane];
        last[i % 3] -= batch->gradient[i][lane];
    }
    sum += vec_dot(last, last);
    return modulus * batch->volume[lane] * sum;
}

// The same tetrahedron with its nodes ascending, but for the first two where its orientation asks
// for it: blocks of A below the diagonal then need no transposing.
static void sort_nodes(const int *node, int sorted[4])
{
    bool odd = false;
    for (int a = 0; a < 4; a++) {
        int at = a;
        for (; at > 0 && sorted[at - 1] > node[a]; at--, odd = !odd)
            sorted[at] = sorted[at - 1];
        sorted[at] = node[a];
    }
    int first = sorted[0];
    sorted[0] = odd ? sorted[1] : first;
    sorted[1] = odd ? first : sorted[1];
}

lithe_status tet4_family(element_family *f, int n, const int *node, const double *X,
                         const law_material *const *stuff, arena *memory, int *bad)
{
    law_kind law = stuff[0]->law;
    LITHE_TRY(family_create(f, tet4_kind(law, element_best_variant()), n, memory));
    for (int k = 0; k < f->nbatch * LANES; k++) {
        int e = k < n ? k : n - 1, lane = k % LANES;
        tet4_batch *batch = family_batch(f, k / LANES);
        const double *corner[4];
        int sorted[4];
        sort_nodes(&node[4 * e], sorted);
        for (int a = 0; a < 4; a++)
            corner[a] = &X[3 * sorted[a]];
        if (!tet4_prepare(batch, lane, sorted, corner, stuff[e])) {
            *bad = e;
            return LITHE_INVALID;
        }
        if (k >= n) {
            batch->volume[lane] = 0;
            continue;
        }
        f->stiffness[e] = stiffness_size(batch, lane, stuff[e]->stiffest);
        for (int a = 0; a < 4; a++) {
            f->node[4 * e + a] = sorted[a];
            f->share[4 * e + a] = 0.25 * batch->volume[lane];
        }
    }
    return LITHE_OK;
}
