// Rows: actuators and effectors.
#include "base/spelling.h"
#include "base/vec.h"
#include "row/cloud.h"
#include "row/point.h"
#include "scene/compile.h"
#include "step/target.h"

#include <stdio.h>
#include <string.h>

static void world_point(row_point *p, const double at[3])
{
    p->body = -1;
    memcpy(p->world, at, sizeof p->world);
}

static lithe_status compile_line(compiler *c, const lithe_actuator_def *d, row *r)
{
    int n = 0;
    char what[LITHE_TEXT_MAX];
    snprintf(what, sizeof what, "actuator '%.200s'", d->name);
    r->line.point = arena_new(&c->model->memory, d->npoint + 2, row_point);
    if (!r->line.point)
        return compile_no_memory(c);
    if (d->kind == LITHE_CABLE && d->has_pulled_from)
        world_point(&r->line.point[n++], d->pulled_from);
    for (int i = 0; i < d->npoint; i++) {
        int body_id;
        LITHE_TRY(compile_find_body(c, d->location, d->point[i].body, &body_id));
        LITHE_TRY(
            compile_embed(c, body_id, d->location, what, d->point[i].at, &r->line.point[n++]));
    }
    if (d->kind == LITHE_CABLE && d->has_tied_to)
        world_point(&r->line.point[n++], d->tied_to);
    r->line.npoint = n;
    return LITHE_OK;
}

// Two neighbouring points in the same position give a segment no direction.
static lithe_status check_segments(const compiler *c, const char *location, const char *name,
                                   const row *r)
{
    for (int i = 0; i + 1 < r->line.npoint; i++) {
        double a[3], b[3], gap = 0;
        point_position(&r->line.point[i], c->model->X, a);
        point_position(&r->line.point[i + 1], c->model->X, b);
        for (int k = 0; k < 3; k++)
            gap = fmax(gap, fabs(a[k] - b[k]));
        if (!(gap > 1e-9))
            return compile_fail(c, location, "'%s': its points %d and %d are in the same place",
                                name, i + 1, i + 2);
    }
    return LITHE_OK;
}

// The liquid's weight is a load of the body.
static lithe_status fill_liquid(compiler *c, const lithe_actuator_def *d, const row_shell *shell)
{
    body *b = &c->model->body[shell->body];
    body_liquid *liquid = &b->liquid[b->nliquid++];
    if (face_shifted(&shell->face, -b->node_adr, &c->model->memory, &liquid->face) != LITHE_OK)
        return compile_no_memory(c);
    liquid->density = d->density;
    for (int i = 0; i < 3; i++) {
        liquid->weight[i] = d->density * c->def->gravity[i];
        liquid->reference[i] = d->reference[i];
    }
    return LITHE_OK;
}

// Rows are made one after the other.
static row *next_row(compiler *c, model_group *group)
{
    row *r = &c->model->row[c->model->nrow++];
    r->name = group->name;
    group->n++;
    return r;
}

