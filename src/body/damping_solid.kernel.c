#include "body/damping.h"

#include "base/kernel.h"

damping_solid KERNEL(damping_solid);

static void gradient(int nnode, const int *const node[LANES], const double *x, const double *fit,
                     lanes F[9])
{
    for (int i = 0; i < 9; i++)
        F[i] = lanes_set(0);
    for (int a = 1; a < nnode; a++) // the weights sum to 0
        for (int i = 0; i < 3; i++) {
            lanes u;
            for (int l = 0; l < LANES; l++)
                u[l] = x[3 * node[l][a] + i] - x[3 * node[l][0] + i];
            for (int j = 0; j < 3; j++)
                F[3 * i + j] += u * lanes_load(&fit[(3 * a + j) * LANES]);
        }
}

// F K_ab F'
void KERNEL(damping_solid)(int nnode, const int *const node[LANES], const double *x,
                           const double *fit, const double *rest, double *out)
{
    int npair = nnode * (nnode + 1) / 2;
    lanes F[9];
    gradient(nnode, node, x, fit, F);
    for (int p = 0; p < npair; p++) {
        lanes K[9], FK[9], D[9];
        for (int i = 0; i < 9; i++)
            K[i] = lanes_load(&rest[(9 * p + i) * LANES]);
        lanes_mat_mul(FK, F, K);
        lanes_mat_mul_nt(D, FK, F);
        lanes_store_rows(D, 9, &out[9 * p], 9 * npair);
    }
}
