// Contacts: where two surfaces are nearer than the alarm distance, as rows. A contact is a gap (m)
// and its derivative by the nodes; what force it carries is the step's business.
#ifndef CONTACT_CONTACT_H
#define CONTACT_CONTACT_H

#include "contact/shape.h"
#include "contact/skin.h"

#include <stdint.h>

// Two things that may touch: a skin, and another skin or a shape.
typedef struct contact_pair {
    int first;       // skin
    int second;      // skin; -1: a shape
    int shape;       // where second is -1
    bool self;       // both skins are of one body: neighbours do not touch
    bool volume;     // one row for each region where they overlap, instead of one for each point
    double patch;    // volume: largest region (m); 0: no limit
    double alarm;    // farthest gap at which a contact is a row, m
    double friction; // coefficient of Coulomb's law
} contact_pair;

// What one node has to do with a contact.
typedef struct contact_entry {
    int node;      // among the nodes of all bodies
    double weight; // share of the contact's force that acts on it; negative on the second side
    double H[3];   // d(gap)/dx
} contact_entry;

typedef struct contact {
    uint64_t id; // the same from step to step as long as the same features meet
    int pair;
    int adr, n;          // its entries
    double gap;          // m, negative: they overlap
    double normal[3];    // of length 1, from the second side to the first
    double at[3];        // on the surface of the second side, m
    double area;         // of the first side's surface that it stands for, m^2
    bool curved;         // against a shape, one vertex, edge or face:
    double curvature[9]; // second derivative of the shape's distance there, 1/m
} contact;

// Contacts of a state, refilled by contact_detect.
typedef struct contact_list {
    int n, max;
    contact *contact; // (max)
    int nentry, max_entry;
    contact_entry *entry; // (max_entry)
    int lost;             // that found no room, so that nothing can be said of them
    int merged;           // that were put together because there were more than wanted
    // scratch of merging
    int *cluster, *order; // (max)
    double *distance;     // (max)
    contact *kept;        // (max)
    contact_entry *pool;  // (max_entry)
} contact_list;

// What can touch.
typedef struct contact_world {
    int nskin;
    const contact_skin *skin;
    int nshape;
    const contact_shape *shape;
    int npair;
    const contact_pair *pair;
} contact_world;

// Where it is.
typedef struct contact_poses {
    const skin_pose *skin;             // (nskin)
    const skin_pose *before;           // (nskin) where the skins were when the step began, or NULL
    const contact_frame *shape;        // (nshape)
    const contact_frame *shape_before; // (nshape) or NULL
    const bool *off;                   // (npair) pairs that are switched off, or NULL
} contact_poses;

// Room for so many contacts before they are put together into fewer.
lithe_status contact_list_create(int max, arena *memory, contact_list *out);

// Finds all contacts of all pairs, and merges them into at most `most` rows that keep the wrench of
// an even pressure. With `before`, what moved through a surface since then is found too.
void contact_detect(const contact_world *world, const contact_poses *poses, int most,
                    contact_list *list);

// Second derivative of the gap of contact i by the nodes of its entries (3 n x 3 n, n <= 3), at the
// positions x of all bodies. False: it has none, or none that is known.
bool contact_curvature(const contact_list *list, int i, const double *x, double *H);

#endif
