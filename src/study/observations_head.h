// The first line of a table of observations. Internal to observe.
#ifndef STUDY_OBSERVATIONS_HEAD_H
#define STUDY_OBSERVATIONS_HEAD_H

#include "study/observations.h"

// Understands the names of all columns.
lithe_status observe_head(study *s, lithe_observations *o, char *line);

// Fails with LITHE_INVALID at a line of the file and a column, both from 1; column 0: none.
__attribute__((format(printf, 5, 6))) lithe_status
observe_fail(study *s, const lithe_observations *o, int line, int column, const char *format, ...);

#endif
