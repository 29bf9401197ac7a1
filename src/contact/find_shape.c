// A skin against a shape.
#include "contact/find.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

// Where the vertex comes from, in the frame of the moving shape.
static void carried_start(const find *f, int v, double out[3])
{
    const double *x = &f->pa_before->x[3 * v];
    double d[3], q[3];
    vec_sub(d, x, f->at_before->at);
    for (int i = 0; i < 3; i++)
        q[i] = f->at_before->R[i] * d[0] + f->at_before->R[3 + i] * d[1] +
               f->at_before->R[6 + i] * d[2];
    mat_apply(out, f->at->R, q);
    vec_axpy(out, 1, f->at->at);
}

// Where the nearest way out is not the way in, the plane where the vertex came in takes its place.
static double entered_gap(const find *f, int v, double gap, double normal[3])
{
    double start[3], hit[3], way[3], entry[3];
    if (!f->pa_before || !f->at_before)
        return gap;
    carried_start(f, v, start);
    if (!sweep_shape(f->shape, f->at, start, &f->pa->x[3 * v], hit, entry) ||
        vec_dot(entry, normal) > FIND_SAME_SIDE)
        return gap;
    memcpy(normal, entry, sizeof entry);
    vec_sub(way, &f->pa->x[3 * v], hit);
    return vec_dot(way, normal);
}

void find_vertices_of_shape(find *f)
{
    box3 near;
    shape_box(f->shape, f->at, near.lower, near.upper);
    box_grow(&near, f->pair->alarm);
    for (int v = 0; v < f->a->nvertex; v++) {
        const double *x = &f->pa->x[3 * v];
        box3 path = box_empty();
        box_add(&path, x);
        box_grow(&path, f->a->radius[v]);
        if (f->pa_before)
            box_add(&path, &f->pa_before->x[3 * v]);
        if (!box_meets(&path, &near))
            continue;
        double normal[3], at[3];
        double nearest = shape_distance(f->shape, f->at, x, normal);
        double entered = entered_gap(f, v, nearest, normal), gap = entered - f->a->radius[v];
        if (!(gap <= f->pair->alarm))
            continue;
        if (!find_faces(&f->pa->vertex_normal[3 * v], normal)) {
            find_leave(f->list, gap, f->pair_id);
            continue;
        }
        memcpy(at, x, sizeof at);
        vec_axpy(at, -gap - f->a->radius[v], normal);
        contact *c =
            find_open(f, find_id(f->pair_id, FIND_VERTEX, v, 0), gap, normal, at, f->pa->area[v]);
        if (!c)
            continue;
        c->curved = entered == nearest; // where it came in there is a plane
        shape_curvature(f->shape, f->at, x, c->curvature);
        find_entry(f, c, f->a, v, 1);
    }
}

typedef struct face_nearest {
    nearest_feature feature;
    double weight[3];
    double q[3]; // of the triangle, nearest to the shape
    double gap;
    double normal[3];
} face_nearest;

// Steps shrink by the same ratio again and again: goes to where they end [aitken1926].
static void leap(const double before[3], const double step[3], double q[3])
{
    double square = vec_dot(before, before);
    double ratio = square > 0 ? vec_dot(before, step) / square : 0;
    if (ratio > 0 && ratio < 0.99)
        vec_axpy(q, ratio / (1 - ratio), step);
}

// One Newton step of the distance along the edge or the face that holds q; false: it would leave.
static bool newton_step(const find *f, const double *const corner[3], face_nearest *best)
{
    int held[3], n = 0;
    double span[2][3], D[9], M[4] = {0}, inverse[4], slope[2], weight[3];
    for (int i = 0; i < 3; i++)
        if (best->weight[i] > 0)
            held[n++] = i;
    shape_distance(f->shape, f->at, best->q, best->normal);
    shape_curvature(f->shape, f->at, best->q, D);
    for (int a = 0; a < n - 1; a++) {
        vec_sub(span[a], corner[held[a + 1]], corner[held[0]]);
        slope[a] = vec_dot(span[a], best->normal);
    }
    for (int a = 0; a < n - 1; a++)
        for (int b = 0; b < n - 1; b++) {
            double De[3];
            mat_apply(De, D, span[b]);
            M[2 * a + b] = vec_dot(span[a], De);
        }
    find_invert(n - 1, M, inverse);
    memcpy(weight, best->weight, sizeof weight);
    for (int a = 0; a < n - 1; a++)
        for (int b = 0; b < n - 1; b++) {
            weight[held[a + 1]] -= inverse[2 * a + b] * slope[b];
            weight[held[0]] += inverse[2 * a + b] * slope[b];
        }
    for (int a = 0; a < n; a++)
        if (!(weight[held[a]] > 0))
            return false;
    memcpy(best->weight, weight, sizeof weight);
    memset(best->q, 0, sizeof best->q);
    for (int i = 0; i < 3; i++)
        vec_axpy(best->q, weight[i], corner[i]);
    return true;
}

