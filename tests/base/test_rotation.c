#include "base/rotation.h"

#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double uniform(void)
{
    static uint64_t seed = 99;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static void a_rotation_vector_survives_its_matrix(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 2000; trial++) {
        double angle = trial % 4 ? M_PI * fabs(uniform()) : M_PI * (1 - 1e-9 * fabs(uniform()));
        double theta[3] = {uniform(), uniform(), uniform()}, R[9], back[3], again[9];
        if (trial % 5 == 0)
            angle *= 1e-8;
        double norm = vec_norm(theta);
        for (int i = 0; i < 3; i++)
            theta[i] *= angle / norm;
        rotation_matrix(theta, R);
        rotation_of_matrix(R, back);
        rotation_matrix(back, again);
        assert_true(fabs(mat_det(R) - 1) < 1e-14);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(R[i] - again[i]) < 1e-14);
        if (angle < 3)
            assert_true(vec_distance(theta, back) < 1e-14 * (1 + angle));
    }
}

static void a_rotation_by_90_degrees_about_z_takes_x_to_y(void **unused)
{
    (void)unused;
    double theta[3] = {0, 0, M_PI / 2}, R[9], x[3] = {1, 0, 0};
    rotation_matrix(theta, R);
    mat_apply(x, R, x);
    assert_true(fabs(x[0]) < 1e-15 && fabs(x[1] - 1) < 1e-15 && fabs(x[2]) < 1e-15);
}

static void advancing_multiplies_from_the_left_and_between_undoes_it(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 500; trial++) {
        double from[3] = {2 * uniform(), 2 * uniform(), 2 * uniform()};
        double spin[3] = {uniform(), uniform(), uniform()}, to[3], back[3], A[9], B[9], C[9], P[9];
        rotation_advance(from, 1, spin, to);
        rotation_matrix(spin, A);
        rotation_matrix(from, B);
        rotation_matrix(to, C);
        mat_mul(P, A, B);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(C[i] - P[i]) < 1e-14);
        rotation_between(from, to, back);
        assert_true(vec_distance(back, spin) < 1e-14);
        rotation_advance(from, 0.5, spin, to);
        rotation_advance(to, 0.5, spin, to);
        rotation_matrix(to, P);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(C[i] - P[i]) < 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotation_vector_survives_its_matrix),
        cmocka_unit_test(a_rotation_by_90_degrees_about_z_takes_x_to_y),
        cmocka_unit_test(advancing_multiplies_from_the_left_and_between_undoes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
