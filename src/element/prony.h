// Viscoelastic elements: what their points remember, and what that adds to energy, force and
// stiffness.
//
// Beside the stress S of its law (second Piola-Kirchhoff) a point carries an overstress for every
// term of a Prony series, dQ/dt + Q/tau = r dS/dt, r = weight / (1 - sum of weights). Over a step
// of h in which S is linear in time,
//
//     Q' = a Q + r b (S' - S),   a = exp(-h/tau),   b = (1 - a) tau/h
//
// exactly. So the step sees, besides the law itself, c = sum r b times the law and a constant
// stress H = sum (a Q - r b S): an energy c psi(F) + 1/2 H : (F'F - I). See docs/theory/prony.md.
#ifndef ELEMENT_PRONY_H
#define ELEMENT_PRONY_H

#include "element/family.h"
#include "material/fit.h"

// Eight elements at one of their points, or one set of their strains besides (element_extra): there
// stresses are those of the set, and the energy is c times its own and H times its strains.
typedef struct prony_batch {
    const element_extra *extra; // NULL: a point
    const void *of;             // the element batch, where extra is
    int set;                    //
    law_kind law;
    int nnode;
    int (*node)[LANES];         // (nnode)
    double (*gradient)[LANES];  // of the shape functions (nnode x 3) 1/m
    double *weight;             // (LANES) m^3; 0: an element that remembers nothing
    double (*parameter)[LANES]; // of the law
    double (*ratio)[LANES];     // r of every term (nterm)
    double (*time)[LANES];      // tau of every term (nterm) s
    int lane;                   // of the family: its first element
} prony_batch;

// What a state remembers of a batch, and what this step makes of it; each 6 x LANES, Pa.
typedef struct prony_state {
    double (*stress)[LANES]; // S
    double (*over)[LANES];   // Q of every term (nterm x 6)
    double (*hold)[LANES];   // H
    double (*share)[LANES];  // c (1)
} prony_state;

typedef struct prony_kernels {
    // Adds to what the elements gave. factor: on the modulus of every element from this batch's
    // first on, or NULL.
    void (*add)(const prony_batch *b, const prony_state *s, const double *x, const double *factor,
                element_tangent tangent, element_output out);
    void (*stress)(const prony_batch *b, const double *x, const double *factor,
                   double (*stress)[LANES]);
} prony_kernels;

const prony_kernels *prony_choose(void);

// H and c of a step of h; h = 0: none.
void prony_begin(const prony_batch *b, int nterm, double h, prony_state *s);

// Q and S at the end of the step; h = 0: all overstress is gone, as after a long time.
void prony_end(const prony_kernels *kernels, const prony_batch *b, int nterm, double h,
               const double *x, const double *factor, prony_state *s);

#endif
