// A block |x_i| <= half[i]; to other surfaces twelve triangles.
#include "contact/shape_traits.h"

static double box_distance(const contact_shape *s, const double q[3], double n[3])
{
    return shape_block_distance(q, s->half, n);
}

static void box_hessian(const contact_shape *s, const double q[3], double D[9])
{
    double off[3];
    bool free[3];
    for (int i = 0; i < 3; i++) {
        off[i] = q[i] - shape_clamp(q[i], s->half[i]);
        free[i] = off[i] != 0;
    }
    shape_round_hessian(off, free, D);
}

static void box_skin(const contact_shape *s, shape_skin *out)
{
    static const int quad[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    out->nvertex = 8;
    for (int i = 0; i < 24; i++)
        out->x[i] = (i / 3 >> i % 3 & 1 ? 1 : -1) * s->half[i % 3];
    out->ntri = 12;
    for (int f = 0; f < 6; f++)
        for (int k = 0; k < 6; k++)
            out->tri[6 * f + k] = quad[f][k < 3 ? k : (k - 1) % 4 == 1 ? 0 : (k - 1) % 4];
}

const shape_traits shape_box = {.distance = box_distance, .hessian = box_hessian, .skin = box_skin};
