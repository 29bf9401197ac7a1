// Which contacts there are while Newton goes on. That no point of a surface may enter another is
// one condition for each point: endlessly many, of which contacts are those where the distance has
// a local minimum. They come, go and jump as surfaces slide over corners, and Newton would go round
// in circles. So after some iterations points that have pressed are kept beside those that are
// found: conditions that hold anyway, and that Newton no longer forgets [hettich1993]. If that does
// not end either, points are kept alone, a problem that is smooth in x and that Newton solves; then
// one looks again, and where something overlaps, points are added. docs/theory/contact-step.md.
#include "base/vec.h"
#include "step/step.h"

#include <string.h>

enum {
    FREE_LOOKS = 4,      // iterations with what is found alone
    FREE_SLIDES = 10,    // … where there is friction, whose forces turn as contacts slide
    KEEPING_LOOKS = 20,  // … and with points that are kept beside it
    FINE_EXCHANGES = 12, // after so many an overlap within the tolerance will do
    PATIENCE = 8,        // looks after which a point that does not press is forgotten
    KEPT_MARK = 51,      // bit of an id: a point kept; its low bits count it
    KEPT_BITS = 24,
};

// Overlap over the robot's size that is none.
static const double fine = 1e-11;

static bool moves(const lithe_model *m, const contact_entry *e)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        int node = e->node - b->node_adr;
        if (node < 0 || node >= b->nnode)
            continue;
        for (int axis = 0; axis < 3; axis++)
            if (body_can_move(b, node, axis) && e->H[axis] != 0)
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

static contact_poses poses_of(const step_touch *t)
{
    return (contact_poses){.skin = t->skin,
                           .before = t->skin_before,
                           .shape = t->shape,
                           .shape_before = t->shape_before,
                           .off = t->off};
}

static void detect(const lithe_model *m, lithe_state *s, contact_list *list)
{
    step_touch *t = &s->touch;
    for (int k = 0; k < m->touch.world.nskin; k++)
        skin_follow(&m->touch.world.skin[k], &t->skin[k], s->now.x, t->shape);
    contact_poses poses = poses_of(t);
    int pressing = touch_pressing(s), half = m->touch.max / 2; // there shall be room to keep these
    contact_detect(&m->touch.world, &poses, m->touch.max, list);
    touch_sweep(m, s, list);
    drop_held(m, list);
    contact_leave_far(&m->touch.world, list, m->touch.max - (pressing < half ? pressing : half));
}

