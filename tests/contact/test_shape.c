#include "contact/check_shape.h"
#include "contact/grid.h"
#include "contact/shape_traits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static const contact_shape SHAPES[] = {
    {SHAPE_PLANE, 0, {0}},
    {SHAPE_SPHERE, 0.7, {0}},
    {SHAPE_CAPSULE, 0.4, {0, 0, 1}},
    {SHAPE_BOX, 0, {0.5, 0.8, 0.3}},
    {SHAPE_CYLINDER, 0.6, {0, 0, 1}},
    {SHAPE_PIPE, 1.1, {0}},
    {SHAPE_CONE, 0.6, {0, 0, 0.8}},
};
enum { NSHAPE = sizeof SHAPES / sizeof *SHAPES };
static const contact_frame home = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static void every_shape_has_all_of_its_parts(void **state)
{
    (void)state;
    for (int kind = 0; kind < SHAPE_KINDS; kind++) {
        const shape_traits *s = shape_kinds[kind];
        const check_kind *c = &check_kinds[kind];
        bool listed = false; // it is in the tests below
        for (int k = 0; k < NSHAPE; k++)
            listed = listed || (int)SHAPES[k].kind == kind;
        assert_non_null(s);
        assert_int_equal(listed, !s->told);
        assert_int_equal(s->distance != NULL, !s->told);
        assert_int_equal(s->hessian != NULL, !s->told);
        assert_int_equal(s->skin != NULL, !s->told && !s->endless);
        assert_int_equal(s->meridian != NULL, s->nrim > 0);
        assert_int_equal(s->support != NULL, s->nrim > 0);
        assert_int_equal(c->told, s->told);
        assert_int_equal(c->distance != NULL, !s->told);
        assert_int_equal(c->thin != NULL, !s->told);
        assert_int_equal(c->thick != NULL, !s->told);
        assert_int_equal(c->endless, s->endless);
        assert_int_equal(c->nrim, s->nrim);
    }
}

// What the table says of a shape, against its distance alone.
static void what_is_said_of_a_shape_is_so(void **state)
{
    (void)state;
    unsigned seed = 23;
    for (int k = 0; k < NSHAPE; k++) {
        const contact_shape *s = &SHAPES[k];
        const shape_traits *kind = shape_kinds[s->kind];
        double n[3], nearest = INFINITY;
        bool convex = true;
        for (int i = 0; i < 2000; i++) {
            double a[3], b[3], middle[3], far[3];
            for (int j = 0; j < 3; j++) {
                a[j] = 4 * uniform(&seed) - 2;
                b[j] = 4 * uniform(&seed) - 2;
                middle[j] = 0.5 * (a[j] + b[j]);
            }
            double mean = 0.5 * (shape_distance(s, &home, a, n) + shape_distance(s, &home, b, n));
            convex = convex && shape_distance(s, &home, middle, n) <= mean + 1e-12;
            memcpy(far, a, sizeof far);
            vec_scale(far, 1e4 / vec_norm(a));
            nearest = fmin(nearest, shape_distance(s, &home, far, n));
            NEAR(check_shape_distance(s, a), shape_distance(s, &home, a, n), 1e-12);
        }
        assert_int_equal(convex, kind->stride == NULL);
        assert_int_equal(nearest < 1e3, kind->endless);
        assert_int_equal(shape_distance(s, &home, (const double[3]){0}, n) > 0, kind->hollow);
    }
}

// … and the points by which it meets others are on its surface, as thick as it is.
static void skins_are_on_the_surface(void **state)
{
    (void)state;
    for (int k = 0; k < NSHAPE; k++) {
        static shape_skin skin;
        const shape_traits *kind = shape_kinds[SHAPES[k].kind];
        double n[3];
        if (!kind->skin)
            continue;
        memset(&skin, 0, sizeof skin);
        kind->skin(&SHAPES[k], &skin);
        assert_in_range(skin.nvertex, 1, SHAPE_VERTICES);
        assert_in_range(skin.ntri, 0, SHAPE_TRIANGLES);
        for (int v = 0; v < skin.nvertex; v++)
            NEAR(shape_distance(&SHAPES[k], &home, &skin.x[3 * v], n), -skin.radius, 1e-12);
        for (int i = 0; i < 3 * skin.ntri; i++)
            assert_in_range(skin.tri[i], 0, skin.nvertex - 1);
        assert_true(kind->nrim == 0 || (skin.nvertex == kind->nrim * SHAPE_RIM && skin.ntri == 0));
    }
}

