// The weight of a liquid that fills a cavity: pressure rho g . (x - reference) on its wall, which
// is the gradient of the integral of that field over the cavity. On each triangle the field is
// linear and the nodal forces are exact:
//
//     f_a = n sum_b p_b (1 + [a = b]) / 12,   n = (x1 - x0) x (x2 - x0) / 2
#ifndef BODY_LIQUID_H
#define BODY_LIQUID_H

#include "sparse/sparse.h"

typedef struct body_liquid {
    int ntri;
    int *tri;   // (ntri x 3) nodes of the body, normals out of the cavity
    int *block; // (ntri x 6) block of A for corners (0,0) (1,0) (1,1) (2,0) (2,1) (2,2), as from
                // sparse_locate
    double weight[3];    // rho g, N/m^3
    double reference[3]; // where the pressure is the actuator's effort, m
} body_liquid;

void liquid_force(const body_liquid *liquid, const double *x, double scale, double *f);

// blocks += scale * (symmetrized derivative of that force)
void liquid_stiffness(const body_liquid *liquid, const double *x, double scale, double *blocks);

// row: block row of every node
lithe_status liquid_finish(body_liquid *liquid, const sparse_pattern *pattern, const int *row,
                           arena *memory);

#endif
