// The state that moves over a model.
#ifndef STEP_STATE_H
#define STEP_STATE_H

#include "base/pool.h"
#include "body/panel.h"
#include "step/contact.h"
#include "step/motion.h"
#include "step/point.h"
#include "step/task.h"
#include "step/truth.h"

typedef struct step_async step_async; // see async.h

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
    int negative; // eigenvalues of the exact A, what couples bodies included
    int held;     // of these, modes that displacement commands hold
} step_finding;

enum { STEP_HISTORY = 512 };

struct lithe_state {
    arena memory;
    lithe_report report;
    pool *threads;
    bool (*stop)(void *user); // see lithe_watch
    void *stop_user;
    bool stopped; // this step was ended by it

    // What a state is; the rest follows from it.
    step_point now;
    double load;                 // share of loads and held displacements that `now` carries
    lithe_command_kind *command; // (nact)
    double *value;               // of the command (nact)
    step_task task;              // inverse: what the rows shall measure
    step_contact contact;        // contacts
    step_truth truth;            // how deep they really are
    step_motion motion;          // velocities and time

    // Where this load increment wants to go; written by step_aim
    double aim_load;
    double *start;  // effort or displacement of every driven row when the step began (nact)
    double *aim;    // … and where it shall be (nact)
    double *slip;   // way to go of held nodes (nnode x 3) m
    double *slip_q; // … and of held coordinates (nq)
    bool slipping;

    // A and its factor, body by body; written by step_assemble and step_factor
    body_work *work;
    double **stiffness; // factor on the modulus of every element (nelement); NULL: 1
    double **K;         // their nodal tangents
    space_tangent *tangent;
    double *ahead; // the shape whose elastic stiffness K holds already (nnode x 3) m
    bool is_ahead; // … if they do
    step_finding found;
    double moved; // largest way of a coordinate in the last Newton step, over the robot's size

    // The Newton direction; written by step_free … step_correct
    int ncol;           // rows that are condensed: nact forward, nrow inverse
    double **rhs;       // L^-1 r, body by body (lines of A)
    space_panel *rows;  // L^-1 G' (driven rows), L^-1 H' (others), body by body
    double *nodal;      // scratch (nnode x 3)
    double *delta_free; // (nrow)
    double *W;          // (ncol x nact)
    double *W_before;   // W_aa of a proposal (nact x nact)
    double *square;     // scratch (nact x nact)
    double *target;     // efforts after the step (nact)
    double *dq;         // (nq)
    double *dx;         // J dq (nnode x 3) m
    double *pulled;     // scratch: J' of something (nq)
    double *bounds;     // scratch of the forward solve
    struct box_work *box;

    // What outsiders see of x: of position nodes alone (nplace x 3), written when asked for. NULL
    // where nothing turns.
    const lithe_model *model;
    double *place;      // m
    double *turn;       // rad
    step_async *async;  // NULL in other modes
    const double *warp; // rotations since the shape that the factor is of (nnode x 9); NULL: none

    step_point trial;
    step_point saved;    // only q, x, effort and delta: the last equilibrium
    step_point proposal; // only q (a motion), effort and delta: where the inverse wants to go
                         // from there

    lithe_residual last;
    lithe_phase_time time;
    int nhistory;
    double history[STEP_HISTORY];
};

// What evaluating and factoring need: work, stiffness, factor; and A, body by body.
lithe_status state_tangent_create(const lithe_model *m, lithe_state *s, int threads, arena *memory);
lithe_status state_nodal_create(const lithe_model *m, lithe_state *s, arena *memory);

#endif
