// Joints: rows between two frames that are kept at 0.
#include "base/quantity.h"
#include "base/vec.h"
#include "row/link.h"
#include "scene/compile.h"
#include "scene/tolerances.h"

#include <stdio.h>
#include <string.h>

// One side of a joint: a body, or the world.
typedef struct joint_side {
    int body;        // -1: the world
    row_point point; // where the joint is, carried by it
    int rotation;    // node that carries its directions, among those of all bodies; -1: none does
} joint_side;

// A joint in the making.
typedef struct joint_build {
    compiler *c;
    const lithe_joint_def *d;
    model_group *group;
    joint_side side[2]; // `with`, which carries directions where it can, and `body`
    double axis[3][3];  // an orthonormal basis at rest; the last is the joint's axis
    double lever;       // m
    double compliance;  // m/N
} joint_build;

static int find_part(const compile_body *part, const char *name)
{
    for (int k = 0; k < part->nframe; k++)
        if (strcmp(part->frame[k].name, name) == 0)
            return k;
    return -1;
}

// The frame of a side: all of a rigid body, or a rigid part; -1: it is soft there.
static lithe_status find_frame(const compiler *c, const lithe_joint_def *d, int body_id,
                               const char *name, int *frame)
{
    const compile_body *part = &c->body[body_id];
    *frame = compile_is_rigid(part) ? 0 : -1;
    if (!name)
        return LITHE_OK;
    *frame = compile_is_rigid(part) ? -1 : find_part(part, name);
    if (*frame < 0)
        return compile_fail(c, d->location, "joint '%s': body '%s' has no rigid part '%s'", d->name,
                            part->def->name, name);
    return LITHE_OK;
}

static lithe_status find_side(joint_build *b, const char *name, const char *part, joint_side *side)
{
    compiler *c = b->c;
    const lithe_joint_def *d = b->d;
    char what[LITHE_TEXT_MAX];
    int frame = -1;
    *side = (joint_side){.body = -1, .rotation = -1, .point = {.body = -1}};
    memcpy(side->point.world, d->at, sizeof side->point.world);
    if (!name)
        return LITHE_OK;
    LITHE_TRY(compile_find_body(c, d->location, name, &side->body));
    LITHE_TRY(find_frame(c, d, side->body, part, &frame));
    snprintf(what, sizeof what, "joint '%.200s'", d->name);
    if (frame >= 0 && !compile_is_rigid(&c->body[side->body]))
        compile_ride_frame(c, side->body, frame, d->at, &side->point);
    else
        LITHE_TRY(compile_embed(c, side->body, d->location, what, d->at, &side->point));
    if (frame >= 0)
        side->rotation =
            c->model->body[side->body].node_adr + compile_frame_node(&c->body[side->body], frame);
    else if (d->kind != LITHE_JOINT_BALL)
        return compile_fail(c, d->location,
                            "joint '%s': body '%s' is soft there, and only a ball joins what has "
                            "no rotation; name one of its rigid parts, or take kind: ball",
                            d->name, name);
    return LITHE_OK;
}

static lithe_status find_basis(joint_build *b)
{
    const lithe_joint_def *d = b->d;
    double *axis = b->axis[2], least[3] = {0};
    if (d->kind == LITHE_JOINT_BALL || d->kind == LITHE_JOINT_FIXED) {
        for (int i = 0; i < 9; i++)
            b->axis[i / 3][i % 3] = i % 4 == 0;
        return LITHE_OK;
    }
    LITHE_TRY(compile_direction(b->c, d->location, d->name, d->axis, axis));
    int k = fabs(axis[0]) < fabs(axis[1]) ? 0 : 1;
    least[fabs(axis[2]) < fabs(axis[k]) ? 2 : k] = 1;
    if (d->kind == LITHE_JOINT_UNIVERSAL)
        LITHE_TRY(compile_direction(b->c, d->location, d->name, d->cross, least));
    if (d->kind == LITHE_JOINT_UNIVERSAL && fabs(vec_dot(least, axis)) > SCENE_NORMAL)
        return compile_fail(b->c, d->location,
                            "joint '%s': its two axes must be normal to each other at rest",
                            d->name);
    vec_cross(b->axis[1], axis, least);
    vec_scale(b->axis[1], 1 / vec_norm(b->axis[1]));
    vec_cross(b->axis[0], b->axis[1], axis);
    return LITHE_OK;
}

