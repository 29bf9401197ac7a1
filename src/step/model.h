// The compiled model, which never changes, and the state that moves over it.
#ifndef STEP_MODEL_H
#define STEP_MODEL_H

#include "base/arena.h"
#include "base/pool.h"
#include "body/body.h"
#include "row/row.h"

typedef struct model_effector {
    const char *name;
    row_point point;
} model_effector;

struct lithe_model {
    arena memory;
    lithe_step_def step;
    int nbody;
    body *body;
    int nnode, ntet, ndof; // of all bodies
    double *X;             // placed rest positions (nnode x 3) m
    int *tet;              // (ntet x 4) among the nodes of all bodies
    int *tet_material;     // (ntet)
    int *tet_body;         // (ntet)
    int nmaterial;
    const char **material_name;
    int nrow; // one per actuator
    row *row;
    int *row_adr; // first entry of each row's gradient (nrow + 1)
    int neffector;
    model_effector *effector;
    double size;  // diagonal of the box around everything, m
    double noise; // force residual that roundoff leaves, N
};

// Everything that is known of one configuration.
typedef struct step_point {
    double *x;      // (nnode x 3) m
    double *effort; // (nrow)
    // depend on x and effort; written by point_evaluate
    double energy;    // elastic, J
    double *internal; // (nnode x 3) N
    double *external; // loads (nnode x 3) N
    double *pull;     // G' lambda (nnode x 3) N
    double *delta;    // (nrow) m or m^3
    double *H;        // gradients, row by row (row_adr[nrow] x 3)
    double residual;  // |internal - external - pull| over free coordinates, N
    double relative;  // the same over the largest of the three
} step_point;

enum { STEP_HISTORY = 512 };

struct lithe_state {
    arena memory;
    lithe_report report;
    pool *threads;

    // What a state is; the rest follows from it.
    step_point now;
    double load;                 // share of loads and held displacements that `now` carries
    lithe_command_kind *command; // (nrow)
    double *value;               // of the command (nrow)

    // Where this load increment wants to go; written by step_aim
    double aim_load;
    double *start; // effort or displacement of every row when the step began (nrow)
    double *aim;   // … and where it shall be (nrow)
    double *slip;  // way to go of held coordinates (nnode x 3) m
    bool slipping;

    // A and its factor, body by body; written by step_assemble and step_factor
    body_work *work;
    double **blocks;
    sparse_factor **factor;
    bool positive; // A was clamped
    int negative;  // negative pivots of the exact A

    // The Newton direction; written by step_free … step_correct
    double **rhs;       // L^-1 r, body by body (3 nrow)
    double **columns;   // L^-1 H', body by body (3 nrow x model rows)
    double *delta_free; // (nrow)
    double *W;          // (nrow x nrow)
    double *target;     // efforts after the step (nrow)
    double *dx;         // (nnode x 3) m
    double *box;        // scratch of step_solve

    step_point trial;
    step_point saved; // only x and effort: the last equilibrium

    lithe_residual last;
    lithe_phase_time time;
    int nhistory;
    double history[STEP_HISTORY];
};

#endif
