// How far every node has rotated since the shape that the factor is of: Q A_old Q' is near A where
// A_old is not.
#ifndef STEP_WARP_H
#define STEP_WARP_H

#include "body/warp_kernel.h"
#include "step/model.h"

// The loops for an instruction set (0 portable, 1 AVX2, 2 AVX-512).
const warp_kernels *warp_variant(int variant); // NULL: the processor cannot run it

// False: so little has moved that rotating is not worth its time.
bool warp_is_due(const lithe_model *m, const double *x0, const double *x);

// warp: (nnode x 9) rotations. x0: the shape of the factor, x: the present one (nnode x 3).
void warp_find(const lithe_model *m, const double *x0, const double *x, double *warp);

// out = Q' v and out = Q v of a node; warp NULL: no rotation. In place works.
static inline void warp_back(const double *warp, int node, const double v[3], double out[3])
{
    double u[3] = {v[0], v[1], v[2]};
    const double *Q = warp ? &warp[9 * (size_t)node] : NULL;
    for (int i = 0; i < 3; i++)
        out[i] = Q ? Q[i] * u[0] + Q[3 + i] * u[1] + Q[6 + i] * u[2] : u[i];
}

static inline void warp_forth(const double *warp, int node, const double v[3], double out[3])
{
    double u[3] = {v[0], v[1], v[2]};
    const double *Q = warp ? &warp[9 * (size_t)node] : NULL;
    for (int i = 0; i < 3; i++)
        out[i] = Q ? Q[3 * i] * u[0] + Q[3 * i + 1] * u[1] + Q[3 * i + 2] * u[2] : u[i];
}

#endif
