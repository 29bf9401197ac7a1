#include "body/modal.h"

#include "base/lanes.h"

#include <string.h>

extern const modal_kernels KERNEL(modal);

static double sum_of(lanes v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

static void push(int nline, int width, const double *Phi, const double *q, const double *X,
                 double *x)
{
    for (int i = 0; i < nline; i++, Phi += width) {
        lanes sum = lanes_load(Phi) * lanes_load(q);
        for (int k = LANES; k < width; k += LANES)
            sum += lanes_load(Phi + k) * lanes_load(q + k);
        x[i] = sum_of(sum) + (X ? X[i] : 0);
    }
}

// Up to four vectors of a line at a time stay in registers. Loads and inertia act on few lines.
static inline __attribute__((always_inline)) void
pull_some(int n, int nline, int width, const double *Phi, const double *f, double *out)
{
    lanes sum[4] = {lanes_set(0), lanes_set(0), lanes_set(0), lanes_set(0)};
    for (int i = 0; i < nline; i++, Phi += width)
        for (int k = 0; k < n && f[i] != 0; k++)
            sum[k] += lanes_load(Phi + k * LANES) * lanes_set(f[i]);
    memcpy(out, sum, (size_t)n * sizeof *sum);
}

static void pull(int nline, int width, const double *Phi, const double *f, double *out)
{
    int k = 0;
    for (; k + 4 * LANES <= width; k += 4 * LANES)
        pull_some(4, nline, width, Phi + k, f, out + k);
    switch ((width - k) / LANES) {
    case 3: pull_some(3, nline, width, Phi + k, f, out + k); break;
    case 2: pull_some(2, nline, width, Phi + k, f, out + k); break;
    case 1: pull_some(1, nline, width, Phi + k, f, out + k); break;
    default: break;
    }
}

// Three lines of KPhi += B times three lines of Phi; transposed: B'
static void add_product(int width, const double *B, int transposed, const double *Phi, double *KPhi)
{
    for (int k = 0; k < width; k += LANES) {
        lanes in[3] = {lanes_load(Phi + k), lanes_load(Phi + width + k),
                       lanes_load(Phi + 2 * (ptrdiff_t)width + k)};
        for (int row = 0; row < 3; row++) {
            double *out = KPhi + (ptrdiff_t)row * width + k;
            lanes sum = lanes_load(out);
            for (int column = 0; column < 3; column++)
                sum +=
                    lanes_set(transposed ? B[3 * column + row] : B[3 * row + column]) * in[column];
            memcpy(out, &sum, sizeof sum);
        }
    }
}

static void multiply(int nline, int width, int nblock, const modal_block *block, const double *K,
                     const double *Phi, double *KPhi)
{
    memset(KPhi, 0, (size_t)nline * (size_t)width * sizeof *KPhi);
    for (int k = 0; k < nblock; k++, K += 9) {
        size_t row = 3 * (size_t)block[k].row * (size_t)width,
               column = 3 * (size_t)block[k].column * (size_t)width;
        add_product(width, K, 0, Phi + column, KPhi + row);
        if (row != column)
            add_product(width, K, 1, Phi + row, KPhi + column);
    }
}

// Eight rows and one vector of columns of A at a time.
static void square(int nline, int width, const double *Phi, const double *KPhi, double *A)
{
    for (int r = 0; r < width; r += LANES)
        for (int c = 0; c <= r; c += LANES) {
            lanes sum[LANES];
            for (int i = 0; i < LANES; i++)
                sum[i] = lanes_set(0);
            for (int line = 0; line < nline; line++) {
                const double *left = Phi + (size_t)line * (size_t)width + r;
                lanes right = lanes_load(KPhi + (size_t)line * (size_t)width + c);
                for (int i = 0; i < LANES; i++)
                    sum[i] += lanes_set(left[i]) * right;
            }
            for (int i = 0; i < LANES; i++)
                memcpy(A + (size_t)(r + i) * (size_t)width + c, &sum[i], sizeof sum[i]);
        }
}

enum { WIDE = 16, ROWS = 8 };
typedef float wide __attribute__((vector_size(4 * WIDE)));

static wide wide_load(const float *p)
{
    return *(const wide *)(const void *)p; // p is 64-byte aligned
}

static wide wide_set(float v)
{
    return (wide){v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v};
}

static void add_single(int line, const float B[9], int transposed, const float *Phi, float *KPhi)
{
    for (int k = 0; k < line; k += WIDE) {
        wide in[3] = {wide_load(Phi + k), wide_load(Phi + line + k),
                      wide_load(Phi + 2 * (ptrdiff_t)line + k)};
        for (int row = 0; row < 3; row++) {
            float *out = KPhi + (ptrdiff_t)row * line + k;
            wide sum = wide_load(out);
            for (int column = 0; column < 3; column++)
                sum +=
                    wide_set(transposed ? B[3 * column + row] : B[3 * row + column]) * in[column];
            memcpy(out, &sum, sizeof sum);
        }
    }
}

static void multiply_single(int nline, int line, int nblock, const modal_block *block,
                            const double *K, const float *Phi, float *KPhi)
{
    memset(KPhi, 0, (size_t)nline * (size_t)line * sizeof *KPhi);
    for (int k = 0; k < nblock; k++, K += 9) {
        size_t row = 3 * (size_t)block[k].row * (size_t)line,
               column = 3 * (size_t)block[k].column * (size_t)line;
        float B[9];
        for (int i = 0; i < 9; i++)
            B[i] = (float)K[i];
        add_single(line, B, 0, Phi + column, KPhi + row);
        if (row != column)
            add_single(line, B, 1, Phi + row, KPhi + column);
    }
}

static void tangent(int nline, int width, int nblock, const modal_block *block, const double *K,
                    const float *Phi, float *KPhi, double *A)
{
    int line = modal_single(width);
    multiply_single(nline, line, nblock, block, K, Phi, KPhi);
    for (int r = 0; r < width; r += ROWS)
        for (int c = 0; c < r + ROWS; c += WIDE) {
            wide sum[ROWS];
            for (int i = 0; i < ROWS; i++)
                sum[i] = wide_set(0);
            for (int l = 0; l < nline; l++) {
                const float *left = Phi + (size_t)l * (size_t)line + r;
                wide right = wide_load(KPhi + (size_t)l * (size_t)line + c);
                for (int i = 0; i < ROWS; i++)
                    sum[i] += wide_set(left[i]) * right;
            }
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < WIDE && c + j < width; j++)
                    A[(size_t)(r + i) * (size_t)width + (size_t)(c + j)] = (double)sum[i][j];
        }
}

const modal_kernels KERNEL(modal) = {push, pull, multiply, square, tangent};
