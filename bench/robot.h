// The robots that are measured, and what every program that measures needs.
#ifndef BENCH_ROBOT_H
#define BENCH_ROBOT_H

#include "step/state.h"

typedef struct robot {
    char name[64];
    lithe_scene *scene;
    lithe_mesh *mesh; // NULL: the scene's own
    lithe_model *model;
    lithe_state *state;
} robot;

// what: "SCENE", or "SCENE@NODES" for its one body refined to so many nodes. step.mode is realtime.
// Says what is wrong and ends the program if it cannot.
robot robot_open(const char *what);

// The same with another mesh.
robot robot_open_mesh(const char *scene, const char *mesh_file, int nnode);

void robot_close(robot *r);

// Ends the program when there is no memory; gives it back otherwise.
void *must(void *memory);

// Seconds that this thread has computed: what other programs take from its core does not count.
double cpu_now(void);

// Sorts the times and gives the one that share q of the others is below.
double time_rank(int n, double *time, double q);

#endif
