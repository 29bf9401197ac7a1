#include "step/touch.h"

#include "base/turn.h"
#include "base/vec.h"
#include "base/worst.h"
#include "solve/box.h"
#include "solve/friction.h"
#include "step/step.h"

#include <string.h>

enum { ROUGH = 8 }; // contacts found for each that is kept

static bool memory_create(arena *a, int max, touch_memory *out)
{
    out->id = arena_new(a, max, uint64_t);
    out->force = arena_new(a, max, double);
    out->drag = arena_new(a, 3 * (size_t)max, double);
    out->debt = arena_new(a, 3 * (size_t)max, double);
    out->row = arena_new(a, max, contact);
    return out->id && out->force && out->drag && out->debt && out->row;
}

static bool poses_create(const lithe_model *m, arena *a, step_touch *t)
{
    const contact_world *world = &m->touch.world;
    t->shape = arena_new(a, world->nshape + 1, contact_frame);
    t->shape_before = arena_new(a, world->nshape + 1, contact_frame);
    t->shape_aim = arena_new(a, world->nshape + 1, contact_frame);
    t->shape_saved = arena_new(a, world->nshape + 1, contact_frame);
    t->shape_between = arena_new(a, world->nshape + 1, contact_frame);
    t->off = arena_new(a, world->npair + 1, bool);
    t->skin = arena_new(a, world->nskin + 1, skin_pose);
    t->skin_before = arena_new(a, world->nskin + 1, skin_pose);
    bool ok = t->shape && t->shape_before && t->shape_aim && t->shape_saved && t->shape_between &&
              t->off && t->skin && t->skin_before;
    for (int k = 0; k < world->nskin && ok; k++)
        ok = skin_pose_create(&world->skin[k], a, &t->skin[k]) == LITHE_OK &&
             skin_pose_create(&world->skin[k], a, &t->skin_before[k]) == LITHE_OK;
    return ok;
}

static bool arrays_create(const lithe_model *m, arena *a, step_touch *t)
{
    size_t c = (size_t)touch_most(m), n = (size_t)m->nact, rows = (size_t)m->nrow,
           limits = n + rows, all = n + c;
    struct {
        double **array;
        size_t count;
    } wanted[] = {{&t->target, c},      {&t->rate, c},
                  {&t->gap_free, c},    {&t->W_cc, c * c},
                  {&t->W_cr, c * rows}, {&t->W, all * all},
                  {&t->q, all},         {&t->lo, all},
                  {&t->hi, all},        {&t->lambda, all},
                  {&t->Jc, rows * c},   {&t->Ac, limits * c},
                  {&t->W_ca, c * n},    {&t->e, rows},
                  {&t->blo, limits},    {&t->bhi, limits},
                  {&t->gap, c},         {&t->x_found, 3 * (size_t)m->nnode},
                  {&t->gap_trial, c},   {&t->scratch, 3 * all * all + 6 * all},
                  {&t->offset, c},      {&t->x_before, 3 * (size_t)m->nnode}};
    bool ok = true;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        ok = ok && (*wanted[k].array = arena_new(a, wanted[k].count, double)) != NULL;
    t->level = arena_new(a, STEP_LEVELS, qpcc_level);
    t->columns = arena_new(a, m->nbody, double *);
    t->slider = arena_new(a, c, int);
    t->tangent = arena_new(a, 2 * c, double);
    t->drag = arena_new(a, 3 * c, double);
    t->debt = arena_new(a, 3 * c, double);
    ok = ok && t->slider && t->tangent && t->drag && t->debt;
    t->split = arena_new(a, 2 * all, int);
    t->kept = arena_new(a, c, bool);
    t->released = arena_new(a, c, bool);
    t->age = arena_new(a, c, int);
    t->age_other = arena_new(a, c, int);
    ok = ok && t->level && t->columns && t->split && t->kept && t->released && t->age &&
         t->age_other;
    for (int k = 0; k < m->nbody && ok; k++)
        ok = (t->columns[k] = arena_new(a, (size_t)m->body[k].nline * c, double)) != NULL;
    return ok;
}

int touch_most(const lithe_model *m)
{
    return m->touch.friction ? 3 * m->touch.max : m->touch.max;
}

