// What may be wrong with a mesh that can be computed with: bad shapes, nodes at one position, loose
// parts, folds, surfaces of the file that fit nowhere, walls of one element.
#ifndef MESH_CARE_H
#define MESH_CARE_H

#include "lithe/mesh.h"
#include "mesh/skeleton.h"
#include "mesh/surface.h"

// Of an element, a node or a triangle of the file; or-ed.
enum {
    CARE_SLIVER = LITHE_MESH_SLIVER,
    CARE_LOOSE = LITHE_MESH_LOOSE,
    CARE_FOLD = LITHE_MESH_FOLD,
    CARE_THIN = LITHE_MESH_THIN,
    CARE_COINCIDENT = LITHE_MESH_COINCIDENT,
    CARE_ORPHAN = LITHE_MESH_ORPHAN,
    CARE_STRAY = LITHE_MESH_STRAY,
};

#define CARE_SLIVER_QUALITY LITHE_MESH_SLIVER_QUALITY

enum { CARE_NBIN = LITHE_MESH_BINS };

typedef lithe_walls care_walls;

typedef struct mesh_care {
    double *quality;   // (ncell) 1: regular, 0: flat; a hexahedron has that of its worst part
    int *cell_problem; // (ncell)
    int *node_problem; // (nnode)
    int *tri_problem;  // (ntri)
    int *twin;         // (nnode) the first node at the same position, itself if there is none
    int histogram[CARE_NBIN]; // elements by quality: [0, 0.1), [0.1, 0.2), ...
    double edge[3];           // shortest, median, longest
    int nsliver, nloose, nfold, ncoincident, norphan, nstray;
    int npart;   // of elements that hang together through nodes
    int ninward; // triangles of the file that look into the material
    care_walls walls;
} mesh_care;

// x: (nnode x 3), and the boundary of the skeleton's mesh. Everything is allocated in `memory`.
// There must be a cell. LITHE_NO_MEMORY is the only failure.
lithe_status mesh_examine(const mesh_skeleton *s, const double *x, const mesh_boundary *boundary,
                          arena *memory, mesh_care *care);

// 6 sqrt(2) V / (root mean square edge)^3
double care_quality(const double *x, const int tet[4]);

// Fills care->walls, and marks thin elements. neighbour: see mesh_find_neighbours.
lithe_status care_find_walls(const mesh_skeleton *s, const double *x, const mesh_boundary *boundary,
                             const int *neighbour, mesh_care *care);

#endif
