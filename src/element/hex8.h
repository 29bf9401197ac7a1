// Hexahedra of eight nodes, eight at a time. The law sees the mean deformation gradient; what the
// mean does not see (bending, twisting, warping inside an element) has an energy of its own, that
// of thin plates, which neither locks in shear nor in volume. See docs/theory/hex8.md.
//
// Nodes in VTK's order: 0 1 2 3 around the bottom, 4 5 6 7 above them.
#ifndef ELEMENT_HEX8_H
#define ELEMENT_HEX8_H

#include "element/family.h"
#include "material/fit.h"

enum { HEX8_NODES = 8 };

// Group k = 0, 1, 2 holds the strains that grow along the k-th direction of the element. In its
// plane (e_1, e_2), with u_s = F e_s = sum beta_sa x_a and p_s = sum pi_sa x_a:
// strains u_1.p_1, u_2.p_2 and u_1.p_2 + u_2.p_1. The fourth group has three strains u_i.p, with
// u_i along the directions of the element and p the mode that changes sign between all neighbours.
typedef struct hex8_batch {
    double gradient[HEX8_NODES * 3][LANES]; // mean, 1/m
    double beta[3][2][HEX8_NODES][LANES];   // 1/m
    double pi[3][2][HEX8_NODES][LANES];     // 1/m
    double beta_last[3][HEX8_NODES][LANES]; // 1/m
    double pi_last[HEX8_NODES][LANES];      // 1
    double volume[LANES];                   // m^3
    double shear[LANES];                    // mu, Pa
    double plane[LANES];                    // lambda of plane stress, Pa
    double last[LANES];                     // Young's modulus of the fourth group, Pa
    int node[HEX8_NODES][LANES];
    double parameter[LAW_PARAMETERS][LANES];
} hex8_batch;

// Shape functions and their slopes at (s, t, u) in [-1, 1]^3.
void hex8_shape(double s, double t, double u, double N[HEX8_NODES]);
void hex8_slope(double s, double t, double u, double dN[HEX8_NODES][3]);

element_mass hex8_mass;
element_points hex8_points; // one, the middle: the rest of an element has no law

// For an instruction set (see element_best_variant); NULL if the processor cannot run it.
const element_kind *hex8_kind(law_kind law, int variant);

// A family of n elements (node: n x 8) at rest positions X of all nodes; stuff: the material of
// each, all of one law. bad: the element that is inside out somewhere where the status is
// LITHE_INVALID.
lithe_status hex8_family(element_family *f, int n, const int *node, const double *X,
                         const law_material *const *stuff, arena *memory, int *bad);

#endif
