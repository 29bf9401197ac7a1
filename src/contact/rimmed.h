// Edges and faces against a convex body of revolution that has rims, such as a cylinder or a cone:
// the least signed distance along them, in the body's own frame (axis z). All that is asked of it
// is its meridian and its support (shape_traits.h).
//
// The distance phi is convex. Along an edge or over a face, points p(t) = sum of share_i(t) x_i,
// its least value f has, with n = grad phi, D = grad^2 phi, T = dp/dt and C = d(share)/dt
//
//     grad f   = share (x) n
//     grad^2 f = share share' (x) D - F (T'DT)^-1 F',    F = C (x) n + share (x) D T
//
// Where an end of the edge, or an edge of the face, is as low, another row is there already: the
// weight of this one goes to 0 with the slack, f(end) - f. A face's own lowest point is always
// before a point of a rim, or a cone's tip. It jumps along the rim where the face is parallel to
// the cap: the weight fades with the squared sine between them; points of the rim hold such a face
// (contact_surface_of_shape). Before the tip there is nothing to jump to.
#ifndef CONTACT_RIMMED_H
#define CONTACT_RIMMED_H

#include "contact/shape.h"

#include <stdbool.h>

typedef struct rimmed_form {
    int n; // points: 2 or 3
    double distance;
    double normal[3]; // grad phi at the lowest point
    double share[3];
    double slack;  // least of f(end) - f, 0 where an end is the lowest point
    double weight; // in [0, 1]
} rimmed_form;

// soft: m, over which length of slack the weight rises to 1.
void rimmed_edge(const contact_shape *s, const double *const *x, double soft, rimmed_form *out);
void rimmed_face(const contact_shape *s, const double *const *x, double soft, rimmed_form *out);

// The same without slack and weight.
void rimmed_lowest(const contact_shape *s, int n, const double *const *x, rimmed_form *out);

// Second derivative of the distance (3 n x 3 n).
void rimmed_hessian(const contact_shape *s, const double *const *x, int n, double *H);

// Derivatives of the weight, g (3 n) and H (3 n x 3 n).
void rimmed_weigh(const contact_shape *s, const double *const *x, int n, double soft, double *g,
                  double *H);

#endif