static lithe_status add_row(joint_build *b, const row_link *link)
{
    row *r = compile_next_row(b->c, b->group);
    r->kind = ROW_LINK;
    r->link = arena_new(&b->c->model->memory, 1, row_link);
    if (!r->link)
        return compile_no_memory(b->c);
    *r->link = *link;
    r->link->joint = link->role == LINK_LEADS ? -1 : (int)(b->d - b->c->def->joint);
    r->compliance = link->role == LINK_HOLDS || link->role == LINK_LEADS ? b->compliance : 0;
    r->command = LITHE_DISPLACEMENT;
    r->limit = (row_limit){{-INFINITY, INFINITY}, {-INFINITY, INFINITY}, INFINITY, INFINITY};
    return compile_finish_row(b->c, r, false);
}

// The point of the one side does not leave that of the other along an axis, which the first side
// carries if it moves the joint's other ways.
static lithe_status hold_along(joint_build *b, int axis, bool carried)
{
    row_link link = {.by_points = true, .rotation = {-1, -1}};
    link.point[0] = b->side[0].point;
    link.point[1] = b->side[1].point;
    link.rotation[0] = carried ? b->side[0].rotation : -1;
    memcpy(link.direction[0], b->axis[axis], sizeof link.direction[0]);
    return add_row(b, &link);
}

// Two axes stay normal to each other.
static lithe_status hold_normal(joint_build *b, int first, int second)
{
    row_link link = {.rotation = {b->side[0].rotation, b->side[1].rotation}};
    memcpy(link.direction[0], b->axis[first], sizeof link.direction[0]);
    memcpy(link.direction[1], b->axis[second], sizeof link.direction[1]);
    vec_scale(link.direction[1], b->lever);
    return add_row(b, &link);
}

static lithe_status hold_point(joint_build *b)
{
    for (int axis = 0; axis < 3; axis++)
        LITHE_TRY(hold_along(b, axis, false));
    return LITHE_OK;
}

static lithe_status hold_axis(joint_build *b)
{
    LITHE_TRY(hold_normal(b, 0, 2));
    return hold_normal(b, 1, 2);
}

static lithe_status add_rows(joint_build *b)
{
    switch (b->d->kind) {
    case LITHE_JOINT_BALL: return hold_point(b);
    case LITHE_JOINT_UNIVERSAL:
        LITHE_TRY(hold_point(b));
        return hold_normal(b, 0, 2); // the cross axis of the first side
    case LITHE_JOINT_HINGE:
    case LITHE_JOINT_FIXED:
        LITHE_TRY(hold_point(b));
        LITHE_TRY(hold_axis(b));
        return b->d->kind == LITHE_JOINT_FIXED ? hold_normal(b, 1, 0) : LITHE_OK;
    case LITHE_JOINT_PRISMATIC:
    case LITHE_JOINT_CYLINDRICAL:
        LITHE_TRY(hold_along(b, 0, true));
        LITHE_TRY(hold_along(b, 1, true));
        LITHE_TRY(hold_axis(b));
        return b->d->kind == LITHE_JOINT_PRISMATIC ? hold_normal(b, 1, 0) : LITHE_OK;
    case LITHE_JOINT_PLANAR: LITHE_TRY(hold_along(b, 2, true)); return hold_axis(b);
    }
    return LITHE_OK;
}

// What a body moves by per unit of force: within a step, by its inertia; at rest, as its weight
// would let a pendulum as long as it is.
static double freedom_of(const compiler *c, const joint_side *side)
{
    double mass = 0, dt = c->def->step.dt;
    const body *b = side->body >= 0 ? &c->model->body[side->body] : NULL;
    for (int i = 0; b && i < body_nposition(b); i++)
        mass += b->mass[i];
    if (!b)
        return 0;
    return c->def->dynamics.scheme == LITHE_STATIC ? (b->grip > 0 ? 1 / b->grip : 0)
                                                   : dt * dt / mass;
}

