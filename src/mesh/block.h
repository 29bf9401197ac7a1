// Solid boxes, balls and cylinders of hexahedra.
//
// All are a lattice of cells; round ones have layers of cells around it, which lead from its sides
// to the true surface. Nodes of the surface lie on it, and faces are flat or nearly so: a round one
// is a little smaller than it is said to be.
#ifndef MESH_BLOCK_H
#define MESH_BLOCK_H

#include "mesh/mesh.h"

// Edge that makes about a thousand hexahedra, m.
double block_edge(lithe_solid kind, const double size[3]);

// How many hexahedra there would be.
double block_cells(lithe_solid kind, const double size[3], double edge);

// Centred at 0, cylinders along z; size as in lithe_body_def; edge: about that of cells, which are
// at most MESH_CELLS_MAX. The caller frees the mesh; LITHE_NO_MEMORY is the only failure.
lithe_status block_create(lithe_solid kind, const double size[3], double edge, lithe_mesh **out);

#endif
