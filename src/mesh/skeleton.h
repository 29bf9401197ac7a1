// Linear tetrahedra that fill the same space as a mesh of any volumes, on the same nodes: for all
// that asks where things are (boundary, cavities, selections, points). Elements are the cells.
#ifndef MESH_SKELETON_H
#define MESH_SKELETON_H

#include "mesh/mesh.h"

typedef enum skeleton_cell {
    SKELETON_TET4,
    SKELETON_TET10,
    SKELETON_HEX8,
    SKELETON_NCELL
} skeleton_cell;

typedef struct mesh_skeleton {
    const lithe_mesh *mesh; // of tetrahedra alone
    lithe_mesh *own;        // the same where it had to be made, NULL where the mesh is its own
    int ncell;
    const int *cell_of; // the cell of every tetrahedron (ntet); NULL: its own number
    arena memory;
    unsigned char *kind; // skeleton_cell (ncell)
    int *cell_adr;       // first node of every cell (ncell + 1)
    int *cell_node;
} mesh_skeleton;

// Which kinds of cells a body wants.
typedef enum skeleton_wish {
    SKELETON_AS_IT_IS,
    SKELETON_LINEAR,    // tet4: every volume as its tetrahedra
    SKELETON_QUADRATIC, // tet10: tetrahedra get nodes in the middle of their edges, where the file
                        // has none
} skeleton_wish;

// The mesh lives at least as long as the skeleton. Volumes that have no element are refused by the
// caller beforehand. LITHE_NO_MEMORY is the only failure.
lithe_status skeleton_create(const lithe_mesh *m, skeleton_wish wish, mesh_skeleton *out);
void skeleton_free(mesh_skeleton *s);

int skeleton_width(skeleton_cell kind);

// The six tetrahedra of a hexahedron, whose neighbours are cut to match.
void skeleton_cut_hex(const int node[8], int tet[24]);

static inline int skeleton_cell_of(const mesh_skeleton *s, int tet)
{
    return s->cell_of ? s->cell_of[tet] : tet;
}

#endif
