#include "body/modal.h"

#include "base/lanes.h"

#include <string.h>

extern const modal_kernels KERNEL(modal);

static double sum_of(lanes v)
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

static lanes multiply_line(int width, const double *Phi, const double *q)
{
    lanes sum = lanes_load(Phi) * lanes_load(q);
    for (int k = LANES; k < width; k += LANES)
        sum += lanes_load(Phi + k) * lanes_load(q + k);
    return sum;
}

// Eight lines at a time are summed across; each as sum_of does.
static void push(int nline, int width, const double *Phi, const double *q, const double *X,
                 double *x)
{
    int i = 0;
    for (; i + LANES <= nline; i += LANES, Phi += (ptrdiff_t)LANES * width) {
        lanes line[LANES], part[LANES];
        for (int l = 0; l < LANES; l++)
            line[l] = multiply_line(width, Phi + (ptrdiff_t)l * width, q);
        lanes_transpose(line, part);
        lanes sum = ((part[0] + part[4]) + (part[2] + part[6])) +
                    ((part[1] + part[5]) + (part[3] + part[7]));
        for (int l = 0; l < LANES; l++)
            x[i + l] = sum[l] + (X ? X[i + l] : 0);
    }
    for (; i < nline; i++, Phi += width)
        x[i] = sum_of(multiply_line(width, Phi, q)) + (X ? X[i] : 0);
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

// Three lines of KPhi, n vectors of each, which stay in registers.
static inline __attribute__((always_inline)) void multiply_node(int n, int line, int nentry,
                                                                const nodal_entry *entry,
                                                                const float *K, const float *Phi,
                                                                float *KPhi)
{
    wide sum[3][3];
    for (int i = 0; i < 9; i++)
        sum[i / 3][i % 3] = wide_set(0);
    for (int e = 0; e < nentry; e++) {
        const float *B = K + 9 * (ptrdiff_t)entry[e].block;
        const float *in = Phi + 3 * (ptrdiff_t)entry[e].column * line;
        ptrdiff_t down = entry[e].transposed ? 1 : 3, right = 4 - down;
        for (int column = 0; column < 3; column++)
            for (int k = 0; k < n; k++)
                for (int row = 0; row < 3; row++)
                    sum[row][k] += wide_set(B[row * down + column * right]) *
                                   wide_load(in + (ptrdiff_t)column * line + k * WIDE);
    }
    for (int row = 0; row < 3; row++)
        memcpy(KPhi + (ptrdiff_t)row * line, sum[row], (size_t)n * sizeof(wide));
}

static void multiply_single(int nnode, int line, const int *adr, const nodal_entry *entry,
                            const float *K, const float *Phi, float *KPhi)
{
    for (int i = 0; i < nnode; i++, KPhi += 3 * (ptrdiff_t)line) {
        int n = adr[i + 1] - adr[i], k = 0;
        for (; k + 3 * WIDE <= line; k += 3 * WIDE)
            multiply_node(3, line, n, entry + adr[i], K, Phi + k, KPhi + k);
        switch ((line - k) / WIDE) {
        case 2: multiply_node(2, line, n, entry + adr[i], K, Phi + k, KPhi + k); break;
        case 1: multiply_node(1, line, n, entry + adr[i], K, Phi + k, KPhi + k); break;
        default: break;
        }
    }
}

// sum += Phi' KPhi, on and below the diagonal, of some lines
static void square_single(int nline, int width, int line, const float *Phi, const float *KPhi,
                          float *sum)
{
    for (int r = 0; r < width; r += ROWS)
        for (int c = 0; c < r + ROWS; c += WIDE) {
            wide tile[ROWS];
            for (int i = 0; i < ROWS; i++)
                tile[i] = wide_load(sum + (ptrdiff_t)(r + i) * line + c);
            for (int l = 0; l < nline; l++) {
                const float *left = Phi + (ptrdiff_t)l * line + r;
                wide right = wide_load(KPhi + (ptrdiff_t)l * line + c);
                for (int i = 0; i < ROWS; i++)
                    tile[i] += wide_set(left[i]) * right;
            }
            for (int i = 0; i < ROWS; i++)
                memcpy(sum + (ptrdiff_t)(r + i) * line + c, &tile[i], sizeof tile[i]);
        }
}

// Some nodes at a time, whose lines stay near.
static void tangent(int nnode, int width, const int *adr, const nodal_entry *entry, int nblock,
                    const double *K, const float *Phi, float *work, double *A)
{
    int line = modal_single(width);
    float *sum = work + 3 * (ptrdiff_t)MODAL_NODES * line, *rounded = sum + (ptrdiff_t)width * line;
    for (int i = 0; i < 9 * nblock; i++)
        rounded[i] = (float)K[i];
    memset(sum, 0, (size_t)width * (size_t)line * sizeof *sum);
    for (int i = 0; i < nnode; i += MODAL_NODES) {
        int n = nnode - i < MODAL_NODES ? nnode - i : MODAL_NODES;
        multiply_single(n, line, adr + i, entry, rounded, Phi, work);
        square_single(3 * n, width, line, Phi + 3 * (ptrdiff_t)i * line, work, sum);
    }
    for (int i = 0; i < width; i++)
        for (int j = 0; j <= i; j++)
            A[(ptrdiff_t)i * width + j] = (double)sum[(ptrdiff_t)i * line + j];
}

const modal_kernels KERNEL(modal) = {push, pull, multiply, square, tangent};
