// Kinds of shapes: what each is to contact. All of a kind is one shape_traits in a file of its own,
// shape_NAME.c, and its entry in the table of shape.c. The check of overlaps has a table of its own
// (check_shape.h), as it shares no formula with this one; so have pictures (io/obstacle_draw.c).
#ifndef CONTACT_SHAPE_TRAITS_H
#define CONTACT_SHAPE_TRAITS_H

#include "contact/shape.h"

#include <stdbool.h>

enum {
    SHAPE_RIM = 48, // points on each rim
    SHAPE_VERTICES = 2 * SHAPE_RIM,
    SHAPE_TRIANGLES = 12,
};

// The vertices of a shape that meet others as those of bodies do: corners of triangles, the ends of
// one segment, or else single points.
typedef struct shape_skin {
    int nvertex;
    double x[3 * SHAPE_VERTICES]; // m
    double radius;                // how far the surface stands off all of them, m
    int ntri;
    int tri[3 * SHAPE_TRIANGLES]; // normals out of the solid
    bool segment;
} shape_skin;

// Of a body of revolution, at a point of the half-plane (r >= 0, z): the signed distance phi, its
// gradient there, and how it curves along the meridian and around the axis.
typedef struct meridian {
    double phi, nr, nz, k_along, k_around;
} meridian;

typedef struct shape_traits {
    bool told;    // by triangles of its own and no formula: it has nothing of what follows
    bool endless; // it has no skin
    bool hollow;  // solid is what lies outside
    // Signed distance of a point in the shape's own frame; n: its gradient, of length 1.
    double (*distance)(const contact_shape *s, const double q[3], double n[3]);
    // D += the second derivative of the distance
    void (*hessian)(const contact_shape *s, const double q[3], double D[9]);
    // The share of its way u that a point may go until the distance falls to `floor`. NULL: the
    // shape is convex, and so is its distance as a function of the point.
    double (*stride)(const contact_shape *s, const double q[3], const double u[3], double floor);
    void (*skin)(const contact_shape *s, shape_skin *out); // into zeros; NULL: endless
    // Edges that are circles about its axis. Where there are any, edges and faces have rows with it
    // (rimmed.h), and the points of its skin are on these circles, to hold faces that lie flat on
    // them. Then, and only then, there are
    int nrim;
    void (*meridian)(const contact_shape *s, double r, double z, meridian *out);
    // the point of its surface that goes farthest along n, which is of length 1 with the part
    // `side` across the axis; radius: of the circle that it lies on, 0: a tip. False: no single
    // point, or none of a rim, goes farthest.
    bool (*support)(const contact_shape *s, const double n[3], double side, double p[3],
                    double *radius);
} shape_traits;

extern const shape_traits *const shape_kinds[SHAPE_KINDS]; // by shape_kind

static inline const shape_traits *shape_traits_of(const contact_shape *s)
{
    return shape_kinds[s->kind];
}

// What several kinds have in common (shape_formula.c).

// To within +-limit.
double shape_clamp(double v, double limit);

// D += weight t t'
void shape_add_dyad(double D[9], double weight, const double t[3]);

// Distance from the core point `core`, less the radius about it; along x where they coincide.
double shape_round_distance(const double q[3], const double core[3], double radius, double n[3]);

// … its Hessian; off: from the nearest point of the core, 0 along axes along which the core goes.
void shape_round_hessian(const double off[3], const bool free[3], double D[9]);

// From the block |x_i| <= half[i]
double shape_block_distance(const double q[3], const double half[3], double n[3]);

// Of the distance from the axis, d(r): t t' / r.
void shape_axis_hessian(const double q[3], double weight, double D[9]);

// The gradient at q, by r from the axis, of what has the gradient (nr, nz) in the half-plane.
void shape_revolve(const double q[3], double r, double nr, double nz, double n[3]);

// Points around the rims of a shape, of two the lower one first, in turn.
void shape_rim_skin(const contact_shape *s, int nrim, shape_skin *out);

#endif
