// Rows: actuators and effectors.
#include "base/spelling.h"
#include "base/vec.h"
#include "row/cloud.h"
#include "row/point.h"
#include "scene/actuator_kind.h"
#include "scene/sensor_kind.h"
#include "scene/tolerances.h"
#include "step/target.h"

#include <stdio.h>
#include <string.h>

// Two neighbouring points in the same position give a segment no direction.
lithe_status compile_check_segments(const compiler *c, const char *location, const char *name,
                                    const row *r)
{
    bool carried = false;
    for (int i = 0; i < r->line.npoint; i++)
        carried = carried || r->line.point[i].body >= 0;
    if (!carried)
        return compile_fail(c, location,
                            "'%s': all of its points are of the world; one or more "
                            "must be on a body",
                            name);
    for (int i = 0; i + 1 < r->line.npoint; i++) {
        double a[3], b[3], gap = 0;
        point_position(&r->line.point[i], c->model->X, a);
        point_position(&r->line.point[i + 1], c->model->X, b);
        for (int k = 0; k < 3; k++)
            gap = fmax(gap, fabs(a[k] - b[k]));
        if (!(gap > SCENE_SAME_POINT))
            return compile_fail(c, location, "'%s': its points %d and %d are in the same place",
                                name, i + 1, i + 2);
    }
    return LITHE_OK;
}

// Rows are made one after the other.
row *compile_next_row(compiler *c, model_group *group)
{
    row *r = &c->model->row[c->model->nrow++];
    r->name = group->name;
    group->n++;
    return r;
}

