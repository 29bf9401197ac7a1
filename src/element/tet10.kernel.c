#include "element/tet10.h"

#include <stddef.h>

#include "element/solid.h"

enum { VTK_QUADRATIC_TETRA = 24 };

extern const element_kind KERNEL(tet10_kinds)[LAW_KINDS];

static solid_view view(const tet10_batch *b)
{
    bool some = false;
    for (int l = 0; l < LANES; l++)
        some = some || b->excess[l] > 0;
    return (solid_view){b->node, b->gradient, b->weight, some ? b->excess : NULL, b->parameter};
}

static void evaluate(law_function *law, const tet10_batch *b, const double *x,
                     element_tangent tangent, element_output out)
{
    solid_view v = view(b);
    solid_evaluate(law, TET10_NODES, TET10_POINTS, &v, x, tangent, out);
}

static void stress(law_function *law, const tet10_batch *b, const double *x, double *energy_density,
                   double *von_mises)
{
    solid_view v = view(b);
    solid_stress(law, TET10_NODES, TET10_POINTS, &v, x, energy_density, von_mises);
}

LAW_EACH(SOLID_FUNCTIONS)

#define KIND(law, n, lower, public)                                                                \
    [LAW_##law] = {.name = "tet10",                                                                \
                   .nnode = TET10_NODES,                                                           \
                   .cell = VTK_QUADRATIC_TETRA,                                                    \
                   .batch_size = sizeof(tet10_batch),                                              \
                   .index_at = offsetof(tet10_batch, node),                                        \
                   .index_rows = TET10_NODES,                                                      \
                   .evaluate = evaluate_##law,                                                     \
                   .stress = stress_##law,                                                         \
                   .points = tet10_points,                                                         \
                   .mass = tet10_mass},
const element_kind KERNEL(tet10_kinds)[LAW_KINDS] = {LAW_EACH(KIND)};
