// Fast motion: the first touch on the way of a point. A step as long as the distance to the surface
// cannot pass through it.
#include "contact/find.h"

#include "base/vec.h"

#include <math.h>

enum { SWEEP_STEPS = 64 };

static void along(const double start[3], const double end[3], double t, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = start[i] + t * (end[i] - start[i]);
}

bool sweep_shape(const contact_shape *s, const contact_frame *at, const double start[3],
                 const double end[3], double hit[3], double normal[3])
{
    double length = vec_distance(start, end), t = 0, way[3];
    double distance = shape_distance(s, at, start, normal), near = 1e-9 * length;
    if (distance <= 0)
        return false; // it has been inside before: what pushes it out is the nearest way
    for (int k = 0; k < SWEEP_STEPS && distance > near; k++) {
        t += distance / length;
        if (!(t < 1))
            return false;
        along(start, end, t, hit);
        distance = shape_distance(s, at, hit, normal);
    }
    vec_sub(way, end, start);
    along(start, end, t, hit);
    return vec_dot(way, normal) < 0;
}

bool sweep_skin(const contact_skin *s, const skin_pose *p, const double start[3],
                const double end[3], skin_point *hit)
{
    double length = vec_distance(start, end), t = 0, at[3], way[3];
    *hit = skin_nearest(s, p, start, length);
    if (hit->tri < 0 || hit->distance <= 0)
        return false;
    for (int k = 0; k < SWEEP_STEPS && hit->distance > 1e-9 * length; k++) {
        t += hit->distance / length;
        if (!(t < 1))
            return false;
        along(start, end, t, at);
        *hit = skin_nearest(s, p, at, length);
    }
    vec_sub(way, end, start);
    return vec_dot(way, hit->normal) < 0;
}
