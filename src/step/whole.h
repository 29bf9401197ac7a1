// Reduced models: the whole one that each stands for, and what outsiders see of it.
#ifndef STEP_WHOLE_H
#define STEP_WHOLE_H

#include "lithe/reduce.h"

#include <pthread.h>

// What a reduced model stands for: the whole one, whose nodes follow the reduced one's coordinates.
// Its own nodes are the few that its elements and rows need; behind them stand, by modes, the
// coordinates themselves, three to a node, and in motion in a beam space frames' own nodes. Where
// it has neither Phi nor `all`, its nodes are the whole one's. See room reduce.
typedef struct model_reduction {
    lithe_model *whole;
    int nelement; // that stand for all
    int first;    // of the nodes behind them
    int width;    // of a line of Phi, see body/modal.h
    double *Phi;  // by modes: x = X + Phi q (whole->nnode x 3 x width); NULL: not so
    double
        *back; // q = back' (x - X), nearest in the measure of the mass (whole->nnode x 3 x width)
    struct body *all; // in a beam space: the whole one's nodes in it; NULL: not so
    lithe_reduction_info info;
    lithe_reduction_patch patch;
    // How steps are taken: by step_alone, and looked at
    lithe_status (*step)(const lithe_model *m, lithe_state *s);
    int every;        // steps between estimates of the error; 0: none
    double tolerance; // m; beyond it the whole model goes on, if wanted
    bool beyond_full;
} model_reduction;

// Of a reduced model's state: the whole one's, whose nodes are put where the coordinates are when
// somebody asks.
typedef struct state_whole {
    lithe_state *state;
    bool stale;
    pthread_mutex_t lock;   // any number may read a state at a time
    int count;              // steps since rest
    double error;           // the last estimate, m; NAN: none yet
    int age;                // steps since it was made
    bool full;              // the whole model steps, and this state follows it
    struct body_near *near; // of model_reduction.all; NULL: there is none
} state_whole;

// The state whose nodes and elements outsiders see, as they are now.
const lithe_state *state_seen(const lithe_state *s);

// The state that steps: the whole one's where it goes on. What contacts and the energy are is
// there.
const lithe_state *state_acting(const lithe_state *s);

// Velocities or accelerations of the whole model's nodes (its nnode x 3) from those of a reduced
// one's own nodes.
void state_expand(const lithe_model *m, const double *own, double *out);

// After a state was loaded that the whole model goes on with.
void state_recall_whole(const lithe_model *m, lithe_state *s);

// Brings what is seen of a model nearest to positions of its nodes (those of model_seen, nnode x
// 3), in the measure of the mass. LITHE_INVALID: a node that follows others has no mass.
lithe_status state_go_near(const lithe_model *m, lithe_state *s, const double *wanted);

// q of a reduced model (nq), by modes, that comes nearest to displacements of the whole one's
// nodes.
void state_project(const lithe_model *m, const double *displacement, double *q);

// The model whose nodes and elements outsiders see.
const lithe_model *model_seen(const lithe_model *m);

#endif
