// What a step is worth, told by a check that the step does not use (contact/check.h).
#ifndef STEP_TRUTH_H
#define STEP_TRUTH_H

#include "contact/check.h"

typedef struct step_truth {
    check_work *work;    // NULL: nothing touches
    check_depth deepest; // overlap at the end of the last step
    check_depth meant;   // … of pairs by volume, which overlap by design
} step_truth;

// The surfaces, shapes and pairs of the model's contacts; after they are compiled.
lithe_status truth_build(lithe_model *m);
bool truth_create(const lithe_model *m, arena *memory, step_truth *out);

// s->truth at s->now.
void truth_measure(const lithe_model *m, lithe_state *s);

// The end of every step: LITHE_NOT_CONVERGED where one that claims to have converged has left
// surfaces in each other; else the status that it is given.
lithe_status truth_judge(const lithe_model *m, lithe_state *s, lithe_status status);

// Depth that a step of the model's mode may leave in a pair (of the world), m.
double truth_allowed(const lithe_model *m, int pair);

#endif
