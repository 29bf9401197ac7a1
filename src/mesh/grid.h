// What VTK calls an unstructured grid, as its legacy and XML files give it, on its way to a mesh.
#ifndef MESH_GRID_H
#define MESH_GRID_H

#include "mesh/build.h"
#include "mesh/scan.h"

typedef struct grid {
    scan in; // for messages; its position is what was read last
    build out;
    bool has_points;
    int64_t ncell;
    list offset; // int64_t, ncell + 1 starts of cells in `node`
    list node;   // int64_t
    list type;   // int
    list span;   // build_span of every cell, once grid_make_cells has run
    list value;  // int64_t, scratch of grid_make_groups
} grid;

void grid_free(grid *g);

// n points of three numbers each from the scan.
lithe_status grid_read_points(grid *g, scan *from, scan_type type, int64_t n);

// Adds n whole numbers to a list.
lithe_status grid_read_ints(grid *g, scan *from, scan_type type, const char *what, int64_t n,
                            list *to);

// Turns cells into tetrahedra and triangles.
lithe_status grid_make_cells(grid *g);

// Reads one whole number for each cell and makes a group "<name>=<value>" of each value, if they
// are few enough to be labels.
lithe_status grid_read_labels(grid *g, scan *from, scan_type type, scan_text name);

#endif
