// Gmsh as a program that is run in a folder of its own, for a limited time.
#ifndef APP_GMSH_H
#define APP_GMSH_H

#include "base/arena.h"
#include "lithe/lithe.h"

// What Gmsh shall do.
typedef struct gmsh_job {
    const char *name;   // of the input, as the user wrote it, for messages
    const char *input;  // .geo, .step or .stl; absolute
    bool surface;       // input is a closed surface, which is to be filled
    double size;        // edge length in the file's unit; 0: what the file says
    double time_limit;  // s
    const char *folder; // of temporary files; removed by gmsh_clean
} gmsh_job;

#define GMSH_RESULT "mesh.msh" // in the folder
#define GMSH_COPY   "copy.stl" // there, where the input was in a format that Gmsh does not fill

typedef enum gmsh_end {
    GMSH_DONE,        // the result is there
    GMSH_FAILED,      // the geometry is at fault: exit status 2
    GMSH_NO_MACHINE,  // there is no Gmsh, or the machine failed it: 3
    GMSH_INTERRUPTED, // Ctrl-C: 130
} gmsh_end;

// What went wrong is in the report.
gmsh_end gmsh_run(const gmsh_job *job, lithe_report *report);

// Removes the folder and the files that a job leaves in it.
void gmsh_clean(const gmsh_job *job);

#endif
