// A ball about the origin; to other surfaces a thick point.
#include "contact/shape_traits.h"

static double sphere_distance(const contact_shape *s, const double q[3], double n[3])
{
    return shape_round_distance(q, (const double[3]){0}, s->radius, n);
}

static void sphere_hessian(const contact_shape *s, const double q[3], double D[9])
{
    (void)s;
    shape_round_hessian(q, (const bool[3]){true, true, true}, D);
}

static void sphere_skin(const contact_shape *s, shape_skin *out)
{
    out->nvertex = 1;
    out->radius = s->radius;
}

const shape_traits shape_sphere = {
    .distance = sphere_distance, .hessian = sphere_hessian, .skin = sphere_skin};
