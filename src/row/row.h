// Rows: scalar relations delta(x) with gradient H. An effort lambda on a row pushes the nodes with
// H' lambda, so effort times displacement is work; the turning of H with x is its geometric
// stiffness.
//
//     cable    delta = rest length - length    lambda = tension    (pull, N)
//     piston   delta = length - rest length    lambda = force that pushes the points apart
//     cavity   delta = volume - rest volume    lambda = pressure
#ifndef ROW_ROW_H
#define ROW_ROW_H

#include "body/body.h"
#include "mesh/embed.h"

// A point of the world, or carried by four nodes.
typedef struct row_point {
    int body;    // -1: of the world
    int node[4]; // among the nodes of all bodies
    double weight[4];
    double world[3]; // m
} row_point;

void row_point_position(const row_point *p, const double *x, double out[3]);

typedef struct row_line {
    double sign; // of d(delta)/d(length): -1 cable, +1 piston
    int npoint;
    row_point *point;
    int *slot; // (npoint x 4) where each carrying node stands in the row's nodes
    int *
        block; // (npoint - 1 x 64) block of A for every ordered pair of a segment's nodes; -1: none
} row_line;

typedef struct row_shell {
    int body;
    int ntri;
    int *tri;   // (ntri x 3) among the nodes of all bodies, normals out of the cavity
    int *slot;  // (ntri x 3)
    int *block; // (ntri x 3) see pressure_blocks
} row_shell;

typedef struct row {
    const char *name;
    lithe_actuator_kind kind;
    row_line line;   // cable, piston
    row_shell shell; // cavity
    double rest;     // length (m) or volume (m^3) in the placed rest shape
    double scale;    // size against which a missed displacement is judged (m or m^3)
    int nnode;       // nodes with a gradient
    int *node;       // (nnode) among the nodes of all bodies, ascending
    double effort_limit[2];
    double displacement_limit[2];
    lithe_command_kind command;
    double value;
} row;

// Lists the row's nodes once its points or triangles are set; x is the placed rest shape of all
// bodies.
lithe_status row_begin(row *r, const double *x, arena *memory);

// Declares what the row couples in the pattern of A of one body.
lithe_status row_couple(const row *r, int body_id, const body *b, sparse_builder *builder);

// Looks up the blocks, once the patterns of all bodies are finished.
lithe_status row_finish(row *r, const body *bodies, arena *memory);

double row_value(const row *r, const double *x);

// H: (nnode x 3)
void row_gradient(const row *r, const double *x, double *H);

// A -= effort * d2(delta)/dx2, with blocks[body] the blocks of each body's A. positive: only if
// that is positive semi-definite.
void row_stiffness(const row *r, const double *x, double effort, bool positive,
                   double *const *blocks);

#endif
