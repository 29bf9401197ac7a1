// The first line of a table of observations. Internal to observe.
#ifndef APP_OBSERVE_HEAD_H
#define APP_OBSERVE_HEAD_H

#include "app/observe.h"

// Understands the names of all columns.
lithe_status observe_head(session *s, observations *o, char *line);

// Fails with LITHE_INVALID at a line of the file and a column, both from 1; column 0: none.
__attribute__((format(printf, 5, 6))) lithe_status
observe_fail(session *s, const observations *o, int line, int column, const char *format, ...);

#endif
