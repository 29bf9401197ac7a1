// A robot from a scene file, and one state of it, for an experiment.
#ifndef EXPERIMENTS_RIG_H
#define EXPERIMENTS_RIG_H

#include "lithe/lithe.h"
#include "table.h"

enum { RIG_ROWS = 16 }; // most numbers that one list of commands, or one measure, has

typedef struct rig {
    table *t; // where it says what went wrong
    lithe_scene *scene;
    lithe_model *model;
    lithe_state *state;
    lithe_report report;
} rig;

// From a scene file under the repository's root, with overrides ("path=value") up to a NULL. False,
// and the experiment is broken, if that does not work; the rig is then closed.
bool rig_open(rig *r, table *t, const char *scene, ...);
void rig_close(rig *r);

// All actuators, one number each; then one step.
bool rig_forward(rig *r, lithe_command_kind kind, const double *value);

// One step towards a target of one effector or sensor; false, with the reason told, if it fails.
bool rig_aim_effector(rig *r, const char *name, const double *target);
bool rig_aim_sensor(rig *r, const char *name, const double *target);
bool rig_step(rig *r);

// Tells every actuator what those of another rig do, as a machine would be told: cavities their
// pressure, the others their displacement, within limits. Then one step.
bool rig_imitate(rig *r, const rig *other);

// What all actuators give, one number each.
void rig_efforts(const rig *r, double *effort);
void rig_displacements(const rig *r, double *displacement);
void rig_measure(const rig *r, const char *effector, double *value);

double distance3(const double *a, const double *b);

#endif
