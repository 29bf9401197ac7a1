// Where things stand in a recording, for those who write it and those who read it.
#ifndef IO_RECORDING_LAYOUT_H
#define IO_RECORDING_LAYOUT_H

#include <stdbool.h>

#define RECORDING_FORMAT      "lithe recording"
#define RECORDING_SCENE       "scene"
#define RECORDING_FILES       "scene/files"
#define RECORDING_PLAN        "plan"
#define RECORDING_STEPS       "steps"
#define RECORDING_CHECKPOINTS "checkpoints"
// Contacts that push, a line each: step, point (3, m), force (3, N).
#define RECORDING_CONTACTS "contacts"
#define RECORDING_SUMMARY  "summary"
// What went over the wire: "heard" and "sent", a line each message; see app/driving_log.h.
#define RECORDING_WIRE "wire"
enum { RECORDING_VERSION = 2, RECORDING_CONTACT_WIDTH = 7 };

// Tables under "steps" besides "position", a line for every step.
enum recording_table {
    RECORDING_STEP,
    RECORDING_TIME,
    RECORDING_STEP_TIME,
    RECORDING_FORCE,
    RECORDING_TASK,
    RECORDING_LOAD,
    RECORDING_EFFORT,
    RECORDING_DISPLACEMENT,
    RECORDING_VALUE,
    RECORDING_TARGET,
    RECORDING_OBSTACLE,
    RECORDING_NTABLE,
};

static const char *const recording_table_name[RECORDING_NTABLE] = {
    "step",   "time",         "step_time", "force_residual", "task_residual", "load",
    "effort", "displacement", "value",     "target",         "obstacle"};

// Those whose columns are rows of the model.
static inline bool recording_is_named(enum recording_table which)
{
    return which >= RECORDING_EFFORT && which <= RECORDING_TARGET;
}

#endif
