// The length of a string through guides.
#include "scene/sensor_kind.h"

#include <stdio.h>

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

static lithe_measure measure(const lithe_def *def, const lithe_sensor_def *d)
{
    (void)def;
    return measure_along(d->name, QUANTITY_LENGTH, 1, 0);
}

// clang-format off
static const keys_row keys[] = {
    {KEYS_SENSOR, "string", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "length of a string through guides"},
};
// clang-format on

const sensor_kind sensor_string = {
    .name = "string",
    .choice = {"string"},
    .key = keys,
    .nkey = sizeof keys / sizeof *keys,
    .read = read_string,
    .measure = measure,
    .compile = add_string,
};
