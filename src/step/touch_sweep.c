// Fast motion: what passes through something within a step is near it on the way. Where anything
// goes farther than half the alarm distance, contacts are looked for along the way too, at places
// so close together that each is seen before it closes; those that close are rows beside what is
// found at the end, as the planes that they were when they closed. docs/theory/contact-detection.md
#include "base/vec.h"
#include "step/step.h"

#include <string.h>

enum { MOST_LOOKS = 256 };

static const double same_side = 0.5; // cosine between normals

// Of a body with itself detection sees to it; regions are not followed.
static bool is_swept(const lithe_model *m, int pair)
{
    return !m->touch.world.pair[pair].self && !m->touch.world.pair[pair].patches;
}

static double least_alarm(const lithe_model *m, const step_touch *t)
{
    double least = INFINITY;
    for (int k = 0; k < m->touch.world.npair; k++)
        if (!t->off[k] && is_swept(m, k))
            least = fmin(least, m->touch.world.pair[k].alarm);
    return least;
}

// Of the bodies and of the obstacles, one towards the other.
static double farthest_way(const lithe_model *m, const lithe_state *s)
{
    const step_touch *t = &s->touch;
    double own = 0, obstacle = 0;
    for (int k = 0; k < m->touch.world.nskin; k++) {
        const contact_skin *skin = &m->touch.world.skin[k];
        for (int v = 0; v < skin->nvertex && skin->frame < 0; v++)
            own = fmax(own, vec_distance(&t->skin[k].x[3 * v], &t->skin_before[k].x[3 * v]));
    }
    for (int o = 0; o < m->touch.world.nshape; o++) {
        const contact_frame *now = &t->shape[o], *before = &t->shape_before[o];
        double turn = 0;
        for (int i = 0; i < 9; i++)
            turn += (now->R[i] - before->R[i]) * (now->R[i] - before->R[i]);
        obstacle = fmax(obstacle, vec_distance(now->at, before->at) + sqrt(turn) * m->size);
    }
    return m->touch.world.nshape > 0 ? own + obstacle : 2 * own;
}

// Everything at a share of the way, in s->nodal, t->shape_between and t->skin.
static void go_to(const lithe_model *m, lithe_state *s, double share)
{
    step_touch *t = &s->touch;
    for (int i = 0; i < 3 * m->nnode; i++)
        s->nodal[i] = t->x_before[i] + share * (s->now.x[i] - t->x_before[i]);
    for (int o = 0; o < m->touch.world.nshape; o++)
        touch_between(&t->shape_before[o], &t->shape[o], share, &t->shape_between[o]);
    for (int k = 0; k < m->touch.world.nskin; k++)
        skin_follow(&m->touch.world.skin[k], &t->skin[k], s->nodal, t->shape_between);
}

static int frame_of(const lithe_model *m, const contact *k)
{
    const contact_pair *pair = &m->touch.world.pair[k->pair];
    return pair->second < 0 ? pair->shape : m->touch.world.skin[pair->second].frame;
}

// By how much a contact opens over the whole way. pose: where obstacles are when it is seen.
static double opening(const lithe_model *m, const lithe_state *s, const contact_list *list,
                      const contact *k, const contact_frame *pose)
{
    const step_touch *t = &s->touch;
    int frame = frame_of(m, k);
    double sum = 0;
    for (int i = 0; i < k->n; i++) {
        const contact_entry *e = &list->entry[k->adr + i];
        for (int axis = 0; axis < 3; axis++)
            sum += e->H[axis] *
                   (s->now.x[3 * e->node + axis] - t->x_before[3 * (size_t)e->node + axis]);
    }
    if (frame < 0)
        return sum;
    // the obstacle's own point, at both ends
    double q[3], from[3], to[3], d[3];
    const contact_frame *at = &pose[frame];
    vec_sub(d, k->at, at->at);
    for (int i = 0; i < 3; i++)
        q[i] = at->R[i] * d[0] + at->R[3 + i] * d[1] + at->R[6 + i] * d[2];
    mat_apply(from, t->shape_before[frame].R, q);
    mat_apply(to, t->shape[frame].R, q);
    vec_axpy(from, 1, t->shape_before[frame].at);
    vec_axpy(to, 1, t->shape[frame].at);
    vec_sub(d, to, from);
    return sum - vec_dot(d, k->normal);
}

// Is it known at the end? What pushes out on another side than it came in from does not count, and
// goes.
static bool is_listed(contact_list *list, const contact *k)
{
    for (int c = 0; c < list->n; c++)
        if (list->contact[c].id == k->id) {
            if (list->contact[c].swept || vec_dot(list->contact[c].normal, k->normal) > same_side)
                return true;
            memmove(&list->contact[c], &list->contact[c + 1],
                    (size_t)(list->n - c - 1) * sizeof *list->contact);
            list->n--;
            return false;
        }
    return false;
}

