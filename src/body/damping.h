// Damping in proportion to stiffness, see damping.c and docs/theory/dynamics.md.
#ifndef BODY_DAMPING_H
#define BODY_DAMPING_H

#include "body/body.h"

// D of eight solid elements at x. node: of each; fit: (nnode x 3 x LANES); rest: their stiffness at
// rest, of pairs of nodes without the first, from which the others follow since a shift meets none
// (nnode (nnode - 1) / 2 x 9 x LANES); out: (LANES x npair x 9).
typedef void damping_solid(int nnode, const int *const node[LANES], const double *x,
                           const double *fit, const double *rest, double *out);

// The same of eight isotropic linear tetrahedra, from moduli in place of their stiffness: lambda
// and mu of Lame times the volume (2 x LANES) N m.
typedef void damping_tet4(const int *const node[LANES], const double *x, const double *fit,
                          const double *moduli, double *out);

// P'KP of the K of eight elements in `out` (LANES x npair x 9), which gives rigid motions no force.
// rotating: R, rates of the nodes as the element rotates (nnode x 9 x LANES); inverse: of R'R (9 x
// LANES).
typedef void damping_project(int nnode, const double *rotating, const double *inverse, double *out);

// force += factor D v, with D as a part of A: (pattern->nblock x 9). node: of each block row.
typedef void damping_times(const sparse_pattern *pattern, const int *node, const double *D,
                           double factor, const double *v, double *force);

typedef struct damping_kernels {
    damping_solid *solid;
    damping_tet4 *tet4;
    damping_project *project;
    damping_times *times;
} damping_kernels;

const damping_kernels *damping_choose(void);

// Elements of a family with nodes that are no part of A, but are moved.
typedef struct damping_rim {
    int n, *element;
    double *D; // (n x npair x 9) N/m
} damping_rim;

// Of one state.
typedef struct body_damping {
    const damping_kernels *kernels;
    double **rest, **fit; // of every family of solids: see damping_solid
    double **moduli;      // in place of rest: see damping_tet4; NULL: of other elements
    double *element;      // D of a few elements at a time, N/m
    double *blocks;       // D as a part of A (pattern.nblock x 9) N/m
    damping_rim *rim;     // (nfamily)
} body_damping;

lithe_status body_damping_create(const body *b, arena *memory, body_damping *out);

// D at x, per unit of the factor on stiffness. stiffness: factor on every element's modulus, or
// NULL.
void body_damping_find(const body *b, const body_damping *d, const double *x,
                       const double *stiffness);

// force += factor D velocity, of all nodes; and blocks of A += factor D.
void body_damping_times(const body *b, const body_damping *d, double factor, const double *velocity,
                        double *force);
void body_add_damping(const body *b, const body_damping *d, double factor, double *blocks);

#endif
