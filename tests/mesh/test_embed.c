#include "mesh/embed.h"
#include "mesh/voxels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// A number in [0, 1), the same on every run.
static double next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0;
}

static void assert_reproduces(const double *x, const mesh_point *p, const double at[3], double size)
{
    double sum = p->weight[1] + p->weight[2] + p->weight[3] + p->weight[0];
    assert_true(sum == 1);
    for (int k = 0; k < 3; k++) {
        double value = 0;
        for (int i = 0; i < 4; i++)
            value += p->weight[i] * x[3 * p->node[i] + k];
        assert_true(fabs(value - at[k]) <= 1e-14 * size);
    }
}

static void a_point_inside_has_weights_from_0_to_1_that_reproduce_it(void **unused)
{
    (void)unused;
    lithe_mesh *m = voxel_mesh(3, 2, 2, "############", NULL);
    uint32_t seed = 1;
    for (int n = 0; n < 300; n++) {
        double at[3] = {3 * next_random(&seed), 2 * next_random(&seed), 2 * next_random(&seed)};
        mesh_point p;
        embed_point(m, m->x, at, &p);
        assert_true(p.outside == 0);
        for (int i = 0; i < 4; i++)
            assert_true(p.weight[i] >= -1e-11 && p.weight[i] <= 1 + 1e-11);
        assert_reproduces(m->x, &p, at, 4);
    }
    lithe_mesh_free(m);
}

static void a_point_shared_by_tetrahedra_goes_to_the_first(void **unused)
{
    (void)unused;
    lithe_mesh *m = voxel_mesh(2, 1, 1, "##", NULL);
    mesh_point p;
    embed_point(m, m->x, m->x, &p); // the first node, in all six tetrahedra of the first cube
    assert_memory_equal(p.node, m->tet, sizeof p.node);
    assert_true(p.weight[0] == 1);
    lithe_mesh_free(m);
}

static double box_distance(const double at[3], const double high[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double d = fmax(0, fmax(-at[k], at[k] - high[k]));
        square += d * d;
    }
    return sqrt(square);
}

static void a_point_outside_is_extrapolated_from_the_nearest_tetrahedron(void **unused)
{
    (void)unused;
    const double high[3] = {3, 2, 2};
    lithe_mesh *m = voxel_mesh(3, 2, 2, "############", NULL);
    uint32_t seed = 2;
    for (int n = 0; n < 300; n++) {
        double at[3];
        mesh_point p;
        for (int k = 0; k < 3; k++)
            at[k] = 8 * next_random(&seed) - 3;
        embed_point(m, m->x, at, &p);
        assert_true(fabs(p.outside - box_distance(at, high)) < 1e-12);
        assert_reproduces(m->x, &p, at, 16);
    }
    lithe_mesh_free(m);
}

// A point inside a tetrahedron whose fourth node is a millionth away from the plane of the others.
static void embed_in_thin(uint32_t *seed)
{
    const int tet[4] = {0, 1, 2, 3};
    double x[4][3], at[3] = {0};
    lithe_mesh *m;
    mesh_point p;
    for (int i = 0; i < 9; i++)
        x[i / 3][i % 3] = next_random(seed);
    for (int k = 0; k < 3; k++) {
        x[3][k] = 0.3 * x[0][k] + 0.3 * x[1][k] + 0.4 * x[2][k] + 1e-6 * (next_random(seed) - 0.5);
        at[k] = 0.2 * x[0][k] + 0.3 * x[1][k] + 0.4 * x[2][k] + 0.1 * x[3][k];
    }
    if (lithe_mesh_create(4, x[0], 1, tet, &m, NULL) != LITHE_OK)
        return; // so thin that it counts as flat
    embed_point(m, m->x, at, &p);
    assert_reproduces(m->x, &p, at, 1);
    lithe_mesh_free(m);
}

static void thin_tetrahedra_reproduce_their_points_too(void **unused)
{
    (void)unused;
    uint32_t seed = 3;
    for (int n = 0; n < 1000; n++)
        embed_in_thin(&seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_inside_has_weights_from_0_to_1_that_reproduce_it),
        cmocka_unit_test(a_point_shared_by_tetrahedra_goes_to_the_first),
        cmocka_unit_test(a_point_outside_is_extrapolated_from_the_nearest_tetrahedron),
        cmocka_unit_test(thin_tetrahedra_reproduce_their_points_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
