// Making the reduced model of a whole one: what its parts share. Its only body has the points that
// elements, rows and loads need as nodes, and behind them what its space adds.
#ifndef REDUCE_APPLYING_H
#define REDUCE_APPLYING_H

#include "reduce/points.h"
#include "reduce/reduction.h"

// A sum of nodes that a load acts on.
typedef struct applied_load {
    int point;     // -1: there is no such load
    double amount; // of what it has: N, kg, 1 or m^2
} applied_load;

typedef struct applying {
    const lithe_reduction *r;
    lithe_model *whole, *m;
    const body *from;
    body *b;
    arena scratch;
    lithe_report *report;
    points point;
    int *itself; // of the whole's nodes, the point that is this node alone; -1: none (nnode)
    int nfamily;
    element_family *family;
    applied_load dead[3], weigh; // dead loads along x, y and z; gravity
    applied_load *spell;
    // by modes
    double *Phi; // orthonormal in the measure of the mass (nnode x 3 x nmode)
    double mass; // … times the whole mass, kg
    int first;   // the first of the nodes that are coordinates
    // in a beam space
    beam_map *carried; // the whole's nodes
} applying;

lithe_status apply_no_memory(const applying *a); // said

// Nodes of the whole, each alone, as points; false: there is no memory.
bool apply_node(applying *a, int node, int *point);

// Points that elements need, and families of these; those of loads; of rows, whose nodes they
// become.
lithe_status apply_elements(applying *a);
lithe_status apply_loads(applying *a);
lithe_status apply_rows(applying *a);

// What acts on the points, once there is a body; and rows.
lithe_status apply_fill_loads(applying *a);
lithe_status apply_finish_rows(applying *a);

// The body of all points and `more` nodes behind them, at X (more x 3; NULL: 0), without a space.
lithe_status apply_begin(applying *a, int more, const double *X);

// The body and its space; masses and what else it adds; what links it to the whole.
lithe_status apply_modes(applying *a);
lithe_status apply_modes_volume(applying *a, const row *of, row *r); // of a cavity
lithe_status apply_modes_fill(applying *a);
lithe_status apply_beam(applying *a);
lithe_status apply_beam_fill(applying *a);

#endif
