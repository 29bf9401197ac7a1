// Distances of features against search over their points, and all derivatives against differences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/brute.h"
#include "contact/distance.h"
#include "contact/fade.h"
#include "contact/rimmed.h"

#include "base/vec.h"

enum { KINDS = 4 };
static const distance_kind kinds[KINDS] = {{1, 1}, {1, 2}, {1, 3}, {2, 2}};

typedef double (*value_of)(const double *const *x, void *user);
typedef void (*gradient_of)(const double *const *x, void *user, double *g);

// Central differences of a function of n points, against its gradient.
static double gradient_error(int n, double (*x)[3], double h, value_of f, void *user,
                             const double *g)
{
    const double *p[4] = {x[0], x[1], x[2], x[3]};
    double worst = 0;
    for (int i = 0; i < 3 * n; i++) {
        double *v = &x[i / 3][i % 3], old = *v, way[2];
        for (int side = 0; side < 2; side++) {
            *v = old + (side ? h : -h);
            way[side] = f(p, user);
        }
        *v = old;
        worst = fmax(worst, fabs((way[1] - way[0]) / (2 * h) - g[i]));
    }
    return worst;
}

// The same of a gradient, against the second derivative; relative to its largest number.
static double hessian_error(int n, double (*x)[3], double h, gradient_of f, void *user,
                            const double *H)
{
    const double *p[4] = {x[0], x[1], x[2], x[3]};
    double worst = 0, size = 1;
    for (int i = 0; i < 3 * n; i++) {
        double *v = &x[i / 3][i % 3], old = *v, way[2][12];
        for (int side = 0; side < 2; side++) {
            *v = old + (side ? h : -h);
            f(p, user, way[side]);
        }
        *v = old;
        for (int j = 0; j < 3 * n; j++) {
            double exact = H[j * 3 * n + i];
            worst = fmax(worst, fabs((way[1][j] - way[0][j]) / (2 * h) - exact));
            size = fmax(size, fabs(exact));
        }
    }
    return worst / size;
}

static double length_of(const double *const *x, void *user)
{
    distance_form f;
    distance_find(*(distance_kind *)user, x, &f);
    return f.d;
}

static void slope_of(const double *const *x, void *user, double *g)
{
    distance_form f;
    distance_find(*(distance_kind *)user, x, &f);
    for (int i = 0; i < 3 * f.n; i++)
        g[i] = f.share[i / 3] * f.normal[i % 3];
}

static void draw(dice *d, int n, double (*x)[3])
{
    for (int i = 0; i < n; i++)
        dice_vector(d, 1, x[i]);
}

static void distance_is_that_of_the_nearest_points(void **state)
{
    (void)state;
    dice d = {1};
    for (int k = 0; k < KINDS; k++)
        for (int c = 0; c < 1500; c++) {
            double x[4][3];
            const double *p[4] = {x[0], x[1], x[2], x[3]};
            distance_form f;
            draw(&d, 4, x);
            distance_find(kinds[k], p, &f);
            double exact = brute_distance(kinds[k].na, kinds[k].nb, p);
            assert_true(fabs(f.d - exact) < 1e-7);
        }
}

// Segments and triangles that are parallel, flat, of no length, or on top of each other.
static void degenerate_features_have_the_right_distance(void **state)
{
    (void)state;
    dice d = {2};
    for (int k = 1; k < KINDS; k++)
        for (int c = 0; c < 3000; c++) {
            double x[4][3], far = pow(10, dice_between(&d, -9, 0));
            const double *p[4] = {x[0], x[1], x[2], x[3]};
            distance_form f;
            draw(&d, 4, x);
            for (int i = 0; i < 3; i++) {
                double side = x[1][i] - x[0][i];
                if (c % 4 == 0) // nearly parallel
                    x[3][i] = x[2][i] + side + far * x[3][i];
                if (c % 4 == 1) // nearly in one point
                    x[2][i] = x[1][i] + far * x[2][i];
                if (c % 4 == 2) // close to each other
                    x[0][i] = x[kinds[k].na][i] + far * x[0][i];
                if (c % 4 == 3) // corners of a grid
                    for (int v = 0; v < 4; v++)
                        x[v][i] = floor(2 * x[v][i]);
            }
            distance_find(kinds[k], p, &f);
            double exact = brute_distance(kinds[k].na, kinds[k].nb, p), length = vec_norm(f.normal);
            assert_true(fabs(f.d - exact) < 1e-7);
            assert_true(fabs(length - 1) < 1e-12);
        }
}

