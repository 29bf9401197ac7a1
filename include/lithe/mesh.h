// What is in a mesh, and what may be wrong with it though it can be computed with: bad shapes,
// nodes at one position, loose parts, folds, surfaces of the file that fit nowhere, walls of one
// element. A robot needs none of this; who makes meshes does.
#ifndef LITHE_MESH_H
#define LITHE_MESH_H

#include "lithe/lithe.h"

#ifdef __cplusplus
extern "C" {
#endif

// The mesh that a body, or a member, of this definition has when it gives none of its own: that of
// its file, or its solid or surface, filled. NULL where there is neither. The caller frees it.
LITHE_API lithe_status lithe_body_mesh(const lithe_body_def *body, lithe_mesh **mesh,
                                       lithe_report *report);

// Arrays live as long as the mesh.
typedef struct lithe_mesh_info {
    int nnode;
    const double *x; // (nnode x 3) in the file's unit
    int ntri;
    const int *tri; // (ntri x 3) triangles of the file, as it orients them
    int ngroup;     // names in the file
} lithe_mesh_info;

LITHE_API lithe_mesh_info lithe_mesh_get(const lithe_mesh *mesh);
LITHE_API const char *lithe_mesh_group(const lithe_mesh *mesh, int group); // NULL: there is none

// The plural of volumes that no body has ("wedges"), or that stand beside others; NULL: there are
// none. mixed: it is the latter.
LITHE_API const char *lithe_mesh_odd(const lithe_mesh *mesh, bool *mixed);

// Whether the triangles of the file close: every edge lies between two that agree about what is
// outside. If not, edge gets the nodes of one that does not. volume: that they enclose, in the
// file's unit. LITHE_NO_MEMORY is the only failure.
LITHE_API lithe_status lithe_mesh_closed(const lithe_mesh *mesh, bool *closed, int edge[2],
                                         double *volume);

// What is doubtful of an element, a node or a triangle of the file; or-ed.
enum {
    LITHE_MESH_SLIVER = 1,      // an element of a quality below LITHE_MESH_SLIVER_QUALITY
    LITHE_MESH_LOOSE = 2,       // an element that shares no node with the largest part
    LITHE_MESH_FOLD = 4,        // an element on the same side of a face as its neighbour
    LITHE_MESH_THIN = 8,        // an element in a wall of one
    LITHE_MESH_COINCIDENT = 16, // a node where another one is
    LITHE_MESH_ORPHAN = 32,     // a node of no element
    LITHE_MESH_STRAY = 64,      // a triangle that is no face of an element
};
#define LITHE_MESH_SLIVER_QUALITY 0.1
enum { LITHE_MESH_BINS = 10 };

// From each boundary triangle straight into the material, to where it ends on an opposite side.
typedef struct lithe_walls {
    double area[3];     // of walls one, two, and three or more elements thick
    double thinnest[3]; // of the same, INFINITY where there is none
    int node[2];        // on both sides of the thinnest wall of one element; -1: there is none
} lithe_walls;

typedef struct lithe_mesh_check {
    int nnode, ncell, ntri;
    const double *x;           // where nodes were looked at (nnode x 3)
    bool linear;               // all cells are linear tetrahedra
    const unsigned char *cell; // as VTK numbers cells (ncell)
    const int *cell_start;     // first node of every cell (ncell + 1)
    const int *cell_node;
    const int *tri;          // of the file (ntri x 3)
    const double *quality;   // (ncell) 1: regular, 0: flat; a hexahedron has that of its worst part
    const int *cell_problem; // (ncell)
    const int *node_problem; // (nnode)
    const int *tri_problem;  // (ntri)
    const int *twin;         // (nnode) the first node at the same position, itself if there is none
    int histogram[LITHE_MESH_BINS]; // elements by quality: [0, 0.1), [0.1, 0.2), …
    double edge[3];                 // shortest, median, longest
    int nsliver, nloose, nfold, ncoincident, norphan, nstray;
    int npart;   // of elements that hang together through nodes
    int ninward; // triangles of the file that look into the material
    lithe_walls walls;
    int nboundary, npiece; // triangles of the boundary, and its connected pieces
    double volume;         // of the material
    int ncavity;
    const double *cavity_volume; // (ncavity) largest first
} lithe_mesh_check;

// Looks at a mesh of volumes, with its nodes at x (nnode x 3; NULL: where the file has them), both
// of which must outlive what is found. Cells are those that bodies of such elements have, without
// the nodes that LITHE_TET10 adds. A surface has no cells, and nothing else is found of it.
LITHE_API lithe_status lithe_mesh_examine(const lithe_mesh *mesh, lithe_element element,
                                          const double *x, lithe_mesh_check **check,
                                          lithe_report *report);
LITHE_API void lithe_mesh_check_free(lithe_mesh_check *check);

#ifdef __cplusplus
}
#endif

#endif