static void lose(contact_list *list, const contact *k, double gap)
{
    list->lost++;
    if (gap >= list->rowless)
        return;
    list->rowless = gap;
    list->rowless_pair = k->pair;
}

static void add(const contact_list *from, const contact *k, double gap, contact_list *to)
{
    if (to->n >= to->max || to->nentry + k->n > to->max_entry) {
        lose(to, k, gap);
        return;
    }
    contact *c = &to->contact[to->n++];
    *c = *k;
    c->gap = c->least = gap;
    c->form = CONTACT_LINE;
    c->curved = false;
    c->swept = true;
    c->adr = to->nentry;
    memcpy(&to->entry[c->adr], &from->entry[k->adr], (size_t)k->n * sizeof *from->entry);
    to->nentry += k->n;
}

// Contacts that close before the next look, and that are not known at the end.
static void add_closing(const lithe_model *m, const lithe_state *s, double share, double next,
                        contact_list *list)
{
    const contact_list *seen = &s->touch.sweep;
    for (int c = 0; c < seen->n; c++) {
        const contact *k = &seen->contact[c];
        double rate = opening(m, s, seen, k, s->touch.shape_between),
               half = 0.5 * m->touch.world.pair[k->pair].alarm;
        double end = k->gap + (1 - share) * rate;
        bool closes = k->gap > -half && k->gap + next * rate <= 0;
        if (is_swept(m, k->pair) && closes && end < 0 && !is_listed(list, k))
            add(seen, k, end, list);
    }
}

// Where the surface of the other side is nearest to a contact's point at the end: does it face the
// same way there? Then it has not been passed, and what is found there tells more than a plane.
static bool is_before(const lithe_model *m, const lithe_state *s, const contact_list *list,
                      const contact *k)
{
    const contact_pair *pair = &m->touch.world.pair[k->pair];
    double q[3] = {0, 0, 0}, normal[3];
    for (int i = 0; i < k->n; i++) {
        const contact_entry *e = &list->entry[k->adr + i];
        if (e->weight > 0)
            vec_axpy(q, e->weight, &s->now.x[3 * (size_t)e->node]);
    }
    if (pair->second < 0) {
        shape_distance(&m->touch.world.shape[pair->shape], &s->touch.shape[pair->shape], q, normal);
        return vec_dot(normal, k->normal) > same_side;
    }
    const contact_skin *other = &m->touch.world.skin[pair->second];
    skin_point p = skin_nearest(other, &s->touch.skin[pair->second], q, INFINITY);
    return p.tri >= 0 && vec_dot(p.normal, k->normal) > same_side;
}

static void drop_before(const lithe_model *m, const lithe_state *s, contact_list *list)
{
    int kept = 0;
    for (int c = 0; c < list->n; c++) {
        const contact *k = &list->contact[c];
        if (k->swept && is_before(m, s, list, k))
            continue;
        if (kept < m->touch.max && k->adr + k->n <= TOUCH_ENTRIES * m->touch.max)
            list->contact[kept++] = *k;
        else
            lose(list, k, k->gap);
    }
    list->n = kept;
}

// What overlaps at the end, and by the plane of its contact did so far more when the step began,
// has come in on another side.
static void drop_far_sides(const lithe_model *m, const lithe_state *s, contact_list *list)
{
    int kept = 0;
    for (int c = 0; c < list->n; c++) {
        const contact *k = &list->contact[c];
        double before = k->gap - opening(m, s, list, k, s->touch.shape);
        if (!is_swept(m, k->pair) || k->gap >= 0 || before >= -m->touch.world.pair[k->pair].alarm)
            list->contact[kept++] = *k;
    }
    list->n = kept;
}

void touch_sweep(const lithe_model *m, lithe_state *s, contact_list *list)
{
    step_touch *t = &s->touch;
    double n = fmin(ceil(2 * farthest_way(m, s) / least_alarm(m, t)), MOST_LOOKS);
    if (!(n >= 2))
        return;
    drop_far_sides(m, s, list);
    contact_poses poses = {.skin = t->skin, .shape = t->shape_between, .off = t->off};
    for (int k = 0; k < (int)n; k++) {
        go_to(m, s, k / n);
        contact_detect(&m->touch.world, &poses, m->touch.max, &t->sweep);
        add_closing(m, s, k / n, 1 / n, list);
    }
    for (int k = 0; k < m->touch.world.nskin; k++)
        skin_follow(&m->touch.world.skin[k], &t->skin[k], s->now.x, t->shape);
    drop_before(m, s, list);
}