static lithe_status check_sides(const compiler *c, const lithe_joint_def *d)
{
    if (!d->name || !d->name[0] || !d->body)
        return compile_fail(c, d->location, "a joint needs a name and a body");
    bool same = d->with && strcmp(d->body, d->with) == 0,
         parts = d->part && d->with_part && strcmp(d->part, d->with_part) != 0;
    if (same && !parts)
        return compile_fail(c, d->location,
                            "joint '%s' joins '%s' with itself; name another body, or two of its "
                            "rigid parts, or leave out with: the world",
                            d->name, d->body);
    for (int i = 0; i < 3; i++)
        if (!isfinite(d->at[i]))
            return compile_fail(c, d->location, "joint '%s' is at something that is no number",
                                d->name);
    return LITHE_OK;
}

// ## What a joint leaves free

enum { JOINT_AXES = 3 };

typedef struct joint_axis {
    const lithe_axis_def *d;
    row_link link;
    const double *direction; // at rest
} joint_axis;

// The angle from one axis of the basis, of the first side, to that of the second, about a third.
static joint_axis angle_about(const joint_build *b, int about, int from, const lithe_axis_def *d)
{
    joint_axis a = {.d = d, .direction = b->axis[about]};
    a.link = (row_link){.twist = true, .rotation = {b->side[0].rotation, b->side[1].rotation}};
    memcpy(a.link.axis, b->axis[about], sizeof a.link.axis);
    memcpy(a.link.direction[0], b->axis[from], sizeof a.link.direction[0]);
    memcpy(a.link.direction[1], b->axis[from], sizeof a.link.direction[1]);
    return a;
}

// The same about an axis that the second side carries: seen from there, the other way round.
static joint_axis angle_of_second(const joint_build *b, int about, int from,
                                  const lithe_axis_def *d)
{
    joint_axis a = angle_about(b, about, from, d);
    a.link.back = true;
    a.link.rotation[0] = b->side[1].rotation;
    a.link.rotation[1] = b->side[0].rotation;
    vec_scale(a.link.axis, -1);
    return a;
}

static joint_axis travel_along(const joint_build *b, int along, const lithe_axis_def *d)
{
    joint_axis a = {.d = d, .direction = b->axis[along]};
    a.link = (row_link){.by_points = true, .rotation = {b->side[0].rotation, -1}};
    a.link.point[0] = b->side[0].point;
    a.link.point[1] = b->side[1].point;
    memcpy(a.link.direction[0], b->axis[along], sizeof a.link.direction[0]);
    return a;
}

// Returns how many there are. A ball's rotation has no axes that stay.
static int find_axes(const joint_build *b, joint_axis out[JOINT_AXES])
{
    const lithe_joint_def *d = b->d;
    int n = 0;
    if (d->kind == LITHE_JOINT_PRISMATIC || d->kind == LITHE_JOINT_CYLINDRICAL)
        out[n++] = travel_along(b, 2, &d->travel);
    for (int i = 0; i < 2 && d->kind == LITHE_JOINT_PLANAR; i++)
        out[n++] = travel_along(b, i, &d->travel);
    if (d->kind == LITHE_JOINT_HINGE || d->kind == LITHE_JOINT_CYLINDRICAL ||
        d->kind == LITHE_JOINT_PLANAR)
        out[n++] = angle_about(b, 2, 0, &d->angle);
    if (d->kind == LITHE_JOINT_UNIVERSAL) {
        out[n++] = angle_of_second(b, 2, 0, &d->angle);
        out[n++] = angle_about(b, 0, 2, &d->cross_angle);
    }
    return n;
}

static lithe_status check_axis(const joint_build *b, const lithe_axis_def *a)
{
    const lithe_joint_def *d = b->d;
    const double value[] = {a->stiffness, a->damping, a->friction};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        if (!(value[i] >= 0) || !isfinite(value[i]) || !isfinite(a->rest))
            return compile_fail(b->c, d->location,
                                "joint '%s': stiffness, damping and friction of what it leaves "
                                "free must be numbers that are not negative",
                                d->name);
    if (!(a->limit[0] <= 0) || !(a->limit[1] >= 0))
        return compile_fail(b->c, d->location,
                            "joint '%s': its limits are %.6g and %.6g (SI units), and it is at 0 "
                            "at rest, beyond them; place the bodies within, or widen the limits",
                            d->name, a->limit[0], a->limit[1]);
    return LITHE_OK;
}

