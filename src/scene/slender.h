// Rods and shells of a body while it is compiled: their nodes join those of the body's mesh, their
// elements become families of it.
#ifndef SCENE_SLENDER_H
#define SCENE_SLENDER_H

#include "element/section.h"
#include "scene/compile.h"

typedef struct slender_beam {
    int node[2];
    int material;
    section end[2];
    double axis[3];
} slender_beam;

typedef struct slender_triangle {
    int node[3];
    int material;
    double thickness; // m
    bool inside;      // of the body's mesh, to which it is glued: nothing can reach it
} slender_triangle;

struct slender {
    int nbeam;
    slender_beam *beam;
    int ntriangle;
    slender_triangle *triangle;
    int nboundary; // the last triangles of the body's boundary are shells'
};

// May rods and shells of a body be glued into its mesh?
bool slender_has_volumes(const lithe_body_def *d);

// Points along a rod at rest: rod->elements + 1 of them, (x 3), and where they stand in its length
// (0 … 1).
lithe_status slender_run(compiler *c, const lithe_rod_def *rod, double *point, double *share);

#endif
