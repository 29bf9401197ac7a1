// A value of the scene that is to be found: "--find PATH[=START][:LOW..HIGH]".
#ifndef STUDY_UNKNOWN_H
#define STUDY_UNKNOWN_H

#include "base/quantity.h"
#include "control/calibrate.h"
#include "study/study.h"

// Reads them into the study's memory.
lithe_status unknowns_read(study *s, lithe_parameter **all);

// As the search sees it, in its own unit.
calibrate_unknown unknown_to_find(const lithe_parameter *u);

// The longest side of the largest body's box at rest, m.
double unknown_robot_size(const lithe_model *m);

// "materials.skin.young=180.25 kPa"; NULL when there is no memory.
const char *unknown_override(arena *memory, const lithe_parameter *u, double value);

#endif
