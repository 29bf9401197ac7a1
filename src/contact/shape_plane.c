// z <= 0 is solid.
#include "contact/shape_traits.h"

static double plane_distance(const contact_shape *s, const double q[3], double n[3])
{
    (void)s;
    n[0] = n[1] = 0;
    n[2] = 1;
    return q[2];
}

static void plane_hessian(const contact_shape *s, const double q[3], double D[9])
{
    (void)s;
    (void)q;
    (void)D; // flat
}

const shape_traits shape_plane = {
    .endless = true, .distance = plane_distance, .hessian = plane_hessian};
