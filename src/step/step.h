// A whole step: how it begins, ends and gives up; see step.c and realtime.c.
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "step/state.h"

// Does time go on?
bool step_is_moving(const lithe_model *m);

// The last equilibrium, and back to it.
void step_save(const lithe_model *m, lithe_state *s);
void step_restore(const lithe_model *m, lithe_state *s);

// LITHE_NOT_CONVERGED once the caller wants the step to end.
lithe_status step_watch(lithe_state *s);

// A step of this very model: what lithe_step does unless the model is reduced.
lithe_status step_alone(const lithe_model *m, lithe_state *s);

// Residuals and the load of where s->now is, at share t of the step.
void step_finish(const lithe_model *m, lithe_state *s, step_problem problem, double t);

// LITHE_NOT_CONVERGED where an effort limit kept a displacement command from being met.
lithe_status step_check_limits(const lithe_model *m, lithe_state *s);

// Fails where s->now has more elements inside out than s->saved: some laws have equilibria there,
// into which a long way (length, in shares of the step) falls. On a short one a few elements may
// fold, as they do in corners of coarse meshes, but not many at once.
lithe_status step_check_folds(const lithe_model *m, lithe_state *s, double length);

// Brings loads, and commands of all driven rows, in as many increments as it takes.
lithe_status forward_settle(const lithe_model *m, lithe_state *s);

// The same from the beginning of a step on, whatever the mode: the equilibrium of what s is told,
// which nobody looks at. In motion, of what motion_hold holds.
lithe_status step_balance(const lithe_model *m, lithe_state *s);

// A step of the mode realtime.
lithe_status realtime_step(const lithe_model *m, lithe_state *s, step_problem problem);

// What the inverse found is what the actuators are told from now on.
void step_keep_commands(const lithe_model *m, lithe_state *s);

// Viscoelastic materials over a step of h, from its beginning to its end at s->now; h = 0: as after
// a long time.
void step_relax_begin(const lithe_model *m, lithe_state *s, double h);
void step_relax_end(const lithe_model *m, lithe_state *s);

#endif
