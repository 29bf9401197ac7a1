// Meshes of unit cubes on a grid, each cut into six tetrahedra; cubes may be left out to make
// voids.
#ifndef TESTS_MESH_VOXELS_H
#define TESTS_MESH_VOXELS_H

#include "mesh/mesh.h"

#include <stdlib.h>

static inline int voxel_node(const int n[3], int i, int j, int k)
{
    return i + (n[0] + 1) * (j + (n[1] + 1) * k);
}

// Kuhn's cut: along each order of the axes a path from the lowest to the highest corner.
static inline int voxel_tets(const int n[3], int i, int j, int k, int *tet)
{
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                    {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int t = 0; t < 6; t++) {
        int at[3] = {i, j, k};
        int *node = tet + 4 * t;
        node[0] = voxel_node(n, i, j, k);
        for (int s = 0; s < 3; s++) {
            at[order[t][s]]++;
            node[s + 1] = voxel_node(n, at[0], at[1], at[2]);
        }
    }
    return 6;
}

// filled: one character a cube, x fastest; '#' is material. All nodes of the grid are kept. Half of
// the tetrahedra are given inside out.
static inline lithe_mesh *voxel_mesh(int nx, int ny, int nz, const char *filled,
                                     lithe_report *report)
{
    const int n[3] = {nx, ny, nz};
    int nnode = (nx + 1) * (ny + 1) * (nz + 1);
    double *x = malloc((size_t)nnode * 3 * sizeof *x);
    int *tet = malloc((size_t)nx * ny * nz * 24 * sizeof *tet);
    int ntet = 0;
    lithe_mesh *m = NULL;
    for (int i = 0; i < nnode; i++) {
        x[3 * i] = i % (nx + 1);
        x[3 * i + 1] = i / (nx + 1) % (ny + 1);
        x[3 * i + 2] = i / ((nx + 1) * (ny + 1));
    }
    for (int c = 0; c < nx * ny * nz; c++)
        if (filled[c] == '#')
            ntet += voxel_tets(n, c % nx, c / nx % ny, c / (nx * ny), tet + 4 * ntet);
    lithe_mesh_create(nnode, x, ntet, tet, &m, report);
    free(x);
    free(tet);
    return m;
}

#endif
