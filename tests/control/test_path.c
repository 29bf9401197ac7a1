// Where targets are over time.
#include "control/measure.h"
#include "control/path.h"

#include "base/vec.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static arena memory;

static int forget(void **unused)
{
    (void)unused;
    arena_free(&memory);
    return 0;
}

static control_path make(const lithe_goal_def *goal, int n)
{
    control_path p;
    if (path_fault(goal, n))
        fail_msg("%s", path_fault(goal, n));
    assert_true(path_create(goal, n, &memory, &p));
    return p;
}

static void assert_at(const control_path *p, double time, double x, double y, double z)
{
    double at[3], expected[3] = {x, y, z};
    path_at(p, time, at);
    if (!(vec_distance(at, expected) < 1e-14))
        fail_msg("at %g s: (%g, %g, %g), not (%g, %g, %g)", time, at[0], at[1], at[2], x, y, z);
}

static lithe_goal_def circle(double nx, double ny, double nz)
{
    lithe_goal_def goal = lithe_goal_def_default(LITHE_CIRCLE);
    goal.radius = 0.01;
    goal.period = 4;
    goal.normal[0] = nx;
    goal.normal[1] = ny;
    goal.normal[2] = nz;
    return goal;
}

static void a_circle_starts_at_the_projection_of_x_and_is_right_handed(void **unused)
{
    (void)unused;
    lithe_goal_def goal = circle(0, 0, 2);
    goal.centre[2] = 0.125;
    control_path p = make(&goal, 3);
    assert_at(&p, 0, 0.01, 0, 0.125);
    assert_at(&p, 1, 0, 0.01, 0.125);
    assert_at(&p, 2, -0.01, 0, 0.125);
    goal = circle(0, 0, -1);
    p = make(&goal, 3);
    assert_at(&p, 1, 0, -0.01, 0);
    goal = circle(1, 0, 1);
    p = make(&goal, 3);
    assert_at(&p, 0, 0.01 * sqrt(0.5), 0, -0.01 * sqrt(0.5));
}

static void a_circle_across_x_starts_at_y(void **unused)
{
    (void)unused;
    lithe_goal_def goal = circle(-3, 0, 0);
    control_path p = make(&goal, 3);
    assert_at(&p, 0, 0, 0.01, 0);
    assert_at(&p, 1, 0, 0, -0.01);
}

static void a_circle_keeps_its_radius_its_plane_and_its_speed(void **unused)
{
    (void)unused;
    lithe_goal_def goal = circle(1, -2, 0.5);
    goal.centre[0] = 0.3;
    goal.turns = 2.5;
    control_path p = make(&goal, 3);
    double before[3], at[3], arm[3];
    path_at(&p, 0, before);
    assert_true(p.duration == 10);
    for (int k = 1; k <= 1000; k++) {
        path_at(&p, 0.01 * k, at);
        vec_sub(arm, at, goal.centre);
        assert_true(fabs(vec_norm(arm) - 0.01) < 1e-15);
        assert_true(fabs(vec_dot(arm, goal.normal)) < 1e-15);
        assert_true(fabs(vec_distance(at, before) - 2 * 0.01 * sin(acos(-1) * 0.01 / 4)) < 1e-14);
        memcpy(before, at, sizeof before);
    }
    assert_at(&p, 14, at[0], at[1], at[2]); // stays at its end
    assert_at(&p, -1, p.centre[0] + 0.01 * p.u[0], p.centre[1] + 0.01 * p.u[1],
              p.centre[2] + 0.01 * p.u[2]);
}

static const double corners[] = {0, 0, 0, 0.03, 0, 0, 0.03, 0.01, 0, 0, 0.01, 0};

static void a_polygon_is_at_its_corners_by_the_way_to_them(void **unused)
{
    (void)unused;
    lithe_goal_def goal = lithe_goal_def_default(LITHE_POLYGON);
    goal.npoint = 4;
    goal.point = corners;
    goal.period = 8;
    goal.turns = 2;
    control_path p = make(&goal, 3);
    assert_true(p.duration == 16);
    for (int rotation = 0; rotation < 2; rotation++) {
        assert_at(&p, 8 * rotation, 0, 0, 0);
        assert_at(&p, 8 * rotation + 3, 0.03, 0, 0);
        assert_at(&p, 8 * rotation + 3.5, 0.03, 0.005, 0);
        assert_at(&p, 8 * rotation + 4, 0.03, 0.01, 0);
        assert_at(&p, 8 * rotation + 7, 0, 0.01, 0);
        assert_at(&p, 8 * rotation + 7.5, 0, 0.005, 0);
    }
    assert_at(&p, 16, 0, 0, 0);
}

static void a_polygon_has_one_speed_everywhere(void **unused)
{
    (void)unused;
    const double odd[] = {0, 0, 0, 0.01, 0.02, 0, 0.01, 0.02, 0, -0.01, 0.005, 0.03};
    lithe_goal_def goal = lithe_goal_def_default(LITHE_POLYGON);
    goal.npoint = 4;
    goal.point = odd;
    goal.period = 1;
    control_path p = make(&goal, 3);
    double before[3], at[3], around = 0;
    for (int i = 0; i < 4; i++)
        around += vec_distance(&odd[3 * i], &odd[3 * ((i + 1) % 4)]);
    path_at(&p, 0, before);
    for (int k = 1; k <= 4000; k++) { // continuous, and never faster
        path_at(&p, k / 4000.0, at);
        assert_true(vec_distance(at, before) <= around / 4000 + 1e-15);
        memcpy(before, at, sizeof before);
    }
}