static lithe_status finish_row(compiler *c, row *r, bool relative)
{
    int id = (int)(r - c->model->row);
    if (row_begin(r, relative, c->model->X, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    c->model->row_adr[id + 1] = c->model->row_adr[id] + r->nnode;
    return LITHE_OK;
}

// One row for each direction, all measuring the same cloud.
static lithe_status add_means(compiler *c, model_group *group, const row_cloud *cloud, int n,
                              double direction[3][3], bool relative)
{
    for (int i = 0; i < n; i++) {
        row *r = next_row(c, group);
        r->kind = ROW_MEAN;
        r->cloud = *cloud;
        memcpy(r->cloud.direction, direction[i], sizeof r->cloud.direction);
        LITHE_TRY(finish_row(c, r, relative));
    }
    return LITHE_OK;
}

static lithe_status add_force(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    double direction[3][3];
    int n, body_id;
    row_cloud cloud = {0};
    row_point point;
    LITHE_TRY(compile_directions(c, d->location, d->name, d->has_direction, d->direction, LITHE_XYZ,
                                 direction, &n));
    if (d->surface) {
        LITHE_TRY(compile_cloud_of_surface(c, d->location, d->body, d->surface, &cloud));
    } else {
        char what[LITHE_TEXT_MAX];
        snprintf(what, sizeof what, "actuator '%.200s'", d->name);
        LITHE_TRY(compile_find_body(c, d->location, d->point[0].body, &body_id));
        LITHE_TRY(compile_embed(c, body_id, d->location, what, d->point[0].at, &point));
        LITHE_TRY(compile_cloud_of_point(c, &point, &cloud));
    }
    return add_means(c, group, &cloud, n, direction, true);
}

static lithe_status copy_members(compiler *c, int n, const int *member, row_region *region)
{
    region->n = n;
    region->member = arena_new(&c->model->memory, n, int);
    if (!region->member)
        return compile_no_memory(c);
    memcpy(region->member, member, (size_t)n * sizeof *member);
    return LITHE_OK;
}

static lithe_status add_slider(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = next_row(c, group);
    int n, *node;
    r->kind = ROW_SLIDER;
    r->compliance = 1;
    LITHE_TRY(compile_direction(c, d->location, d->name, d->direction, r->region.axis));
    LITHE_TRY(compile_find_body(c, d->location, d->body, &r->region.body));
    LITHE_TRY(compile_find_nodes(c, r->region.body, d->location, &d->where, &n, &node));
    for (int i = 0; i < n; i++)
        if (body_is_carried(&c->model->body[r->region.body], node[i]))
            return compile_fail(c, d->location,
                                "slider '%s' moves node %d, which a rigid part or a servo carries; "
                                "leave it out of one of the two",
                                d->name, node[i]);
    LITHE_TRY(copy_members(c, n, node, &r->region));
    c->model->body[r->region.body].moves = true;
    return finish_row(c, r, false);
}

// The rotation of what it rotates, along its axis. The axis is of length 1, so is its own inverse.
static lithe_status add_servo(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = next_row(c, group);
    int k = 0;
    const compile_body *part;
    r->kind = ROW_ANGLE;
    LITHE_TRY(compile_find_body(c, d->location, d->body, &r->cloud.body));
    part = &c->body[r->cloud.body];
    while (strcmp(part->frame[k].name, d->part ? d->part : d->name) != 0 || !part->frame[k].hinge)
        k++;
    memcpy(r->cloud.direction, part->frame[k].axis, sizeof r->cloud.direction);
    r->cloud.n = 1;
    r->cloud.node = arena_new(&c->model->memory, 1, int);
    r->cloud.weight = arena_new(&c->model->memory, 1, double);
    if (!r->cloud.node || !r->cloud.weight)
        return compile_no_memory(c);
    r->cloud.node[0] = c->model->body[r->cloud.body].node_adr + compile_frame_node(part, k);
    r->cloud.weight[0] = 1;
    return finish_row(c, r, false);
}

// Elements of one region share one modulus at factor 1: that of the region's first element.
static lithe_status add_modulus(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = next_row(c, group);
    int n, *element;
    r->kind = ROW_MODULUS;
    r->compliance = 1;
    LITHE_TRY(compile_find_body(c, d->location, d->body, &r->region.body));
    LITHE_TRY(compile_find_elements(c, r->region.body, d->location, &d->where, &n, &element));
    const law_material *const *stuff = c->body[r->region.body].stuff;
    for (int i = 0; i < n; i++)
        if (stuff[element[i]]->young != stuff[element[0]]->young)
            return compile_fail(
                c, d->location,
                "actuator '%s': its region has elements of different Young's moduli; give "
                "each its own",
                d->name);
    LITHE_TRY(copy_members(c, n, element, &r->region));
    LITHE_TRY(finish_row(c, r, false));
    r->rest = stuff[element[0]]->young;
    c->model->tuned[r->region.body] = true;
    return LITHE_OK;
}

static lithe_status add_line(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = next_row(c, group);
    r->kind = d->kind == LITHE_CABLE ? ROW_CABLE : ROW_PISTON;
    r->compliance = d->compliance;
    LITHE_TRY(compile_line(c, d, r));
    LITHE_TRY(check_segments(c, d->location, d->name, r));
    return finish_row(c, r, true);
}

static lithe_status add_cavity(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = next_row(c, group);
    r->kind = ROW_CAVITY;
    LITHE_TRY(compile_shell(c, d->location, d->name, d->body, d->cavity, &r->shell));
    if (d->kind == LITHE_LIQUID)
        LITHE_TRY(fill_liquid(c, d, &r->shell));
    return finish_row(c, r, true);
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
    }
}

// Copies how the command goes on in time.
static lithe_status compile_play(compiler *c, const lithe_actuator_def *d, model_actuator *a)
{
    model_play *p = &a->play;
    int n = a->group.n;
    p->period = d->period;
    memcpy(p->amplitude, d->amplitude, sizeof p->amplitude);
    p->nwaypoint = d->nwaypoint;
    p->waypoint = arena_new(&c->model->memory, n * d->nwaypoint, double);
    p->time = arena_new(&c->model->memory, d->nwaypoint, double);
    if (!p->waypoint || !p->time)
        return compile_no_memory(c);
    for (int i = 0; i < d->nwaypoint; i++) {
        p->time[i] = d->waypoint_time[i];
        if (!(p->time[i] >= (i > 0 ? p->time[i - 1] : 0)) || !isfinite(p->time[i]))
            return compile_fail(c, d->location,
                                "actuator '%s': the times of its waypoints must not fall, from 0 "
                                "on; one is %g s",
                                d->name, p->time[i]);
        memcpy(&p->waypoint[n * i], &d->waypoint[n * i], (size_t)n * sizeof *p->waypoint);
    }
    if (!(p->period >= 0) || !isfinite(p->period))
        return compile_fail(c, d->location, "actuator '%s': the period of its sine is %g s",
                            d->name, p->period);
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
    switch (d->kind) {
    case LITHE_CABLE:
    case LITHE_PISTON: LITHE_TRY(add_line(c, d, &a->group)); break;
    case LITHE_CAVITY:
    case LITHE_LIQUID: LITHE_TRY(add_cavity(c, d, &a->group)); break;
    case LITHE_FORCE: LITHE_TRY(add_force(c, d, &a->group)); break;
    case LITHE_SLIDER: LITHE_TRY(add_slider(c, d, &a->group)); break;
    case LITHE_MODULUS: LITHE_TRY(add_modulus(c, d, &a->group)); break;
    case LITHE_SERVO: LITHE_TRY(add_servo(c, d, &a->group)); break;
    }
    set_drive(d, &a->group, c->model->row);
    return compile_play(c, d, a);
}

static lithe_status embed_points(compiler *c, const char *location, const char *what, int n,
                                 const lithe_point_def *def, row_point **out)
{
    *out = arena_new(&c->model->memory, n, row_point);
    if (!*out) {
        compile_no_memory(c);
        return LITHE_NO_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        int body_id;
        LITHE_TRY(compile_find_body(c, location, def[i].body, &body_id));
        LITHE_TRY(compile_embed(c, body_id, location, what, def[i].at, &(*out)[i]));
    }
    return LITHE_OK;
}

static lithe_status add_points(compiler *c, const lithe_effector_def *d, const char *what,
                               model_group *group)
{
    double direction[3][3];
    int n;
    row_point *point;
    LITHE_TRY(compile_directions(c, d->location, d->name, d->has_direction, d->direction, d->axes,
                                 direction, &n));
    LITHE_TRY(embed_points(c, d->location, what, d->npoint, d->point, &point));
    for (int i = 0; i < d->npoint; i++) {
        row_cloud cloud = {0};
        LITHE_TRY(compile_cloud_of_point(c, &point[i], &cloud));
        LITHE_TRY(add_means(c, group, &cloud, n, direction, false));
        LITHE_TRY(compile_hang(c, &point[i], d->load, (body_span){-INFINITY, INFINITY, -1}));
    }
    return LITHE_OK;
}

static lithe_status add_length(compiler *c, const char *location, const char *name,
                               const char *what, int npoint, const lithe_point_def *point,
                               model_group *group)
{
    row *r = next_row(c, group);
    r->kind = ROW_PISTON;
    if (npoint < 2)
        return compile_fail(c, location, "'%s' measures a length and needs two points or more",
                            name);
    LITHE_TRY(embed_points(c, location, what, npoint, point, &r->line.point));
    r->line.npoint = npoint;
    LITHE_TRY(check_segments(c, location, name, r));
    return finish_row(c, r, false);
}

static lithe_status add_volume(compiler *c, const char *location, const char *name,
                               const char *body_name, const char *cavity, model_group *group)
{
    row *r = next_row(c, group);
    r->kind = ROW_CAVITY;
    LITHE_TRY(compile_shell(c, location, name, body_name, cavity, &r->shell));
    return finish_row(c, r, false);
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
        row *r = next_row(c, group);
        r->kind = ROW_ROTATION;
        r->cloud = cloud;
        r->cloud.component = axis;
        LITHE_TRY(finish_row(c, r, false));
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
    return add_means(c, group, &cloud, n, direction, false);
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
    case LITHE_POINTS: return add_points(c, d, what, &e->group);
    case LITHE_BARYCENTRE:
    case LITHE_MASS_CENTRE: return add_centre(c, d, &e->group);
    case LITHE_ROTATION: return add_rotation(c, d, &e->group);
    case LITHE_VOLUME: return add_volume(c, d->location, d->name, d->body, d->cavity, &e->group);
    case LITHE_LENGTH:
        return add_length(c, d->location, d->name, what, d->npoint, d->point, &e->group);
    }
    return LITHE_OK;
}

