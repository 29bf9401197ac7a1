// What the kernels of linear tetrahedra share: F from positions, forces from stresses.
#ifndef ELEMENT_TET4_LANES_H
#define ELEMENT_TET4_LANES_H

#include "element/tet4.h"

enum {
    TET4_CELL = 10,  // a tetrahedron, as VTK numbers cells
    TET4_FORCE = 12, // numbers of one element's force: 4 nodes x 3
    TET4_STIFF = 90, // numbers of one element's stiffness: 10 pairs of nodes x 9
};

// Bytes of a batch whose law takes n numbers.
#define TET4_BATCH_SIZE(n) (sizeof(tet4_batch) + (size_t)(n)*LANES * sizeof(double))

// edge[a]: x_{a+1} - x_0
static inline void tet4_edges(const tet4_batch *b, const double *x, lanes edge[3][3])
{
    lanes at[4][3];
    for (int a = 0; a < 4; a++)
        lanes_load_points(x, b->node[a], at[a]);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            edge[a][i] = at[a + 1][i] - at[0][i];
}

static inline void tet4_gradient(const tet4_batch *b, const double *x, lanes F[9])
{
    lanes edge[3][3], D[9]; // columns: the edges
    tet4_edges(b, x, edge);
    for (int i = 0; i < 9; i++)
        D[i] = edge[i % 3][i / 3];
    lanes inverse[9];
    for (int i = 0; i < 9; i++)
        inverse[i] = lanes_load(b->gradient[i]);
    lanes_mat_mul(F, D, inverse);
}

// g[a]: gradient of the shape function of node a
static inline void tet4_shape(const tet4_batch *b, lanes g[4][3])
{
    for (int i = 0; i < 3; i++) {
        for (int a = 1; a < 4; a++)
            g[a][i] = lanes_load(b->gradient[3 * (a - 1) + i]);
        g[0][i] = -(g[1][i] + g[2][i] + g[3][i]);
    }
}

// f_a = V P g_a
static inline void tet4_store_force(const lanes P[9], lanes g[4][3], lanes volume, double *force)
{
    lanes f[TET4_FORCE];
    for (int i = 0; i < 3; i++) {
        for (int a = 1; a < 4; a++)
            f[3 * a + i] =
                volume * (P[3 * i] * g[a][0] + P[3 * i + 1] * g[a][1] + P[3 * i + 2] * g[a][2]);
        f[i] = -(f[3 + i] + f[6 + i] + f[9 + i]);
    }
    lanes_store_rows(f, TET4_FORCE, force, TET4_FORCE);
}

// At rest the determinant of the edges is above 0 in all, so det F has the sign of theirs. Empty
// lanes repeat the last element, and count for nothing.
static inline int tet4_inverted(const void *batch, const double *x)
{
    const tet4_batch *b = batch;
    lanes edge[3][3], across[3];
    tet4_edges(b, x, edge);
    lanes_cross(across, edge[1], edge[2]);
    lanes_mask bad = (lanes_load(b->volume) > 0) & ~(lanes_dot(edge[0], across) > 0); // 0 or -1
    long long n = 0;
    for (int l = 0; l < LANES; l++)
        n -= bad[l];
    return (int)n;
}

// Von Mises stress of the Cauchy stress P F' / J.
static inline lanes tet4_mises(const lanes P[9], const lanes F[9])
{
    lanes cof[9], s[9];
    lanes_mat_cofactor(cof, F);
    lanes J = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2];
    lanes_mat_mul_nt(s, P, F);
    for (int i = 0; i < 9; i++)
        s[i] /= J;
    lanes a = s[0] - s[4], b = s[4] - s[8], c = s[8] - s[0];
    return lanes_sqrt(0.5 * (a * a + b * b + c * c) +
                      3 * (s[1] * s[1] + s[2] * s[2] + s[5] * s[5]));
}

static inline void tet4_store_stress(lanes energy, const lanes P[9], const lanes F[9],
                                     double *energy_density, double *von_mises)
{
    lanes m = tet4_mises(P, F);
    for (int l = 0; l < LANES; l++) {
        energy_density[l] = energy[l];
        von_mises[l] = m[l];
    }
}

#endif
