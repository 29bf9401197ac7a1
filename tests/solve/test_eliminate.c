// Rows that are kept are taken out of a problem: what is left, and they, against the whole of it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solve/dense.h"
#include "solve/eliminate.h"

enum { N = 7, FIRST = 3, ROWS = 9 };

static double draw(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

// W = H K H' of some rows, of which the last kept one may say what another says, in another unit.
static void make(double W[ROWS * N], bool twice, bool indefinite)
{
    enum { COORDINATES = 12 };
    double H[ROWS][COORDINATES];
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COORDINATES; k++)
            H[i][k] = (i % 2 ? 1 : 1e3) * draw();
    for (int k = 0; k < COORDINATES && twice; k++)
        H[N - 1][k] = 2 * H[FIRST][k];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < N; j++) {
            W[i * N + j] = 0;
            for (int k = 0; k < COORDINATES; k++)
                W[i * N + j] += (indefinite && k == 0 ? -4 : 1) * H[i][k] * H[j][k];
        }
}

static void compare(bool twice, bool indefinite)
{
    double W[ROWS * N], before[ROWS * N], delta[ROWS], aim[N], start[ROWS], x[N];
    arena memory = {0};
    elimination e;
    make(W, twice, indefinite);
    for (int i = 0; i < ROWS; i++)
        delta[i] = draw();
    for (int i = 0; i < N; i++)
        aim[i] = draw();
    if (twice) {
        delta[N - 1] = 2 * delta[FIRST];
        aim[N - 1] = 2 * aim[FIRST];
    }
    memcpy(before, W, sizeof W);
    memcpy(start, delta, sizeof delta);
    assert_true(elimination_create(&memory, N, FIRST, &e));
    assert_true(eliminate(&e, ROWS, W, delta, aim));
    for (int i = 0; i < FIRST; i++)
        x[i] = draw();
    eliminate_back(&e, x);
    for (int r = 0; r < ROWS; r++) {
        double whole = start[r], left = delta[r], size = 1;
        for (int c = 0; c < N; c++) {
            whole += before[r * N + c] * x[c];
            left += W[r * N + c] * x[c];
            size += fabs(before[r * N + c] * x[c]);
            assert_true(c < FIRST || W[r * N + c] == 0);
        }
        assert_true(fabs(whole - left) < 1e-8 * size);
        if (r >= FIRST && r < N)
            assert_true(fabs(whole - aim[r]) < 1e-8 * size);
    }
    arena_free(&memory);
}

static void what_is_left_is_the_whole_with_rows_kept(void **unused)
{
    (void)unused;
    srand(5);
    for (int i = 0; i < 20; i++)
        compare(false, i % 2);
}

static void what_is_said_twice_does_not_contradict(void **unused)
{
    (void)unused;
    srand(6);
    for (int i = 0; i < 20; i++)
        compare(true, false);
}

// By what the determinants of leading minors change in sign.
static void negative_modes_are_counted(void **unused)
{
    (void)unused;
    double W[ROWS * N], delta[ROWS] = {0}, aim[N] = {0}, A[(N - FIRST) * (N - FIRST)],
                        scratch[DENSE_BLOCK * N];
    srand(7);
    for (int i = 0; i < 10; i++) {
        arena memory = {0};
        elimination e;
        make(W, false, i % 2);
        for (int r = FIRST; r < N; r++)
            for (int c = FIRST; c < N; c++)
                A[(r - FIRST) * (N - FIRST) + c - FIRST] = W[r * N + c];
        assert_true(elimination_create(&memory, N, FIRST, &e));
        assert_true(eliminate(&e, ROWS, W, delta, aim));
        assert_int_equal(eliminate_negative(&e), dense_ldl(N - FIRST, A, scratch));
        arena_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_is_the_whole_with_rows_kept),
        cmocka_unit_test(what_is_said_twice_does_not_contradict),
        cmocka_unit_test(negative_modes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
