// The skin that touches: vertices, edges and triangles of a body's surface or of an obstacle's
// mesh, or of any part of them, or the thick segments of its rods, and what follows from their
// positions.
#ifndef CONTACT_SKIN_H
#define CONTACT_SKIN_H

#include "contact/nearest.h"
#include "contact/shape.h"
#include "contact/tree.h"

typedef struct contact_skin {
    int nvertex;
    int *node;      // (nvertex) among the nodes of all bodies; -1: of an obstacle
    double *rest;   // (nvertex x 3) m
    double *radius; // (nvertex) m: how far the surface stands off (beams, shells); 0 for solids
    int frame;      // of the obstacle that it is the mesh of; -1: of a body
    int ntri;
    int *tri;     // (ntri x 3) vertices, normals out of the material
    int nsegment; // of rods; only where there are no triangles
    int *segment; // (nsegment x 2) vertices
    int nedge;
    int *edge;     // (nedge x 4) two vertices, two triangles; the second is -1 at a rim
    int *tri_edge; // (ntri x 3) edge (i, i + 1) of each triangle
    bool closed;   // every edge has two triangles: there is an inside
    tree tree;     // of the triangles; of the segments where there are no triangles
} contact_skin;

// What a skin is made of: triangles (ntri x 3) of nodes of x (nnode x 3, rest positions), or, where
// ntri is 0, segments (nsegment x 2). node_adr: of node 0 among the nodes of all bodies; -1: it is
// an obstacle's mesh, in the obstacle's own frame. radius: of every node (nnode), or NULL.
typedef struct skin_source {
    int nnode;
    const double *x;
    int node_adr;
    int frame; // of an obstacle
    int ntri;
    const int *tri;
    int nsegment;
    const int *segment;
    const double *radius;
} skin_source;

lithe_status skin_build(contact_skin *s, const skin_source *from, arena *memory);

// Where a skin is; of the state.
typedef struct skin_pose {
    double *x;             // (nvertex x 3) m
    double *tri_normal;    // (ntri x 3) of length 1
    double *edge_normal;   // (nedge x 3) of length 1, between those of its triangles
    double *vertex_normal; // (nvertex x 3) of length 1, mean weighted by angles
    double *area;          // (nvertex) a third of the triangles around it, m^2
    box3 *item, *node;     // (items of the tree), (nodes of the tree)
} skin_pose;

lithe_status skin_pose_create(const contact_skin *s, arena *memory, skin_pose *out);

// Normals, areas and boxes at p->x.
void skin_fit(const contact_skin *s, skin_pose *p);

// p->x from the nodes of all bodies (nnode x 3), of an obstacle's mesh from the frames of all
// obstacles; then skin_fit.
void skin_follow(const contact_skin *s, skin_pose *p, const double *x, const contact_frame *frame);

// The nearest point of a skin's triangles.
typedef struct skin_point {
    int tri; // -1: nothing within reach
    nearest_feature feature;
    double weight[3];
    double at[3];     // m
    double normal[3]; // of the feature, out of the material, length 1
    double distance;  // m, negative behind the surface
} skin_point;

// Within `reach` of p, on either side.
skin_point skin_nearest(const contact_skin *s, const skin_pose *p, const double point[3],
                        double reach);

#endif
