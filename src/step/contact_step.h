// Contacts over a step: from its beginning to what is kept of it, see contact.c and
// contact_start.c.
#ifndef STEP_CONTACT_STEP_H
#define STEP_CONTACT_STEP_H

#include "step/state.h"

// Memory of a configuration's rows and of a state.
bool contact_rows_create(const lithe_model *m, arena *memory, contact_rows **out);
lithe_status contact_rows_reserve(contact_rows *rows, int n);
void contact_rows_free(contact_rows *rows);
lithe_status contact_create(const lithe_model *m, arena *memory, step_contact *t);
void contact_free(step_contact *t);
void contact_reset(const lithe_model *m, lithe_state *s);
void contact_forget(const lithe_model *m,
                    lithe_state *s); // what was known, of a shape that is left

// Takes over what another state knows of the same contacts: one of a model of one body that has the
// same nodes, in another space. s is nodal, and is left at the other's equilibrium of the barrier.
void contact_adopt(const lithe_model *m, lithe_state *s, const lithe_model *other_model,
                   const lithe_state *other);

// A step begins, at the barrier's equilibrium; an increment of it, whose obstacles go to a share of
// their way.
void contact_rebase(const lithe_model *m, lithe_state *s);
void contact_begin(const lithe_model *m, lithe_state *s);
void contact_aim(const lithe_model *m, lithe_state *s, double share);
void contact_save(const lithe_model *m, lithe_state *s);
void contact_restore(const lithe_model *m, lithe_state *s);

// Takes apart what is in contact or overlaps when the scene begins, or a pair is switched on.
lithe_status contact_take_apart(const lithe_model *m, lithe_state *s);

// The share of s->pass.dx that is safe; obstacles at s->trial after a share of it; which was taken.
double contact_safe(const lithe_model *m, lithe_state *s);
void contact_share(const lithe_model *m, lithe_state *s, double share);
void contact_taken(lithe_state *s, double share);
void contact_take_frames(const lithe_model *m, lithe_state *s, double share);
void contact_move(const lithe_model *m, lithe_state *s, double share, const double *motion);
void contact_predict(const lithe_model *m, lithe_state *s);

// What is held, and obstacles, wait for some passes where they are.
void contact_pause(const lithe_model *m, lithe_state *s, int passes);
void contact_resume(const lithe_model *m, lithe_state *s);
bool contact_moving(const lithe_state *s); // obstacles go along with this pass

// At the end of a time step: what contacts add to the rates.
void contact_push(const lithe_model *m, lithe_state *s, double *push);

// Restitution, see contact_friction.c. Is there a blow that should bounce in what a step has found?
// With velocities and accelerations of its start, what each contact was closed with; and then
// velocities after all blows. before: those at the start of the step.
bool blow_is_due(const lithe_model *m, lithe_state *s);
void blow_begin(const lithe_model *m, lithe_state *s);
lithe_status blow_end(const lithe_model *m, lithe_state *s, const double *before);

// Signorini's law at the barrier's equilibrium, see contact_polish.c.
lithe_status contact_polish(const lithe_model *m, lithe_state *s);

// The linear problem of the inverse with contacts that come and go, told to whoever observes; see
// contact_pieces.c. And its solution as s->proposal, with what is proved of it; false: there is
// none.
void contact_observe(const lithe_model *m, lithe_state *s);
bool contact_propose(const lithe_model *m, lithe_state *s);

#endif
