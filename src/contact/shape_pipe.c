// Hollow and endless: solid is what lies outside of the radius about the z axis. It is not convex,
// but a vertex inside of it goes along a chord.
#include "contact/shape_traits.h"

#include <math.h>

static double pipe_distance(const contact_shape *s, const double q[3], double n[3])
{
    double r = hypot(q[0], q[1]);
    shape_revolve(q, r, -1, 0, n);
    return s->radius - r;
}

static void pipe_hessian(const contact_shape *s, const double q[3], double D[9])
{
    (void)s;
    shape_axis_hessian(q, -1, D);
}

// |q + t u|^2 = (radius - floor)^2, across the axis
static double pipe_stride(const contact_shape *s, const double q[3], const double u[3],
                          double floor)
{
    double a = u[0] * u[0] + u[1] * u[1], b = u[0] * q[0] + u[1] * q[1];
    double room = fmax(s->radius - floor, 0);
    double c = q[0] * q[0] + q[1] * q[1] - room * room;
    return a > 0 && c < 0 ? -c / (b + sqrt(b * b - a * c)) : a > 0 ? 0 : INFINITY;
}

const shape_traits shape_pipe = {.endless = true,
                                 .hollow = true,
                                 .distance = pipe_distance,
                                 .hessian = pipe_hessian,
                                 .stride = pipe_stride};
