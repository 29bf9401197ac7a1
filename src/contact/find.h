// The parts of contact_detect.
#ifndef CONTACT_FIND_H
#define CONTACT_FIND_H

#include "contact/contact.h"

#define FIND_SAME_SIDE 0.5 // cosine between normals of one and the same side

// One pair, with everything needed to look at it.
typedef struct find {
    const contact_pair *pair;
    int pair_id;
    double far;                // gap from which on the first's vertices stand for the second's
    const contact_skin *a, *b; // b NULL: a shape
    const skin_pose *pa, *pb;
    const skin_pose *pa_before, *pb_before; // or NULL
    const contact_shape *shape;
    const contact_frame *at, *at_before;
    contact_list *list;
} find;

// Features, in the order in which ids count them.
typedef enum find_kind {
    FIND_VERTEX,
    FIND_VERTEX_BACK,
    FIND_FACE,
    FIND_EDGE,
    FIND_PATCH
} find_kind;

static inline uint64_t find_id(int pair, find_kind kind, int a, int b)
{
    return (uint64_t)pair << 52 ^ (uint64_t)kind << 48 ^ (uint64_t)(unsigned)a << 24 ^
           (uint64_t)(unsigned)b;
}

// Calls look(f, item) for every triangle or segment of the first skin that may be near the shape.
void find_near_shape(find *f, void (*look)(void *f, int item));

// Starts a contact; NULL: there is no room.
contact *find_open(find *f, uint64_t id, double gap, const double normal[3], const double at[3],
                   double area);

// Remembers a gap that no row will know of.
void find_leave(contact_list *list, double gap, int pair);

// A vertex of a skin that takes part with a weight; obstacles' vertices have no node.
void find_entry(find *f, contact *c, const contact_skin *s, int vertex, double weight);

// Outward normals that face each other, as seen along the contact's normal.
bool find_faces(const double own[3], const double normal[3]);

void find_vertices_of_shape(find *f); // vertices against a shape
void find_faces_of_shape(find *f);    // edges and faces that a shape's bulge or corner touches
void find_vertices_of_skin(find *f);  // vertices of either skin against the other's triangles
void find_edges_of_skin(find *f);     // sharp edges that cross
void find_segments_of_shape(find *f); // rods on a shape, between their vertices
void find_segments_of_skin(find *f);  // rods on edges and corners, and on other rods

// Normal of a triangle, and weights of its corners at the foot of p on its plane, which may lie
// outside. False: it has no area.
bool find_plane(const double p[3], const double *const corner[3], double n[3], double weight[3]);

// Does neither face beside the edge reach further along n than the edge itself?
bool find_ridge(const contact_skin *s, const skin_pose *p, int edge, const double n[3]);

// Inverse of a symmetric matrix (nspan x nspan), nspan 1 or 2, on the directions along which it is
// not small: along the others any point is about as near, and the nearest one does not follow.
void find_invert(int nspan, const double M[4], double inverse[4]);

// Where a vertex of a skin first meets a shape on its way from `start` to `end`; false: nowhere.
bool sweep_shape(const contact_shape *s, const contact_frame *at, const double start[3],
                 const double end[3], double hit[3], double normal[3]);

// The same for the triangles of a skin.
bool sweep_skin(const contact_skin *s, const skin_pose *p, const double start[3],
                const double end[3], skin_point *hit);

// One row for each patch that overlaps; its gap at another place.
void find_volumes(find *f, const contact_world *world, const contact_poses *poses);
bool volume_gap(const contact_world *world, const contact *c, const contact_place *at, double *gap);

// Puts the nearest ones together until there are at most `most`.
void merge_to(contact_list *list, int most);

#endif
