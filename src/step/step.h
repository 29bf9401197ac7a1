// The step's parts, in the order in which they are called.
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "step/model.h"

// Forces, row values and gradients at p->x with p->effort, under the loads at s->aim_load.
void point_evaluate(const lithe_model *m, lithe_state *s, step_point *p);

// Sets where the increment that ends at share t of the step wants to go; start_load: the load when
// the step began.
void step_aim(const lithe_model *m, lithe_state *s, double t, double start_load);

// The seven phases. They take s->now and leave the direction s->dx and the efforts s->target.
lithe_status step_assemble(const lithe_model *m, lithe_state *s);
lithe_status step_factor(const lithe_model *m, lithe_state *s);
lithe_status step_free(const lithe_model *m, lithe_state *s);
lithe_status step_rows(const lithe_model *m, lithe_state *s);
lithe_status step_condense(const lithe_model *m, lithe_state *s);
lithe_status step_solve(const lithe_model *m, lithe_state *s);
lithe_status step_correct(const lithe_model *m, lithe_state *s);

// Largest displacement command that p misses, relative to each row's scale. A slack cable misses
// nothing; a row at its effort limit does only if limits_count.
double task_residual(const lithe_model *m, const lithe_state *s, const step_point *p,
                     bool limits_count);

// The seven phases in their order.
lithe_status step_pass(const lithe_model *m, lithe_state *s);

// Newton to the aim. LITHE_NOT_CONVERGED leaves s->now wherever it got to.
lithe_status newton_solve(const lithe_model *m, lithe_state *s);

#endif