static void polish(const find *f, const double *const corner[3], face_nearest *best)
{
    enum { STEPS = 4 };
    for (int k = 0; k < STEPS && best->feature > NEAREST_CORNER2; k++)
        if (!newton_step(f, corner, best))
            return;
}

// The least distance along an edge, a convex function: where its slope changes sign, by the secant
// kept between both ends. False: at an end.
static bool edge_minimum(const find *f, const double a[3], const double b[3], double *at,
                         double q[3])
{
    enum { STEPS = 60 };
    double span[3], n[3], low = 0, high = 1;
    vec_sub(span, b, a);
    shape_distance(f->shape, f->at, a, n);
    double left = vec_dot(span, n);
    shape_distance(f->shape, f->at, b, n);
    double right = vec_dot(span, n);
    if (left >= 0 || right <= 0)
        return false;
    for (int k = 0; k < STEPS && high - low > 1e-15; k++) {
        double t = k % 3 == 2 ? 0.5 * (low + high) : low - left * (high - low) / (right - left);
        memcpy(q, a, 3 * sizeof *q);
        vec_axpy(q, t, span);
        shape_distance(f->shape, f->at, q, n);
        double slope = vec_dot(span, n);
        *at = t;
        if (fabs(slope) <= 1e-14 * vec_norm(span))
            return true;
        if (slope < 0) {
            low = t;
            left = slope;
        } else {
            high = t;
            right = slope;
        }
    }
    return true;
}

// The way to and fro creeps where an edge is nearly along the shape; so edges are looked at alone.
static void compare_edges(const find *f, const double *const corner[3], face_nearest *best)
{
    for (int i = 0; i < 3; i++) {
        double t = 0, q[3] = {0}, n[3];
        int j = (i + 1) % 3;
        if (!edge_minimum(f, corner[i], corner[j], &t, q))
            continue;
        double gap = shape_distance(f->shape, f->at, q, n);
        if (gap > best->gap + 1e-12 * f->pair->alarm)
            continue;
        best->gap = gap;
        best->feature = (nearest_feature)(NEAREST_EDGE0 + i);
        best->weight[(i + 2) % 3] = 0;
        best->weight[i] = 1 - t;
        best->weight[j] = t;
        memcpy(best->q, q, sizeof q);
        memcpy(best->normal, n, sizeof n);
    }
}

// The least distance over a triangle, by projecting to and fro between the triangle and the core of
// the shape: both are convex. Shrinking the shape keeps the triangle outside of it.
static face_nearest face_minimum(const find *f, int t, double shrink)
{
    enum { ROUNDS = 20 };
    double step[2][3] = {{0}};
    face_nearest best = {.weight = {1.0 / 3, 1.0 / 3, 1.0 / 3}};
    const double *corner[3];
    for (int i = 0; i < 3; i++) {
        corner[i] = &f->pa->x[3 * f->a->tri[3 * t + i]];
        vec_axpy(best.q, 1.0 / 3, corner[i]);
    }
    for (int k = 0; k < ROUNDS; k++) {
        double core[3], old[3];
        memcpy(old, best.q, sizeof old);
        shape_project(f->shape, f->at, shrink, best.q, core);
        best.feature = nearest_on_triangle(core, corner, best.weight);
        memset(best.q, 0, sizeof best.q);
        for (int i = 0; i < 3; i++)
            vec_axpy(best.q, best.weight[i], corner[i]);
        if (vec_distance(old, best.q) <= 1e-13 * f->pair->alarm)
            break;
        memcpy(step[0], step[1], sizeof step[0]);
        vec_sub(step[1], best.q, old);
        if (k % 3 == 2)
            leap(step[0], step[1], best.q);
    }
    polish(f, corner, &best);
    best.gap = shape_distance(f->shape, f->at, best.q, best.normal);
    compare_edges(f, corner, &best);
    return best;
}

