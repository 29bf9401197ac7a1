// A run in one HDF5 file: the scene with its files, what every step measured, and now and then the
// whole state. docs/recordings.md says what stands where. Written by a thread of its own; the file
// gets its name when everything is there.
#ifndef IO_RECORDING_H
#define IO_RECORDING_H

#include "lithe/lithe.h"

typedef struct recording recording;

typedef struct recording_setup {
    const char *path;
    const char *command; // "run", "track", "view" or "drive"
    const lithe_scene *scene;
    int nset;
    const char *const *set; // overrides with which the scene was read
    const lithe_model *model;
    int checkpoint; // steps from one checkpoint to the next
    // What the run wants to do, so that it can be gone on with: steps in all, and what each driven
    // row shall have in the end (run) or what each row measured at the start (track).
    int nstep;
    const double *plan_kind,
        *plan_value;     // (ndriven) NULL: none; kind 0: effort, 1: displacement, + 2: by the user
    const double *start; // (nrow) NULL: none
} recording_setup;

// LITHE_INVALID if a recording must not go there. Asks before any computing, and changes nothing.
lithe_status recording_check(const char *path, lithe_report *report);

lithe_status recording_open(const recording_setup *setup, const lithe_state *state, recording **out,
                            lithe_report *report);

// One step. target: what rows shall measure (nrow, NAN: nothing), or NULL.
typedef struct recording_step {
    int step;
    double time, step_time; // s
    const lithe_state *state;
    const double *target;
} recording_step;

lithe_status recording_add(recording *r, const recording_step *s, lithe_report *report);

// Whether adding this step would have to wait for the disk, which whoever goes by the clock leaves.
bool recording_waits(recording *r, int step);

// A table of its own, written when the recording is committed; name and lines must stay until then.
void recording_keep(recording *r, const char *name, size_t width, size_t n, const double *lines);

// Both end the recording; after a failed commit nothing is left on the disk. summary: JSON, or
// NULL.
// The last step gets a checkpoint in any case; state: after it.
lithe_status recording_commit(recording *r, const char *summary, const lithe_state *state,
                              lithe_report *report);
void recording_discard(recording *r);

#endif
