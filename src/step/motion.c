// Time integration: implicit Euler and generalized-alpha [chung1993] in the form of Arnold and
// Brüls [arnold2007], whose equation of motion holds at the end of the step, so that efforts and
// residuals belong to the same moment as positions.
#include "step/motion.h"

#include "base/clock.h"
#include "base/vec.h"
#include "base/worst.h"
#include "body/damping.h"
#include "body/spin.h"
#include "step/contact_step.h"
#include "step/iterate.h"
#include "step/newton.h"
#include "step/phases.h"
#include "step/step.h"
#include "step/tolerances.h"
#include "step/truth.h"

#include <string.h>

// x' = x + h v + h^2 ((1/2 - beta) a + beta a'),   v' = v + h ((1 - gamma) a + gamma a')
// (1 - am) a' + am a = (1 - af) rate' + af rate
typedef struct alpha_numbers {
    double am, af, beta, gamma;
} alpha_numbers;

static alpha_numbers alpha_of(double spectral_radius)
{
    double rho = spectral_radius;
    alpha_numbers n = {.am = (2 * rho - 1) / (rho + 1), .af = rho / (rho + 1)};
    n.gamma = 0.5 - n.am + n.af;
    n.beta = 0.25 * (1 - n.am + n.af) * (1 - n.am + n.af);
    return n;
}

// With which contacts enter a balance that is scaled to hold at the end of the step.
static double contact_weight(const lithe_model *m)
{
    return 1 / (1 - alpha_of(m->dynamics.spectral_radius).af);
}

bool motion_create(const lithe_model *m, arena *memory, step_motion *motion)
{
    size_t n = 3 * (size_t)m->nnode;
    if (m->dynamics.scheme == LITHE_STATIC)
        return true;
    double **array[] = {&motion->start, &motion->leap, &motion->calm};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        if (!(*array[k] = arena_new(memory, n, double)))
            return false;
    if (m->dynamics.stiffness_damping == 0)
        return true;
    motion->damping = arena_new(memory, m->nbody, body_damping);
    for (int k = 0; motion->damping && k < m->nbody; k++)
        if (body_damping_create(&m->body[k], memory, &motion->damping[k]) != LITHE_OK)
            return false;
    return motion->damping;
}

// Damping by stiffness where the nodes of this step will be about, x + h v: off by h^2, as the step
// itself is, and a force that is linear in the velocity. It counts as assembly.
static void find_damping(const lithe_model *m, lithe_state *s)
{
    step_motion *motion = &s->motion;
    double *x = s->nodal, start = clock_now();
    if (!motion->damping)
        return;
    step_advance_nodes(m, s->now.x, motion->h, motion->velocity, x);
    for (int k = 0; k < m->nbody; k++)
        body_damping_find(&m->body[k], &motion->damping[k], x + 3 * (size_t)m->body[k].node_adr,
                          s->tangent.stiffness[k]);
    s->time.assemble += clock_now() - start;
}

// force += D v, both of all bodies at x
static void add_damping(const lithe_model *m, const step_motion *motion, const double *x,
                        double factor, const double *v, double *force)
{
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        body_mass_times(&m->body[k], x + at, factor * m->dynamics.mass_damping, v + at, force + at);
        if (motion->damping)
            body_damping_times(&m->body[k], &motion->damping[k],
                               factor * m->dynamics.stiffness_damping, v + at, force + at);
    }
}

void motion_reset(const lithe_model *m, lithe_state *s)
{
    size_t bytes = 3 * (size_t)m->nnode * sizeof(double);
    step_motion *motion = &s->motion;
    motion->time = 0;
    motion->on = motion->held = motion->damped = false;
    s->truth.energy.on = false;
    if (m->dynamics.scheme == LITHE_STATIC)
        return;
    memcpy(motion->velocity, m->velocity, bytes);
}

static bool is_euler(const lithe_model *m, const step_motion *motion)
{
    return m->dynamics.scheme == LITHE_EULER || motion->damped;
}

static spin_scheme spin_of(const lithe_model *m, const step_motion *motion)
{
    alpha_numbers n = alpha_of(m->dynamics.spectral_radius);
    if (is_euler(m, motion))
        return (spin_scheme){.gamma = 1, .h = motion->h, .rate = motion->damping_rate};
    return (spin_scheme){n.am, n.af, n.gamma, motion->h, motion->damping_rate};
}

