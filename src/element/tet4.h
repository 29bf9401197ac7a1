// Linear tetrahedra, eight at a time: F is constant in each, F = [x1-x0, x2-x0, x3-x0] Dm^-1.
#ifndef ELEMENT_TET4_H
#define ELEMENT_TET4_H

#include "element/family.h"
#include "material/fit.h"

// Eight elements, lane by lane. Lanes past the last element repeat it with no volume.
typedef struct tet4_batch {
    double gradient[9][LANES]; // Dm^-1: row a - 1 is the gradient of node a's shape function, 1/m
    double volume[LANES];      // m^3
    int node[4][LANES];
    double parameter[][LANES]; // of the law, as many as it has: material/kind.h
} tet4_batch;

// A law, for an instruction set (see element_best_variant); NULL if the processor cannot run it.
const element_kind *tet4_kind(law_kind law, int variant);

element_points tet4_points;
element_mass tet4_mass;

// Fills lane `lane` of a batch; X: the four rest positions. False if the element is flat or inside
// out.
bool tet4_prepare(tet4_batch *batch, int lane, const int node[4], const double *const X[4],
                  const law_material *stuff);

// A family of n tetrahedra (node: n x 4) at rest positions X of all nodes; stuff: the material of
// each, all of one law. bad: the tetrahedron that has no volume where the status is LITHE_INVALID.
lithe_status tet4_family(element_family *f, int n, const int *node, const double *X,
                         const law_material *const *stuff, arena *memory, int *bad);

#endif
