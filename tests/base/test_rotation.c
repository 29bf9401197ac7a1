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

// Also where the second angle is a right one, so that the first and the last rotate about one axis.
static void angles_survive_their_matrix(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 2000; trial++) {
        double angle[3] = {3 * uniform(), 1.5 * uniform(), 3 * uniform()};
        double other[3] = {uniform(), 0, uniform()}, R[9], S[9], P[9], Q[9], back[3], again[9];
        if (trial % 2)
            angle[1] = (trial % 4 == 1 ? 1 : -1) * (M_PI / 2 - (trial % 8 < 4) * 1e-9 * uniform());
        mat_from_angles(R, angle);
        mat_from_angles(S, other); // what it is made by leaves roundings in it
        mat_mul(Q, R, S);
        mat_mul(P, Q, (double[]){S[0], S[3], S[6], S[1], S[4], S[7], S[2], S[5], S[8]});
        mat_to_angles(P, back);
        mat_from_angles(again, back);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(again[i] - R[i]) < 2e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotation_vector_survives_its_matrix),
        cmocka_unit_test(a_rotation_by_90_degrees_about_z_takes_x_to_y),
        cmocka_unit_test(angles_survive_their_matrix),
        cmocka_unit_test(advancing_multiplies_from_the_left_and_between_undoes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
