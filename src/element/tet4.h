// Linear tetrahedra, eight at a time: F is constant in each, F = [x1-x0, x2-x0, x3-x0] Dm^-1.
#ifndef ELEMENT_TET4_H
#define ELEMENT_TET4_H

#include "base/lanes.h"

#include <stdbool.h>

enum {
    TET4_FORCE = 12, // numbers of one element's force: 4 nodes x 3
    TET4_PAIR = 10,  // node pairs (a, b), a >= b, in the order (0,0) (1,0) (1,1) (2,0) …
    TET4_STIFF = 90, // numbers of one element's stiffness: a row-major 3x3 block per pair
};

static inline int tet4_pair(int a, int b) // a >= b
{
    return a * (a + 1) / 2 + b;
}

// Eight elements, lane by lane. Lanes past the last element repeat it with no volume.
typedef struct tet4_batch {
    double gradient[9][LANES]; // Dm^-1: row a - 1 is the gradient of node a's shape function, 1/m
    double volume[LANES];      // m^3
    double mu[LANES];          // Pa
    double lambda[LANES];      // Pa
    int node[4][LANES];
} tet4_batch;

typedef enum tet4_tangent {
    TET4_FORCE_ONLY, // no stiffness
    TET4_EXACT,      // the second derivative of the energy
    TET4_POSITIVE,   // the same, clamped to be positive semi-definite
} tet4_tangent;

// What one batch writes. force: (LANES x 12), stiff: (LANES x 90), element by element; energy:
// (LANES) J.
typedef struct tet4_output {
    double *energy;
    double *force;
    double *stiff;
} tet4_output;

typedef void tet4_function(const tet4_batch *batch, const double *x, tet4_tangent tangent,
                           tet4_output out);

// Strain energy density (J/m^3 at rest) and von Mises stress (Pa, of the Cauchy stress) of a batch,
// (LANES) each.
typedef void tet4_stress_function(const tet4_batch *batch, const double *x, double *energy_density,
                                  double *von_mises);

// What is compiled once for each instruction set.
typedef struct tet4_kernels {
    tet4_function *evaluate;
    tet4_stress_function *stress;
} tet4_kernels;

// The fastest that this processor can run.
const tet4_kernels *tet4_choose(void);

// Those of an instruction set (0 portable, 1 AVX2, 2 AVX-512); NULL if the processor cannot run it.
const tet4_kernels *tet4_variant(int variant);

// Fills lane `lane` of a batch; X: the four rest positions. False if the element is flat or inside
// out.
bool tet4_prepare(tet4_batch *batch, int lane, const int node[4], const double *const X[4],
                  double young, double poisson);

#endif
