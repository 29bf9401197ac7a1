#include "step/touch.h"

#include "base/turn.h"
#include "base/vec.h"
#include "solve/box.h"
#include "step/step.h"

#include <string.h>

// Largest overlap, relative to the robot's size, that a step may leave.
#define TOUCH_TOLERANCE 1e-5

enum { ROUGH = 8 }; // contacts found for each that is kept

static bool memory_create(arena *a, int max, touch_memory *out)
{
    out->id = arena_new(a, max, uint64_t);
    out->force = arena_new(a, max, double);
    return out->id && out->force;
}

static bool poses_create(const lithe_model *m, arena *a, step_touch *t)
{
    const contact_world *world = &m->touch.world;
    t->shape = arena_new(a, world->nshape + 1, contact_frame);
    t->shape_before = arena_new(a, world->nshape + 1, contact_frame);
    t->shape_aim = arena_new(a, world->nshape + 1, contact_frame);
    t->off = arena_new(a, world->npair + 1, bool);
    t->skin = arena_new(a, world->nskin + 1, skin_pose);
    t->skin_before = arena_new(a, world->nskin + 1, skin_pose);
    bool ok = t->shape && t->shape_before && t->shape_aim && t->off && t->skin && t->skin_before;
    for (int k = 0; k < world->nskin && ok; k++)
        ok = skin_pose_create(&world->skin[k], a, &t->skin[k]) == LITHE_OK &&
             skin_pose_create(&world->skin[k], a, &t->skin_before[k]) == LITHE_OK;
    return ok;
}

static bool arrays_create(const lithe_model *m, arena *a, step_touch *t)
{
    size_t c = (size_t)m->touch.max, n = (size_t)m->nact, rows = (size_t)m->nrow, limits = n + rows,
           all = n + c;
    struct {
        double **array;
        size_t count;
    } wanted[] = {{&t->target, c},   {&t->rate, c},        {&t->gap_free, c},
                  {&t->W_cc, c * c}, {&t->W_cr, c * rows}, {&t->W, all * all},
                  {&t->q, all},      {&t->lo, all},        {&t->hi, all},
                  {&t->lambda, all}, {&t->Jc, rows * c},   {&t->Ac, limits * c},
                  {&t->W_ca, c * n}, {&t->e, rows},        {&t->blo, limits},
                  {&t->bhi, limits}, {&t->gap, c},         {&t->x_found, 3 * (size_t)m->nnode}};
    bool ok = true;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        ok = ok && (*wanted[k].array = arena_new(a, wanted[k].count, double)) != NULL;
    t->level = arena_new(a, STEP_LEVELS, qpcc_level);
    t->columns = arena_new(a, m->nbody, double *);
    ok = ok && t->level && t->columns;
    for (int k = 0; k < m->nbody && ok; k++)
        ok = (t->columns[k] = arena_new(a, 3 * (size_t)m->body[k].nrow * c, double)) != NULL;
    return ok;
}

bool touch_create(const lithe_model *m, arena *a, step_touch *t)
{
    int max = m->touch.max;
    if (max == 0)
        return true;
    qpcc_size size = {m->nact, m->nact + m->nrow, max, STEP_LEVELS, m->nrow, m->touch.global};
    t->box = box_create(a, m->nact + max);
    t->qpcc = qpcc_create(a, size);
    return t->box && t->qpcc && poses_create(m, a, t) && arrays_create(m, a, t) &&
           contact_list_create(ROUGH * max, a, &t->list) == LITHE_OK &&
           contact_list_create(ROUGH * max, a, &t->other) == LITHE_OK &&
           memory_create(a, max, &t->last) && memory_create(a, max, &t->saved);
}

void touch_reset(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    if (m->touch.max == 0)
        return;
    t->list.n = t->last.n = t->saved.n = 0;
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
    t->keep = t->frozen = false;
    for (int k = 0; k < m->touch.world.nskin && m->touch.max > 0; k++)
        skin_follow(&m->touch.world.skin[k], &t->skin_before[k], s->now.x, t->shape);
    if (m->touch.world.nshape > 0)
        memcpy(t->shape_before, t->shape, (size_t)m->touch.world.nshape * sizeof *t->shape);
}