// Stops, each of which only pushes, and friction, which only sticks so much.
static lithe_status add_limited(joint_build *b, const joint_axis *a)
{
    for (int end = 0; end < 2; end++) {
        row_link link = a->link;
        if (!isfinite(a->d->limit[end]))
            continue;
        link.role = LINK_STOPS;
        link.aim = a->d->limit[end];
        LITHE_TRY(add_row(b, &link));
        b->c->model->row[b->c->model->nrow - 1].limit.effort[end] = 0;
    }
    if (!(a->d->friction > 0))
        return LITHE_OK;
    row_link link = a->link;
    link.role = LINK_RUBS;
    LITHE_TRY(add_row(b, &link));
    row *r = &b->c->model->row[b->c->model->nrow - 1];
    r->limit.effort[0] = -a->d->friction;
    r->limit.effort[1] = a->d->friction;
    return LITHE_OK;
}

static lithe_status add_spring(joint_build *b, const joint_axis *a)
{
    row_link link = a->link;
    if (!(a->d->stiffness > 0) && !(a->d->damping > 0))
        return LITHE_OK;
    link.role = LINK_SPRING;
    link.stiffness = a->d->stiffness;
    link.damping = a->d->damping;
    link.aim = a->d->rest;
    return add_row(b, &link);
}

// Rows that say the same twice, as loops have them, would contradict each other by roundoff: each
// gives way by a little of what the lighter body's inertia lets it.
static lithe_status begin_joint(joint_build *b)
{
    compiler *c = b->c;
    LITHE_TRY(check_sides(c, b->d));
    LITHE_TRY(find_side(b, b->d->with, b->d->with_part, &b->side[0]));
    LITHE_TRY(find_side(b, b->d->body, b->d->part, &b->side[1]));
    LITHE_TRY(find_basis(b));
    const body *own = &c->model->body[b->side[1].body];
    b->lever = 0.5 * vec_distance(own->lower, own->upper);
    b->compliance = (c->def->dynamics.scheme == LITHE_STATIC ? SCENE_JOINT_AT_REST : SCENE_JOINT) *
                    fmax(freedom_of(c, &b->side[0]), freedom_of(c, &b->side[1]));
    return LITHE_OK;
}

static const lithe_joint_def *find_joint(const compiler *c, const char *name)
{
    for (int j = 0; j < c->def->njoint; j++)
        if (c->def->joint[j].name && strcmp(c->def->joint[j].name, name) == 0)
            return &c->def->joint[j];
    return NULL;
}

// Does a direction, at rest, say that it means this one? In the plane of a planar joint any does.
static bool is_meant(const joint_build *b, const lithe_actuator_def *d, joint_axis *a)
{
    double along[3];
    if (!d->has_direction)
        return true;
    if (compile_direction(b->c, d->location, d->name, d->direction, along) != LITHE_OK)
        return false;
    if (b->d->kind == LITHE_JOINT_PLANAR && a->link.by_points &&
        fabs(vec_dot(along, b->axis[2])) < SCENE_NORMAL) {
        memcpy(a->link.direction[0], along, sizeof along);
        return true;
    }
    double cosine = vec_dot(along, a->direction);
    return fabs(fabs(cosine) - 1) < SCENE_NORMAL;
}

lithe_status compile_motor(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    joint_build b = {.c = c, .d = find_joint(c, d->part), .group = group};
    bool linear =
        lithe_actuator_quantity(d->kind, LITHE_DISPLACEMENT)->dimension == QUANTITY_LENGTH;
    joint_axis axis[JOINT_AXES];
    int found = -1, nfound = 0;
    if (!b.d)
        return compile_fail(c, d->location, "motor '%s': there is no joint '%s' under joints",
                            d->name, d->part);
    LITHE_TRY(begin_joint(&b));
    for (int i = find_axes(&b, axis) - 1; i >= 0; i--)
        if (axis[i].link.by_points == linear && is_meant(&b, d, &axis[i])) {
            found = i;
            nfound += found >= 0;
        }
    bool planar = b.d->kind == LITHE_JOINT_PLANAR && linear;
    if (found < 0)
        return compile_fail(c, d->location,
                            "motor '%s': joint '%s' leaves no such %s free; a hinge, cylindrical, "
                            "planar or universal joint has angles, a prismatic, cylindrical or "
                            "planar one travels, and %s names one of its own axes",
                            d->name, d->part, linear ? "travel" : "angle",
                            linear ? "along" : "about");
    if ((nfound > 1 || planar) && !d->has_direction)
        return compile_fail(c, d->location,
                            "motor '%s': joint '%s' leaves two %s free; say which by %s", d->name,
                            d->part, linear ? "travels" : "angles", linear ? "along" : "about");
    axis[found].link.role = LINK_DRIVES;
    return add_row(&b, &axis[found].link);
}

