// Obstacles that a formula describes. A shape stands in its own frame, z along its axis; a pose
// puts it into the world. What kinds of them there are to contact: shape_traits.h.
#ifndef CONTACT_SHAPE_H
#define CONTACT_SHAPE_H

typedef enum shape_kind {
    SHAPE_PLANE,    // z <= 0 is solid
    SHAPE_SPHERE,   // radius about the origin
    SHAPE_CAPSULE,  // radius about the segment |z| <= half[2]
    SHAPE_BOX,      // |x_i| <= half[i]
    SHAPE_CYLINDER, // radius about the z axis, |z| <= half[2]
    SHAPE_PIPE,     // hollow: solid outside of radius about the z axis, endless
    SHAPE_CONE,     // radius at z = -half[2], falling to 0 at the tip, z = half[2]
    SHAPE_MESH,     // told by a skin, which stands in this shape's frame
} shape_kind;

enum { SHAPE_KINDS = SHAPE_MESH + 1 };

typedef struct contact_shape {
    shape_kind kind;
    double radius;  // m
    double half[3]; // m
} contact_shape;

// World from own frame: p = R q + at. Columns of R are the own axes.
typedef struct contact_frame {
    double R[9];
    double at[3]; // m
} contact_frame;

// A point of the world in the own frame.
void contact_frame_into(const contact_frame *at, const double p[3], double q[3]);

// Signed distance of a point of the world from the surface, negative inside; normal: the gradient,
// out of the solid, of length 1.
double shape_distance(const contact_shape *s, const contact_frame *at, const double p[3],
                      double normal[3]);

// Second derivative of the distance, symmetric; its kinks are left out.
void shape_hessian(const contact_shape *s, const contact_frame *at, const double p[3], double D[9]);

#endif
