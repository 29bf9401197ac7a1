// Starts that are in contact or overlap. The barrier needs some distance, so the first guess is
// taken apart: points go along the normal, half of the way each side, as often as it takes. The
// rest shape stays what it is; where a body is pushed when the scene begins, it is pushed.
#include "base/vec.h"
#include "step/contact_rows.h"
#include "step/contact_step.h"
#include "step/step.h"

#include <string.h>

// Shares of the reach: what counts as contact, and how far apart it is taken. In motion what is
// nearer than the reach would be pushed off by the barrier, with energy that nobody put in.
static double near_share(const lithe_model *m)
{
    return step_is_moving(m) ? 1 : 0.1;
}

static double apart(const lithe_model *m)
{
    return step_is_moving(m) ? 1.001 : 0.3;
}

// A row's way for each of its nodes, by their weights; load: way, weight: sum of weights.
static void add_way(const lithe_model *m, const penetration *p, double way, double *load,
                    double *weight)
{
    double square = 0;
    for (int i = 0; i < p->pair.npoint; i++)
        square += p->share[i] * p->share[i];
    for (int i = 0; i < p->pair.npoint; i++) {
        const surface_entry *entry;
        int n = proximity_point(&m->contact.world, &p->pair, i, &entry);
        double share = p->share[i] / square * way;
        for (int k = 0; k < n; k++) {
            double w = fabs(entry[k].weight * p->share[i]);
            vec_axpy(&load[3 * (size_t)entry[k].node], w * share, p->normal);
            weight[entry[k].node] += w;
        }
    }
}

static void move_nodes(const lithe_model *m, lithe_state *s, const double *load,
                       const double *weight)
{
    for (int k = 0; k < m->nbody; k++)
        for (int i = 0; i < 3 * body_nposition(&m->body[k]) && m->body[k].space == &space_nodal;
             i++) {
            size_t at = 3 * (size_t)m->body[k].node_adr + (size_t)i;
            bool held = body_is_held(&m->body[k], i / 3, 1 << i % 3);
            if (!held && weight[at / 3] > 0)
                s->now.q[m->body[k].q_adr + i] += load[at] / weight[at / 3];
        }
    step_positions(m, &s->now);
}

// A body's own surface is looked at only nearby: deep inside of it is its other side.
static int look(const lithe_model *m, lithe_state *s, bool deep)
{
    step_contact *t = &s->contact;
    proximity_filter filter = contact_filter(m, s);
    proximity_positions *positions = &s->now.contact->positions;
    for (int k = 0; k < m->contact.world.nmatch; k++)
        t->shallow[k] = t->off[k] || (deep && m->contact.world.match[k].self);
    filter.off = t->shallow;
    int n;
    proximity_positions_at(&m->contact.world, positions, s->now.x, s->now.contact->frame);
    while ((n = penetration_find(&m->contact.world, positions, &filter,
                                 near_share(m) * m->contact.reach, (deep ? 0.1 : 5e-3) * m->size,
                                 &t->apart)) > t->apart.max)
        if (penetration_reserve(&m->contact.world, &t->apart, n + n / 2) != LITHE_OK)
            return -1;
    t->apart.n = n;
    return n;
}

static lithe_status fail(const lithe_model *m, lithe_state *s)
{
    const penetration_list *list = &s->contact.apart;
    const penetration *worst = &list->item[0];
    for (int i = 1; i < list->n; i++)
        worst = list->item[i].distance < worst->distance ? &list->item[i] : worst;
    int sides = m->contact.law[worst->pair.match].sides;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "'%s' and '%s' are %.1e m deep in each other when they begin to touch, and "
                      "could not be taken apart: place them apart",
                      lithe_pair_name(m, sides, 0), lithe_pair_name(m, sides, 1), -worst->distance);
}

static int body_of_point(const lithe_model *m, const proximity_pair *pair, int i)
{
    const surface_entry *entry;
    if (proximity_point(&m->contact.world, pair, i, &entry) == 0)
        return -1;
    int k = 0;
    while (entry[0].node >= m->body[k].node_adr + m->body[k].nnode)
        k++;
    return k;
}

static bool is_free(const lithe_model *m, int k)
{
    return k >= 0 && m->body[k].space == &space_nodal && m->body[k].ndof == 3 * m->body[k].nnode;
}

