// Coulomb's friction. A contact with friction has two more rows: how far it has slipped along two
// tangents since the last equilibrium, or in the time step. Obstacles' own motion counts. What
// sticks is meant not to slip at all; the little that it does all the same is a debt that it pays
// back. docs/theory/contact-step.md.
#include "base/vec.h"
#include "solve/friction.h"
#include "step/step.h"

#include <string.h>

double slip_coefficient(const lithe_model *m, const lithe_state *s, int c)
{
    return m->touch.world.pair[s->touch.list.contact[c].pair].friction;
}

void slip_gather(lithe_state *s)
{
    step_touch *t = &s->touch;
    memset(t->drag, 0, 3 * (size_t)t->list.n * sizeof *t->drag);
    for (int r = t->list.n; r < t->nrow; r++)
        vec_axpy(&t->drag[3 * t->slider[(r - t->list.n) / 2]], s->now.press[r],
                 &t->tangent[3 * (r - t->list.n)]);
}

static void find_tangents(const double normal[3], double tangent[6])
{
    int least = 0;
    for (int axis = 1; axis < 3; axis++)
        least = fabs(normal[axis]) < fabs(normal[least]) ? axis : least;
    double *first = tangent, *second = tangent + 3;
    memset(first, 0, 3 * sizeof *first);
    first[least] = 1;
    vec_axpy(first, -normal[least], normal);
    vec_scale(first, 1 / vec_norm(first));
    vec_cross(second, normal, first);
}

// Contacts that are still far have no slips yet: they get them when they come near.
void slip_rows(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    t->nslider = 0;
    for (int c = 0; c < t->list.n && m->touch.friction; c++) {
        const contact *k = &t->list.contact[c];
        double near = 0.1 * m->touch.world.pair[k->pair].alarm;
        if (slip_coefficient(m, s, c) == 0 || (s->now.press[c] == 0 && k->gap > near))
            continue;
        find_tangents(k->normal, &t->tangent[6 * t->nslider]);
        t->slider[t->nslider++] = c;
    }
    t->nrow = t->list.n + 2 * t->nslider;
    for (int r = t->list.n; r < t->nrow; r++)
        s->now.press[r] =
            vec_dot(&t->tangent[3 * (r - t->list.n)], &t->drag[3 * t->slider[(r - t->list.n) / 2]]);
    for (int f = 0; f < t->nslider; f++) { // the directions have turned: stay in the cone
        double *p = &s->now.press[t->list.n + 2 * f], length = hypot(p[0], p[1]);
        double most = slip_coefficient(m, s, t->slider[f]) * s->now.press[t->slider[f]];
        for (int k = 0; k < 2 && length > most; k++)
            p[k] *= most / length;
    }
}

// How far the point of an obstacle has moved that is at p now.
void touch_obstacle_way(const lithe_model *m, const lithe_state *s, const contact *k, double way[3])
{
    const contact_pair *pair = &m->touch.world.pair[k->pair];
    int o = pair->second < 0 ? pair->shape : m->touch.world.skin[pair->second].frame;
    memset(way, 0, 3 * sizeof *way);
    if (o < 0)
        return;
    const contact_frame *now = &s->touch.shape[o], *then = &s->touch.shape_saved[o];
    double d[3], own[3], before[3];
    vec_sub(d, k->at, now->at);
    for (int i = 0; i < 3; i++)
        own[i] = now->R[i] * d[0] + now->R[3 + i] * d[1] + now->R[6 + i] * d[2];
    mat_apply(before, then->R, own);
    vec_axpy(before, 1, then->at);
    vec_sub(way, k->at, before);
}

static void slip_of(const lithe_model *m, const lithe_state *s, int c, const double *x,
                    double slip[3])
{
    const step_touch *t = &s->touch;
    const contact *k = &t->list.contact[c];
    double way[3];
    touch_obstacle_way(m, s, k, way);
    vec_sub(slip, &t->debt[3 * c], way);
    for (int i = 0; i < k->n; i++) {
        const contact_entry *e = &t->list.entry[k->adr + i];
        size_t at = 3 * (size_t)e->node;
        for (int axis = 0; axis < 3; axis++)
            slip[axis] += e->weight * (x[at + (size_t)axis] - s->saved.x[at + (size_t)axis]);
    }
}

