// A mesh as it was read: nodes, linear tetrahedra, surface triangles, named groups, and volumes of
// other shapes, which have no element yet. It does not change afterwards.
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include "base/arena.h"
#include "base/status.h"

#include <limits.h>

// Nodes, tetrahedra and triangles stay below this, so that a few times their number is still an
// int.
enum { MESH_MAX_COUNT = INT_MAX / 16 };

// Cells that are made where nobody has drawn them: more than that are a mistake of units.
enum { MESH_CELLS_MAX = 4000000 };

// Volumes other than linear tetrahedra. Their nodes stand in VTK's order, whatever the file's.
typedef enum mesh_kind {
    MESH_TET10,
    MESH_HEX8,
    MESH_HEX20,
    MESH_WEDGE6,
    MESH_PYRAMID5,
    MESH_NKIND,
} mesh_kind;

const char *mesh_kind_plural(mesh_kind kind); // "hexahedra"
int mesh_kind_width(mesh_kind kind);          // nodes of one

typedef struct mesh_cells {
    int n;
    int *node; // (n x mesh_kind_width)
} mesh_cells;

// A named part of the file: volumes (dim 3), surface triangles (dim 2), or nodes (dim 0).
typedef struct mesh_group {
    const char *name;
    int dim;
    int nmember;
    const int *member; // of the volumes (see mesh_volume), of tri or of the nodes, ascending
} mesh_group;

struct lithe_mesh {
    arena memory;
    int nnode;
    double *x; // (nnode x 3) in the file's unit
    int ntet;
    int *tet; // (ntet x 4), positively oriented: det[x1-x0, x2-x0, x3-x0] > 0
    int ntri;
    int *tri; // (ntri x 3), the surface cells of the file, as the file orients them
    mesh_cells other[MESH_NKIND];
    int ngroup;
    mesh_group *group;
    int nflipped; // tetrahedra that the file gave inside out
    int nslender; // nodes, the last ones, that belong to rods and shells and to no cell of the file
};

typedef struct lithe_mesh mesh;

// NULL if there is no such group of that dimension.
const mesh_group *mesh_find_group(const mesh *m, const char *name, int dim);

// The nodes of a volume, and how many. Tetrahedra come first, so that they keep their numbers; the
// others follow kind by kind.
const int *mesh_volume(const mesh *m, int volume, int *width);

// A kind other than linear tetrahedra that the mesh has; MESH_NKIND if it has none.
mesh_kind mesh_find_other(const mesh *m);

// The end of every reader: checks (indices, finite coordinates, at least one volume or triangle, no
// flat tetrahedron), turns tetrahedra, drops nothing. `path` is for messages.
lithe_status mesh_finish(mesh *m, const char *path, lithe_report *report);

#endif
