#include "element/spring.h"

#include "base/tolerances.h"

#include <stddef.h>

extern const element_kind KERNEL(spring_kinds)[SPRING_KINDS];

typedef struct spring_shape {
    lanes t[3], l; // direction and length
    lanes longer;  // than at rest; 0 where it is slack
    lanes pull;    // N
    lanes taut;    // 1, or 0 where it is slack
} spring_shape;

static inline void find_shape(const spring_batch *b, const double *x, int nnode, spring_shape *w)
{
    lanes d[3];
    for (int i = 0; i < 3; i++)
        d[i] = lanes_load(b->anchor[i]);
    for (int a = 0; a < nnode; a++) {
        lanes at[3];
        lanes_load_points(x, b->node[a], at);
        for (int i = 0; i < 3; i++)
            d[i] += lanes_load(b->coefficient[a]) * at[i];
    }
    lanes none = lanes_set(0), tiny = lanes_set(SMALLEST_DIVISOR);
    w->l = lanes_max(lanes_sqrt(lanes_dot(d, d)), tiny);
    for (int i = 0; i < 3; i++)
        w->t[i] = d[i] / w->l;
    w->longer = w->l - lanes_load(b->rest);
    w->taut = lanes_select(w->longer > none, lanes_set(1), lanes_load(b->push));
    w->longer *= w->taut;
    w->pull = lanes_load(b->stiffness) * w->longer;
}

// Of d with d: stiffness along the spring, pull / length across it, which a push makes negative.
static inline void find_stiffness(const spring_batch *b, const spring_shape *w,
                                  element_tangent tangent, lanes K[9])
{
    lanes along = lanes_load(b->stiffness) * w->taut, across = w->pull / w->l;
    if (tangent == ELEMENT_POSITIVE)
        across = lanes_max(across, lanes_set(0));
    if (tangent == ELEMENT_LENGTH)
        across = lanes_set(0);
    for (int i = 0; i < 9; i++)
        K[i] = (along - across) * w->t[i / 3] * w->t[i % 3] + (i % 4 ? lanes_set(0) : across);
}

static inline void evaluate(const spring_batch *b, const double *x, int nnode,
                            element_tangent tangent, element_output out)
{
    spring_shape w;
    lanes K[9];
    find_shape(b, x, nnode, &w);
    lanes energy = 0.5 * w.pull * w.longer;
    for (int l = 0; l < LANES; l++)
        out.energy[l] = energy[l];
    for (int a = 0; a < nnode; a++) {
        lanes pull = lanes_load(b->coefficient[a]) * w.pull, f[3];
        for (int i = 0; i < 3; i++)
            f[i] = pull * w.t[i];
        lanes_store_rows(f, 3, &out.force[3 * a], 3 * nnode);
    }
    if (tangent == ELEMENT_FORCE_ONLY)
        return;
    find_stiffness(b, &w, tangent, K);
    int npair = nnode * (nnode + 1) / 2;
    for (int a = 0; a < nnode; a++)
        for (int c = 0; c <= a; c++) {
            lanes both = lanes_load(b->coefficient[a]) * lanes_load(b->coefficient[c]), block[9];
            for (int i = 0; i < 9; i++)
                block[i] = both * K[i];
            lanes_store_rows(block, 9, &out.stiff[9 * element_pair(a, c)], 9 * npair);
        }
}

// Stress along it, where it has a section; 0 for a spring, whose volume is not known.
static inline void stress(const spring_batch *b, const double *x, int nnode, double *energy_density,
                          double *von_mises)
{
    spring_shape w;
    find_shape(b, x, nnode, &w);
    lanes energy = 0.5 * w.pull * w.longer;
    for (int l = 0; l < LANES; l++) {
        double volume = b->volume[l];
        energy_density[l] = volume > 0 ? energy[l] / volume : 0;
        von_mises[l] = volume > 0 ? fabs(w.pull[l]) * b->rest[l] / volume : 0;
    }
}

// No cell shows them: they have no nodes of their own.
#define SPRING(kind, n)                                                                            \
    static void evaluate_##kind(const void *batch, const double *x, element_tangent tangent,       \
                                element_output out)                                                \
    {                                                                                              \
        evaluate(batch, x, n, tangent, out);                                                       \
    }                                                                                              \
    static void stress_##kind(const void *batch, const double *x, double *density,                 \
                              double *von_mises)                                                   \
    {                                                                                              \
        stress(batch, x, n, density, von_mises);                                                   \
    }
#define SPRING_ENTRY(kind, n)                                                                      \
    {                                                                                              \
        .name = "spring", .nnode = (n), .batch_size = sizeof(spring_batch),                        \
        .index_at = offsetof(spring_batch, node), .index_rows = SPRING_WIDE_NODE,                  \
        .evaluate = evaluate_##kind, .stress = stress_##kind, .lengthwise = true                   \
    }

SPRING(ends, SPRING_ENDS)
SPRING(narrow, SPRING_NARROW_NODE)
SPRING(usual, SPRING_NODE)
SPRING(wide, SPRING_WIDE_NODE)

const element_kind KERNEL(spring_kinds)[SPRING_KINDS] = {
    SPRING_ENTRY(ends, SPRING_ENDS),
    SPRING_ENTRY(narrow, SPRING_NARROW_NODE),
    SPRING_ENTRY(usual, SPRING_NODE),
    SPRING_ENTRY(wide, SPRING_WIDE_NODE),
};
