// What a step is worth, told by a check that the step does not use (contact/check.h).
#ifndef STEP_TRUTH_H
#define STEP_TRUTH_H

#include "contact/check.h"

// Growth of energy that nothing put in, as a share of the largest energy so far, with which a
// motion no longer counts as converged. Work is known to a few hundredths where steps are long for
// the motion; what runs away is far beyond.
#define ENERGY_TOLERANCE 0.5

// Energy since the motion began, see energy_watch.c.
typedef struct energy_watch {
    bool on;
    double work;       // put in by loads, actuators, supports and obstacles, J
    double grown;      // largest rise of the energy beyond that, J
    double grown_time; // … and when it was reached, s
    double scale;      // largest kinetic and elastic energy, J
    double least;      // of energy less work, J
    double slack;      // what forces that are not in balance may have put in, J
    // when the last step ended
    double energy;  // kinetic and elastic, J
    double *force;  // of loads and of what holds (nnode x 3) N; NULL: not watched
    double *effort; // of driven rows (nact)
    double *way;    // … and where they were
    // of coordinates that carry nodes, what holds them for these (nq) N, and where they were (nq);
    // NULL: none of them moves
    double *grip, *q;
    double *grip_now, *lack; // scratch (nq), (nnode x 3)
} energy_watch;

typedef struct step_truth {
    check_work *work;    // NULL: there is no contact
    check_depth deepest; // overlap at the end of the last step
    lithe_apart apart;   // … and the joint that has given way most
    energy_watch energy; // in motion
} step_truth;

// The surfaces, shapes and pairs of the model's contacts; after they are compiled.
lithe_status truth_build(lithe_model *m);
bool truth_create(const lithe_model *m, arena *memory, step_truth *out);

bool energy_create(const lithe_model *m, arena *memory, energy_watch *w);
void energy_begin(const lithe_model *m, lithe_state *s);   // a motion, at s->now
void energy_account(const lithe_model *m, lithe_state *s); // a step in time, at its end
// Would a step that ends at s->now with these velocities bring in energy? in_step: since its start,
// else since there was least of it, what was put in aside.
bool energy_gains(const lithe_model *m, lithe_state *s, const double *velocity, bool in_step);
double
energy_growth(const energy_watch *w); // as a share of the largest energy; 0: none that is sure

// How far joints are open where nodes are at x (nnode x 3).
lithe_apart truth_apart(const lithe_model *m, const double *x);

// s->truth at s->now.
void truth_measure(const lithe_model *m, lithe_state *s);

// The end of every step: LITHE_NOT_CONVERGED where one that claims to have converged has left
// surfaces in each other, or joints open; else the status that it is given.
lithe_status truth_judge(const lithe_model *m, lithe_state *s, lithe_status status);

// Depth that a step of the model's mode may leave, m.
double truth_allowed(const lithe_model *m);

#endif
