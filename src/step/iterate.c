// Configurations: how they move, what they make of the nodes, and what acts there.
#include "step/iterate.h"

#include "base/clock.h"
#include "base/vec.h"
#include "base/worst.h"
#include "row/link.h"
#include "step/contact_rows.h"
#include "step/motion.h"

#include <string.h>

// Of all nodes but idle ones.
static void find_positions(const lithe_model *m, step_point *p)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->positions(b, p->q + b->q_adr, p->x + 3 * (size_t)b->node_adr);
        if (b->nJ > 0 && p->J)
            b->space->jacobian(b, p->q + b->q_adr, p->J + b->J_adr);
    }
}

void step_follow(const lithe_model *m, step_point *p)
{
    for (int k = 0; k < m->nbody; k++)
        if (m->body[k].space->follow)
            m->body[k].space->follow(&m->body[k], p->q + m->body[k].q_adr,
                                     p->x + 3 * (size_t)m->body[k].node_adr);
}

void step_positions(const lithe_model *m, step_point *p)
{
    find_positions(m, p);
    step_follow(m, p);
}

void step_rest(const lithe_model *m, step_point *p)
{
    for (int k = 0; k < m->nbody; k++)
        m->body[k].space->rest(&m->body[k], p->q + m->body[k].q_adr);
    step_positions(m, p);
}

void step_push(const lithe_model *m, const double *J, const double *dq, double *dx)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->push(b, body_jacobian(b, J), dq + b->q_adr, dx + 3 * (size_t)b->node_adr);
    }
}

void step_move(const lithe_model *m, const step_point *from, double share, const double *motion,
               step_point *to)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->advance(b, from->q + b->q_adr, share, motion + b->q_adr, to->q + b->q_adr);
    }
    find_positions(m, to);
}

void step_advance_nodes(const lithe_model *m, const double *x, double share, const double *way,
                        double *out)
{
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        space_nodal.advance(&m->body[k], x + at, share, way + at, out + at);
    }
}

void step_way(const lithe_model *m, const double *from, const double *to, double *way)
{
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        space_nodal.motion(&m->body[k], from + at, to + at, way + at);
    }
}

int step_inverted(const lithe_model *m, pool *threads, const double *x)
{
    int n = 0;
    for (int k = 0; k < m->nbody; k++)
        n += body_inverted(&m->body[k], x + 3 * (size_t)m->body[k].node_adr, threads);
    return n;
}

static void add_pull(const lithe_model *m, const step_point *p, int r, double effort, double *f)
{
    const double *H = &p->H[3 * (size_t)m->row_adr[r]];
    for (int i = 0; i < m->row[r].nnode; i++)
        vec_axpy(&f[3 * m->row[r].node[i]], effort, &H[3 * i]);
}

double point_row_rate(const lithe_model *m, const step_point *p, int r, const double *dx)
{
    const double *H = &p->H[3 * (size_t)m->row_adr[r]];
    double rate = 0;
    for (int i = 0; i < m->row[r].nnode; i++)
        rate += vec_dot(&H[3 * i], &dx[3 * m->row[r].node[i]]);
    return rate;
}

// The angle of a joint goes on beyond half a round: the one that is nearest to the last.
static double unwrapped(const lithe_model *m, const lithe_state *s, int r, double value)
{
    const double whole = 2 * M_PI;
    if (r >= m->nact || m->row[r].kind != ROW_LINK)
        return value;
    const row_link *link = m->row[r].link;
    if (link->other)
        return link->period > 0 ? value - link->period * round(value / link->period) : value;
    if (!link->twist)
        return value;
    return value + whole * round((s->axes.angle[r] - value) / whole);
}

static void evaluate_rows(const lithe_model *m, const lithe_state *s, step_point *p)
{
    memset(p->pull, 0, 3 * (size_t)m->nnode * sizeof *p->pull);
    for (int r = 0; r < m->nrow; r++) {
        p->delta[r] = unwrapped(m, s, r, row_value(&m->row[r], p->x));
        row_gradient(&m->row[r], p->x, &p->H[3 * (size_t)m->row_adr[r]]);
        if (r >= m->nact)
            continue;
        p->delta[r] += s->axes.give[r] * p->effort[r];
        if (!row_is_parameter(&m->row[r]))
            add_pull(m, p, r, p->effort[r], p->pull);
    }
}

