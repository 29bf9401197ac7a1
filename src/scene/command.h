// What actuators can be told, by name.
#ifndef SCENE_COMMAND_H
#define SCENE_COMMAND_H

#include "base/quantity.h"

typedef struct command_quantity {
    const char *name; // "pull", "tension", ...
    quantity_dimension dimension;
} command_quantity;

// The quantity of that kind for an actuator of that type: a cable's displacement is its "pull".
const command_quantity *command_quantity_of(lithe_actuator_kind type, lithe_command_kind kind);

// Fails with LITHE_INVALID, without a place in the message, when the value is outside the
// actuator's limits.
lithe_status command_check_limits(const lithe_actuator_def *actuator, lithe_command_kind kind,
                                  double value, lithe_report *report);

// "north.pull=10 mm" into an actuator of the scene, a kind and an SI value within the limits; bare
// numbers mean what the scene's units say.
lithe_status scene_parse_command(const lithe_scene *scene, const char *text, int *actuator,
                                 lithe_command_kind *kind, double *value, lithe_report *report);

#endif
