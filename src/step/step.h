// The step's parts, in the order in which they are called.
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "solve/seidel.h"
#include "step/model.h"

// Forces, row values and gradients at p->x with p->effort, under the loads at s->aim_load.
void point_evaluate(const lithe_model *m, lithe_state *s, step_point *p);

// The same without the bodies' forces, which stand. Contacts are found anew where p is s->now.
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

// Contacts. Memory; false: there is none.
bool touch_create(const lithe_model *m, arena *memory, step_touch *t);
void touch_reset(const lithe_model *m, lithe_state *s);
void touch_begin(const lithe_model *m,
                 lithe_state *s); // a step: what passes through is seen from here
void touch_aim(const lithe_model *m, lithe_state *s, double t); // obstacles at a share of their way
// Finds contacts at s->now; those that were there keep their forces.
void touch_find(const lithe_model *m, lithe_state *s);
// Adds what has closed since the step began, and is not in the list of what was found at s->now.
void touch_sweep(const lithe_model *m, lithe_state *s, contact_list *list);
// A frame at a share of the way between two.
void touch_between(const contact_frame *from, const contact_frame *to, double t,
                   contact_frame *now);
// touch.depth at s->now; where touch_find follows, it takes what was found here.
void touch_probe(const lithe_model *m, lithe_state *s);
// How contacts are looked at in iteration k of Newton's method, see touch_find.c.
void touch_look(const lithe_model *m, lithe_state *s, int k);
// At an equilibrium: false if something overlaps, and then contacts have been found anew.
bool touch_settled(const lithe_model *m, lithe_state *s);
void touch_save(const lithe_model *m, lithe_state *s);
void touch_restore(const lithe_model *m, lithe_state *s);
void touch_loaded(const lithe_model *m, lithe_state *s);
void touch_renew(const lithe_model *m, lithe_state *s); // finds contacts with nothing kept
// force += what the contacts do to the nodes.
void touch_pull(const lithe_state *s, const double *press, double *force);
// By how much contact c opens when the nodes move.
double touch_motion(const lithe_state *s, int c, const double *displacement);
void touch_rates(lithe_state *s); // touch.rate
// The line search's part: largest gap that should be closed, or overlap, over the robot's size, at
// s->now or s->trial; what the merit loses along s->dx, and to the trial; forces and gaps alpha of
// the way along s->dx.
double touch_residual(const lithe_model *m, const lithe_state *s, bool trial);
double touch_slope(const lithe_state *s);
double touch_merit(const lithe_state *s, double alpha);
void touch_share(const lithe_model *m, lithe_state *s, double alpha);
double touch_gap(const lithe_model *m, const lithe_state *s, int c, double alpha);
void touch_remember(const step_touch *t, const double *press, bool whole, touch_memory *out);
uint64_t touch_id(uint64_t id);                           // of what a point that is kept belongs to
int touch_recall(const touch_memory *known, uint64_t id); // -1: it is not known
int touch_most(const lithe_model *m);                     // rows
const contact *touch_contact(const step_touch *t, int r);
const contact_entry *touch_gradient(const step_touch *t, int r, int i, double H[3]);
// Friction: forces of slips to the world and back as contacts change; how far the law is from being
// obeyed (m); what sticks is remembered; the slips at s->now; the forces of all rows in touch.W.
void slip_gather(lithe_state *s);
void slip_rows(const lithe_model *m, lithe_state *s);
double slip_residual(const lithe_model *m, const lithe_state *s, bool trial);
void slip_save(const lithe_model *m, lithe_state *s);
void slip_free(const lithe_model *m, lithe_state *s);
lithe_status slip_solve(const lithe_model *m, lithe_state *s);
double slip_coefficient(const lithe_model *m, const lithe_state *s, int c);
bool slip_sticks(double mu, double normal, const double force[2]);
// How far the point of an obstacle has moved since the last equilibrium that contact k touches now.
void touch_obstacle_way(const lithe_model *m, const lithe_state *s, const contact *k,
                        double way[3]);
// At the end of a time step: what contacts add to the accelerations; what touches stops.
void touch_push(const lithe_model *m, lithe_state *s, double *push);
void touch_stop(const lithe_model *m, lithe_state *s);
// The phases' parts.
void touch_stiffness(const lithe_model *m, lithe_state *s);
void touch_rows(const lithe_model *m, lithe_state *s);
void touch_condense(const lithe_model *m, lithe_state *s);
// out (a.n x b.n) += A' D^-1 B over the lines of one body; of a with itself, its lower half.
typedef struct touch_columns {
    int n;
    const double *of; // (lines x n)
} touch_columns;
void touch_products(const touch_columns *a, const touch_columns *b, int lines,
                    const double *inverse, double *out);
