// A rod with flat ends: a block in the half-plane (distance from the axis, z).
#include "contact/shape_traits.h"

#include <math.h>

// In the half-plane; n: its gradient there, (n[0], n[2]).
static double half_plane_distance(const contact_shape *s, double r, double z, double n[3])
{
    const double flat[3] = {r, 0, z}, limit[3] = {s->radius, INFINITY, s->half[2]};
    return shape_block_distance(flat, limit, n);
}

static double cylinder_distance(const contact_shape *s, const double q[3], double n[3])
{
    double r = hypot(q[0], q[1]), m[3], d = half_plane_distance(s, r, q[2], m);
    shape_revolve(q, r, m[0], m[2], n);
    return d;
}

static void cylinder_hessian(const contact_shape *s, const double q[3], double D[9])
{
    double r = hypot(q[0], q[1]), n[3], d = half_plane_distance(s, r, q[2], n);
    shape_axis_hessian(q, n[0], D);
    if (r > s->radius && fabs(q[2]) > s->half[2]) { // about the edge, in the half-plane
        double t[3] = {-n[2] * q[0] / r, -n[2] * q[1] / r, n[0]};
        shape_add_dyad(D, 1 / d, t);
    }
}

static void cylinder_skin(const contact_shape *s, shape_skin *out)
{
    shape_rim_skin(s, 2, out);
}

static void cylinder_meridian(const contact_shape *s, double r, double z, meridian *out)
{
    double up = z < 0 ? -1 : 1, off = r - s->radius, over = up * z - s->half[2];
    *out = (meridian){.phi = fmax(off, over), .nr = off > over, .nz = off > over ? 0 : up};
    if (off > 0 && over > 0) {
        out->phi = hypot(off, over);
        out->nr = off / out->phi;
        out->nz = up * over / out->phi;
        out->k_along = 1 / out->phi;
    }
    out->k_around = r > 0 ? out->nr / r : 0;
}

static bool cylinder_support(const contact_shape *s, const double n[3], double side, double p[3],
                             double *radius)
{
    if (side == 0 || n[2] == 0)
        return false;
    *radius = s->radius;
    p[0] = s->radius * n[0] / side;
    p[1] = s->radius * n[1] / side;
    p[2] = n[2] < 0 ? -s->half[2] : s->half[2];
    return true;
}

const shape_traits shape_cylinder = {.distance = cylinder_distance,
                                     .hessian = cylinder_hessian,
                                     .skin = cylinder_skin,
                                     .nrim = 2,
                                     .meridian = cylinder_meridian,
                                     .support = cylinder_support};
