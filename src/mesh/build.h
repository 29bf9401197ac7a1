// Collects nodes, cells and groups while a reader walks a file, then moves them into the mesh.
#ifndef MESH_BUILD_H
#define MESH_BUILD_H

#include "mesh/list.h"
#include "mesh/mesh.h"

#include <stdint.h>

// How a face with nodes on its sides is cut into triangles.
typedef struct build_cut {
    int n;
    unsigned char tri[8][3];
} build_cut;

extern const build_cut build_cut_tri6, build_cut_quad8, build_cut_quad9;

// What becomes of a volume: NONE is refused, all from KIND on are kept as a mesh_kind.
enum { BUILD_NONE, BUILD_TET4, BUILD_KIND };

// What a file calls a cell: Gmsh's and VTK's types are mapped to these.
typedef struct build_shape {
    const char *plural;         // for messages
    int dim;                    // 0: points, 1: lines, 2: faces, 3: volumes
    int nnode;                  // 0: any number
    bool linear;                // no nodes but the corners
    int volume;                 // BUILD_TET4, or BUILD_KIND + its mesh_kind
    const unsigned char *order; // the mesh's i-th node is the file's order[i]-th; NULL: the i-th
    const build_cut *cut;       // of a face that is not linear; NULL: refused
} build_shape;

// What a cell became: volumes of one list (dim 3) or triangles (dim 2) from `first` on; points and
// lines become nothing, but their nodes may form a group (dim 0).
typedef struct build_span {
    int dim;
    int list; // of volumes: 0 for tetrahedra, 1 + mesh_kind
    int first;
    int count;
} build_span;

typedef struct build {
    mesh *m;
    const char *path;
    lithe_report *report;
    list volume[1 + MESH_NKIND]; // tetrahedra, then the others
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

// Volumes are kept, faces are cut into triangles, points and lines become nothing; shapes that the
// mesh has no place for are counted and refused by build_end. The caller has checked the number of
// nodes and their range.
lithe_status build_cell(build *b, const build_shape *shape, const int *node, int nnode,
                        build_span *span);

// A group of volumes, triangles or nodes (dim 3, 2, or 0; 1 counts as 0). Without a name it is
// called after its tag. Groups of the same name and dimension become one in the end.
lithe_status build_group(build *b, int dim, const char *name, int tag, int *id);

// Puts what a cell became, or its nodes, into a group.
lithe_status build_mark(build *b, int group, const build_span *span, const int *node, int nnode);

// Cells with the same nodes in the same order become one, which is in the groups of all: formats
// with one group a cell repeat the cell for each of its groups.
lithe_status build_merge_repeats(build *b);

// Moves everything into the mesh and calls mesh_finish.
lithe_status build_end(build *b);

#endif
