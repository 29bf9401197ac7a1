#include "element/tet10.h"

#include "base/vec.h"
#include "element/solid_family.h"

#include <string.h>

const int tet10_edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

extern const element_kind tet10_kinds_portable[LAW_KINDS];
extern const element_kind tet10_kinds_avx2[LAW_KINDS];
extern const element_kind tet10_kinds_avx512[LAW_KINDS];

const element_kind *tet10_kind(law_kind law, int variant)
{
#ifdef LITHE_X86
    static const solid_table table[] = {tet10_kinds_portable, tet10_kinds_avx2, tet10_kinds_avx512};
#else
    static const solid_table table[] = {tet10_kinds_portable};
#endif
    return solid_choose(table, variant, law);
}

void tet10_shape(double s, double t, double u, double N[TET10_NODES])
{
    double L[4] = {1 - s - t - u, s, t, u};
    for (int a = 0; a < 4; a++)
        N[a] = L[a] * (2 * L[a] - 1);
    for (int i = 0; i < 6; i++)
        N[4 + i] = 4 * L[tet10_edge[i][0]] * L[tet10_edge[i][1]];
}

void tet10_slope(double s, double t, double u, double dN[TET10_NODES][3])
{
    static const double dL[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double L[4] = {1 - s - t - u, s, t, u};
    for (int j = 0; j < 3; j++) {
        for (int a = 0; a < 4; a++)
            dN[a][j] = (4 * L[a] - 1) * dL[a][j];
        for (int i = 0; i < 6; i++) {
            int a = tet10_edge[i][0], b = tet10_edge[i][1];
            dN[4 + i][j] = 4 * (L[a] * dL[b][j] + L[b] * dL[a][j]);
        }
    }
}

// Gradients of the shape functions in space, and det(dX/ds).
static double space_gradient(const double X[TET10_NODES][3], const double dN[TET10_NODES][3],
                             double g[TET10_NODES][3])
{
    double J[3][3] = {{0}}, cof[3][3]; // rows: dX/ds, dX/dt, dX/du
    for (int a = 0; a < TET10_NODES; a++)
        for (int j = 0; j < 3; j++)
            vec_axpy(J[j], dN[a][j], X[a]);
    for (int j = 0; j < 3; j++)
        vec_cross(cof[j], J[(j + 1) % 3], J[(j + 2) % 3]);
    double det = vec_dot(J[0], cof[0]);
    for (int a = 0; a < TET10_NODES; a++)
        for (int i = 0; i < 3; i++)
            g[a][i] = (dN[a][0] * cof[0][i] + dN[a][1] * cof[1][i] + dN[a][2] * cof[2][i]) / det;
    return det;
}

// Gauss points of a cube folded onto the tetrahedron: exact for every polynomial that occurs.
// Calls `visit` with the shape functions, their gradients in space and the weight (m^3) at each.
static void each_point(const double X[TET10_NODES][3],
                       void (*visit)(void *context, const double N[TET10_NODES],
                                     const double g[TET10_NODES][3], double weight),
                       void *context)
{
    enum { GAUSS = 5 };
    static const double at[GAUSS] = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842,
                                     0.953089922969332};
    static const double weight[GAUSS] = {0.118463442528095, 0.239314335249683, 0.284444444444444,
                                         0.239314335249683, 0.118463442528095};
    for (int i = 0; i < GAUSS * GAUSS * GAUSS; i++) {
        double p = at[i % GAUSS], q = at[i / GAUSS % GAUSS], r = at[i / GAUSS / GAUSS];
        double s = p, t = q * (1 - p), u = r * (1 - p) * (1 - q);
        double N[TET10_NODES], dN[TET10_NODES][3], g[TET10_NODES][3];
        tet10_shape(s, t, u, N);
        tet10_slope(s, t, u, dN);
        double w = space_gradient(X, (const double(*)[3])dN, g) * (1 - p) * (1 - p) * (1 - q) *
                   weight[i % GAUSS] * weight[i / GAUSS % GAUSS] * weight[i / GAUSS / GAUSS];
        visit(context, N, (const double(*)[3])g, w);
    }
}

// Integrals over one element.
typedef struct tet10_sums {
    double volume;
    double mean[TET10_NODES][3]; // of the gradients
    double share[TET10_NODES];   // of the shape functions
    double square[TET10_NODES];  // of their squares
} tet10_sums;

static void add_sums(void *context, const double N[TET10_NODES], const double g[TET10_NODES][3],
                     double weight)
{
    tet10_sums *sums = context;
    sums->volume += weight;
    for (int a = 0; a < TET10_NODES; a++) {
        vec_axpy(sums->mean[a], weight, g[a]);
        sums->share[a] += weight * N[a];
        sums->square[a] += weight * N[a] * N[a];
    }
}

static void integrate(const double X[TET10_NODES][3], tet10_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    each_point(X, add_sums, sums);
}

static void add_pairs(void *context, const double N[TET10_NODES], const double g[TET10_NODES][3],
                      double weight)
{
    double *pair = context;
    (void)g;
    for (int a = 0; a < TET10_NODES; a++)
        for (int b = 0; b <= a; b++)
            pair[element_pair(a, b)] += weight * N[a] * N[b];
}

