// Kinds of obstacles: the key that chooses one in a scene, its keys, how it is read, and the shape
// that it becomes. What a shape is to detection is an entry of shape_kinds
// (contact/shape_traits.h), to the check one of check_kinds (contact/check_shape.h, which shares no
// formula with it), to pictures one in io/obstacle_draw.c. The view draws what pictures draw.
#ifndef SCENE_OBSTACLE_KIND_H
#define SCENE_OBSTACLE_KIND_H

#include "contact/shape.h"
#include "scene/compile.h"
#include "scene/reader.h"

typedef struct obstacle_kind {
    const char *name;
    shape_kind shape;
    bool round;           // it has a radius
    keys_heading heading; // of keys of its own; without path: those of KEYS_OBSTACLE_ROUND
    const keys_row *key;  // with the one that chooses it
    int nkey;
    lithe_status (*read)(const reader *r, const tree_node *node, lithe_obstacle_def *o);
    // The shape's half lengths and its frame, which stands at the definition's `at` unless told
    // otherwise. NULL: nothing of its own.
    lithe_status (*compile)(const compiler *c, const lithe_obstacle_def *d, contact_shape *shape,
                            contact_frame *frame);
} obstacle_kind;

extern const obstacle_kind obstacle_kinds[OBSTACLE_KINDS]; // by lithe_obstacle_kind

#endif
