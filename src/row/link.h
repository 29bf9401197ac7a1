// Rows of joints: what stays 0 between two frames, either of which may be the world.
//
//     delta = s . w,    s = R1 first,    w = p2 - p1, or R2 second
//
// with points p1, p2 and directions that each side carries. Efforts are forces: directions that are
// compared are as long as a lever (m). docs/theory/joints.md
#ifndef ROW_LINK_H
#define ROW_LINK_H

#include "row/row.h"

// What a row of a joint does, or a motor's.
typedef enum link_role {
    LINK_HOLDS,  // stays 0
    LINK_DRIVES, // is an actuator's
    LINK_SPRING, // gives way by the force of a spring and damper
    LINK_STOPS,  // does not pass a limit
    LINK_RUBS,   // sticks, up to a force
    LINK_LEADS,  // follows a path
} link_role;

typedef struct row_link {
    link_role role;
    int joint;                 // whose it is
    bool back;                 // its first side is the joint's second
    double stiffness, damping; // of a spring
    double aim;                // … where it pulls to; of a stop, where that is
    bool by_points;
    bool vector;        // instead: a component of the rotation vector of the second side
    int component;      //
    bool twist;         // instead: the angle from s to w about an axis that the first side carries
    double axis[3];     // twist: of length 1, normal to both directions at rest
    row_point point[2]; // by_points
    int rotation[2];    // nodes among those of all bodies that carry the directions; -1: the world
    double direction[2][3]; // at rest: of length 1, and the second, unless by_points, a lever (m)
    struct row_link *other; // less ratio times what this one measures; NULL: nothing
    double ratio;           //
    double period;          // by which its angles may differ and mean the same; 0: none
    struct link_blocks *block; // where A has its second derivatives; NULL until link_finish
} row_link;

enum { LINK_NODES = 2 * (2 * ROW_POINT_NODE + 2) }; // most that one has, with another

int link_nodes(const row_link *link, int *node); // as often as it names them
double link_value(const row_link *link, const double *x);

// H (nnode x 3) += its gradient; node: ascending.
void link_gradient(const row_link *link, const double *x, int nnode, const int *node, double *H);

// Second derivatives within each body: declared, looked up, and, times `scale`, added to A. What a
// link does to one body when the other moves has no block.
lithe_status link_couple(const row_link *link, int body_id, const body *b, sparse_builder *builder);
lithe_status link_finish(row_link *link, int nbody, const body *bodies, arena *memory);
void link_stiffness(const row_link *link, const double *x, double scale, double *const *blocks);

// force += scale times the second derivative times a motion of all nodes, other bodies' included.
void link_stiffness_times(const row_link *link, const double *x, double scale, const double *motion,
                          double *force);

// What an effort on it does to the second side where the joint is: force += (N), moment += (N m).
void link_load(const row_link *link, const double *x, double effort, double force[3],
               double moment[3]);

#endif