// Nodes of a body at the start of the step.
static spin_start start_of(const step_motion *motion, const body *b)
{
    size_t at = 3 * (size_t)b->node_adr;
    return (spin_start){motion->start + at, motion->velocity + at, motion->rate + at,
                        motion->lagged + at};
}

// Velocities at the end of a way of all nodes, in its place.
static void velocity_of_way(const lithe_model *m, const step_motion *motion, double *way)
{
    spin_scheme scheme = spin_of(m, motion);
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        spin_velocity(&m->body[k], &scheme, motion->calm + at, way + at);
    }
}

// A blow excites every frequency there is, and of the high ones, where the material is not linear,
// generalized-alpha makes energy: such a step is taken again by implicit Euler. Of its solutions
// only those that fold elements have more energy than before: such a step is cut. Passes that leave
// joints out of balance where they rotate fast do the same.
bool motion_gains(const lithe_model *m, lithe_state *s)
{
    const step_motion *motion = &s->motion;
    if (!is_euler(m, motion) && (step_leans(m, s) || blow_is_due(m, s)))
        return true;
    bool in_passes = m->step.mode != LITHE_CONVERGED && m->nact > m->nown;
    if (!m->contact.on && (!in_passes || is_euler(m, motion)))
        return false;
    double *velocity = s->nodal + 3 * (size_t)m->nnode;
    step_way(m, motion->start, s->now.x, velocity);
    velocity_of_way(m, motion, velocity);
    return energy_gains(m, s, velocity, is_euler(m, motion));
}

void motion_force(const lithe_model *m, lithe_state *s, step_point *p)
{
    const step_motion *motion = &s->motion;
    spin_scheme scheme = spin_of(m, motion);
    size_t bytes = 3 * (size_t)m->nnode * sizeof *p->inertial;
    if (m->dynamics.scheme == LITHE_STATIC || (motion->held && p->inertial == s->now.inertial))
        return;
    memset(p->inertial, 0, bytes);
    if (motion->held)
        memcpy(p->inertial, s->now.inertial, bytes);
    if (motion->held || !motion->on)
        return;
    double *way = s->nodal, *rate = s->nodal + 3 * (size_t)m->nnode;
    step_way(m, motion->start, p->x, way);
    for (int i = 0; i < 3 * m->nnode; i++)
        rate[i] = motion->inertia * (way[i] - motion->leap[i]);
    velocity_of_way(m, motion, way);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        for (int i = body_nposition(b); i < b->nnode; i++)
            if (body_spins(b, i)) // by its momentum
                memset(rate + at + 3 * (size_t)i, 0, 3 * sizeof *rate);
        body_mass_times(b, p->x + at, 1, rate + at, p->inertial + at);
        spin_moment(b, &scheme, p->x + at, way + at, motion->leap + at, p->inertial + at);
    }
    add_damping(m, motion, p->x, 1, way, p->inertial);
}

void motion_recall(const lithe_model *m, lithe_state *s)
{
    const step_motion *motion = &s->motion;
    for (int k = 0; k < m->nbody && motion->started; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        body_mass_times(&m->body[k], s->now.x + at, 1, motion->rate + at, s->now.inertial + at);
        body_gyroscopic(&m->body[k], s->now.x + at, 1, motion->velocity + at, s->now.inertial + at);
    }
    if (motion->started)
        add_damping(m, motion, s->now.x, 1, motion->velocity, s->now.inertial);
}

void motion_hold(const lithe_model *m, lithe_state *s)
{
    step_motion *motion = &s->motion;
    motion->on = false;
    motion->h = 0;
    motion->held = true;
    find_damping(m, s);
    memset(s->now.inertial, 0, 3 * (size_t)m->nnode * sizeof *s->now.inertial);
    motion_recall(m, s);
}

void motion_times(const lithe_model *m, const lithe_state *s, const double *way, double *force)
{
    const step_motion *motion = &s->motion;
    for (int k = 0; k < m->nbody && motion->on; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        body_mass_times(&m->body[k], s->now.x + at, motion->inertia, way + at, force + at);
    }
    if (motion->on)
        add_damping(m, motion, s->now.x, motion->damping_rate, way, force);
}

void motion_assemble(const lithe_model *m, lithe_state *s, int k)
{
    const step_motion *motion = &s->motion;
    if (!motion->on) {
        body_add_grip(&m->body[k], s->tangent.found.clamped, s->tangent.K[k]);
        return;
    }
    body_add_mass(&m->body[k], s->now.x + 3 * (size_t)m->body[k].node_adr,
                  motion->inertia + m->dynamics.mass_damping * motion->damping_rate,
                  s->tangent.K[k]);
    if (motion->damping)
        body_add_damping(&m->body[k], &motion->damping[k],
                         m->dynamics.stiffness_damping * motion->damping_rate, s->tangent.K[k]);
}