// A body that nothing holds goes as a whole, by the mean of what its points lack.
static void shift_body(const lithe_model *m, lithe_state *s, int k)
{
    const penetration_list *list = &s->contact.apart;
    double sum[3] = {0};
    int n = 0;
    for (int i = 0; i < list->n; i++) {
        const penetration *p = &list->item[i];
        int a = body_of_point(m, &p->pair, 0),
            b = p->pair.shape >= 0 ? -1 : body_of_point(m, &p->pair, p->pair.npoint - 1);
        if (a == b || (a != k && b != k))
            continue;
        double way = apart(m) * m->contact.reach - p->distance;
        double share = is_free(m, a) && is_free(m, b) ? 0.5 : 1;
        vec_axpy(sum, (a == k ? share : -share) * way, p->normal);
        n++;
    }
    for (int i = 0; i < body_nposition(&m->body[k]) && n > 0; i++)
        vec_axpy(&s->now.q[m->body[k].q_adr + 3 * i], 1.0 / n, sum);
    step_positions(m, &s->now);
}

static void shift_bodies(const lithe_model *m, lithe_state *s)
{
    enum { LOOKS = 200 };
    bool any = false;
    for (int k = 0; k < m->nbody; k++)
        any = any || is_free(m, k);
    for (int k = 0; k < LOOKS && any && look(m, s, true) > 0; k++)
        for (int b = 0; b < m->nbody; b++)
            if (is_free(m, b))
                shift_body(m, s, b);
}

// The obstacle on one side of a pair, and on which: 1 if it is a, -1 if b. -1: none.
static int obstacle_of(const lithe_model *m, const proximity_pair *pair, double *side)
{
    *side = -1;
    if (pair->shape >= 0)
        return pair->shape;
    for (int i = 0; i < 2; i++) {
        int frame = m->contact.world.surface[pair->surface[i]].frame;
        *side = i == 0 ? 1 : -1;
        if (frame >= 0)
            return frame;
    }
    return -1;
}

// An obstacle that begins inside of something is put outside, the short way, and goes to its
// position as every obstacle does that moves.
static void shift_obstacles(const lithe_model *m, lithe_state *s)
{
    enum { LOOKS = 60 };
    const penetration_list *list = &s->contact.apart;
    for (int k = 0; k < LOOKS && look(m, s, true) > 0; k++)
        for (int o = 0; o < m->contact.world.nshape; o++) {
            const penetration *worst = NULL;
            double side = 0, found = 0;
            for (int i = 0; i < list->n; i++) {
                const penetration *p = &list->item[i];
                if (obstacle_of(m, &p->pair, &found) == o &&
                    (!worst || p->distance < worst->distance)) {
                    worst = p;
                    side = found;
                }
            }
            if (worst)
                vec_axpy(s->now.contact->frame[o].at,
                         side * (apart(m) * m->contact.reach - worst->distance), worst->normal);
        }
}

static lithe_status take_apart(const lithe_model *m, lithe_state *s, bool deep)
{
    enum { LOOKS = 60 };
    step_contact *t = &s->contact;
    for (int k = 0; k < LOOKS; k++) {
        int n = look(m, s, deep);
        if (n < 0)
            return report_no_memory(&s->report, "contacts");
        if (n == 0)
            return LITHE_OK;
        double *load = s->nodal, *weight = s->nodal + 3 * (size_t)m->nnode;
        memset(load, 0, 6 * (size_t)m->nnode * sizeof *load);
        for (int i = 0; i < n; i++)
            add_way(m, &t->apart.item[i], apart(m) * m->contact.reach - t->apart.item[i].distance,
                    load, weight);
        move_nodes(m, s, load, weight);
    }
    return look(m, s, deep) == 0 ? LITHE_OK : fail(m, s);
}

lithe_status contact_take_apart(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    if (!m->contact.on || !t->fresh)
        return LITHE_OK;
    t->fresh = false;
    if (t->apart.max == 0 && penetration_reserve(&m->contact.world, &t->apart, 64) != LITHE_OK)
        return report_no_memory(&s->report, "contacts");
    shift_bodies(m, s);
    if (!step_is_moving(m))
        shift_obstacles(m, s);
    LITHE_TRY(take_apart(m, s, true));
    LITHE_TRY(take_apart(m, s, false));
    for (int o = 0; o < m->contact.world.nshape; o++)
        t->before[o] = s->now.contact->frame[o]; // from where they go
    return LITHE_OK;
}
