// Kinds of obstacles: the key that chooses one in a scene, how it is read, and the shape that it
// becomes. What a shape is to detection (contact/shape.h), to the check (check_shape.c, which
// shares no formula with it) and to pictures are switches over shape_kind, which do not compile
// without it.
#ifndef SCENE_OBSTACLE_KIND_H
#define SCENE_OBSTACLE_KIND_H

#include "contact/shape.h"
#include "scene/reader.h"

enum { OBSTACLE_KINDS = LITHE_OBSTACLE_CONE + 1 };

typedef struct obstacle_kind {
    const char *name;
    shape_kind shape;
    bool round;   // it has a radius
    bool lengthy; // along an axis, from `at` to `to`
    lithe_status (*read)(const reader *r, const tree_node *node, lithe_obstacle_def *o);
} obstacle_kind;

extern const obstacle_kind obstacle_kinds[OBSTACLE_KINDS]; // by lithe_obstacle_kind

#endif
