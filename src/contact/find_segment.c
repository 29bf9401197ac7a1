// Rods: thick segments against shapes, against the edges and corners of a skin, and against other
// rods. Their vertices have been looked at before.
#include "contact/find.h"

#include "base/vec.h"

#include <math.h>

#define SEGMENT_RIM 1e-3 // nearer to its end a vertex speaks for a segment

static double radius_at(const contact_skin *s, const int end[2], double t)
{
    return (1 - t) * s->radius[end[0]] + t * s->radius[end[1]];
}

static void point_at(const skin_pose *p, const int end[2], double t, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (1 - t) * p->x[3 * end[0] + i] + t * p->x[3 * end[1] + i];
}

static double area_at(const skin_pose *p, const int end[2], double t)
{
    return (1 - t) * p->area[end[0]] + t * p->area[end[1]];
}

// Gap between the shape and the segment's surface at t; slope: its derivative by t.
static double gap_along(const find *f, const int end[2], double t, double normal[3], double *slope)
{
    double x[3], way[3];
    point_at(f->pa, end, t, x);
    vec_sub(way, &f->pa->x[3 * end[1]], &f->pa->x[3 * end[0]]);
    double distance = shape_distance(f->shape, f->at, x, normal);
    *slope = vec_dot(normal, way) - (f->a->radius[end[1]] - f->a->radius[end[0]]);
    return distance - radius_at(f->a, end, t);
}

// The shape is convex, so the gap is a convex function of t: its slope rises.
static double least_along(const find *f, const int end[2])
{
    enum { HALVINGS = 50 };
    double low = 0, high = 1, normal[3], slope;
    for (int k = 0; k < HALVINGS; k++) {
        double t = 0.5 * (low + high);
        gap_along(f, end, t, normal, &slope);
        if (slope > 0)
            high = t;
        else
            low = t;
    }
    return 0.5 * (low + high);
}

static void look_at_segment(void *context, int k)
{
    find *f = context;
    const int *end = &f->a->segment[2 * k];
    double t = least_along(f, end), normal[3], slope, at[3];
    double gap = gap_along(f, end, t, normal, &slope), other[3], least = INFINITY;
    for (int i = 0; i < 2; i++)
        least = fmin(least, gap_along(f, end, i, other, &slope));
    if (t < SEGMENT_RIM || t > 1 - SEGMENT_RIM || gap > f->pair->alarm ||
        least < gap + 1e-3 * f->pair->alarm)
        return;
    point_at(f->pa, end, t, at);
    vec_axpy(at, -gap - radius_at(f->a, end, t), normal);
    contact *c =
        find_open(f, find_id(f->pair_id, FIND_FACE, k, 0), gap, normal, at, area_at(f->pa, end, t));
    if (!c)
        return;
    point_at(f->pa, end, t, other);
    c->curved = true;
    shape_curvature(f->shape, f->at, other, c->curvature);
    find_entry(f, c, f->a, end[0], 1 - t);
    find_entry(f, c, f->a, end[1], t);
}

void find_segments_of_shape(find *f)
{
    if (f->a->nsegment == 0 || f->shape->kind == SHAPE_PLANE || f->shape->kind == SHAPE_PIPE)
        return; // their distance is least at an end
    find_near_shape(f, look_at_segment);
}

// Segments of one skin against the other's edges or segments.
typedef struct segment_search {
    find *f;
    const contact_skin *rod, *other;
    const skin_pose *pr, *po;
    bool back;   // the rod is the pair's second skin
    int segment; // of the rod
    int first;   // contact of the pair
} segment_search;

// Does a contact of the pair speak for this spot already? An end of the segment does if it is as
// near as the middle.
static bool is_known(const segment_search *s, uint64_t id, const double normal[3], double gap)
{
    const contact_list *list = s->f->list;
    const int *own = &s->rod->segment[2 * s->segment];
    find_kind kind = s->back ? FIND_VERTEX_BACK : FIND_VERTEX;
    for (int i = s->first; i < list->n; i++) {
        const contact *c = &list->contact[i];
        uint64_t vertex = c->id & ~(uint64_t)0xffffff; // whichever of its contacts
        bool end = vertex == find_id(s->f->pair_id, kind, own[0], 0) ||
                   vertex == find_id(s->f->pair_id, kind, own[1], 0);
        if (c->id == id || (end && c->gap < gap + 1e-3 * s->f->pair->alarm &&
                            vec_dot(c->normal, normal) > FIND_SAME_SIDE))
            return true;
    }
    return false;
}

