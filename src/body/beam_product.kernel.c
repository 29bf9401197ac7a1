#include "body/beam_product.h"

#include <string.h>

extern const beam_kernels KERNEL(beam_product);

// Four numbers that may lie anywhere.
typedef double quad __attribute__((vector_size(32)));

static inline quad load(const double *p)
{
    quad v;
    memcpy(&v, p, sizeof v);
    return v;
}

// line += a x + b y + c z
static inline __attribute__((always_inline)) void add_lines(int n, double a, const double *x,
                                                            double b, const double *y, double c,
                                                            const double *z, double *restrict line)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        quad sum = load(line + i) + (a * load(x + i) + b * load(y + i) + c * load(z + i));
        memcpy(line + i, &sum, sizeof sum);
    }
    for (; i < n; i++)
        line[i] += a * x[i] + b * y[i] + c * z[i];
}

static inline double dot(int n, const double *x, const double *y)
{
    quad sum = {0};
    double rest = 0;
    int i = 0;
    for (; i + 4 <= n; i += 4)
        sum += load(x + i) * load(y + i);
    for (; i < n; i++)
        rest += x[i] * y[i];
    return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
}

static void push(int size, const double *J, const double *dq, double dx[3])
{
    for (int axis = 0; axis < 3; axis++)
        dx[axis] += dot(size, J + axis * size, dq);
}

static void pull(int size, const double *J, const double f[3], double *line)
{
    add_lines(size, f[0], J, f[1], J + size, f[2], J + 2 * size, line);
}

static void multiply(int size, const double K[9], const double *J, int stride, double *out)
{
    for (int axis = 0; axis < 3; axis++)
        add_lines(size, K[3 * axis], J, K[3 * axis + 1], J + size, K[3 * axis + 2], J + 2 * size,
                  out + axis * stride);
}

static void square(int size, const double *J, int n, int columns, const double *KJ, int stride,
                   double *A)
{
    for (int r = 0; r < size; r++)
        add_lines(n, J[r], KJ, J[size + r], KJ + columns, J[2 * size + r], KJ + 2 * columns,
                  A + (long)r * stride);
}

const beam_kernels KERNEL(beam_product) = {push, pull, multiply, square};
