#include "body/beam_product.h"

#include <stddef.h>
#include <string.h>

extern const beam_kernels KERNEL(beam_product);

// Numbers that may lie anywhere.
static inline lanes load(const double *p)
{
    lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store(double *p, lanes v)
{
    memcpy(p, &v, sizeof v);
}

static double sum_of(lanes v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

static void position(const beam_sides *b, int nshape, const double c[3], const double R[9],
                     const double *s, double *x)
{
    lanes y[3] = {lanes_load(b->arm[0]), lanes_load(b->arm[1]), lanes_load(b->arm[2])};
    for (int j = 0; j < nshape; j++)
        for (int i = 0; i < 3; i++)
            y[i] += lanes_set(s[j]) * lanes_load(b->shape[3 * j + i]);
    for (int i = 0; i < 3; i++) {
        lanes at = lanes_load(b->weight) * c[i] + R[3 * i] * y[0] + R[3 * i + 1] * y[1] +
                   R[3 * i + 2] * y[2];
        for (int l = 0; l < LANES && b->node[l] >= 0; l++)
            x[3 * b->node[l] + i] += at[l];
    }
}

static void rotate(int n, const double R[9], const double *shapes, int stride, double *out)
{
    int line = n;
    for (int k = 0; k < n; k += LANES)
        for (int i = 0; i < 3; i++)
            store(out + (ptrdiff_t)i * stride + k,
                  R[3 * i] * lanes_load(shapes + k) +
                      R[3 * i + 1] * lanes_load(shapes + line + k) +
                      R[3 * i + 2] * lanes_load(shapes + 2 * (ptrdiff_t)line + k));
}

static void push(int n, int stride, const double *J, const double *dq, double dx[3])
{
    lanes sum[3] = {lanes_set(0), lanes_set(0), lanes_set(0)};
    for (int k = 0; k < n; k += LANES) {
        lanes way = load(dq + k);
        for (int i = 0; i < 3; i++)
            sum[i] += lanes_load(J + (ptrdiff_t)i * stride + k) * way;
    }
    for (int i = 0; i < 3; i++)
        dx[i] = sum_of(sum[i]);
}

static void pull(int n, int stride, const double *J, const double f[3], double *line)
{
    for (int k = 0; k < n; k += LANES)
        store(line + k, load(line + k) + (f[0] * lanes_load(J + k) +
                                          f[1] * lanes_load(J + stride + k) +
                                          f[2] * lanes_load(J + 2 * (ptrdiff_t)stride + k)));
}

static void multiply(int n, int stride, const double *J, const double K[9], int out_stride,
                     double *out)
{
    for (int k = 0; k < n; k += LANES) {
        lanes in[3] = {lanes_load(J + k), lanes_load(J + stride + k),
                       lanes_load(J + 2 * (ptrdiff_t)stride + k)};
        for (int i = 0; i < 3; i++) {
            double *to = out + (ptrdiff_t)i * out_stride + k;
            store(to, load(to) +
                          (K[3 * i] * in[0] + K[3 * i + 1] * in[1] + K[3 * i + 2] * in[2]));
        }
    }
}

enum { ROWS = 8, TILE = 2 };

// Eight rows and n vectors of columns of A, which stay in registers.
static inline __attribute__((always_inline)) void
square_tile(int n, int nline, int stride, const double *J, int KJ_stride, const double *KJ,
            int A_stride, double *A)
{
    lanes sum[ROWS][TILE];
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < n; c++)
            sum[r][c] = lanes_set(0);
    for (int l = 0; l < nline; l++, J += stride, KJ += KJ_stride)
        for (int c = 0; c < n; c++) {
            lanes right = lanes_load(KJ + c * LANES);
            for (int r = 0; r < ROWS; r++)
                sum[r][c] += J[r] * right;
        }
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < n; c++) {
            double *to = A + (ptrdiff_t)r * A_stride + c * LANES;
            store(to, load(to) + sum[r][c]);
        }
}

static void square(int nline, int nrow, int stride, const double *J, int before, int ncolumn,
                   int KJ_stride, const double *KJ, int A_stride, double *A)
{
    for (int r = 0; r < nrow; r += ROWS) {
        int most = before + r + ROWS < ncolumn ? before + r + ROWS : ncolumn, c = 0;
        double *row = A + (ptrdiff_t)r * A_stride;
        for (; c + LANES < most; c += TILE * LANES)
            square_tile(TILE, nline, stride, J + r, KJ_stride, KJ + c, A_stride, row + c);
        if (c < most)
            square_tile(1, nline, stride, J + r, KJ_stride, KJ + c, A_stride, row + c);
    }
}

static void bend(int n, const double arm[3], int stride, const double *shapes, const double f[3],
                 double M[9], double *T)
{
    for (int i = 0; i < 9; i++)
        M[i] += arm[i / 3] * f[i % 3];
    for (int k = 0; k < n; k += LANES)
        for (int i = 0; i < 3; i++) {
            lanes shape = load(shapes + (ptrdiff_t)i * stride + k);
            for (int j = 0; j < 3; j++) {
                double *to = T + (ptrdiff_t)(3 * i + j) * n + k;
                store(to, load(to) + f[j] * shape);
            }
        }
}

const beam_kernels KERNEL(beam_product) = {position, rotate, push,   pull,
                                           multiply, square, bend};
