// Hexahedra where a bar has tetrahedra.
#ifndef TESTS_CELLS_H
#define TESTS_CELLS_H

#include "bar.h"
#include "mesh/mesh.h"

// The cells of a bar whole, in the place of the tetrahedra that fill them; of a hollow one, all but
// those inside. False: no memory.
static inline bool take_cells_whole(const bar *b, bool hollow, lithe_mesh *m)
{
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    mesh_cells *cells = &m->other[MESH_HEX8];
    int ncell = b->nx * b->ny * b->nz;
    m->ntet = 0;
    cells->node = arena_new(&m->memory, 8 * (size_t)ncell, int);
    for (int cell = 0; cells->node && cell < ncell; cell++) {
        int i = cell % b->nx, j = cell / b->nx % b->ny, k = cell / b->nx / b->ny;
        bool inside = i > 0 && i < b->nx - 1 && j > 0 && j < b->ny - 1 && k > 0 && k < b->nz - 1;
        if (hollow && inside)
            continue;
        for (int a = 0; a < 8; a++)
            cells->node[8 * cells->n + a] =
                bar_node(b, i + corner[a][0], j + corner[a][1], k + corner[a][2]);
        cells->n++;
    }
    return cells->node;
}

#endif