// By how much an angle, less ratio times another, may differ and mean the same: by whole rounds of
// either. 0: by nothing that rounds tell.
static double period_of(const row_link *link, const row_link *other, double ratio)
{
    enum { MOST_TEETH = 64 };
    const double whole = 2 * M_PI;
    if (!link->twist || !other->twist)
        return link->twist ? whole : other->twist ? whole * fabs(ratio) : 0;
    for (int q = 1; q <= MOST_TEETH; q++)
        if (fabs(q * ratio - round(q * ratio)) < SCENE_NORMAL)
            return whole / q;
    return 0;
}

static lithe_status add_mimic(joint_build *b)
{
    const lithe_joint_def *d = b->d, *master = d->mimic ? find_joint(b->c, d->mimic) : NULL;
    joint_build of = {.c = b->c, .d = master};
    joint_axis axis[JOINT_AXES], other[JOINT_AXES];
    if (!d->mimic)
        return LITHE_OK;
    if (!master || master == d)
        return compile_fail(b->c, d->location, "joint '%s' cannot move as '%s' does: %s", d->name,
                            d->mimic, master ? "that is itself" : "there is no such joint");
    LITHE_TRY(begin_joint(&of));
    if (find_axes(b, axis) != 1 || find_axes(&of, other) != 1)
        return compile_fail(b->c, d->location,
                            "joint '%s' cannot move as '%s' does: each must leave one thing free, "
                            "as a hinge or a prismatic joint",
                            d->name, d->mimic);
    if (!isfinite(d->ratio))
        return compile_fail(b->c, d->location, "joint '%s': its ratio is not a number", d->name);
    row_link link = axis[0].link;
    link.other = arena_new(&b->c->model->memory, 1, row_link);
    if (!link.other)
        return compile_no_memory(b->c);
    *link.other = other[0].link;
    link.ratio = d->ratio;
    link.period = period_of(&link, link.other, d->ratio);
    return add_row(b, &link);
}

// For whoever reads them. A plane has two travels.
static lithe_status keep_axes(joint_build *b)
{
    const lithe_axis_def *kinds[JOINT_AXES] = {&b->d->angle, &b->d->cross_angle, &b->d->travel};
    joint_axis axis[JOINT_AXES];
    size_t at = JOINT_AXES * (size_t)(b->d - b->c->def->joint);
    for (int i = find_axes(b, axis) - 1; i >= 0; i--)
        for (size_t k = 0; k < JOINT_AXES; k++) {
            row_link *own = NULL;
            if (axis[i].d != kinds[k] || (b->d->kind == LITHE_JOINT_PLANAR && k == 2))
                continue;
            own = b->c->model->free[at + k] = arena_new(&b->c->model->memory, 1, row_link);
            if (!own)
                return compile_no_memory(b->c);
            *own = axis[i].link;
        }
    return LITHE_OK;
}

static lithe_status add_holds(joint_build *b)
{
    LITHE_TRY(keep_axes(b));
    LITHE_TRY(add_rows(b));
    return add_mimic(b);
}

typedef lithe_status add_some(joint_build *b);

static lithe_status add_all_limited(joint_build *b)
{
    joint_axis axis[JOINT_AXES];
    for (int i = find_axes(b, axis) - 1; i >= 0; i--) {
        LITHE_TRY(check_axis(b, axis[i].d));
        LITHE_TRY(add_limited(b, &axis[i]));
    }
    return LITHE_OK;
}

