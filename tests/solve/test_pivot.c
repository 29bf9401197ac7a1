// What counts as a negative pivot, and what as a zero one, is the same wherever A = L D L'.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/eigen.h"
#include "base/tolerances.h"
#include "solve/dense.h"
#include "sparse/sparse.h"

#include <string.h>

// Negative pivots of A (3 x 3), -1: one is zero.
static int of_sparse(const double A[9])
{
    arena memory = {0};
    sparse_pattern p = {0};
    sparse_symbolic *sym = NULL;
    sparse_factor *f = NULL;
    sparse_builder *b = sparse_builder_create(1);
    assert_non_null(b);
    assert_int_equal(sparse_builder_finish(b, &memory, &p), LITHE_OK);
    assert_int_equal(sparse_analyze(&p, &memory, &sym), LITHE_OK);
    assert_int_equal(sparse_factor_create(sym, 1, 1, &memory, &f), LITHE_OK);
    sparse_report report = sparse_factorize(f, A, NULL);
    sparse_builder_free(b);
    arena_free(&memory);
    return report.zero ? -1 : report.negative;
}

static int of_dense(const double A[9])
{
    double copy[9], scratch[3 * DENSE_BLOCK];
    memcpy(copy, A, sizeof copy);
    return dense_ldl(3, copy, scratch);
}

static void a_pivot_is_zero_or_negative_alike_in_sparse_and_dense_factors(void **unused)
{
    (void)unused;
    for (double scale = 1e-12; scale < 1e13; scale *= 1e4)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int small = 0; small < 2; small++) {
                double last = sign * (small ? 0.6 : 1.6) * ZERO_PIVOT * scale;
                double A[9] = {scale, 0, 0, 0, 0.5 * scale, 0, 0, 0, last};
                int expected = small ? -1 : sign < 0;
                assert_int_equal(of_sparse(A), expected);
                assert_int_equal(of_dense(A), expected);
            }
}

static void rounding_of_a_zero_eigenvalue_is_not_negative(void **unused)
{
    (void)unused;
    double scratch[12];
    for (int k = 1; k < 200; k++) { // v v' has one eigenvalue that is not 0
        double v[3] = {1, 0.37 * k, 1e-3 * k * k}, A[9];
        for (int i = 0; i < 9; i++)
            A[i] = v[i / 3] * v[i % 3];
        assert_int_equal(eigen_negative(3, A, scratch), 0);
    }
}

// Metres a newton beside cubic metres a pascal: no unit makes an eigenvalue vanish.
static void negative_eigenvalues_do_not_depend_on_units(void **unused)
{
    (void)unused;
    double scratch[12];
    for (double unit = 1; unit > 1e-30; unit *= 1e-5) {
        double d[3] = {1, unit, 1};
        double A[9] = {2, 0.5, 0.3, 0.5, -1, 0.2, 0.3, 0.2, 1.5};
        for (int i = 0; i < 9; i++)
            A[i] *= d[i / 3] * d[i % 3];
        assert_int_equal(eigen_negative(3, A, scratch), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pivot_is_zero_or_negative_alike_in_sparse_and_dense_factors),
        cmocka_unit_test(rounding_of_a_zero_eigenvalue_is_not_negative),
        cmocka_unit_test(negative_eigenvalues_do_not_depend_on_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