static void waypoints_are_met_at_their_times(void **unused)
{
    (void)unused;
    const double time[] = {0.5, 1, 3}, point[] = {1, 10, 2, 20, 4, 0};
    lithe_goal_def goal = lithe_goal_def_default(LITHE_WAYPOINTS);
    goal.npoint = 3;
    goal.point = point;
    goal.time = time;
    control_path p = make(&goal, 2);
    const double expected[][3] = {{0, 1, 10}, {0.5, 1, 10}, {0.75, 1.5, 15}, {1, 2, 20},
                                  {2, 3, 10}, {3, 4, 0},    {9, 4, 0}};
    for (int i = 0; i < 7; i++) {
        double at[2];
        path_at(&p, expected[i][0], at);
        assert_true(at[0] == expected[i][1] && at[1] == expected[i][2]);
    }
    assert_true(p.duration == 3);
    assert_true(path_start(&p, 1) == 10);
}

static void a_target_that_stays_takes_no_time(void **unused)
{
    (void)unused;
    const double point = 7;
    lithe_goal_def goal = lithe_goal_def_default(LITHE_STAY);
    goal.npoint = 1;
    goal.point = &point;
    control_path p = make(&goal, 1);
    double at;
    path_at(&p, 5, &at);
    assert_true(p.duration == 0 && at == 7);
}

static void assert_fault(const lithe_goal_def *goal, int n, const char *says)
{
    const char *fault = path_fault(goal, n);
    assert_non_null(fault);
    if (!strstr(fault, says))
        fail_msg("'%s' does not say '%s'", fault, says);
}

static void unsound_paths_are_refused(void **unused)
{
    (void)unused;
    const double point[] = {0, 0, 0, 0, 0, 0}, back[] = {1, 1}, still[] = {0},
                 nothing[] = {NAN, 0, 0};
    lithe_goal_def goal = circle(0, 0, 1);
    assert_fault(&goal, 2, "three numbers");
    goal.turns = 0;
    assert_fault(&goal, 3, "above 0");
    goal = circle(0, 0, 0);
    assert_fault(&goal, 3, "normal");
    goal = circle(0, 0, 1);
    goal.radius = INFINITY;
    assert_fault(&goal, 3, "radius");
    goal = lithe_goal_def_default(LITHE_POLYGON);
    assert_fault(&goal, 3, "one or more");
    goal.npoint = 2;
    goal.point = point;
    goal.period = 1;
    assert_fault(&goal, 3, "in one place");
    goal.path = LITHE_WAYPOINTS;
    assert_fault(&goal, 3, "their times");
    goal.time = back;
    assert_fault(&goal, 3, "must rise");
    goal.npoint = 1;
    goal.time = still;
    assert_fault(&goal, 3, "no time");
    goal.path = LITHE_STAY;
    goal.point = nothing;
    assert_fault(&goal, 3, "finite");
}

static void columns_are_named_after_what_they_measure(void **unused)
{
    (void)unused;
    char text[MEASURE_TEXT];
    lithe_effector_def e = lithe_effector_def_default(LITHE_POINTS);
    e.name = "tip";
    e.npoint = 1;
    lithe_measure m = measure_of_effector(&e);
    assert_int_equal(measure_rows(&m), 3);
    assert_string_equal(measure_column(&m, 1, text), "tip.y_m");
    e.npoint = 2;
    e.axes = LITHE_X | LITHE_Z;
    m = measure_of_effector(&e);
    assert_int_equal(measure_rows(&m), 4);
    assert_string_equal(measure_column(&m, 3, text), "tip.2.z_m");
    e.has_direction = true;
    m = measure_of_effector(&e);
    assert_int_equal(measure_rows(&m), 2);
    assert_string_equal(measure_column(&m, 1, text), "tip.2_m");
    e.kind = LITHE_ROTATION;
    m = measure_of_effector(&e);
    assert_string_equal(measure_column(&m, 1, text), "tip.z_rad");
    e.kind = LITHE_VOLUME;
    m = measure_of_effector(&e);
    assert_string_equal(measure_column(&m, 0, text), "tip_m^3");
    e.kind = LITHE_LENGTH;
    m = measure_of_effector(&e);
    assert_string_equal(measure_column(&m, 0, text), "tip_m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_starts_at_the_projection_of_x_and_is_right_handed),
        cmocka_unit_test(a_circle_across_x_starts_at_y),
        cmocka_unit_test(a_circle_keeps_its_radius_its_plane_and_its_speed),
        cmocka_unit_test(a_polygon_is_at_its_corners_by_the_way_to_them),
        cmocka_unit_test(a_polygon_has_one_speed_everywhere),
        cmocka_unit_test(waypoints_are_met_at_their_times),
        cmocka_unit_test(a_target_that_stays_takes_no_time),
        cmocka_unit_test(unsound_paths_are_refused),
        cmocka_unit_test(columns_are_named_after_what_they_measure),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