double motion_noise(const lithe_model *m, const lithe_state *s)
{
    return s->motion.on ? s->motion.noise : m->noise;
}

lithe_status motion_factor_mass(const lithe_model *m, lithe_state *s, int k)
{
    const body *b = &m->body[k];
    body_clear(b, s->tangent.K[k]);
    body_add_mass(b, s->now.x + 3 * (size_t)b->node_adr, 1, s->tangent.K[k]);
    b->space->assemble(b, s->now.q + b->q_adr, body_jacobian(b, s->now.J), NULL, &s->tangent.of[k]);
    space_report report = b->space->factor(b, &s->tangent.of[k], s->tangent.threads, NULL);
    if (report.negative || report.singular)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED, "body '%s' has nodes without mass",
                          b->name);
    return LITHE_OK;
}

// Velocities that the coordinates can have: nearest to those given, in the measure of the mass.
// velocity = J dq there; dq is left in s->pass.dq.
static void project_velocity(const lithe_model *m, lithe_state *s, int k)
{
    const body *b = &m->body[k];
    size_t at = 3 * (size_t)b->node_adr;
    double *momentum = s->nodal + 3 * (size_t)m->nnode;
    memset(momentum + at, 0, 3 * (size_t)b->nnode * sizeof *momentum);
    body_mass_times(b, s->now.x + at, 1, s->motion.velocity + at, momentum + at);
    step_solve_body(m, s, k, momentum, s->pass.dq);
    b->space->push(b, body_jacobian(b, s->now.J), s->pass.dq + b->q_adr, s->motion.velocity + at);
}

lithe_status motion_nearest(const lithe_model *m, lithe_state *s, int k, const double *way)
{
    const body *b = &m->body[k];
    size_t at = 3 * (size_t)b->node_adr;
    double *momentum = s->nodal + 3 * (size_t)m->nnode;
    s->tangent.is_ahead = s->tangent.source.made = s->tangent.source.known = false;
    LITHE_TRY(motion_factor_mass(m, s, k));
    memset(s->pass.dq + b->q_adr, 0, (size_t)b->nq * sizeof *s->pass.dq);
    memset(momentum + at, 0, 3 * (size_t)b->nnode * sizeof *momentum);
    body_mass_times(b, s->now.x + at, 1, way + at, momentum + at);
    step_solve_body(m, s, k, momentum, s->pass.dq);
    return LITHE_OK;
}

// rate = J ddq + curve of the motion, with M rate in balance with the force along J.
static lithe_status solve_mass(const lithe_model *m, lithe_state *s, int k, double *force)
{
    const body *b = &m->body[k];
    size_t at = 3 * (size_t)b->node_adr;
    double *rate = s->motion.rate + at;
    LITHE_TRY(motion_factor_mass(m, s, k));
    memset(s->pass.dq + b->q_adr, 0, (size_t)b->nq * sizeof *s->pass.dq);
    memset(rate, 0, 3 * (size_t)b->nnode * sizeof *rate);
    if (b->space != &space_nodal) {
        project_velocity(m, s, k);
        b->space->curve(b, s->now.q + b->q_adr, s->pass.dq + b->q_adr, rate);
        body_mass_times(b, s->now.x + at, -1, rate, force + at);
    }
    body_gyroscopic(b, s->now.x + at, -1, s->motion.velocity + at, force + at);
    step_solve_body(m, s, k, force, s->pass.dq);
    double *moved = s->nodal + 3 * (size_t)m->nnode + at;
    b->space->push(b, body_jacobian(b, s->now.J), s->pass.dq + b->q_adr, moved);
    for (int i = 0; i < 3 * b->nnode; i++)
        rate[i] += moved[i];
    return LITHE_OK;
}

