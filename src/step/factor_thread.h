// Where factors are made for the asynchronous mode: a state of its own that has only what A needs,
// and a thread. The stepping thread and this one share one flag and never wait for each other: who
// is allowed to use the tangent changes with the flag.
#ifndef STEP_FACTOR_THREAD_H
#define STEP_FACTOR_THREAD_H

#include "step/state.h"

typedef struct factor_thread factor_thread;

// What A depends on, at the end of a step.
typedef struct factor_thread_shape {
    long step;             // steps done by then
    double load, time;     // share of the loads that acts there; s
    const double *x;       // (nnode x 3) m
    const double *effort;  // (nact)
    const double *setting; // (nsetting)
} factor_thread_shape;

// threads: that make factors; 0: none, factor_thread_make is called instead. NULL: no memory, or no
// thread.
factor_thread *factor_thread_create(const lithe_model *m, arena *memory, int threads);
void factor_thread_free(factor_thread *f);

// True: a factor is being made, and no other function but factor_thread_wait may be called.
bool factor_thread_busy(const factor_thread *f);
void factor_thread_wait(factor_thread *f);

// Starts on the factor of a shape, which is copied, and returns at once. It will be in single
// precision.
void factor_thread_ask(factor_thread *f, const factor_thread_shape *asked);

// Makes the factor of a shape on the calling thread; exact: in double precision.
void factor_thread_make(factor_thread *f, const factor_thread_shape *asked, bool exact);

// True: a factor is finished and waits to be collected.
bool factor_thread_finished(const factor_thread *f);

// Brings one of so many parts of that factor near to the calling core.
void factor_thread_fetch(const factor_thread *f, int part, int parts);

// If a factor is finished, gives it to the state, takes the state's old one for the next, and says
// of which step's shape it is. LITHE_NOT_CONVERGED: that shape has none; the report says why.
lithe_status factor_thread_collect(factor_thread *f, lithe_state *s, long *step, double **of);

double factor_thread_seconds(const factor_thread *f); // that the last one took, assembly included
long factor_thread_count(const factor_thread *f);     // factors made
int factor_thread_inverted(const factor_thread *f);   // elements inside out in the last one's shape

#endif
