// What is measured: effectors and sensors.
#include "scene/reader.h"

#include "base/status.h"
#include "step/target.h"

#include <string.h>

static lithe_status read_point(const reader *r, const tree_node *node, int *n,
                               const lithe_point_def **point)
{
    LITHE_TRY(read_map(r, node, KEYS_POINT));
    lithe_point_def *at = read_alloc(r, 1, sizeof *at);
    if (!at)
        return LITHE_NO_MEMORY;
    *n = 1;
    *point = at;
    LITHE_TRY(read_body_name(r, node, &at->body));
    return read_triple(r, node, KEYS_POINT, "at", at->at);
}

static lithe_status read_points(const reader *r, const tree_node *node, lithe_effector_def *e)
{
    const char *body = NULL;
    LITHE_TRY(read_map(r, node, KEYS_POINTS));
    LITHE_TRY(read_body_name(r, node, &body));
    return read_carrieds(r, node, "at", body, &e->npoint, &e->point);
}

// The length of a line through two points or more.
static lithe_status read_line(const reader *r, const tree_node *node, int *n,
                              const lithe_point_def **point)
{
    const char *body = NULL;
    LITHE_TRY(read_map(r, node, KEYS_LINE));
    LITHE_TRY(read_body_name(r, node, &body));
    LITHE_TRY(read_carrieds(r, node, "through", body, n, point));
    if (*n >= 2)
        return LITHE_OK;
    return tree_fail(r->report, tree_location(node), "a line needs two points or more");
}

static lithe_status read_volume(const reader *r, const tree_node *node, const char **body,
                                const char **cavity)
{
    LITHE_TRY(read_map(r, node, KEYS_VOLUME));
    return read_cavity_name(r, node, body, cavity);
}

static lithe_status read_patch(const reader *r, const tree_node *node, keys_block block,
                               lithe_effector_def *e)
{
    LITHE_TRY(read_map(r, node, block));
    LITHE_TRY(read_body_name(r, node, &e->body));
    return keys_selection(block) == KEYS_SELECTS_NONE ? LITHE_OK
                                                      : read_selection(r, node, &e->where);
}

// Fills what its one kind of measure needs.
static lithe_status read_kind(const reader *r, const tree_node *node, lithe_effector_def *e)
{
    const tree_node *kind;
    e->kind = LITHE_POINTS;
    if ((kind = tree_find(node, "point")))
        return read_point(r, kind, &e->npoint, &e->point);
    if ((kind = tree_find(node, "points")))
        return read_points(r, kind, e);
    e->kind = LITHE_BARYCENTRE;
    if ((kind = tree_find(node, "barycentre")))
        return read_patch(r, kind, KEYS_BARYCENTRE, e);
    e->kind = LITHE_MASS_CENTRE;
    if ((kind = tree_find(node, "mass_centre")))
        return read_patch(r, kind, KEYS_MASS_CENTRE, e);
    e->kind = LITHE_ROTATION;
    if ((kind = tree_find(node, "orientation")))
        return read_patch(r, kind, KEYS_ORIENTATION, e);
    e->kind = LITHE_VOLUME;
    if ((kind = tree_find(node, "volume")))
        return read_volume(r, kind, &e->body, &e->cavity);
    e->kind = LITHE_LENGTH;
    return read_line(r, tree_find(node, "length"), &e->npoint, &e->point);
}

// A key that means nothing for this kind of effector.
static lithe_status refuse_key(const reader *r, const tree_node *node, const char *key, bool wrong,
                               const char *why)
{
    const tree_node *found = tree_find(node, key);
    if (!found || !wrong)
        return LITHE_OK;
    return tree_fail(r->report, found->key_at, "%s; remove %s", why, key);
}

