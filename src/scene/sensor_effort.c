// The effort of an actuator: a pressure, or a force.
#include "scene/actuator_kind.h"
#include "scene/actuator_quantity.h"
#include "scene/sensor_kind.h"

#include "base/spelling.h"

#include <string.h>

static const lithe_actuator_def *find_actuator(const lithe_def *def, const char *name)
{
    for (int i = 0; name && i < def->nactuator; i++)
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
    bool fluid = a && actuator_kinds[a->kind]->has_valve;
    if (a && fluid == pressure && !actuator_kinds[a->kind]->parameter)
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

// In the unit of the effort; of a force without direction, along three axes.
static lithe_measure measure(const lithe_def *def, const lithe_sensor_def *d)
{
    const lithe_actuator_def *a = find_actuator(def, d->actuator);
    bool along_axes = a && command_count(a) == 3;
    quantity_dimension dimension =
        a ? lithe_actuator_quantity(a->kind, LITHE_EFFORT)->dimension : QUANTITY_FORCE;
    return measure_along(d->name, dimension, 1, along_axes ? LITHE_XYZ : 0);
}

// clang-format off
static const keys_row keys[] = {
    {KEYS_SENSOR, "pressure", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "pressure of an actuator"},
    {KEYS_SENSOR, "force",    KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "force of an actuator"},
};
// clang-format on

const sensor_kind sensor_effort = {
    .name = "effort",
    .choice = {"pressure", "force"},
    .reads_actuator = true,
    .key = keys,
    .nkey = sizeof keys / sizeof *keys,
    .read = read_effort,
    .measure = measure,
    .compile = add_effort,
};