bool touch_create(const lithe_model *m, arena *a, step_touch *t)
{
    int max = m->touch.max;
    if (max == 0)
        return true;
    qpcc_size size = {m->nact, m->nact + m->nrow, max, STEP_LEVELS, m->nrow, m->touch.global};
    t->box = box_create(a, m->nact + touch_most(m));
    if (m->touch.friction && !(t->friction = friction_create(a, m->nact + touch_most(m))))
        return false;
    t->qpcc = qpcc_create(a, size);
    return t->box && t->qpcc && poses_create(m, a, t) && arrays_create(m, a, t) &&
           contact_list_create(ROUGH * max, a, &t->list) == LITHE_OK &&
           contact_list_create(ROUGH * max, a, &t->other) == LITHE_OK &&
           contact_list_create(ROUGH * max, a, &t->sweep) == LITHE_OK &&
           memory_create(a, max, &t->last) && memory_create(a, max, &t->saved) &&
           bend_create(m, a, t);
}

void touch_reset(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    if (m->touch.max == 0)
        return;
    t->list.n = t->last.n = t->saved.n = t->passes = 0;
    memset(t->kept, 0, (size_t)m->touch.max * sizeof *t->kept);
    if (m->touch.world.nshape > 0) {
        memcpy(t->shape, m->touch.pose, (size_t)m->touch.world.nshape * sizeof *t->shape);
        memcpy(t->shape_aim, m->touch.pose, (size_t)m->touch.world.nshape * sizeof *t->shape);
    }
    for (int k = 0; k < m->touch.world.npair; k++)
        t->off[k] = m->touch.pair[m->touch.pair_of[k]].off;
    touch_begin(m, s);
}

void touch_begin(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    t->keeping = m->step.mode == LITHE_REALTIME; // one look a step, and many steps
    t->alone = false;
    t->unit = 1;
    for (int k = 0; k < m->touch.world.nskin && m->touch.max > 0; k++)
        skin_follow(&m->touch.world.skin[k], &t->skin_before[k], s->now.x, t->shape);
    if (m->touch.max > 0)
        memcpy(t->x_before, s->now.x, 3 * (size_t)m->nnode * sizeof *t->x_before);
    if (m->touch.world.nshape > 0)
        memcpy(t->shape_before, t->shape, (size_t)m->touch.world.nshape * sizeof *t->shape);
}

void touch_between(const contact_frame *from, const contact_frame *to, double t, contact_frame *now)
{
    double back[9], all[9], part[9], spin[3];
    *now = *to;
    if (t >= 1)
        return;
    for (int i = 0; i < 9; i++)
        back[i] = from->R[3 * (i % 3) + i / 3];
    mat_mul(all, to->R, back);
    turn_of_matrix(all, spin);
    vec_scale(spin, t);
    turn_matrix(spin, part);
    mat_mul(now->R, part, from->R);
    for (int i = 0; i < 3; i++)
        now->at[i] = from->at[i] + t * (to->at[i] - from->at[i]);
}

// Obstacles go their way through the step as loads and commands do.
void touch_aim(const lithe_model *m, lithe_state *s, double t)
{
    step_touch *k = &s->touch;
    for (int o = 0; o < m->touch.world.nshape && m->touch.max > 0; o++)
        touch_between(&k->shape_before[o], &k->shape_aim[o], t, &k->shape[o]);
}

// whole: points that were kept are forgotten, and what they belong to gets their force.
void touch_remember(const step_touch *t, const double *press, bool whole, touch_memory *out)
{
    out->n = 0;
    for (int c = 0; c < t->list.n; c++) {
        uint64_t id = whole ? touch_id(t->list.contact[c].id) : t->list.contact[c].id;
        int k = whole ? touch_recall(out, id) : -1;
        if (k < 0) {
            k = out->n++;
            out->id[k] = id;
            out->row[k] = t->list.contact[c];
            out->force[k] = 0;
            memset(&out->drag[3 * k], 0, 3 * sizeof *out->drag);
        }
        out->force[k] += press[c];
        vec_axpy(&out->drag[3 * k], 1, &t->drag[3 * c]);
        memcpy(&out->debt[3 * k], &t->debt[3 * c], 3 * sizeof *out->debt);
    }
}

int touch_recall(const touch_memory *known, uint64_t id)
{
    for (int c = 0; c < known->n; c++)
        if (known->id[c] == id)
            return c;
    return -1;
}

void touch_save(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    if (m->touch.max == 0)
        return;
    slip_save(m, s);
    touch_remember(t, s->now.press, true, &t->saved);
    if (m->touch.world.nshape > 0)
        memcpy(t->shape_saved, t->shape, (size_t)m->touch.world.nshape * sizeof *t->shape);
}

// What was saved is the list as it is; the look that follows finds nothing anew.
void touch_loaded(const lithe_model *m, lithe_state *s)
{
    s->touch.alone = true;
    if (m->touch.max > 0)
        memcpy(s->touch.x_found, s->now.x, 3 * (size_t)m->nnode * sizeof *s->now.x);
}

