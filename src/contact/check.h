// How deep surfaces really are in each other: a check of what contact has come to, which shares no
// geometry, no search and no list of contacts with what finds them. It may be slower per pair of
// triangles than detection, but it misses nothing: triangles are tried against triangles with their
// edges and corners, shapes against whole triangles.
//
// The depth of a point in a solid is its distance from the solid's surface. What overlaps is as
// deep as the deepest point of either surface in the other, the sharp edges of boxes and cylinders
// included; what is thick (rods, shells) stands off its middle by its radius. Triangles whose nodes
// are all held are tried as solids only, never as what goes into another: no force could move them.
//
// Depths are never overstated, and understated by about a hundredth at most where they are more
// than `small`. Of a body in itself what is next to
// a point on its own side counts as surface too, so that depths end at about the size of triangles.
#ifndef CONTACT_CHECK_H
#define CONTACT_CHECK_H

#include "base/arena.h"
#include "contact/shape.h"
#include "lithe/lithe.h"

#include <stdbool.h>

// What a surface is made of: triangles, or, where ntri is 0, segments. The arrays must outlive what
// is built from them.
typedef struct check_source {
    int nvertex;
    const int *node;      // (nvertex) among the nodes of all bodies; -1: of an obstacle
    const double *rest;   // (nvertex x 3) m; of an obstacle in its own frame
    const double *radius; // (nvertex) m: how far the surface stands off, 0 for solids
    int frame;            // of the obstacle that it is the mesh of; -1: of a body
    int ntri;
    const int *tri; // (ntri x 3) normals out of the material
    int nsegment;
    const int *segment; // (nsegment x 2)
} check_source;

// Two things that may not overlap: a surface, and another surface or a shape.
typedef struct check_pair {
    int first;
    int second; // -1: a shape
    int shape;  // where second is -1
    bool self;  // both surfaces are of one body: what was together at rest may be
    bool meant; // overlaps by design: looked at apart from the others
} check_pair;

typedef struct check_world check_world; // what there is; never changes
typedef struct check_work check_work;   // of a state

typedef struct check_world_def {
    int nsurface;
    const check_source *surface;
    int nshape;
    const contact_shape *shape; // those that are meshes are among the surfaces too
    int npair;
    const check_pair *pair;
    const bool *held; // nodes of all bodies that cannot move
} check_world_def;

lithe_status check_world_build(const check_world_def *from, arena *memory, check_world **out);
lithe_status check_work_create(const check_world *world, arena *memory, check_work **out);

// Where things are.
typedef struct check_positions {
    const double *x;            // nodes of all bodies (nnode x 3) m
    const contact_frame *shape; // (nshape)
    const bool *off;            // pairs that are switched off (npair), or NULL
} check_positions;

typedef struct check_depth {
    double depth; // m; 0: nothing is deeper than `ignored`
    int pair;     // that is deepest; -1: none
    double at[3]; // where, m
} check_depth;

// The deepest overlap of all pairs that are meant, or of those that are not. Depths up to `ignored`
// are nothing (surfaces that are merely in contact overlap by rounding); up to `small` they are
// told, but not looked at as closely.
check_depth check_overlap(const check_world *world, check_work *work, const check_positions *at,
                          bool meant, double ignored, double small);

#endif