void point_out_of_balance(const body *b, const step_point *p, double *out)
{
    size_t at = 3 * (size_t)b->node_adr;
    for (size_t i = at; i < at + 3 * (size_t)b->nnode; i++)
        out[i - at] = p->internal[i] + p->inertial[i] - p->external[i] - p->pull[i];
}

static bool is_nothing(const double *f, int n)
{
    for (int i = 0; i < n; i++)
        if (f[i] != 0)
            return false;
    return true;
}

// Norms over free coordinates: relative force residual of the design. What is out of balance is the
// sum of its parts there: pulling them is what takes the time.
static void measure_residual(const lithe_model *m, lithe_state *s, step_point *p)
{
    enum { PARTS = 4 };
    const double sign[PARTS] = {1, 1, -1, -1};
    double sum[PARTS] = {0}, left = 0, largest = 0;
    bool still = m->dynamics.scheme == LITHE_STATIC;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        const double *part[PARTS] = {p->internal + at, still ? NULL : p->inertial + at,
                                     p->external + at, p->pull + at};
        memset(s->unbalanced, 0, (size_t)b->nq * sizeof *s->unbalanced);
        for (int i = 0; i < PARTS; i++) {
            if (!part[i] || is_nothing(part[i], 3 * b->nnode))
                continue;
            const double *g = b->space->pull(b, body_jacobian(b, p->J), part[i], s->pulled);
            sum[i] += b->space->square(b, g);
            for (int j = 0; j < b->nq; j++)
                s->unbalanced[j] += sign[i] * g[j];
        }
        left += b->space->square(b, s->unbalanced);
    }
    for (int i = 0; i < PARTS; i++)
        largest = worst_of(largest, sum[i]);
    largest = sqrt(largest);
    p->residual = sqrt(left);
    p->relative = !isfinite(p->residual) || !isfinite(largest) ? INFINITY
                  : largest > motion_noise(m, s)               ? p->residual / largest
                                                               : 0;
}

void point_evaluate_plain(const lithe_model *m, lithe_state *s, step_point *p)
{
    evaluate_rows(m, s, p);
    measure_residual(m, s, p);
}

void point_evaluate_rows(const lithe_model *m, lithe_state *s, step_point *p)
{
    double start = clock_now();
    evaluate_rows(m, s, p);
    contact_evaluate(m, s, p);
    measure_residual(m, s, p);
    s->time.rows += clock_now() - start;
}

static void evaluate(const lithe_model *m, lithe_state *s, step_point *p, bool ahead)
{
    double start = clock_now();
    body_loading loads = state_loading(s);
    p->number = ahead ? ++s->tangent.looks_ahead : 0;
    p->energy = 0;
    tangent_moduli(m, s->setting, p->effort, &s->tangent);
    memset(p->external, 0, 3 * (size_t)m->nnode * sizeof *p->external);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        p->energy += body_elastic(b, &s->tangent.work[k], p->x + at, s->tangent.stiffness[k],
                                  ahead ? ELEMENT_EXACT : ELEMENT_FORCE_ONLY, s->tangent.threads,
                                  p->internal + at, ahead ? s->tangent.K[k] : NULL);
        body_loads(b, &loads, p->x + at, p->external + at, NULL);
    }
    motion_force(m, s, p);
    s->time.assemble += clock_now() - start;
    point_evaluate_rows(m, s, p);
}

void point_evaluate(const lithe_model *m, lithe_state *s, step_point *p)
{
    evaluate(m, s, p, false);
}

// Moduli that rows change would have to be compared as well, so they do not look ahead.
void step_look_ahead(const lithe_model *m, lithe_state *s, step_point *p)
{
    bool tuned = false;
    for (int k = 0; k < m->nbody; k++)
        tuned = tuned || m->tuned[k];
    evaluate(m, s, p, !tuned);
    s->tangent.is_ahead = !tuned;
    memcpy(s->tangent.ahead, p->x, 3 * (size_t)m->nnode * sizeof *s->tangent.ahead);
}
