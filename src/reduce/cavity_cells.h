// What a cavity's volume is a sum of, so that a few can stand for all: each triangle of its wall
// with a point inside, which nodes near it on the centre line share. Where the nodes of a triangle
// have different points, what is between these belongs to it too. Cells are the same however the
// robot moves and rotates, and in a beam space a few frames carry each of them.
//
// Nodes' points are a map of the wall onto a few points; the volume between a triangle and its
// image is up to three tetrahedra [hatcher2002, the prism operator], and the volume of all images
// is the rest. See docs/theory/reduction.md.
#ifndef REDUCE_CAVITY_CELLS_H
#define REDUCE_CAVITY_CELLS_H

#include "body/beam_space.h"
#include "row/row.h"

typedef struct cavity_cells {
    const face_set *face; // triangles alone
    int *label;           // of every node of the body: its point; -1: not of the wall (nnode)
    int npoint;
    int *first; // the point of reference in each one's part of the wall (npoint)
    int *adr;   // whose nodes each point is the mean of (npoint + 1)
    int *node;  // (adr[npoint])
} cavity_cells;

// A tetrahedron over a point: corners are nodes, or, below 0, ~point.
typedef struct cell_tet {
    int base, corner[3];
    double sign; // volume = sign det(corners - base) / 6
} cell_tet;

enum { CELL_TETS = 4 }; // most of one triangle

// LITHE_NO_MEMORY, nothing said.
lithe_status cells_open(const row_shell *shell, const body *b, const beam_map *m, arena *memory,
                        cavity_cells *out);

// Of a triangle; returns how many there are.
int cells_of(const cavity_cells *c, int triangle, cell_tet out[CELL_TETS]);

#endif