// How gaps between skins bend, in each phase.
int bend_most(const lithe_model *m); // columns; 0: not looked at
bool bend_create(const lithe_model *m, arena *a, step_touch *t);
void bend_rows(const lithe_model *m, lithe_state *s);
bool bend_used(const lithe_state *s);
void bend_condense(const lithe_model *m, lithe_state *s);
void bend_correct(const lithe_model *m, lithe_state *s, int k);
lithe_status touch_solve(const lithe_model *m, lithe_state *s, const double *q, const double *lo,
                         const double *hi);
int touch_pressing(const lithe_state *s); // contacts that carry a force
// touch.lambda of the problem in touch.W where A is indefinite; false: it is not held.
bool saddle_solve(const lithe_model *m, lithe_state *s);
// The same with friction.
bool brace_solve(const lithe_model *m, lithe_state *s);
// E: actuators that `holds` says, and contacts that hold with such forces unless they were
// released.
typedef bool (*saddle_holds_row)(const lithe_model *m, const lithe_state *s, int r);
saddle saddle_choose(const lithe_model *m, const lithe_state *s, saddle_holds_row holds,
                     const double *press);
void saddle_gather(const step_touch *t, const saddle *d); // W_EE
int saddle_modes(const step_touch *t, const saddle *d);   // negative eigenvalues of W_EE
int saddle_held(const lithe_model *m, lithe_state *s);    // modes that commands and contacts hold
void touch_gather(const lithe_model *m, lithe_state *s);  // touch.W
void touch_correct(const lithe_model *m, lithe_state *s, int k);
// What the pass's change of contact forces does to row r.
double touch_effect(const lithe_state *s, int r);
// The inverse with contacts: by sweeps, and as a QPCC.
seidel_contacts touch_sweeps(const lithe_model *m, lithe_state *s);
lithe_status touch_inverse(const lithe_model *m, lithe_state *s, int nlevel, int nlimit);
// The same where A is indefinite; see touch_hold.c. Levels and limits are used up by it.
typedef enum touch_found {
    TOUCH_FOUND,
    TOUCH_RELEASED, // a contact that held it would have to pull: once more without it
    TOUCH_NOT_HELD,
} touch_found;
touch_found touch_inverse_held(const lithe_model *m, lithe_state *s, int nlevel, int nlimit);
bool hold_can(const lithe_model *m, const lithe_state *s, int r); // the actuator may be in E
void hold_begin(const lithe_model *m, lithe_state *s);
bool hold_choose(const lithe_model *m, lithe_state *s, saddle *d); // false: nothing holds it
void hold_exchange(const lithe_model *m, lithe_state *s, const saddle *d, qpcc_problem *p);
// False: a contact of E would have to pull, and is released.
bool hold_recover(const lithe_model *m, lithe_state *s, const saddle *d, const qpcc_solution *y);
void hold_absolute(const lithe_model *m, lithe_state *s, double *out); // |W_aa|

// Is the elements' stiffness needed after it is in A? By several threads that add it up, by
// supports and sliders that move, by damping.
bool state_keeps_stiffness(const lithe_model *m, const body *b, int threads);

// What evaluating and factoring need: work, stiffness, factor; and A, body by body.
lithe_status state_tangent_create(const lithe_model *m, lithe_state *s, int threads, arena *memory);
lithe_status state_blocks_create(const lithe_model *m, lithe_state *s, arena *memory);

// Memory of a task; false: no memory.
bool task_create(const lithe_model *m, arena *memory, step_task *t);

// Can the inverse make use of an A that is indefinite? Between equilibria, with contacts.
bool inverse_may_hold(const lithe_model *m, const lithe_state *s);

// Limits that hold the solution and what they cost, in m^2 per N, Pa, m or m^3. price: of the
// efforts, then of the other limits.
void inverse_keep_prices(const lithe_model *m, lithe_state *s, const double *price, int nlimit);

// The motion of all nodes that one unit of slider r brings in the inverse, in s->nodal; NULL: it
// is none.
const double *step_carried(const lithe_model *m, lithe_state *s, int r);

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

// Newton to the aim. LITHE_NOT_CONVERGED leaves s->now wherever it got to.
lithe_status newton_solve(const lithe_model *m, lithe_state *s);

#endif
