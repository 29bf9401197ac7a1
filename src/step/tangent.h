// A and its factor, body by body: all that linearizing a configuration needs and writes. A state
// has one, and so has the thread that makes factors for the asynchronous mode.
#ifndef STEP_TANGENT_H
#define STEP_TANGENT_H

#include "base/pool.h"
#include "step/iterate.h"

// What A turned out to be good for.
typedef enum tangent_use {
    TANGENT_GOOD,       // positive definite
    TANGENT_SADDLE,     // indefinite, but displacement commands may hold its negative modes
    TANGENT_INDEFINITE, // of no use
    TANGENT_SINGULAR,   // nor was there a factor: a pivot was too small to divide by
} tangent_use;

typedef struct step_finding {
    tangent_use use;
    bool clamped; // A was clamped, element by element, to be positive
    bool flat;    // … or only what couples bodies, which lacks its curvature
    int negative; // eigenvalues of the exact A, what couples bodies included
    int held;     // of these, modes that displacement commands hold
} step_finding;

// What factoring all bodies found.
typedef struct tangent_report {
    int negative;
    bool singular;
    int body, node; // where it could not be factored; -1: what couples bodies, or not known
} tangent_report;

// What a factor is of, see reuse.h.
typedef struct step_source {
    bool made;       // there is a factor of it
    bool known;      // … and this step may lean on it
    double *x;       // (nnode x 3) m
    double *effort;  // (nact)
    double *setting; // as the state's
    double load, time;
    long number; // of the look ahead there
} step_source;

typedef struct step_tangent {
    pool *threads;       // NULL: the caller's alone
    body_work *work;     // (nbody)
    double **stiffness;  // factor on the modulus of every element (nelement); NULL: 1
    double **room;       // for these
    double *modulus;     // factors on materials that they have been filled with (nmaterial)
    double **K;          // nodal tangents
    space_tangent *of;   // what spaces make of them (nbody)
    double *ahead;       // the shape whose elastic stiffness K holds already (nnode x 3) m
    bool is_ahead;       // … if it does
    long looks_ahead;    // how often one was, so far
    bool keep;           // factors of the pass before serve this one too
    bool chord;          // … and so do rows' columns in them
    bool again;          // they are the very ones that this pass would make
    bool *fresh;         // bodies whose factor this pass makes all the same (nbody)
    bool *met;           // … in whose A there are contacts (nbody)
    double gone;         // the way of steps since then, over the robot's size
    bool along;          // the free motion's right-hand side goes with the factorization
    bool forwarded;      // … and has gone
    space_report *alone; // … of which this was found, without what couples them (nbody)
    step_source source;  // … and this is what it is of
    step_finding found;
} step_tangent;

// Memory: work, stiffness, factor; and A, which the asynchronous mode needs only where factors are
// made.
lithe_status tangent_create(const lithe_model *m, int threads, arena *memory, step_tangent *t);
lithe_status tangent_create_nodal(const lithe_model *m, arena *memory, step_tangent *t);

// Moduli that settings (see state.setting) and rows have changed, as factors on their elements; and
// all as they were compiled.
void tangent_moduli(const lithe_model *m, const double *setting, const double *effort,
                    step_tangent *t);
void tangent_forget_moduli(const lithe_model *m, step_tangent *t);

// Of bodies that are fresh: K of elements and loads at p, whose forces are written; += what efforts
// add; and A of it. exact or clamped: as t->found says. scratch: (nnode x 3)
void tangent_elements(const lithe_model *m, step_point *p, const body_loading *loads,
                      step_tangent *t);
void tangent_efforts(const lithe_model *m, const step_point *p, step_tangent *t);
void tangent_pull_back(const lithe_model *m, const step_point *p, double *scratch, step_tangent *t);

// K of elements, loads and efforts of all bodies at p, exact, whatever passes before have kept.
void tangent_exact(const lithe_model *m, step_point *p, const body_loading *loads, step_tangent *t);

// Of bodies that are fresh, and what was found of all. y: right-hand sides that go through the
// lower half of each on the way (nbody), or NULL.
tangent_report tangent_factor(const lithe_model *m, step_tangent *t, double *const *y);

// t->found.negative and .use of it. taut: rows that may hold unstable modes back.
// LITHE_NOT_CONVERGED, said: it is of no use.
lithe_status tangent_judge(const lithe_model *m, const tangent_report *sum, int taut,
                           step_tangent *t, lithe_report *report);

#endif
