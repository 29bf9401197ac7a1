#include "step/contact.h"

#include "base/memory.h"
#include "base/vec.h"
#include "base/worst.h"
#include "body/spin.h"
#include "step/contact_rows.h"
#include "step/contact_step.h"
#include "step/step.h"
#include "step/tolerances.h"

#include <string.h>

bool contact_rows_create(const lithe_model *m, arena *memory, contact_rows **out)
{
    const model_contact *c = &m->contact;
    contact_rows *rows = *out = arena_new(memory, 1, contact_rows);
    if (!rows || !c->on)
        return rows != NULL;
    rows->least = INFINITY;
    rows->frame = arena_new(memory, c->world.nshape + 1, contact_frame);
    return rows->frame &&
           proximity_positions_create(&c->world, memory, &rows->positions) == LITHE_OK &&
           proximity_reserve(&rows->list, c->room) == LITHE_OK &&
           contact_rows_reserve(rows, c->room) == LITHE_OK;
}

void contact_rows_free(contact_rows *rows)
{
    if (!rows)
        return;
    proximity_list_free(&rows->list);
    memory_free(rows->row);
    *rows = (contact_rows){0};
}

// Once in a while more is found than ever before: then, and only then, a step allocates.
lithe_status contact_rows_reserve(contact_rows *rows, int n)
{
    if (n <= rows->max)
        return LITHE_OK;
    int room = n + n / 2;
    contact_row *c = memory_grow(rows->row, (size_t)rows->n * sizeof *c, (size_t)room * sizeof *c);
    if (!c)
        return LITHE_NO_MEMORY;
    rows->row = c;
    rows->max = room;
    return LITHE_OK;
}

lithe_status contact_create(const lithe_model *m, arena *a, step_contact *t)
{
    const proximity_world *world = &m->contact.world;
    size_t shapes = (size_t)world->nshape + 1, nodes = 3 * (size_t)m->nnode;
    t->unit = t->nearer = t->settled = 1;
    if (!m->contact.on)
        return LITHE_OK;
    contact_frame **frame[] = {&t->from, &t->aim, &t->before, &t->saved};
    for (size_t k = 0; k < sizeof frame / sizeof *frame; k++)
        if (!(*frame[k] = arena_new(a, shapes, contact_frame)))
            return LITHE_NO_MEMORY;
    t->shallow = arena_new(a, world->nmatch + 1, bool);
    t->load = arena_new(a, nodes, double);
    t->kept_support = arena_new(a, nodes, double);
    t->kept_support_q = arena_new(a, m->nq + 1, double);
    t->saved_q = arena_new(a, m->nq + 1, double);
    t->saved_effort = arena_new(a, m->nact + 1, double);
    t->near_q = arena_new(a, m->nq + 1, double);
    t->near_effort = arena_new(a, m->nact + 1, double);
    if (!t->off || !t->shallow || !t->load || !t->kept_support || !t->kept_support_q ||
        !t->base_q || !t->saved_q || !t->saved_effort || !t->base_effort || !t->near_q ||
        !t->near_effort || !couple_create(m, a, &t->beside))
        return LITHE_NO_MEMORY;
    t->struck_body = arena_new(a, m->nbody + 1, bool);
    if (!t->struck_body || !contact_memory_reserve(&t->known, m->contact.room) ||
        !contact_memory_reserve(&t->stick, m->contact.room) ||
        (m->contact.bounces && !impact_begin(&t->blow, m->contact.room, m->nact)))
        return LITHE_NO_MEMORY;
    LITHE_TRY(proximity_positions_create(world, a, &t->ahead));
    LITHE_TRY(proximity_positions_create(world, a, &t->last));
    t->point = arena_new(a, 3 * (size_t)t->ahead.nvertex + 1, double);
    return t->point ? LITHE_OK : LITHE_NO_MEMORY;
}

void contact_free(step_contact *t)
{
    penetration_list_free(&t->apart);
    memory_free(t->H);
    memory_free(t->known.note);
    memory_free(t->stick.note);
    impact_free(&t->blow);
    couple_free(&t->beside);
}

static void copy_frames(const lithe_model *m, contact_frame *to, const contact_frame *from)
{
    if (m->contact.world.nshape > 0)
        memcpy(to, from, (size_t)m->contact.world.nshape * sizeof *to);
}

