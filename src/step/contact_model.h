// What can come into contact in a model, and how; never changes.
#ifndef STEP_CONTACT_MODEL_H
#define STEP_CONTACT_MODEL_H

#include "contact/proximity.h"
#include "contact/surface_direction.h"

#include <stdbool.h>

// How an obstacle moves from time 0 on.
typedef struct contact_path {
    int n;        // 0: it stays
    double *time; // (n) s
    double *way;  // (n x 6) rotate, move
} contact_path;

// Two sides as outsiders count them: all surfaces of a body are one.
typedef struct contact_sides {
    const char *name[2];
    bool off; // when the scene begins
} contact_sides;

// What one match of surfaces is like.
typedef struct contact_law {
    double kappa;                 // of the barrier, N/m
    double friction;              // Coulomb's coefficient when the scene begins
    double cling;                 // tangential stiffness of what sticks, N/m
    double across;                // … across a direction; below 0: the same in all
    int carrier;                  // the obstacle whose direction it is; -1: the first surface's
    double along[3];              // in the obstacle's own frame
    surface_direction *direction; // of every vertex of the first surface; NULL: there is none
    double restitution;           // of a blow
    double detection_distance;    // within which pieces of the inverse are told of, m
    bool rigid;                   // both sides are rigid bodies or obstacles
    int sides; // the pair that it belongs to; -1: a cable's points, which outsiders do not see
} contact_law;

// What can come into contact; never changes.
typedef struct model_contact {
    bool on;        // anything can
    int room;       // pairs that there is room for at the start
    double overlap; // that a realtime step may leave, m
    double reach;   // of the barrier, m
    double softest; // least mean stiffness of elements of a body that can come into contact, N/m
    double held_at; // least distance at which Signorini's law holds, m
    proximity_world world;
    bool *held;          // nodes that nothing moves (nnode)
    contact_law *law;    // (world.nmatch)
    contact_frame *pose; // of the obstacles when the scene begins (nshape)
    contact_path *path;  // how they move (nshape)
    const char **shape_name;
    struct check_source *solid; // what the surfaces are in truth (world.nsurface)
    int *shape_surface; // the mesh of an obstacle among the surfaces; -1: a formula (nshape)
    int nsides;
    contact_sides *sides;          // (nsides)
    double detection_distance;     // the largest of all matches, m
    bool global;                   // … and proved
    bool friction;                 // some match begins with friction
    bool bounces;                  // some match has a restitution
    const char *friction_location; // where the first of it is said; may be NULL
} model_contact;

#endif
