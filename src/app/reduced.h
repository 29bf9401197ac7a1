// What a run tells of a reduced model: what it stands on, and how far it is off.
#ifndef APP_REDUCED_H
#define APP_REDUCED_H

#include "io/json.h"
#include "lithe/reduce.h"

// Estimates the error at the end of a run; of a model that is not reduced, or in motion, nothing.
void reduced_judge(const lithe_model *m, lithe_state *s);

// Nothing, of a model that is not reduced.
void reduced_write(json *j, const lithe_model *m, const lithe_state *s);
void reduced_print(const lithe_model *m, const lithe_state *s);

#endif
