// The corotational law, whose tangent has a structure of its own.
#include "element/tet4_lanes.h"

#include <stddef.h>

#include "material/corotational.h"

extern const element_kind KERNEL(tet4_corotational);

// Tw = T [h]x, so that [ha]x' T [hb]x = [ha]x' Tw
static inline void twist_cross(const lanes T[9], const lanes h[3], lanes Tw[9])
{
    for (int i = 0; i < 3; i++) {
        const lanes *t = &T[3 * i];
        Tw[3 * i] = t[1] * h[2] - t[2] * h[1];
        Tw[3 * i + 1] = t[2] * h[0] - t[0] * h[2];
        Tw[3 * i + 2] = t[0] * h[1] - t[1] * h[0];
    }
}

// K_ab = V (2 mu (g_a . g_b) I + lambda h_a h_b' + [h_a]x' T [h_b]x),  h = R g, T = c G; the
// factors 2 V mu, V lambda and V are already in mu2, lambda and Tb
static inline void pair_block(const lanes ga[3], const lanes gb[3], const lanes ha[3],
                              const lanes hb[3], const lanes Tb[9], lanes mu2, lanes lambda,
                              lanes K[9])
{
    lanes shear = mu2 * (ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2]);
    for (int j = 0; j < 3; j++) {
        lanes bulk = lambda * hb[j];
        // [ha]x' = -[ha]x
        K[j] = bulk * ha[0] + ha[2] * Tb[3 + j] - ha[1] * Tb[6 + j];
        K[3 + j] = bulk * ha[1] + ha[0] * Tb[6 + j] - ha[2] * Tb[j];
        K[6 + j] = bulk * ha[2] + ha[1] * Tb[j] - ha[0] * Tb[3 + j];
        K[4 * j] += shear;
    }
}

// Blocks of nodes 1 to 3; those of node 0 follow, since moving all nodes alike brings no force.
static inline void store_stiff(const corotational *point, lanes g[4][3], lanes mu, lanes lambda,
                               lanes volume, double *stiff)
{
    lanes h[4][3], T[9], K[TET4_STIFF];
    for (int a = 1; a < 4; a++)
        for (int i = 0; i < 3; i++)
            h[a][i] = point->R[3 * i] * g[a][0] + point->R[3 * i + 1] * g[a][1] +
                      point->R[3 * i + 2] * g[a][2];
    for (int b = 1; b < 4; b++) {
        twist_cross(point->twist, h[b], T);
        for (int i = 0; i < 9; i++)
            T[i] *= volume;
        for (int a = b; a < 4; a++)
            pair_block(g[a], g[b], h[a], h[b], T, 2 * mu * volume, lambda * volume,
                       &K[9 * element_pair(a, b)]);
    }
    for (int i = 0; i < 9; i++) {
        int t = 3 * (i % 3) + i / 3; // of the transposed block
        K[9 * element_pair(1, 0) + i] =
            -(K[9 * element_pair(1, 1) + i] + K[9 * element_pair(2, 1) + t] +
              K[9 * element_pair(3, 1) + t]);
        K[9 * element_pair(2, 0) + i] =
            -(K[9 * element_pair(2, 1) + i] + K[9 * element_pair(2, 2) + i] +
              K[9 * element_pair(3, 2) + t]);
        K[9 * element_pair(3, 0) + i] =
            -(K[9 * element_pair(3, 1) + i] + K[9 * element_pair(3, 2) + i] +
              K[9 * element_pair(3, 3) + i]);
    }
    for (int i = 0; i < 9; i++)
        K[i] = -(K[9 * element_pair(1, 0) + i] + K[9 * element_pair(2, 0) + i] +
                 K[9 * element_pair(3, 0) + i]);
    lanes_store_rows(K, TET4_STIFF, stiff, TET4_STIFF);
}

static void evaluate(const void *elements, const double *x, element_tangent tangent,
                     element_output out)
{
    const tet4_batch *batch = elements;
    lanes F[9], g[4][3];
    corotational point;
    lanes mu = lanes_load(batch->parameter[0]), lambda = lanes_load(batch->parameter[1]);
    lanes volume = lanes_load(batch->volume);
    tet4_gradient(batch, x, F);
    tet4_shape(batch, g);
    corotational_evaluate(F, mu, lambda, &point);
    lanes energy = volume * point.energy;
    for (int l = 0; l < LANES; l++)
        out.energy[l] = energy[l];
    tet4_store_force(point.P, g, volume, out.force);
    if (tangent == ELEMENT_FORCE_ONLY)
        return;
    corotational_twist(F, mu, lambda, tangent == ELEMENT_POSITIVE, &point);
    store_stiff(&point, g, mu, lambda, volume, out.stiff);
}

static void stress(const void *elements, const double *x, double *energy_density, double *von_mises)
{
    const tet4_batch *batch = elements;
    lanes F[9];
    corotational point;
    tet4_gradient(batch, x, F);
    corotational_evaluate(F, lanes_load(batch->parameter[0]), lanes_load(batch->parameter[1]),
                          &point);
    tet4_store_stress(point.energy, point.P, F, energy_density, von_mises);
}

const element_kind KERNEL(tet4_corotational) = {
    .name = "tet4",
    .nnode = 4,
    .cell = TET4_CELL,
    .batch_size = TET4_BATCH_SIZE(2),
    .index_at = offsetof(tet4_batch, node),
    .index_rows = 4,
    .evaluate = evaluate,
    .stress = stress,
    .inverted = tet4_inverted,
    .points = tet4_points,
    .mass = tet4_mass,
};
