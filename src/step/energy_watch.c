// Energy that comes from nowhere. Over a step the kinetic and elastic energy may grow by what
// loads, actuators, supports and obstacles put in, and by nothing else: damping and contact only
// take. The work is taken with the forces as the scheme takes them: implicit Euler those at the end
// of the step, generalized-alpha the mean of both ends.
#include "base/vec.h"
#include "step/contact_rows.h"

#include <string.h>

// Not known: what viscoelastic materials and moduli that change store.
static bool is_watched(const lithe_model *m)
{
    for (int k = 0; k < m->nbody; k++)
        if (m->body[k].prony || m->tuned[k])
            return false;
    return m->dynamics.scheme != LITHE_STATIC && m->step.mode != LITHE_ASYNCHRONOUS;
}

bool energy_create(const lithe_model *m, arena *memory, energy_watch *w)
{
    if (!is_watched(m))
        return true;
    w->force = arena_new(memory, 3 * (size_t)m->nnode, double);
    w->effort = arena_new(memory, m->nact + 1, double);
    w->way = arena_new(memory, m->nact + 1, double);
    return w->force && w->effort && w->way;
}

// Loads; at held coordinates what holds them, besides.
static double outer_force(const lithe_model *m, const lithe_state *s, int k, int i)
{
    const body *b = &m->body[k];
    const step_point *p = &s->now;
    size_t at = 3 * (size_t)b->node_adr + (size_t)i;
    bool held = body_is_held(b, i / 3, 1 << i % 3);
    return held ? p->internal[at] + p->inertial[at] - p->pull[at] : p->external[at];
}

// What a row has moved, its own compliance aside.
static double row_way(const lithe_model *m, const lithe_state *s, int r)
{
    return s->now.delta[r] - m->row[r].compliance * s->now.effort[r];
}

static void remember(const lithe_model *m, lithe_state *s, double energy)
{
    energy_watch *w = &s->truth.energy;
    for (int k = 0; k < m->nbody; k++)
        for (int i = 0; i < 3 * m->body[k].nnode; i++)
            w->force[3 * m->body[k].node_adr + i] = outer_force(m, s, k, i);
    for (int r = 0; r < m->nact; r++) {
        w->effort[r] = s->now.effort[r];
        w->way[r] = row_way(m, s, r);
    }
    w->energy = energy;
    w->scale = fmax(w->scale, energy);
}

static double energy_now(const lithe_model *m, const lithe_state *s)
{
    lithe_energy e = lithe_last_energy(m, s);
    return e.kinetic + e.elastic;
}

void energy_begin(const lithe_model *m, lithe_state *s)
{
    energy_watch *w = &s->truth.energy;
    w->on = w->force != NULL;
    w->scale = w->work = w->grown = w->grown_time = 0;
    w->slack = m->noise * m->size; // of roundoff
    if (!w->on)
        return;
    remember(m, s, energy_now(m, s));
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

static double work_of_step(const lithe_model *m, const lithe_state *s, double *way)
{
    const energy_watch *w = &s->truth.energy;
    bool mean = m->dynamics.scheme == LITHE_ALPHA && !s->motion.damped;
    double before = mean ? 0.5 : 0, sum = obstacle_work(m, s);
    step_way(m, s->motion.start, s->now.x, way);
    for (int k = 0; k < m->nbody; k++)
        for (int i = 0; i < 3 * m->body[k].nnode; i++) {
            size_t at = 3 * (size_t)m->body[k].node_adr + (size_t)i;
            sum += (before * w->force[at] + (1 - before) * outer_force(m, s, k, i)) * way[at];
        }
    for (int r = 0; r < m->nact; r++)
        if (!row_is_parameter(&m->row[r]))
            sum += (before * w->effort[r] + (1 - before) * s->now.effort[r]) *
                   (row_way(m, s, r) - w->way[r]);
    return sum;
}

bool energy_gains(const lithe_model *m, lithe_state *s, const double *velocity, bool in_step)
{
    const double little = 2e-3; // of the largest energy
    const energy_watch *w = &s->truth.energy;
    if (!w->on)
        return false;
    double energy = s->now.energy, work = work_of_step(m, s, s->nodal);
    memset(s->nodal, 0, 3 * (size_t)m->nnode * sizeof *s->nodal);
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        body_mass_times(&m->body[k], s->now.x + at, 0.5, velocity + at, s->nodal + at);
    }
    for (int i = 0; i < 3 * m->nnode; i++)
        energy += s->nodal[i] * velocity[i];
    double before = in_step ? w->energy : w->work + w->least;
    return energy - work - before > little * fmax(w->scale, energy);
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
    double energy = energy_now(m, s), surplus = energy - w->work;
    w->least = fmin(w->least, surplus);
    if (surplus - w->least > w->grown) {
        w->grown = surplus - w->least;
        w->grown_time = s->motion.clock;
    }
    remember(m, s, energy);
}

double energy_growth(const energy_watch *w)
{
    double sure = w->grown - w->slack;
    return w->on && sure > 0 ? sure / w->scale : 0;
}