// Is the bulge nearer than all corners? Then no vertex tells of it.
static bool beats_corners(const find *f, int t, double gap)
{
    for (int i = 0; i < 3; i++) {
        double n[3];
        double corner = shape_distance(f->shape, f->at, &f->pa->x[3 * f->a->tri[3 * t + i]], n);
        if (corner < gap + 1e-6 * f->pair->alarm)
            return false;
    }
    return true;
}

static int edge_of(const find *f, int t, const face_nearest *best)
{
    return f->a->tri_edge[3 * t + (int)best->feature - NEAREST_EDGE0];
}

// A least on an edge is one contact, unless the other triangle goes on to something deeper. The
// edge's first triangle tells of it, if it sees it.
static bool owns_edge(const find *f, int t, const face_nearest *best, double shrink)
{
    int edge = edge_of(f, t, best);
    const int *e = &f->a->edge[4 * edge];
    int neighbour = e[2] == t ? e[3] : e[2];
    if (!find_faces(&f->pa->edge_normal[3 * edge], best->normal) &&
        !find_faces(&f->pa->tri_normal[3 * t], best->normal))
        return false;
    if (neighbour < 0)
        return true;
    face_nearest other = face_minimum(f, neighbour, shrink);
    bool sees = other.feature > NEAREST_CORNER2 && other.feature != NEAREST_INSIDE &&
                edge_of(f, neighbour, &other) == edge;
    if (sees)
        return e[2] == t;
    return other.gap >= best->gap - 1e-6 * f->pair->alarm ||
           !find_faces(&f->pa->tri_normal[3 * neighbour], other.normal);
}

static void look_at_face(void *context, int t)
{
    find *f = context;
    // a ball and a rod are all that is near their core; corners and rims stay sharp
    bool round = f->shape->kind == SHAPE_SPHERE || f->shape->kind == SHAPE_CAPSULE;
    double shrink = round ? f->shape->radius : f->pair->alarm;
    face_nearest best = face_minimum(f, t, shrink);
    bool inside = best.feature == NEAREST_INSIDE;
    if (best.feature <= NEAREST_CORNER2 || best.gap > f->pair->alarm ||
        !beats_corners(f, t, best.gap) ||
        (inside ? !find_faces(&f->pa->tri_normal[3 * t], best.normal)
                : !owns_edge(f, t, &best, shrink)))
        return;
    int id = inside ? t : f->a->ntri + edge_of(f, t, &best);
    double at[3], area = 0;
    memcpy(at, best.q, sizeof at);
    vec_axpy(at, -best.gap, best.normal);
    for (int i = 0; i < 3; i++)
        area += best.weight[i] * f->pa->area[f->a->tri[3 * t + i]];
    contact *c =
        find_open(f, find_id(f->pair_id, FIND_FACE, id, 0), best.gap, best.normal, at, area);
    if (!c)
        return;
    c->curved = true;
    shape_curvature(f->shape, f->at, best.q, c->curvature);
    for (int i = 0; i < 3; i++)
        if (best.weight[i] > 0)
            find_entry(f, c, f->a, f->a->tri[3 * t + i], best.weight[i]);
}

void find_near_shape(find *f, void (*look)(void *f, int item))
{
    box3 near;
    shape_box(f->shape, f->at, near.lower, near.upper);
    box_grow(&near, f->pair->alarm);
    tree_query(&f->a->tree, f->pa->node, &near, look, f);
}

void find_faces_of_shape(find *f)
{
    if (f->a->ntri == 0 || f->shape->kind == SHAPE_PLANE || f->shape->kind == SHAPE_PIPE)
        return; // their distance is least at a corner
    find_near_shape(f, look_at_face);
}
