// Contacts: where two surfaces are nearer than the alarm distance, as rows. A contact is a gap (m)
// and its derivative by the nodes; what force it carries is the step's business.
#ifndef CONTACT_CONTACT_H
#define CONTACT_CONTACT_H

#include "contact/shape.h"
#include "contact/skin.h"

#include <stdint.h>

// Distance over the alarm distance within which a face holds what is just beside its edge too.
#define CONTACT_CLOSE 0.02

// Half the thickness, over the alarm distance, of the soft edge of an overlap by volume.
#define CONTACT_LAYER 0.05

// The triangles of a skin in patches that look about the same way, for contact by volume.
typedef struct contact_patches {
    int n;
    int *adr;     // (n + 1) where those of each patch begin
    int *tri;     // (ntri)
    double *area; // (n) at rest, m^2
} contact_patches;

// Two things that may touch: a skin, and another skin or a shape.
typedef struct contact_pair {
    int first;                      // skin
    int second;                     // skin; -1: a shape
    int shape;                      // where second is -1
    bool self;                      // both skins are of one body: neighbours do not touch
    double alarm;                   // farthest gap at which a contact is a row, m
    double friction;                // coefficient of Coulomb's law
    const contact_patches *patches; // one row for each, instead of one for each point; or NULL
} contact_pair;

// What one node has to do with a contact.
typedef struct contact_entry {
    int node;      // among the nodes of all bodies
    double weight; // share of the contact's force that acts on it; negative on the second side
    double H[3];   // d(gap)/dx
} contact_entry;

// What is known of a contact's gap as a function of x.
typedef enum contact_form {
    CONTACT_LINE,   // its value and derivative where it was found
    CONTACT_FACE,   // a vertex above the plane of a face: feature = vertex, triangle
    CONTACT_EDGES,  // between the lines of two edges: feature = edge of the first, of the second
    CONTACT_VOLUME, // what is left of the overlap that a patch may have: feature = patch
} contact_form;

typedef struct contact {
    uint64_t id; // the same from step to step as long as the same features meet
    int pair;
    int adr, n;        // its entries
    double gap;        // m, negative: they overlap
    double least;      // where several were put together, or by volume, the least of their gaps
    double normal[3];  // of length 1, from the second side to the first
    double at[3];      // on the surface of the second side, m
    double area;       // of the first side's surface that it stands for, m^2
    double share;      // force for each newton of effort: 1, by volume less
    contact_form form; // between skins
    bool back;         // CONTACT_FACE: the vertex is of the second skin
    int feature[2];
    bool swept;          // it closed on the way here, and is the plane that it was there
    bool curved;         // against a shape, one vertex, edge or face:
    double curvature[9]; // second derivative of the shape's distance there, 1/m
} contact;

// Contacts of a state, refilled by contact_detect.
typedef struct contact_list {
    int n, max;
    contact *contact; // (max)
    int nentry, max_entry;
    contact_entry *entry; // (max_entry)
    int lost;             // that found no room: no row knows of them
    double rowless;       // least gap of what has no row: of those, and of what looks away, m
    int rowless_pair;     // … and whose it is
    int merged;           // that were put together because there were more than wanted
    // scratch of merging
    int *cluster;        // (max)
    double *distance;    // (max)
    contact *kept;       // (max)
    contact_entry *pool; // (max_entry)
} contact_list;

// What can touch.
typedef struct contact_world {
    int nskin;
    const contact_skin *skin;
    int nshape;
    const contact_shape *shape;
    int npair;
    const contact_pair *pair;
    bool one_sided; // of two skins the first's vertices stand for the second's nearby: fewer rows
    double slack;   // … as long as these are no deeper than that, m
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

// Finds all contacts of all pairs. If they are more than `most`, those that are far are left out,
// or, where that is not enough, all are merged into rows that keep the wrench of an even pressure.
// With `before`, what moved through a surface since then is found too.
void contact_detect(const contact_world *world, const contact_poses *poses, int most,
                    contact_list *list);

// If there are more than `most`, leaves out those that are far, as long as what is near has room.
void contact_leave_far(const contact_world *world, contact_list *list, int most);

// Where things are for one contact: the nodes of all bodies, the frames of all obstacles.
typedef struct contact_place {
    const double *x;
    const contact_frame *shape;
    const skin_pose *skin; // by volume: where the second side is
} contact_place;

// The gap of a contact between skins, or by volume, at another place, of the same features. False:
// it has no form there.
bool contact_gap(const contact_world *world, const contact *c, const contact_place *at,
                 double *gap);

// Takes a contact to another place; entry: its entries, up to four. False: it has no form there.
bool contact_follow(const contact_world *world, contact *c, contact_entry *entry,
                    const contact_place *at);

// How the gap bends: d2(gap) = -2 sum_t (slide_t . dx) (turn_t . dx) over the nodes of the entries,
// less gap times the square of the normal's turn, which is left out.
typedef struct contact_bend {
    double slide[2][4][3];
    double turn[2][4][3]; // 1/m
} contact_bend;

bool contact_bends(const contact_world *world, const contact *c, const contact_place *at,
                   contact_bend *out);

// Patches of about the given radius, m; 0: one that suits the alarm distance and the triangles.
lithe_status contact_patches_build(const contact_skin *s, double radius, double alarm,
                                   arena *memory, contact_patches *out);

// Tells -d2(gap)/dx2 of a contact by volume, block (3 x 3) by block of two nodes. positive: without
// the part that may be negative.
typedef void (*contact_add)(void *user, int line, int column, const double block[9]);
void contact_volume_bend(const contact_world *world, const contact *c, const contact_place *at,
                         bool positive, contact_add add, void *user);

// Is it a condition still? Not where the surface has turned away from the face's plane, so that the
// nearest point of it lies behind: there the plane goes through the air.
bool contact_holds(const contact_world *world, const contact_poses *poses, const contact *c);

// How far beside its face, or its edges, a contact is, m.
double contact_beside(const contact_world *world, const contact *c, const contact_place *at);

// Second derivative of the gap of contact i by the nodes of its entries (3 n x 3 n, n <= 3), at the
// positions x of all bodies. False: it has none, or none that is known.
bool contact_curvature(const contact_list *list, int i, const double *x, double *H);

#endif
