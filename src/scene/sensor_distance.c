// The distance between two points of bodies, as a laser or a measuring wheel between them tells it.
// Its row is the length of the line from one to the other, from 0.
#include "scene/sensor_kind.h"

#include <stdio.h>

static lithe_status read_distance(const reader *r, const tree_node *node, const lithe_def *def,
                                  lithe_sensor_def *sensor)
{
    (void)def;
    LITHE_TRY(read_map(r, node, KEYS_SENSOR_OF(LITHE_DISTANCE)));
    point_list ends = {0};
    LITHE_TRY(read_ends(r, node, &ends));
    sensor->npoint = ends.n;
    sensor->point = ends.point;
    return LITHE_OK;
}

static lithe_status add_distance(compiler *c, const lithe_sensor_def *d, model_sensor *k)
{
    char what[LITHE_TEXT_MAX];
    snprintf(what, sizeof what, "sensor '%.200s'", d->name);
    if (d->npoint != 2)
        return compile_fail(c, d->location,
                            "sensor '%s' is a distance and needs two points, not %d", d->name,
                            d->npoint);
    return compile_length(c, d->location, d->name, what, d->npoint, d->point, &k->group);
}

static lithe_measure measure(const lithe_def *def, const lithe_sensor_def *d)
{
    (void)def;
    return measure_along(d->name, QUANTITY_LENGTH, 1, 0);
}

// clang-format off
static const keys_row keys[] = {
    {KEYS_SENSOR, "distance", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "distance between two points"},
    {KEYS_SENSOR_OF(LITHE_DISTANCE), "body", KEYS_OPTIONAL, KEYS_NAME,    QUANTITY_NUMBER, "carries the points that do not name their own"},
    {KEYS_SENSOR_OF(LITHE_DISTANCE), "from", KEYS_REQUIRED, KEYS_CARRIED, QUANTITY_LENGTH, "one point"},
    {KEYS_SENSOR_OF(LITHE_DISTANCE), "to",   KEYS_REQUIRED, KEYS_CARRIED, QUANTITY_LENGTH, "the other"},
};
// clang-format on

const sensor_kind sensor_distance = {
    .name = "distance",
    .choice = {"distance"},
    .heading = {"sensors.NAME.distance", "a distance", KEYS_SELECTS_NONE},
    .key = keys,
    .nkey = sizeof keys / sizeof *keys,
    .read = read_distance,
    .measure = measure,
    .compile = add_distance,
};
