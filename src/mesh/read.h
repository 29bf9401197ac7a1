// Readers, one file a format. Each takes a whole file in memory, so that it can be fuzzed without a
// disk.
#ifndef MESH_READ_H
#define MESH_READ_H

#include "mesh/mesh.h"

typedef struct mesh_source {
    const char *path; // for messages
    const char *data; // not terminated
    size_t size;
} mesh_source;

// Each fills m (its arena is the caller's to free, also on failure) and ends with mesh_finish. No
// input makes them allocate more than a small multiple of the source's size; of compressed VTU
// files, of a hundred times the size.
lithe_status read_msh(const mesh_source *source, mesh *m,
                      lithe_report *report); // Gmsh MSH 4.1 and 2.2, ASCII and binary
lithe_status read_vtk(const mesh_source *source, mesh *m,
                      lithe_report *report); // VTK legacy, ASCII and binary
lithe_status read_vtu(const mesh_source *source, mesh *m,
                      lithe_report *report); // VTK XML: ASCII, base64, appended, zlib
lithe_status read_stl(const mesh_source *source, mesh *m,
                      lithe_report *report); // ASCII and binary; nodes merged
lithe_status read_obj(const mesh_source *source, mesh *m,
                      lithe_report *report); // Wavefront: vertices, faces, groups

#endif
