// Points of one surface in the solid of another: how far they are from its surface, whether they
// are inside, and where on a segment or a triangle the deepest is.
#include "base/tolerances.h"
#include "base/vec.h"
#include "contact/check_inside.h"
#include "contact/tolerances.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void check_tell(check_work *w, int pair, double depth, const double at[3])
{
    if (!(depth > w->best))
        return;
    w->best = depth;
    w->deepest.depth = depth;
    w->deepest.pair = pair;
    memcpy(w->deepest.at, at, sizeof w->deepest.at);
}

// How many of these vertices does an item have?
static int count_own(const check_surface *s, int item, int n, const int *own)
{
    int count = 0;
    for (int i = 0; i < s->corners; i++)
        for (int k = 0; k < n; k++)
            count += s->item[s->corners * item + i] == own[k];
    return count;
}

// The sum of the normals about what points are on; none where some faces look away from it.
static void find_outward(check_probe *p)
{
    const check_surface *a = p->a;
    int first = a->around_adr[p->on[0]], end = a->around_adr[p->on[0] + 1];
    double n[3], sum[3] = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int k = first; k < end && a->corners == 3; k++) {
            if (count_own(a, a->around[k], p->non, p->on) < p->non)
                continue;
            check_item tri = check_item_of(a, p->pa->x, a->around[k]);
            check_normal(&tri, n);
            if (pass == 0)
                vec_axpy(sum, 1 / check_max(vec_norm(n), SMALLEST_DIVISOR), n);
            else if (vec_dot(n, sum) <= 0)
                sum[0] = sum[1] = sum[2] = 0;
        }
    memcpy(p->outward, sum, sizeof sum);
}

void check_own_item(check_probe *p, int item)
{
    p->nown = p->non = p->a->corners;
    memcpy(p->own, &p->a->item[p->a->corners * item], (size_t)p->nown * sizeof *p->own);
    memcpy(p->on, p->own, sizeof p->on);
    if (p->self)
        find_outward(p);
}

void check_own_vertex(check_probe *p, int item, int vertex)
{
    p->nown = p->a->corners;
    memcpy(p->own, &p->a->item[p->a->corners * item], (size_t)p->nown * sizeof *p->own);
    p->non = 1;
    p->on[0] = vertex;
    if (p->self)
        find_outward(p);
}

void check_own_edge(check_probe *p, int edge)
{
    p->nown = p->non = 2;
    memcpy(p->own, &p->a->edge[2 * edge], 2 * sizeof *p->own);
    memcpy(p->on, p->own, sizeof p->on);
    if (p->self)
        find_outward(p);
}

// Vertices of the feature that an item of b has; only where both are of one body.
static int own_of_other(const check_probe *p, int item)
{
    int count = 0;
    if (!p->self)
        return 0;
    if (p->a == p->b)
        return count_own(p->b, item, p->nown, p->own);
    for (int i = 0; i < p->b->corners; i++)
        for (int k = 0; k < p->nown; k++)
            count +=
                p->b->from.node[p->b->item[p->b->corners * item + i]] == p->a->from.node[p->own[k]];
    return count;
}

// Is a point of the feature on an item of b, as it is part of it?
static bool is_on(const check_probe *p, int item)
{
    return p->self && p->a == p->b && p->non > 0 && count_own(p->b, item, p->non, p->on) == p->non;
}

// The nearest item of b that has no vertex of the feature; ends where one is as near as `enough`.
static double nearest(const check_probe *p, const double x[3], double enough, int *witness)
{
    int stack[CHECK_DEPTH], depth = 0;
    double least = INFINITY, weight[3];
    *witness = -1;
    stack[depth++] = 0;
    while (depth > 0 && least > enough) {
        int k = stack[--depth];
        const check_node *node = &p->b->node[k];
        if (check_box_distance2(&p->pb->node[k], x) >= least * least)
            continue;
        for (int i = 0; i < node->n && node->second == 0; i++) {
            int item = p->b->order[node->first + i];
            if (check_box_distance2(&p->pb->box[item], x) >= least * least ||
                own_of_other(p, item) > 0)
                continue;
            check_item tri = check_item_of(p->b, p->pb->x, item);
            double d = check_point_distance(x, &tri, weight);
            if (d < least) {
                least = d;
                *witness = item;
            }
        }
        if (node->second == 0)
            continue;
        bool swap = check_box_distance2(&p->pb->node[k + 1], x) >
                    check_box_distance2(&p->pb->node[node->second], x);
        assert(depth + 2 <= CHECK_DEPTH);
        stack[depth++] = swap ? k + 1 : node->second;
        stack[depth++] = swap ? node->second : k + 1;
    }
    return least;
}

