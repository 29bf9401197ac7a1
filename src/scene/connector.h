// What ties a body's parts: springs, threads, and the glue between rods or shells and solids.
#ifndef SCENE_CONNECTOR_H
#define SCENE_CONNECTOR_H

#include "element/glue.h"
#include "element/spring.h"
#include "scene/compile.h"

struct joints {
    int nspring; // springs and pieces of threads, narrow ones first
    spring_def *spring;
    int *spring_material; // of threads; of springs any (nspring)
    double *spring_area;  // of threads, m^2; 0: a spring (nspring)
    int *spring_owner;    // the definition's spring, or behind all of them its thread (nspring)
    int nglue;
    glue_def *glue;
    int *glue_host; // the cell that carries it (nglue)
    bool wide_glue; // one of them has more hosts
};

// The spring of an owner that stands at `next` or behind, which then is behind it; false: there is
// none.
bool joints_of(const compiler *c, const compile_body *part, int owner, int *next, spring_def *out);

#endif
