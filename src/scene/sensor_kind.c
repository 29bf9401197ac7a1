// Strings, positions, volumes and efforts; and the table of all.
#include "scene/sensor_kind.h"

#include "base/spelling.h"

#include <stdio.h>
#include <string.h>

static lithe_status read_string(const reader *r, const tree_node *node, const lithe_def *def,
                                lithe_sensor_def *sensor)
{
    (void)def;
    return read_line_points(r, node, &sensor->npoint, &sensor->point);
}

static lithe_status add_string(compiler *c, const lithe_sensor_def *d, model_sensor *k)
{
    char what[LITHE_TEXT_MAX];
    snprintf(what, sizeof what, "sensor '%.200s'", d->name);
    return compile_length(c, d->location, d->name, what, d->npoint, d->point, &k->group);
}

static lithe_status read_position(const reader *r, const tree_node *node, const lithe_def *def,
                                  lithe_sensor_def *sensor)
{
    (void)def;
    return read_one_point(r, node, &sensor->npoint, &sensor->point);
}

static lithe_status add_position(compiler *c, const lithe_sensor_def *d, model_sensor *k)
{
    char what[LITHE_TEXT_MAX];
    snprintf(what, sizeof what, "sensor '%.200s'", d->name);
    lithe_effector_def point = lithe_effector_def_default(LITHE_POINTS);
    point.name = d->name;
    point.location = d->location;
    point.npoint = d->npoint;
    point.point = d->point;
    return compile_positions(c, &point, what, &k->group);
}

static lithe_status read_volume(const reader *r, const tree_node *node, const lithe_def *def,
                                lithe_sensor_def *sensor)
{
    (void)def;
    return read_volume_of(r, node, &sensor->body, &sensor->cavity);
}

static lithe_status add_volume(compiler *c, const lithe_sensor_def *d, model_sensor *k)
{
    return compile_volume(c, d->location, d->name, d->body, d->cavity, &k->group);
}

static const lithe_actuator_def *find_actuator(const lithe_def *def, const char *name)
{
    for (int i = 0; i < def->nactuator; i++)
        if (strcmp(def->actuator[i].name, name) == 0)
            return &def->actuator[i];
    return NULL;
}

// The effort of an actuator, which must be a pressure or a force as the key says.
static lithe_status read_effort(const reader *r, const tree_node *node, const lithe_def *def,
                                lithe_sensor_def *sensor)
{
    bool pressure = strcmp(node->key, "pressure") == 0;
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

static lithe_status add_effort(compiler *c, const lithe_sensor_def *d, model_sensor *k)
{
    return find_effort_actuator(c, d, &k->actuator);
}

// clang-format off
static const keys_row string_keys[] = {
    {KEYS_SENSOR, "string", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "length of a string through guides"},
};
static const keys_row position_keys[] = {
    {KEYS_SENSOR, "position", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "position of a point"},
};
static const keys_row volume_keys[] = {
    {KEYS_SENSOR, "volume", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "volume of a cavity"},
};
static const keys_row effort_keys[] = {
    {KEYS_SENSOR, "pressure", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "pressure of an actuator"},
    {KEYS_SENSOR, "force",    KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "force of an actuator"},
};
// clang-format on

static const sensor_kind string = {"string", {"string"},  {0},       string_keys,
                                   1,        read_string, add_string};
static const sensor_kind position = {"position", {"position"},  {0},         position_keys,
                                     1,          read_position, add_position};
static const sensor_kind volume = {"volume", {"volume"},  {0},       volume_keys,
                                   1,        read_volume, add_volume};
static const sensor_kind effort = {"effort", {"pressure", "force"}, {0},       effort_keys,
                                   2,        read_effort,           add_effort};
extern const sensor_kind sensor_distance;

const sensor_kind *const sensor_kinds[SENSOR_KINDS] = {
    [LITHE_STRING] = &string,
    [LITHE_POSITION] = &position,
    [LITHE_SENSOR_VOLUME] = &volume,
    [LITHE_SENSOR_EFFORT] = &effort,
    [LITHE_DISTANCE] = &sensor_distance,
};

const char *lithe_sensor_kind_name(lithe_sensor_kind kind)
{
    return (int)kind >= 0 && (int)kind < SENSOR_KINDS ? sensor_kinds[kind]->name : NULL;
}