// Obstacles go their way through the step as loads and commands do.
void touch_aim(const lithe_model *m, lithe_state *s, double t)
{
    for (int o = 0; o < m->touch.world.nshape && m->touch.max > 0; o++) {
        const contact_frame *from = &s->touch.shape_before[o], *to = &s->touch.shape_aim[o];
        contact_frame *now = &s->touch.shape[o];
        double back[9], all[9], part[9], spin[3];
        *now = *to;
        if (t >= 1)
            continue;
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
}

static void remember(const step_touch *t, const double *press, touch_memory *out)
{
    out->n = t->list.n;
    for (int c = 0; c < t->list.n; c++) {
        out->id[c] = t->list.contact[c].id;
        out->force[c] = press[c];
    }
}

static double recall(const touch_memory *known, uint64_t id)
{
    for (int c = 0; c < known->n; c++)
        if (known->id[c] == id)
            return known->force[c];
    return 0;
}

static bool moves(const lithe_model *m, const contact_entry *e)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        int node = e->node - b->node_adr;
        if (node < 0 || node >= b->nnode)
            continue;
        for (int axis = 0; axis < 3; axis++)
            if (b->block[node] >= 0 && !(b->held[node] & (1 << axis)) && e->H[axis] != 0)
                return true;
    }
    return false;
}

// Where all nodes are held no force can do anything about a contact.
static void drop_held(const lithe_model *m, contact_list *list)
{
    int kept = 0;
    for (int c = 0; c < list->n; c++) {
        bool any = false;
        for (int i = 0; i < list->contact[c].n; i++)
            any = any || moves(m, &list->entry[list->contact[c].adr + i]);
        if (any)
            list->contact[kept++] = list->contact[c];
    }
    list->n = kept;
}

static void detect(const lithe_model *m, lithe_state *s, contact_list *list)
{
    step_touch *t = &s->touch;
    for (int k = 0; k < m->touch.world.nskin; k++)
        skin_follow(&m->touch.world.skin[k], &t->skin[k], s->now.x, t->shape);
    contact_poses poses = {.skin = t->skin,
                           .before = t->skin_before,
                           .shape = t->shape,
                           .shape_before = t->shape_before,
                           .off = t->off};
    contact_detect(&m->touch.world, &poses, m->touch.max, list);
    drop_held(m, list);
}

// H (x - x_found) of a contact
static double moved(const lithe_state *s, const contact_list *list, int c)
{
    const contact *k = &list->contact[c];
    double sum = 0;
    for (int i = 0; i < k->n; i++) {
        const contact_entry *e = &list->entry[k->adr + i];
        for (int axis = 0; axis < 3; axis++)
            sum +=
                e->H[axis] * (s->now.x[3 * e->node + axis] - s->touch.x_found[3 * e->node + axis]);
    }
    return sum;
}

static int place_of(const contact_list *list, uint64_t id)
{
    for (int c = 0; c < list->n; c++)
        if (list->contact[c].id == id)
            return c;
    return -1;
}

// Where features change as a contact slides over corners, the list would change with every look,
// and Newton would go round in circles. So contacts that press but are not found any more stay,
// with a gap that is linear in x.
static void keep_old(const lithe_model *m, lithe_state *s, contact_list *found)
{
    const contact_list *old = &s->touch.list;
    for (int c = 0; c < old->n; c++) {
        const contact *k = &old->contact[c];
        bool room = found->n < m->touch.max && found->nentry + k->n <= found->max_entry;
        if (!room || place_of(found, k->id) >= 0)
            continue;
        contact *to = &found->contact[found->n++];
        *to = *k;
        to->gap += moved(s, old, c);
        to->adr = found->nentry;
        memcpy(&found->entry[to->adr], &old->entry[k->adr], (size_t)k->n * sizeof *old->entry);
        found->nentry += k->n;
    }
}

// As a contact's place turns with its force, directions can swing from look to look; half the way
// each time they settle.
static void damp(const contact_list *old, contact_list *found)
{
    for (int c = 0; c < found->n; c++) {
        const contact *new = &found->contact[c];
        int o = place_of(old, new->id);
        if (o < 0 || old->contact[o].n != new->n)
            continue;
        const contact_entry *from = &old->entry[old->contact[o].adr];
        contact_entry *to = &found->entry[new->adr];
        bool same = true;
        for (int i = 0; i < new->n; i++)
            same = same && from[i].node == to[i].node;
        for (int i = 0; i < new->n &&same; i++)
            for (int axis = 0; axis < 3; axis++)
                to[i].H[axis] = 0.5 * (to[i].H[axis] + from[i].H[axis]);
    }
}

static void measure_depth(step_touch *t, const contact_list *list)
{
    t->depth = 0;
    for (int c = 0; c < list->n; c++)
        t->depth = fmax(t->depth, -list->contact[c].gap);
}

