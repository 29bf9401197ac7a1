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

// The plane where the vertex came in serves until it is out again: the way out is the way in.
static double entered_gap(const find *f, int v, double gap, double normal[3])
{
    double start[3], hit[3], way[3];
    if (!f->pa_before || !f->at_before)
        return gap;
    carried_start(f, v, start);
    if (!sweep_shape(f->shape, f->at, start, &f->pa->x[3 * v], hit, normal))
        return gap;
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
        double gap = shape_distance(f->shape, f->at, x, normal);
        gap = entered_gap(f, v, gap, normal) - f->a->radius[v];
        if (!(gap <= f->pair->alarm) || !find_faces(&f->pa->vertex_normal[3 * v], normal))
            continue;
        memcpy(at, x, sizeof at);
        vec_axpy(at, -gap - f->a->radius[v], normal);
        contact *c =
            find_open(f, find_id(f->pair_id, FIND_VERTEX, v, 0), gap, normal, at, f->pa->area[v]);
        if (c)
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

// The least distance over a triangle, by projecting to and fro between the triangle and the core of
// the shape: both are convex. Shrinking the shape keeps the triangle outside of it.
static face_nearest face_minimum(const find *f, int t, double shrink)
{
    enum { ROUNDS = 40 };
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
        if (vec_distance(old, best.q) <= 1e-9 * f->pair->alarm)
            break;
    }
    best.gap = shape_distance(f->shape, f->at, best.q, best.normal);
    return best;
}

// Is the bulge nearer than all corners? Then no vertex tells of it.
static bool beats_corners(const find *f, int t, double gap)
{
    for (int i = 0; i < 3; i++) {
        double n[3];
        double corner = shape_distance(f->shape, f->at, &f->pa->x[3 * f->a->tri[3 * t + i]], n);
        if (corner < gap + 1e-3 * f->pair->alarm)
            return false;
    }
    return true;
}

static bool shares_edge(const find *f, int t, const face_nearest *best, double shrink)
{
    int edge = f->a->tri_edge[3 * t + (int)best->feature - NEAREST_EDGE0];
    const int *e = &f->a->edge[4 * edge];
    if (e[2] != t)
        return false; // found from its other triangle
    if (e[3] < 0)
        return true;
    face_nearest other = face_minimum(f, e[3], shrink);
    return other.gap >= best->gap - 1e-6 * f->pair->alarm;
}

static void look_at_face(void *context, int t)
{
    find *f = context;
    // deep enough for every triangle that the box found, yet a core remains
    double shrink = f->pair->alarm;
    face_nearest best = face_minimum(f, t, shrink);
    if (best.feature <= NEAREST_CORNER2 || best.gap > f->pair->alarm ||
        !find_faces(&f->pa->tri_normal[3 * t], best.normal) || !beats_corners(f, t, best.gap))
        return;
    int id = t;
    if (best.feature != NEAREST_INSIDE) {
        if (!shares_edge(f, t, &best, shrink))
            return;
        id = f->a->ntri + f->a->tri_edge[3 * t + (int)best.feature - NEAREST_EDGE0];
    }
    double at[3], area = 0;
    memcpy(at, best.q, sizeof at);
    vec_axpy(at, -best.gap, best.normal);
    for (int i = 0; i < 3; i++)
        area += best.weight[i] * f->pa->area[f->a->tri[3 * t + i]];
    contact *c =
        find_open(f, find_id(f->pair_id, FIND_FACE, id, 0), best.gap, best.normal, at, area);
    for (int i = 0; c && i < 3; i++)
        if (best.weight[i] > 0)
            find_entry(f, c, f->a, f->a->tri[3 * t + i], best.weight[i]);
}

void find_faces_of_shape(find *f)
{
    if (f->shape->kind == SHAPE_PLANE || f->shape->kind == SHAPE_PIPE)
        return; // their distance is least at a corner
    box3 near;
    shape_box(f->shape, f->at, near.lower, near.upper);
    box_grow(&near, f->pair->alarm);
    tree_query(&f->a->tree, f->pa->node, &near, look_at_face, f);
}
