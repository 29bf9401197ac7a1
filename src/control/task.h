// The task of a model: goals with their paths, and what effectors and sensors are called.
#ifndef CONTROL_TASK_H
#define CONTROL_TASK_H

#include "control/measure.h"
#include "control/path.h"

typedef struct control_goal {
    int effector, sensor; // one of them is -1
    int adr;              // first of its rows in the model; it has path.n
    int priority;         // 1 is served first; a kept goal and a sensor have 1
    bool kept;
    control_path path;
} control_goal;

typedef struct control_task {
    int ngoal;
    control_goal *goal;
    double approach; // m/s
    int settle;      // steps at the end
    double duration; // of the longest path, s
    lithe_measure *effector, *sensor;
} control_task;

// What the goal is about.
const lithe_measure *control_goal_measure(const control_task *t, const control_goal *g);

enum { CONTROL_STEPS_MAX = 10000000 };

// Builds the task, once the model's rows are there.
lithe_status control_compile(const lithe_def *def, lithe_model *m, lithe_report *report);

const control_task *control_of(const lithe_model *m);

// What a sensor measures; effort sensor: room for one that reads an actuator.
const double *control_sensor_value(const lithe_model *m, const lithe_state *s, int sensor,
                                   double effort_sensor[3]);

// Distance of a goal's rows from their targets (nrow): the root of the sum of squares.
double control_error(const lithe_state *s, const control_goal *goal, const double *target);

// An error up to this counts as reached: CONTROL_REACHED of the robot's size, of the cavity's
// volume, or rad.
double control_tolerance(const lithe_model *m, const control_goal *goal);

#endif