void contact_reset(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    if (!m->contact.on)
        return;
    t->unit = t->settled = 1;
    t->law = t->based = t->moving = false;
    t->known.n = t->stick.n = t->passes = 0;
    t->wait = 0;
    t->fresh = true;
    copy_frames(m, s->now.contact->frame, m->contact.pose);
    copy_frames(m, t->next, m->contact.pose);
    for (int k = 0; k < m->contact.world.nmatch; k++) {
        t->off[k] = m->contact.law[k].sides >= 0 && m->contact.sides[m->contact.law[k].sides].off;
        t->friction[k] = m->contact.law[k].friction;
        t->rubs = t->rubs || t->friction[k] > 0 || m->contact.law[k].across > 0;
    }
    contact_begin(m, s);
    contact_aim(m, s, 1);
}

void contact_forget(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    if (!m->contact.on)
        return;
    t->law = t->based = false;
    t->known.n = t->stick.n = t->passes = 0;
    t->nearer = t->settled = 1;
    t->fresh = true;
}

static void copy_notes(contact_memory *to, const contact_memory *from)
{
    if (from->n == 0 || !contact_memory_reserve(to, from->n))
        to->n = 0;
    else
        memcpy(to->note, from->note, (size_t)(to->n = from->n) * sizeof *to->note);
}

void contact_adopt(const lithe_model *m, lithe_state *s, const lithe_model *other_model,
                   const lithe_state *other)
{
    step_contact *t = &s->contact;
    const step_contact *from = &other->contact;
    const body *b = &other_model->body[0];
    size_t matches = (size_t)m->contact.world.nmatch;
    if (!m->contact.on)
        return;
    contact_forget(m, s);
    memcpy(t->off, from->off, matches * sizeof *t->off);
    memcpy(t->friction, from->friction, matches * sizeof *t->friction);
    t->rubs = from->rubs;
    t->fresh = from->fresh;
    t->mu = from->mu;
    copy_frames(m, s->now.contact->frame, other->now.contact->frame);
    copy_frames(m, t->next, from->next);
    copy_notes(&t->stick, &from->stick);
    b->space->positions(b, from->based ? from->base_q : other->now.q, t->base_q);
    memcpy(t->base_effort, from->based ? from->base_effort : other->now.effort,
           (size_t)m->nact * sizeof *t->base_effort);
    t->based = true;
    contact_rebase(m, s);
}

// Back to the barrier's equilibrium from what it was polished to.
void contact_rebase(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    t->law = false;
    t->nearer = 1;
    if (t->based) {
        memcpy(s->now.q, t->base_q, (size_t)m->nq * sizeof *s->now.q);
        step_positions(m, &s->now);
        memcpy(s->now.effort, t->base_effort, (size_t)m->nact * sizeof *s->now.effort);
    }
    t->based = false;
}

// A step goes on from there.
void contact_begin(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    if (!m->contact.on)
        return;
    t->proof = NULL;
    contact_rebase(m, s);
    copy_frames(m, t->before, s->now.contact->frame);
    copy_frames(m, t->saved, s->now.contact->frame);
}

static bool same_frame(const contact_frame *a, const contact_frame *b)
{
    int differs = 0;
    for (int i = 0; i < 3; i++)
        differs |= a->at[i] != b->at[i];
    for (int i = 0; i < 9; i++)
        differs |= a->R[i] != b->R[i];
    return !differs;
}

// Obstacles go their way through the step as loads and commands do.
void contact_aim(const lithe_model *m, lithe_state *s, double share)
{
    step_contact *t = &s->contact;
    t->moving = false;
    for (int o = 0; o < m->contact.world.nshape && m->contact.on; o++) {
        advance_frame(&t->before[o], &t->next[o], share, &t->aim[o]);
        if (share >= 1)
            t->aim[o] = t->next[o];
        t->moving = t->moving || !same_frame(&t->aim[o], &s->now.contact->frame[o]);
    }
    t->wait = 0;
}

void contact_save(const lithe_model *m, lithe_state *s)
{
    if (!m->contact.on)
        return;
    copy_frames(m, s->contact.saved, s->now.contact->frame);
    s->contact.saved_based = s->contact.based;
    memcpy(s->contact.saved_q, s->contact.base_q, (size_t)m->nq * sizeof *s->now.q);
    memcpy(s->contact.saved_effort, s->contact.base_effort,
           (size_t)m->nact * sizeof *s->now.effort);
    friction_save(m, s);
    proximity_positions_at(&m->contact.world, &s->contact.last, s->now.x, s->now.contact->frame);
}

void contact_restore(const lithe_model *m, lithe_state *s)
{
    if (!m->contact.on)
        return;
    s->contact.law = false;
    s->contact.based = s->contact.saved_based;
    memcpy(s->contact.base_q, s->contact.saved_q, (size_t)m->nq * sizeof *s->now.q);
    memcpy(s->contact.base_effort, s->contact.saved_effort,
           (size_t)m->nact * sizeof *s->now.effort);
    copy_frames(m, s->now.contact->frame, s->contact.saved);
    // from there what is safe is measured, before anything is evaluated again
    proximity_positions_at(&m->contact.world, &s->now.contact->positions, s->now.x,
                           s->now.contact->frame);
}