// H (x - x_found) of a contact
static double moved(const lithe_state *s, const contact_list *list, int c, const double *x)
{
    const contact *k = &list->contact[c];
    double sum = 0;
    for (int i = 0; i < k->n; i++) {
        const contact_entry *e = &list->entry[k->adr + i];
        for (int axis = 0; axis < 3; axis++)
            sum += e->H[axis] * (x[3 * e->node + axis] - s->touch.x_found[3 * e->node + axis]);
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

// The point of the surface that a contact with a shape stands for, and its distance.
static double point_of(const lithe_model *m, const lithe_state *s, const contact *k,
                       const double *x, double q[3], double normal[3])
{
    int shape = m->touch.world.pair[k->pair].shape;
    memset(q, 0, 3 * sizeof *q);
    for (int i = 0; i < k->n; i++) {
        const contact_entry *e = &s->touch.list.entry[k->adr + i];
        vec_axpy(q, e->weight, &x[3 * (size_t)e->node]);
    }
    return shape_distance(&m->touch.world.shape[shape], &s->touch.shape[shape], q, normal);
}

double touch_gap(const lithe_model *m, const lithe_state *s, int c, double alpha)
{
    const contact *k = &s->touch.list.contact[c];
    contact_place at = {s->trial.x, s->touch.shape, s->touch.skin};
    double q[3], normal[3], gap;
    if (contact_gap(&m->touch.world, k, &at, &gap))
        return gap;
    if (!s->touch.kept[c] || !k->curved)
        return k->gap + alpha * s->touch.rate[c];
    return point_of(m, s, k, s->trial.x, q, normal) - s->touch.offset[c];
}

// Rods on an obstacle's mesh, in realtime steps, which look at most contacts only once.
static bool is_on_mesh(const lithe_model *m, const contact *k)
{
    int second = m->touch.world.pair[k->pair].second;
    return m->step.mode == LITHE_REALTIME && k->form == CONTACT_LINE && second >= 0 &&
           m->touch.world.skin[second].frame >= 0;
}

static double radius_of(const contact_skin *skin, int node)
{
    int low = 0, high = skin->nvertex - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (skin->node[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return skin->radius[low];
}

// By the distance of the point: a plane would hold what has slid past its rim.
static void follow_mesh(const lithe_model *m, lithe_state *s, contact *k)
{
    const contact_pair *pair = &m->touch.world.pair[k->pair];
    const contact_skin *own = &m->touch.world.skin[pair->first];
    double q[3] = {0}, radius = 0;
    contact_entry *e = &s->touch.list.entry[k->adr];
    for (int i = 0; i < k->n; i++) {
        vec_axpy(q, e[i].weight, &s->now.x[3 * (size_t)e[i].node]);
        radius += e[i].weight * radius_of(own, e[i].node);
    }
    skin_point p =
        skin_nearest(&m->touch.world.skin[pair->second], &s->touch.skin[pair->second], q, INFINITY);
    k->gap = p.distance - radius;
    memcpy(k->at, p.at, sizeof k->at);
    memcpy(k->normal, p.normal, sizeof k->normal);
    if (p.feature != NEAREST_INSIDE && fabs(p.distance) > 1e-6 * m->size)
        for (int i = 0; i < 3; i++)
            k->normal[i] = (q[i] - p.at[i]) / p.distance;
    for (int i = 0; i < 3 * k->n; i++)
        e[i / 3].H[i % 3] = e[i / 3].weight * k->normal[i % 3];
}

// Where a point that is kept has got to: exact where it is known what it is a function of.
static void follow(const lithe_model *m, lithe_state *s, int c)
{
    step_touch *t = &s->touch;
    contact *k = &t->list.contact[c];
    contact_place at = {s->now.x, t->shape, t->skin};
    int shape = m->touch.world.pair[k->pair].shape;
    double q[3];
    if (contact_follow(&m->touch.world, k, &t->list.entry[k->adr], &at))
        return;
    if (is_on_mesh(m, k)) {
        follow_mesh(m, s, k);
        return;
    }
    if (!k->curved) {
        k->gap += moved(s, &t->list, c, s->now.x);
        return;
    }
    double distance = point_of(m, s, k, s->now.x, q, k->normal);
    k->gap = distance - t->offset[c];
    memcpy(k->at, q, sizeof q);
    vec_axpy(k->at, -distance, k->normal);
    shape_curvature(&m->touch.world.shape[shape], &t->shape[shape], q, k->curvature);
    for (int i = 0; i < k->n; i++)
        for (int axis = 0; axis < 3; axis++) {
            contact_entry *e = &t->list.entry[k->adr + i];
            e->H[axis] = e->weight * k->normal[axis];
        }
}

// The same vertex above another face, which is no longer a contact.
static int recall_vertex(const step_touch *t, const contact *k)
{
    const uint64_t face = ((uint64_t)1 << 24) - 1;
    for (int i = 0; i < t->last.n && k->form == CONTACT_FACE; i++)
        if ((t->last.id[i] & ~face) == (k->id & ~face) && place_of(&t->list, t->last.id[i]) < 0)
            return i;
    return -1;
}

// What is known of a contact by its id.
static void recall(lithe_state *s, int c)
{
    step_touch *t = &s->touch;
    int k = touch_recall(&t->last, t->list.contact[c].id);
    if (k < 0)
        k = recall_vertex(t, &t->list.contact[c]);
    s->now.press[c] = k < 0 ? 0 : t->last.force[k];
    for (int axis = 0; axis < 3; axis++) {
        t->drag[3 * c + axis] = k < 0 ? 0 : t->last.drag[3 * k + axis];
        t->debt[3 * c + axis] = k < 0 ? 0 : t->last.debt[3 * k + axis];
    }
}

// The list that was found, whose contacts from `first` on are kept, takes the place of the present
// one; forces go with ids.
static void take_found(const lithe_model *m, lithe_state *s, int first)
{
    step_touch *t = &s->touch;
    contact_list old = t->list;
    touch_remember(t, s->now.press, !t->keeping, &t->last);
    t->list = t->other;
    t->other = old;
    memcpy(t->x_found, s->now.x, 3 * (size_t)m->nnode * sizeof *t->x_found);
    for (int c = 0; c < t->list.n; c++) {
        const contact *k = &t->list.contact[c];
        double q[3], normal[3];
        recall(s, c);
        t->kept[c] = t->alone || c >= first;
        t->age[c] = c >= first ? t->age_other[c] : 0;
        if (k->curved)
            t->offset[c] = point_of(m, s, k, s->now.x, q, normal) - k->gap;
    }
}

static void append(const contact_list *from, int c, uint64_t id, contact_list *to)
{
    const contact *k = &from->contact[c];
    contact *copy = &to->contact[to->n++];
    *copy = *k;
    copy->id = id;
    copy->adr = to->nentry;
    memcpy(&to->entry[copy->adr], &from->entry[k->adr], (size_t)k->n * sizeof *from->entry);
    to->nentry += k->n;
}

// What has moved on along its edge or face since it was found is another point; a number tells them
// apart.
static uint64_t id_of_kept(step_touch *t, const contact_list *found, const contact *k)
{
    if (place_of(found, k->id) < 0)
        return k->id;
    uint64_t count = (uint64_t)++t->nkept & (((uint64_t)1 << KEPT_BITS) - 1);
    return k->id | (uint64_t)1 << KEPT_MARK | count;
}

uint64_t touch_id(uint64_t id)
{
    uint64_t mark = (uint64_t)1 << KEPT_MARK, count = ((uint64_t)1 << KEPT_BITS) - 1;
    return id & mark ? id & ~(mark | count) : id;
}

// Is it the same point of the surface still?
static bool is_there(const lithe_model *m, const contact *k, const contact *found)
{
    return vec_distance(k->at, found->at) <= 1e-9 * m->size;
}

// Is it worth a row beside what was found? Not if it was found as well, or is none any more.
static bool is_another(const lithe_model *m, const step_touch *t, const contact *k,
                       const contact_list *found)
{
    contact_poses poses = poses_of(t);
    int same = place_of(found, k->id);
    if (k->swept || k->n == 0)
        return false; // it is seen again as long as it is in the way, or was dropped
    if (same >= 0)
        return k->curved && !is_there(m, k, &found->contact[same]);
    if (is_on_mesh(m, k)) // vertices are found wherever they are
        return k->n > 1 && k->gap <= m->touch.world.pair[k->pair].alarm;
    return contact_holds(&m->touch.world, &poses, k);
}

// Adds those that press, or have lately, to what was found; at first only those whose features tell
// when they are in the way.
static void add_kept(const lithe_model *m, lithe_state *s, bool pressing)
{
    step_touch *t = &s->touch;
    const contact_list *old = &t->list;
    contact_list *found = &t->other;
    int most_entry = TOUCH_ENTRIES * m->touch.max;
    for (int c = 0; c < old->n; c++) {
        const contact *k = &old->contact[c];
        bool room = found->n < m->touch.max && found->nentry + k->n <= most_entry;
        bool lately = t->age[c] < PATIENCE || t->alone;
        if ((s->now.press[c] > 0) != pressing || !room || !lately ||
            (!t->keeping && k->form == CONTACT_LINE) || !is_another(m, t, k, found))
            continue;
        t->age_other[found->n] = t->age[c];
        append(old, c, id_of_kept(t, found, k), found);
    }
}

// What presses comes first where there is not room for all.
static void keep(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    int first = t->other.n;
    bool still = memcmp(t->x_found, s->now.x, 3 * (size_t)m->nnode * sizeof *t->x_found) == 0;
    for (int c = 0; c < t->list.n; c++) {
        t->age[c] = s->now.press[c] > 0 ? 0 : t->kept[c] ? t->age[c] + !still : PATIENCE;
        if (!t->kept[c])
            follow(m, s, c);
    }
    add_kept(m, s, true);
    add_kept(m, s, false);
    take_found(m, s, first);
}

static void measure_depth(step_touch *t, const contact_list *list)
{
    t->depth = 0;
    t->overlap = fmax(-list->rowless, 0);
    t->deepest = list->rowless_pair;
    t->merged = list->merged + list->lost;
    for (int c = 0; c < list->n; c++) {
        const contact *k = &list->contact[c];
        t->depth = fmax(t->depth, -k->gap);
        if (-k->least <= t->overlap)
            continue;
        t->overlap = -k->least;
        t->deepest = k->pair;
    }
}

// Rows by volume are smooth in x as they are found; they have nothing to keep.
static bool by_volume(const lithe_model *m)
{
    for (int k = 0; k < m->touch.world.npair; k++)
        if (m->touch.world.pair[k].patches)
            return true;
    return false;
}

void touch_look(const lithe_model *m, lithe_state *s, int k)
{
    step_touch *t = &s->touch;
    if (k == 0) {
        t->keeping = t->alone = false;
        t->exchanged = t->nkept = 0;
    }
    t->keeping = t->keeping || k >= (m->touch.friction ? FREE_SLIDES : FREE_LOOKS);
    if (k < KEEPING_LOOKS || t->alone || by_volume(m))
        return;
    t->alone = true;
    for (int c = 0; c < t->list.n && m->touch.max > 0; c++)
        t->kept[c] = true;
}

// The deepest of those that were found and are no rows yet: rows have their own tolerance.
static double unknown_depth(const step_touch *t)
{
    double depth = 0;
    for (int c = 0; c < t->other.n; c++) {
        const contact *k = &t->other.contact[c];
        if (k->form == CONTACT_LINE || place_of(&t->list, k->id) < 0)
            depth = fmax(depth, -k->gap);
    }
    return depth;
}

// Rows that press beside what they are rows of hold what nothing is in the way of.
static bool drop_ghosts(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    contact_place at = {s->now.x, t->shape, t->skin};
    bool any = false;
    for (int c = 0; c < t->list.n; c++) {
        contact *k = &t->list.contact[c];
        double beside = 2 * CONTACT_CLOSE * m->touch.world.pair[k->pair].alarm;
        if (s->now.press[c] == 0 || contact_beside(&m->touch.world, k, &at) <= beside)
            continue;
        s->now.press[c] = 0;
        k->form = CONTACT_LINE;
        k->n = 0;
        any = true;
    }
    return any;
}

bool touch_settled(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    if (m->touch.max == 0)
        return true;
    bool ghosts = drop_ghosts(m, s);
    if (!t->alone && !ghosts)
        return true;
    detect(m, s, &t->other);
    measure_depth(t, &t->other);
    double depth = unknown_depth(t);
    bool enough = t->exchanged >= FINE_EXCHANGES && t->depth <= TOUCH_TOLERANCE * m->size;
    if (!ghosts && (enough || depth <= fine * m->size))
        return true;
    slip_gather(s);
    keep(m, s);
    slip_rows(m, s);
    t->exchanged++;
    point_evaluate_rows(m, s, &s->now);
    return false;
}

void touch_probe(const lithe_model *m, lithe_state *s)
{
    detect(m, s, &s->touch.other);
    measure_depth(&s->touch, &s->touch.other);
    s->touch.probed = true;
}

void touch_find(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    if (m->touch.max == 0)
        return;
    slip_gather(s);
    if (!t->alone && !t->probed)
        touch_probe(m, s);
    t->probed = false;
    for (int c = 0; c < t->list.n; c++)
        if (t->kept[c])
            follow(m, s, c);
    if (t->alone) {
        memcpy(t->x_found, s->now.x, 3 * (size_t)m->nnode * sizeof *t->x_found);
        slip_rows(m, s);
        return;
    }
    keep(m, s);
    slip_rows(m, s);
}

// Points that were kept and press are what the equilibrium rests on: those that are found would not
// carry it.
static bool rests_on_kept(const lithe_state *s)
{
    for (int c = 0; c < s->touch.list.n; c++)
        if (s->touch.kept[c] && s->now.press[c] > 0)
            return true;
    return false;
}

// Does a contact that presses speak for this one, which does not?
static bool is_spoken_for(const lithe_model *m, const lithe_state *s, int c)
{
    const contact *k = &s->touch.list.contact[c];
    for (int d = 0; d < s->touch.list.n; d++) {
        const contact *other = &s->touch.list.contact[d];
        if (s->now.press[d] > 0 && vec_distance(k->at, other->at) <= 1e-3 * m->size &&
            vec_dot(k->normal, other->normal) > 0.9)
            return true;
    }
    return false;
}

// Leaves what presses, and what was found elsewhere: rows that are nearly the same are of no use.
static void prune(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    int left = 0;
    for (int c = 0; c < t->list.n; c++)
        t->released[c] = s->now.press[c] == 0 && (t->kept[c] || is_spoken_for(m, s, c));
    for (int c = 0; c < t->list.n; c++) {
        if (t->released[c])
            continue;
        t->list.contact[left] = t->list.contact[c];
        t->kept[left] = t->kept[c];
        t->age[left] = t->age[c];
        t->offset[left] = t->offset[c];
        s->now.press[left++] = s->now.press[c];
    }
    t->list.n = t->nrow = left;
}

void touch_renew(const lithe_model *m, lithe_state *s)
{
    if (m->touch.max == 0)
        return;
    if (rests_on_kept(s)) {
        prune(m, s);
        return;
    }
    touch_look(m, s, 0);
    point_evaluate_rows(m, s, &s->now);
}
