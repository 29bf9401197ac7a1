// What the methods of friction.h share: the problem with rows of unit diagonal and a q of at
// most 1.
#ifndef SOLVE_FRICTION_WORK_H
#define SOLVE_FRICTION_WORK_H

#include "solve/friction.h"

// Added to W in linear systems: redundant contacts make it singular.
#define FRICTION_REGULAR 1e-11

struct friction_work {
    const friction_problem *p;
    int n;
    double *scale;                  // a row's unit; one for the rows of a contact
    double size;                    // largest |q| in these units, which is 1 below
    double *W, *q;                  // scaled
    double *lo, *hi;                // of box rows
    double *lambda, *w;             // where the solver is, and w = W lambda + q there
    double *best, *swept, *nearest; // where it has been (n)
    double *map, *step;             // of Newton's method (n)
    double *matrix;                 // (n x n)
    int *pivot;                     // of its factor (n)
    double *low, *high;             // interior: duals of cones and lower bounds, of upper bounds
    double *dlow, *dhigh;           // … and their steps
    double *bend[2];                // products of the predictor's steps
};

static inline int friction_row(const friction_work *f, int c)
{
    return f->p->nbox + 3 * c;
}

void friction_update(friction_work *f); // w of lambda
double friction_natural(const friction_work *f);

// Semi-smooth Newton steps from lambda as long as they lower the residual.
void friction_newton(friction_work *f, friction_result *out);

// Along the central path to a solution, from contacts that all press with some force. Leaves lambda
// where it got to.
void friction_interior(friction_work *f, double force, friction_result *out);

#endif
