// What was observed of a real robot, and the values of a scene that fit it best.
//
// Structs that are handed out belong to the library, are for reading, and live until they are given
// to their free function.
#ifndef LITHE_CALIBRATE_H
#define LITHE_CALIBRATE_H

#include "lithe/lithe.h"

#ifdef __cplusplus
extern "C" {
#endif

// ## observations
//
// A table (CSV) with a line for every pose of the robot: what was commanded (north.pull_mm), what
// was set (set:loads.weight.force.value.2_N) and what was measured (tip.x_mm), each with its unit,
// and the standard deviations of what was measured (sigma_mm). docs/calibrate.md.

typedef enum lithe_column_kind {
    LITHE_COLUMN_IGNORED,
    LITHE_COLUMN_LOAD,     // of a series: below 1 the line is no equilibrium, and left out
    LITHE_COLUMN_COMMAND,  // of an actuator
    LITHE_COLUMN_EFFECTOR, // measured
    LITHE_COLUMN_SENSOR,   // measured
    LITHE_COLUMN_SET,      // a key of the scene
    LITHE_COLUMN_SIGMA,    // standard deviation of what is measured in that dimension
} lithe_column_kind;

typedef struct lithe_column {
    lithe_column_kind kind;
    const char *name; // as it stands in the table
    int thing;        // number of the actuator, effector or sensor
    lithe_command_kind command;
    int row; // which of its numbers
    lithe_dimension dimension;
    double si;        // one of its unit
    const char *path; // set: of the key
    const char *unit; //
} lithe_column;

// One number that was measured.
typedef struct lithe_datum {
    int line, column; // of the table, from 0
    double value;     // SI
    double sigma;     // SI; 1: not known
} lithe_datum;

typedef struct lithe_observations {
    const char *path;
    int ncolumn;
    lithe_column *column;
    int nline;
    int *number;   // of the line in the file (nline)
    double *value; // SI; of a key that is set, as it stands there; NAN: not measured (nline x
                   // ncolumn)
    bool readings; // of a robot whose scene says how well it measures, and which stays as it is
    bool weighted; // there is a standard deviation for every datum
    int ndatum;
    lithe_datum *datum; // line by line
    int ngroup;         // of lines between which only commands differ
    int *group;         // (nline)
} lithe_observations;

// Reads a table about the robot of a scene. readings: no key may be set and no deviation given, and
// none is needed, since the scene's section estimate has them.
LITHE_API lithe_status lithe_observations_read(const lithe_scene *scene, const char *path,
                                               bool readings, lithe_observations **out,
                                               lithe_report *report);
LITHE_API void lithe_observations_free(lithe_observations *observations);
LITHE_API bool lithe_column_is_measured(const lithe_column *column);

// ## calibration
//
// Damped Gauss-Newton on the sum of squared residuals, over equilibria of the scene with other
// values in it; an interval for every value, and the combinations that the data leave open.

typedef struct lithe_calibrate_def {
    size_t bytes;      // of this struct; from its default function
    const char *scene; // file
    int nset;
    const char *const *set; // overrides, as for lithe_scene_read
    const char *data;       // file of the table
    int nfind;
    const char *const *find;  // (nfind) "PATH[=START][:LOW..HIGH]", a key of the scene each
    int threads;              // models that run at a time
    bool (*stop)(void *user); // asked by all of these threads; true ends the search. NULL: nobody
    void (*progress)(void *user, int done, int expected); // models run; by one thread at a time
    void *user;
} lithe_calibrate_def;

// A value that was looked for, in its own unit.
typedef struct lithe_parameter {
    const char *path;
    const char *unit; // of START, else of the scene's value; "" for a number
    double si;        // one of that unit
    lithe_dimension dimension;
    double start;
    double bound[2];  // infinite where there is none
    double scale;     // a whole change of it; not used if logarithmic
    bool logarithmic; // it must stay positive and is looked for as its logarithm
    double value;
    double low, high; // 95 % interval, clipped to the bounds; NAN: there is none
    bool open;        // takes part in a combination that the data leave open
    int at_bound;     // -1, 1: the data would have it beyond its lower, upper bound; 0: free
} lithe_parameter;

// A combination of parameters that can change without the data noticing.
typedef struct lithe_blind {
    const double *change; // of each, by scale or logarithm (nparameter); the largest is log 1.1
    const bool *member;   // which parameters take part (nparameter)
    const double *effect; // change of the residuals that it makes (ndatum)
    bool numerical;       // nothing is noticed at all; else: less than the data scatter
} lithe_blind;

typedef struct lithe_calibration {
    const lithe_observations *data;
    int nparameter;
    lithe_parameter *parameter; // as in find
    bool converged;
    int iteration;
    int nevaluation;        // points at which residuals were asked for
    const double *residual; // model minus datum, over sigma (ndatum)
    const double *singular; // of the Jacobian with columns of length 1, descending (nparameter)
    int nblind;
    const lithe_blind *blind;
    int dof;         // data less what they determine
    double spread;   // standard deviation of a residual that intervals are built on; NAN: unknown
    double quantile; // by which it is multiplied
    double chance;   // weighted: of residuals at least as large, if the model is right; else NAN
} lithe_calibration;

// A search that ends without an optimum is LITHE_OK, with converged false. LITHE_NOT_CONVERGED: the
// model has no equilibrium where it starts, or it was stopped. LITHE_INVALID: bad input.
LITHE_API lithe_status lithe_calibrate(const lithe_calibrate_def *def,
                                       lithe_calibration **calibration, lithe_report *report);
LITHE_API void lithe_calibration_free(lithe_calibration *calibration);
LITHE_DEFAULT(lithe_calibrate_def, LITHE_DEF_CALIBRATE)

#ifdef __cplusplus
}
#endif

#endif
