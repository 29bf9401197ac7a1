// Contact in the step. Every pair of features that is nearer than `reach` has a potential that
// grows without bound as its distance goes to zero: a barrier. So contact is one more force in the
// residual and one more stiffness in A, Newton minimizes the whole, and no configuration on the way
// overlaps. At an equilibrium the barrier gives way to Signorini's law, see contact_polish.c.
//
//     b(d) = -kappa (d - reach)^2 ln(d / reach),   force f = -b', stiffness k = b''
//
// Pairs with obstacles have nodes of one face, so their stiffness fits into A's pattern. What
// couples two bodies, or far parts of one, stands in a small dense matrix beside the factors, see
// solve/coupling.h. Method and measurements: docs/theory/contact-method.md.
#ifndef STEP_CONTACT_H
#define STEP_CONTACT_H

#include "contact/penetration.h"
#include "solve/impact.h"
#include "step/contact_couple.h"
#include "step/contact_row.h"
#include "step/iterate.h"

struct qpcc_problem;

typedef struct step_contact {
    contact_frame *from, *aim;    // obstacles at the start of the increment, and at its end
    contact_frame *before, *next; // … of the step
    contact_frame *saved;         // at the last equilibrium
    bool *off;                    // matches that are switched off (nmatch)
    double *friction;             // Coulomb's coefficient of every match (nmatch)
    bool rubs;                    // some are not 0
    bool moving;                  // obstacles are not at the aim yet
    bool secant;                  // friction that slips is taken with its secant stiffness
    bool cut;                     // the last pass was, since the merit did not fall
    bool barred;                  // … before a surface that it would have gone through
    bool whole;                   // what couples counts along all directions, in realtime too
    double near;                  // … and with its tangent below this relative residual
    int wait, secants;            // passes for which what is held stays; and with the secant so far
    double unit;                  // force in the balance for each newton of a contact
    bool law;                     // Signorini's law instead of the barrier
    double nearer;                // the barrier's reach over the model's
    double settled;               // … from which realtime steps at rest hold what has settled
    double mu;                    // its complementarity: force times slack, J
    proximity_positions ahead;    // where the direction leads
    proximity_positions last;     // the last equilibrium
    bool fresh;                   // it may overlap still, see contact_start.c
    penetration_list apart;
    bool *shallow; // matches that are not looked at deep inside (nmatch)
    double *H;     // second derivatives of the rows' potentials (rows x 144) N/m
    int max_H;
    double *point;                         // displacement of all vertices (nvertex x 3) m
    double *load;                          // scratch (nnode x 3)
    contact_memory known;                  // of the polish, from pass to pass: force, slack
    contact_memory stick;                  // from step to step: of friction, m; of its reach, less
    double *kept_support, *kept_support_q; // while it waits (nnode x 3), (nq)
    bool kept_supports_move;
    contact_coupling beside; // what couples bodies
    // Blows: there was one in this step, and what it reaches (nbody); see contact_friction.c
    bool struck, *struck_body;
    impact blow;
    // The barrier's equilibrium, from which the next step goes on
    bool based;
    double *base_q, *base_effort; // (nq), (nact)
    double *near_q, *near_effort; // of a barrier that is nearer
    bool saved_based;             // the same of the last equilibrium that was saved
    double *saved_q, *saved_effort;
    // Who wants to see the pieces, see contact_pieces.c; NULL: nobody
    void (*observe)(void *observer, const struct qpcc_problem *p);
    void *observer;
    // What outsiders are told
    int passes;        // of a realtime step, beyond its iterations
    const char *proof; // of an optimum where contacts begin; NULL: none was needed
} step_contact;

#endif
