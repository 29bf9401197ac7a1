// A rod with round ends: what is within the radius of a segment of the z axis. To other surfaces a
// thick segment.
#include "contact/shape_traits.h"

static double capsule_distance(const contact_shape *s, const double q[3], double n[3])
{
    const double core[3] = {0, 0, shape_clamp(q[2], s->half[2])};
    return shape_round_distance(q, core, s->radius, n);
}

static void capsule_hessian(const contact_shape *s, const double q[3], double D[9])
{
    const double off[3] = {q[0], q[1], q[2] - shape_clamp(q[2], s->half[2])};
    shape_round_hessian(off, (const bool[3]){true, true, off[2] != 0}, D);
}

static void capsule_skin(const contact_shape *s, shape_skin *out)
{
    out->nvertex = 2;
    out->x[2] = -s->half[2];
    out->x[5] = s->half[2];
    out->radius = s->radius;
    out->segment = true;
}

const shape_traits shape_capsule = {
    .distance = capsule_distance, .hessian = capsule_hessian, .skin = capsule_skin};
