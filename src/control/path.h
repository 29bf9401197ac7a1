// Where a target is at a time: the geometry of one goal.
#ifndef CONTROL_PATH_H
#define CONTROL_PATH_H

#include "base/arena.h"
#include "lithe/lithe.h"

typedef struct control_path {
    lithe_path_kind kind;
    int n;           // numbers of the target
    double duration; // s
    double period;   // circle, polygon: of one turn (s)
    // circle: centre + radius (cos u + sin v)
    double centre[3], radius, u[3], v[3];
    // the others: straight from point to point
    int npoint;
    double *time;  // (npoint) s, rising; a polygon ends where it began
    double *point; // (npoint x n)
} control_path;

// What is wrong with a goal for a target of n numbers; NULL: nothing.
const char *path_fault(const lithe_goal_def *goal, int n);

// Copies what it needs of a sound goal; false: no memory.
bool path_create(const lithe_goal_def *goal, int n, arena *memory, control_path *p);

// One number of the target at time 0.
double path_start(const control_path *p, int number);

// Before 0 it is at its start, after its duration at its end.
void path_at(const control_path *p, double time, double *target); // (n)

#endif
