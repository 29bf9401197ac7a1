// The step's parts, in the order in which they are called.
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "solve/seidel.h"
#include "step/model.h"

// Forces, row values and gradients at p->x with p->effort, under the loads at s->aim_load.
void point_evaluate(const lithe_model *m, lithe_state *s, step_point *p);

// The same without the bodies' forces, which stand.
// … nor contacts.
void point_evaluate_plain(const lithe_model *m, lithe_state *s, step_point *p);
void point_evaluate_rows(const lithe_model *m, lithe_state *s, step_point *p);

// The same at s->now, with the elastic part of A, which the next step_assemble finds done if the
// shape is still this one.
void step_look_ahead(const lithe_model *m, lithe_state *s);

// Configurations: x and J of p->q, which whoever changes q asks for; at rest; moved on by a share
// of a motion (to may be from); dx = J dq; held coordinates += the travel of slider r.
void step_place(const lithe_model *m, step_point *p);
void step_rest(const lithe_model *m, step_point *p);
void step_move(const lithe_model *m, const step_point *from, double share, const double *motion,
               step_point *to);
void step_push(const lithe_model *m, const double *J, const double *dq, double *dx);
void step_slide(const lithe_model *m, int r, double travel, double *motion);

// Nodes alone: moved on, and what takes the ones to the others.
void step_advance_nodes(const lithe_model *m, const double *x, double share, const double *way,
                        double *out);
void step_way(const lithe_model *m, const double *from, const double *to, double *way);

// A share of the way of held coordinates is left.
void step_keep_slip(const lithe_model *m, lithe_state *s, double share);

// Sets where the increment that ends at share t of the step wants to go; start_load: the load when
// the step began.
void step_aim(const lithe_model *m, lithe_state *s, double t, double start_load);

// The parts of time integration, see motion.h. motion_create: false: no memory.
bool motion_create(const lithe_model *m, arena *memory, step_motion *motion);
void motion_reset(const lithe_model *m, lithe_state *s);

// Accelerations of the first moment, once.
lithe_status motion_start(const lithe_model *m, lithe_state *s);

// From s->now over h; and what velocities and accelerations are when x is found.
void motion_begin(const lithe_model *m, lithe_state *s, double h);
void motion_end(const lithe_model *m, lithe_state *s);

// p->inertial at p->x; and the part of A of body k that goes with it.
void motion_force(const lithe_model *m, lithe_state *s, step_point *p);
void motion_recall(const lithe_model *m, lithe_state *s); // s->now.inertial of a loaded state
// force += (inertia M + drag D) way, of all nodes of all bodies.
void motion_times(const lithe_model *m, const lithe_state *s, const double *way, double *force);
void motion_assemble(const lithe_model *m, lithe_state *s, int k);

// The force residual that roundoff leaves, inertia included, N.
double motion_noise(const lithe_model *m, const lithe_state *s);

// Adaptive steps, see stride.c. stride_share: how much of a step's dt to try, of what is left.
// stride_judge: LITHE_OK where what Newton found over h is near enough to the truth; leaves how
// long the next step, or the next trial, should be. newton: how Newton ended, after so many
// iterations.
bool stride_is_adaptive(const lithe_model *m);
double stride_share(const lithe_model *m, const lithe_state *s, double left);
lithe_status stride_judge(const lithe_model *m, lithe_state *s, lithe_status newton,
                          int iterations);

// One forward step of dt.
lithe_status motion_settle(const lithe_model *m, lithe_state *s);

// The seven phases. They take s->now and leave the direction s->dx and the efforts s->target.
lithe_status step_assemble(const lithe_model *m, lithe_state *s);
lithe_status step_factor(const lithe_model *m, lithe_state *s);
lithe_status step_free(const lithe_model *m, lithe_state *s);
lithe_status step_rows(const lithe_model *m, lithe_state *s);
lithe_status step_condense(const lithe_model *m, lithe_state *s);
lithe_status step_solve(const lithe_model *m, lithe_state *s);
lithe_status step_correct(const lithe_model *m, lithe_state *s);

// dq = A^-1 J' f over the free coordinates of body k, with the factor that is there; f and dq are
// of all bodies.
void step_solve_body(const lithe_model *m, lithe_state *s, int k, const double *f, double *dq);

// Largest displacement command that p misses, relative to each row's scale. A slack cable misses
// nothing; a row at its effort limit does only if limits_count.
double task_residual(const lithe_model *m, const lithe_state *s, const step_point *p,
                     bool limits_count);

