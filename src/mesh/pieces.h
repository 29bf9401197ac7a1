// The connected pieces of a boundary, and those that enclose a void.
//
// Where more than two triangles meet at an edge (two cavities meeting along it, two parts of the
// body meeting along it) they are joined in pairs across the void between them, so that a piece is
// what one void sees: cavities that meet stay apart, as their gas does.
#ifndef MESH_PIECES_H
#define MESH_PIECES_H

#include "mesh/surface.h"

// Fill piece and npiece, then cavity, ncavity and volume. nflipped: triangles that were flipped
// to agree with their piece, 0 unless tetrahedra overlap. LITHE_NO_MEMORY is the only failure.
lithe_status pieces_find(const double *x, arena *memory, mesh_boundary *b, int *nflipped);
lithe_status pieces_find_cavities(const double *x, arena *memory, mesh_boundary *b);

#endif
