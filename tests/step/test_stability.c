#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

// A straight bar, pushed along its axis; without Poisson's effect it stays exactly straight. Its
// width is less than its depth, so that it buckles to one side first.
static void column(robot *r, double width)
{
    robot_begin(r, false);
    robot_reshape(
        r, bar_make(2, 2, 12, (double[]){-width / 2, -0.01, 0}, (double[]){width / 2, 0.01, 0.1}));
    r->body.nsurface = 1;
    r->material.poisson = 0;
    r->actuator[0] = lithe_actuator_def_default(LITHE_FORCE);
    r->actuator[0].name = "press";
    r->actuator[0].body = "bar";
    r->actuator[0].surface = "top";
    r->actuator[0].has_direction = true;
    r->actuator[0].direction[2] = -1;
    r->def.nactuator = 1;
    robot_compile(r);
}

// Unstable modes under a push, which must leave the bar straight.
static int unstable(robot *r, lithe_command_kind kind, double value)
{
    double tip[3];
    lithe_state_reset(r->model, r->state);
    command(r, 0, kind, value);
    settle(r);
    lithe_effector_value(r->model, r->state, 0, tip);
    assert_true(fabs(tip[0]) < 1e-9 && fabs(tip[1]) < 1e-9);
    return lithe_last_residual(r->state).negative;
}

static void a_straight_bar_past_its_buckling_load_is_called_unstable(void **unused)
{
    (void)unused;
    robot r;
    double width = 0.012, depth = 0.02;
    column(&r, width);
    double euler = 9.8696 * 1e5 * depth * width * width * width / 12 / (4 * 0.1 * 0.1);
    assert_int_equal(unstable(&r, LITHE_EFFORT, 0.8 * euler), 0);
    assert_true(unstable(&r, LITHE_EFFORT, 2.2 * euler) >= 1); // linear tets are too stiff
    robot_end(&r);
}

// A command that pushes along the axis cannot hold the bar from going sideways.
static void a_command_that_does_not_hold_a_mode_is_not_taken_for_one_that_does(void **unused)
{
    (void)unused;
    robot r;
    double width = 0.012, depth = 0.02;
    column(&r, width);
    double euler = 9.8696 * 1e5 * depth * width * width * width / 12 / (4 * 0.1 * 0.1);
    double shortening = euler * 0.1 / (1e5 * width * depth);
    assert_int_equal(unstable(&r, LITHE_DISPLACEMENT, 0.8 * shortening), 0);
    assert_int_equal(unstable(&r, LITHE_DISPLACEMENT, 2.2 * shortening), 1);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_bar_past_its_buckling_load_is_called_unstable),
        cmocka_unit_test(a_command_that_does_not_hold_a_mode_is_not_taken_for_one_that_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
