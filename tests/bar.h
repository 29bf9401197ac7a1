// A bar of Kuhn tetrahedra, the small robot of many tests: cells are cut into six around their
// (0,0,0)-(1,1,1) diagonal.
#ifndef TESTS_BAR_H
#define TESTS_BAR_H

#include "lithe/lithe.h"

#include <stdlib.h>

typedef struct bar {
    int nx, ny, nz; // cells
    int nnode, ntet;
    double *x; // (nnode x 3) m
    int *tet;  // (ntet x 4)
} bar;

static inline int bar_node(const bar *b, int i, int j, int k)
{
    return (k * (b->ny + 1) + j) * (b->nx + 1) + i;
}

// A box from `lower` to `upper`, in nx x ny x nz cells.
static inline bar bar_make(int nx, int ny, int nz, const double lower[3], const double upper[3])
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    bar b = {nx, ny, nz, (nx + 1) * (ny + 1) * (nz + 1), 0, NULL, NULL};
    b.x = malloc(3 * (size_t)b.nnode * sizeof *b.x);
    b.tet = malloc(24 * (size_t)(nx * ny * nz) * sizeof *b.tet);
    int n[3] = {nx, ny, nz};
    for (int k = 0; k <= nz; k++)
        for (int j = 0; j <= ny; j++)
            for (int i = 0; i <= nx; i++) {
                int at[3] = {i, j, k};
                for (int axis = 0; axis < 3; axis++)
                    b.x[3 * bar_node(&b, i, j, k) + axis] =
                        lower[axis] + (upper[axis] - lower[axis]) * at[axis] / n[axis];
            }
    for (int cell = 0; cell < nx * ny * nz; cell++)
        for (int p = 0; p < 6; p++) { // from the near corner along the three axes in each order
            int at[3] = {cell % nx, cell / nx % ny, cell / nx / ny};
            int *tet = &b.tet[4 * b.ntet++];
            tet[0] = bar_node(&b, at[0], at[1], at[2]);
            for (int a = 0; a < 3; a++) {
                at[order[p][a]]++;
                tet[a + 1] = bar_node(&b, at[0], at[1], at[2]);
            }
        }
    return b;
}

// Takes the cells out that are not in the outermost layer: a closed cavity.
static inline void bar_hollow(bar *b)
{
    int kept = 0;
    for (int t = 0; t < b->ntet; t++) {
        int cell = t / 6, i = cell % b->nx, j = cell / b->nx % b->ny, k = cell / b->nx / b->ny;
        bool inner = i > 0 && i < b->nx - 1 && j > 0 && j < b->ny - 1 && k > 0 && k < b->nz - 1;
        for (int a = 0; a < 4 && !inner; a++)
            b->tet[4 * kept + a] = b->tet[4 * t + a];
        kept += !inner;
    }
    b->ntet = kept;
}

// Of an actuator that has one row.
static inline double bar_effort(const lithe_model *model, const lithe_state *state, int actuator)
{
    double effort;
    lithe_effort(model, state, actuator, &effort);
    return effort;
}

static inline double bar_displacement(const lithe_model *model, const lithe_state *state,
                                      int actuator)
{
    double displacement;
    lithe_displacement(model, state, actuator, &displacement);
    return displacement;
}

static inline void bar_free(bar *b)
{
    free(b->x);
    free(b->tet);
}

#endif
