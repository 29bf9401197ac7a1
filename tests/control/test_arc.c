// Constant curvature and vertebrae: where the tip is by the lengths of strings.
#include "control/arc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double d = 0.04, rotation = 2.0943951023931953;

// Strings of an arc, measured along circles of their own.
static void strings_of_arc(double L, double theta, double phi, double length[3])
{
    for (int k = 0; k < 3; k++)
        length[k] = (L / theta - d * cos(rotation * k - phi)) * theta;
}

static void assert_near(const double *a, const double *b, int n, double tolerance)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance))
            fail_msg("number %d is %.12g, not %.12g", i, a[i], b[i]);
}

static void an_arc_is_found_from_its_strings(void **unused)
{
    (void)unused;
    for (int k = 0; k < 200; k++) {
        double L = 0.1, theta = 0.01 + 1.5 * (k % 20) / 20, phi = -3.1 + 6.2 * (k / 20) / 9;
        double length[3], r = L / theta, c = cos(phi), s = sin(phi);
        strings_of_arc(L, theta, phi, length);
        arc_pose end = arc_section(length, d);
        // equation 16, written out
        double ct = cos(theta), st = sin(theta);
        double R[9] = {c * c * ct + s * s,
                       c * s * (ct - 1),
                       c * st,
                       c * s * (ct - 1),
                       s * s * ct + c * c,
                       s * st,
                       -c * st,
                       -s * st,
                       ct};
        double p[3] = {r * c * (1 - ct), r * s * (1 - ct), r * st};
        assert_near(end.p, p, 3, 1e-15);
        assert_near(end.R, R, 9, 1e-13);
    }
}

static void equal_strings_make_a_straight_section(void **unused)
{
    (void)unused;
    arc_pose end = arc_section((double[]){0.1, 0.1, 0.1}, d), other;
    assert_near(end.p, (double[]){0, 0, 0.1}, 3, 1e-16);
    assert_near(end.R, arc_origin.R, 9, 1e-16);
    assert_int_equal(arc_vertebrae(8, (double[]){0.1, 0.1, 0.1}, d, NULL, &other), ARC_OK);
    assert_near(other.p, end.p, 3, 1e-12);
    assert_near(other.R, end.R, 9, 1e-12);
}

static void the_section_bends_towards_its_shortest_string(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        double length[3] = {0.1, 0.1, 0.1};
        length[k] = 0.08;
        arc_pose end = arc_section(length, d), chain;
        assert_int_equal(arc_vertebrae(8, length, d, NULL, &chain), ARC_OK);
        double x = cos(rotation * k), y = sin(rotation * k);
        assert_true(end.p[0] * x + end.p[1] * y > 0.01);
        assert_true(chain.p[0] * x + chain.p[1] * y > 0.01);
        assert_true(fabs(end.p[1] * x - end.p[0] * y) < 1e-15);
    }
}

// Two vertebrae: the legs of the pose that was found have the lengths that were asked for.
static void legs_have_their_lengths(void **unused)
{
    (void)unused;
    for (int n = 0; n < 50; n++) {
        double leg[3] = {0.012 + 4e-3 * sin(n), 0.013 + 4e-3 * sin(2 * n + 1),
                         0.011 + 4e-3 * sin(3 * n + 2)};
        arc_pose end;
        assert_int_equal(arc_vertebrae(1, leg, d, NULL, &end), ARC_OK);
        for (int k = 0; k < 3; k++) {
            double foot[3] = {d * cos(rotation * k), d * sin(rotation * k), 0}, square = 0;
            for (int i = 0; i < 3; i++) {
                double way =
                    end.p[i] - foot[i] + end.R[3 * i] * foot[0] + end.R[3 * i + 1] * foot[1];
                square += way * way;
            }
            assert_true(fabs(sqrt(square) - leg[k]) < 1e-12);
        }
        assert_true(end.p[0] == 0 && end.p[1] == 0); // it slides along the axis
    }
}

static void many_vertebrae_come_near_the_arc(void **unused)
{
    (void)unused;
    double length[3] = {0.09, 0.11, 0.1}, last = 1;
    arc_pose arc = arc_section(length, d), chain;
    for (int n = 4; n <= 256; n *= 4) {
        assert_int_equal(arc_vertebrae(n, length, d, NULL, &chain), ARC_OK);
        double off =
            hypot(hypot(chain.p[0] - arc.p[0], chain.p[1] - arc.p[1]), chain.p[2] - arc.p[2]);
        assert_true(off < 0.3 * last); // first order: a joint bends at its far end
        last = off;
    }
    assert_true(last < 2e-4);
}

