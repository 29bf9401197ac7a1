// What may be wrong with a mesh that can be computed with: bad shapes, nodes at one position, loose
// parts, folds, surfaces of the file that fit nowhere, walls of one element.
#ifndef MESH_CARE_H
#define MESH_CARE_H

#include "mesh/skeleton.h"
#include "mesh/surface.h"

// Of an element, a node or a triangle of the file; or-ed.
enum {
    CARE_SLIVER = 1,      // an element of a quality below CARE_SLIVER_QUALITY
    CARE_LOOSE = 2,       // an element that shares no node with the largest part
    CARE_FOLD = 4,        // an element on the same side of a face as its neighbour
    CARE_THIN = 8,        // an element in a wall of one
    CARE_COINCIDENT = 16, // a node where another one is
    CARE_ORPHAN = 32,     // a node of no element
    CARE_STRAY = 64,      // a triangle that is no face of an element
};

#define CARE_SLIVER_QUALITY 0.1

// Nodes closer than this share of the mesh's extent are at one position.
#define CARE_SAME_POSITION 1e-6

enum { CARE_NBIN = 10 };

// From each boundary triangle straight into the material, to where it ends on an opposite side.
typedef struct care_walls {
    double area[3];     // of walls one, two, and three or more elements thick; m^2 at x in metres
    double thinnest[3]; // of the same, INFINITY where there is none
    int node[2];        // on both sides of the thinnest wall of one element; -1: there is none
} care_walls;

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