// Does a ray meet a box?
static bool ray_meets(const check_box *b, const double x[3], const double way[3])
{
    double from = 0, to = INFINITY;
    for (int k = 0; k < 3; k++) {
        double s = (b->low[k] - x[k]) / way[k], t = (b->high[k] - x[k]) / way[k];
        from = check_max(from, check_min(s, t));
        to = check_min(to, check_max(s, t));
    }
    double slack = CHECK_BOX * check_max(fabs(from), fabs(to));
    return from <= to + slack;
}

// How often b goes around x, by the faces that a ray goes through; false: it is too near to an
// edge.
static bool wind_by_ray(const check_probe *p, const double x[3], const double way[3], int *winding)
{
    int stack[CHECK_DEPTH], depth = 0;
    bool unsure = false;
    *winding = 0;
    stack[depth++] = 0;
    while (depth > 0 && !unsure) {
        int k = stack[--depth];
        const check_node *node = &p->b->node[k];
        if (!ray_meets(&p->pb->node[k], x, way))
            continue;
        for (int i = 0; i < node->n && node->second == 0; i++) {
            int item = p->b->order[node->first + i];
            check_item tri = check_item_of(p->b, p->pb->x, item);
            if (!is_on(p, item))
                *winding += check_ray(x, way, &tri, &unsure);
        }
        if (node->second == 0)
            continue;
        assert(depth + 2 <= CHECK_DEPTH);
        stack[depth++] = node->second;
        stack[depth++] = k + 1;
    }
    return !unsure;
}

// The same by the angle that all faces cover. A point of a feature of b itself sees, in place of
// the faces there, the material's part of the sphere: more than none, less than all of it.
static int wind_by_angle(const check_probe *p, const double x[3])
{
    double sum = 0;
    for (int item = 0; item < p->b->nitem; item++) {
        check_item tri = check_item_of(p->b, p->pb->x, item);
        if (!is_on(p, item))
            sum += check_solid_angle(x, &tri);
    }
    bool part = p->self && p->non > 0 && p->a == p->b;
    return (int)floor(sum + (part ? CHECK_SOLID_ANGLE : 0.5));
}

// Is an edge (n = 2) or a vertex (n = 1) at the end of a surface?
static bool is_rim(const check_surface *s, int n, const int *corner)
{
    int first = s->around_adr[corner[0]], end = s->around_adr[corner[0] + 1];
    for (int k = first; k < end && n == 1; k++)
        for (int i = 0; i < 3; i++) {
            int other = s->item[3 * s->around[k] + i], edge[2] = {corner[0], other};
            if (other != corner[0] && is_rim(s, 2, edge))
                return true;
        }
    int count = 0;
    for (int k = first; k < end && n == 2; k++)
        count += count_own(s, s->around[k], 2, corner) == 2;
    return n == 2 && count < 2;
}

// A surface that is not closed has a behind where the nearest point is not at its rim.
static bool is_behind(const check_probe *p, const double x[3], int witness)
{
    const check_surface *b = p->b;
    check_item tri = check_item_of(b, p->pb->x, witness);
    double weight[3], sum[3] = {0}, off[3];
    int corner[3] = {0}, n = 0;
    memcpy(off, x, sizeof off);
    check_point_distance(x, &tri, weight);
    for (int i = 0; i < 3; i++) {
        vec_axpy(off, -weight[i], tri.x[i]);
        if (weight[i] > CHECK_OUTLINE)
            corner[n++] = b->item[3 * witness + i];
    }
    for (int k = b->around_adr[corner[0]]; k < b->around_adr[corner[0] + 1]; k++) {
        check_item other = check_item_of(b, p->pb->x, b->around[k]);
        double normal[3];
        check_normal(&other, normal);
        if (count_own(b, b->around[k], n, corner) == n)
            vec_axpy(sum, 1 / check_max(vec_norm(normal), SMALLEST_DIVISOR), normal);
    }
    return vec_dot(off, sum) < 0 && (n == 3 || !is_rim(b, n, corner));
}

static bool is_inside(const check_probe *p, const double x[3], int witness)
{
    double way[3] = {0.3213, 0.7127, 0.6236};
    int winding = 0;
    if (p->b->corners < 3)
        return false;
    if (!p->b->closed)
        return is_behind(p, x, witness);
    double length = vec_norm(p->outward);
    bool own = p->self && p->a == p->b && p->non > 0;
    if (own && length > 0) { // out of the material that the feature bounds
        vec_scale(way, 0.01);
        vec_axpy(way, 1 / length, p->outward);
    }
    if ((own && length == 0) || !wind_by_ray(p, x, way, &winding))
        winding = wind_by_angle(p, x);
    return winding + p->b->hollow >= 1;
}

// reach: nothing within it matters unless the point is deeper than the deepest less that.
static check_point look_about(const check_probe *p, const double x[3], double reach)
{
    check_work *w = p->work;
    double best = check_max(w->best - p->offset, 0);
    check_point out = {0};
    out.distance =
        nearest(p, x, check_max(p->spreads ? w->contact_distance : best - reach, 0), &out.witness);
    out.near = out.witness < 0 || out.distance <= (p->spreads ? w->contact_distance : best);
    if (out.near)
        return out;
    out.inside = is_inside(p, x, out.witness);
    if (out.inside)
        check_tell(w, p->pair, out.distance + p->offset, x);
    return out;
}

