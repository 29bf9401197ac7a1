// Contacts as rows: pairs within reach with their forces and stiffness, and what is remembered of
// them; made by contact_rows.c.
#ifndef STEP_CONTACT_ROW_H
#define STEP_CONTACT_ROW_H

#include "contact/advance.h"

// One pair within reach.
typedef struct contact_row {
    proximity_pair pair;
    proximity_measure at;
    bool coupled;    // both sides give way, and A has no block for it
    bool soft;       // the barrier holds it for good
    double nearer;   // its reach over that of others: of what has bounced, only so far
    double approach; // speed with which its gap was closed in a blow, m/s; 0: there was none
    double force;    // normal, N: of the barrier, or the multiplier
    double stiff;    // -d(force)/d(distance) N/m
    double drive;    // force of the linear model if nothing moves, N; the force itself, but not in
                     // the polish
    double slack;    // polish: distance less that which is held, m
    double pull[12]; // forces on its points, N
    double friction[3];             // friction on a, N
    double mu, ratio, ease[3];      // most friction for each newton; along `ease` ratio times that
    double cling;                   // stiffness along the surface, N/m; 0: no friction
    double spring[3];               // how far its spring is stretched, m
    double along[3], sliding;       // direction of slip, and 1 if it slips
    double hessian;                 // largest entry of its force times the Hessian of its gap, N/m
    double slide[3];                // how friction falls as the gap opens, N/m
    double roll[2][SURFACE_POINTS]; // of sides that roll: see contact_point
} contact_row;

// All of one configuration.
struct contact_rows {
    proximity_positions positions;
    contact_frame *frame; // of obstacles there (nshape)
    proximity_list list;  // what was found
    int n, max;
    contact_row *row; // (max)
    int told;         // of these, that outsiders see: the first ones
    double energy;    // of the barrier, J
    double least;     // distance, m; INFINITY: nothing is within reach
};

// What friction remembers of a pair from step to step, and the polish from pass to pass.
typedef struct contact_memory {
    int n, max;
    struct contact_note {
        uint64_t id;
        double number[4];
    } * note; // by ascending id (max)
} contact_memory;

#endif
