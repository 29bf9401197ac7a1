// Proximity: every pair of features of two surfaces that are nearer to each other than a reach,
// with their distance and its derivatives.
//
// Pairs are complete: every vertex with every face (or rod, or point) and every edge with every
// edge of the other side, both ways, whatever they look like, as long as they are within reach; a
// surface with itself as well, without what is incident. There is no limit to their number, and
// which side is named first makes no difference: the same pairs come in the same order with the
// same ids.
//
// How to use it, in a step:
//
// clang-format off
//     proximity_positions_at(world, at, x, frame);          // vertices from nodes and obstacles
//     while ((n = proximity_find(world, at, &filter, reach, &list)) > list.max)
//         proximity_reserve(&list, n);                      // once in a while; else no allocation
//     of each pair p: proximity_measure_pair(world, at, p, &m);     // distance, normal, shares
//                     proximity_entries(world, p, m.share, entry);  // the row over nodes
//                     proximity_hessian(world, at, p, &m, H);       // if wanted: d2(distance)
//                     proximity_weigh(world, at, p, &m, g, HW);     // if m.weight < 1 matters
// clang-format on
//
// See docs/theory/contact-proximity.md.
#ifndef CONTACT_PROXIMITY_H
#define CONTACT_PROXIMITY_H

#include "contact/contact_surface.h"

#include <stdint.h>

// Two things that may come into contact: a surface, and another surface, itself, or a shape that is
// not made of triangles (plane, cylinder, pipe).
typedef struct proximity_match {
    int first;  // surface
    int second; // surface, may be the first: self contact; -1: a shape
    int shape;  // where second is -1; its rims, if any, are looked after too (rim)
    // Both are of one body: vertices of the same nodes, and what is beside them, are in no contact.
    bool self;
} proximity_match;

typedef struct proximity_world {
    int nsurface;
    const contact_surface *surface;
    int *vertex_adr; // (nsurface + 1) of each surface's vertices among all; written by ..._prepare
    int nshape;
    const contact_shape *shape; // (nshape) of all obstacles, each with its frame
    int *rim;                   // (nshape) surface of its rims, -1: none; by ..._prepare
    int nmatch;
    const proximity_match *match;
    int **twin;  // (nmatch) of each vertex of the first surface the same one of the second, -1:
                 // none; NULL unless both are different surfaces of one body; by ..._prepare
    double soft; // m: over this length rows of edges and faces with rims come in; about d_hat
} proximity_world;

// Fills vertex_adr, rim and twin. Surfaces of rims are those rigid surfaces whose frame
// is that of the shape: they are in no match of their own.
lithe_status proximity_world_prepare(proximity_world *world, arena *memory);

// Pairs of surfaces that were nearer than a margin when the vertices were at x. As long as nothing
// has gone far from there, no others can be near: boxes need not be looked at.
typedef struct proximity_kept {
    double margin;                    // m; 0: nothing is kept
    double slack;                     // how much farther than needed is looked, m
    double *x;                        // (nvertex x 3)
    double *measured;                 // where distances of the pairs were measured (nvertex x 3)
    double moved;                     // the farthest that a vertex goes from there, m
    int max, *adr;                    // (nmatch + 1) where those of each match begin
    struct proximity_candidate *pair; // (max)
    double *distance;                 // of each as it was measured (max), m
} proximity_kept;

// Where everything is; of the state. x and frame are written by proximity_positions, boxes by
// proximity_find.
typedef struct proximity_positions {
    int nvertex;
    double *x;                // (nvertex x 3) all vertices of all surfaces, m
    contact_frame *frame;     // (nshape) all obstacles
    box3 *cell, *node;        // of all surfaces' trees, one after the other
    int *cell_adr, *node_adr; // (nsurface + 1)
    double *thick;            // (all cells) how far its surface stands off, m
    box3 *vertex, *edge;      // of all surfaces' vertices and edges, or around their ways
    int *edge_adr;            // (nsurface + 1)
    proximity_kept kept;
} proximity_positions;

lithe_status proximity_positions_create(const proximity_world *world, arena *memory,
                                        proximity_positions *out);

// x: nodes of all bodies; frame: (nshape).
void proximity_positions_at(const proximity_world *world, proximity_positions *positions,
                            const double *x, const contact_frame *frame);

