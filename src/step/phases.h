// One pass of the pipeline: the Newton direction at s->now, towards the aim.
#ifndef STEP_PHASES_H
#define STEP_PHASES_H

#include "step/state.h"

// The seven phases. They take s->now and leave the direction s->dx and the efforts s->target.
lithe_status step_assemble(const lithe_model *m, lithe_state *s);
lithe_status step_factor(const lithe_model *m, lithe_state *s);
lithe_status step_free(const lithe_model *m, lithe_state *s);
lithe_status step_rows(const lithe_model *m, lithe_state *s);
lithe_status step_condense(const lithe_model *m, lithe_state *s);
lithe_status step_solve(const lithe_model *m, lithe_state *s);
lithe_status step_correct(const lithe_model *m, lithe_state *s);

// All seven in their order.
lithe_status step_pass(const lithe_model *m, lithe_state *s);

// step_solve of a forward step, see forward.c.
lithe_status forward_solve(const lithe_model *m, lithe_state *s);

// dq = A^-1 J' f over the free coordinates of body k, with the factor that is there; f and dq are
// of all bodies.
void step_solve_body(const lithe_model *m, lithe_state *s, int k, const double *f, double *dq);

// How many rows have a displacement command that holds them, so that each may hold one unstable
// mode back.
int step_taut_rows(const lithe_model *m, const lithe_state *s);
bool step_is_taut(const lithe_model *m, const lithe_state *s, int r); // is row r one of them?

// Counts s->negative and s->held at the shape that was found.
void stability_judge(const lithe_model *m, lithe_state *s);

#endif