static lithe_status find_effort_actuator(const compiler *c, const lithe_sensor_def *d,
                                         int *actuator)
{
    nearest near = nearest_start(d->actuator ? d->actuator : "");
    for (int a = 0; a < c->def->nactuator; a++) {
        if (d->actuator && strcmp(c->def->actuator[a].name, d->actuator) == 0) {
            *actuator = a;
            return LITHE_OK;
        }
        nearest_offer(&near, c->def->actuator[a].name);
    }
    const char *meant = nearest_found(&near);
    return compile_fail(c, d->location, "sensor '%s': there is no actuator '%s'%s%s%s", d->name,
                        d->actuator ? d->actuator : "", meant ? "; did you mean '" : "",
                        meant ? meant : "", meant ? "'?" : "");
}

static lithe_status compile_sensor(compiler *c, const lithe_sensor_def *d, model_sensor *k)
{
    char what[LITHE_TEXT_MAX];
    if (!d->name || !d->name[0])
        return compile_fail(c, d->location, "a sensor has no name");
    snprintf(what, sizeof what, "sensor '%.200s'", d->name);
    k->type = d->kind;
    k->group.adr = c->model->nrow;
    k->group.name = arena_strdup(&c->model->memory, d->name);
    if (!k->group.name)
        return compile_no_memory(c);
    lithe_effector_def point = lithe_effector_def_default(LITHE_POINTS);
    point.name = d->name;
    point.location = d->location;
    point.npoint = d->npoint;
    point.point = d->point;
    switch (d->kind) {
    case LITHE_STRING:
        return add_length(c, d->location, d->name, what, d->npoint, d->point, &k->group);
    case LITHE_POSITION: return add_points(c, &point, what, &k->group);
    case LITHE_SENSOR_VOLUME:
        return add_volume(c, d->location, d->name, d->body, d->cavity, &k->group);
    case LITHE_SENSOR_EFFORT: return find_effort_actuator(c, d, &k->actuator);
    }
    return LITHE_OK;
}

// The most rows that definitions can make.
static size_t count_rows(const lithe_def *d)
{
    size_t n = 3 * (size_t)d->nactuator + 3 * (size_t)d->neffector + 3 * (size_t)d->nsensor;
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
    m->nact = m->nrow;
    for (int e = 0; e < m->neffector; e++)
        LITHE_TRY(compile_effector(c, &c->def->effector[e], &m->effector[e]));
    for (int k = 0; k < m->nsensor; k++)
        LITHE_TRY(compile_sensor(c, &c->def->sensor[k], &m->sensor[k]));
    return LITHE_OK;
}