// What two features make a pair. Points are vertices; those of feature a come first.
typedef enum pair_kind {
    PAIR_VERTEX_VERTEX, // two thick points
    PAIR_VERTEX_EDGE,   // a vertex and a rod's segment
    PAIR_VERTEX_FACE,   // a vertex and a triangle
    PAIR_EDGE_EDGE,
    PAIR_SHAPE_VERTEX, // a shape that is not made of triangles and a vertex,
    PAIR_SHAPE_EDGE,   // an edge,
    PAIR_SHAPE_FACE,   // a triangle
} pair_kind;

enum { PROXIMITY_POINTS = 4 }; // of a pair, at most

typedef struct proximity_pair {
    uint64_t id; // the same from step to step as long as the same features meet; never 0
    int match;
    pair_kind kind;
    int npoint;                   // 1 to 4
    int vertex[PROXIMITY_POINTS]; // points, among all vertices of all surfaces
    int surface[2];               // of a and of b; of b -1: a shape
    int feature[2]; // number of a and of b among the surface's vertices, edges or triangles
    int shape;      // of PAIR_SHAPE_…; else -1
    // Feature a is of the match's second surface and b of its first: the normal, which goes from b
    // to a, then goes from first to second.
    bool swapped;
    double thickness; // of both, m
    double parallel;  // EDGE_EDGE: squared cross product below which the weight fades, m^4
} proximity_pair;

// Of one pair at one position.
//
// The distance is that of the two closed features (a face with its edges and corners), less the
// thickness; to shapes it is signed. It is at least once continuously differentiable where it is
// above -thickness, except where edges are parallel: there `weight` fades the pair out.
typedef struct proximity_measure {
    double distance;  // m
    double normal[3]; // of length 1, from b to a; from a shape to the surface
    double share[4];  // d(distance)/d(point i) = share[i] * normal. a's add up to 1, b's to -1
    int free;         // dimension of the features between which the distance is: 0 vertex-vertex,
                      // 1 vertex-edge, 2 vertex-face or edge-edge
    // The potential of a pair is weight * b(distance). 1, but less between edges that are nearly
    // parallel, where other pairs hold the same position; and less at edges and faces against
    // rims whose lowest point is hardly lower than its ends. Continuously differentiable.
    double weight;
    double edge; // how far from degenerate: least |share| of an EDGE_EDGE; else least of the
                 // slack of a SHAPE_EDGE or SHAPE_FACE over its ends in m (0: an end is as low)
} proximity_measure;

void proximity_measure_pair(const proximity_world *world, const proximity_positions *positions,
                            const proximity_pair *pair, proximity_measure *out);

// H: second derivative of the distance by the points, (3 npoint x 3 npoint) row-major, symmetric,
// 1/m. Exact, by formula. Obstacles' frames are held.
void proximity_hessian(const proximity_world *world, const proximity_positions *positions,
                       const proximity_pair *pair, const proximity_measure *m, double *H);

// First (3 npoint) and second derivative (as above) of the weight by the points. Both 0, and false
// returned, where the weight is 1 all around. H may be NULL.
bool proximity_weigh(const proximity_world *world, const proximity_positions *positions,
                     const proximity_pair *pair, const proximity_measure *m, double *g, double *H);

enum { PROXIMITY_ENTRIES = 4 * SURFACE_FACE };

// What one node has to do with a pair: d(distance)/d(x_node) = weight * normal.
typedef struct proximity_entry {
    int node;
    double weight;
} proximity_entry;

// The row over nodes, ascending, each node once. Returns how many; rigid points have none.
int proximity_entries(const proximity_world *world, const proximity_pair *pair,
                      const double share[4], proximity_entry entry[PROXIMITY_ENTRIES]);

// Nodes of point i of a pair with their weights, straight from the surface: for mapping H. Returns
// how many; 0 where it is rigid.
int proximity_point(const proximity_world *world, const proximity_pair *pair, int i,
                    const surface_entry **entry);

// Which side of a pair a point is of: 0 for a, 1 for b.
int proximity_side(const proximity_pair *pair, int i);

typedef struct proximity_list {
    int n, max;
    proximity_pair *pair;  // (max)
    proximity_measure *at; // of each (max)
} proximity_list;

lithe_status proximity_reserve(proximity_list *list, int n);
void proximity_list_free(proximity_list *list);

// What is left out: matches that are switched off (nmatch), pairs all of whose nodes are held
// (nodes of all bodies). Each may be NULL.
typedef struct proximity_filter {
    const bool *off;
    const bool *held;
} proximity_filter;

// All pairs whose distance is less than reach (m), in an order that depends only on which they are.
// Returns how many there are; the first list->max of them are in the list. Allocates nothing.
int proximity_find(const proximity_world *world, proximity_positions *positions,
                   const proximity_filter *filter, double reach, proximity_list *list);

#endif
