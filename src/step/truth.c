#include "step/truth.h"

#include "base/clock.h"
#include "base/vec.h"
#include "row/link.h"
#include "step/contact_rows.h"
#include "step/state.h"
#include "step/tolerances.h"

#include <string.h>

// Obstacles that a formula describes are looked at as that.
static check_pair pair_of(const lithe_model *m, const proximity_match *match)
{
    const proximity_world *world = &m->contact.world;
    int frame = match->second >= 0 ? world->surface[match->second].frame : match->shape;
    bool formula = frame >= 0 && m->contact.shape_surface[frame] < 0;
    return (check_pair){.first = match->first,
                        .second = formula ? -1 : match->second,
                        .shape = formula ? frame : -1,
                        .self = match->self};
}

lithe_status truth_build(lithe_model *m)
{
    const proximity_world *world = &m->contact.world;
    arena scratch = {0};
    int npair = 0; // points of cables, which come last, are no surfaces
    check_pair *pair = arena_new(&scratch, world->nmatch + 1, check_pair);
    lithe_status status = pair ? LITHE_OK : LITHE_NO_MEMORY;
    for (int k = 0; k < world->nmatch && status == LITHE_OK; k++)
        if (m->contact.law[k].sides >= 0)
            pair[npair++] = pair_of(m, &world->match[k]);
    check_world_def def = {
        world->nsurface, m->contact.solid, world->nshape, world->shape, npair, pair,
        m->contact.held};
    if (status == LITHE_OK)
        status = check_world_build(&def, &m->memory, &m->check);
    arena_free(&scratch);
    return status;
}

bool truth_create(const lithe_model *m, arena *memory, step_truth *out)
{
    return energy_create(m, memory, &out->energy) &&
           (!m->check || check_work_create(m->check, memory, &out->work) == LITHE_OK);
}

double truth_allowed(const lithe_model *m)
{
    return m->step.mode == LITHE_CONVERGED ? CONTACT_TOLERANCE * m->size : m->contact.overlap;
}

lithe_apart truth_apart(const lithe_model *m, const double *x)
{
    bool converged = m->step.mode == LITHE_CONVERGED;
    double allowed = (converged ? JOINT_OPEN : JOINT_OPEN_IN_PASSES) * m->size;
    lithe_apart apart = {.joint = -1, .allowed = allowed};
    for (int r = m->nown; r < m->nact; r++) {
        const row_link *link = m->row[r].link;
        if (link->role != LINK_HOLDS || link->other)
            continue;
        double gap = fabs(row_value(&m->row[r], x));
        if (gap > apart.gap)
            apart = (lithe_apart){gap, allowed, link->joint};
    }
    return apart;
}

void truth_measure(const lithe_model *m, lithe_state *s)
{
    step_truth *t = &s->truth;
    t->apart = truth_apart(m, s->now.x);
    if (!t->work)
        return;
    double start = clock_now();
    double small =
        m->step.mode == LITHE_CONVERGED ? CONTACT_TOLERANCE * m->size : 0.5 * m->contact.overlap;
    // Obstacles are where they are told to be, and not where a realtime step had to leave them.
    bool told = m->step.mode != LITHE_CONVERGED;
    check_positions at = {s->now.x, told ? s->contact.next : s->now.contact->frame, s->contact.off};
    t->deepest = check_overlap(m->check, t->work, &at, false, CONTACT_ROUNDING * m->size, small);
    s->time.rows += clock_now() - start;
}

static lithe_status refuse(const lithe_model *m, lithe_state *s, const check_depth *d)
{
    const contact_sides *pair = &m->contact.sides[m->contact.law[d->pair].sides];
    bool self = pair->name[0] == pair->name[1];
    return LITHE_FAIL(
        &s->report, LITHE_NOT_CONVERGED,
        "'%s' and %s%s%s overlap by %.3g m at (%.6g, %.6g, %.6g) m, where %.1g m are "
        "allowed: forces are in balance, but contacts are missing there; take smaller "
        "steps, or make the mesh finer there",
        pair->name[0], self ? "" : "'", self ? "itself" : pair->name[1], self ? "" : "'", d->depth,
        d->at[0], d->at[1], d->at[2], truth_allowed(m));
}

static lithe_status refuse_apart(const lithe_model *m, lithe_state *s)
{
    const lithe_apart *apart = &s->truth.apart;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "joint '%s' is %.3g m open, where %.1g m are allowed: joints and what "
                      "actuators are told cannot both be; tell less, or leave out a joint that "
                      "holds what others hold otherwise",
                      m->joint[apart->joint].name, apart->gap, apart->allowed);
}