static lithe_status check_keys(const reader *r, const tree_node *node, const lithe_effector_def *e)
{
    bool number = e->kind == LITHE_VOLUME || e->kind == LITHE_LENGTH;
    LITHE_TRY(refuse_key(r, node, "axes", number, "a volume or a length is one number"));
    LITHE_TRY(refuse_key(r, node, "direction", number || e->kind == LITHE_ROTATION,
                         "only positions are measured along a direction"));
    LITHE_TRY(refuse_key(r, node, "direction", tree_find(node, "axes") != NULL,
                         "axes say already what counts"));
    return refuse_key(r, node, "load", e->kind != LITHE_POINTS, "a load hangs on points only");
}

static lithe_status read_rank(const reader *r, const tree_node *node, lithe_effector_def *e)
{
    LITHE_TRY(read_positive(r, node, KEYS_EFFECTOR, "weight", &e->weight));
    LITHE_TRY(read_count(r, node, "priority", &e->priority));
    if (e->priority <= STEP_LEVELS)
        return LITHE_OK;
    return tree_fail(r->report, tree_find(node, "priority")->at, "priorities are 1 to %d",
                     STEP_LEVELS);
}

lithe_status read_effector(const reader *r, const tree_node *node, lithe_effector_def *e)
{
    *e = lithe_effector_def_default(LITHE_POINTS);
    e->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_EFFECTOR));
    LITHE_TRY(read_location(r, node, &e->location));
    LITHE_TRY(read_kind(r, node, e));
    LITHE_TRY(check_keys(r, node, e));
    LITHE_TRY(read_axes(r, node, &e->axes));
    LITHE_TRY(read_direction(r, node, KEYS_EFFECTOR, &e->has_direction, e->direction));
    LITHE_TRY(read_rank(r, node, e));
    return read_triple(r, node, KEYS_EFFECTOR, "load", e->load);
}

static const lithe_actuator_def *find_actuator(const lithe_def *def, const char *name)
{
    for (int i = 0; i < def->nactuator; i++)
        if (strcmp(def->actuator[i].name, name) == 0)
            return &def->actuator[i];
    return NULL;
}

// The effort of an actuator, which must be a pressure or a force as the key says.
static lithe_status read_effort_sensor(const reader *r, const tree_node *node, bool pressure,
                                       const lithe_def *def, lithe_sensor_def *sensor)
{
    LITHE_TRY(read_map(r, node, KEYS_SENSOR_EFFORT));
    LITHE_TRY(read_reference(r, node, "actuator", tree_find(r->root, "actuators"), "actuator",
                             &sensor->actuator));
    const lithe_actuator_def *a = find_actuator(def, sensor->actuator);
    bool fluid = a && (a->kind == LITHE_CAVITY || a->kind == LITHE_LIQUID);
    if (a && fluid == pressure && a->kind != LITHE_MODULUS)
        return LITHE_OK;
    return tree_fail(r->report, tree_find(node, "actuator")->at, "'%s' has no %s; %s",
                     sensor->actuator, pressure ? "pressure" : "force",
                     fluid ? "measure its pressure instead"
                           : "a pressure is that of a cavity or a liquid, a force that of the "
                             "others");
}

lithe_status read_sensor(const reader *r, const tree_node *node, const lithe_def *def,
                         lithe_sensor_def *sensor)
{
    const tree_node *kind;
    *sensor = lithe_sensor_def_default(LITHE_STRING);
    sensor->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_SENSOR));
    LITHE_TRY(read_location(r, node, &sensor->location));
    if ((kind = tree_find(node, "string")))
        return read_line(r, kind, &sensor->npoint, &sensor->point);
    sensor->kind = LITHE_POSITION;
    if ((kind = tree_find(node, "position")))
        return read_point(r, kind, &sensor->npoint, &sensor->point);
    sensor->kind = LITHE_SENSOR_VOLUME;
    if ((kind = tree_find(node, "volume")))
        return read_volume(r, kind, &sensor->body, &sensor->cavity);
    sensor->kind = LITHE_SENSOR_EFFORT;
    if ((kind = tree_find(node, "pressure")))
        return read_effort_sensor(r, kind, true, def, sensor);
    return read_effort_sensor(r, tree_find(node, "force"), false, def, sensor);
}
