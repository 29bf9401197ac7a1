#include "body/beam_product.h"

#include <stdbool.h>
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

// Arms in the frame as they are now: y = arm + shapes s
static inline void find_arms(const beam_sides *b, int nshape, const double *s, lanes y[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = lanes_load(b->arm[i]);
    for (int j = 0; j < nshape; j++)
        for (int i = 0; i < 3; i++)
            y[i] += lanes_set(s[j]) * lanes_load(b->shape[3 * j + i]);
}

// x of its nodes += weight at + R y
static inline void add_rotated(const beam_sides *b, const double at[3], const double R[9],
                               const lanes y[3], double *x)
{
    for (int i = 0; i < 3; i++) {
        lanes sum = lanes_load(b->weight) * at[i] + R[3 * i] * y[0] + R[3 * i + 1] * y[1] +
                    R[3 * i + 2] * y[2];
        for (int l = 0; l < LANES && b->node[l] >= 0; l++)
            x[3 * b->node[l] + i] += sum[l];
    }
}

static void position(int n, const beam_sides *b, int nshape, const beam_pose *p, double *x)
{
    for (int k = 0; k < n; k++) {
        lanes y[3];
        find_arms(&b[k], nshape, p->s, y);
        add_rotated(&b[k], p->c, p->R, y, x);
    }
}

// weight dc + spin x R y + R shapes ds, the spin seen from the frame
static void push(int n, const beam_sides *b, int nshape, const beam_pose *p, const double *dq,
                 double *dx)
{
    double spin[3];
    for (int i = 0; i < 3; i++)
        spin[i] = p->R[i] * dq[3] + p->R[3 + i] * dq[4] + p->R[6 + i] * dq[5];
    for (int k = 0; k < n; k++) {
        lanes y[3], way[3];
        find_arms(&b[k], nshape, p->s, y);
        for (int i = 0; i < 3; i++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            way[i] = spin[i1] * y[i2] - spin[i2] * y[i1];
        }
        for (int j = 0; j < nshape; j++)
            for (int i = 0; i < 3; i++)
                way[i] += lanes_set(dq[6 + j]) * lanes_load(b[k].shape[3 * j + i]);
        add_rotated(&b[k], dq, p->R, way, dx);
    }
}

// Forces on nodes, in the world; false: there are none.
static inline bool find_forces(const beam_sides *b, const double *f, lanes out[3])
{
    lanes_mask some = {0};
    for (int i = 0; i < 3; i++) {
        out[i] = lanes_set(0);
        for (int l = 0; l < LANES && b->node[l] >= 0; l++)
            out[i][l] = f[3 * b->node[l] + i];
        some |= out[i] != lanes_set(0);
    }
    return lanes_any(some);
}

static inline void see_from_frame(const double R[9], const lanes f[3], lanes out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[i] * f[0] + R[3 + i] * f[1] + R[6 + i] * f[2];
}

static void pull(int n, const beam_sides *b, int nshape, const beam_pose *p, const double *f,
                 double *out)
{
    lanes force[3] = {lanes_set(0)}, moment[3] = {lanes_set(0)}, along[BEAM_SHAPES_MAX];
    double in_frame[3];
    for (int i = 0; i < 3; i++)
        force[i] = moment[i] = lanes_set(0);
    for (int j = 0; j < nshape; j++)
        along[j] = lanes_set(0);
    for (int k = 0; k < n; k++) {
        lanes own[3], g[3], y[3];
        if (!find_forces(&b[k], f, own))
            continue;
        see_from_frame(p->R, own, g);
        find_arms(&b[k], nshape, p->s, y);
        for (int i = 0; i < 3; i++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            force[i] += lanes_load(b[k].weight) * own[i];
            moment[i] += y[i1] * g[i2] - y[i2] * g[i1];
        }
        for (int j = 0; j < nshape; j++)
            for (int i = 0; i < 3; i++)
                along[j] += lanes_load(b[k].shape[3 * j + i]) * g[i];
    }
    for (int i = 0; i < 3; i++) {
        out[i] += sum_of(force[i]);
        in_frame[i] = sum_of(moment[i]);
    }
    for (int i = 0; i < 3; i++)
        out[3 + i] += p->R[3 * i] * in_frame[0] + p->R[3 * i + 1] * in_frame[1] +
                      p->R[3 * i + 2] * in_frame[2];
    for (int j = 0; j < nshape; j++)
        out[6 + j] += sum_of(along[j]);
}

static void moments(int n, const beam_sides *b, int nshape, const beam_pose *p, const double *f,
                    double M[9], double *T)
{
    lanes arms[9], shapes[3 * BEAM_SHAPES_MAX];
    for (int i = 0; i < 9; i++)
        arms[i] = lanes_set(0);
    for (int j = 0; j < 3 * nshape; j++)
        shapes[j] = lanes_set(0);
    for (int k = 0; k < n; k++) {
        lanes own[3], g[3], y[3];
        if (!find_forces(&b[k], f, own))
            continue;
        see_from_frame(p->R, own, g);
        find_arms(&b[k], nshape, p->s, y);
        for (int i = 0; i < 9; i++)
            arms[i] += y[i / 3] * g[i % 3];
        for (int j = 0; j < nshape; j++)
            for (int i = 0; i < 3; i++) {
                int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
                shapes[3 * j + i] += lanes_load(b[k].shape[3 * j + i1]) * g[i2] -
                                     lanes_load(b[k].shape[3 * j + i2]) * g[i1];
            }
    }
    for (int i = 0; i < 9; i++)
        M[i] = sum_of(arms[i]);
    for (int j = 0; j < 3 * nshape; j++)
        T[j] = sum_of(shapes[j]);
}

static void columns(int n, const double R[9], const double *shapes, double weight,
                    const double arm[3], int stride, double *out)
{
    double y[3];
    for (int i = 0; i < 3; i++)
        y[i] = R[3 * i] * arm[0] + R[3 * i + 1] * arm[1] + R[3 * i + 2] * arm[2];
    store(out, (lanes){weight, 0, 0, 0, y[2], -y[1], 0, 0});
    store(out + stride, (lanes){0, weight, 0, -y[2], 0, y[0], 0, 0});
    store(out + 2 * (ptrdiff_t)stride, (lanes){0, 0, weight, y[1], -y[0], 0, 0, 0});
    for (int k = 0; k < n; k += LANES) {
        lanes in[3] = {lanes_load(shapes + k), lanes_load(shapes + n + k),
                       lanes_load(shapes + 2 * (ptrdiff_t)n + k)};
        for (int i = 0; i < 3; i++)
            store(out + (ptrdiff_t)i * stride + 6 + k,
                  R[3 * i] * in[0] + R[3 * i + 1] * in[1] + R[3 * i + 2] * in[2]);
    }
}

static void multiply(int n, int stride, const double *J, const double K[9], int out_stride,
                     double *out)
{
    for (int k = 0; k < n; k += LANES) {
        lanes in[3] = {lanes_load(J + k), lanes_load(J + stride + k),
                       lanes_load(J + 2 * (ptrdiff_t)stride + k)};
        for (int i = 0; i < 3; i++) {
            double *to = out + (ptrdiff_t)i * out_stride + k;
            store(to, load(to) + (K[3 * i] * in[0] + K[3 * i + 1] * in[1] + K[3 * i + 2] * in[2]));
        }
    }
}

enum { ROWS = 8, TILE = 2 };

// Eight rows and n vectors of columns of A, which stay in registers.
static inline __attribute__((always_inline)) void square_tile(int n, int nline, int stride,
                                                              const double *J, int KJ_stride,
                                                              const double *KJ, int A_stride,
                                                              double *A)
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

const beam_kernels KERNEL(beam_product) = {position, push,     pull,  moments,
                                           columns,  multiply, square};
