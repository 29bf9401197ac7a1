// Newton to where an increment of a forward step wants to go.
#ifndef STEP_NEWTON_H
#define STEP_NEWTON_H

#include "step/state.h"

// Sets where the increment that ends at share t of the step wants to go; start_load: the load when
// the step began.
void step_aim(const lithe_model *m, lithe_state *s, step_problem problem, double t,
              double start_load);

// Where rows of joints shall be, and how far they give way, in the step of time that has begun; and
// at its beginning.
void step_aim_joints(const lithe_model *m, lithe_state *s);
void step_begin_joints(const lithe_model *m, lithe_state *s);

// Is a joint at a stop, or has a rope gone taut or slack? Its blow is none that a rate may keep:
// such a step, and the next, are of implicit Euler.
bool step_leans(const lithe_model *m, const lithe_state *s);

// Do factors on loads differ from what was set?
bool step_loads_change(const lithe_model *m, const lithe_state *s);

// A share of the way of held coordinates is left.
void step_keep_support(const lithe_model *m, lithe_state *s, double share);

// Largest displacement command that p misses, relative to each row's scale. A slack cable misses
// nothing; a row at its effort limit does only if limits_count.
double task_residual(const lithe_model *m, const lithe_state *s, const step_point *p,
                     bool limits_count);

// Have supports or obstacles still to go? They may wait while what they push on gives way.
bool newton_is_led(const lithe_state *s);

// One pass, taken as far as it is good.
lithe_status newton_pass(const lithe_model *m, lithe_state *s);

// What a step asks of its passes, unless it is content with less.
newton_goal newton_usual(const lithe_model *m, const lithe_state *s);

// Passes to the aim. LITHE_NOT_CONVERGED leaves s->now wherever it got to.
lithe_status newton_solve(const lithe_model *m, lithe_state *s);

// Does a factor that was kept in contact serve as well as one of its own, at twice the cost: two
// passes for one? left: the share of the residual that the pass left; own: … with its own factor.
bool newton_serves(bool kept, double left, double *own);

#endif
