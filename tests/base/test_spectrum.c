#include "base/spectrum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static double uniform(void)
{
    return rand() / (double)RAND_MAX * 2 - 1;
}

// Two eigenvalues about `apart` from each other, the third anywhere, rotated about; all about
// `size`.
static void draw(double apart, double size, double a[9])
{
    double q[4], R[9], value[3], norm = 0;
    for (int i = 0; i < 4; i++)
        q[i] = uniform();
    for (int i = 0; i < 4; i++)
        norm += q[i] * q[i];
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(norm);
    double r[9] = {1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                   2 * (q[1] * q[3] + q[0] * q[2]),     2 * (q[1] * q[2] + q[0] * q[3]),
                   1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1]),
                   2 * (q[1] * q[3] - q[0] * q[2]),     2 * (q[2] * q[3] + q[0] * q[1]),
                   1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    for (int i = 0; i < 9; i++)
        R[i] = r[i];
    value[0] = size * uniform();
    value[1] = value[0] + size * apart * uniform();
    value[2] = apart == 0 && rand() % 2 ? value[0] : size * uniform();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[3 * i + j] = R[3 * i] * value[0] * R[3 * j] + R[3 * i + 1] * value[1] * R[3 * j + 1] +
                           R[3 * i + 2] * value[2] * R[3 * j + 2];
    for (int i = 0; i < 9; i++)
        a[i] = i / 3 > i % 3 ? a[i] : a[3 * (i % 3) + i / 3]; // symmetric to the bit
}

// A = V D V' and V' V = I to a few roundings of A's size.
static void check(int l, const double a[9], const lanes d[9], const lanes v[9])
{
    double size = 0;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fabs(a[i]));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double back = 0, unit = i == j ? -1 : 0;
            for (int k = 0; k < 3; k++) {
                back += v[3 * i + k][l] * d[4 * k][l] * v[3 * j + k][l];
                unit += v[3 * k + i][l] * v[3 * k + j][l];
            }
            assert_true(fabs(back - a[3 * i + j]) <= 1e-14 * size);
            assert_true(fabs(unit) < 2e-15);
        }
}

static void three_by_three_is_taken_apart_to_roundoff(void **unused)
{
    (void)unused;
    static const double apart[] = {1, 1e-3, 1e-8, 1e-12, 1e-16, 0};
    static const double size[] = {1, 1e-9, 1e6};
    for (int trial = 0; trial < 2000; trial++)
        for (int k = 0; k < 18; k++) {
            double matrix[LANES][9];
            lanes a[9], v[9];
            for (int l = 0; l < LANES; l++) {
                draw(apart[k % 6], size[k / 6], matrix[l]);
                for (int i = 0; i < 9; i++)
                    a[i][l] = matrix[l][i];
            }
            spectrum_three(a, v);
            for (int l = 0; l < LANES; l++)
                check(l, matrix[l], a, v);
        }
}

static void nothing_and_diagonals_are_taken_apart_too(void **unused)
{
    (void)unused;
    static const double diagonal[LANES][3] = {{0, 0, 0}, {1, 1, 1},  {1, 0, 0},   {0, 2, 0},
                                              {0, 0, 3}, {1, 2, -3}, {-1, -1, 2}, {5, 5, 1e-20}};
    lanes a[9], v[9];
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < 9; i++)
            a[i][l] = i % 4 == 0 ? diagonal[l][i / 4] : 0;
    spectrum_three(a, v);
    for (int l = 0; l < LANES; l++) {
        double matrix[9] = {diagonal[l][0], 0, 0, 0, diagonal[l][1], 0, 0, 0, diagonal[l][2]};
        check(l, matrix, a, v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_by_three_is_taken_apart_to_roundoff),
        cmocka_unit_test(nothing_and_diagonals_are_taken_apart_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
