// The meshes of a scene's bodies looked at closely, for `lithe check`.
#ifndef APP_MESH_CHECK_H
#define APP_MESH_CHECK_H

#include "app/session.h"
#include "io/json.h"
#include "lithe/mesh.h"

typedef struct body_care {
    const char *name;
    lithe_mesh *mesh;
    bool none;                     // it has no mesh file: rods and shells alone
    bool members;                  // several meshes in one
    bool linear;                   // its elements are linear tetrahedra
    lithe_mesh_check *found;       // NULL where there is none
    const lithe_mesh_check *check; // the same, or an empty one
} body_care;

typedef struct scene_care {
    arena memory;
    int nbody;
    body_care *body;
} scene_care;

// Reads the meshes of the session's scene once more. Close it either way.
lithe_status care_open(session *s, scene_care *care);
void care_close(scene_care *care);

// Says what is doubtful, with a remedy, through the session's report.
void care_notice(session *s, const scene_care *care);

// The lines of `lithe check` about one body; the key "mesh" of its object in JSON.
void care_print(const body_care *body);
void care_write(json *j, const body_care *body);

// Writes what is doubtful to a VTU file that appears whole or not at all: elements, triangles of
// the file, and nodes, each with the field `problem` (see lithe/mesh.h).
lithe_status care_write_offenders(const scene_care *care, const char *path, lithe_report *report);

#endif
