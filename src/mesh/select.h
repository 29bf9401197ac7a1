// Which nodes, boundary triangles or tetrahedra a selection means. Positions are the placed ones,
// in metres.
#ifndef MESH_SELECT_H
#define MESH_SELECT_H

#include "mesh/skeleton.h"
#include "mesh/surface.h"

// Each writes ascending indices into `out` (room for all of them) and returns how many. An unknown
// group gives -1. A node group of the file, a triangle group and a tetrahedron group all serve to
// select nodes.
int select_nodes(const mesh *m, const double *x, const lithe_selection *where, int *out);

// Boundary triangles all of whose nodes are inside; a triangle group selects those boundary
// triangles that it holds.
int select_triangles(const mesh *m, const mesh_boundary *boundary, const double *x,
                     const lithe_selection *where, int *out);

// Cells of the skeleton the mean of whose nodes is inside; a group of volumes selects itself.
int select_cells(const mesh_skeleton *s, const double *x, const lithe_selection *where, int *out);

#endif
