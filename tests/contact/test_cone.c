// A cone: distance, edges and faces against it, their derivatives, and the check.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "contact/brute.h"
#include "contact/check_shape.h"
#include "contact/rimmed.h"
#include "contact/world.h"

static const contact_shape cone = {.kind = SHAPE_CONE, .radius = 0.5, .half = {0, 0, 0.6}};
static const contact_frame still = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
#define SOFT 0.05

// A convex solid's signed distance is the largest of n . p - support(n) over directions n; it is
// taken at one of four: out of the base, out of the slope, from the tip, from the rim.
static double by_support(void *user, const double p[3])
{
    const contact_shape *s = user;
    double r = sqrt(p[0] * p[0] + p[1] * p[1]), R = s->radius, h = s->half[2], most = -INFINITY;
    const double n[4][2] = {{0, -1}, {2 * h, R}, {r, p[2] - h}, {r - R, p[2] + h}};
    for (int i = 0; i < 4; i++) {
        double length = sqrt(n[i][0] * n[i][0] + n[i][1] * n[i][1]);
        if (length == 0 || n[i][0] < 0)
            continue;
        double a = n[i][0] / length, b = n[i][1] / length;
        most = fmax(most, a * r + b * p[2] - fmax(b * h, a * R - b * h));
    }
    return most;
}

static void both_distances_are_that_of_the_convex_solid(void **unused)
{
    (void)unused;
    dice d = {3};
    for (int c = 0; c < 20000; c++) {
        double p[3], n[3];
        dice_vector(&d, 1.3, p);
        if (c % 5 == 0)
            p[0] = p[1] = 0; // on the axis
        contact_shape s = cone;
        double exact = by_support(&s, p);
        assert_true(fabs(shape_distance(&s, &still, p, n) - exact) < 1e-12);
        assert_true(fabs(check_shape_distance(&s, p) - exact) < 1e-12);
        assert_true(fabs(vec_norm(n) - 1) < 1e-12);
    }
}

static void form_of(int n, const double *const *x, rimmed_form *f)
{
    if (n == 2)
        rimmed_edge(&cone, x, SOFT, f);
    else
        rimmed_face(&cone, x, SOFT, f);
}

static void least_distances_of_edges_and_faces_are_found(void **unused)
{
    (void)unused;
    dice d = {6};
    contact_shape s = cone;
    int outside[2] = {0, 0}, tips = 0;
    for (int c = 0; c < 3000; c++) {
        double x[3][3];
        const double *p[3] = {x[0], x[1], x[2]};
        int n = 2 + c % 2;
        rimmed_form f;
        for (int i = 0; i < n; i++) {
            dice_vector(&d, 1.3, x[i]);
            if (c % 3 == 0)
                x[i][2] = 0.7 + 0.3 * x[i][2]; // above the tip
        }
        double exact = brute_signed(n, p, by_support, &s);
        form_of(n, p, &f);
        if (exact < 1e-3)
            continue;
        assert_true(fabs(f.distance - exact) < 1e-7);
        outside[n - 2] += f.weight > 0;
        tips += n == 3 && f.weight > 0 && c % 3 == 0;
    }
    assert_true(outside[0] > 100 && outside[1] > 10 && tips > 5);
}

// Worst differences of gradient and Hessian of the distance and of the weight, relative.
static double derivative_error(int n, double (*x)[3])
{
    const double *p[3] = {x[0], x[1], x[2]};
    double H[81], g[9], W[81], worst = 0, step = 1e-6;
    rimmed_form f, to[2];
    form_of(n, p, &f);
    rimmed_hessian(&cone, p, n, H);
    rimmed_weigh(&cone, p, n, SOFT, g, W);
    double size = 1, weight_size = 1;
    for (int i = 0; i < 9 * n * n; i++) {
        size = fmax(size, fabs(H[i]));
        weight_size = fmax(weight_size, fabs(W[i]));
    }
    for (int k = 0; k < 3 * n; k++) {
        double old = x[k / 3][k % 3], slope[2][9];
        for (int side = 0; side < 2; side++) {
            x[k / 3][k % 3] = old + (side ? step : -step);
            form_of(n, p, &to[side]);
            rimmed_weigh(&cone, p, n, SOFT, slope[side], NULL);
        }
        x[k / 3][k % 3] = old;
        double rate = (to[1].distance - to[0].distance) / (2 * step);
        worst = fmax(worst, fabs(rate - f.share[k / 3] * f.normal[k % 3]));
        rate = (to[1].weight - to[0].weight) / (2 * step);
        worst = fmax(worst, fabs(rate - g[k]) / weight_size);
        for (int j = 0; j < 3 * n; j++) {
            rate = (to[1].share[j / 3] * to[1].normal[j % 3] -
                    to[0].share[j / 3] * to[0].normal[j % 3]) /
                   (2 * step);
            worst = fmax(worst, fabs(rate - H[3 * n * j + k]) / size);
            worst = fmax(worst, fabs((slope[1][j] - slope[0][j]) / (2 * step) - W[3 * n * j + k]) /
                                    weight_size);
        }
    }
    return worst;
}

// Where a difference goes over a kink (from the tip to the rim) it says nothing: few may.
static void derivatives_are_exact(void **unused)
{
    (void)unused;
    dice d = {7};
    int seen[2] = {0, 0}, off[2] = {0, 0};
    for (int c = 0; c < 60000 && (seen[0] < 200 || seen[1] < 100); c++) {
        double x[3][3];
        const double *p[3] = {x[0], x[1], x[2]};
        int n = 2 + c % 2;
        rimmed_form f;
        for (int i = 0; i < n; i++) {
            dice_vector(&d, 1.3, x[i]);
            if (c % 3 == 0)
                x[i][2] = 0.75 + 0.2 * x[i][2];
        }
        form_of(n, p, &f);
        if (f.distance < 0.05 || f.weight < 0.02 || (f.weight > 0.98 && f.slack < 1.1 * SOFT))
            continue;
        seen[n - 2]++;
        off[n - 2] += derivative_error(n, x) > 1e-4;
    }
    assert_true(seen[0] >= 200 && seen[1] >= 100);
    assert_true(off[0] <= seen[0] / 50 && off[1] <= seen[1] / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_distances_are_that_of_the_convex_solid),
        cmocka_unit_test(least_distances_of_edges_and_faces_are_found),
        cmocka_unit_test(derivatives_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