// The rod at s of its segment, and the other side at t of its edge or segment `end`; out: of length
// 1, from the other to the rod.
static void add_segment(segment_search *k, uint64_t id, const int end[2], double s, double t,
                        const double out[3], double gap)
{
    find *f = k->f;
    const int *own = &k->rod->segment[2 * k->segment];
    double normal[3], at[3], side = k->back ? -1 : 1;
    for (int i = 0; i < 3; i++)
        normal[i] = side * out[i];
    if (k->back)
        point_at(k->pr, own, s, at);
    else
        point_at(k->po, end, t, at);
    double radius = k->back ? radius_at(k->rod, own, s) : radius_at(k->other, end, t);
    vec_axpy(at, radius, normal);
    if (is_known(k, id, normal, gap))
        return;
    double area = k->back ? area_at(k->po, end, t) : area_at(k->pr, own, s);
    contact *c = find_open(f, id, gap, normal, at, area);
    if (!c)
        return;
    const double weight[4] = {1 - s, s, t - 1, -t};
    for (int i = 0; i < 4; i++)
        if (weight[i] != 0)
            find_entry(f, c, i < 2 ? k->rod : k->other, i < 2 ? own[i] : end[i - 2],
                       side * weight[i]);
}

static double snap(double t)
{
    return t < SEGMENT_RIM ? 0 : t > 1 - SEGMENT_RIM ? 1 : t;
}

// behind: a normal of the other side's surface, or NULL for a rod, which has no inside.
static void meet(segment_search *k, const int end[2], int number, const double *behind)
{
    const int *own = &k->rod->segment[2 * k->segment];
    double s, t, a[3], b[3], out[3];
    nearest_of_segments(&k->pr->x[3 * own[0]], &k->pr->x[3 * own[1]], &k->po->x[3 * end[0]],
                        &k->po->x[3 * end[1]], &s, &t);
    s = snap(s);
    t = snap(t);
    if (behind && (s == 0 || s == 1))
        return; // the rod's vertex has been looked at
    point_at(k->pr, own, s, a);
    point_at(k->po, end, t, b);
    vec_sub(out, a, b);
    double distance = vec_norm(out);
    if (!(distance > 0))
        return;
    double side = behind && vec_dot(out, behind) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        out[i] *= side / distance;
    double gap = side * distance - radius_at(k->rod, own, s) - radius_at(k->other, end, t);
    if (gap > k->f->pair->alarm || (side < 0 && distance > k->f->pair->alarm) ||
        (behind && !find_ridge(k->other, k->po, number, out)))
        return;
    // an end is the same for all edges and segments that meet there
    bool corner = t == 0 || t == 1, tip = s == 0 || s == 1;
    int mine = tip ? k->rod->nsegment + own[s == 1] : k->segment;
    int theirs = corner ? k->other->nedge + k->other->nsegment + end[t == 1] : number;
    uint64_t id =
        find_id(k->f->pair_id, FIND_EDGE, k->back ? theirs : mine, k->back ? mine : theirs);
    add_segment(k, id, end, s, t, out, gap);
}

static void meet_edges(void *context, int tri)
{
    segment_search *k = context;
    for (int i = 0; i < 3; i++) {
        int edge = k->other->tri_edge[3 * tri + i];
        if (k->other->edge[4 * edge + 2] == tri)
            meet(k, &k->other->edge[4 * edge], edge, &k->po->edge_normal[3 * edge]);
    }
}

// Of one and the same rod, only segments that have been apart touch.
static bool were_apart(const segment_search *k, const int a[2], const int b[2])
{
    double s, t, x[3], y[3];
    const double *X = k->rod->rest;
    nearest_of_segments(&X[3 * a[0]], &X[3 * a[1]], &X[3 * b[0]], &X[3 * b[1]], &s, &t);
    for (int i = 0; i < 3; i++) {
        x[i] = (1 - s) * X[3 * a[0] + i] + s * X[3 * a[1] + i];
        y[i] = (1 - t) * X[3 * b[0] + i] + t * X[3 * b[1] + i];
    }
    return vec_distance(x, y) >
           radius_at(k->rod, a, s) + radius_at(k->rod, b, t) + k->f->pair->alarm;
}

static void meet_segment(void *context, int other)
{
    segment_search *k = context;
    const int *a = &k->rod->segment[2 * k->segment], *b = &k->other->segment[2 * other];
    if (k->rod == k->other && (other <= k->segment || !were_apart(k, a, b)))
        return;
    meet(k, b, other, NULL);
}

static void search_segments(segment_search *k)
{
    for (k->segment = 0; k->segment < k->rod->nsegment; k->segment++) {
        box3 near = k->pr->item[k->segment];
        box_grow(&near, k->f->pair->alarm);
        tree_query(&k->other->tree, k->po->node, &near,
                   k->other->ntri > 0 ? meet_edges : meet_segment, k);
    }
}

void find_segments_of_skin(find *f)
{
    int first = f->list->n;
    while (first > 0 && f->list->contact[first - 1].pair == f->pair_id)
        first--;
    segment_search k = {f, f->a, f->b, f->pa, f->pb, false, 0, first};
    search_segments(&k);
    if (f->a->ntri == 0 || f->b->nsegment == 0)
        return;
    k = (segment_search){f, f->b, f->a, f->pb, f->pa, true, 0, first};
    search_segments(&k);
}
