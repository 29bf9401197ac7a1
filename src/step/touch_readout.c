// Contacts as outsiders see them, and obstacles that they move.
#include "base/vec.h"
#include "step/readout.h"
#include "step/step.h"

#include <string.h>

int lithe_nobstacle(const lithe_model *m)
{
    return m->touch.world.nshape;
}

const char *lithe_obstacle_name(const lithe_model *m, int obstacle)
{
    return obstacle >= 0 && obstacle < m->touch.world.nshape ? m->touch.shape_name[obstacle] : NULL;
}

int lithe_find_obstacle(const lithe_model *m, const char *name)
{
    for (int o = 0; o < m->touch.world.nshape; o++)
        if (strcmp(m->touch.shape_name[o], name) == 0)
            return o;
    return -1;
}

lithe_status lithe_move_obstacle(const lithe_model *m, lithe_state *s, int obstacle,
                                 const double rotate[3], const double move[3])
{
    if (obstacle < 0 || obstacle >= m->touch.world.nshape)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no obstacle %d; there are %d",
                          obstacle, m->touch.world.nshape);
    for (int i = 0; i < 3; i++)
        if (!isfinite(rotate[i]) || !isfinite(move[i]))
            return LITHE_FAIL(&s->report, LITHE_INVALID,
                              "the way of obstacle '%s' is not a finite number",
                              m->touch.shape_name[obstacle]);
    const contact_frame *from = &m->touch.pose[obstacle];
    contact_frame *to = &s->touch.shape_aim[obstacle];
    double R[9];
    mat_from_angles(R, rotate);
    mat_mul(to->R, R, from->R);
    memcpy(to->at, from->at, sizeof to->at);
    vec_axpy(to->at, 1, move);
    return LITHE_OK;
}

int lithe_npair(const lithe_model *m)
{
    return m->touch.npair;
}

const char *lithe_pair_name(const lithe_model *m, int pair, int side)
{
    bool known = pair >= 0 && pair < m->touch.npair && (side == 0 || side == 1);
    return known ? m->touch.pair[pair].name[side] : NULL;
}

int lithe_find_pair(const lithe_model *m, const char *first, const char *second)
{
    for (int k = 0; k < m->touch.npair; k++) {
        const char *const *name = m->touch.pair[k].name;
        if ((strcmp(name[0], first) == 0 && strcmp(name[1], second) == 0) ||
            (strcmp(name[0], second) == 0 && strcmp(name[1], first) == 0))
            return k;
    }
    return -1;
}

lithe_status lithe_switch_pair(const lithe_model *m, lithe_state *s, int pair, bool on)
{
    if (pair < 0 || pair >= m->touch.npair)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no pair %d; there are %d", pair,
                          m->touch.npair);
    for (int k = 0; k < m->touch.world.npair; k++)
        if (m->touch.pair_of[k] == pair)
            s->touch.off[k] = !on;
    return LITHE_OK;
}

double lithe_penetration(const lithe_state *s)
{
    return fmax(s->truth.deepest.depth, s->truth.meant.depth);
}

// Of what may not overlap and what does by design, the one that is deeper than it may be.
lithe_overlap lithe_last_overlap(const lithe_model *m, const lithe_state *s)
{
    const check_depth *d = &s->truth.deepest, *meant = &s->truth.meant;
    if (!s->truth.work)
        return (lithe_overlap){.pair = -1, .meant_pair = -1};
    if (meant->depth - truth_allowed(m, meant->pair) > d->depth - truth_allowed(m, d->pair) &&
        meant->depth > 0)
        d = meant;
    return (lithe_overlap){.depth = d->depth,
                           .allowed = truth_allowed(m, d->pair),
                           .pair = d->pair >= 0 ? m->touch.pair_of[d->pair] : -1,
                           .at = {d->at[0], d->at[1], d->at[2]},
                           .meant = meant->depth,
                           .meant_pair = meant->pair >= 0 ? m->touch.pair_of[meant->pair] : -1,
                           .merged = s->touch.merged,
                           .passes = s->touch.passes};
}

int lithe_ncontact(const lithe_state *s)
{
    return s->touch.list.n;
}

lithe_status lithe_contact_get(const lithe_model *m, const lithe_state *s, int i,
                               lithe_contact *out)
{
    *out = (lithe_contact){0};
    if (i < 0 || i >= s->touch.list.n)
        return LITHE_INVALID;
    const contact *c = &s->touch.list.contact[i];
    out->id = c->id;
    out->pair = m->touch.pair_of[c->pair];
    out->first = m->touch.pair[out->pair].name[0];
    out->second = m->touch.pair[out->pair].name[1];
    out->gap = c->gap;
    out->force = c->share * s->now.press[i] / s->touch.unit;
    memcpy(out->normal, c->normal, sizeof out->normal);
    memcpy(out->at, c->at, sizeof out->at);
    for (int r = s->touch.list.n; r < s->touch.nrow; r++)
        if (s->touch.slider[(r - s->touch.list.n) / 2] == i)
            vec_axpy(out->friction, s->now.press[r] / s->touch.unit,
                     &s->touch.tangent[3 * (r - s->touch.list.n)]);
    return LITHE_OK;
}

void lithe_pair_force(const lithe_model *m, const lithe_state *s, int pair, double force[3])
{
    memset(force, 0, 3 * sizeof *force);
    for (int i = 0; i < s->touch.list.n; i++) {
        lithe_contact c;
        lithe_contact_get(m, s, i, &c);
        if (c.pair != pair)
            continue;
        vec_axpy(force, c.force, c.normal);
        vec_axpy(force, 1, c.friction);
    }
}

lithe_contact_search lithe_last_contact_search(const lithe_state *s)
{
    const step_touch *t = &s->touch;
    bool apart = s->truth.deepest.depth <= TOUCH_TOLERANCE * s->model->size;
    bool asked = s->task.inverse && t->asked && apart;
    return (lithe_contact_search){.proof = asked ? qpcc_proof_text(t->proof) : NULL,
                                  .open = asked ? t->open : NAN};
}

void state_contact_forces(const lithe_model *m, const lithe_state *s, double *force)
{
    const contact_list *list = &s->touch.list;
    memset(force, 0, 3 * (size_t)m->nplace * sizeof *force);
    for (int c = 0; c < list->n; c++)
        for (int i = 0; i < list->contact[c].n; i++) {
            const contact_entry *e = &list->entry[list->contact[c].adr + i];
            int k = 0;
            while (e->node >= m->body[k].node_adr + m->body[k].nnode)
                k++;
            int place = m->body[k].place_adr + e->node - m->body[k].node_adr;
            vec_axpy(&force[3 * (size_t)place], s->now.press[c], e->H);
        }
}

void state_observe(lithe_state *s, void (*observe)(void *observer, const qpcc_problem *p),
                   void *observer)
{
    s->touch.observe = observe;
    s->touch.observer = observer;
}
