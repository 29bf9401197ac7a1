// A cone with a flat base: the tip at z = half, the base at z = -half with the radius about the z
// axis. Its meridian, r(z), is a triangle, so that everything follows from the plane of r and z.
#include "contact/shape_traits.h"

#include <math.h>

// About a point of the meridian, d off it.
static void about(double dr, double dz, double r, meridian *out)
{
    double d = hypot(dr, dz);
    *out = (meridian){.phi = d, .nr = dr / d, .nz = dz / d, .k_along = 1 / d};
    out->k_around = r > 0 ? out->nr / r : 1 / d;
}

static void cone_meridian(const contact_shape *s, double r, double z, meridian *out)
{
    double R = s->radius, h = s->half[2], slant = hypot(R, 2 * h);
    double nr = 2 * h / slant, nz = R / slant;           // out of the slope
    double off = (r - R) * nr + (z + h) * nz;            // from the slope
    double up = (R - r) * nz + (z + h) * nr, b = -h - z; // along it from the rim; below the base
    if (up >= slant && (r > 0 || z > h)) {               // before the tip
        about(r, z - h, 0, out);
        return;
    }
    if (up <= 0 && r > R) { // before the rim
        about(r - R, z + h, r, out);
        return;
    }
    bool slope = off > b;
    *out = (meridian){.phi = slope ? off : b, .nr = slope ? nr : 0, .nz = slope ? nz : -1};
    out->k_around = slope && r > 0 ? nr / r : 0;
}

static bool cone_support(const contact_shape *s, const double n[3], double side, double p[3],
                         double *radius)
{
    double h = s->half[2];
    bool tip = n[2] * h >= s->radius * side - n[2] * h;
    *radius = tip ? 0 : s->radius;
    if (!tip && side == 0)
        return false;
    p[0] = tip ? 0 : s->radius * n[0] / side;
    p[1] = tip ? 0 : s->radius * n[1] / side;
    p[2] = tip ? h : -h;
    return true;
}

static double cone_distance(const contact_shape *s, const double q[3], double n[3])
{
    meridian m;
    double r = hypot(q[0], q[1]);
    cone_meridian(s, r, q[2], &m);
    shape_revolve(q, r, m.nr, m.nz, n);
    return m.phi;
}

static void cone_hessian(const contact_shape *s, const double q[3], double D[9])
{
    meridian m;
    double r = hypot(q[0], q[1]), cosine = r > 0 ? q[0] / r : 1, sine = r > 0 ? q[1] / r : 0;
    cone_meridian(s, r, q[2], &m);
    shape_add_dyad(D, m.k_along, (double[]){-m.nz * cosine, -m.nz * sine, m.nr});
    shape_add_dyad(D, m.k_around, (double[]){-sine, cosine, 0});
}

static void cone_skin(const contact_shape *s, shape_skin *out)
{
    shape_rim_skin(s, 1, out);
}

const shape_traits shape_cone = {.distance = cone_distance,
                                 .hessian = cone_hessian,
                                 .skin = cone_skin,
                                 .nrim = 1,
                                 .meridian = cone_meridian,
                                 .support = cone_support};
