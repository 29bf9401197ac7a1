#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/nnls.h"

#include <math.h>
#include <stdlib.h>

enum { LINES = 24, COLUMNS = 60 };

static double some(int seed, int i)
{
    double v = sin(12.9898 * (i + 1) + 78.233 * seed) * 43758.5453;
    return v - floor(v) - 0.3;
}

typedef struct problem {
    float G[COLUMNS * LINES];
    double b[LINES], weight[COLUMNS];
    nnls_problem of;
} problem;

static void fill(problem *p, int seed, double tolerance)
{
    for (int i = 0; i < COLUMNS * LINES; i++)
        p->G[i] = (float)some(seed, i);
    for (int i = 0; i < LINES; i++) {
        p->b[i] = seed % 2 ? some(seed, -i) : 0;
        for (int c = 0; c < COLUMNS && seed % 2 == 0; c++) // a sum of all columns
            p->b[i] += (double)p->G[c * LINES + i];
    }
    p->of = (nnls_problem){.nline = LINES,
                           .ncolumn = COLUMNS,
                           .G = p->G,
                           .b = p->b,
                           .group = 6,
                           .tolerance = tolerance,
                           .most = COLUMNS};
}

static double rest(const problem *p, int line)
{
    double sum = p->b[line];
    for (int c = 0; c < COLUMNS; c++)
        sum -= p->weight[c] * (double)p->G[c * LINES + line];
    return sum;
}

// Karush, Kuhn and Tucker: weights at 0 would not lower the error by growing, others by no change.
static void the_least_squares_are_optimal(void **unused)
{
    (void)unused;
    for (int seed = 0; seed < 40; seed++) {
        problem p;
        nnls_result result;
        double size = 0;
        fill(&p, seed, 0);
        assert_int_equal(nnls_solve(&p.of, p.weight, &result), LITHE_OK);
        for (int i = 0; i < LINES; i++)
            size += p.b[i] * p.b[i];
        for (int c = 0; c < COLUMNS; c++) {
            double slope = 0;
            for (int i = 0; i < LINES; i++)
                slope += (double)p.G[c * LINES + i] * rest(&p, i);
            assert_true(p.weight[c] >= 0);
            assert_true(slope < 1e-6 * sqrt(size));
            assert_true(p.weight[c] == 0 || fabs(slope) < 1e-6 * sqrt(size));
        }
    }
}

static void it_ends_with_few_columns_once_every_group_is_near_enough(void **unused)
{
    (void)unused;
    problem p;
    nnls_result strict, loose;
    fill(&p, 2, 1e-3);
    assert_int_equal(nnls_solve(&p.of, p.weight, &strict), LITHE_OK);
    fill(&p, 2, 1);
    assert_int_equal(nnls_solve(&p.of, p.weight, &loose), LITHE_OK);
    assert_true(strict.error <= 1e-3 && loose.error <= 1);
    assert_true(loose.n < strict.n && strict.n < COLUMNS);
    for (int at = 0; at < LINES; at += 6) {
        double sum = 0;
        for (int i = at; i < at + 6; i++)
            sum += rest(&p, i) * rest(&p, i);
        assert_true(sqrt(sum) <= loose.error * (1 + 1e-9));
    }
}

static void threads_do_not_show(void **unused)
{
    (void)unused;
    problem one, two;
    nnls_result result;
    pool *threads = pool_create(3);
    fill(&one, 4, 1e-2);
    fill(&two, 4, 1e-2);
    two.of.threads = threads;
    assert_int_equal(nnls_solve(&one.of, one.weight, &result), LITHE_OK);
    assert_int_equal(nnls_solve(&two.of, two.weight, &result), LITHE_OK);
    assert_memory_equal(one.weight, two.weight, sizeof one.weight);
    pool_free(threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_squares_are_optimal),
        cmocka_unit_test(it_ends_with_few_columns_once_every_group_is_near_enough),
        cmocka_unit_test(threads_do_not_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