// M rate = f_ext + G' lambda - f_int - damping - gyroscopic moments, at time 0 with all that acts
// from there on.
lithe_status motion_start(const lithe_model *m, lithe_state *s, step_problem problem)
{
    step_motion *motion = &s->motion;
    if (motion->started)
        return LITHE_OK;
    s->load = s->aim_load = 1;
    motion->started = true;
    motion->time = motion->clock;
    for (int r = 0; r < m->nact && problem == STEP_FORWARD; r++)
        if (s->command[r] == LITHE_EFFORT)
            s->now.effort[r] = s->value[r];
    motion->on = false;
    motion->h = 0;
    find_damping(m, s);
    point_evaluate(m, s, &s->now);
    double *force = s->nodal;
    memset(force, 0, 3 * (size_t)m->nnode * sizeof *force);
    add_damping(m, motion, s->now.x, -1, motion->velocity, force);
    for (int i = 0; i < 3 * m->nnode; i++)
        force[i] += s->now.external[i] + s->now.pull[i] - s->now.internal[i];
    for (int k = 0; k < m->nbody; k++)
        LITHE_TRY(solve_mass(m, s, k, force));
    memcpy(motion->lagged, motion->rate, 3 * (size_t)m->nnode * sizeof *motion->rate);
    motion->damped =
        m->nact > m->nown; // whose forces no rate knows before the first step has ended
    energy_begin(m, s);
    return LITHE_OK;
}

static void begin_euler(const lithe_model *m, step_motion *motion)
{
    double h = motion->h;
    motion->inertia = 1 / (h * h);
    motion->damping_rate = 1 / h;
    for (int i = 0; i < 3 * m->nnode; i++) {
        motion->leap[i] = h * motion->velocity[i];
        motion->calm[i] = 0;
    }
}

static void begin_alpha(const lithe_model *m, step_motion *motion)
{
    alpha_numbers n = alpha_of(m->dynamics.spectral_radius);
    double h = motion->h;
    motion->inertia = (1 - n.am) / ((1 - n.af) * n.beta * h * h);
    motion->damping_rate = n.gamma / (n.beta * h);
    for (int i = 0; i < 3 * m->nnode; i++) {
        double v = motion->velocity[i], a = motion->lagged[i], rate = motion->rate[i];
        double reach = h * v + h * h * (0.5 - n.beta) * a;
        motion->leap[i] = reach - h * h * n.beta / (1 - n.am) * (n.am * a - n.af * rate);
        motion->calm[i] = reach - (v + h * (1 - n.gamma) * a) / motion->damping_rate;
    }
}

static double reach_of(const lithe_model *m, const lithe_state *s)
{
    double reach = m->reach;
    for (int k = 0; k < m->nbody; k++) {
        const double *x = s->now.x + 3 * (size_t)m->body[k].node_adr;
        for (int i = 0; i < 3 * body_nposition(&m->body[k]); i++)
            reach = fmax(reach, fabs(x[i]));
    }
    return reach;
}

// Positions of size `reach` leave eps * reach times A in the residual.
static double noise_of(const lithe_model *m, const lithe_state *s)
{
    double reach = s->motion.reach;
    return m->noise * reach / m->reach + STEP_INERTIA_NOISE * reach * s->motion.inertia * m->mass;
}

void motion_begin(const lithe_model *m, lithe_state *s, double h)
{
    step_motion *motion = &s->motion;
    motion->on = true;
    motion->h = h;
    motion->time = motion->clock + h;
    memcpy(motion->start, s->now.x, 3 * (size_t)m->nnode * sizeof *motion->start);
    if (is_euler(m, motion))
        begin_euler(m, motion);
    else
        begin_alpha(m, motion);
    spin_scheme scheme = spin_of(m, motion);
    for (int k = 0; k < m->nbody; k++) {
        spin_start start = start_of(motion, &m->body[k]);
        spin_begin(&m->body[k], &scheme, &start, motion->leap + 3 * (size_t)m->body[k].node_adr);
    }
    motion->reach = reach_of(m, s);
    motion->noise = noise_of(m, s);
    s->contact.unit = is_euler(m, motion) ? 1 : contact_weight(m);
    step_relax_begin(m, s, h);
    find_damping(m, s);
    step_begin_joints(m, s);
}

