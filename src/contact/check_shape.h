// What the check of overlaps knows of shapes: a table of its own, which shares no formula with that
// of shape_traits.h.
#ifndef CONTACT_CHECK_SHAPE_H
#define CONTACT_CHECK_SHAPE_H

#include "contact/check_geometry.h"

// How deep an item is in a shape, both in the shape's own frame, if deeper than `least`; at: the
// deepest point.
typedef double check_depth_of(const contact_shape *s, const check_item *i, double least,
                              double at[3]);

typedef struct check_kind {
    bool told; // by triangles, which are tried as the surface that they are: nothing else is asked
    double (*distance)(const contact_shape *s, const double q[3]);
    check_depth_of *thin, *thick; // of triangles without thickness; of everything else
    bool endless;                 // nothing of it lies inside of what is finite
    // What of it may lie inside of a surface where no triangle comes near: its middle, which goes
    // from end to end where it is `lengthy`, and what is sharp.
    bool lengthy;
    bool edges; // twelve, of a block
    bool tip;   // at the upper end of its axis
    int nrim;   // circles about its axis; the first one at the lower end
} check_kind;

extern const check_kind check_kinds[SHAPE_KINDS]; // by shape_kind

// Signed distance of a point in the shape's own frame, negative inside.
double check_shape_distance(const contact_shape *s, const double q[3]);

// How deep an item is in a shape, if deeper than `least`; else `least`.
double check_shape_depth(const contact_shape *s, const check_item *i, double least, double at[3]);

#endif
