#include "contact/check.h"

#include "base/status.h"
#include "base/vec.h"
#include "contact/check_inside.h"
#include "contact/check_shape.h"

#include <math.h>
#include <string.h>

lithe_status check_world_build(const check_world_def *from, arena *memory, check_world **out)
{
    check_world *w = *out = arena_new(memory, 1, check_world);
    if (!w)
        return LITHE_NO_MEMORY;
    *w = (check_world){.nshape = from->nshape, .shape = from->shape};
    w->surface = arena_new(memory, from->nsurface + 1, check_surface);
    w->pair = arena_new(memory, from->npair + 1, check_pair);
    if (!w->surface || !w->pair)
        return LITHE_NO_MEMORY;
    for (; w->nsurface < from->nsurface; w->nsurface++)
        LITHE_TRY(check_surface_build(&from->surface[w->nsurface], from->held, memory,
                                      &w->surface[w->nsurface]));
    for (; w->npair < from->npair; w->npair++)
        w->pair[w->npair] = from->pair[w->npair];
    return LITHE_OK;
}

lithe_status check_work_create(const check_world *world, arena *memory, check_work **out)
{
    check_work *w = *out = arena_new(memory, 1, check_work);
    if (!w || !(w->pose = arena_new(memory, world->nsurface + 1, check_pose)))
        return LITHE_NO_MEMORY;
    for (int k = 0; k < world->nsurface; k++)
        LITHE_TRY(check_pose_create(&world->surface[k], memory, &w->pose[k]));
    return LITHE_OK;
}

static void into_frame(const contact_frame *f, const double p[3], double q[3])
{
    double d[3];
    vec_sub(d, p, f->at);
    for (int i = 0; i < 3; i++)
        q[i] = f->R[i] * d[0] + f->R[3 + i] * d[1] + f->R[6 + i] * d[2];
}

static void out_of_frame(const contact_frame *f, const double q[3], double p[3])
{
    mat_apply(p, f->R, q);
    vec_axpy(p, 1, f->at);
}

static void measure_item(check_work *w, const check_probe *p, const contact_shape *shape,
                         const contact_frame *at, int item)
{
    check_item world = check_item_of(p->a, p->pa->x, item), own = world;
    double q[3][3], there[3], point[3];
    if (p->a->held[item])
        return;
    for (int i = 0; i < own.n; i++) {
        into_frame(at, world.x[i], q[i]);
        own.x[i] = q[i];
    }
    double depth = check_shape_depth(shape, &own, w->best, there);
    if (depth <= w->best)
        return;
    out_of_frame(at, there, point);
    check_tell(w, p->pair, depth, point);
}

// Distance is nowhere steeper than 1: boxes whose middle is far enough hold nothing.
static void measure_items(check_work *w, const check_probe *p, const contact_shape *shape,
                          const contact_frame *at)
{
    int stack[CHECK_DEPTH], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        int k = stack[--depth];
        const check_node *node = &p->a->node[k];
        const check_box *box = &p->pa->node[k];
        double middle[3], q[3];
        for (int i = 0; i < 3; i++)
            middle[i] = 0.5 * (box->low[i] + box->high[i]);
        into_frame(at, middle, q);
        if (check_shape_distance(shape, q) - vec_distance(middle, box->low) >= -w->best)
            continue;
        for (int i = 0; i < node->n && node->second == 0; i++)
            measure_item(w, p, shape, at, p->a->order[node->first + i]);
        if (node->second == 0)
            continue;
        stack[depth++] = node->second;
        stack[depth++] = k + 1;
    }
}

enum { RIM = 180, SHAPE_LEVELS = 10 };

// A point of the shape, in its own frame, inside of the surface.
static void look_at(const check_probe *p, const contact_frame *at, const double q[3])
{
    double point[3];
    out_of_frame(at, q, point);
    check_look(p, point);
}

// What is between two of them.
static void look_between(const check_probe *p, const contact_frame *at, const double a[3],
                         const double b[3])
{
    double from[3], to[3];
    out_of_frame(at, a, from);
    out_of_frame(at, b, to);
    check_cut(p, from, to, p->work->best > p->work->small ? SHAPE_LEVELS : SHAPE_LEVELS / 2, false);
}

static void look_along_box(const check_probe *p, const contact_shape *s, const contact_frame *at)
{
    for (int c = 0; c < 8; c++) {
        double a[3], b[3];
        for (int k = 0; k < 3; k++)
            a[k] = c >> k & 1 ? s->half[k] : -s->half[k];
        look_at(p, at, a);
        for (int axis = 0; axis < 3; axis++) {
            memcpy(b, a, sizeof b);
            b[axis] = s->half[axis];
            if (!(c >> axis & 1))
                look_between(p, at, a, b);
        }
    }
}

