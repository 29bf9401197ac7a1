// Time integration. Whatever the scheme, acceleration and velocity at the end of a step are linear
// in the positions there,
//
//     acceleration = inertia (way - leap),   velocity = damping_rate (way - calm)
//     way = x - start
//
// so the equation of motion M acceleration + D velocity + f_int - f_ext - G' lambda = 0 is one more
// force in the residual, and A = inertia M + damping_rate D + K: the pipeline knows nothing else of
// time. docs/theory/dynamics.md
#ifndef STEP_MOTION_H
#define STEP_MOTION_H

#include "base/arena.h"
#include "step/iterate.h"
#include "step/target.h"

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
    bool held;                    // s->now.inertial is a load: it stays as it is, see motion_hold
    bool damped;                  // by implicit Euler, whatever the scheme
    double h;                     // s
    double time;                  // at its end, s
    double inertia, damping_rate; // 1/s^2, 1/s
    double *start;                // positions at its beginning (nnode x 3) m
    double *leap, *calm;          // (nnode x 3) m
    struct body_damping *damping; // in proportion to stiffness, body by body; NULL: none
    double reach;                 // largest coordinate as the step begins, m
    double noise;                 // force residual that roundoff leaves, N
} step_motion;

// Memory; false: there is none.
bool motion_create(const lithe_model *m, arena *memory, step_motion *motion);
void motion_reset(const lithe_model *m, lithe_state *s);

// The motion of one body's coordinates that is nearest, in the measure of the mass, to a way of all
// nodes, which may stand in s->nodal: left in s->pass.dq. Held coordinates stay.
// LITHE_NOT_CONVERGED, said: there is no mass.
lithe_status motion_nearest(const lithe_model *m, lithe_state *s, int k, const double *way);

// The masses of body k as its A, for step_solve_body. LITHE_NOT_CONVERGED, said: there are none.
lithe_status motion_factor_mass(const lithe_model *m, lithe_state *s, int k);

// Accelerations of the first moment, once.
lithe_status motion_start(const lithe_model *m, lithe_state *s, step_problem problem);

// From s->now over h; and what velocities and accelerations are when x is found.
void motion_begin(const lithe_model *m, lithe_state *s, double h);
lithe_status motion_end(const lithe_model *m, lithe_state *s);

// Would this step bring in energy that nothing put there? Then motion.damped mends it, or a shorter
// step.
bool motion_gains(const lithe_model *m, lithe_state *s);

// p->inertial at p->x; and the part of A of body k that goes with it.
void motion_force(const lithe_model *m, lithe_state *s, step_point *p);
void motion_recall(const lithe_model *m, lithe_state *s); // s->now.inertial of a loaded state

// From now on, until motion.held is false, inertia and damping are the forces that velocities and
// accelerations of s make at s->now, wherever passes lead: what is found is the shape that balances
// them.
void motion_hold(const lithe_model *m, lithe_state *s);
// force += (inertia M + damping_rate D) way, of all nodes of all bodies.
void motion_times(const lithe_model *m, const lithe_state *s, const double *way, double *force);
void motion_assemble(const lithe_model *m, lithe_state *s, int k);

// The force residual that roundoff leaves, inertia included, N.
double motion_noise(const lithe_model *m, const lithe_state *s);

// Adaptive steps, see stride.c. stride_share: how much of a step's dt to try, of what is left.
// stride_judge: LITHE_OK where what Newton found over h is near enough to the truth; leaves how
// long the next step, or the next trial, should be. newton: how Newton ended, after so many
// iterations.
bool stride_is_adaptive(const lithe_model *m);
double stride_share(const lithe_model *m, const lithe_state *s, double left);
lithe_status stride_judge(const lithe_model *m, lithe_state *s, lithe_status newton,
                          int iterations);

// One forward step of dt, in shorter ones where Newton fails, or where the error is to be held:
// down to a share of it.
#define MOTION_SHORTEST (1.0 / 65536)
lithe_status motion_settle(const lithe_model *m, lithe_state *s, double first, double shortest);

#endif