// As far as a shape that is not convex lets a point go, the distance falls to the floor.
static void strides_end_at_the_floor(void **state)
{
    (void)state;
    unsigned seed = 29;
    for (int k = 0; k < NSHAPE; k++)
        for (int i = 0; i < 300; i++) {
            const contact_shape *s = &SHAPES[k];
            double q[3], u[3], n[3], end[3], floor;
            for (int j = 0; j < 6; j++)
                (j < 3 ? q : u)[j % 3] = 2 * uniform(&seed) - 1;
            double d = shape_distance(s, &home, q, n);
            if (!shape_kinds[s->kind]->stride || d < 0.01)
                continue;
            floor = 0.5 * d;
            memcpy(end, q, sizeof end);
            vec_axpy(end, shape_kinds[s->kind]->stride(s, q, u, floor), u);
            NEAR(shape_distance(s, &home, end, n), floor, 1e-9);
        }
}

// Of shapes with rims: the meridian is the distance, and no point of the surface is farther along a
// direction than its support.
static void meridian_and_support_are_those_of_the_distance(void **state)
{
    (void)state;
    unsigned seed = 31;
    for (int k = 0; k < NSHAPE; k++)
        for (int i = 0; i < 300; i++) {
            const contact_shape *s = &SHAPES[k];
            const shape_traits *kind = shape_kinds[s->kind];
            double q[3], n[3], unused[3], p[3], radius;
            meridian m;
            for (int j = 0; j < 6; j++)
                (j < 3 ? q : n)[j % 3] = 2 * uniform(&seed) - 1;
            vec_scale(n, 1 / vec_norm(n));
            if (kind->nrim == 0 || !kind->support(s, n, hypot(n[0], n[1]), p, &radius))
                continue;
            double d = shape_distance(s, &home, q, unused), foot[3];
            kind->meridian(s, hypot(q[0], q[1]), q[2], &m);
            NEAR(m.phi, d, 1e-12);
            memcpy(foot, q, sizeof foot);
            vec_axpy(foot, -d, unused);
            assert_true(vec_dot(foot, n) <= vec_dot(p, n) + 1e-12);
            NEAR(shape_distance(s, &home, p, unused), 0, 1e-12);
            NEAR(hypot(p[0], p[1]), radius, 1e-12);
        }
}

static void the_normal_is_the_gradient_of_the_distance(void **state)
{
    (void)state;
    unsigned seed = 7;
    contact_frame at = pose_rotated(0.8, 0.1, -0.2, 0.3);
    for (int k = 0; k < NSHAPE; k++)
        for (int i = 0; i < 200; i++) {
            double p[3], n[3], unused[3], h = 1e-6;
            for (int j = 0; j < 3; j++)
                p[j] = 3 * uniform(&seed) - 1.5;
            double d = shape_distance(&SHAPES[k], &at, p, n);
            NEAR(vec_norm(n), 1, 1e-12);
            double worst = 0;
            for (int j = 0; j < 3; j++) {
                double up[3], down[3];
                memcpy(up, p, sizeof p);
                memcpy(down, p, sizeof p);
                up[j] += h;
                down[j] -= h;
                double slope = (shape_distance(&SHAPES[k], &at, up, unused) -
                                shape_distance(&SHAPES[k], &at, down, unused)) /
                               (2 * h);
                worst = fmax(worst, fabs(slope - n[j]));
            }
            // a kink within h of the point spoils the difference, not the normal
            if (worst > 1e-5) {
                double q[3];
                memcpy(q, p, sizeof q);
                vec_axpy(q, -d, n);
                NEAR(shape_distance(&SHAPES[k], &at, q, unused), 0, 1e-9);
            }
        }
}

