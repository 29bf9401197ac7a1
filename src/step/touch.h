// Contact in the step: what was found at s->now as rows that come and go, up to the capacity of the
// model. Their columns stand beside those of the other rows, body by body, and bodies meet in W_cc.
#ifndef STEP_TOUCH_H
#define STEP_TOUCH_H

#include "contact/contact.h"
#include "solve/qpcc.h"

#include <stdbool.h>

struct box_work;
struct friction_work;
typedef struct touch_bend touch_bend;

enum { TOUCH_ENTRIES = 6 }; // of contacts that are kept, for each that there is room for

// Largest overlap, relative to the robot's size, that a converged step may leave.
#define TOUCH_TOLERANCE 1e-6

// How an obstacle moves from time 0 on.
typedef struct touch_path {
    int n;        // 0: it stays
    double *time; // (n) s
    double *way;  // (n x 6) rotate, move
} touch_path;

typedef struct touch_pair {
    const char *name[2];
    bool off; // when the scene begins
} touch_pair;

// What can touch; never changes.
typedef struct model_touch {
    int max;        // contacts at a time; 0: nothing touches
    double overlap; // that a realtime step may leave without more passes, m
    contact_world world;
    contact_frame *pose; // of the obstacles when the scene begins (nshape)
    touch_path *path;    // how they move (nshape)
    const char **shape_name;
    int npair;                  // as outsiders count them: a body's skins are one
    touch_pair *pair;           // (npair)
    int *pair_of;               // of every pair of skins and shapes (world.npair)
    bool global;                // the inverse proves its optimum
    bool friction;              // some pair has friction
    const char *friction_place; // where the first of it is said; may be NULL
} model_touch;

// Contacts whose forces are remembered, by id.
typedef struct touch_memory {
    int n;
    uint64_t *id;
    double *force; // N
    double *drag;  // friction, in the world (n x 3) N
    double *debt;  // by how much what sticks has slipped all the same (n x 3) m
    contact *row;  // those of the last equilibrium between skins, which come back as they were
} touch_memory;

// Where A is indefinite: rows E that hold its negative modes back, actuators and then contacts. See
// touch_saddle.c.
typedef struct saddle {
    int all, nheld, nfree;
    int *held, *free;     // rows E, the others
    double *A, *B;        // W_EE; what is solved for with it
    double *value, *rest; // scratch (all), (all^2 + 4 all)
} saddle;

typedef struct step_touch {
    contact_frame *shape, *shape_before; // where obstacles are, and were when the step began
    contact_frame *shape_aim;            // … and shall be at its end
    bool *off;                           // pairs of skins and shapes that are switched off
    skin_pose *skin, *skin_before;       // the same of skins
    contact_list list;                   // at s->now
    // Rows: the contacts' gaps, then two slips for each of those with friction
    int nrow;
    double unit;                // force in the balance for each newton of a contact
    int nslider;                // contacts with friction
    int *slider;                // which (max)
    double *tangent;            // two directions of each (nslider x 6)
    double *drag, *debt;        // of every contact, as in the memory (list.n x 3)
    contact_frame *shape_saved; // where obstacles were at the last equilibrium
    struct friction_work *friction;
    bool *kept;                       // a point of the surface that stays, see touch_find.c (max)
    double *offset;                   // distance of that point from the shape less the gap (max) m
    int *age, *age_other;             // looks since a point kept has pressed (max)
    bool keeping;                     // points are kept
    bool alone;                       // only these: nothing is found
    int exchanged;                    // how often it was looked again when they were alone
    int nkept;                        // since the last equilibrium
    double *x_found;                  // where it was found (nnode x 3) m
    contact_list other;               // of the look before
    contact_list sweep;               // seen on the way, see touch_sweep.c
    double *x_before;                 // when the step began (nnode x 3) m
    contact_frame *shape_between;     // obstacles on the way
    double depth;                     // deepest overlap of a row at the last look, m
    double overlap;                   // … and of the points that rows were put together from
    int deepest;                      // pair of skins and shapes that it is of
    int merged;                       // contacts that were put together there
    bool probed;                      // `other` is what was found at s->now
    int passes;                       // for overlaps, of the last realtime step
    touch_memory last, saved;         // before the last detection; of the last equilibrium
    double *target;                   // forces of the rows after the pass N
    double *rate;                     // of the rows along s->dx m
    double *gap_free;                 // of the rows, if forces stay m
    double *gap_trial;                // of the rows at s->trial m
    double **columns;                 // L^-1 H', body by body (3 block rows x nrow)
    touch_bend *bend;                 // of gaps between skins; NULL: not looked at
    double *W_cc;                     // (nrow x nrow)
    double *W_cr;                     // of contacts by all condensed rows (nrow x ncol)
    double *W, *q, *lo, *hi, *lambda; // forward: actuators and contacts together
    struct box_work *box;
    int *split;       // rows by what becomes of them where A is indefinite (2 (nact + max))
    bool *released;   // contacts that do not hold it (max)
    double *scratch;  // of that
    qpcc_work *qpcc;  // inverse
    bool near;        // … from the present contacts, though all could be looked at
    qpcc_proof proof; // of the last linear inverse problem
    double open;      // see lithe_contact_search
    bool asked;       // there was one, with contacts
    void (*observe)(void *observer, const qpcc_problem *p); // told of every problem; may be NULL
    void *observer;
    qpcc_level *level;
    double *Jc, *Ac, *W_ca, *e, *blo, *bhi, *gap;
} step_touch;

#endif
