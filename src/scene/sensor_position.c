// Where a point is, as cameras tell it.
#include "scene/sensor_kind.h"

#include <stdio.h>

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

static lithe_measure measure(const lithe_def *def, const lithe_sensor_def *d)
{
    (void)def;
    return measure_along(d->name, QUANTITY_LENGTH, d->npoint, LITHE_XYZ);
}

// clang-format off
static const keys_row keys[] = {
    {KEYS_SENSOR, "position", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "position of a point"},
};
// clang-format on

const sensor_kind sensor_position = {
    .name = "position",
    .choice = {"position"},
    .key = keys,
    .nkey = sizeof keys / sizeof *keys,
    .read = read_position,
    .measure = measure,
    .compile = add_position,
};
