// The shape of a machine that tells where some of its points are, beside that of its model: the
// skin of the model, moved by what those points are off by. Between them that is the smoothest of
// functions, a biharmonic spline in space, which is 0 where the robot is held.
#ifndef IO_GHOST_H
#define IO_GHOST_H

#include "io/skin.h"

typedef struct ghost {
    int npoint;    // that are told, and differ
    int *point;    // which of those given each of them is (npoint)
    float *weight; // of each of them at each vertex (nvertex x npoint)
    float *off;    // scratch (npoint x 3)
} ghost;

// point: where the model has the points in this state (npoint x 3) m. The ghost's npoint is 0 where
// there are fewer than GHOST_LEAST that differ. LITHE_NO_MEMORY is the only failure.
enum { GHOST_LEAST = 3 };
lithe_status ghost_create(const lithe_model *m, const lithe_state *s, const skin *k, int npoint,
                          const double *point, arena *memory, ghost *out);

// Vertices of the machine's skin from those of the model's (nvertex x 3), and what each point is
// off by, which stands in g->off; returns what follows them.
float *ghost_vertices(const ghost *g, int nvertex, const float *vertex, float *out);

#endif