static lithe_status add_all_springs(joint_build *b)
{
    joint_axis axis[JOINT_AXES];
    for (int i = find_axes(b, axis) - 1; i >= 0; i--)
        LITHE_TRY(add_spring(b, &axis[i]));
    return LITHE_OK;
}

static lithe_status for_all(compiler *c, add_some *add)
{
    for (int j = 0; j < c->model->njoint; j++) {
        joint_build b = {.c = c, .d = &c->def->joint[j], .group = &c->model->joint[j]};
        b.group->adr = c->model->nrow;
        b.group->n = 0;
        if (!b.group->name)
            b.group->name = arena_strdup(&c->model->memory, b.d->name ? b.d->name : "");
        if (!b.group->name)
            return compile_no_memory(c);
        LITHE_TRY(begin_joint(&b));
        LITHE_TRY(add(&b));
    }
    return LITHE_OK;
}

// The rows of a rigid body that is moved: where its centre is, and its rotation vector.
static lithe_status lead_body(compiler *c, int k, model_path *out)
{
    const lithe_body_def *d = c->body[k].def;
    const body *b = &c->model->body[k];
    const lithe_joint_def like = {
        .name = d->name, .kind = LITHE_JOINT_FIXED, .location = d->location};
    model_group group = {.name = b->name};
    joint_build build = {.c = c, .d = &like, .group = &group};
    if (!b->rigid)
        return compile_fail(c, d->location,
                            "body '%s' is soft: only rigid bodies have a path; move its nodes by a "
                            "slider",
                            d->name);
    if (d->nfix > 0)
        return compile_fail(c, d->location, "body '%s' has a path, and is fixed; leave one out",
                            d->name);
    LITHE_TRY(compile_path(
        c, &(path_source){d->name, d->location, d->nwaypoint, d->waypoint_time, d->waypoint},
        &out->path));
    out->row = c->model->nrow;
    LITHE_TRY(find_basis(&build));
    joint_side side = {.body = k, .rotation = b->node_adr + compile_frame_node(&c->body[k], 0)};
    LITHE_TRY(compile_embed(c, k, d->location, d->name, &b->X[3 * b->centre], &side.point));
    build.compliance =
        (c->def->dynamics.scheme == LITHE_STATIC ? SCENE_JOINT_AT_REST : SCENE_JOINT) *
        freedom_of(c, &side);
    for (int i = 0; i < 6; i++) {
        row_link link = {.role = LINK_LEADS, .rotation = {-1, -1}};
        link.by_points = i < 3;
        link.vector = i >= 3;
        link.component = i - 3;
        link.rotation[1] = i < 3 ? -1 : side.rotation;
        link.point[0] = (row_point){.body = -1};
        memcpy(link.point[0].world, &b->X[3 * b->centre], sizeof link.point[0].world);
        link.point[1] = side.point;
        memcpy(link.direction[0], build.axis[i % 3], sizeof link.direction[0]);
        LITHE_TRY(add_row(&build, &link));
    }
    return LITHE_OK;
}

static lithe_status lead_bodies(compiler *c)
{
    lithe_model *m = c->model;
    m->moved = arena_new(&m->memory, (size_t)m->nbody + 1, model_path);
    if (!m->moved)
        return compile_no_memory(c);
    for (int k = 0; k < m->nbody; k++)
        if (c->body[k].def->nwaypoint > 0)
            LITHE_TRY(lead_body(c, k, &m->moved[m->nmoved++]));
    return LITHE_OK;
}

// What has limits comes first, as actuators do; the rest is taken out of the problem together. A
// joint's group are the rows that it keeps at 0.
lithe_status compile_joints(compiler *c)
{
    lithe_model *m = c->model;
    m->njoint = c->def->njoint;
    m->joint = arena_new(&m->memory, (size_t)m->njoint + 1, model_group);
    m->free = arena_new(&m->memory, JOINT_AXES * (size_t)m->njoint + 1, row_link *);
    if (!m->joint || !m->free)
        return compile_no_memory(c);
    LITHE_TRY(for_all(c, add_all_limited));
    m->njoined = m->nrow;
    LITHE_TRY(for_all(c, add_all_springs));
    LITHE_TRY(lead_bodies(c));
    return for_all(c, add_holds);
}
