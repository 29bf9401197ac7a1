// A mesh as it was read: nodes, linear tetrahedra, surface triangles, named groups. It does not
// change afterwards.
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include "base/arena.h"
#include "base/status.h"

#include <limits.h>

// Nodes, tetrahedra and triangles stay below this, so that a few times their number is still an
// int.
enum { MESH_MAX_COUNT = INT_MAX / 16 };

// A named part of the file: tetrahedra (dim 3), surface triangles (dim 2), or nodes (dim 0).
typedef struct mesh_group {
    const char *name;
    int dim;
    int nmember;
    const int *member; // indices into tet, tri or the nodes, ascending
} mesh_group;

struct lithe_mesh {
    arena memory;
    int nnode;
    double *x; // (nnode x 3) in the file's unit
    int ntet;
    int *tet; // (ntet x 4), positively oriented: det[x1-x0, x2-x0, x3-x0] > 0
    int ntri;
    int *tri; // (ntri x 3), the surface cells of the file, as the file orients them
    int ngroup;
    mesh_group *group;
    int nturned; // tetrahedra that the file gave inside out
};

typedef struct lithe_mesh mesh;

// NULL if there is no such group of that dimension.
const mesh_group *mesh_find_group(const mesh *m, const char *name, int dim);

// The end of every reader: checks (indices, finite coordinates, at least one cell, no flat
// tetrahedron, tetrahedra unless surface_allowed), turns tetrahedra, drops nothing. `path` is for
// messages.
lithe_status mesh_finish(mesh *m, const char *path, bool surface_allowed, lithe_report *report);

#endif
