// Distances of points, segments and triangles, and their derivatives by formula.
//
// The points of two features are x[0], x[1], …; r = sum of share[i] x[i] goes from the nearest
// point of b to that of a. Where a nearest point can slide (inside of a segment or triangle) the
// shares depend on parameters t with slopes C = d(share)/dt, and r is least by them: n . T = 0 with
// T = sum of C[i] x[i]. With M = (T'T)^-1 and U = C M
//
//     d        = |r|
//     grad d   = share (x) n
//     grad^2 d = share share' (x) Q / d - d (C M C') (x) n n' - sum over t of
//                (share U_t' (x) T_t n' + U_t share' (x) n T_t')
//
// where Q = I - n n' - T M T' projects onto what no parameter can follow: nothing between a vertex
// and a face or two edges, so that nothing there grows as d gets small.
#ifndef CONTACT_DISTANCE_H
#define CONTACT_DISTANCE_H

#include <stdbool.h>

// How many points a has and b has.
typedef struct distance_kind {
    int na, nb; // 1 1, 1 2, 1 3 or 2 2
} distance_kind;

typedef struct distance_form {
    int n;            // points
    double d;         // m
    double normal[3]; // r / d; where d is 0, any unit vector that is normal to both features
    double share[4];
    int nfree;          // parameters
    double slope[2][4]; // C
} distance_form;

void distance_find(distance_kind kind, const double *const *x, distance_form *out);

// H: (3 n x 3 n) 1/m
void distance_hessian(const distance_form *f, const double *const *x, double *H);

// c = |(x1 - x0) x (x3 - x2)|^2 with its derivatives, g (12), H (12 x 12); either may be NULL.
double distance_cross(const double *const *x, double *g, double *H);

#endif
