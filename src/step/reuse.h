// Factors that serve again, at rest and without contacts; elsewhere every pass makes its own.
//
// Within a step the factor of a shape near by serves passes as long as it contracts. From step to
// step a factor is only remembered: where the very same A is asked for again, it is not made again.
// So a step depends on the configuration that it begins with, and on nothing else: a state that was
// saved and loaded goes on to the same bits.
#ifndef STEP_REUSE_H
#define STEP_REUSE_H

#include "step/state.h"

// Does a factor of this model say nothing but what shape and efforts are?
bool reuse_is_plain(const lithe_model *m);

bool reuse_create(const lithe_model *m, arena *memory, step_source *out);

// A step begins: nothing that was made before counts as near.
void reuse_begin(lithe_state *s);

// The factor that there is now is of s->now.
void reuse_remember(const lithe_model *m, lithe_state *s);

// The largest way of a node from there to s->now, over the robot's size; INFINITY: the factor is of
// no use again.
double reuse_distance(const lithe_model *m, const lithe_state *s);

// Is A at s->now what was factored last, to the bit?
bool reuse_is_exact(const lithe_model *m, const lithe_state *s);

// … and is all that is known of s->now what a look ahead would find there, to the bit?
bool reuse_is_evaluated(const lithe_model *m, const lithe_state *s);

#endif
