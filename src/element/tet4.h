// Linear tetrahedra, eight at a time: F is constant in each, F = [x1-x0, x2-x0, x3-x0] Dm^-1.
#ifndef ELEMENT_TET4_H
#define ELEMENT_TET4_H

#include "element/family.h"

// Eight elements, lane by lane. Lanes past the last element repeat it with no volume.
typedef struct tet4_batch {
    double gradient[9][LANES]; // Dm^-1: row a - 1 is the gradient of node a's shape function, 1/m
    double volume[LANES];      // m^3
    double mu[LANES];          // Pa
    double lambda[LANES];      // Pa
    int node[4][LANES];
} tet4_batch;

// The corotational law, for an instruction set (see element_best_variant); NULL if the processor
// cannot run it.
const element_kind *tet4_corotational(int variant);

// Fills lane `lane` of a batch; X: the four rest positions. False if the element is flat or inside
// out.
bool tet4_prepare(tet4_batch *batch, int lane, const int node[4], const double *const X[4],
                  double young, double poisson);

// A family of n tetrahedra (node: n x 4) at rest positions X of all nodes, with a material each.
// bad: the tetrahedron that has no volume where the status is LITHE_INVALID.
lithe_status tet4_family(element_family *f, int n, const int *node, const double *X,
                         const element_material *material, arena *memory, int *bad);

#endif
