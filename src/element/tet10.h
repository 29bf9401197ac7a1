// Quadratic tetrahedra, eight at a time: straight or curved, four points each. Nodes in VTK's
// order: corners, then the middles of the edges 01 12 20 03 13 23.
#ifndef ELEMENT_TET10_H
#define ELEMENT_TET10_H

#include "element/family.h"
#include "material/fit.h"

enum { TET10_NODES = 10, TET10_POINTS = 4 };

typedef struct tet10_batch {
    double gradient[TET10_POINTS * TET10_NODES * 3][LANES]; // 1/m
    double weight[TET10_POINTS][LANES];                     // m^3
    double excess[LANES]; // bulk modulus on the mean dilatation, Pa
    int node[TET10_NODES][LANES];
    double parameter[LAW_PARAMETERS][LANES];
} tet10_batch;

// The corners of edge i, whose middle is node 4 + i.
extern const int tet10_edge[6][2];

// Shape functions and their gradients at barycentric coordinates (1 - s - t - u, s, t, u).
void tet10_shape(double s, double t, double u, double N[TET10_NODES]);
void tet10_slope(double s, double t, double u, double dN[TET10_NODES][3]);

element_points tet10_points;
element_mass tet10_mass;

// For an instruction set (see element_best_variant); NULL if the processor cannot run it.
const element_kind *tet10_kind(law_kind law, int variant);

// A family of n elements (node: n x 10) at rest positions X of all nodes; stuff: the material of
// each, all of one law. bad: the element that is inside out somewhere where the status is
// LITHE_INVALID.
lithe_status tet10_family(element_family *f, int n, const int *node, const double *X,
                          const law_material *const *stuff, arena *memory, int *bad);

#endif
