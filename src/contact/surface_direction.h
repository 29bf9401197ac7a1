// A direction that a surface carries along as it moves and deforms, such as the one in which a sole
// slides easily: of every vertex a sum of vertices whose weights add up to 0, that is a vector
// between points of the material.
#ifndef CONTACT_SURFACE_DIRECTION_H
#define CONTACT_SURFACE_DIRECTION_H

#include "contact/contact_surface.h"

typedef struct surface_direction {
    int vertex[SURFACE_POINTS]; // of the surface
    double weight[SURFACE_POINTS];
} surface_direction;

// out: of every vertex (nvertex), from a direction at rest. A vertex has that of the triangle
// beside it in which the direction lies best; of what rolls all have that of the body. *bad: a
// vertex where it lies in no triangle, -1: it has one everywhere. LITHE_NO_MEMORY is the only
// failure.
lithe_status surface_direction_build(const contact_surface *s, const double direction[3],
                                     arena *memory, surface_direction **out, int *bad);

// x: of the surface's vertices. Its length is about what it was at rest.
void surface_direction_at(const surface_direction *d, const double *x, double out[3]);

// What lies of a direction in the plane of a normal, of length 1. False: it stands across it.
bool surface_direction_in(const double normal[3], double direction[3]);

#endif
