// Kinds of actuators. What the scene reads, what the definition must have, the rows it becomes,
// what it is told and in which units: all of a kind is one actuator_kind in a file of its own, and
// its entry in the table of actuator_kind.c. The view and pictures draw rows by their shape.
#ifndef SCENE_ACTUATOR_KIND_H
#define SCENE_ACTUATOR_KIND_H

#include "scene/compile.h"
#include "scene/reader.h"

typedef struct actuator_kind {
    const char *name;           // its key in a scene
    lithe_quantity quantity[2]; // effort and displacement, by lithe_command_kind
    bool pulls;                 // its effort is not below 0
    bool has_valve;             // its effort is a pressure, which may follow what it is told
    bool along_axes;            // it has three numbers, along x, y and z, unless it has a direction
    bool parameter;          // told is a number of the model, above 0, and known by its logarithm
    bool on_joint;           // `part` is a joint, whose frame it has
    bool holds;              // the nodes that it moves are held, by it
    bool turns;              // a rigid part, or the selected nodes, about an axis
    lithe_command_kind told; // unless its definition says otherwise
    keys_heading heading[KEYS_KIND_BLOCKS];
    const keys_row *key; // all keys of its blocks, and its own one in an actuator
    int nkey;
    lithe_status (*read)(const reader *r, const tree_node *node, lithe_actuator_def *actuator);
    lithe_status (*check)(const compiler *c,
                          const lithe_actuator_def *d); // NULL: nothing of its own
    lithe_status (*compile)(compiler *c, const lithe_actuator_def *d, model_group *group);
} actuator_kind;

#define ACTUATOR_HEADINGS(name, selects)                                                           \
    {                                                                                              \
        {"actuators.NAME." name, "a " name, selects},                                              \
            {"actuators.NAME.limits", "the limits of a " name, KEYS_SELECTS_NONE},                 \
            {"actuators.NAME.command", "the command of a " name, KEYS_SELECTS_NONE},               \
    }

// What kinds along lines have in common, see actuator_line.c; and those with a cavity.
lithe_status actuator_read_ends(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator);
lithe_status actuator_read_compliance(const reader *r, const tree_node *map, keys_block block,
                                      lithe_actuator_def *actuator);
lithe_status actuator_check_ends(const compiler *c, const lithe_actuator_def *d);
lithe_status actuator_add_line(compiler *c, const lithe_actuator_def *d, model_group *group);
lithe_status actuator_add_cavity(compiler *c, const lithe_actuator_def *d, model_group *group);

extern const actuator_kind *const actuator_kinds[ACTUATOR_KINDS]; // by lithe_actuator_kind

#endif
