// The boundary of a tetrahedral mesh, its connected pieces, and the closed cavities among them.
#ifndef MESH_SURFACE_H
#define MESH_SURFACE_H

#include "mesh/mesh.h"

typedef struct mesh_boundary {
    int ntri;
    int *tri;       // (ntri x 3), normals point out of the material; a piece is of one direction
    int *tet;       // (ntri) the tetrahedron behind each triangle
    int npiece;     // connected through shared edges
    int *piece;     // (ntri) which piece a triangle is of
    int ncavity;    // closed pieces that enclose a void
    int *cavity;    // (ncavity) their pieces, largest volume first
    double *volume; // (ncavity) enclosed volume, > 0, at x
} mesh_boundary;

// x: (nnode x 3), the placed rest positions. Everything is allocated in `memory`.
lithe_status mesh_find_boundary(const mesh *m, const double *x, arena *memory, mesh_boundary *out,
                                lithe_report *report);

// Faces of a positively oriented tetrahedron, normals outwards; face i lies opposite node 3 - i.
extern const int surface_face_node[4][3];

// neighbour (ntet x 4): the tetrahedron across each face, -1 at the boundary. folded (ntet): it
// lies on the same side of a face as its neighbour. LITHE_NO_MEMORY is the only failure.
lithe_status mesh_find_neighbours(const mesh *m, int *neighbour, bool *folded);

// How the triangles of the file (ntri) lie: as the boundary's, the other way round, between two
// tetrahedra, or where no tetrahedron has a face. LITHE_NO_MEMORY is the only failure.
enum { SURFACE_OUTWARD, SURFACE_INWARD, SURFACE_INSIDE, SURFACE_STRAY };
lithe_status surface_compare(const mesh *m, const mesh_boundary *boundary, int *way);

// True if every edge is used exactly twice, in opposite directions. If not, edge gets the nodes of
// one offending edge. LITHE_NO_MEMORY is the only failure.
lithe_status surface_is_closed(int ntri, const int *tri, bool *closed, int edge[2]);

// Volume enclosed by a closed surface; positive when its normals point outwards.
double surface_volume(int ntri, const int *tri, const double *x);

// Does a closed surface enclose the point? (winding number; a point on the surface may count either
// way)
bool surface_encloses(int ntri, const int *tri, const double *x, const double point[3]);

#endif
