#include "contact/grid.h"

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
        cmocka_unit_test(the_normal_is_the_gradient_of_the_distance),
        cmocka_unit_test(the_hessian_is_the_derivative_of_the_normal),
        cmocka_unit_test(going_back_by_the_distance_ends_on_the_surface),
        cmocka_unit_test(no_point_of_a_triangle_is_nearer_than_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
