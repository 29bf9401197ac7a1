// The compiled model, which never changes, and the state that moves over it.
#ifndef STEP_MODEL_H
#define STEP_MODEL_H

#include "base/arena.h"
#include "base/pool.h"
#include "body/body.h"
#include "row/row.h"
#include "step/contact.h"
#include "step/motion.h"
#include "step/task.h"
#include "step/truth.h"

// One actuator, effector or sensor: the rows [adr, adr + n).
typedef struct model_group {
    const char *name;
    int adr, n;
} model_group;

// How a command goes on in time, see lithe_actuator_def.
typedef struct model_play {
    int nwaypoint;
    double *waypoint; // (nwaypoint x rows)
    double *time;     // (nwaypoint) s
    double amplitude[3];
    double period; // s; 0: no sine
} model_play;

typedef struct model_actuator {
    model_group group;
    lithe_actuator_kind type;
    bool given; // the inverse leaves it at its command
    model_play play;
} model_actuator;

typedef struct model_effector {
    model_group group;
    lithe_effector_kind type;
    double weight;
    int priority; // 1 is served first
} model_effector;

typedef struct model_sensor {
    model_group group; // n = 0: it reads an actuator
    lithe_sensor_kind type;
    int actuator;
} model_sensor;

struct control_task; // of a later room, which alone knows it

struct lithe_model {
    arena memory;
    lithe_step_def step;
    lithe_dynamics_def dynamics;
    double *velocity; // dynamics: at the start (nnode x 3) m/s
    int nbody;
    body *body;
    int nnode, nelement, ndof; // of all bodies
    int nq;                    // coordinates of all bodies, held ones too
    size_t nJ;                 // numbers of J of all bodies
    int nplace;                // of the nodes, those that are positions, not rotations
    double *X;                 // placed rest positions (nnode x 3) m; 0 for rotations
    double *rest;              // of positions alone (nplace x 3) m
    int *cell_adr;             // first node of every element in cell_node (nelement + 1)
    int *cell_node;            // among the position nodes of all bodies
    unsigned char *cell_type;  // as VTK numbers cells (nelement)
    int *cell_material;        // (nelement)
    int *cell_body;            // (nelement)
    int nmaterial;
    const char **material_name;
    int nact; // rows that are driven: the first ones
    int nrow; // all: actuators, then effectors, then sensors
    row *row;
    int *row_adr; // first entry of each row's gradient (nrow + 1)
    int nactuator, neffector, nsensor;
    model_actuator *actuator;
    model_effector *effector;
    model_sensor *sensor;
    struct control_task *task;
    model_contact contact;
    check_world *check; // what may not overlap; NULL: nothing touches
    bool *tuned;        // bodies with a modulus that a row changes (nbody)
    double size;        // diagonal of the box around everything, m
    double noise;       // force residual that roundoff leaves, N
    double mass;        // dynamics: root of the sum of squares over all coordinates, kg
    double reach;       // largest coordinate of the box around everything, m
};

// Everything that is known of one configuration.
typedef struct step_point {
    double *q;      // coordinates of all bodies (nq)
    double *x;      // phi(q) (nnode x 3) m; rad for rotations
    double *J;      // of phi, where that is not known without q (nJ)
    double *effort; // (nact); of a parameter row: its number
    // depend on x and effort; written by point_evaluate
    double energy;         // elastic, J
    double *internal;      // (nnode x 3) N
    double *external;      // loads (nnode x 3) N
    double *pull;          // G' lambda (nnode x 3) N
    double *inertial;      // dynamics: M acceleration + D velocity; 0 in statics (nnode x 3) N
    double *delta;         // (nrow) m, m^3 or rad
    double *H;             // gradients, row by row (row_adr[nrow] x 3)
    double residual;       // |internal + inertial - external - pull| over free coordinates, N
    double relative;       // the same over the largest of the four
    contact_rows *contact; // pairs within reach; NULL in sketches
} step_point;

typedef struct step_async step_async; // see async.h

// Where the columns of a body are not zero: most have few nodes and reach few lines.
typedef struct step_reach {
    int nblock; // block rows that rows have nodes in
    int *block;
    int n; // lines that L^-1 makes of them
    space_span *span;
} step_reach;

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
    double **blocks;    // of the nodal tangents
    space_tangent *tangent;
    double *ahead;   // the shape whose elastic stiffness `blocks` holds already (nnode x 3) m
    bool is_ahead;   // … if they do
    bool positive;   // A was clamped
    bool singular;   // a pivot was too small to divide by
    bool saddle;     // A is indefinite, but displacement commands may hold its negative modes
    bool indefinite; // A cannot be used as it is
    int negative;    // negative eigenvalues of the exact A, what couples bodies included
    int clamped;     // … of the clamped one
    int held;        // of these, modes that displacement commands hold
    double moved;    // largest way of a coordinate in the last Newton step, over the robot's size

    // The Newton direction; written by step_free … step_correct
    int ncol;           // rows that are condensed: nact forward, nrow inverse
    double **rhs;       // L^-1 r, body by body (lines of A)
    double **columns;   // L^-1 G' (driven rows), L^-1 H' (others), body by body (lines x ncol)
    step_reach *reach;  // where those are not zero (nbody)
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

#endif