// How contacts are looked at in iteration k of Newton's method: first as they are; then nothing
// leaves; and when gaps have nearly closed, their directions stay as well, so that the rest is
// quadratic.
void touch_look(const lithe_model *m, lithe_state *s, int k)
{
    step_touch *t = &s->touch;
    t->keep = k >= 4;
    t->frozen = k >= 10 && touch_residual(m, s, s->now.press, 0) <= TOUCH_TOLERANCE;
}

bool touch_settled(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    if (m->touch.max == 0 || !t->frozen)
        return true;
    detect(m, s, &t->other);
    measure_depth(t, &t->other);
    if (t->depth <= TOUCH_TOLERANCE * m->size)
        return true;
    t->frozen = false;
    point_evaluate_rows(m, s, &s->now);
    return false;
}

void touch_find(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    if (m->touch.max == 0)
        return;
    if (t->frozen) {
        for (int c = 0; c < t->list.n; c++)
            t->list.contact[c].gap += moved(s, &t->list, c);
        memcpy(t->x_found, s->now.x, 3 * (size_t)m->nnode * sizeof *t->x_found);
        return;
    }
    remember(t, s->now.press, &t->last);
    detect(m, s, &t->other);
    measure_depth(t, &t->other);
    if (t->keep) {
        damp(&t->list, &t->other);
        keep_old(m, s, &t->other);
    }
    contact_list old = t->list;
    t->list = t->other;
    t->other = old;
    memcpy(t->x_found, s->now.x, 3 * (size_t)m->nnode * sizeof *t->x_found);
    for (int c = 0; c < t->list.n; c++)
        s->now.press[c] = recall(&t->last, t->list.contact[c].id);
}

void touch_save(const lithe_model *m, lithe_state *s)
{
    if (m->touch.max > 0)
        remember(&s->touch, s->now.press, &s->touch.saved);
}

// The next detection finds the saved forces; what else is in the list is stale until then.
void touch_restore(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    t->keep = t->frozen = false;
    if (m->touch.max == 0)
        return;
    t->list.n = t->saved.n;
    for (int c = 0; c < t->saved.n; c++) {
        t->list.contact[c].id = t->saved.id[c];
        s->now.press[c] = t->saved.force[c];
    }
}

void touch_pull(const lithe_state *s, const double *press, double *force)
{
    const contact_list *list = &s->touch.list;
    for (int c = 0; c < list->n; c++)
        for (int i = 0; i < list->contact[c].n && press[c] != 0; i++) {
            const contact_entry *e = &list->entry[list->contact[c].adr + i];
            vec_axpy(&force[3 * e->node], press[c], e->H);
        }
}

double touch_motion(const lithe_state *s, int c, const double *displacement)
{
    const contact *k = &s->touch.list.contact[c];
    double sum = 0;
    for (int i = 0; i < k->n; i++) {
        const contact_entry *e = &s->touch.list.entry[k->adr + i];
        sum += vec_dot(e->H, &displacement[3 * e->node]);
    }
    return sum;
}

double touch_residual(const lithe_model *m, const lithe_state *s, const double *press, double alpha)
{
    double worst = 0;
    for (int c = 0; c < s->touch.list.n; c++) {
        double gap = s->touch.list.contact[c].gap + alpha * s->touch.rate[c];
        if (gap < 0 || press[c] > 0)
            worst = fmax(worst, fabs(gap) / m->size);
    }
    return worst;
}

// Price of an overlap: well above the force that is expected.
static double penalty(const lithe_state *s, int c, double gap)
{
    return gap < 0 ? -2 * fmax(s->touch.target[c], s->now.press[c]) * gap : 0;
}

void touch_rates(lithe_state *s)
{
    for (int c = 0; c < s->touch.list.n; c++)
        s->touch.rate[c] = touch_motion(s, c, s->dx);
}

double touch_merit(const lithe_state *s, double alpha)
{
    double sum = 0;
    for (int c = 0; c < s->touch.list.n; c++) {
        double gap = s->touch.list.contact[c].gap;
        sum += penalty(s, c, gap + alpha * s->touch.rate[c]) - penalty(s, c, gap);
    }
    return sum;
}

void touch_share(lithe_state *s, double alpha)
{
    for (int c = 0; c < s->touch.list.n; c++)
        s->trial.press[c] = s->now.press[c] + alpha * (s->touch.target[c] - s->now.press[c]);
}
