#include "solve/dense.h"

#include <math.h>
#include <string.h>

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

static void subtract_row(int n, double *M, int i, int k, double factor)
{
    for (int j = 0; j < n; j++)
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
        if (!(fabs(pivot) > 1e-14 * largest))
            return false;
        swap_rows(n, A, k, top, pivot);
        swap_rows(nrhs, B, k, top, pivot);
        for (int i = 0; i < n; i++) {
            double factor = A[i * n + k];
            if (i == k || factor == 0)
                continue;
            subtract_row(n, A, i, k, factor);
            subtract_row(nrhs, B, i, k, factor);
        }
    }
    return true;
}

static void exchange_rows(int n, double *A, int a, int b)
{
    for (int j = 0; j < n && a != b; j++) {
        double swap = A[a * n + j];
        A[a * n + j] = A[b * n + j];
        A[b * n + j] = swap;
    }
}

bool dense_factor(int n, double *A, int *pivot)
{
    for (int k = 0; k < n; k++) {
        int top = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[top * n + k]))
                top = i;
        pivot[k] = top;
        exchange_rows(n, A, k, top);
        if (!(fabs(A[k * n + k]) > 0) || !isfinite(A[k * n + k]))
            return false;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n && factor != 0; j++)
                A[i * n + j] -= factor * A[k * n + j];
        }
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
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] -= LU[i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= LU[i * n + j] * b[j];
        b[i] /= LU[i * n + i];
    }
}

// Row by row, by dot products along rows: l_ij d_j = a_ij - sum_k<j (l_ik d_k) l_jk.
int dense_ldl(int n, double *A)
{
    size_t stride = (size_t)n;
    int negative = 0;
    double largest = 0;
    for (size_t i = 0; i < stride; i++)
        largest = fmax(largest, fabs(A[i * stride + i]));
    for (int i = 0; i < n; i++) {
        double *row = &A[(size_t)i * stride];
        for (int j = 0; j < i; j++) // row holds l_ik d_k for k < j
            row[j] -= dense_dot(j, row, &A[(size_t)j * stride]);
        double d = row[i];
        for (int j = 0; j < i; j++) {
            double scaled = row[j];
            row[j] = scaled / A[(size_t)j * stride + (size_t)j];
            d -= scaled * row[j];
        }
        if (!(fabs(d) > 1e-15 * largest))
            return -1;
        row[i] = d;
        negative += d < 0;
    }
    return negative;
}

void dense_ldl_solve(int n, const double *LD, double *b)
{
    size_t stride = (size_t)n;
    for (int i = 0; i < n; i++)
        b[i] -= dense_dot(i, &LD[(size_t)i * stride], b);
    for (size_t i = 0; i < stride; i++)
        b[i] /= LD[i * stride + i];
    for (int i = n - 1; i >= 0; i--) {
        const double *row = &LD[(size_t)i * stride];
        for (int j = 0; j < i; j++)
            b[j] -= row[j] * b[i];
    }
}

// A^-1 = M' D^-1 M with M = L^-1, made row by row: m_i = e_i - sum_j<i l_ij m_j.
void dense_ldl_inverse(int n, const double *LD, double *out, double *scratch)
{
    size_t stride = (size_t)n;
    for (int i = 0; i < n; i++) {
        double *m = &scratch[(size_t)i * stride];
        memset(m, 0, stride * sizeof *m);
        m[i] = 1;
        for (int j = 0; j < i; j++) {
            double factor = LD[(size_t)i * stride + (size_t)j];
            const double *other = &scratch[(size_t)j * stride];
            for (int k = 0; k <= j; k++)
                m[k] -= factor * other[k];
        }
    }
    memset(out, 0, stride * stride * sizeof *out);
    for (int i = 0; i < n; i++) {
        const double *m = &scratch[(size_t)i * stride];
        double inverse = 1 / LD[(size_t)i * stride + (size_t)i];
        for (int j = 0; j <= i; j++) {
            double factor = inverse * m[j], *row = &out[(size_t)j * stride];
            for (int k = 0; k <= j; k++)
                row[k] += factor * m[k];
        }
    }
    for (size_t i = 0; i < stride; i++)
        for (size_t j = 0; j < i; j++)
            out[j * stride + i] = out[i * stride + j];
}