static void the_hessian_is_the_derivative_of_the_normal(void **state)
{
    (void)state;
    unsigned seed = 77;
    int compared = 0;
    contact_frame at = pose_rotated(0.8, 0.1, -0.2, 0.3);
    for (int k = 0; k < NSHAPE; k++)
        for (int i = 0; i < 300; i++) {
            double p[3], D[9], n[3], here[3], h = 1e-6, worst = 0;
            for (int j = 0; j < 3; j++)
                p[j] = 4 * uniform(&seed) - 2;
            shape_hessian(&SHAPES[k], &at, p, D);
            shape_distance(&SHAPES[k], &at, p, here);
            for (int j = 0; j < 3; j++) {
                double up[3], down[3], n2[3];
                memcpy(up, p, sizeof p);
                memcpy(down, p, sizeof p);
                up[j] += h;
                down[j] -= h;
                shape_distance(&SHAPES[k], &at, up, n);
                shape_distance(&SHAPES[k], &at, down, n2);
                // the normal must not have jumped
                if (vec_dot(n, n2) < 0.9)
                    worst = INFINITY;
                for (int l = 0; l < 3; l++)
                    worst = fmax(worst, fabs((n[l] - n2[l]) / (2 * h) - D[3 * l + j]));
            }
            if (isfinite(worst)) {
                assert_true(worst < 1e-4);
                compared++;
            }
        }
    assert_true(compared > 5 * 300);
}

static void going_back_by_the_distance_ends_on_the_surface(void **state)
{
    (void)state;
    unsigned seed = 11;
    contact_frame at = pose_rotated(-1.3, 0.5, 0.2, 0);
    for (int k = 0; k < NSHAPE; k++)
        for (int i = 0; i < 300; i++) {
            double p[3], n[3], foot[3], unused[3];
            for (int j = 0; j < 3; j++)
                p[j] = 4 * uniform(&seed) - 2;
            double d = shape_distance(&SHAPES[k], &at, p, n);
            memcpy(foot, p, sizeof p);
            vec_axpy(foot, -d, n);
            NEAR(shape_distance(&SHAPES[k], &at, foot, unused), 0, 1e-12);
        }
}

static double length_of(const double *const c[3], const double w[3], const double p[3])
{
    double q[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        vec_axpy(q, w[i], c[i]);
    return vec_distance(p, q);
}

static void no_point_of_a_triangle_is_nearer_than_the_nearest(void **state)
{
    (void)state;
    unsigned seed = 17;
    for (int i = 0; i < 500; i++) {
        double x[3][3], p[3], w[3];
        for (int j = 0; j < 12; j++)
            (j < 9 ? x[j / 3] : p)[j % 3] = uniform(&seed);
        if (i % 5 == 0) // no area: a segment
            for (int j = 0; j < 3; j++)
                x[2][j] = 0.3 * x[0][j] + 0.7 * x[1][j];
        const double *c[3] = {x[0], x[1], x[2]};
        nearest_feature f = nearest_on_triangle(p, c, w);
        double least = length_of(c, w, p);
        NEAR(w[0] + w[1] + w[2], 1, 1e-12);
        assert_true(w[0] >= 0 && w[1] >= 0 && w[2] >= 0);
        int positive = (w[0] > 0) + (w[1] > 0) + (w[2] > 0);
        assert_int_equal(positive, f <= NEAREST_CORNER2 ? 1 : f <= NEAREST_EDGE2 ? 2 : 3);
        for (int k = 0; k < 200; k++) {
            double a = uniform(&seed), b = uniform(&seed);
            double u[3] = {1 - fmax(a, b), fmin(a, b), fabs(a - b)};
            assert_true(length_of(c, u, p) >= least - 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_has_all_of_its_parts),
        cmocka_unit_test(what_is_said_of_a_shape_is_so),
        cmocka_unit_test(skins_are_on_the_surface),
        cmocka_unit_test(strides_end_at_the_floor),
        cmocka_unit_test(meridian_and_support_are_those_of_the_distance),
        cmocka_unit_test(the_normal_is_the_gradient_of_the_distance),
        cmocka_unit_test(the_hessian_is_the_derivative_of_the_normal),
        cmocka_unit_test(going_back_by_the_distance_ends_on_the_surface),
        cmocka_unit_test(no_point_of_a_triangle_is_nearer_than_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
