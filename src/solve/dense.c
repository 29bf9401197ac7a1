#include "solve/dense.h"

#include "base/product.h"
#include "base/tolerances.h"

#include <math.h>
#include <stddef.h>

// Row k takes the place of `top`, divided by its pivot.
static void swap_rows(int n, double *M, int k, int top, double pivot)
{
    for (int j = 0; j < n; j++) {
        double swap = M[k * n + j];
        M[k * n + j] = M[top * n + j] / pivot;
        if (top != k)
            M[top * n + j] = swap;
    }
}

static void subtract_row(int n, double *M, int first, int i, int k, double factor)
{
    for (int j = first; j < n; j++)
        M[i * n + j] -= factor * M[k * n + j];
}

bool dense_solve(int n, int nrhs, double *A, double *B)
{
    double largest = 0;
    for (int i = 0; i < n * n; i++)
        largest = fmax(largest, fabs(A[i]));
    for (int k = 0; k < n; k++) {
        int top = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[top * n + k]))
                top = i;
        double pivot = A[top * n + k];
        if (!(fabs(pivot) > ZERO_PIVOT * largest))
            return false;
        swap_rows(n, A, k, top, pivot);
        swap_rows(nrhs, B, k, top, pivot);
        for (int i = 0; i < n; i++) {
            double factor = A[i * n + k];
            if (i == k || factor == 0)
                continue;
            subtract_row(n, A, k, i, k, factor); // before k row k is 0
            subtract_row(nrhs, B, 0, i, k, factor);
        }
    }
    return true;
}

static void exchange_rows(int n, double *A, int a, int b)
{
    double *x = &A[(size_t)a * (size_t)n], *y = &A[(size_t)b * (size_t)n];
    for (int j = 0; j < n && a != b; j++) {
        double swap = x[j];
        x[j] = y[j];
        y[j] = swap;
    }
}

// Columns [first, last) of L and their pivots; rows are exchanged whole.
static bool factor_columns(int n, int first, int last, double *A, int *pivot)
{
    size_t stride = (size_t)n;
    for (int k = first; k < last; k++) {
        int top = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[(size_t)i * stride + (size_t)k]) > fabs(A[(size_t)top * stride + (size_t)k]))
                top = i;
        pivot[k] = top;
        exchange_rows(n, A, k, top);
        const double *row = &A[(size_t)k * stride];
        if (!(fabs(row[k]) > 0) || !isfinite(row[k]))
            return false;
        for (int i = k + 1; i < n; i++) {
            double *other = &A[(size_t)i * stride], factor = other[k] /= row[k];
            for (int j = k + 1; j < last; j++)
                other[j] -= factor * row[j];
        }
    }
    return true;
}

// Rows [first, last) of U behind those columns, and what both take off the rest.
static void eliminate(int n, int first, int last, double *A)
{
    size_t stride = (size_t)n;
    for (int i = first + 1; i < last; i++)
        for (int k = first; k < i; k++) {
            double factor = A[(size_t)i * stride + (size_t)k];
            for (int j = last; j < n; j++)
                A[(size_t)i * stride + (size_t)j] -= factor * A[(size_t)k * stride + (size_t)j];
        }
    product_add(&(product){.m = n - last,
                           .n = n - last,
                           .k = last - first,
                           .A = &A[(size_t)last * stride + (size_t)first],
                           .a_line = 1,
                           .a_step = stride,
                           .B = &A[(size_t)first * stride + (size_t)last],
                           .b_line = stride,
                           .C = &A[(size_t)last * stride + (size_t)last],
                           .c_line = stride,
                           .factor = -1});
}

bool dense_factor(int n, double *A, int *pivot)
{
    for (int first = 0; first < n; first += DENSE_BLOCK) {
        int last = n - first < DENSE_BLOCK ? n : first + DENSE_BLOCK;
        if (!factor_columns(n, first, last, A, pivot))
            return false;
        if (last < n)
            eliminate(n, first, last, A);
    }
    return true;
}

