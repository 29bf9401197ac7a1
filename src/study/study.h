// What finding values of a scene from observations begins with.
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "base/arena.h"
#include "lithe/calibrate.h"

typedef struct study {
    arena memory;
    lithe_report *report;
    const lithe_scene *scene;
    const lithe_model *model;
    lithe_calibrate_def def;
} study;

static inline bool study_is_stopped(const study *s)
{
    return s->def.stop && s->def.stop(s->def.user);
}

#endif