// A joint that never gets longer stays as it is; the others have half of the elongation each.
static void joints_share_by_how_long_they_were_seen(void **unused)
{
    (void)unused;
    double length[3] = {0.112, 0.118, 0.121}, leg[3];
    const double span[] = {0.02, 0.02, 0.03, 0.04, 0.05, 0.06};
    arc_pose end, one, two, chain;
    assert_int_equal(arc_vertebrae(3, length, d, span, &end), ARC_OK);
    for (int i = 0; i < 3; i++)
        leg[i] = 0.03 + (length[i] - 0.1) / 2;
    assert_int_equal(arc_vertebrae(1, leg, d, NULL, &one), ARC_OK);
    for (int i = 0; i < 3; i++)
        leg[i] += 0.02;
    assert_int_equal(arc_vertebrae(1, leg, d, NULL, &two), ARC_OK);
    one.p[2] += 0.02; // the stiff one
    chain = arc_then(&one, &two);
    assert_near(end.p, chain.p, 3, 1e-12);
    assert_near(end.R, chain.R, 9, 1e-12);
    const double alike[] = {0.03, 0.04, 0.03, 0.04, 0.03, 0.04};
    assert_int_equal(arc_vertebrae(3, length, d, alike, &end), ARC_OK);
    assert_int_equal(arc_vertebrae(3, length, d, NULL, &chain), ARC_OK);
    assert_near(end.p, chain.p, 3, 1e-12);
}

static arc_status two_arcs(const void *arm, const double *length, const double *distance,
                           double tip[3])
{
    (void)arm;
    arc_pose near = arc_section(length, distance[0]), far = arc_section(length + 3, distance[1]);
    arc_pose both = arc_then(&near, &far);
    for (int i = 0; i < 3; i++)
        tip[i] = both.p[i];
    return ARC_OK;
}

static void distances_are_found_from_tips(void **unused)
{
    (void)unused;
    enum { N = 12 };
    double length[6 * N], tip[3 * N], found[2] = {0.04, 0.04}, alone[2];
    const double real[2] = {0.047, 0.034};
    for (int p = 0; p < N; p++) {
        for (int i = 0; i < 6; i++)
            length[6 * p + i] = 0.11 + 0.008 * sin(3 * p + 2.1 * i);
        two_arcs(NULL, length + 6 * p, real, tip + 3 * p);
    }
    assert_int_equal(arc_calibrate(two_arcs, NULL, 2, N, length, tip, found), ARC_OK);
    assert_near(found, real, 2, 1e-10);
    // tips that no distances give: the sum of squares is least there, by trying
    for (int p = 0; p < N; p++)
        tip[3 * p] += 2e-3 * cos(5 * p);
    assert_int_equal(arc_calibrate(two_arcs, NULL, 2, N, length, tip, found), ARC_OK);
    double sum[5] = {0};
    for (int k = 0; k < 5; k++) {
        alone[0] = found[0] + (k == 1 ? 1e-4 : k == 2 ? -1e-4 : 0);
        alone[1] = found[1] + (k == 3 ? 1e-4 : k == 4 ? -1e-4 : 0);
        for (int p = 0; p < N; p++) {
            double at[3];
            two_arcs(NULL, length + 6 * p, alone, at);
            for (int i = 0; i < 3; i++)
                sum[k] += (at[i] - tip[3 * p + i]) * (at[i] - tip[3 * p + i]);
        }
        assert_true(sum[k] >= sum[0]);
    }
}

static void legs_that_cannot_be_are_refused(void **unused)
{
    (void)unused;
    arc_pose end;
    assert_int_equal(arc_vertebrae(1, (double[]){0.3, 0.01, 0.01}, d, NULL, &end), ARC_NO_ANSWER);
}

static void poses_follow_each_other(void **unused)
{
    (void)unused;
    double length[3];
    strings_of_arc(0.1, 1.2, 0.7, length);
    arc_pose whole = arc_section(length, d);
    for (int k = 0; k < 3; k++)
        length[k] /= 2;
    arc_pose half = arc_section(length, d), twice = arc_then(&half, &half);
    assert_near(twice.p, whole.p, 3, 1e-15);
    assert_near(twice.R, whole.R, 9, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arc_is_found_from_its_strings),
        cmocka_unit_test(equal_strings_make_a_straight_section),
        cmocka_unit_test(the_section_bends_towards_its_shortest_string),
        cmocka_unit_test(legs_have_their_lengths),
        cmocka_unit_test(many_vertebrae_come_near_the_arc),
        cmocka_unit_test(joints_share_by_how_long_they_were_seen),
        cmocka_unit_test(distances_are_found_from_tips),
        cmocka_unit_test(legs_that_cannot_be_are_refused),
        cmocka_unit_test(poses_follow_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