void dense_apply(int n, const double *LU, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        double swap = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = swap;
    }
    size_t stride = (size_t)n;
    for (int i = 0; i < n; i++)
        b[i] -= dense_dot(i, &LU[(size_t)i * stride], b);
    for (int i = n - 1; i >= 0; i--) {
        const double *row = &LU[(size_t)i * stride];
        b[i] = (b[i] - dense_dot(n - 1 - i, row + i + 1, b + i + 1)) / row[i];
    }
}

// Rows [first, first + n) of U from the part of A that is left of them, as if nothing came before.
static int factor_rows(int order, int first, int n, double smallest, double *A)
{
    size_t stride = (size_t)order;
    int negative = 0;
    for (int k = first; k < first + n; k++) {
        double *row = &A[(size_t)k * stride];
        for (int i = first; i < k; i++) {
            const double *above = &A[(size_t)i * stride];
            double factor = above[k] * above[i];
            for (int j = k; j < order; j++)
                row[j] -= factor * above[j];
        }
        double pivot = row[k];
        if (!(fabs(pivot) > smallest))
            return -1;
        for (int j = k + 1; j < order; j++)
            row[j] /= pivot;
        negative += pivot < 0;
    }
    return negative;
}

// What rows [first, first + n) of U take off the rows below: sum of u_ki d_k u_kj, upper half.
static void subtract_rows(int order, int first, int n, double *A, double *scaled)
{
    enum { TILE = 24 };
    size_t stride = (size_t)order;
    for (int k = 0; k < n; k++) {
        const double *row = &A[(size_t)(first + k) * stride];
        for (int j = first + n; j < order; j++)
            scaled[(size_t)k * stride + (size_t)j] = row[first + k] * row[j];
    }
    for (int i = first + n; i < order; i += TILE)
        product_add(&(product){.m = order - i < TILE ? order - i : TILE,
                               .n = order - i,
                               .k = n,
                               .A = &scaled[i],
                               .a_line = stride,
                               .a_step = 1,
                               .B = &A[(size_t)first * stride + (size_t)i],
                               .b_line = stride,
                               .C = &A[(size_t)i * stride + (size_t)i],
                               .c_line = stride,
                               .factor = -1});
}

int dense_ldl(int n, double *A, double *scratch)
{
    size_t stride = (size_t)n;
    int negative = 0;
    double largest = 0;
    for (size_t i = 0; i < stride; i++)
        largest = fmax(largest, fabs(A[i * stride + i]));
    for (int first = 0; first < n; first += DENSE_BLOCK) {
        int width = n - first < DENSE_BLOCK ? n - first : DENSE_BLOCK;
        int found = factor_rows(n, first, width, ZERO_PIVOT * largest, A);
        if (found < 0)
            return -1;
        negative += found;
        subtract_rows(n, first, width, A, scratch);
    }
    return negative;
}

void dense_ldl_forward(int n, const double *UD, double *b)
{
    size_t stride = (size_t)n;
    for (int k = 0; k < n; k++) {
        const double *row = &UD[(size_t)k * stride];
        for (int j = k + 1; j < n; j++)
            b[j] -= row[j] * b[k];
    }
    for (size_t i = 0; i < stride; i++)
        b[i] /= UD[i * stride + i];
}

void dense_ldl_solve(int n, const double *UD, double *b)
{
    size_t stride = (size_t)n;
    dense_ldl_forward(n, UD, b);
    for (int i = n - 2; i >= 0; i--)
        b[i] -= dense_dot(n - 1 - i, &UD[(size_t)i * stride + (size_t)i + 1], &b[i + 1]);
}

void dense_ldl_times(int n, const double *UD, double *b)
{
    size_t stride = (size_t)n;
    for (int k = n - 1; k >= 0; k--) {
        const double *row = &UD[(size_t)k * stride];
        for (int j = k + 1; j < n; j++)
            b[j] += row[j] * b[k];
    }
}
