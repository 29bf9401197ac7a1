// Pressure on triangles: the force of a unit pressure, and how it rotates with the surface.
//
// V = sum of the signed volumes under the triangles; its gradient is the force of unit pressure on
// a closed surface: every node of a triangle gets f = (x1 - x0) x (x2 - x0) / 6. On an open surface
// f is still that force, while the derivative below is the symmetric part of the true one.
#ifndef BODY_PRESSURE_H
#define BODY_PRESSURE_H

#include "sparse/sparse.h"

// f += scale * (force of unit pressure along the normals). x is by node; f by slot, where slot has
// an entry for every corner of every triangle (tri itself: f is by node too).
void pressure_force(int ntri, const int *tri, const int *slot, const double *x, double scale,
                    double *f);

// blocks += scale * (symmetrized derivative of that force). block: from pressure_blocks.
void pressure_stiffness(int ntri, const int *tri, const double *x, double scale, const int *block,
                        double *blocks);

// K += s [v]x
static inline void pressure_add_cross(double s, const double v[3], double K[9])
{
    K[1] -= s * v[2];
    K[2] += s * v[1];
    K[3] += s * v[2];
    K[5] -= s * v[0];
    K[6] -= s * v[1];
    K[7] += s * v[0];
}

// f += scale * (change of that force when the nodes move by displacement); all by node.
void pressure_rate(int ntri, const int *tri, const double *x, const double *displacement,
                   double scale, double *f);

// For each triangle and each pair of its corners a > b, in the order (1,0) (2,0) (2,1): 2 * block +
// transposed, or -1 when one of the nodes is held. row: block row of every node. out: (ntri x 3).
void pressure_blocks(const sparse_pattern *pattern, const int *row, int ntri, const int *tri,
                     int *out);

#endif
