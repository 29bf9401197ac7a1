// How much memory a robot takes, known before it is taken.
#ifndef STEP_NEED_H
#define STEP_NEED_H

#include "body/space.h"
#include "lithe/lithe.h"

// Bytes of one state of a model that works on so many threads.
double need_of_state(const lithe_model *m, int threads);

// Right-hand sides that are solved at a time.
int need_columns(const lithe_model *m);

// Bytes of a model of so many nodes and elements and one state of it, before anything is built.
// What an element takes is sure; how much a factor fills in depends on the shape as well, and this
// is what a compact body has.
double need_of_mesh(int nnode, int ntet);
double need_of_elements(int ntet); // the sure part

// LITHE_NO_MEMORY, said, when the process cannot get what a robot surely needs; said is all it
// needs.
lithe_status need_check(double sure, double all, lithe_report *report);

// Is the elements' stiffness needed after it is in A? By several threads that add it up, by
// supports and sliders that move, by damping.
bool need_stiffness(const lithe_model *m, const body *b);

// What states ask of a body's tangent.
space_size need_of_tangent(const lithe_model *m, int threads);

#endif