static lithe_status refuse_growth(lithe_state *s)
{
    const energy_watch *w = &s->truth.energy;
    return LITHE_FAIL(
        &s->report, LITHE_NOT_CONVERGED,
        "energy has grown by %.3g J until %.6g s, %.2g %% of the most there was, beyond "
        "what loads, actuators, supports and obstacles put in: the steps are too long "
        "for this motion; take a shorter step.dt, a dynamics.spectral_radius further "
        "below 1, or the scheme euler",
        w->grown, w->grown_time, 100 * w->grown / w->scale);
}

lithe_status truth_judge(const lithe_model *m, lithe_state *s, lithe_status status)
{
    truth_measure(m, s);
    bool deep = s->truth.work && s->truth.deepest.depth > truth_allowed(m);
    if (status == LITHE_OK && deep && m->step.mode == LITHE_CONVERGED)
        return refuse(m, s, &s->truth.deepest);
    if (status == LITHE_OK && s->truth.apart.gap > s->truth.apart.allowed &&
        m->step.mode == LITHE_CONVERGED)
        return refuse_apart(m, s);
    bool grown =
        m->step.mode == LITHE_CONVERGED && energy_growth(&s->truth.energy) > ENERGY_TOLERANCE;
    return status == LITHE_OK && grown ? refuse_growth(s) : status;
}

// Energy that comes from nowhere. Over a step the kinetic and elastic energy, and the barrier's,
// which gives back what a blow has put into it, may grow by what loads, actuators, supports and
// obstacles put in, and by nothing else: damping and friction only take. The work is taken with the
// forces as the scheme takes them: implicit Euler those at the end of the step, generalized-alpha
// the mean of both ends.

// Not known: what viscoelastic materials and moduli that change store.
static bool is_watched(const lithe_model *m)
{
    for (int k = 0; k < m->nbody; k++)
        if (m->body[k].prony || m->tuned[k])
            return false;
    return m->dynamics.scheme != LITHE_STATIC && m->step.mode != LITHE_ASYNCHRONOUS;
}

// Are there held frames, or held nodes that others follow, and do they move?
static bool carries_move(const lithe_model *m)
{
    bool any = false;
    for (int k = 0; k < m->nbody; k++)
        any = any || (m->body[k].carry && m->body[k].moves);
    return any;
}

bool energy_create(const lithe_model *m, arena *memory, energy_watch *w)
{
    if (!is_watched(m))
        return true;
    bool moved = carries_move(m);
    w->grip = moved ? arena_new(memory, m->nq, double) : NULL;
    w->grip_now = moved ? arena_new(memory, m->nq, double) : NULL;
    w->q = moved ? arena_new(memory, m->nq, double) : NULL;
    w->lack = moved ? arena_new(memory, 3 * (size_t)m->nnode, double) : NULL;
    if (moved && (!w->grip || !w->grip_now || !w->q || !w->lack))
        return false;
    w->force = arena_new(memory, 3 * (size_t)m->nnode, double);
    w->effort = arena_new(memory, m->nact + 1, double);
    w->way = arena_new(memory, m->nact + 1, double);
    return w->force && w->effort && w->way;
}

// Loads; at held nodes what holds them, besides.
static double outer_force(const lithe_model *m, const lithe_state *s, int k, int i)
{
    const body *b = &m->body[k];
    const step_point *p = &s->now;
    size_t at = 3 * (size_t)b->node_adr + (size_t)i;
    bool held = body_is_held(b, i / 3, 1 << i % 3);
    return held ? p->internal[at] + p->inertial[at] - p->pull[at] : p->external[at];
}

// What holds coordinates that carry nodes, for these.
static void find_grip(const lithe_model *m, const step_point *p, energy_watch *w, double *grip)
{
    for (int i = 0; i < 3 * m->nnode; i++)
        w->lack[i] = p->internal[i] + p->inertial[i] - p->pull[i] - p->external[i];
    for (int k = 0; k < m->nbody; k++)
        body_grip(&m->body[k], w->lack + 3 * (size_t)m->body[k].node_adr, grip + m->body[k].q_adr);
}

// What a row has moved, its own compliance aside.
static double row_way(const lithe_state *s, int r)
{
    return s->now.delta[r] - s->axes.give[r] * s->now.effort[r];
}

static void remember(const lithe_model *m, lithe_state *s, double energy)
{
    energy_watch *w = &s->truth.energy;
    for (int k = 0; k < m->nbody; k++)
        for (int i = 0; i < 3 * m->body[k].nnode; i++)
            w->force[3 * m->body[k].node_adr + i] = outer_force(m, s, k, i);
    for (int r = 0; r < m->nact; r++) {
        w->effort[r] = s->now.effort[r];
        w->way[r] = row_way(s, r);
    }
    if (w->grip) {
        find_grip(m, &s->now, w, w->grip);
        memcpy(w->q, s->now.q, (size_t)m->nq * sizeof *w->q);
    }
    w->energy = energy;
    w->scale = fmax(w->scale, energy);
}

