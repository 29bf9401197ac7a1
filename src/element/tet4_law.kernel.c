// Linear tetrahedra with any law, from its tangent C: K_ab = V g_a' C g_b. One instance a law.
#include "element/tet4_lanes.h"

#include <stddef.h>

#include "material/law.h"

extern const element_kind KERNEL(tet4_law)[LAW_KINDS];

// T_iJk = V C_iJkL g_L
static inline void contract(const lanes C[81], const lanes g[3], lanes volume, lanes T[27])
{
    lanes w[3] = {volume * g[0], volume * g[1], volume * g[2]};
    for (int row = 0; row < 9; row++)
        for (int k = 0; k < 3; k++) {
            const lanes *c = &C[9 * row + 3 * k];
            T[3 * row + k] = c[0] * w[0] + c[1] * w[1] + c[2] * w[2];
        }
}

static inline void store_block(const lanes K[9], int a, int b, double *stiff)
{
    lanes_store_rows(K, 9, &stiff[9 * element_pair(a, b)], TET4_STIFF);
}

// Gradients of the four shape functions sum to zero, so blocks with node 0 follow from the others.
static inline void store_stiff(const lanes C[81], lanes g[4][3], lanes volume, double *stiff)
{
    lanes edge[4][9], corner[9]; // K_a0, K_00
    for (int i = 0; i < 36; i++)
        edge[i / 9][i % 9] = lanes_set(0);
    for (int b = 1; b < 4; b++) {
        lanes T[27], K[9];
        contract(C, g[b], volume, T);
        for (int a = b; a < 4; a++) {
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++)
                    K[3 * i + k] = g[a][0] * T[9 * i + k] + g[a][1] * T[9 * i + 3 + k] +
                                   g[a][2] * T[9 * i + 6 + k];
            store_block(K, a, b, stiff);
            for (int i = 0; i < 9; i++) {
                edge[a][i] -= K[i];
                if (a != b)
                    edge[b][i] -= K[3 * (i % 3) + i / 3];
            }
        }
    }
    for (int i = 0; i < 9; i++)
        corner[i] = -(edge[1][i] + edge[2][i] + edge[3][i]);
    store_block(corner, 0, 0, stiff);
    for (int a = 1; a < 4; a++)
        store_block(edge[a], a, 0, stiff);
}

__attribute__((always_inline)) static inline void
load_parameters(law_kind law, const tet4_batch *batch, lanes p[LAW_PARAMETERS])
{
    for (int i = 0; i < law_nparameter(law); i++)
        p[i] = lanes_load(batch->parameter[i]);
}

__attribute__((always_inline)) static inline void evaluate_law(law_kind law,
                                                               const tet4_batch *batch,
                                                               const double *x, law_tangent tangent,
                                                               element_output out)
{
    lanes F[9], g[4][3], p[LAW_PARAMETERS], volume = lanes_load(batch->volume);
    law_point point;
    tet4_gradient(batch, x, F);
    tet4_shape(batch, g);
    load_parameters(law, batch, p);
    law_evaluate(law, F, p, tangent, &point);
    lanes energy = volume * point.energy;
    for (int l = 0; l < LANES; l++)
        out.energy[l] = energy[l];
    tet4_store_force(point.P, g, volume, out.force);
    if (tangent != LAW_STRESS)
        store_stiff(point.C, g, volume, out.stiff);
}

__attribute__((always_inline)) static inline void stress_law(law_kind law, const tet4_batch *batch,
                                                             const double *x,
                                                             double *energy_density,
                                                             double *von_mises)
{
    lanes F[9], p[LAW_PARAMETERS];
    law_point point;
    tet4_gradient(batch, x, F);
    load_parameters(law, batch, p);
    law_evaluate(law, F, p, LAW_STRESS, &point);
    tet4_store_stress(point.energy, point.P, F, energy_density, von_mises);
}

// clang-format off
#define INSTANCE(LAW, n, lower, public)                                                                           \
    static void evaluate_##LAW(const void *batch, const double *x, element_tangent tangent,       \
                                element_output out)                                                \
    {                                                                                              \
        if (tangent == ELEMENT_FORCE_ONLY)                                                         \
            evaluate_law(LAW_##LAW, batch, x, LAW_STRESS, out);                                   \
        else                                                                                       \
            evaluate_law(LAW_##LAW, batch, x,                                                     \
                         tangent == ELEMENT_POSITIVE ? LAW_POSITIVE : LAW_EXACT, out);             \
    }                                                                                              \
    static void stress_##LAW(const void *batch, const double *x, double *energy_density,          \
                              double *von_mises)                                                   \
    {                                                                                              \
        stress_law(LAW_##LAW, batch, x, energy_density, von_mises);                               \
    }

#define ROW(LAW, n, lower, public)                                                                                \
    [LAW_##LAW] = {.name = "tet4", .nnode = 4, .cell = TET4_CELL,                                 \
                    .batch_size = TET4_BATCH_SIZE(n),                                              \
                    .index_at = offsetof(tet4_batch, node), .index_rows = 4,                       \
                    .evaluate = evaluate_##LAW, .stress = stress_##LAW, .inverted = tet4_inverted,                    \
                    .points = tet4_points, .mass = tet4_mass},
// clang-format on

LAW_EACH(INSTANCE)

const element_kind KERNEL(tet4_law)[LAW_KINDS] = {LAW_EACH(ROW)};
