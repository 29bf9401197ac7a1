// The parts of check_overlap.
#ifndef CONTACT_CHECK_INSIDE_H
#define CONTACT_CHECK_INSIDE_H

#include "contact/check_surface.h"

struct check_world {
    int nsurface;
    check_surface *surface;
    int nshape;
    const contact_shape *shape;
    int npair;
    check_pair *pair;
};

struct check_work {
    check_pose *pose;    // (nsurface)
    check_depth deepest; // so far
    double best;         // its depth, or what is ignored
    double small;
    double contact_distance; // distance at which surfaces may come into contact or cross, m
};

// A point, edge or face of surface a, which is looked for in the solid b.
typedef struct check_probe {
    check_work *work;
    int pair;
    bool self; // a and b are of one body
    const check_surface *a, *b;
    check_pose *pa, *pb;
    // the feature; of one body, what has a vertex of it is left out
    int nown, own[3];  // vertices of a; none of a shape
    int non, on[3];    // those of them that points are on: of a vertex, an edge, or a face
    double outward[3]; // out of the material there; 0: not known
    double offset;     // how far the surface stands off it, m
    bool spreads;      // whether points are inside is asked of those that are not deepest too
} check_probe;

// Tells the work of a depth.
void check_tell(check_work *w, int pair, double depth, const double at[3]);

// What is known of a point.
typedef struct check_point {
    bool near;       // nothing there can be deeper than what is known: item `witness` is near
    int witness;     // nearest item of b, or one that is near
    double distance; // m, where it is not near
    bool inside;     // … and then whether it is inside of b
} check_point;

// Distance of a point from b and whether it is inside; tells the work.
check_point check_look(const check_probe *p, const double x[3]);

// The feature of a probe: an item of a, a vertex of an item, an edge.
void check_own_item(check_probe *p, int item);
void check_own_vertex(check_probe *p, int item, int vertex);
void check_own_edge(check_probe *p, int edge);

// The deepest point on a segment, on a triangle: looked for in halves and quarters that may still
// hold something deeper than is known.
void check_along(const check_probe *p, const double a[3], const double b[3], int levels);
void check_over(const check_probe *p, const double *const corner[3], int levels);

// A segment, cut where it goes through b; whole: also where it does not.
void check_cut(const check_probe *p, const double a[3], const double b[3], int levels, bool whole);

// Pairs of surfaces without thickness; of surfaces of which one is thick; of a surface and a shape.
void check_solids(check_work *w, const check_world *world, int pair);
void check_thick(check_work *w, const check_world *world, int pair);
void check_with_shape(check_work *w, const check_world *world, int pair, const contact_frame *at);

#endif
