// Time integration of nodes that rotate and have an inertia tensor. Generalized-alpha acts on their
// angular momentum in the world, and on their spin in their own frame:
//
//     w' = rate (way - Q calm)        Q = exp(way): what was spin at the start has rotated along
//     L' = I' w'                      I' = R' D R'^T
//     M' = gain (L' - keep)           the moment that this takes, at the end of the step
//
// Without a moment L stays what it was, to roundoff, for every spectral radius; with radius 1 so
// does the energy. docs/theory/rigid.md
#ifndef BODY_SPIN_H
#define BODY_SPIN_H

#include "body/body.h"

// Of generalized-alpha, or (am 0, af 0, gamma 1) of implicit Euler; h: the step, s.
typedef struct spin_scheme {
    double am, af, gamma, h;
    double rate; // w' for each unit of way, 1/s
} spin_scheme;

// Nodes of a body at the start of a step: where they are, their velocities and accelerations, and
// those that lag (nnode x 3 each).
typedef struct spin_start {
    const double *x, *velocity, *rate, *lagged;
} spin_start;

// Has the node an inertia tensor?
bool body_spins(const body *b, int node);

// keep (nnode x 3): the momentum above, at nodes with a tensor; others are left alone.
void spin_begin(const body *b, const spin_scheme *scheme, const spin_start *start, double *keep);

// Velocities of all nodes at the end of a way, in its place.
void spin_velocity(const body *b, const spin_scheme *scheme, const double *calm, double *way);

// force += the moments that nodes with a tensor take to have these velocities at x.
void spin_moment(const body *b, const spin_scheme *scheme, const double *x, const double *velocity,
                 const double *keep, double *force);

// … and at its end. keep: of nodes without a tensor, the way on which they would not accelerate;
// push: what contacts add to their accelerations, which the next step does not remember.
typedef struct spin_finish {
    const double *x, *way, *velocity, *keep, *push;
    double inertia; // acceleration for each unit of way, 1/s^2
    bool damped;    // nothing lags
} spin_finish;

// Accelerations of all nodes at the end of the step, and those that lag, in the place of those at
// its start (nnode x 3 each).
void spin_end(const body *b, const spin_scheme *scheme, const spin_start *start,
              const spin_finish *end, double *rate, double *lagged);

// acceleration = I^-1 moment of one node at x
void spin_solve(const body *b, int node, const double *x, const double moment[3],
                double acceleration[3]);

// Of a rigid body: forces on all its nodes as accelerations of its centre and its rotation, others
// 0; and velocities and accelerations of its other nodes, which follow (nnode x 3 each).
void spin_push(const body *b, const double *x, double *push);
void spin_follow(const body *b, const double *x, double *velocity, double *rate);

#endif
