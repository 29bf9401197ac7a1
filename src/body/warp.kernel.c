#include "body/warp_kernel.h"

#include "body/tolerances.h"
#include "material/corotational.h"

extern const warp_kernels KERNEL(warp_kernels);

// Coordinate `axis` of one node of each of eight elements.
static inline lanes load_axis(const double *x, const int *node, int stride, int axis)
{
    lanes v;
    for (int l = 0; l < LANES; l++)
        v[l] = x[3 * node[stride * l] + axis];
    return v;
}

// S of every node += sum over its elements' nodes of (x - centre) (x0 - centre0)', eight elements
// at a time; those past the last are not added.
static void spread(int n, int nnode, const int *node, const double *x0, const double *x, double *S)
{
    for (int first = 0; first < n; first += LANES) {
        int own[LANES * WARP_NODES], count = n - first < LANES ? n - first : LANES;
        lanes sum[9], from[3], to[3];
        for (int l = 0; l < LANES; l++)
            for (int a = 0; a < nnode; a++)
                own[l * nnode + a] = node[nnode * (first + (l < count ? l : 0)) + a];
        for (int i = 0; i < 9; i++)
            sum[i] = lanes_set(0);
        // about the first node instead of the centre, which is taken off at the end
        lanes origin0[3], origin[3];
        for (int i = 0; i < 3; i++) {
            origin0[i] = load_axis(x0, own, nnode, i);
            origin[i] = load_axis(x, own, nnode, i);
            from[i] = to[i] = lanes_set(0);
        }
        for (int a = 1; a < nnode; a++) {
            lanes d0[3], d[3];
            for (int i = 0; i < 3; i++) {
                d0[i] = load_axis(x0, own + a, nnode, i) - origin0[i];
                d[i] = load_axis(x, own + a, nnode, i) - origin[i];
                from[i] += d0[i];
                to[i] += d[i];
            }
            for (int i = 0; i < 9; i++)
                sum[i] += d[i / 3] * d0[i % 3];
        }
        for (int i = 0; i < 9; i++)
            sum[i] -= to[i / 3] * from[i % 3] / nnode;
        for (int l = 0; l < count; l++)
            for (int a = 0; a < nnode; a++)
                for (int i = 0; i < 9; i++)
                    S[9 * own[l * nnode + a] + i] += sum[i][l];
    }
}

// S of every node becomes its rotation; a node without elements has none.
static void rotate(int n, double *S)
{
    for (int first = 0; first < n; first += LANES) {
        lanes M[9], R[9];
        int count = n - first < LANES ? n - first : LANES;
        for (int i = 0; i < 9; i++)
            for (int l = 0; l < LANES; l++)
                M[i][l] = l < count ? S[9 * (first + l) + i] : 0;
        lanes size = lanes_sqrt(lanes_mat_dot(M, M) / 3);
        lanes_mask found = size > BODY_NO_ROTATION;
        for (int i = 0; i < 9; i++)
            M[i] = lanes_select(found, M[i] / size, lanes_set(i % 4 == 0));
        polar_lanes(M, R);
        for (int l = 0; l < count; l++)
            for (int i = 0; i < 9; i++)
                S[9 * (first + l) + i] = R[i][l];
    }
}

const warp_kernels KERNEL(warp_kernels) = {spread, rotate};
