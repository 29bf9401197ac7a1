// What of a robot is drawn, by the view, the report and snapshots: its skin, the lines of cables,
// pistons and strings, cavities, joints, and a marker at every point that an effector measures.
#ifndef IO_DRAWING_H
#define IO_DRAWING_H

#include "io/ghost.h"

typedef struct drawing_line {
    int row;      // that measures it; -1: a rod, which an element is
    int element;  //
    int actuator; // -1: it belongs to no actuator
    int adr, n;   // its points among those of all lines
} drawing_line;

typedef struct drawing_cavity {
    int actuator;
    int adr, n; // its triangles among those of all cavities
} drawing_cavity;

typedef struct drawing_marker {
    int effector;
    int row, n; // the rows that measure this point
} drawing_marker;

typedef struct drawing {
    arena memory;
    const lithe_model *model;
    skin skin;
    int nline, npoint;
    drawing_line *line;
    int ncavity, ncavity_tri;
    drawing_cavity *cavity;
    int *cavity_tri; // (ncavity_tri x 3) vertices of the skin
    int nmarker;
    drawing_marker *marker;
    double lower[3], upper[3]; // box of the rest shape, m
    double *element;           // scratch (2 nelement)
    ghost ghost;               // of a machine; npoint 0: none
    int *told;                 // markers that its points are
} drawing;

enum { DRAWING_CONTACTS = 512 }; // arrows at most

enum { DRAWING_ENERGY = 1, DRAWING_VON_MISES = 2 }; // fields at vertices besides displacement

// The model must outlive it.
lithe_status drawing_create(const lithe_model *m, drawing *d, lithe_report *report);
void drawing_free(drawing *d);

// Each writes points (x, y, z) of the robot, and returns what follows them.
float *drawing_vertices(const drawing *d, const lithe_state *s, float *out);
float *drawing_lines(const drawing *d, const lithe_state *s, float *out);
float *drawing_markers(const drawing *d, const lithe_state *s, float *out);

// Of every joint: where it is, its axis (0: it has none), and 1 where it is at a stop, else 0.
enum { DRAWING_JOINT = 7 };
float *drawing_joints(const drawing *d, const lithe_state *s, float *out);

// Of those whose rows have a direction: where they are by what a machine measures of all rows.
void drawing_measured(const drawing *d, const lithe_state *s, const double *measured,
                      float *marker);

// From now on frames have the machine's skin too, if it tells enough points: measured says of which
// rows (nrow).
lithe_status drawing_add_ghost(drawing *d, const lithe_state *s, const bool *measured,
                               lithe_report *report);

// Its vertices. vertex: those of the model; at: markers where the machine has them.
float *drawing_ghost(const drawing *d, const lithe_state *s, const float *vertex, const float *at,
                     float *out);

// Where markers shall be: their position, moved along what is measured to its target. NAN for one
// without a target. target: of all rows (nrow); value: what rows measure now (nrow).
float *drawing_targets(const drawing *d, const lithe_state *s, const double *value,
                       const double *target, float *out);

// What the rows of a marker shall measure so that it comes to a point of space. target: (marker.n)
void drawing_aim(const drawing *d, int marker, const double point[3], double *target);

// Fields of the state at vertices, in the order of their bits.
float *drawing_fields(const drawing *d, const lithe_state *s, int fields, float *out);

// Where contacts push and with which force (x, y, z m; x, y, z N); returns how many. out:
// (6 DRAWING_CONTACTS), or NULL only to count.
int drawing_contacts(const drawing *d, const lithe_state *s, float *out);

#endif
