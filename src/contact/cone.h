// A cone with a flat base: the tip at z = half, the base at z = -half with the radius about the z
// axis. Its meridian, r(z), is a triangle, so that everything follows from the plane of r and z.
#ifndef CONTACT_CONE_H
#define CONTACT_CONE_H

#include "contact/shape.h"

#include <stdbool.h>

// The signed distance phi at a point of the half-plane (r >= 0, z), its gradient there, and how it
// curves along the meridian and around the axis.
typedef struct meridian {
    double phi, nr, nz, k_along, k_around;
} meridian;

void cone_meridian(const contact_shape *s, double r, double z, meridian *out);

// The point that goes farthest along n, of length 1 with the part `side` across the axis; radius:
// of the circle that it lies on, 0: the tip. False: all of the base goes as far.
bool cone_support(const contact_shape *s, const double n[3], double side, double p[3],
                  double *radius);

#endif
