// A grid of hexahedra in a closed surface: the cells whose centre it encloses.
//
// The grid spans the box around the surface, so that a box is filled exactly; elsewhere the cells
// make steps. Parts of the surface that overlap are one, and what is enclosed the other way round
// is a void.
#ifndef MESH_FILL_H
#define MESH_FILL_H

#include "mesh/mesh.h"

typedef struct fill_grid {
    double origin[3], cell[3];
    int n[3];
} fill_grid;

// Cells of about that edge, in the unit of the mesh; at most MESH_CELLS_MAX along each axis.
fill_grid fill_span(const lithe_mesh *surface, double edge);

// The surface is closed, and the grid has at most MESH_CELLS_MAX cells in all. Each of its parts
// hangs together through faces: ndropped cells, which would hang on an edge or a corner, are left
// out. The caller frees the mesh, which is without cells where none has its centre inside;
// LITHE_NO_MEMORY is the only failure.
lithe_status fill_create(const lithe_mesh *surface, const fill_grid *grid, lithe_mesh **out,
                         int *ndropped);

#endif
