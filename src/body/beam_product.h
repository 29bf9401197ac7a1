// The arithmetic of a beam space, for each instruction set. Sides go eight at a time. Lines are
// whole vectors of eight, with zeros behind their end, `stride` numbers from one to the next; what
// is added to need not be aligned, and has room for a whole vector behind its end.
#ifndef BODY_BEAM_PRODUCT_H
#define BODY_BEAM_PRODUCT_H

#include "base/lanes.h"

enum { BEAM_SHAPES_MAX = 12 };

// Where a frame is.
typedef struct beam_pose {
    double c[3], R[9], s[BEAM_SHAPES_MAX];
} beam_pose;

// Eight sides of one frame, see beam_space.h; empty lanes are of no node and weigh nothing.
typedef struct beam_sides {
    _Alignas(64) double weight[LANES];
    double arm[3][LANES];
    double (*shape)[LANES]; // (nshape x 3)
    int node[LANES];        // -1: none
} beam_sides;

typedef struct beam_kernels {
    // Of n batches of a frame, with nshape shapes. x += where it takes its nodes; dx += how they
    // move with dq (6 + nshape); out (6 + nshape) += J' of forces f on nodes
    void (*position)(int n, const beam_sides *b, int nshape, const beam_pose *p, double *x);
    void (*push)(int n, const beam_sides *b, int nshape, const beam_pose *p, const double *dq,
                 double *dx);
    void (*pull)(int n, const beam_sides *b, int nshape, const beam_pose *p, const double *f,
                 double *out);
    // … M (3 x 3) = sum of arms f', T (nshape x 3) = sum of shapes x f, both in the frame
    void (*moments)(int n, const beam_sides *b, int nshape, const beam_pose *p, const double *f,
                    double M[9], double *T);
    // Columns of dx/dq of one side: weight dc + spin x arm + R shapes ds, with shapes (3 x n)
    void (*columns)(int n, const double R[9], const double *shapes, double weight,
                    const double arm[3], int stride, double *out);
    // out (3 x n) += K (3 x 3) J (3 x n)
    void (*multiply)(int n, int stride, const double *J, const double K[9], int out_stride,
                     double *out);
    // A (nrow x …) += J' KJ over nline lines, on and below the diagonal, which begins `before`
    // columns after the first; J (nline x nrow), KJ (nline x ncolumn)
    void (*square)(int nline, int nrow, int stride, const double *J, int before, int ncolumn,
                   int KJ_stride, const double *KJ, int A_stride, double *A);
} beam_kernels;

static inline int beam_whole(int n) // vectors, in numbers
{
    return (n + LANES - 1) / LANES * LANES;
}

const beam_kernels *beam_choose(void); // the best that the processor can run
const beam_kernels *beam_variant(int variant);

#endif
