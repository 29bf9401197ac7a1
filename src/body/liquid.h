// The weight of a liquid that fills a cavity: pressure p = rho g . (x - reference) on its wall,
// which is the gradient of the integral of that field over the cavity. On each face the nodal
// forces are exact: f_a = int N_a p n.
#ifndef BODY_LIQUID_H
#define BODY_LIQUID_H

#include "body/face.h"

typedef struct body_liquid {
    face_set face;       // nodes of the body, normals out of the cavity
    int *block;          // of A, for every pair of nodes a >= b of every face
    double weight[3];    // rho g, N/m^3
    double density;      // rho, kg/m^3
    double reference[3]; // where the pressure is the actuator's effort, m
} body_liquid;

void liquid_force(const body_liquid *liquid, const double *x, double scale, double *f);

// blocks += scale * (symmetrized derivative of that force)
void liquid_stiffness(const body_liquid *liquid, const double *x, double scale, double *blocks);

// row: block row of every node
lithe_status liquid_finish(body_liquid *liquid, const sparse_pattern *pattern, const int *row,
                           arena *memory);

#endif
