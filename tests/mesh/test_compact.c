// The order in which neighbours stand together.
#include "mesh/compact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 16, POINTS = SIDE * SIDE * SIDE, GRAIN = 8 };

static void fill(double (*point)[3], const int *shuffle)
{
    for (int i = 0; i < POINTS; i++) {
        int at = shuffle[i];
        point[i][0] = at % SIDE;
        point[i][1] = at / SIDE % SIDE;
        point[i][2] = at / SIDE / SIDE;
    }
}

static void mix(int *shuffle)
{
    unsigned seed = 7;
    for (int i = 0; i < POINTS; i++)
        shuffle[i] = i;
    for (int i = POINTS - 1; i > 0; i--) {
        seed = 1664525 * seed + 1013904223;
        int j = (int)(seed % (unsigned)(i + 1)), swap = shuffle[i];
        shuffle[i] = shuffle[j];
        shuffle[j] = swap;
    }
}

// Largest side of the boxes of `n` points in a row, from multiples of n on.
static double widest(int n, const double (*point)[3], const int *order)
{
    double most = 0;
    for (int first = 0; first + n <= POINTS; first += n)
        for (int axis = 0; axis < 3; axis++) {
            double low = INFINITY, high = -INFINITY;
            for (int i = first; i < first + n; i++) {
                low = fmin(low, point[order[i]][axis]);
                high = fmax(high, point[order[i]][axis]);
            }
            most = fmax(most, high - low);
        }
    return most;
}

static void every_point_comes_once_and_neighbours_together(void **unused)
{
    (void)unused;
    static double point[POINTS][3];
    static int shuffle[POINTS], order[POINTS], again[POINTS], seen[POINTS];
    mix(shuffle);
    fill(point, shuffle);
    compact_order(POINTS, (const double(*)[3])point, GRAIN, order);
    for (int i = 0; i < POINTS; i++)
        seen[order[i]]++;
    for (int i = 0; i < POINTS; i++)
        assert_int_equal(seen[i], 1);
    // a grid that is halved again and again is cut into cubes
    assert_true(widest(POINTS / 8, (const double(*)[3])point, order) == SIDE / 2 - 1);
    assert_true(widest(GRAIN, (const double(*)[3])point, order) == 1);
    compact_order(POINTS, (const double(*)[3])point, GRAIN, again);
    assert_memory_equal(order, again, sizeof order);
}

static void few_points_and_equal_ones_are_no_trouble(void **unused)
{
    (void)unused;
    static double same[100][3];
    int order[100];
    for (int n = 0; n <= 100; n++) {
        int seen[100] = {0};
        compact_order(n, (const double(*)[3])same, GRAIN, order);
        for (int i = 0; i < n; i++)
            assert_int_equal(seen[order[i]]++, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_comes_once_and_neighbours_together),
        cmocka_unit_test(few_points_and_equal_ones_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
