#include "base/vec.h"
#include "mesh/normal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 8, NNODE = (N + 1) * (N + 1), NTRI = 2 * N * N };

typedef struct patch {
    double x[3 * NNODE];
    int tri[3 * NTRI];
    double normal[9 * NTRI];
} patch;

// A square of triangles, bent to a map.
static void make_patch(patch *p, void (*map)(double u, double v, double x[3]))
{
    int *to = p->tri;
    for (int i = 0; i < NNODE; i++)
        map((double)(i % (N + 1)) / N, (double)(i / (N + 1)) / N, &p->x[3 * i]);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++, to += 6) {
            int a = j * (N + 1) + i, b = a + 1, c = b + N + 1, d = a + N + 1;
            memcpy(to, (int[]){a, b, c, a, c, d}, 6 * sizeof *to);
        }
    assert_int_equal(normals_find(NTRI, p->tri, p->x, p->normal), LITHE_OK);
}

static void sphere(double u, double v, double x[3])
{
    double phi = 1.2 * u, theta = 1.2 * v;
    x[0] = cos(phi) * cos(theta);
    x[1] = sin(phi) * cos(theta);
    x[2] = sin(theta);
}

static void roof(double u, double v, double x[3])
{
    x[0] = u;
    x[1] = v;
    x[2] = -fabs(u - 0.5);
}

static void normals_of_a_sphere_are_found_up_to_its_rim(void **unused)
{
    (void)unused;
    patch p;
    make_patch(&p, sphere);
    for (int i = 0; i < 3 * NTRI; i++)
        assert_true(vec_distance(&p.normal[3 * i], &p.x[3 * p.tri[i]]) < 0.004);
}

static void sides_of_a_roof_stay_flat(void **unused)
{
    (void)unused;
    patch p;
    make_patch(&p, roof);
    for (int i = 0; i < 3 * NTRI; i++) {
        bool left = p.x[3 * p.tri[i - i % 3]] < 0.5 || p.x[3 * p.tri[i - i % 3 + 1]] < 0.5;
        double expected[3] = {left ? -sqrt(0.5) : sqrt(0.5), 0, sqrt(0.5)};
        assert_true(vec_distance(&p.normal[3 * i], expected) < 1e-9);
    }
}

static void triangles_that_look_to_the_other_side_keep_it(void **unused)
{
    (void)unused;
    patch p, q;
    make_patch(&p, sphere);
    q = p;
    for (int t = 0; t < NTRI; t += 3) {
        int second = q.tri[3 * t + 1];
        q.tri[3 * t + 1] = q.tri[3 * t + 2];
        q.tri[3 * t + 2] = second;
    }
    assert_int_equal(normals_find(NTRI, q.tri, q.x, q.normal), LITHE_OK);
    for (int i = 0; i < 3 * NTRI; i++) {
        bool flipped = i / 3 % 3 == 0;
        double *n = &q.normal[3 * i];
        vec_scale(n, flipped ? -1 : 1);
        assert_true(vec_distance(n, &q.x[3 * q.tri[i]]) < 0.004);
    }
}

// Nothing says how a single triangle is bent, nor one beside another.
static void few_triangles_are_flat(void **unused)
{
    (void)unused;
    const double x[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const int tri[] = {0, 1, 2, 0, 2, 3};
    for (int n = 1; n <= 2; n++) {
        double normal[18];
        assert_int_equal(normals_find(n, tri, x, normal), LITHE_OK);
        for (int i = 0; i < 3 * n; i++)
            assert_true(vec_distance(&normal[3 * i], (double[]){0, 0, 1}) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normals_of_a_sphere_are_found_up_to_its_rim),
        cmocka_unit_test(sides_of_a_roof_stay_flat),
        cmocka_unit_test(triangles_that_look_to_the_other_side_keep_it),
        cmocka_unit_test(few_triangles_are_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
