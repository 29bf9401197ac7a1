// Time integration. Whatever the scheme, acceleration and velocity at the end of a step are linear
// in the positions there,
//
//     acceleration = inertia (way - leap),   velocity = drag (way - calm),   way = x - start
//
// so the equation of motion M acceleration + D velocity + f_int - f_ext - G' lambda = 0 is one more
// force in the residual, and A = inertia M + drag D + K: the pipeline knows nothing else of time.
// docs/theory/dynamics.md
#ifndef STEP_MOTION_H
#define STEP_MOTION_H

#include "lithe/lithe.h"

typedef struct step_motion {
    // What a state is, besides positions.
    double clock;     // s
    bool started;     // rate and lagged are those of now
    double *velocity; // (nnode x 3) m/s
    double *rate;     // acceleration (nnode x 3) m/s^2
    double *lagged;   // generalized-alpha's own acceleration, of a little earlier (nnode x 3) m/s^2
    double stride;    // adaptive: how long the next step should be, s; 0: not known yet
    lithe_stride strides; // … and how it went so far

    // This step; written by motion_begin
    bool on;                      // false: statics, or settling; all below is then unused
    double h;                     // s
    double time;                  // at its end, s
    double inertia, drag;         // 1/s^2, 1/s
    double *start;                // positions at its beginning (nnode x 3) m
    double *leap, *calm;          // (nnode x 3) m
    struct body_damping *damping; // in proportion to stiffness, body by body; NULL: none
    double noise;                 // force residual that roundoff leaves, N
} step_motion;

#endif
