// Normals of the curved surface that flat triangles stand for.
#ifndef MESH_NORMAL_H
#define MESH_NORMAL_H

#include "lithe/lithe.h"

// Triangles that meet at a larger angle make an edge, as the sides of a box do.
#define NORMAL_CREASE 20.0 // deg

// normal (ntri x 3 x 3): at the corners of every triangle, of length 1, to the side that the
// triangle looks to. x: (n x 3). LITHE_NO_MEMORY is the only failure.
lithe_status normals_find(int ntri, const int *tri, const double *x, double *normal);

#endif
