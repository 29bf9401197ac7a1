// Contacts at one configuration: pairs, their forces and stiffness, friction; see contact_rows.c,
// contact_couple.c and contact_friction.c.
#ifndef STEP_CONTACT_ROWS_H
#define STEP_CONTACT_ROWS_H

#include "step/state.h"

// Nodes of point i of a row with their weights: of the material in contact, which on a round
// surface is not that of its vertices. spot: room for them. Returns how many there are; and how it
// moves with all vertices.
int contact_point(const lithe_model *m, const contact_row *c, int i,
                  surface_entry spot[SURFACE_FACE], const surface_entry **entry);
int contact_body(const lithe_model *m, int node); // whose node it is
void contact_point_way(const lithe_model *m, const contact_row *c, int i, const double *vertices,
                       double way[3]);

// Finds pairs at p->x and adds their forces to p->pull.
void contact_evaluate(const lithe_model *m, lithe_state *s, step_point *p);
void contact_pull(const lithe_model *m, lithe_state *s, step_point *p);
proximity_filter contact_filter(const lithe_model *m, const lithe_state *s);

// s->now's rows are everything within the detection distance, without forces.
void contact_look_far(const lithe_model *m, lithe_state *s);

// From here on the barrier holds a row of `rows`, of s->now, no farther out than it is: it gives
// back nothing.
void contact_shorten(const lithe_model *m, const lithe_state *s, contact_rows *rows,
                     contact_row *c);

// The part of the polish in contact_evaluate.
void polish_evaluate(const lithe_model *m, lithe_state *s, step_point *p);

// force += forces on a row's points, by their weights; how a moves against b as all nodes do.
void contact_spread(const lithe_model *m, const contact_row *row, double factor,
                    const double *point, double *force);
void contact_rate(const lithe_model *m, const contact_row *c, const double *motion, double rate[3]);
double contact_slope(const lithe_model *m, const lithe_state *s); // of the merit along s->pass.dx

// The phases' parts: into A; beside the factors (negative: eigenvalues that it adds); what rows
// measure; W; the direction.
lithe_status contact_stiffness(const lithe_model *m, lithe_state *s);
void contact_mark(const lithe_model *m, const lithe_state *s,
                  bool *met); // bodies in whose A a row of s->now is
void contact_coupled_stiffness(const lithe_model *m, lithe_state *s); // of rows that couple, anew
lithe_status contact_couple(const lithe_model *m, lithe_state *s, int *negative);
lithe_status contact_flatten(const lithe_model *m, lithe_state *s, int *negative); // what couples
void contact_rows_free_motion(const lithe_model *m, lithe_state *s);
void contact_condense(const lithe_model *m, lithe_state *s);
void contact_correct(const lithe_model *m, lithe_state *s, const double *change); // of efforts

// force += the contacts' stiffness times a displacement of the nodes, and of obstacles to their
// aim.
void contact_times(const lithe_model *m, lithe_state *s, const double *way, double *force);

// Friction
void friction_evaluate(const lithe_model *m, const lithe_state *s, const contact_rows *rows,
                       contact_row *c);
void friction_scale(const contact_row *c, double u[3]); // u = S u, in which its cone is round
// Which stiffness the next pass takes where friction slips; halved: the last one halved the
// residual.
void friction_begin(lithe_state *s);
void friction_choose(lithe_state *s, bool halved);
void friction_stiffness(const contact_row *c, bool secant, double *H);
double friction_merit(const lithe_model *m, const lithe_state *s, double share);
void friction_save(const lithe_model *m, lithe_state *s);

// Where a point that stands on a shape goes as the shape moves; how far the obstacle of contact i
// has moved there since the last equilibrium.
void contact_carry(const contact_frame *from, const contact_frame *to, const double x[3],
                   double way[3]);
void contact_obstacle_way(const lithe_model *m, const lithe_state *s, int i, double way[3]);

// What is remembered of pairs
bool contact_memory_reserve(contact_memory *known, int n);
void contact_memory_sort(contact_memory *known);
struct contact_note *contact_recall(const contact_memory *known, uint64_t id); // NULL: not known

#endif
