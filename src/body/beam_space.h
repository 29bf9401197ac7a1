// A beam space: frames along a centre line carry the nodes. A frame is a position c, a rotation R
// and a few numbers s by which its section deforms; a node between two frames follows both:
//
//     x = sum over its frames of weight (c + R (arm + shapes s))
//
// A node may also be a sum of others, each with a factor: that is of the same form. Frames that
// stand still have no coordinates. docs/theory/spaces.md
#ifndef BODY_BEAM_SPACE_H
#define BODY_BEAM_SPACE_H

#include "base/arena.h"
#include "base/status.h"
#include "body/beam_product.h"
#include "body/nodal_entry.h"

#include <stdbool.h>

enum { BEAM_FRAMES_MAX = 256 };

// What one frame does to one node.
typedef struct beam_side {
    int frame;
    double weight;
} beam_side;

// Nodes whose neighbours' frames and their own lie in the same window of free frames: neighbours
// stand together.
typedef struct beam_window {
    int low, high; // frames
    int adr, n;    // which nodes these are, in beam_map.order
    int nspan;     // how many different frames these have themselves, see beam_map.span
} beam_window;

typedef struct beam_map {
    int nframe, nshape;
    double *origin; // of frames, at rest (nframe x 3) m
    bool *still;    // frames that do not move (nframe)
    double *reach;  // across which a moment on a frame counts as a force, m (nframe)
    int *side_adr;  // first of every node's frames, ascending (nnode + 1)
    beam_side *side;
    double *arm;   // of every side, times the weight; in the frame, at rest (nside x 3) m
    double *shape; // … its shapes, times the weight (nside x nshape x 3)
    // written by body_set_beam
    const beam_kernels *kernels;
    int size;       // coordinates of a frame: 6 + nshape
    int nfree;      // frames that move
    int *free;      // of every frame, its number among these; -1: it stands still
    int *first;     // of every node, its first free frame (nnode)
    int *last;      // … and its last; below the first: it has none
    int *stride;    // of a node's lines of dx/dq, for all frames between these (nnode)
    int *batch_adr; // of every frame's sides, eight at a time (nframe + 1)
    beam_sides *batch;
    double *lines; // shapes of a side: along x, y and z, each whole vectors
    // written by body_finish_beam
    int nwindow;
    beam_window *window;
    int *order;     // (nnode)
    int *span;      // of every node, which of its window's frames it has: a number (nnode)
    int *entry_adr; // see nodal_entry.h (nnode + 1)
    nodal_entry *entry;
} beam_map;

struct body;

// Gives a body such a space; after body_begin. The map lives as long as the body.
lithe_status body_set_beam(struct body *b, beam_map *map, arena *memory);
lithe_status body_finish_beam(struct body *b, arena *memory); // … what follows from the pattern

static inline int beam_nside(const beam_map *m, int nnode)
{
    return m->side_adr[nnode];
}

// Columns of J that a node's frames have.
static inline int beam_ncolumn(const beam_map *m, int node)
{
    return m->size * (m->last[node] - m->first[node] + 1);
}

#endif
