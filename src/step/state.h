// The state that moves over a model.
#ifndef STEP_STATE_H
#define STEP_STATE_H

#include "body/row_panels.h"
#include "step/contact.h"
#include "step/motion.h"
#include "step/tangent.h"
#include "step/target.h"
#include "step/truth.h"

typedef struct step_async step_async; // see async.h

// The Newton direction: what one pass writes, phase by phase.
typedef struct step_direction {
    int ncol;           // rows that are condensed: nact forward, nrow inverse
    double **rhs;       // L^-1 r, body by body (lines of A)
    row_panels *rows;   // L^-1 G' (driven rows), L^-1 H' (others), body by body
    double *delta_free; // what rows measure before efforts change (nrow)
    double *W;          // (ncol x nact); 0 where this takes rows out of the problem:
    elimination joints;
    double *W_kept; // … of bodies whose columns may be kept
    bool *kept;     // which these are (nbody)
    double *target; // efforts after the step (nact)
    double *dq;     // (nq)
    double *dx;     // J dq (nnode x 3) m
} step_direction;

enum { STEP_HISTORY = 512 };

// When passes have arrived, and how many of them there may be.
typedef struct newton_goal {
    double tolerance; // relative residual
    double enough;    // … when passes run out
    int passes;       // of one solution
    int left;         // … and of the whole step
} newton_goal;

struct lithe_state {
    arena memory;
    lithe_report report;
    bool (*stop)(void *user); // see lithe_watch
    void *stop_user;
    bool stopped; // this step was ended by it

    // What a state is, see configuration.c; the rest follows from it
    step_point now;
    double load; // share of loads and held displacements that `now` carries
    // What a step leads from one value to the next, see lithe_model.nsetting
    double *setting;             // that `now` carries (nsetting)
    double *setting_wanted;      // … and from the next step on (nsetting)
    lithe_command_kind *command; // (nact)
    double *value;               // of the command (nact)
    step_axes axes;              // what joints leave free
    step_task task;              // inverse: what the rows shall measure
    step_contact contact;        // contacts
    step_truth truth;            // how deep they really are
    step_motion motion;          // velocities and time
    row_limit *limit;            // of driven rows (nact)
    double *weight;              // of effectors (neffector)
    double tolerance;            // see lithe_step_def
    newton_goal goal;            // of passes, in the step that is taken

    // Where this load increment wants to go; written by step_aim
    double aim_load;
    double *setting_start,
        *setting_saved;   // when the step began; at the last equilibrium (nsetting)
    double *start, *told; // of driven rows when the step began: effort or displacement, command
    double *aim;          // … and where it shall be (nact)
    double *support;      // way to go of held nodes (nnode x 3) m
    double *support_q;    // … and of held coordinates (nq)
    bool supports_move;

    step_tangent tangent; // A and its factor
    step_direction pass;
    double moved; // in the last Newton step, or since the last factor, over the robot's size
    bool ahead;   // the tangent of the next equilibrium is wanted with it
    // Scratch
    double *nodal;               // (2 x nnode x 3)
    double *pulled, *unbalanced; // J' of something; of all forces, as it is summed (nq)
    double *W_before;            // W_aa of a proposal (nact x nact)
    double *square;              // (nact x nact)
    double *bounds;              // of the forward solve
    struct box_work *box;

    const lithe_model *model;
    // What outsiders see, at the same address for the life of the state; see state_publish
    state_whole *whole; // NULL: the model stands for itself
    double *position;   // of position nodes (nposition x 3) m
    double *rotation;   // their rotations (nposition x 3) rad; NULL where nothing rotates
    double *measured;   // what rows measure (nrow)
    step_async *async;  // NULL in other modes
    const double *warp; // rotations since the shape that the factor is of (nnode x 9); NULL: none

    step_point trial;
    step_point saved;    // only q, x, effort and delta: the last equilibrium
    step_point proposal; // only q (a motion), effort and delta: where the inverse goes from there

    lithe_residual last;
    lithe_phase_time time;
    int nhistory;
    double history[STEP_HISTORY];
};

// Shows outsiders where s->now is, once that is for good; all that follows from a configuration
// that has not come from a step.
void state_publish(lithe_state *s);
void state_refresh(const lithe_model *m, lithe_state *s);

// LITHE_INVALID, said: the actuator cannot be told that.
lithe_status step_check_command(const lithe_model *m, lithe_state *s, int actuator,
                                lithe_command_kind kind, const double *value);

// How the loads act that s->now is in balance with.
static inline body_loading state_loading(const lithe_state *s)
{
    return model_loading(s->model, s->aim_load, s->motion.time, s->setting);
}

#endif
