// Damping in proportion to stiffness, see damping.c and docs/theory/dynamics.md.
#ifndef BODY_DAMPING_H
#define BODY_DAMPING_H

#include "body/body.h"

// D of eight solid elements at x. node: of each; fit: (nnode x 3 x LANES); rest: their stiffness at
// rest (npair x 9 x LANES); out: (LANES x npair x 9).
typedef void damping_solid(int nnode, const int *const node[LANES], const double *x,
                           const double *fit, const double *rest, double *out);

damping_solid *damping_choose(void);

// Of one state.
typedef struct body_damping {
    damping_solid *solid;
    double **rest, **fit; // of every family of solids: see damping_solid
    bool kept;            // D of all elements is kept: nodes that are held move
    double *element;      // D, element by element (nblock x 9) N/m; not kept: of a few at a time
    double *blocks;       // D as a part of A (pattern.nblock x 9) N/m
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