// What is held and obstacles stay where they are for some passes, so that the rest can give way.
void contact_pause(const lithe_model *m, lithe_state *s, int passes)
{
    step_contact *t = &s->contact;
    t->wait = passes;
    memcpy(t->kept_support, s->support, 3 * (size_t)m->nnode * sizeof *s->support);
    memcpy(t->kept_support_q, s->support_q, (size_t)m->nq * sizeof *s->support_q);
    memset(s->support, 0, 3 * (size_t)m->nnode * sizeof *s->support);
    memset(s->support_q, 0, (size_t)m->nq * sizeof *s->support_q);
    t->kept_supports_move = s->supports_move;
    s->supports_move = false;
}

void contact_resume(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    t->wait = 0;
    memcpy(s->support_q, t->kept_support_q, (size_t)m->nq * sizeof *s->support_q);
    memcpy(s->support, t->kept_support, 3 * (size_t)m->nnode * sizeof *s->support);
    s->supports_move = t->kept_supports_move;
}

bool contact_moving(const lithe_state *s)
{
    return s->contact.moving && s->contact.wait == 0;
}

// Where obstacles are after a share of the pass.
void contact_share(const lithe_model *m, lithe_state *s, double share)
{
    const contact_frame *from = s->now.contact->frame;
    contact_frame *to = s->trial.contact->frame;
    if (!m->contact.on)
        return;
    if (!contact_moving(s) || share == 0)
        copy_frames(m, to, from);
    else if (share == 1)
        copy_frames(m, to, s->contact.aim);
    else
        for (int o = 0; o < m->contact.world.nshape; o++)
            advance_frame(&from[o], &s->contact.aim[o], share, &to[o]);
}

void contact_taken(lithe_state *s, double share)
{
    s->contact.moving = s->contact.moving && (share < 1 || s->contact.wait > 0);
}

proximity_filter contact_filter(const lithe_model *m, const lithe_state *s)
{
    return (proximity_filter){.off = s->contact.off, .held = m->contact.held};
}

// How far one can go along s->pass.dx before something comes too near.
static double safe_share(const lithe_model *m, lithe_state *s, const double *x)
{
    step_contact *t = &s->contact;
    proximity_filter filter = contact_filter(m, s);
    proximity_positions_at(&m->contact.world, &t->ahead, x,
                           contact_moving(s) ? t->aim : s->now.contact->frame);
    advance_way way = {.start = &s->now.contact->positions,
                       .end = &t->ahead,
                       .reach = t->nearer * m->contact.reach,
                       .keep = t->law ? 0 : 0.1,
                       .least = t->law ? 0.3 * m->contact.held_at
                                       : CONTACT_LEAST_GAP * m->contact.held_at};
    int nhit = 0;
    return advance_safe(&m->contact.world, &way, &filter, 1, NULL, &nhit);
}

// Nodes that frames carry do not go straight: there the share that is taken is looked at again.
double contact_safe(const lithe_model *m, lithe_state *s)
{
    enum { LOOKS = 6 };
    double share = 1;
    bool straight = true;
    if (!m->contact.on)
        return 1;
    for (int k = 0; k < m->nbody; k++)
        straight = straight && body_goes_straight(&m->body[k]);
    for (int k = 0; k < LOOKS; k++) {
        step_move(m, &s->now, share, s->pass.dq, &s->trial);
        double safe = safe_share(m, s, s->trial.x);
        share *= safe;
        if (straight || safe >= 1)
            break;
    }
    return share;
}

void contact_take_frames(const lithe_model *m, lithe_state *s, double share)
{
    if (!m->contact.on)
        return;
    copy_frames(m, s->now.contact->frame, s->trial.contact->frame);
    contact_taken(s, share);
}

// What the merit loses along s->pass.dx.
double contact_slope(const lithe_model *m, const lithe_state *s)
{
    double sum = 0;
    for (int r = 0; r < s->now.contact->n; r++) {
        const contact_row *c = &s->now.contact->row[r];
        for (int i = 0; i < c->pair.npoint; i++) {
            surface_entry spot[SURFACE_FACE];
            const surface_entry *entry;
            int n = contact_point(m, c, i, spot, &entry);
            for (int k = 0; k < n; k++)
                sum -= entry[k].weight *
                       vec_dot(&c->pull[3 * i], &s->pass.dx[3 * (size_t)entry[k].node]);
        }
    }
    return s->contact.unit * sum;
}

