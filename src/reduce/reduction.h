// A reduction: the few shapes that a robot's nodes are taken to move in, x = X + Phi q, or frames
// along a centre line that carry them; and the few elements that stand for all, each with a weight
// [farhat2014]. It belongs to one mesh, its materials, actuators and loads, which its hashes tell.
// docs/theory/reduction.md
#ifndef REDUCE_REDUCTION_H
#define REDUCE_REDUCTION_H

#include "base/arena.h"
#include "lithe/reduce.h"
#include "step/model.h"

#include <stdint.h>

// What a reduction depends on, and in which order that is said.
typedef enum reduction_part {
    REDUCTION_MESH,
    REDUCTION_MATERIAL,
    REDUCTION_ACTUATOR,
    REDUCTION_LOAD,
    REDUCTION_PARTS,
} reduction_part;

// How a driven row was told where to go in the samples, and between which ends.
typedef struct reduction_range {
    lithe_command_kind kind;
    double low, high;
} reduction_range;

struct lithe_reduction {
    arena memory;
    int nnode;      // of the whole model
    int nwhole;     // its elements
    int nmode;      // shapes
    int nelement;   // that stand for all
    double *mode;   // Phi (nnode x 3 x nmode)
    int nframe;     // on the centre line; 0: it moves by modes
    int nshape;     // by which a frame's section deforms
    double *frame;  // (nframe x 3) m
    double *shape;  // of every side of a node, see body/beam_space.h (nside x nshape x 3)
    int nside;      // … where there are shapes
    int *element;   // ascending (nelement); NULL: all
    double *weight; // above 0 (nelement)
    int ncell;      // triangles of cavities' walls that stand for all, see cavity_cells.h; 0: all
    int *cell;      // (ncell x 2) the row that is the cavity, and its triangle; ascending
    double *cell_weight; // above 0 (ncell)
    lithe_patch_kind patch_kind;
    int npatch; // nodes of a region that gives way in contact; ascending
    int *patch;
    int npatch_shape; // shapes that are there for it, the last ones
    int nrange;       // driven rows; 0: nobody knows over which range it was sampled
    reduction_range *range;
    uint64_t hash[REDUCTION_PARTS];
    lithe_reduction_info info; // how it was made, and how good it is
};

enum { REDUCTION_MODES = 192 };

static inline int reduction_ncoordinate(const lithe_reduction *r) // those of held frames too
{
    return r->nframe > 0 ? (6 + r->nshape) * r->nframe : r->nmode;
}

// What a model is, part by part.
void reduction_hash(const lithe_model *whole, uint64_t hash[REDUCTION_PARTS]);

// What samples are in contact with besides: a reduction may be used where that is elsewhere.
uint64_t reduction_contact_hash(const lithe_model *whole);

// LITHE_INVALID, said: a model that cannot be reduced; a reduction of another model.
lithe_status reduction_check_model(const lithe_model *whole, lithe_report *report);
lithe_status reduction_check(const lithe_reduction *r, const lithe_model *whole,
                             lithe_report *report);

// LITHE_INVALID, said: its patch is another one than the definition asks for.
lithe_status reduction_check_patch(const lithe_reduction *r, const lithe_reduction_def *d,
                                   const lithe_model *whole, lithe_report *report);
lithe_reduction_patch reduction_patch(const lithe_reduction *r);

// A file in memory; path: for messages.
lithe_status reduction_parse(const unsigned char *file, size_t bytes, const char *path,
                             lithe_reduction **out, lithe_report *report);

// Frames as a definition asks for them, with rigid sections and all elements.
lithe_status reduction_of_beam(const lithe_reduction_def *d, const lithe_model *whole,
                               lithe_reduction **out, lithe_report *report);
// LITHE_INVALID, said: it has other frames than the definition asks for.
lithe_status reduction_check_beam(const lithe_reduction *r, const lithe_reduction_def *d,
                                  lithe_report *report);

// The reduced model of a whole one, which it owns from then on; and what makes one of it that keeps
// all nodes.
lithe_status reduction_apply(const lithe_reduction *r, lithe_model *whole, lithe_model **out,
                             lithe_report *report);
lithe_status reduction_apply_nodes(const lithe_reduction *r, const lithe_model *whole,
                                   lithe_model *m, lithe_report *report);

#endif
