// The asynchronous mode: steps go on with the last finished factor while the next one is made, on a
// thread of its own, from the shape of some steps ago. See docs/theory/async.md.
#ifndef STEP_ASYNC_H
#define STEP_ASYNC_H

#include "step/state.h"

// Memory and the thread; called by lithe_state_create in that mode.
lithe_status async_create(const lithe_model *m, lithe_state *s, int threads);
void async_free(step_async *a);

// The robot is at rest again, and no factor is known.
void async_reset(const lithe_model *m, lithe_state *s);

// One step: as many passes as the model asks for, with the factor there is.
lithe_status async_pursue(const lithe_model *m, lithe_state *s, step_problem problem);

// Elements that were inside out in the shape of the factor; counted where that is made, which is
// cheaper than in every step.
int async_inverted(const step_async *a);

// Back to where the step began, with the factor of that shape; false: it was that already.
bool async_freshen(const lithe_model *m, lithe_state *s);

// Makes the factor of the present shape and waits for it.
lithe_status async_refresh(lithe_state *s);

#endif