// What contacts add to the rates of generalized-alpha, M^-1 F; masses are lumped.
void contact_push(const lithe_model *m, lithe_state *s, double *push)
{
    memset(push, 0, 3 * (size_t)m->nnode * sizeof *push);
    if ((m->dynamics.scheme != LITHE_ALPHA && !s->contact.struck) || !m->contact.on)
        return;
    for (int r = 0; r < s->now.contact->n; r++)
        contact_spread(m, &s->now.contact->row[r], s->contact.unit, s->now.contact->row[r].pull,
                       push);
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        if (m->body[k].rigid)
            spin_push(&m->body[k], s->now.x + at, push + at);
        for (int i = 0; i < m->body[k].nnode && !m->body[k].rigid; i++)
            if (m->body[k].mass[i] > 0)
                vec_scale(&push[at + 3 * (size_t)i], 1 / m->body[k].mass[i]);
    }
}

void contact_rate(const lithe_model *m, const contact_row *c, const double *motion, double rate[3])
{
    memset(rate, 0, 3 * sizeof *rate);
    for (int i = 0; i < c->pair.npoint; i++) {
        surface_entry spot[SURFACE_FACE];
        const surface_entry *entry;
        int n = contact_point(m, c, i, spot, &entry);
        for (int k = 0; k < n; k++)
            vec_axpy(rate, c->at.share[i] * entry[k].weight, &motion[3 * (size_t)entry[k].node]);
    }
}

// A share of a motion of q from s->now, as far as nothing is in the way.
void contact_move(const lithe_model *m, lithe_state *s, double share, const double *motion)
{
    if (m->contact.on) {
        for (int i = 0; i < m->nq; i++)
            s->pass.dq[i] = share * motion[i];
        proximity_positions_at(&m->contact.world, &s->now.contact->positions, s->now.x,
                               s->now.contact->frame);
        step_move(m, &s->now, contact_safe(m, s), s->pass.dq, &s->now);
    } else
        step_move(m, &s->now, share, motion, &s->now);
}

// In motion the first guess is where velocities lead, as far as nothing is in the way: what slides
// or rolls then does so from the first pass on. What is held stays, and so does what rests: its
// velocities are what passes have left over, and gaps know them better than inertia does.
void contact_predict(const lithe_model *m, lithe_state *s)
{
    double *dq = s->pass.dq, *still = s->pulled, most = 0;
    if (!m->contact.on || s->now.contact->n == 0 || s->contact.moving)
        return;
    memset(dq, 0, (size_t)m->nq * sizeof *dq);
    memset(still, 0, (size_t)m->nq * sizeof *still);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        if (!b->space->fit)
            continue;
        b->space->fit(b, s->now.q + b->q_adr, s->motion.velocity + 3 * (size_t)b->node_adr,
                      dq + b->q_adr);
        b->space->only_held(b, still, dq + b->q_adr);
        most = worst_of(most, s->motion.h * b->space->largest(b, dq + b->q_adr));
    }
    if (most < CONTACT_AT_REST * m->contact.reach)
        return;
    for (int i = 0; i < m->nq; i++)
        dq[i] *= s->motion.h;
    step_move(m, &s->now, contact_safe(m, s), dq, &s->now);
}

// Starts that are in contact or overlap. The barrier needs some distance, so the first guess is
// taken apart: points go along the normal, half of the way each side, as often as it takes. The
// rest shape stays what it is; where a body is pushed when the scene begins, it is pushed.

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
                                 near_share(m) * m->contact.reach,
                                 (deep ? 0.1 : CONTACT_DEPTH) * m->size, &t->apart)) > t->apart.max)
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
    if (worst->distance > 0)
        return LITHE_FAIL(
            &s->report, LITHE_NOT_CONVERGED,
            "'%s' and '%s' begin %.2g m apart, and contact in motion acts from %.2g m "
            "on: place them at least that far apart",
            lithe_pair_name(m, sides, 0), lithe_pair_name(m, sides, 1), worst->distance,
            m->contact.reach);
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
    if (k < 0)
        return false;
    const body *b = &m->body[k];
    return b->rigid ? b->ndof == 6 : b->space == &space_nodal && b->ndof == 3 * b->nnode;
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
    const body *b = &m->body[k];
    int first = b->rigid ? b->carry->frame[0].triple[0] : 0,
        count = b->rigid ? 1 : body_nposition(b);
    for (int i = first; i < first + count && n > 0; i++)
        vec_axpy(&s->now.q[b->q_adr + 3 * i], 1.0 / n, sum);
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
