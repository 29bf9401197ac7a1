// Collects nodes, cells and groups while a reader walks a file, then moves them into the mesh.
#ifndef MESH_BUILD_H
#define MESH_BUILD_H

#include "mesh/list.h"
#include "mesh/mesh.h"

#include <stdint.h>

// What a file calls a cell: Gmsh's and VTK's types are mapped to these.
typedef struct build_shape {
    const char *plural; // for messages
    int dim;            // 0: points, 1: lines, 2: faces, 3: volumes
    int nnode;          // 0: any number
    bool linear;        // no nodes but the corners
} build_shape;

// What a cell became: tetrahedra (dim 3) or triangles (dim 2) from `first` on; points and lines
// become nothing, but their nodes may form a group (dim 0).
typedef struct build_span {
    int dim;
    int first;
    int count;
} build_span;

typedef struct build {
    mesh *m;
    const char *path;
    lithe_report *report;
    list tet;
    list tri;
    list group;
    list mark;
    const build_shape *refused; // the first shape that has no element
    int64_t nrefused;           // how many of that shape
} build;

build build_start(mesh *m, const char *path, lithe_report *report);
void build_free(build *b);

// Makes room for n nodes in the mesh.
lithe_status build_nodes(build *b, int64_t n);

// Tetrahedra are kept, faces are cut into triangles, points and lines become nothing; other shapes
// are counted and refused by build_end. The caller has checked the number of nodes and their range.
lithe_status build_cell(build *b, const build_shape *shape, const int *node, int nnode,
                        build_span *span);

// A group of tetrahedra, triangles or nodes (dim 3, 2, or 0; 1 counts as 0). Without a name it is
// called after its tag. Groups of the same name and dimension become one in the end.
lithe_status build_group(build *b, int dim, const char *name, int tag, int *id);

// Puts what a cell became, or its nodes, into a group.
lithe_status build_mark(build *b, int group, const build_span *span, const int *node, int nnode);

// Cells with the same nodes in the same order become one, which is in the groups of all: formats
// with one group a cell repeat the cell for each of its groups.
lithe_status build_merge_repeats(build *b);

// Moves everything into the mesh and calls mesh_finish.
lithe_status build_end(build *b, bool surface_allowed);

#endif