void tet10_mass(const double (*X)[3], double *pair)
{
    memset(pair, 0, sizeof(double[TET10_NODES * (TET10_NODES + 1) / 2]));
    each_point(X, add_pairs, pair);
}

// What four points see of a curved element is corrected by constants, so that its volume and the
// means of its gradients are exact: a constant stress then balances whatever the shape (the patch
// test), and a straight element is left as it is.
static bool prepare(tet10_batch *batch, int lane, const double X[TET10_NODES][3], tet10_sums *sums)
{
    static const double inner = 0.585410196624968, outer = 0.138196601125011;
    double g[TET10_POINTS][TET10_NODES][3], w[TET10_POINTS], volume = 0;
    for (int q = 0; q < TET10_POINTS; q++) {
        double dN[TET10_NODES][3];
        tet10_slope(q == 1 ? inner : outer, q == 2 ? inner : outer, q == 3 ? inner : outer, dN);
        double det = space_gradient(X, (const double(*)[3])dN, g[q]);
        if (!(det > 0))
            return false;
        w[q] = det / 24;
        volume += w[q];
    }
    integrate(X, sums);
    for (int q = 0; q < TET10_POINTS; q++)
        w[q] *= sums->volume / volume;
    for (int a = 0; a < TET10_NODES; a++) {
        double off[3];
        memcpy(off, sums->mean[a], sizeof off);
        for (int q = 0; q < TET10_POINTS; q++)
            vec_axpy(off, -w[q], g[q][a]);
        for (int q = 0; q < TET10_POINTS; q++)
            for (int i = 0; i < 3; i++)
                batch->gradient[3 * (TET10_NODES * q + a) + i][lane] =
                    g[q][a][i] + off[i] / sums->volume;
    }
    for (int q = 0; q < TET10_POINTS; q++)
        batch->weight[q][lane] = w[q];
    return true;
}

static double stiffness_size(const tet10_batch *batch, int lane, double modulus)
{
    double sum = 0;
    for (int i = 0; i < TET10_POINTS * TET10_NODES * 3; i++)
        sum += batch->weight[i / (3 * TET10_NODES)][lane] * batch->gradient[i][lane] *
               batch->gradient[i][lane];
    return modulus * sum;
}

// Lumps are in proportion to the diagonal of the consistent mass [hinton1976].
static void finish(element_family *f, int e, const tet10_sums *sums)
{
    double all = 0;
    for (int a = 0; a < TET10_NODES; a++)
        all += sums->square[a];
    for (int a = 0; a < TET10_NODES; a++) {
        f->share[TET10_NODES * e + a] = sums->share[a];
        f->lump[TET10_NODES * e + a] = sums->volume * sums->square[a] / all;
    }
}

int tet10_points(void *batch, int q, double (*gradient)[LANES], double *weight,
                 double (**parameter)[LANES])
{
    tet10_batch *b = batch;
    memcpy(gradient, b->gradient[3 * TET10_NODES * q], sizeof(double[3 * TET10_NODES][LANES]));
    memcpy(weight, b->weight[q], sizeof b->weight[q]);
    *parameter = b->parameter;
    return TET10_POINTS;
}

lithe_status tet10_family(element_family *f, int n, const int *node, const double *X,
                          const law_material *const *stuff, arena *memory, int *bad)
{
    law_kind law = stuff[0]->law;
    LITHE_TRY(family_create(f, tet10_kind(law, element_best_variant()), n, memory));
    f->lump = arena_new(memory, TET10_NODES * (size_t)n, double);
    if (!f->lump)
        return LITHE_NO_MEMORY;
    for (int k = 0; k < f->nbatch * LANES; k++) {
        int e = k < n ? k : n - 1, lane = k % LANES;
        const int *own = &node[TET10_NODES * e];
        tet10_batch *batch = (tet10_batch *)f->batch + k / LANES;
        double corner[TET10_NODES][3], parameter[LAW_PARAMETERS];
        tet10_sums sums;
        for (int a = 0; a < TET10_NODES; a++) {
            memcpy(corner[a], &X[3 * own[a]], sizeof corner[a]);
            batch->node[a][lane] = own[a];
        }
        if (!prepare(batch, lane, (const double(*)[3])corner, &sums)) {
            *bad = e;
            return LITHE_INVALID;
        }
        solid_split(stuff[e], SOLID_POISSON, parameter, &batch->excess[lane]);
        for (int i = 0; i < LAW_PARAMETERS; i++)
            batch->parameter[i][lane] = parameter[i];
        for (int q = 0; q < TET10_POINTS && k >= n; q++)
            batch->weight[q][lane] = 0;
        if (k >= n)
            continue;
        memcpy(&f->node[TET10_NODES * e], own, TET10_NODES * sizeof *own);
        f->stiffness[e] = stiffness_size(batch, lane, stuff[e]->stiffest);
        finish(f, e, &sums);
    }
    return LITHE_OK;
}
