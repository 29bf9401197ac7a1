// What was observed: a table with a line for every pose of the robot, of what was commanded, what
// was set, and what was measured.
#ifndef APP_OBSERVE_H
#define APP_OBSERVE_H

#include "app/session.h"
#include "base/quantity.h"

enum { OBSERVE_LINES_MAX = 10000, OBSERVE_COLUMNS_MAX = 1000 };

typedef enum observe_kind {
    OBSERVE_IGNORED,
    OBSERVE_LOAD,     // of a series: below 1 the line is no equilibrium
    OBSERVE_COMMAND,  // of an actuator
    OBSERVE_EFFECTOR, // measured
    OBSERVE_SENSOR,   // measured
    OBSERVE_SET,      // a key of the scene
    OBSERVE_SIGMA,    // standard deviation of what is measured in that dimension
} observe_kind;

typedef struct observe_column {
    observe_kind kind;
    const char *name; // as it stands in the table
    int thing;        // number of the actuator, effector or sensor
    lithe_command_kind command;
    int row; // which of its numbers
    quantity_dimension dimension;
    double si;        // one of its unit
    const char *path; // set: of the key
    const char *unit; //
} observe_column;

typedef struct observe_datum {
    int line, column; // of the table, from 0
    double value;     // SI
    double sigma;     // SI; 1: not known
} observe_datum;

typedef struct observations {
    const char *path;
    int ncolumn;
    observe_column *column;
    int nline;
    int *number;   // of the line in the file (nline)
    double *value; // SI; of a key that is set, as it stands there; NAN: not measured (nline x
                   // ncolumn)
    bool readings; // of a robot whose scene says how well it measures, and which stays as it is
    bool weighted; // there is a standard deviation for every datum
    int ndatum;
    observe_datum *datum; // line by line
    int ngroup;           // lines between which only commands differ
    int *group;           // (nline)
} observations;

// Reads options.data into the session's memory. Keys that --find names must not be set. readings:
// no key may be set and no deviation given, and none is needed.
lithe_status observe_read(session *s, bool readings, observations *o);

bool observe_is_measured(const observe_column *c);

// "path=value unit" for one line of a column that is set; NULL when there is no memory.
const char *observe_override(arena *memory, const observations *o, int line, int column);

#endif
