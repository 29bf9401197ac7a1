// Configurations: where all bodies are, what is known there, and how one comes from another.
#ifndef STEP_ITERATE_H
#define STEP_ITERATE_H

#include "step/model.h"

typedef struct contact_rows contact_rows; // see contact.h

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
    long number; // of the look ahead that wrote these, among all of the state's; 0: it was none
} step_point;

// Forces, row values and gradients at p->x with p->effort, under the loads at s->aim_load.
void point_evaluate(const lithe_model *m, lithe_state *s, step_point *p);

// The same without the bodies' forces, which stand; and without contacts too.
void point_evaluate_rows(const lithe_model *m, lithe_state *s, step_point *p);
void point_evaluate_plain(const lithe_model *m, lithe_state *s, step_point *p);

// The same with the elastic part of A, which the next tangent_elements finds done if the
// shape is still this one.
void step_look_ahead(const lithe_model *m, lithe_state *s, step_point *p);

// What row r measures when the nodes move as given: H dx.
double point_row_rate(const lithe_model *m, const step_point *p, int r, const double *dx);

// out = f_int - f_ext of all kinds, at the nodes of a body.
void point_out_of_balance(const body *b, const step_point *p, double *out);

// Elements that are inside out at positions of all nodes.
int step_inverted(const lithe_model *m, pool *threads, const double *x);

// x and J of p->q, which whoever changes q asks for; at rest; moved on by a share of a motion (to
// may be from), idle nodes being left behind until they follow; dx = J dq.
void step_positions(const lithe_model *m, step_point *p);
void step_follow(const lithe_model *m, step_point *p);
void step_rest(const lithe_model *m, step_point *p);
void step_move(const lithe_model *m, const step_point *from, double share, const double *motion,
               step_point *to);
void step_push(const lithe_model *m, const double *J, const double *dq, double *dx);

// Nodes alone: moved on, and what takes the ones to the others.
void step_advance_nodes(const lithe_model *m, const double *x, double share, const double *way,
                        double *out);
void step_way(const lithe_model *m, const double *from, const double *to, double *way);

#endif
