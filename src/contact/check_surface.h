// The surfaces that the check of overlaps looks at, and its own tree of boxes over them.
#ifndef CONTACT_CHECK_SURFACE_H
#define CONTACT_CHECK_SURFACE_H

#include "contact/check.h"
#include "contact/check_geometry.h"

// Items of a range of the order, halved again and again; the first half of node k is node k + 1.
typedef struct check_node {
    int first, n;
    int second; // the other half; 0: it is not halved
} check_node;

typedef struct check_surface {
    check_source from;
    int nitem, corners; // triangles (3) or segments (2)
    const int *item;    // (nitem x corners) vertices
    int nedge, *edge;   // of triangles (nedge x 2) vertices
    int *item_edge;     // (nitem x 3)
    int *around_adr;    // items about each vertex (nvertex + 1)
    int *around;        // (nitem x corners)
    bool *held;         // (nitem) as a whole
    bool closed;        // there is an inside
    bool hollow;        // … and it is the outside
    double thick;       // largest radius, m
    int npiece, *piece; // connected ones: a vertex of each
    int nnode, *order;  // of the tree: items (nitem)
    check_node *node;   // (nnode)
} check_surface;

// Where it is.
typedef struct check_pose {
    double *x;                    // (nvertex x 3) m
    check_box *box;               // (nitem)
    check_box *node;              // (nnode)
    unsigned char *marked;        // items that meet the other surface (nitem)
    unsigned char *edge, *vertex; // that were looked at (nedge), (nvertex)
    int *stack;                   // (nvertex)
} check_pose;

lithe_status check_surface_build(const check_source *from, const bool *held, arena *memory,
                                 check_surface *out);
lithe_status check_pose_create(const check_surface *s, arena *memory, check_pose *out);
// margin: of the boxes, m
void check_pose_fit(const check_surface *s, check_pose *p, const check_positions *at,
                    double margin);

// Corners and radii of an item, whose vertices are at x.
static inline check_item check_item_of(const check_surface *s, const double *x, int item)
{
    check_item out = {.n = s->corners};
    for (int i = 0; i < s->corners; i++) {
        int v = s->item[s->corners * item + i];
        out.x[i] = &x[3 * v];
        out.radius[i] = s->from.radius[v];
    }
    return out;
}

// Do two items have a node in common?
bool check_items_join(const check_surface *a, int i, const check_surface *b, int j);

enum { CHECK_DEPTH = 64 }; // of the tree

#endif