lithe_status compile_finish_row(compiler *c, row *r, bool relative)
{
    int id = (int)(r - c->model->row);
    if (row_begin(r, relative, c->model->X, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    c->model->row_adr[id + 1] = c->model->row_adr[id] + r->nnode;
    return LITHE_OK;
}

// One row for each direction, all measuring the same cloud.
lithe_status compile_means(compiler *c, model_group *group, const row_cloud *cloud, int n,
                           double direction[3][3], bool relative)
{
    for (int i = 0; i < n; i++) {
        row *r = compile_next_row(c, group);
        r->kind = ROW_MEAN;
        r->cloud = *cloud;
        memcpy(r->cloud.direction, direction[i], sizeof r->cloud.direction);
        LITHE_TRY(compile_finish_row(c, r, relative));
    }
    return LITHE_OK;
}

// Limits, rates and command, the same for each of its rows; in a parameter's own terms.
static void set_drive(const lithe_actuator_def *d, const model_group *group, row *rows)
{
    for (int i = 0; i < group->n; i++) {
        row *r = &rows[group->adr + i];
        r->limit = row_limit_of(r, d->effort_limit, d->displacement_limit, d->effort_rate,
                                d->displacement_rate);
        r->command = d->command;
        r->value = row_inward(r, d->value[i]);
        r->valve = (row_valve){{d->deflation_time, d->inflation_time},
                               {d->deflation_rate, d->inflation_rate}};
    }
}

lithe_status compile_play(compiler *c, const play_source *d, model_play *p)
{
    p->period = d->period;
    p->phase = d->phase;
    memcpy(p->amplitude, d->amplitude, sizeof p->amplitude);
    p->nwaypoint = d->nwaypoint;
    p->waypoint = arena_new(&c->model->memory, d->n * d->nwaypoint, double);
    p->time = arena_new(&c->model->memory, d->nwaypoint, double);
    if (!p->waypoint || !p->time)
        return compile_no_memory(c);
    for (int i = 0; i < d->nwaypoint; i++) {
        p->time[i] = d->time[i];
        if (!(p->time[i] >= (i > 0 ? p->time[i - 1] : 0)) || !isfinite(p->time[i]))
            return compile_fail(c, d->location,
                                "%s: the times of its waypoints must not fall, from 0 on; one is "
                                "%g s",
                                d->what, p->time[i]);
        memcpy(&p->waypoint[d->n * i], &d->waypoint[d->n * i], (size_t)d->n * sizeof *p->waypoint);
    }
    if (!(p->period >= 0) || !isfinite(p->period) || !isfinite(p->phase))
        return compile_fail(c, d->location, "%s: the period of its sine is %g s", d->what,
                            p->period);
    return LITHE_OK;
}

static lithe_status compile_actuator(compiler *c, const lithe_actuator_def *d, model_actuator *a)
{
    a->type = d->kind;
    a->given = d->given;
    a->group.adr = c->model->nrow;
    a->group.name = arena_strdup(&c->model->memory, d->name);
    if (!a->group.name)
        return compile_no_memory(c);
    LITHE_TRY(actuator_kinds[d->kind]->compile(c, d, &a->group));
    set_drive(d, &a->group, c->model->row);
    char what[LITHE_TEXT_MAX];
    snprintf(what, sizeof what, "actuator '%.200s'", d->name);
    return compile_play(c,
                        &(play_source){what, d->location, a->group.n, d->nwaypoint, d->waypoint,
                                       d->waypoint_time, d->amplitude, d->period, d->phase},
                        &a->play);
}

void compile_world_point(const double at[3], row_point *out)
{
    *out = (row_point){.body = -1};
    memcpy(out->world, at, sizeof out->world);
}

lithe_status compile_line_point(compiler *c, const char *location, const char *what,
                                const lithe_point_def *def, row_point *out)
{
    int body_id;
    for (int i = 0; i < 3; i++)
        if (!isfinite(def->at[i]))
            return compile_fail(c, location, "%s: a point is not a number", what);
    if (!def->body) {
        compile_world_point(def->at, out);
        return LITHE_OK;
    }
    LITHE_TRY(compile_find_body(c, location, def->body, &body_id));
    return compile_embed(c, body_id, location, what, def->at, out);
}

lithe_status compile_points(compiler *c, const char *location, const char *what, int n,
                            const lithe_point_def *def, row_point **out)
{
    *out = arena_new(&c->model->memory, n, row_point);
    if (!*out) {
        compile_no_memory(c);
        return LITHE_NO_MEMORY;
    }
    for (int i = 0; i < n; i++)
        LITHE_TRY(compile_line_point(c, location, what, &def[i], &(*out)[i]));
    return LITHE_OK;
}

lithe_status compile_positions(compiler *c, const lithe_effector_def *d, const char *what,
                               model_group *group)
{
    double direction[3][3];
    int n;
    row_point *point;
    LITHE_TRY(compile_directions(c, d->location, d->name, d->has_direction, d->direction, d->axes,
                                 direction, &n));
    LITHE_TRY(compile_points(c, d->location, what, d->npoint, d->point, &point));
    for (int i = 0; i < d->npoint; i++) {
        row_cloud cloud = {0};
        if (point[i].body < 0)
            return compile_fail(c, d->location,
                                "%s: a point of the world stays where it is; give one of a body",
                                what);
        LITHE_TRY(compile_cloud_of_point(c, &point[i], &cloud));
        LITHE_TRY(compile_means(c, group, &cloud, n, direction, false));
        LITHE_TRY(compile_hang(c, &point[i], d->load, (body_span){-INFINITY, INFINITY, -1}));
    }
    return LITHE_OK;
}

lithe_status compile_length(compiler *c, const char *location, const char *name, const char *what,
                            int npoint, const lithe_point_def *point, model_group *group)
{
    row *r = compile_next_row(c, group);
    r->kind = ROW_PISTON;
    if (npoint < 2)
        return compile_fail(c, location, "'%s' measures a length and needs two points or more",
                            name);
    LITHE_TRY(compile_points(c, location, what, npoint, point, &r->line.point));
    r->line.npoint = npoint;
    LITHE_TRY(compile_check_segments(c, location, name, r));
    return compile_finish_row(c, r, false);
}

lithe_status compile_volume(compiler *c, const char *location, const char *name,
                            const char *body_name, const char *cavity, model_group *group)
{
    row *r = compile_next_row(c, group);
    r->kind = ROW_CAVITY;
    LITHE_TRY(compile_shell(c, location, name, body_name, cavity, &r->shell));
    return compile_finish_row(c, r, false);
}

// The rotation of a single node is its own, if it has one.
static lithe_status take_rotation(compiler *c, const lithe_effector_def *d, row_cloud *cloud)
{
    int body_id;
    LITHE_TRY(compile_find_body(c, d->location, d->body, &body_id));
    const body *b = &c->model->body[body_id];
    int rotation = cloud->n == 1 && b->rotation ? b->rotation[cloud->node[0] - b->node_adr] : -1;
    if (rotation < 0)
        return LITHE_OK;
    *cloud = (row_cloud){.body = body_id, .nrotation = 1, .rotation = {b->node_adr + rotation}};
    return LITHE_OK;
}

static lithe_status add_rotation(compiler *c, const lithe_effector_def *d, model_group *group)
{
    row_cloud cloud = {0};
    LITHE_TRY(compile_cloud_of_nodes(c, d->location, d->body, &d->where, false, &cloud));
    LITHE_TRY(take_rotation(c, d, &cloud));
    for (int axis = 0; axis < 3; axis++) {
        if (!(d->axes & (1 << axis)))
            continue;
        row *r = compile_next_row(c, group);
        r->kind = ROW_ROTATION;
        r->cloud = cloud;
        r->cloud.component = axis;
        LITHE_TRY(compile_finish_row(c, r, false));
        if (cloud.n > 0 && !cloud_can_rotate(&r->cloud))
            return compile_fail(
                c, d->location,
                "effector '%s': its %d nodes lie on a line, so their rotation is not defined",
                d->name, cloud.n);
    }
    return group->n > 0 ? LITHE_OK
                        : compile_fail(c, d->location, "effector '%s' measures no axis", d->name);
}

static lithe_status add_centre(compiler *c, const lithe_effector_def *d, model_group *group)
{
    double direction[3][3];
    int n;
    row_cloud cloud = {0};
    LITHE_TRY(compile_directions(c, d->location, d->name, d->has_direction, d->direction, d->axes,
                                 direction, &n));
    LITHE_TRY(compile_cloud_of_nodes(c, d->location, d->body, &d->where,
                                     d->kind == LITHE_MASS_CENTRE, &cloud));
    return compile_means(c, group, &cloud, n, direction, false);
}

static lithe_status compile_effector(compiler *c, const lithe_effector_def *d, model_effector *e)
{
    char what[LITHE_TEXT_MAX];
    if (!d->name || !d->name[0])
        return compile_fail(c, d->location, "an effector has no name");
    if (d->priority < 1 || d->priority > STEP_LEVELS || !(d->weight > 0) || !isfinite(d->weight))
        return compile_fail(c, d->location,
                            "effector '%s': priority must be 1 to %d and weight above 0", d->name,
                            STEP_LEVELS);
    snprintf(what, sizeof what, "effector '%.200s'", d->name);
    e->type = d->kind;
    e->weight = d->weight;
    e->priority = d->priority;
    e->group.adr = c->model->nrow;
    e->group.name = arena_strdup(&c->model->memory, d->name);
    if (!e->group.name)
        return compile_no_memory(c);
    switch (d->kind) {
    case LITHE_POINTS: return compile_positions(c, d, what, &e->group);
    case LITHE_BARYCENTRE:
    case LITHE_MASS_CENTRE: return add_centre(c, d, &e->group);
    case LITHE_ROTATION: return add_rotation(c, d, &e->group);
    case LITHE_VOLUME:
        return compile_volume(c, d->location, d->name, d->body, d->cavity, &e->group);
    case LITHE_LENGTH:
        return compile_length(c, d->location, d->name, what, d->npoint, d->point, &e->group);
    }
    return LITHE_OK;
}

static lithe_status compile_sensor(compiler *c, const lithe_sensor_def *d, model_sensor *k)
{
    if (!d->name || !d->name[0])
        return compile_fail(c, d->location, "a sensor has no name");
    k->type = d->kind;
    k->group.adr = c->model->nrow;
    k->group.name = arena_strdup(&c->model->memory, d->name);
    if (!k->group.name)
        return compile_no_memory(c);
    k->measure = sensor_measure(c->def, d);
    return sensor_kinds[d->kind]->compile(c, d, k);
}

// The most rows that definitions can make.
static size_t count_rows(const lithe_def *d)
{
    size_t n = 6 * (size_t)d->nbody + 19 * (size_t)d->njoint + 3 * (size_t)d->nactuator +
               3 * (size_t)d->neffector + 3 * (size_t)d->nsensor;
    for (int e = 0; e < d->neffector; e++)
        n += 3 * (size_t)d->effector[e].npoint;
    for (int k = 0; k < d->nsensor; k++)
        n += 3 * (size_t)d->sensor[k].npoint;
    return n;
}

static lithe_status create_rows(compiler *c)
{
    lithe_model *m = c->model;
    size_t most = count_rows(c->def);
    m->nactuator = c->def->nactuator;
    m->neffector = c->def->neffector;
    m->nsensor = c->def->nsensor;
    m->row = arena_new(&m->memory, most, row);
    m->row_adr = arena_new(&m->memory, most + 1, int);
    m->actuator = arena_new(&m->memory, m->nactuator, model_actuator);
    m->effector = arena_new(&m->memory, m->neffector, model_effector);
    m->sensor = arena_new(&m->memory, m->nsensor, model_sensor);
    m->tuned = arena_new(&m->memory, m->nbody, bool);
    bool ok = m->row && m->row_adr && m->actuator && m->effector && m->sensor && m->tuned;
    for (int k = 0; ok && k < m->nbody; k++) {
        m->body[k].liquid = arena_new(&m->memory, m->nactuator, body_liquid);
        ok = m->body[k].liquid != NULL;
    }
    return ok ? LITHE_OK : compile_no_memory(c);
}

lithe_status compile_rows(compiler *c)
{
    lithe_model *m = c->model;
    LITHE_TRY(create_rows(c));
    for (int a = 0; a < m->nactuator; a++)
        LITHE_TRY(compile_actuator(c, &c->def->actuator[a], &m->actuator[a]));
    m->nown = m->nrow;
    LITHE_TRY(compile_joints(c));
    m->nact = m->nrow;
    for (int e = 0; e < m->neffector; e++)
        LITHE_TRY(compile_effector(c, &c->def->effector[e], &m->effector[e]));
    for (int k = 0; k < m->nsensor; k++)
        LITHE_TRY(compile_sensor(c, &c->def->sensor[k], &m->sensor[k]));
    return LITHE_OK;
}

lithe_status compile_members(compiler *c, int n, const int *member, row_region *region)
{
    region->n = n;
    region->member = arena_new(&c->model->memory, n, int);
    if (!region->member)
        return compile_no_memory(c);
    memcpy(region->member, member, (size_t)n * sizeof *member);
    return LITHE_OK;
}
