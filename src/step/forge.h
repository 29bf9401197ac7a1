// Where factors are made for the asynchronous mode: a state of its own that has only what A needs,
// and a thread. The stepping thread and this one share one flag and never wait for each other: who
// is allowed to touch the shop changes with the flag.
#ifndef STEP_FORGE_H
#define STEP_FORGE_H

#include "step/state.h"

typedef struct forge forge;

// What A depends on, at the end of a step.
typedef struct forge_shape {
    long step;             // steps done by then
    double load, time;     // share of the loads that acts there; s
    const double *x;       // (nnode x 3) m
    const double *effort;  // (nact)
    const double *setting; // (nsetting)
} forge_shape;

// threads: that make factors; 0: none, forge_make is called instead. NULL: no memory, or no thread.
forge *forge_create(const lithe_model *m, arena *memory, int threads);
void forge_free(forge *f);

// True: a factor is being made, and no other function but forge_wait may be called.
bool forge_busy(const forge *f);
void forge_wait(forge *f);

// Starts on the factor of a shape, which is copied, and returns at once. It will be in single
// precision.
void forge_ask(forge *f, const forge_shape *asked);

// Makes the factor of a shape on the calling thread; exact: in double precision.
void forge_make(forge *f, const forge_shape *asked, bool exact);

// True: a factor is finished and waits to be collected.
bool forge_finished(const forge *f);

// Brings one of so many parts of that factor near to the calling core.
void forge_fetch(const forge *f, int part, int parts);

// If a factor is finished, gives it to the state, takes the state's old one for the next, and says
// of which step's shape it is. LITHE_NOT_CONVERGED: that shape has none; the report says why.
lithe_status forge_collect(forge *f, lithe_state *s, long *step, double **of);

double forge_seconds(const forge *f); // that the last one took, assembly included
long forge_count(const forge *f);     // factors made
int forge_inverted(const forge *f);   // elements inside out in the last one's shape

#endif