// The next detection finds the saved forces; contacts that are a function of x are what they were,
// and what else is in the list is stale until then.
void touch_restore(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    contact_place at = {s->now.x, t->shape, t->skin};
    t->keeping = t->alone = false;
    if (m->touch.max == 0)
        return;
    t->list.n = t->saved.n;
    for (int c = 0; c < t->saved.n; c++) {
        contact *k = &t->list.contact[c];
        *k = t->saved.row[c];
        k->adr = 4 * c;
        if (!contact_follow(&m->touch.world, k, &t->list.entry[k->adr], &at))
            *k = (contact){.id = t->saved.id[c]};
        t->kept[c] = false;
        s->now.press[c] = t->saved.force[c];
        memcpy(&t->drag[3 * c], &t->saved.drag[3 * c], 3 * sizeof *t->drag);
        memcpy(&t->debt[3 * c], &t->saved.debt[3 * c], 3 * sizeof *t->debt);
    }
    t->nrow = t->list.n;
    t->nslider = 0;
}

// The contact of a row, and the row's derivative by its i-th node.
const contact *touch_contact(const step_touch *t, int r)
{
    int n = t->list.n;
    return &t->list.contact[r < n ? r : t->slider[(r - n) / 2]];
}

const contact_entry *touch_gradient(const step_touch *t, int r, int i, double H[3])
{
    const contact_entry *e = &t->list.entry[touch_contact(t, r)->adr + i];
    for (int axis = 0; axis < 3; axis++)
        H[axis] = r < t->list.n ? e->H[axis] : e->weight * t->tangent[3 * (r - t->list.n) + axis];
    return e;
}

void touch_pull(const lithe_state *s, const double *press, double *force)
{
    const step_touch *t = &s->touch;
    double H[3];
    for (int r = 0; r < t->nrow; r++)
        for (int i = 0; i < touch_contact(t, r)->n && press[r] != 0; i++) {
            const contact_entry *e = touch_gradient(t, r, i, H);
            vec_axpy(&force[3 * e->node], press[r], H);
        }
}

double touch_motion(const lithe_state *s, int r, const double *displacement)
{
    double sum = 0, H[3];
    for (int i = 0; i < touch_contact(&s->touch, r)->n; i++) {
        const contact_entry *e = touch_gradient(&s->touch, r, i, H);
        sum += vec_dot(H, &displacement[3 * e->node]);
    }
    return sum;
}

double touch_residual(const lithe_model *m, const lithe_state *s, bool trial)
{
    const double *press = trial ? s->trial.press : s->now.press;
    double worst = 0;
    for (int c = 0; c < s->touch.list.n; c++) {
        double gap = trial ? s->touch.gap_trial[c] : s->touch.list.contact[c].gap;
        if (gap < 0 || press[c] > 0)
            worst = worst_of(worst, fabs(gap) / m->size);
    }
    return worst_of(worst, slip_residual(m, s, trial) / m->size);
}

// Price of an overlap: well above the force that is expected.
static double penalty(const lithe_state *s, int c, double gap)
{
    return gap < 0 ? -2 * fmax(s->touch.target[c], s->now.press[c]) * gap : 0;
}

void touch_rates(lithe_state *s)
{
    for (int r = 0; r < s->touch.nrow; r++)
        s->touch.rate[r] = touch_motion(s, r, s->dx);
}

double touch_slope(const lithe_state *s)
{
    double sum = 0;
    for (int c = 0; c < s->touch.list.n; c++) {
        double gap = s->touch.list.contact[c].gap;
        sum += penalty(s, c, gap + s->touch.rate[c]) - penalty(s, c, gap);
    }
    for (int r = s->touch.list.n; r < s->touch.nrow; r++)
        sum -= s->touch.target[r] * s->touch.rate[r];
    return sum;
}

// Friction has no potential; its work is that of the forces that are expected.
double touch_merit(const lithe_state *s, double alpha)
{
    double sum = 0;
    for (int c = 0; c < s->touch.list.n; c++)
        sum += penalty(s, c, s->touch.gap_trial[c]) - penalty(s, c, s->touch.list.contact[c].gap);
    for (int r = s->touch.list.n; r < s->touch.nrow; r++)
        sum -= alpha * s->touch.target[r] * s->touch.rate[r];
    return sum;
}

void touch_share(const lithe_model *m, lithe_state *s, double alpha)
{
    step_touch *t = &s->touch;
    for (int r = 0; r < t->nrow; r++)
        s->trial.press[r] = s->now.press[r] + alpha * (t->target[r] - s->now.press[r]);
    for (int c = 0; c < t->list.n; c++)
        t->gap_trial[c] = touch_gap(m, s, c, alpha);
}
