// One pass of the pipeline: the Newton direction at s->now, towards the aim.
#ifndef STEP_PHASES_H
#define STEP_PHASES_H

#include "step/state.h"

// The seven phases, in their order.
typedef enum step_phase {
    PHASE_ASSEMBLE, // f(x), A(x)
    PHASE_FACTOR,   // A = L D L'
    PHASE_FREE,     // y = L^-1 r
    PHASE_ROWS,     // Y = L^-1 G', delta_free = delta + Y' D^-1 y
    PHASE_CONDENSE, // W = Y' D^-1 Y
    PHASE_SOLVE,    // efforts within their limits
    PHASE_CORRECT,  // dx = L'^-1 D^-1 (y + Y dlambda)
    PHASES,
} step_phase;

// From one of them to another, both included. They take s->now and leave the direction s->pass.dx
// and the efforts s->pass.target.
lithe_status step_phases(const lithe_model *m, lithe_state *s, step_problem problem,
                         step_phase from, step_phase to);

// The first two: the tangent, exact or clamped to be positive. s->tangent.found is what it is good
// for; LITHE_NOT_CONVERGED: for nothing.
lithe_status step_linearize(const lithe_model *m, lithe_state *s, step_problem problem,
                            bool clamped);

// … exact, or clamped where that is of no use.
lithe_status step_tangent_of(const lithe_model *m, lithe_state *s, step_problem problem);

// J at s->now, or the rotations since the shape that the factor is of.
const double *step_jacobian(const lithe_state *s, const body *b);

// All seven, with the exact tangent; or, where that is of no use, with the clamped one.
lithe_status step_pass(const lithe_model *m, lithe_state *s, step_problem problem);

// step_solve of a forward step, see there.
lithe_status forward_solve(const lithe_model *m, lithe_state *s);

// dq = A^-1 J' f over the free coordinates of body k, with the factor that is there; f and dq are
// of all bodies.
void step_solve_body(const lithe_model *m, lithe_state *s, int k, const double *f, double *dq);

// How many rows have a displacement command that holds them, so that each may hold one unstable
// mode back.
int step_taut_rows(const lithe_model *m, const lithe_state *s);
bool step_is_taut(const lithe_model *m, const lithe_state *s, int r); // is row r one of them?

// Counts negative modes of A, and those that are held, at the shape that was found.
void stability_judge(const lithe_model *m, lithe_state *s);

#endif