// Contacts act at the end of the step with weight 1 and are no part of the rate that is kept: what
// is kept of a blow would act once more in the next step, and add energy.
lithe_status motion_end(const lithe_model *m, lithe_state *s)
{
    step_motion *motion = &s->motion;
    blow_begin(m, s);
    size_t bytes = 3 * (size_t)m->nnode * sizeof *s->nodal;
    double *way = s->nodal, *push = s->nodal + 3 * (size_t)m->nnode;
    step_follow(m, &s->now);
    step_way(m, motion->start, s->now.x, push);
    memcpy(way, push, bytes);
    velocity_of_way(m, motion, push);
    memcpy(motion->calm, push, bytes); // which has served
    contact_push(m, s, push);
    spin_scheme scheme = spin_of(m, motion);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        const double *velocity = motion->calm + at;
        spin_start start = start_of(motion, b);
        spin_finish end = {s->now.x + at, way + at,        velocity,      motion->leap + at,
                           push + at,     motion->inertia, motion->damped};
        spin_end(b, &scheme, &start, &end, motion->rate + at, motion->lagged + at);
        memcpy(motion->leap + at, motion->velocity + at, 3 * (size_t)b->nnode * sizeof *velocity);
        memcpy(motion->velocity + at, velocity, 3 * (size_t)b->nnode * sizeof *velocity);
        if (b->rigid)
            spin_follow(b, s->now.x + at, motion->velocity + at, motion->rate + at);
    }
    LITHE_TRY(blow_end(m, s, motion->leap)); // which has served, too
    motion->clock = motion->time;
    energy_account(m, s);
    motion->damped = step_leans(m, s) || s->contact.struck;
    step_relax_end(m, s);
    return LITHE_OK;
}

static lithe_status give_up(const lithe_model *m, lithe_state *s, double t)
{
    char reason[LITHE_TEXT_MAX];
    memcpy(reason, s->report.error, sizeof reason);
    step_restore(m, s);
    s->motion.on = false;
    point_evaluate(m, s, &s->now);
    step_finish(m, s, STEP_FORWARD, t);
    return LITHE_FAIL(
        &s->report, LITHE_NOT_CONVERGED,
        "stopped at time %.6g s: %.600s. The last motion that was found is kept; look "
        "there for elements that fold, or for commands that jump",
        s->motion.clock, reason);
}

// Newton over one of the steps that dt is cut into.
static lithe_status try_step(const lithe_model *m, lithe_state *s)
{
    int before = s->last.iteration;
    lithe_status status = newton_solve(m, s);
    return stride_is_adaptive(m) ? stride_judge(m, s, status, s->last.iteration - before) : status;
}

// A blow may turn elements inside out, where they stay.
static bool folds_nothing(const lithe_model *m, lithe_state *s, double length)
{
    return !m->contact.on || step_check_folds(m, s, length) == LITHE_OK;
}

// How long the next one is, as a share of dt: adaptive ones are told by their error.
static double next_length(const lithe_model *m, const lithe_state *s, double length, bool good,
                          int iterations)
{
    enum { FEW_ITERATIONS = 8 };
    if (stride_is_adaptive(m))
        return s->motion.stride / m->step.dt;
    return good ? length * (iterations <= FEW_ITERATIONS ? 2 : 1) : 0.5 * length;
}

lithe_status motion_settle(const lithe_model *m, lithe_state *s, double first, double shortest)
{
    enum { MOST_INCREMENTS = 100000 };
    double t = 0, length = first, clock = s->motion.clock;
    LITHE_TRY(motion_start(m, s, STEP_FORWARD));
    step_save(m, s);
    while (t < 1) {
        double share = stride_is_adaptive(m) ? stride_share(m, s, 1 - t) : length;
        double next = t + share >= 1 - 0.5 * shortest ? 1 : t + share;
        int before = s->last.iteration;
        step_aim(m, s, STEP_FORWARD, next, 1);
        motion_begin(m, s, (next - t) * m->step.dt);
        if (next == 1)
            s->motion.time = clock + m->step.dt;
        contact_predict(m, s);
        bool good = try_step(m, s) == LITHE_OK && folds_nothing(m, s, next - t);
        length = next_length(m, s, next - t, good, s->last.iteration - before);
        if (good && motion_gains(m, s)) {
            bool damped = is_euler(m, &s->motion);
            step_restore(m, s);
            s->motion.damped = true;
            length = damped ? 0.5 * (next - t) : next - t;
            LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                       "contacts would leave more energy than there was, however short the step");
        } else if (good) {
            LITHE_TRY(motion_end(m, s));
            s->last.increment++;
            step_save(m, s);
            t = next;
        } else
            step_restore(m, s);
        if (t < 1 && (length < shortest || s->last.increment >= MOST_INCREMENTS ||
                      s->goal.left <= 0 || s->stopped))
            return give_up(m, s, t);
    }
    step_finish(m, s, STEP_FORWARD, 1);
    return step_check_limits(m, s);
}

// Adaptive steps: dt is cut into steps whose own error stays below a tolerance. What a step is off
// by is estimated from what it has anyway: were the acceleration linear in time over the step, the
// way would be
//
//     h v + h^2 (1/3 rate + 1/6 rate')        to the fourth order in h [zienkiewicz1991]
//
// with the accelerations at its two ends. The difference to the way that the scheme took is of the
// third order for generalized-alpha and of the second for implicit Euler, and so is its error.

