// Obstacles are drawn where they are: triangles of every shape against its distance.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "io/obstacle_draw.h"

#include <math.h>

static const contact_frame home = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static double distance(const contact_shape *shape, const double p[3], double normal[3])
{
    return shape_distance(shape, &home, p, normal);
}

// Vertices on the surface; triangles as flat on it as their size allows, and seen from outside,
// where the shape's own normal points (a pipe is seen from within).
static void check(const contact_shape *shape)
{
    static solid_surface s;
    const double middle[3] = {0};
    int seen = 0;
    solid_trace(shape, middle, 3, &s);
    assert_in_range(s.ntri, 1, SOLID_TRIANGLES);
    assert_in_range(s.nvertex, 3, SOLID_VERTICES);
    for (int v = 0; v < s.nvertex; v++) {
        double n[3];
        assert_true(fabs(distance(shape, s.x[v], n)) < 1e-12);
        assert_true(fabs(vec_norm(s.normal[v]) - 1) < 1e-12);
    }
    for (int t = 0; t < s.ntri; t++) {
        double u[3], w[3], across[3], at[3] = {0}, n[3];
        for (int i = 0; i < 3; i++) {
            assert_in_range(s.tri[t][i], 0, s.nvertex - 1);
            vec_axpy(at, 1.0 / 3, s.x[s.tri[t][i]]);
        }
        vec_sub(u, s.x[s.tri[t][1]], s.x[s.tri[t][0]]);
        vec_sub(w, s.x[s.tri[t][2]], s.x[s.tri[t][0]]);
        vec_cross(across, u, w);
        if (vec_norm(across) < 1e-12)
            continue; // at a pole
        seen++;
        assert_true(fabs(distance(shape, at, n)) < 0.01);
        double side = vec_dot(across, n) / vec_norm(across);
        assert_true((shape_kinds[shape->kind]->hollow ? -side : side) > 0.99);
    }
    assert_true(seen > 0);
}

static void every_shape_is_drawn_on_its_surface(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < SHAPE_KINDS; kind++) {
        assert_int_equal(solid_traces[kind] == NULL, shape_kinds[kind]->told);
        if (!shape_kinds[kind]->told)
            check(&(contact_shape){(shape_kind)kind, 0.7, {0.4, 0.6, 1.1}});
    }
}

static void what_has_triangles_of_its_own_is_not_drawn_as_a_shape(void **unused)
{
    (void)unused;
    static solid_surface s;
    solid_trace(&(contact_shape){.kind = SHAPE_MESH}, (const double[3]){0}, 3, &s);
    assert_int_equal(s.ntri, 0);
    assert_int_equal(s.nvertex, 0);
}

static void endless_shapes_are_drawn_as_far_as_asked(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < SHAPE_KINDS; kind++) {
        if (!shape_kinds[kind]->endless)
            continue;
        static solid_surface s;
        contact_shape shape = {(shape_kind)kind, 0.7, {0.4, 0.6, 1.1}};
        const double middle[3] = {1, -2, 5};
        double top = -INFINITY, far = -INFINITY;
        solid_trace(&shape, middle, 3, &s);
        for (int v = 0; v < s.nvertex; v++) {
            top = fmax(top, s.x[v][2]);
            far = fmax(far, s.x[v][0]);
        }
        // as far as `extent` about the middle, along its axis or across
        assert_true(fabs(top - 8) < 1e-12 || fabs(far - 4) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_drawn_on_its_surface),
        cmocka_unit_test(what_has_triangles_of_its_own_is_not_drawn_as_a_shape),
        cmocka_unit_test(endless_shapes_are_drawn_as_far_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