check_point check_look(const check_probe *p, const double x[3])
{
    bool bounded = p->b->closed && !p->b->hollow; // its inside is within its box
    if (bounded && check_box_distance2(&p->pb->node[0], x) > 0)
        return (check_point){.witness = -1};
    return look_about(p, x, 0);
}

// Can nothing of a piece, whose corners are within `reach` of a point, be deeper than what is
// known, or not by much?
static bool is_hopeless(const check_probe *p, const check_point *look, double reach, int n,
                        const double *const corner[])
{
    double enough = 1.005 * check_max(p->work->best - p->offset, 0), weight[3];
    if (look->witness < 0 || look->distance + reach <= enough)
        return true;
    if (!look->near && !look->inside && reach - look->distance <= enough)
        return true; // it would have to come in first
    // the distance from one triangle is convex: largest at a corner
    check_item tri = check_item_of(p->b, p->pb->x, look->witness);
    for (int i = 0; i < n; i++)
        if (check_point_distance(corner[i], &tri, weight) > enough)
            return false;
    return true;
}

void check_along(const check_probe *p, const double a[3], const double b[3], int levels)
{
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (a[k] + b[k]);
    const double *const corner[2] = {a, b};
    double reach = vec_distance(a, middle);
    check_point look = look_about(p, middle, reach);
    if (levels == 0 || is_hopeless(p, &look, reach, 2, corner))
        return;
    check_along(p, a, middle, levels - 1);
    check_along(p, middle, b, levels - 1);
}

void check_over(const check_probe *p, const double *const corner[3], int levels)
{
    double middle[3], half[3][3], reach = 0;
    for (int k = 0; k < 3; k++) {
        middle[k] = (corner[0][k] + corner[1][k] + corner[2][k]) / 3;
        for (int i = 0; i < 3; i++)
            half[i][k] = 0.5 * (corner[i][k] + corner[(i + 1) % 3][k]);
    }
    for (int i = 0; i < 3; i++)
        reach = check_max(reach, vec_distance(middle, corner[i]));
    check_point look = look_about(p, middle, reach);
    if (levels == 0 || is_hopeless(p, &look, reach, 3, corner))
        return;
    for (int i = 0; i < 3; i++) {
        const double *const part[3] = {corner[i], half[i], half[(i + 2) % 3]};
        check_over(p, part, levels - 1);
    }
    const double *const part[3] = {half[0], half[1], half[2]};
    check_over(p, part, levels - 1);
}

enum { MOST_CUTS = 48 };

static int compare_cuts(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

// Where a segment goes through b, ends included.
static int find_cuts(const check_probe *p, const double a[3], const double b[3],
                     double cut[MOST_CUTS + 2])
{
    const double *const end[2] = {a, b};
    check_box box = check_box_of(2, end, p->work->contact_distance);
    int stack[CHECK_DEPTH], depth = 0, n = 0;
    stack[depth++] = 0;
    cut[n++] = 0;
    while (depth > 0) {
        int k = stack[--depth];
        const check_node *node = &p->b->node[k];
        if (!check_boxes_meet(&box, &p->pb->node[k]))
            continue;
        for (int i = 0; i < node->n && node->second == 0; i++) {
            int item = p->b->order[node->first + i];
            if (!check_boxes_meet(&box, &p->pb->box[item]) || own_of_other(p, item) > 0)
                continue;
            check_item tri = check_item_of(p->b, p->pb->x, item);
            double t;
            if (n <= MOST_CUTS && check_pierces(a, b, &tri, CHECK_OUTLINE, &t))
                cut[n++] = check_min(check_max(t, 0), 1);
        }
        if (node->second == 0)
            continue;
        assert(depth + 2 <= CHECK_DEPTH);
        stack[depth++] = node->second;
        stack[depth++] = k + 1;
    }
    cut[n++] = 1;
    qsort(cut, (size_t)n, sizeof *cut, compare_cuts);
    return n;
}

void check_cut(const check_probe *p, const double a[3], const double b[3], int levels, bool whole)
{
    double cut[MOST_CUTS + 2];
    int n = find_cuts(p, a, b, cut);
    if (n == 2 && !whole)
        return;
    for (int i = 0; i + 1 < n; i++) {
        double from[3], to[3];
        if (cut[i + 1] - cut[i] < CHECK_PIECE)
            continue;
        for (int k = 0; k < 3; k++) {
            from[k] = a[k] + cut[i] * (b[k] - a[k]);
            to[k] = a[k] + cut[i + 1] * (b[k] - a[k]);
        }
        check_along(p, from, to, levels);
    }
}
