// Products of a beam space's small blocks, for each instruction set. Lines are whole vectors of
// eight, with zeros behind their end; `stride` numbers from one to the next. What is not J need not
// be aligned, and has room for a whole vector behind its end.
#ifndef BODY_BEAM_PRODUCT_H
#define BODY_BEAM_PRODUCT_H

#include "base/lanes.h"

// Eight sides of one frame, see beam_space.h; empty lanes are of no node and weigh nothing.
typedef struct beam_sides {
    _Alignas(64) double weight[LANES];
    double arm[3][LANES];
    double (*shape)[LANES]; // (nshape x 3)
    int node[LANES];        // -1: none
    int frame;
} beam_sides;

typedef struct beam_kernels {
    // x of its nodes += where a frame at c with the rotation R takes them
    void (*position)(const beam_sides *b, int nshape, const double c[3], const double R[9],
                     const double *s, double *x);
    // out (3 x n) = R shapes (3 x n)
    void (*rotate)(int n, const double R[9], const double *shapes, int stride, double *out);
    // dx (3) = J (3 x n) dq; line (n) += J' f
    void (*push)(int n, int stride, const double *J, const double *dq, double dx[3]);
    void (*pull)(int n, int stride, const double *J, const double f[3], double *line);
    // out (3 x n) += K (3 x 3) J (3 x n)
    void (*multiply)(int n, int stride, const double *J, const double K[9], int out_stride,
                     double *out);
    // A (nrow x …) += J' KJ over nline lines, on and below the diagonal, which begins `before`
    // columns after the first; J (nline x nrow), KJ (nline x ncolumn)
    void (*square)(int nline, int nrow, int stride, const double *J, int before, int ncolumn,
                   int KJ_stride, const double *KJ, int A_stride, double *A);
    // M (3 x 3) += arm f', T (3 x 3 x n) += shapes (3 x n) f' of every axis of f
    void (*bend)(int n, const double arm[3], int stride, const double *shapes, const double f[3],
                 double M[9], double *T);
} beam_kernels;

static inline int beam_whole(int n) // vectors, in numbers
{
    return (n + LANES - 1) / LANES * LANES;
}

const beam_kernels *beam_choose(void); // the best that the processor can run
const beam_kernels *beam_variant(int variant);

#endif
