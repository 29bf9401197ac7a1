// How near the targets a task came.
#ifndef APP_ACCURACY_H
#define APP_ACCURACY_H

#include "base/arena.h"
#include "lithe/lithe.h"

// Distances from the target, in m, rad or m^3.
typedef struct accuracy_goal {
    double now;
    double square; // sum over the counted steps
    double largest;
} accuracy_goal;

typedef struct accuracy {
    const lithe_model *model;
    double *target; // what each row shall measure now (nrow)
    int ncounted;   // steps
    accuracy_goal *goal;
} accuracy;

// False: no memory.
bool accuracy_create(accuracy *a, const lithe_model *m, arena *memory);

// After a step whose targets are in a->target; counted: the approach is over.
void accuracy_add(accuracy *a, const lithe_state *s, bool counted);

double accuracy_rms(const accuracy *a, int goal);

// The goal of an effector or of a sensor; -1: it has none. a may be NULL.
int accuracy_goal_of_effector(const accuracy *a, int effector);
int accuracy_goal_of_sensor(const accuracy *a, int sensor);

// The goal that is missed most, in units of what counts as reached, among those that must be
// reached: the first priority present, and what is kept.
int accuracy_worst(const accuracy *a, double *share);

#endif
