// Closed surfaces of triangles around simple shapes, centred at 0, normals outwards.
#ifndef MESH_PRIMITIVE_H
#define MESH_PRIMITIVE_H

#include "mesh/mesh.h"

// Corners of a circle: of balls and capsules, which are so only to be seen, and of cylinders.
enum { PRIMITIVE_AROUND = 24, PRIMITIVE_RIM = 96 };

// Cylinders and capsules are along z; the length of a capsule is without its round ends. The caller
// frees the mesh; LITHE_NO_MEMORY is the only failure.
lithe_status primitive_box(const double size[3], lithe_mesh **out);
lithe_status primitive_ball(double radius, lithe_mesh **out);
lithe_status primitive_cylinder(double radius, double length, lithe_mesh **out);
lithe_status primitive_capsule(double radius, double length, lithe_mesh **out);

#endif
