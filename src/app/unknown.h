// A value of the scene that is to be found: "--find PATH[=START][:LOW..HIGH]".
#ifndef APP_UNKNOWN_H
#define APP_UNKNOWN_H

#include "app/session.h"
#include "base/quantity.h"
#include "control/calibrate.h"

typedef struct unknown {
    const char *path;
    const char *unit; // its own: of START, else of the scene's value; "" for a number
    double si;        // one of that unit
    quantity_dimension dimension;
    double start, low, high; // in its own unit
    bool logarithmic;        // it must be positive
} unknown;

// Reads them into the session's memory.
lithe_status unknowns_read(session *s, unknown **all);

// As the search sees it, in its own unit.
calibrate_unknown unknown_to_find(const session *s, const unknown *u);

// The longest side of the largest body's box at rest, m.
double unknown_robot_size(const lithe_model *m);

// "materials.skin.young=180.25 kPa"; NULL when there is no memory.
const char *unknown_override(arena *memory, const unknown *u, double value);

#endif
