// Kinds of sensors. What the scene reads, what it measures and in which unit, and the rows it
// becomes: all of a kind is one sensor_kind, with its entry in the table of sensor_kind.c.
#ifndef SCENE_SENSOR_KIND_H
#define SCENE_SENSOR_KIND_H

#include "control/measure.h"
#include "scene/compile.h"
#include "scene/reader.h"

enum { SENSOR_CHOICES = 2 };

typedef struct sensor_kind {
    const char *name;
    const char *choice[SENSOR_CHOICES]; // keys in a scene that choose it
    bool reads_actuator;                // it has no rows of its own
    keys_heading heading;               // of keys of its own; without path: it has none
    const keys_row *key;                // with those of a sensor that choose it
    int nkey;
    // node: what stands under the key that chose it
    lithe_status (*read)(const reader *r, const tree_node *node, const lithe_def *def,
                         lithe_sensor_def *sensor);
    lithe_measure (*measure)(const lithe_def *def, const lithe_sensor_def *d);
    lithe_status (*compile)(compiler *c, const lithe_sensor_def *d, model_sensor *k);
} sensor_kind;

extern const sensor_kind *const sensor_kinds[SENSOR_KINDS]; // by lithe_sensor_kind

// def: where an effort sensor finds its actuator.
lithe_measure sensor_measure(const lithe_def *def, const lithe_sensor_def *d);

#endif
