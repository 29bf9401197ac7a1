// The folder that results go to. They are written in a new folder beside it, which takes its name
// when everything is there: whoever sees the folder sees all of it.
//
// An older folder of results is replaced. To be taken for one it must hold a summary of ours and
// nothing but the files named here; anything else is somebody's work and is left alone.
#ifndef IO_OUTDIR_H
#define IO_OUTDIR_H

#include "base/arena.h"
#include "lithe/lithe.h"

#define OUTDIR_SUMMARY    "summary.json"
#define OUTDIR_SERIES     "series.csv"
#define OUTDIR_INDEX      "frames.pvd"
#define OUTDIR_ACTUATION  "actuation.csv"
#define OUTDIR_CONTACTS   "contacts.csv"
#define OUTDIR_JACOBIAN   "jacobian.csv"
#define OUTDIR_COMPLIANCE "compliance.csv"
#define OUTDIR_PARAMETERS "parameters.csv"
#define OUTDIR_RESIDUALS  "residuals.csv"
#define OUTDIR_OVERRIDES  "overrides.txt"
#define OUTDIR_RECORDING  "recording.h5"
#define OUTDIR_GAINS      "gains.svg"
#define OUTDIR_WORKSPACE  "workspace.svg"
#define OUTDIR_POSES      "poses.csv"
#define OUTDIR_ESTIMATE   "estimate.csv"
#define OUTDIR_FRAME      "frame_%05d.vtu"

typedef struct outdir {
    arena memory;
    const char *name;    // as the user wrote it, for messages
    const char *path;    // where the results will be, links resolved
    const char *partial; // where they are being written
    size_t made;         // length of the shortest leading part of path that was made; 0: none
} outdir;

// LITHE_INVALID if results must not go there. Asks before any computing, and changes nothing.
lithe_status outdir_check(const char *name, lithe_report *report);

// Checks, and makes the folder beside it. On failure nothing is left to discard.
lithe_status outdir_open(const char *name, outdir *out, lithe_report *report);

// Path of a file in the making; NULL when there is no memory.
const char *outdir_file(outdir *out, const char *file);

// Gives the folder its name. Both end the outdir; after a failed commit nothing is left on the
// disk.
lithe_status outdir_commit(outdir *out, lithe_report *report);
void outdir_discard(outdir *out);

#endif
