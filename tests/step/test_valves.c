// Valves: their closed form against small steps of an integrator that knows the equation alone,
// cavities in statics and in motion against the closed form, and what the inverse may ask of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

static const row_valve valve = {{0.2, 0.05}, {3e4, 1e5}};

static double slope(double p, double told)
{
    double rate = (told - p) / (told > p ? 0.05 : 0.2);
    return fmax(-3e4, fmin(1e5, rate));
}

// Runge and Kutta's method.
static double integrate(double p, double told, double time)
{
    enum { N = 20000 };
    double h = time / N;
    for (int i = 0; i < N; i++) {
        double a = slope(p, told), b = slope(p + h / 2 * a, told), c = slope(p + h / 2 * b, told),
               d = slope(p + h * c, told);
        p += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return p;
}

static void a_valve_solves_its_equation(void **unused)
{
    (void)unused;
    static const double from[] = {0, 2e3, -1e4}, told[] = {1e3, 2e4, -5e3, 0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            for (double time = 1e-3; time < 1; time *= 3) {
                double p = valve_after(&valve, from[i], told[k], time);
                assert_true(fabs(p - integrate(from[i], told[k], time)) < 1e-2);
                double half = valve_after(&valve, from[i], told[k], time / 2);
                assert_true(fabs(valve_after(&valve, half, told[k], time / 2) - p) < 1e-9 * 2e4);
            }
    const row_valve none = {{0, 0}, {INFINITY, INFINITY}};
    assert_false(valve_lags(&none));
    assert_true(valve_after(&none, 1, 7, 0.01) == 7);
    const row_valve slow = {{0, 0}, {5, 10}};
    assert_true(fabs(valve_after(&slow, 1, 7, 0.1) - 2) < 1e-15);
    assert_true(fabs(valve_after(&slow, 7, 1, 0.1) - 6.5) < 1e-15);
    assert_true(fabs(valve_after(&slow, 1, INFINITY, 0.1) - 2) < 1e-15);
}

static void robot_with_valve(robot *r, double dt)
{
    robot_begin(r, true);
    add_cavity(r);
    r->actuator[0].inflation_time = 0.05;
    r->actuator[0].deflation_time = 0.2;
    r->actuator[0].inflation_rate = 1e5;
    r->actuator[0].deflation_rate = 3e4;
    r->def.step.dt = dt;
}

// Up for a while, and down again; in both the pressure is that of the closed form.
static void a_cavity_follows_its_valve(void **unused)
{
    (void)unused;
    for (int moving = 0; moving < 2; moving++) {
        robot r;
        double p = 0;
        robot_with_valve(&r, 0.02);
        if (moving)
            r.def.dynamics.scheme = LITHE_ALPHA;
        robot_compile(&r);
        for (int i = 0; i < 12; i++) {
            double told = i < 6 ? 8e3 : 500;
            command(&r, 0, LITHE_EFFORT, told);
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
            p = valve_after(&valve, p, told, 0.02);
            assert_true(fabs(bar_effort(r.model, r.state, 0) - p) < 1e-9 * 8e3);
        }
        assert_true(p > 1000);
        robot_end(&r);
    }
}

// An equilibrium has what is commanded, and a volume is not a pressure.
static void settling_and_volumes_do_not_lag(void **unused)
{
    (void)unused;
    robot r;
    robot_with_valve(&r, 0.001);
    r.def.dynamics.scheme = LITHE_EULER;
    robot_compile(&r);
    command(&r, 0, LITHE_EFFORT, 3e3);
    assert_int_equal(lithe_settle(r.model, r.state), LITHE_OK);
    assert_true(fabs(bar_effort(r.model, r.state, 0) - 3e3) < 1e-6);
    command(&r, 0, LITHE_DISPLACEMENT, 1e-7);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    assert_true(fabs(bar_displacement(r.model, r.state, 0) - 1e-7) < 1e-12);
    robot_end(&r);
}

// Far from a target the inverse goes as fast as the valve, and no faster.
static void the_inverse_waits_for_the_valve(void **unused)
{
    (void)unused;
    robot r;
    double p = 0, target[3] = {0, 0, 0.13};
    robot_with_valve(&r, 0.02);
    r.actuator[0].effort_limit[0] = 0;
    r.actuator[0].effort_limit[1] = 2e4;
    robot_compile(&r);
    assert_int_equal(lithe_target_effector(r.model, r.state, 0, target, false), LITHE_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        p = valve_after(&valve, p, 2e4, 0.02);
        assert_true(fabs(bar_effort(r.model, r.state, 0) - p) < 1e-6 * 2e4);
    }
    assert_true(p < 1e4);
    robot_end(&r);
}

static void a_valve_that_makes_no_sense_is_refused(void **unused)
{
    (void)unused;
    robot r;
    robot_with_valve(&r, 0.02);
    r.actuator[0].inflation_time = -1;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "valve must be 0 or more"));
    robot_end(&r);
    robot_begin(&r, false);
    add_cable(&r, "east", 0.008);
    r.actuator[0].deflation_time = 1;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "is told no pressure"));
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_valve_solves_its_equation),
        cmocka_unit_test(a_cavity_follows_its_valve),
        cmocka_unit_test(settling_and_volumes_do_not_lag),
        cmocka_unit_test(the_inverse_waits_for_the_valve),
        cmocka_unit_test(a_valve_that_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