static void on_rim(const contact_shape *s, int side, double angle, double out[3])
{
    out[0] = s->radius * cos(angle);
    out[1] = s->radius * sin(angle);
    out[2] = side ? s->half[2] : -s->half[2];
}

// The rim is round; it is followed in chords, and then on the circle about the deepest point.
static void look_along_rim(const check_probe *p, const contact_shape *s, const contact_frame *at)
{
    const double chord = 2 * 3.14159265358979323846 / RIM;
    double a[3], b[3], q[3], before = p->work->best;
    int nrim = check_kinds[s->kind].nrim;
    for (int k = 0; k < RIM; k++)
        for (int side = 0; side < nrim; side++) {
            on_rim(s, side, chord * k, a);
            on_rim(s, side, chord * (k + 1), b);
            look_at(p, at, a);
            look_between(p, at, a, b);
        }
    if (p->work->best <= before)
        return;
    into_frame(at, p->work->deepest.at, q);
    double angle = atan2(q[1], q[0]), step = chord;
    for (int halving = 0; halving < 18; halving++) {
        double found = angle;
        step *= 0.5;
        for (int k = -1; k <= 1; k++) {
            before = p->work->best;
            on_rim(s, nrim > 1 && q[2] > 0, angle + k * step, a);
            look_at(p, at, a);
            found = p->work->best > before ? angle + k * step : found;
        }
        angle = found;
    }
}

// Shapes inside of a surface: their sharp edges, and some of their middle where no triangle may
// come near.
static void look_at_shape(const check_probe *p, const contact_shape *s, const contact_frame *at)
{
    check_box body = p->pa->node[0];
    const check_kind *kind = &check_kinds[s->kind];
    double reach = s->radius + vec_norm(s->half), half = kind->lengthy ? s->half[2] : 0;
    if (kind->endless || check_box_distance2(&body, at->at) > reach * reach)
        return;
    check_probe inside = *p; // of the shape in the surface
    inside.b = p->a;
    inside.pb = p->pa;
    for (int k = -1; k <= 1; k++) {
        const double q[3] = {0, 0, k * half};
        look_at(&inside, at, q);
    }
    if (kind->edges)
        look_along_box(&inside, s, at);
    if (kind->tip)
        look_at(&inside, at, (const double[]){0, 0, s->half[2]});
    if (kind->nrim > 0)
        look_along_rim(&inside, s, at);
}

void check_with_shape(check_work *w, const check_world *world, int pair, const contact_frame *at)
{
    const check_pair *k = &world->pair[pair];
    const contact_shape *shape = &world->shape[k->shape];
    check_probe p = {
        .work = w, .pair = pair, .a = &world->surface[k->first], .pa = &w->pose[k->first]};
    if (p.a->nitem == 0)
        return;
    measure_items(w, &p, shape, at);
    if (p.a->closed && p.a->thick == 0)
        look_at_shape(&p, shape, at);
}

// Surfaces that take part, and how far about rounding may bring them together.
static void fit(const check_world *world, check_work *w, const check_positions *at, bool meant)
{
    for (int k = 0; k < world->nsurface; k++) {
        bool used = false;
        for (int i = 0; i < world->npair; i++)
            used = used || (world->pair[i].meant == meant && !(at->off && at->off[i]) &&
                            (world->pair[i].first == k || world->pair[i].second == k));
        if (used)
            check_pose_fit(&world->surface[k], &w->pose[k], at, w->contact_distance);
    }
}

check_depth check_overlap(const check_world *world, check_work *work, const check_positions *at,
                          bool meant, double ignored, double small)
{
    work->deepest = (check_depth){.pair = -1};
    work->best = work->contact_distance = ignored;
    work->small = small;
    fit(world, work, at, meant);
    for (int k = 0; k < world->npair; k++) {
        const check_pair *pair = &world->pair[k];
        if (pair->meant != meant || (at->off && at->off[k]))
            continue;
        if (pair->second < 0) {
            check_with_shape(work, world, k, &at->shape[pair->shape]);
            continue;
        }
        bool thick =
            world->surface[pair->first].thick > 0 || world->surface[pair->second].thick > 0;
        if (thick)
            check_thick(work, world, k);
        else
            check_solids(work, world, k);
    }
    return work->deepest;
}