static void derivatives_are_those_of_the_distance(void **state)
{
    (void)state;
    dice d = {3};
    int seen[KINDS][3] = {{0}};
    for (int k = 0; k < KINDS; k++)
        for (int c = 0; c < 2000; c++) {
            double x[4][3], g[12], H[144];
            const double *p[4] = {x[0], x[1], x[2], x[3]};
            distance_kind kind = kinds[k];
            distance_form f;
            draw(&d, 4, x);
            distance_find(kind, p, &f);
            double least = 1;
            for (int i = 0; i < f.n; i++)
                least = fmin(least, f.share[i] == 0 ? 1 : fabs(f.share[i]));
            if (f.d < 0.05 || least < 0.01) // not across the kinks of the second derivative
                continue;
            double cross = distance_cross(p, NULL, NULL);
            if (kind.na == 2 && cross < 0.05)
                continue;
            slope_of(p, &kind, g);
            assert_true(gradient_error(f.n, x, 1e-6, length_of, &kind, g) < 1e-7);
            distance_hessian(&f, p, H);
            assert_true(hessian_error(f.n, x, 1e-6, slope_of, &kind, H) < 1e-5);
            seen[k][f.nfree]++;
        }
    for (int k = 0; k < KINDS; k++) // every region was met
        for (int free = 0; free < 3; free++)
            assert_true(seen[k][free] > 20 || free > (k < 2 ? k : 2));
}

// Between a vertex and a face nothing grows as they come near.
static void the_hessian_of_a_face_is_exact_at_tiny_distances(void **state)
{
    (void)state;
    dice d = {4};
    for (int c = 0; c < 300; c++) {
        double x[4][3], H[144];
        const double *p[4] = {x[0], x[1], x[2], x[3]};
        distance_form f;
        draw(&d, 4, x);
        double u[3], v[3], n[3], w[2] = {dice_between(&d, 0.2, 0.4), dice_between(&d, 0.2, 0.4)};
        vec_sub(u, x[2], x[1]);
        vec_sub(v, x[3], x[1]);
        vec_cross(n, u, v);
        if (vec_norm(n) < 0.2)
            continue;
        for (int i = 0; i < 3; i++)
            x[0][i] = x[1][i] + w[0] * u[i] + w[1] * v[i] + 1e-9 * n[i] / vec_norm(n);
        distance_find(kinds[2], p, &f);
        assert_true(fabs(f.d - 1e-9) < 1e-15);
        distance_hessian(&f, p, H);
        distance_kind kind = kinds[2];
        assert_true(hessian_error(4, x, 1e-11, slope_of, &kind, H) < 1e-3);
    }
}

static double cross_of(const double *const *x, void *user)
{
    (void)user;
    return distance_cross(x, NULL, NULL);
}

static void cross_slope(const double *const *x, void *user, double *g)
{
    (void)user;
    distance_cross(x, g, NULL);
}

static void derivatives_of_the_cross_product_are_exact(void **state)
{
    (void)state;
    dice d = {5};
    for (int c = 0; c < 200; c++) {
        double x[4][3], g[12], H[144];
        const double *p[4] = {x[0], x[1], x[2], x[3]};
        draw(&d, 4, x);
        distance_cross(p, g, H);
        assert_true(gradient_error(4, x, 1e-5, cross_of, NULL, g) < 1e-8);
        assert_true(hessian_error(4, x, 1e-5, cross_slope, NULL, H) < 1e-8);
    }
}

// ---------------------------------------------------------------- cylinders

static const contact_shape post = {.kind = SHAPE_CYLINDER, .radius = 0.4, .half = {0, 0, 0.5}};
#define SOFT 0.05

static void about_post(dice *d, int n, double (*x)[3])
{
    static const double spread[3] = {1.2, 1.2, 1.2};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            x[i][k] = dice_between(d, -spread[k], spread[k]);
}

static void form_of(int n, const double *const *x, rimmed_form *f)
{
    if (n == 2)
        rimmed_edge(&post, x, SOFT, f);
    else
        rimmed_face(&post, x, SOFT, f);
}

static void least_distance_from_a_cylinder_is_found(void **state)
{
    (void)state;
    dice d = {6};
    brute_cylinder solid = {0.4, 0.5};
    int outside[2] = {0, 0};
    for (int c = 0; c < 4000; c++) {
        double x[4][3];
        const double *p[4] = {x[0], x[1], x[2], x[3]};
        int n = 2 + c % 2;
        rimmed_form f;
        about_post(&d, n, x);
        double exact = brute_signed(n, p, brute_cylinder_distance, &solid);
        form_of(n, p, &f);
        if (exact < 1e-3)
            continue;
        assert_true(fabs(f.distance - exact) < 1e-8);
        assert_true(f.weight >= 0 && f.weight <= 1);
        outside[n - 2] += f.weight > 0;
    }
    assert_true(outside[0] > 100 && outside[1] > 10);
}

static double post_distance(const double *const *x, void *user)
{
    rimmed_form f;
    form_of(*(int *)user, x, &f);
    return f.distance;
}

static void post_slope(const double *const *x, void *user, double *g)
{
    rimmed_form f;
    form_of(*(int *)user, x, &f);
    for (int i = 0; i < 3 * f.n; i++)
        g[i] = f.share[i / 3] * f.normal[i % 3];
}

static double post_weight(const double *const *x, void *user)
{
    rimmed_form f;
    form_of(*(int *)user, x, &f);
    return f.weight;
}

