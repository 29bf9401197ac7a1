// Surfaces that overlap already: which vertices and edges are inside of what, and how they come
// out. Only for starts and jumps of obstacles; a step never lets anything overlap.
#ifndef CONTACT_PENETRATION_H
#define CONTACT_PENETRATION_H

#include "contact/proximity.h"

// A pair with a signed distance. Its normal points out of b's material, towards where a should be:
// moving a along it and b against it by as much as -distance in all takes the pair apart.
typedef struct penetration {
    proximity_pair pair;
    double distance;  // m, negative: inside
    double normal[3]; // from b to a, out of b
    double share[4];  // d(distance)/d(point i) = share[i] * normal
} penetration;

typedef struct penetration_list {
    int n, max;
    penetration *item; // (max)
    // scratch, of all vertices of all surfaces
    int nvertex;
    double *normal;       // (nvertex x 3) out of the material, weighted by angles
    penetration *nearest; // (nvertex) what is nearest to each
    bool *near;           // (nvertex) anything is
} penetration_list;

// Room for n items; call it before the first look.
lithe_status penetration_reserve(const proximity_world *world, penetration_list *list, int n);
void penetration_list_free(penetration_list *list);

// Everything whose signed distance is below `below` (m; may be 0 or a little more: what is in
// contact) and above -deep: vertices in closed or open surfaces, by their nearest face and its
// outward normal; convex edges through convex edges; vertices and edges in shapes; rods, sheets and
// round obstacles by the distance of their cores. Of a surface with itself only what faces each
// other at rest: a thin wall is not inside of its own other side. Returns how many there are, of
// which the first list->max are in the list. Allocates nothing.
int penetration_find(const proximity_world *world, proximity_positions *positions,
                     const proximity_filter *filter, double below, double deep,
                     penetration_list *list);

#endif
