// A recording that is read again: docs/recordings.md.
#ifndef IO_REPLAY_H
#define IO_REPLAY_H

#include "lithe/lithe.h"

typedef struct replay replay;

// Does it begin as an HDF5 file does? Other files are scenes.
bool replay_is_recording(const char *path);

// The file is read by another process, which this starts: before there are threads.
lithe_status replay_open(const char *path, replay **out, lithe_report *report);
void replay_close(replay *r);

// The scene inside, with the files that it names, and the overrides of the recorded run before
// those that are given. Both must be freed. The files are in a folder of their own until the
// recording is closed.
lithe_status replay_model(replay *r, int nset, const char *const *set, lithe_scene **scene,
                          lithe_model **model, lithe_report *report);

int replay_nline(const replay *r);           // steps that it holds
const char *replay_command(const replay *r); // "run", "track", "view"
const char *replay_summary(const replay *r); // JSON; NULL: none
int replay_nstep(const replay *r);           // that the run wanted to do
const char *replay_path(const replay *r);
int replay_nset(const replay *r, const char *const **set);

// One line of its tables, in the caller's memory; arrays as in recording_step.
typedef struct replay_line {
    double step, time, step_time, force, task, load;
    double *x;                     // (nnode x 3)
    double *effort, *displacement; // (ndriven)
    double *value, *target;        // of all rows; those of effectors and sensors are read
    double *way;                   // of obstacles, see lithe_obstacle_motion (nobstacle x 6)
    int ncontact, contact_max;
    float *contact; // points and forces (contact_max x 6)
} replay_line;

// The model of the recording; lines must fit it.
lithe_status replay_read(const replay *r, const lithe_model *m, int line, replay_line *out,
                         lithe_report *report);

// The numbers of n steps from line `first` on, for charts: time, step_time, force, task; efforts
// and displacements of driven rows; values and targets of the others (n x replay_series_width).
size_t replay_series_width(const lithe_model *m);
lithe_status replay_series(const replay *r, const lithe_model *m, int first, int n, double *out,
                           lithe_report *report);

// A table of its own: how large it is, and all of it (n numbers).
bool replay_table_size(const replay *r, const char *name, size_t *lines, size_t *width);
lithe_status replay_table(const replay *r, const char *name, size_t n, double *out,
                          lithe_report *report);

// Brings a state to the last checkpoint at or before the step (-1: the last of all).
lithe_status replay_load(const replay *r, const lithe_model *m, int step, lithe_state *state,
                         int *found, lithe_report *report);

// What the run was told: false if it was not such a run.
bool replay_plan(const replay *r, const lithe_model *m, double *kind, double *value); // (ndriven)
bool replay_start(const replay *r, const lithe_model *m, double *start);              // (nrow)

#endif
