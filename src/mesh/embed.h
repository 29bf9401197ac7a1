// A material point carried by a tetrahedron: p = sum w_i x_i with sum w_i = 1.
#ifndef MESH_EMBED_H
#define MESH_EMBED_H

#include "mesh/mesh.h"

typedef struct mesh_point {
    int node[4];
    double weight[4]; // barycentric; outside [0, 1] when the point lies outside its tetrahedron
    double outside;   // distance to the tetrahedron, m; 0 if inside
} mesh_point;

// The tetrahedron that holds the point, or else the nearest one, extrapolated so that the point is
// exactly where it was put. x: (nnode x 3) placed rest positions. Cannot fail on a mesh that has a
// tetrahedron.
void embed_point(const mesh *m, const double *x, const double point[3], mesh_point *out);

#endif
