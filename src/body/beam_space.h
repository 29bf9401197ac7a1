// A beam space: frames along a centre line carry the nodes. A frame is a position c, a rotation R
// and a few numbers s by which its section deforms; a node between two frames follows both:
//
//     x = sum over its frames of weight (c + R (arm + shapes s))
//
// Frames that carry held nodes stand still and have no coordinates. docs/theory/spaces.md
#ifndef BODY_BEAM_SPACE_H
#define BODY_BEAM_SPACE_H

#include "base/arena.h"
#include "base/status.h"
#include "body/beam_product.h"

enum { BEAM_FRAMES_MAX = 256, BEAM_SHAPES_MAX = 12 };

// What one frame does to one node.
typedef struct beam_side {
    int frame;
    double weight;
} beam_side;

typedef struct beam_map {
    int nframe, nshape;
    double *origin; // of frames, at rest (nframe x 3) m
    int *side_adr;  // first of every node's frames, ascending (nnode + 1)
    beam_side *side;
    double *local; // of every side: its arm, then its shapes, each times the weight; in the frame,
                   // at rest (nside x (1 + nshape) x 3) m, 1
    // written by body_set_beam
    const beam_kernels *kernels;
    int size;    // coordinates of a frame: 6 + nshape
    int nfree;   // frames that move
    int *free;   // of every frame, its number among these; -1: it stands still
    double *arm; // across which a moment counts as a force, m (nframe)
    int *low;    // of every node, the first free frame of any node that it is coupled with (nnode)
    int *high;   // … the last free one of its own; -1: none
    size_t *product_adr; // of K J, node by node (nnode + 1)
} beam_map;

struct body;

// Gives a body such a space; after body_begin. The map lives as long as the body.
lithe_status body_set_beam(struct body *b, beam_map *map, arena *memory);
lithe_status body_finish_beam(struct body *b, arena *memory); // … what follows from the pattern

#endif
