// The volume of a cavity.
#include "scene/sensor_kind.h"

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

static lithe_measure measure(const lithe_def *def, const lithe_sensor_def *d)
{
    (void)def;
    return measure_along(d->name, QUANTITY_VOLUME, 1, 0);
}

// clang-format off
static const keys_row keys[] = {
    {KEYS_SENSOR, "volume", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "volume of a cavity"},
};
// clang-format on

const sensor_kind sensor_volume = {
    .name = "volume",
    .choice = {"volume"},
    .key = keys,
    .nkey = sizeof keys / sizeof *keys,
    .read = read_volume,
    .measure = measure,
    .compile = add_volume,
};
