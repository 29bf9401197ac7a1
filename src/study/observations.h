// What was observed: a table with a line for every pose of the robot, of what was commanded, what
// was set, and what was measured.
#ifndef STUDY_OBSERVATIONS_H
#define STUDY_OBSERVATIONS_H

#include "study/study.h"

enum { OBSERVE_LINES_MAX = 10000, OBSERVE_COLUMNS_MAX = 1000 };

// Reads the table into the study's memory. Keys that are to be found must not be set.
lithe_status observe_read(study *s, bool readings, lithe_observations *o);

// "path=value unit" for one line of a column that is set; NULL when there is no memory.
const char *observe_override(arena *memory, const lithe_observations *o, int line, int column);

#endif
