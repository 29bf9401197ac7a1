// Small factors: the matrix comes back from L and D, on every instruction set, full and banded.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "body/small_factor.h"

#include <math.h>
#include <string.h>

enum { N = 23, STRIDE = 24, RHS = 5 };

// Symmetric, of which the lower half is kept; its third pivot is negative.
static void fill(const int *first, double *A)
{
    memset(A, 0, sizeof(double) * N * STRIDE);
    for (int i = 0; i < N; i++)
        for (int j = first[i]; j <= i; j++)
            A[i * STRIDE + j] = i == j ? (i == 2 ? -30 : 30 + i) : sin(1 + 3 * i + 7 * j);
}

static double entry(const double *A, int i, int j)
{
    return i >= j ? A[i * STRIDE + j] : A[j * STRIDE + i];
}

// L'^-1 D^-1 L^-1 B is what A takes back to B, and y' D^-1 y what B' A^-1 B is.
static void check_solves(const small_factor *f, const double *A, int nrhs)
{
    double B[N * RHS] = {0}, Y[N * RHS], X[N * RHS];
    for (int i = 0; i < N * nrhs; i++)
        B[i] = cos(2 * i);
    memcpy(Y, B, sizeof Y);
    small_factor_forward(f, nrhs, Y);
    memcpy(X, Y, sizeof X);
    small_factor_backward(f, nrhs, X);
    for (int r = 0; r < nrhs; r++) {
        double square = 0, product = 0;
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++)
                sum += entry(A, i, j) * X[j * nrhs + r];
            assert_true(fabs(sum - B[i * nrhs + r]) < 1e-12);
            square += Y[i * nrhs + r] * Y[i * nrhs + r] * f->inverse[i];
            product += B[i * nrhs + r] * X[i * nrhs + r];
        }
        assert_true(fabs(square - product) < 1e-12);
    }
}

static void check(const int *first, int variant)
{
    arena memory = {0};
    small_factor f;
    static double A[N * STRIDE];
    fill(first, A);
    assert_int_equal(small_factor_create(N, first, &memory, &f), LITHE_OK);
    f.kernels = small_variant(variant);
    small_factor_make(&f, A, STRIDE);
    assert_int_equal(f.negative, 1);
    assert_false(f.singular);
    check_solves(&f, A, 1);
    check_solves(&f, A, RHS);
    arena_free(&memory);
}

static void what_is_solved_for_comes_back(void **unused)
{
    (void)unused;
    int full[N] = {0}, band[N], ragged[N];
    for (int i = 0; i < N; i++) {
        band[i] = i < 6 ? 0 : 6 * (i / 6 - 1);
        ragged[i] = i % 4 == 0 ? i / 2 : i; // elimination fills what is between
    }
    for (int v = 0; v < 3 && small_variant(v); v++) {
        check(full, v);
        check(band, v);
        check(ragged, v);
    }
}

static void a_line_of_zeros_is_singular(void **unused)
{
    (void)unused;
    arena memory = {0};
    small_factor f;
    double A[9] = {4, 0, 0, 2, 1, 0, 0, 0, 5}; // of the first two lines one is the other's half
    assert_int_equal(small_factor_create(3, NULL, &memory, &f), LITHE_OK);
    small_factor_make(&f, A, 3);
    assert_true(f.singular);
    assert_int_equal(f.negative, 0);
    A[4] = 2;
    small_factor_make(&f, A, 3);
    assert_false(f.singular);
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_solved_for_comes_back),
        cmocka_unit_test(a_line_of_zeros_is_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
