#include "body/damping.h"

#include "base/kernel.h"

extern const damping_kernels KERNEL(damping_kernels);

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

// F K_ab F', and what shifts meet no damping from: blocks of an element sum to 0 along each row.
static void solid(int nnode, const int *const node[LANES], const double *x, const double *fit,
                  const double *rest, double *out)
{
    int stride = 9 * (nnode * (nnode + 1) / 2);
    lanes F[9], sum[9 * BODY_ELEMENT_NODES], corner[9];
    gradient(nnode, node, x, fit, F);
    for (int i = 0; i < 9 * nnode; i++)
        sum[i] = lanes_set(0);
    for (int a = 1; a < nnode; a++)
        for (int c = 1; c <= a; c++, rest += 9 * LANES) {
            lanes K[9], FK[9], D[9];
            for (int i = 0; i < 9; i++)
                K[i] = lanes_load(&rest[i * LANES]);
            lanes_mat_mul(FK, F, K);
            lanes_mat_mul_nt(D, FK, F);
            for (int i = 0; i < 9; i++)
                sum[9 * a + i] -= D[i];
            for (int i = 0; i < 9 && c < a; i++)
                sum[9 * c + i] -= D[3 * (i % 3) + i / 3];
            lanes_store_rows(D, 9, &out[9 * element_pair(a, c)], stride);
        }
    for (int i = 0; i < 9; i++)
        corner[i] = lanes_set(0);
    for (int a = 1; a < nnode; a++) {
        for (int i = 0; i < 9; i++)
            corner[i] -= sum[9 * a + i];
        lanes_store_rows(&sum[9 * a], 9, &out[9 * element_pair(a, 0)], stride);
    }
    lanes_store_rows(corner, 9, out, stride);
}

static void times(const sparse_pattern *pattern, const int *node, const double *D, double factor,
                  const double *v, double *restrict force)
{
    for (int j = 0; j < pattern->n; j++) {
        int k = pattern->col_adr[j], end = pattern->col_adr[j + 1], c = node[j];
        double u[3], sum[3];
        for (int i = 0; i < 3; i++)
            u[i] = factor * v[3 * c + i];
        for (int i = 0; i < 3; i++) // the first is the diagonal
            sum[i] = D[3 * i] * u[0] + D[3 * i + 1] * u[1] + D[3 * i + 2] * u[2];
        for (k++, D += 9; k < end; k++, D += 9) {
            int a = 3 * node[pattern->row[k]];
            const double w[3] = {factor * v[a], factor * v[a + 1], factor * v[a + 2]};
            for (int i = 0; i < 3; i++)
                force[a + i] += D[3 * i] * u[0] + D[3 * i + 1] * u[1] + D[3 * i + 2] * u[2];
            for (int i = 0; i < 3; i++)
                sum[i] += D[i] * w[0] + D[3 + i] * w[1] + D[6 + i] * w[2];
        }
        for (int i = 0; i < 3; i++)
            force[3 * c + i] += sum[i];
    }
}

const damping_kernels KERNEL(damping_kernels) = {solid, times};