// Viscoelastic materials over a step of h, from its beginning to its end at s->now; h = 0: as after
// a long time.
void step_relax_begin(const lithe_model *m, lithe_state *s, double h);
void step_relax_end(const lithe_model *m, lithe_state *s);

// Elements that are inside out at positions of all nodes.
int step_inverted(const lithe_model *m, const double *x);

// Fails where s->now has more elements inside out than s->saved: some laws have equilibria there,
// into which a long way (length, in shares of the step) falls. On a short one a few elements may
// fold, as they do in corners of coarse meshes, but not many at once.
lithe_status step_check_folds(const lithe_model *m, lithe_state *s, double length);

// How many rows have a displacement command that holds them, so that each may hold one unstable
// mode back.
int step_taut_rows(const lithe_model *m, const lithe_state *s);
bool step_is_taut(const lithe_model *m, const lithe_state *s, int r); // is row r one of them?

// Counts s->negative and s->held at the shape that was found.
void stability_judge(const lithe_model *m, lithe_state *s);

// The inverse's half of step_solve: efforts for which the wanted rows come nearest to their
// targets.
lithe_status inverse_solve(const lithe_model *m, lithe_state *s);

// A whole inverse step to an equilibrium that is an optimum.
lithe_status inverse_settle(const lithe_model *m, lithe_state *s);

// Does the inverse leave driven row r at its command?
bool task_is_given(const lithe_model *m, int r);

// Priority (from 1) and weight of a wanted row.
int task_priority(const lithe_model *m, int r, double *weight);

// Learns from the first level at this equilibrium; false: there is nothing to compare it with yet.
bool curvature_learn(const lithe_model *m, lithe_state *s, const hierarchy_level *level);

// Puts what was learnt into the level.
void curvature_apply(const lithe_model *m, lithe_state *s, hierarchy_level *level);

// Contacts, see contact.h. Memory of a configuration's rows and of a state.
bool contact_rows_create(const lithe_model *m, arena *memory, contact_rows **out);
lithe_status contact_rows_reserve(contact_rows *rows, int n);
void contact_rows_free(contact_rows *rows);
lithe_status contact_create(const lithe_model *m, arena *memory, step_contact *t);
void contact_free(step_contact *t);
void contact_reset(const lithe_model *m, lithe_state *s);
// A step begins; an increment of it, whose obstacles go to a share of their way.
void contact_rebase(const lithe_model *m, lithe_state *s);
void contact_begin(const lithe_model *m, lithe_state *s);
// Takes apart what touches or overlaps when the scene begins, or a pair is switched on.
lithe_status contact_take_apart(const lithe_model *m, lithe_state *s);
void contact_aim(const lithe_model *m, lithe_state *s, double share);
void contact_save(const lithe_model *m, lithe_state *s);
void contact_restore(const lithe_model *m, lithe_state *s);
// Finds pairs at p->x and adds their forces to p->pull.
void contact_evaluate(const lithe_model *m, lithe_state *s, step_point *p);
void contact_pull(const lithe_model *m, lithe_state *s, step_point *p);
// force += forces on a row's points, by their weights.
void contact_spread(const lithe_model *m, const contact_row *row, double factor,
                    const double *point, double *force);
proximity_filter contact_filter(const lithe_model *m, const lithe_state *s);
// The phases' parts: into A; beside the factors (negative: eigenvalues that it adds); what rows
// measure; W; the direction.
lithe_status contact_stiffness(const lithe_model *m, lithe_state *s);
lithe_status contact_couple(const lithe_model *m, lithe_state *s, int *negative);
void contact_rows_free_motion(const lithe_model *m, lithe_state *s);
void contact_condense(const lithe_model *m, lithe_state *s);
void contact_correct(const lithe_model *m, lithe_state *s);
// force += the contacts' stiffness times a displacement of the nodes, and of obstacles to their
// aim.
void contact_times(const lithe_model *m, lithe_state *s, const double *way, double *force);
// The share of s->dx that is safe; obstacles at s->trial after a share of it; which was taken.
double contact_safe(const lithe_model *m, lithe_state *s);
void contact_share(const lithe_model *m, lithe_state *s, double share);
void contact_taken(lithe_state *s, double share);
void contact_take_frames(const lithe_model *m, lithe_state *s, double share);
void contact_move(const lithe_model *m, lithe_state *s, double share, const double *motion);
void contact_predict(const lithe_model *m, lithe_state *s);
// How far the obstacle of contact i has moved there since the last equilibrium.
void contact_obstacle_way(const lithe_model *m, const lithe_state *s, int i, double way[3]);
double contact_slope(const lithe_model *m, const lithe_state *s); // of the merit along s->dx
// At the end of a time step: what contacts add to the rates.
void contact_push(const lithe_model *m, lithe_state *s, double *push);
// What is held, and obstacles, wait for some passes where they are.
void contact_pause(const lithe_model *m, lithe_state *s, int passes);
void contact_resume(const lithe_model *m, lithe_state *s);
bool contact_moving(const lithe_state *s); // obstacles go along with this pass
// Signorini's law at the barrier's equilibrium, see contact_polish.c; and the part of it in
// contact_evaluate.
void contact_polish(const lithe_model *m, lithe_state *s);
void polish_evaluate(lithe_state *s, step_point *p);
// Friction, see contact_friction.c.
void friction_evaluate(const lithe_model *m, const lithe_state *s, const contact_rows *rows,
                       contact_row *c);