static void slip_along(const lithe_model *m, const lithe_state *s, int f, const double *x,
                       double out[2])
{
    double slip[3];
    slip_of(m, s, s->touch.slider[f], x, slip);
    for (int k = 0; k < 2; k++)
        out[k] = vec_dot(slip, &s->touch.tangent[6 * f + 3 * k]);
}

bool slip_sticks(double mu, double normal, const double force[2])
{
    return normal > 0 && hypot(force[0], force[1]) < mu * normal * (1 - 1e-9);
}

// What sticks shall not slip; what slips does so against its friction. Forces that are next to
// nothing do not count.
double slip_residual(const lithe_model *m, const lithe_state *s, bool trial)
{
    const step_touch *t = &s->touch;
    const step_point *p = trial ? &s->trial : &s->now;
    double worst = 0, largest = 0;
    for (int c = 0; c < t->list.n && t->nslider > 0; c++)
        largest = fmax(largest, p->press[c]);
    for (int f = 0; f < t->nslider; f++) {
        const double *force = &p->press[t->list.n + 2 * f];
        double normal = p->press[t->slider[f]], mu = slip_coefficient(m, s, t->slider[f]), w[2];
        if (normal <= 1e-9 * largest)
            continue;
        slip_along(m, s, f, p->x, w);
        double length = hypot(force[0], force[1]);
        if (slip_sticks(mu, normal, force) || length == 0) {
            worst = fmax(worst, hypot(w[0], w[1]));
            continue;
        }
        double along = -(w[0] * force[0] + w[1] * force[1]) / length;
        double across = fabs(w[0] * force[1] - w[1] * force[0]) / length;
        worst = fmax(worst, fmax(across, -along));
    }
    return worst;
}

void slip_save(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    slip_gather(s);
    bool still = memcmp(s->saved.x, s->now.x, 3 * (size_t)m->nnode * sizeof *s->now.x) == 0;
    for (int f = 0; f < t->nslider && !still; f++) {
        int c = t->slider[f];
        double slip[3];
        slip_of(m, s, c, s->now.x, slip);
        vec_axpy(slip, -vec_dot(slip, t->list.contact[c].normal), t->list.contact[c].normal);
        if (!slip_sticks(slip_coefficient(m, s, c), s->now.press[c],
                         &s->now.press[t->list.n + 2 * f]))
            memset(slip, 0, sizeof slip);
        memcpy(&t->debt[3 * c], slip, sizeof slip);
    }
}

void slip_free(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    for (int f = 0; f < t->nslider; f++)
        slip_along(m, s, f, s->now.x, &t->gap_free[t->list.n + 2 * f]);
}

// The order of friction.h: actuators and contacts without friction, then three rows a contact.
static int find_order(const lithe_model *m, const step_touch *t, int *order)
{
    int count = 0, n = m->nact;
    for (int i = 0; i < n + t->list.n; i++) {
        bool slides = false;
        for (int f = 0; f < t->nslider && i >= n; f++)
            slides = slides || t->slider[f] == i - n;
        if (!slides)
            order[count++] = i;
    }
    int nbox = count;
    for (int f = 0; f < t->nslider; f++) {
        order[count++] = n + t->slider[f];
        order[count++] = n + t->list.n + 2 * f;
        order[count++] = n + t->list.n + 2 * f + 1;
    }
    return nbox;
}

lithe_status slip_solve(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    int all = m->nact + t->nrow, nbox = find_order(m, t, t->split);
    double *W = t->scratch, *q = W + (size_t)all * (size_t)all, *lo = q + all, *hi = lo + all,
           *lambda = hi + all, *mu = lambda + all;
    for (int i = 0; i < all; i++) {
        int r = t->split[i];
        q[i] = t->q[r];
        lo[i] = t->lo[r];
        hi[i] = t->hi[r];
        lambda[i] = t->lambda[r];
        for (int j = 0; j < all; j++)
            W[i * all + j] = t->W[r * all + t->split[j]];
    }
    for (int f = 0; f < t->nslider; f++)
        mu[f] = slip_coefficient(m, s, t->slider[f]);
    friction_problem p = {nbox, t->nslider, W, q, lo, hi, mu};
    friction_result found = friction_solve(t->friction, &p, lambda);
    for (int i = 0; i < all; i++)
        t->lambda[t->split[i]] = lambda[i];
    if (found.residual > 1e-6)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "the forces of %d contacts with friction could not be found (residual "
                          "%.1e); take smaller steps, or less friction",
                          t->nslider, found.residual);
    return LITHE_OK;
}