lithe_stride lithe_last_stride(const lithe_state *s)
{
    return s->motion.strides;
}

bool stride_is_adaptive(const lithe_model *m)
{
    return m->dynamics.local_error > 0;
}

static double shortest_of(const lithe_model *m)
{
    const double least = m->step.dt / 65536;
    return m->dynamics.shortest > least ? m->dynamics.shortest : least;
}

// What is left of dt is cut evenly, so that no step is a remnant.
double stride_share(const lithe_model *m, const lithe_state *s, double left)
{
    double length = s->motion.stride > 0 ? s->motion.stride / m->step.dt : 1;
    double n = ceil(left / length - STEP_SAME_TIME);
    return left / fmax(n, 1);
}

// What the way lacks or exceeds of that, for all positions; 0 for rotations.
static void find_difference(const lithe_model *m, const lithe_state *s, double *off)
{
    const step_motion *motion = &s->motion;
    double h = motion->h;
    step_way(m, motion->start, s->now.x, off);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t first = 3 * (size_t)b->node_adr, position = first + 3 * (size_t)body_nposition(b),
               end = first + 3 * (size_t)b->nnode;
        for (size_t i = first; i < end; i++) {
            double rate = motion->inertia * (off[i] - motion->leap[i]);
            off[i] = i < position ? off[i] - h * motion->velocity[i] -
                                        h * h * (motion->rate[i] / 3 + rate / 6)
                                  : 0;
        }
    }
}

// off = A^-1 inertia M off. A vibration that is fast for h swings by its acceleration over its
// frequency squared, not by h^2 times its acceleration: A knows its frequency.
static void filter(const lithe_model *m, lithe_state *s, double *off)
{
    size_t n = 3 * (size_t)m->nnode;
    double *force = off + n;
    memset(force, 0, n * sizeof *force);
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        body_mass_times(&m->body[k], s->now.x + at, s->motion.inertia, off + at, force + at);
    }
    memset(s->pass.dq, 0, (size_t)m->nq * sizeof *s->pass.dq);
    for (int k = 0; k < m->nbody; k++)
        step_solve_body(m, s, k, force, s->pass.dq);
    step_push(m, s->now.J, s->pass.dq, off);
}

// Largest over all positions, m. fresh: A is that of this step.
static double error_of(const lithe_model *m, lithe_state *s, bool fresh)
{
    double *off = s->nodal, worst = 0;
    find_difference(m, s, off);
    if (fresh)
        filter(m, s, off);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        for (int i = b->node_adr; i < b->node_adr + body_nposition(b); i++)
            worst = worst_of(worst, vec_norm(&off[3 * i]));
    }
    return worst;
}

static void count(lithe_stride *strides, double h, double error)
{
    strides->shortest = strides->taken ? fmin(strides->shortest, h) : h;
    strides->longest = fmax(strides->longest, h);
    strides->error = worst_of(strides->error, error);
    strides->taken++;
}

// Done again over a share of h; with 0 where nothing shorter is allowed.
static void shorten(const lithe_model *m, step_motion *motion, double share)
{
    double least = shortest_of(m);
    motion->strides.refused++;
    motion->stride = motion->h <= least * (1 + STEP_SAME_TIME) ? 0 : fmax(motion->h * share, least);
}

// A step that is near enough may be followed by one up to twice as long; one that is not is done
// again, shorter. Both aim a little below the tolerance.
lithe_status stride_judge(const lithe_model *m, lithe_state *s, lithe_status newton, int iterations)
{
    step_motion *motion = &s->motion;
    const double tolerance = m->dynamics.local_error,
                 order = m->dynamics.scheme == LITHE_EULER ? 2 : 3;
    if (newton != LITHE_OK) {
        shorten(m, motion, 0.5);
        return newton;
    }
    double error = error_of(m, s, iterations > 0), h = motion->h;
    double change = error > 0 ? 0.9 * pow(tolerance / error, 1 / order) : 2;
    if (!(error <= tolerance)) {
        shorten(m, motion, fmax(change, 0.2));
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "a step of %.3g s is off by %.3g m, more than adaptive steps allow, and "
                          "none may be shorter: raise dynamics.adaptive.error, or lower shortest",
                          h, error);
    }
    motion->stride = fmax(h * fmin(change, 2), shortest_of(m));
    count(&motion->strides, h, error);
    return LITHE_OK;
}