static void post_weight_slope(const double *const *x, void *user, double *g)
{
    rimmed_weigh(&post, x, *(int *)user, SOFT, g, NULL);
}

static void derivatives_about_a_cylinder_are_exact(void **state)
{
    (void)state;
    dice d = {7};
    int seen[2] = {0, 0}, fading[2] = {0, 0};
    for (int c = 0; c < 60000 && (seen[1] < 60 || fading[1] < 20 || fading[0] < 20); c++) {
        double x[4][3], g[12], H[144];
        const double *p[4] = {x[0], x[1], x[2], x[3]};
        int n = 2 + c % 2;
        rimmed_form f;
        about_post(&d, n, x);
        form_of(n, p, &f);
        if (f.distance < 0.03 || f.weight < 0.02 || f.weight > 0.98)
            if (f.weight < 1 || f.distance < 0.03 || f.slack < 1.1 * SOFT)
                continue;
        post_slope(p, &n, g);
        if (gradient_error(n, x, 1e-6, post_distance, &n, g) > 1e-6)
            fail_msg("gradient of case %d is wrong", c);
        rimmed_hessian(&post, p, n, H);
        double error = hessian_error(n, x, 1e-6, post_slope, &n, H);
        if (error > 1e-4)
            fail_msg("curvature of case %d is off by %g", c, error);
        seen[n - 2]++;
        rimmed_weigh(&post, p, n, SOFT, g, H);
        error = gradient_error(n, x, 1e-7, post_weight, &n, g);
        if (error > 1e-4)
            fail_msg("slope of the weight of case %d is off by %g", c, error);
        error = hessian_error(n, x, 1e-6, post_weight_slope, &n, H);
        if (error > 1e-3)
            fail_msg("curvature of the weight of case %d is off by %g", c, error);
        fading[n - 2] += f.weight < 1;
    }
    assert_true(seen[0] > 100 && seen[1] >= 60 && fading[0] >= 20 && fading[1] >= 20);
}

// Where the lowest point comes to an end, the weight comes to 0 together with its slope.
static void weight_ends_smoothly_at_the_ends(void **state)
{
    (void)state;
    double before = -1, slope_before = 0;
    for (int i = 0; i <= 4000; i++) {
        double way = -0.6 + 1.2 * i / 4000;
        double x[2][3] = {{0.5, way, 0}, {0.5, way + 0.3, 0.1}}, g[6], along = 0;
        const double *p[2] = {x[0], x[1]};
        rimmed_form f;
        rimmed_edge(&post, p, SOFT, &f);
        rimmed_weigh(&post, p, 2, SOFT, g, NULL);
        for (int k = 0; k < 2; k++)
            along += g[3 * k + 1];
        if (i > 0) {
            assert_true(fabs(f.weight - before) < 0.02);
            assert_true(fabs(along - slope_before) < 1.5);
        }
        before = f.weight;
        slope_before = along;
    }
}

// Near a rim the lowest point of an edge leaves its end at once, and the weight does not.
static void weight_comes_in_slowly_beside_a_rim(void **state)
{
    (void)state;
    const double above = 1e-5;
    for (double way = 0.01 * SOFT; way > 2 * above; way *= 0.5) {
        double x[2][3] = {{0.3 + way, 0, 0.6 + above}, {0.4 + way, 0, 0.5 + above}}, g[6];
        const double *p[2] = {x[0], x[1]};
        rimmed_form f;
        rimmed_edge(&post, p, SOFT, &f);
        rimmed_weigh(&post, p, 2, SOFT, g, NULL);
        assert_true(f.weight > 0);
        assert_true(fabs(g[0] + g[3]) < 0.05 / SOFT);
    }
}

static void fade_is_once_continuously_differentiable(void **state)
{
    (void)state;
    assert_true(fade(0).value == 0 && fade(1).value == 1 && fade(2).value == 1);
    assert_true(fabs(fade(1 - 1e-9).slope - fade(1 + 1e-9).slope) < 1e-8);
    assert_true(fade_evenly(0).slope == 0 && fade_evenly(1).value == 1);
    assert_true(fabs(fade_evenly(1 - 1e-9).value - 1) < 1e-8 && fade_evenly(1 - 1e-9).slope < 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_is_that_of_the_nearest_points),
        cmocka_unit_test(degenerate_features_have_the_right_distance),
        cmocka_unit_test(derivatives_are_those_of_the_distance),
        cmocka_unit_test(the_hessian_of_a_face_is_exact_at_tiny_distances),
        cmocka_unit_test(derivatives_of_the_cross_product_are_exact),
        cmocka_unit_test(least_distance_from_a_cylinder_is_found),
        cmocka_unit_test(derivatives_about_a_cylinder_are_exact),
        cmocka_unit_test(weight_ends_smoothly_at_the_ends),
        cmocka_unit_test(weight_comes_in_slowly_beside_a_rim),
        cmocka_unit_test(fade_is_once_continuously_differentiable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
