// The inverse: efforts that bring wanted rows to their targets. inverse.c is one pass of it, a
// linear problem; optimum.c the way over equilibria; what is learnt on it, the secant Hessian, is
// here too.
#ifndef STEP_INVERSE_H
#define STEP_INVERSE_H

#include "step/state.h"

// A whole inverse step to an equilibrium that is an optimum.
lithe_status inverse_settle(const lithe_model *m, lithe_state *s);

// The inverse's half of step_solve: efforts for which the wanted rows come nearest to their
// targets.
lithe_status inverse_solve(const lithe_model *m, lithe_state *s);

// Bounds of this step: limits, and rates over dt from where the step starts.
void inverse_bounds(const lithe_model *m, lithe_state *s);

// Levels and limits of the linear problem as hierarchies take them; what the tie-breaker weighs
// efforts with.
void inverse_gather(const lithe_model *m, lithe_state *s, int *nlevel, int *nlimit);
const double *inverse_weights(const lithe_model *m, lithe_state *s);

// Does the inverse leave driven row r at its command?
bool task_is_given(const lithe_model *m, int r);

// Priority (from 1) and weight of a wanted row.
// Tells of every problem with contacts that the inverse is about to solve.
struct qpcc_problem;
void state_observe(lithe_state *s, void (*observe)(void *observer, const struct qpcc_problem *p),
                   void *observer);

int task_priority(const lithe_model *m, const lithe_state *s, int r, double *weight);

// Memory of a task; false: no memory.
bool task_create(const lithe_model *m, arena *memory, step_task *t);

// Learns from the first level at this equilibrium; false: there is nothing to compare it with yet.
bool secant_learn(const lithe_model *m, lithe_state *s, const hierarchy_level *level);

// Puts what was learnt into the level.
void secant_apply(const lithe_model *m, lithe_state *s, hierarchy_level *level);

// The best efforts of the linear model at s->now become commands of a forward step.
lithe_status inverse_tell(const lithe_model *m, lithe_state *s);

// Distance of the wanted rows from their targets, in units of their scales; a later priority counts
// a hundredth of the one before it, a kept row ten times the first.
double inverse_distance(const lithe_model *m, const lithe_state *s, const double *delta);

#endif