// Of the model's own nodes, which of a reduced one are not those that it shows.
static double energy_now(const lithe_model *m, lithe_state *s, const double *velocity)
{
    double energy = s->now.energy + s->now.contact->energy;
    memset(s->nodal, 0, 3 * (size_t)m->nnode * sizeof *s->nodal);
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        body_mass_times(&m->body[k], s->now.x + at, 0.5, velocity + at, s->nodal + at);
    }
    for (int i = 0; i < 3 * m->nnode; i++)
        energy += s->nodal[i] * velocity[i];
    return energy;
}

void energy_begin(const lithe_model *m, lithe_state *s)
{
    energy_watch *w = &s->truth.energy;
    w->on = w->force != NULL;
    w->scale = w->work = w->grown = w->grown_time = 0;
    double blur = STEP_INERTIA_NOISE * m->reach / m->step.dt; // of velocities, by roundoff
    w->slack = m->noise * m->size + m->mass * blur * blur;
    if (!w->on)
        return;
    remember(m, s, energy_now(m, s, s->motion.velocity));
    w->least = w->energy;
}

// Of what moves, what pushes a body that it meets.
static double obstacle_work(const lithe_model *m, const lithe_state *s)
{
    double sum = 0;
    for (int i = 0; i < lithe_ncontact(s) && m->contact.on; i++) {
        lithe_contact c;
        double way[3];
        lithe_contact_get(m, s, i, &c);
        contact_obstacle_way(m, s, i, way);
        sum += c.force * vec_dot(c.normal, way) + vec_dot(c.friction, way);
    }
    return sum;
}

static double work_of_step(const lithe_model *m, lithe_state *s, double *way)
{
    energy_watch *w = &s->truth.energy;
    bool mean = m->dynamics.scheme == LITHE_ALPHA && !s->motion.damped;
    double before = mean ? 0.5 : 0, sum = obstacle_work(m, s);
    step_way(m, s->motion.start, s->now.x, way);
    for (int k = 0; k < m->nbody; k++)
        for (int i = 0; i < 3 * m->body[k].nnode; i++) {
            size_t at = 3 * (size_t)m->body[k].node_adr + (size_t)i;
            sum += (before * w->force[at] + (1 - before) * outer_force(m, s, k, i)) * way[at];
        }
    if (w->grip)
        find_grip(m, &s->now, w, w->grip_now);
    for (int i = 0; w->grip && i < m->nq; i++)
        sum += (before * w->grip[i] + (1 - before) * w->grip_now[i]) * (s->now.q[i] - w->q[i]);
    for (int r = 0; r < m->nact; r++)
        if (!row_is_parameter(&m->row[r]))
            sum += (before * w->effort[r] + (1 - before) * s->now.effort[r]) *
                   (row_way(s, r) - w->way[r]);
    return sum;
}

bool energy_gains(const lithe_model *m, lithe_state *s, const double *velocity, bool in_step)
{
    const energy_watch *w = &s->truth.energy;
    if (!w->on)
        return false;
    double work = work_of_step(m, s, s->nodal), energy = energy_now(m, s, velocity);
    double before = in_step ? w->energy : w->work + w->least;
    return energy - work - before > STEP_ENERGY_GAIN * fmax(w->scale, energy);
}

// Forces that do work, times what positions are rounded by: the ways are differences of those.
static double work_noise(const lithe_model *m, const lithe_state *s)
{
    const energy_watch *w = &s->truth.energy;
    double sum = 0;
    for (int i = 0; i < 3 * m->nnode; i++)
        sum += fabs(w->force[i]) * s->motion.reach;
    for (int r = 0; r < m->nact; r++)
        if (!row_is_parameter(&m->row[r]))
            sum += fabs(w->effort[r]) * m->row[r].scale * (s->motion.reach / m->reach);
    return STEP_WORK_NOISE * sum;
}

void energy_account(const lithe_model *m, lithe_state *s)
{
    energy_watch *w = &s->truth.energy;
    if (!w->on)
        return;
    double *way = s->nodal, length = 0;
    w->work += work_of_step(m, s, way);
    for (int i = 0; i < 3 * m->nnode; i++)
        length += way[i] * way[i];
    w->slack += s->now.residual * sqrt(length);
    double energy = energy_now(m, s, s->motion.velocity), surplus = energy - w->work;
    w->least = fmin(w->least, surplus);
    if (surplus - w->least > w->grown) {
        w->grown = surplus - w->least;
        w->grown_time = s->motion.clock;
    }
    remember(m, s, energy);
    w->slack += work_noise(m, s);
}

double energy_growth(const energy_watch *w)
{
    double sure = w->grown - w->slack;
    return w->on && sure > 0 ? sure / w->scale : 0;
}