void friction_stiffness(const contact_row *c, double *H);
double friction_merit(const lithe_model *m, const lithe_state *s, double share);
void friction_save(const lithe_model *m, lithe_state *s);
void contact_carry(const contact_frame *from, const contact_frame *to, const double x[3],
                   double way[3]);
void contact_rate(const lithe_model *m, const lithe_state *s, const contact_row *c, double rate[3]);
// The linear problem of the inverse with contacts that come and go, told to whoever observes.
void contact_observe(const lithe_model *m, lithe_state *s);
// Its solution as s->proposal, and what is proved of it; false: there is none.
bool contact_propose(const lithe_model *m, lithe_state *s);
// s->now's rows are everything within the alarm distance, without forces.
void contact_look_far(const lithe_model *m, lithe_state *s);
bool contact_memory_reserve(contact_memory *known, int n);
void contact_memory_sort(contact_memory *known);
struct contact_note *contact_recall(const contact_memory *known, uint64_t id); // NULL: not known

// Is the elements' stiffness needed after it is in A? By several threads that add it up, by
// supports and sliders that move, by damping.
bool state_keeps_stiffness(const lithe_model *m, const body *b, int threads);

// What evaluating and factoring need: work, stiffness, factor; and A, body by body.
lithe_status state_tangent_create(const lithe_model *m, lithe_state *s, int threads, arena *memory);
lithe_status state_blocks_create(const lithe_model *m, lithe_state *s, arena *memory);

// Memory of a task; false: no memory.
bool task_create(const lithe_model *m, arena *memory, step_task *t);

// Limits that hold the solution and what they cost, in m^2 per N, Pa, m or m^3. price: of the
// efforts, then of the other limits.
void inverse_keep_prices(const lithe_model *m, lithe_state *s, const double *price, int nlimit);

// The motion of all nodes that one unit of slider r brings in the inverse, in s->nodal; NULL: it
// is none.
const double *step_carried(const lithe_model *m, lithe_state *s, int r);

// Levels and limits of the linear problem as hierarchies take them.
void inverse_gather(const lithe_model *m, lithe_state *s, int *nlevel, int *nlimit);

const double *inverse_weights(const lithe_model *m, lithe_state *s);

// Bounds of this step: limits, and rates over dt from where the step starts.
void inverse_bounds(const lithe_model *m, lithe_state *s);

// Brings loads, and commands of all driven rows, in as many increments as it takes.
lithe_status forward_settle(const lithe_model *m, lithe_state *s);

// What the inverse found is what the actuators are told from now on.
void step_keep_commands(const lithe_model *m, lithe_state *s);

// LITHE_NOT_CONVERGED once the caller wants the step to end.
lithe_status step_watch(lithe_state *s);

// Residuals and the load of where s->now is, at share t of the step.
void step_finish(const lithe_model *m, lithe_state *s, double t);

// LITHE_NOT_CONVERGED where an effort limit kept a displacement command from being met.
lithe_status step_check_limits(const lithe_model *m, lithe_state *s);

void step_save(const lithe_model *m, lithe_state *s);
void step_restore(const lithe_model *m, lithe_state *s);

// The seven phases in their order.
lithe_status step_pass(const lithe_model *m, lithe_state *s);

// Does time go on?
bool step_is_moving(const lithe_model *m);

// A step of the mode realtime.
lithe_status realtime_step(const lithe_model *m, lithe_state *s);

// One pass, taken as far as it is good.
lithe_status newton_pass(const lithe_model *m, lithe_state *s);

// Newton to the aim. LITHE_NOT_CONVERGED leaves s->now wherever it got to.
lithe_status newton_solve(const lithe_model *m, lithe_state *s);

#endif
