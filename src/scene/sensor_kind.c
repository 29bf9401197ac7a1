#include "scene/sensor_kind.h"

extern const sensor_kind sensor_string, sensor_position, sensor_volume, sensor_effort,
    sensor_distance;

const sensor_kind *const sensor_kinds[SENSOR_KINDS] = {
    [LITHE_STRING] = &sensor_string,        [LITHE_POSITION] = &sensor_position,
    [LITHE_SENSOR_VOLUME] = &sensor_volume, [LITHE_SENSOR_EFFORT] = &sensor_effort,
    [LITHE_DISTANCE] = &sensor_distance,
};

lithe_measure sensor_measure(const lithe_def *def, const lithe_sensor_def *d)
{
    return sensor_kinds[d->kind]->measure(def, d);
}

const char *lithe_sensor_kind_name(lithe_sensor_kind kind)
{
    return (int)kind >= 0 && (int)kind < SENSOR_KINDS ? sensor_kinds[kind]->name : NULL;
}
