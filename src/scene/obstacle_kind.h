// Kinds of obstacles: the key that chooses one in a scene, its keys, how it is read, and the shape
// that it becomes. The view draws what pictures draw. What a shape is to detection
// (contact/shape.h), to the check (check_shape.c, which shares no formula with it) and to pictures
// are switches over shape_kind, which do not compile without it.
#ifndef SCENE_OBSTACLE_KIND_H
#define SCENE_OBSTACLE_KIND_H

#include "contact/shape.h"
#include "scene/reader.h"

typedef struct obstacle_kind {
    const char *name;
    shape_kind shape;
    bool round;           // it has a radius
    bool lengthy;         // along an axis, from `at` to `to`
    keys_heading heading; // of keys of its own; without path: those of KEYS_OBSTACLE_ROUND
    const keys_row *key;  // with the one that chooses it
    int nkey;
    lithe_status (*read)(const reader *r, const tree_node *node, lithe_obstacle_def *o);
} obstacle_kind;

extern const obstacle_kind obstacle_kinds[OBSTACLE_KINDS]; // by lithe_obstacle_kind

#endif
