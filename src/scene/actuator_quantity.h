// What actuators can be told, by name.
#ifndef SCENE_ACTUATOR_QUANTITY_H
#define SCENE_ACTUATOR_QUANTITY_H

#include "base/quantity.h"

// The column of one of an actuator's n numbers in tables: "north.pull_m", "push.force.x_N".
enum { COMMAND_COLUMN = LITHE_ROW_NAME };
const char *command_column(const char *actuator, const lithe_quantity *q, int i, int n,
                           char text[COMMAND_COLUMN]);

// How many numbers its command has: three for a force without a direction.
int command_count(const lithe_actuator_def *actuator);

// Fails with LITHE_INVALID, without a location in the message, when a value is outside the
// actuator's limits.
lithe_status command_check_limits(const lithe_actuator_def *actuator, lithe_command_kind kind,
                                  const double value[3], lithe_report *report);

#endif
