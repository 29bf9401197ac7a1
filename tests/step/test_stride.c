// Adaptive steps against fixed fine ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

static const double dt = 0.02, duration = 0.4; // s; the first vibration takes about 0.13 s

// A coarse bar that a short blow sets swinging; after it, damping calms it down.
static void struck_bar(robot *r, lithe_scheme scheme, double step, double error)
{
    robot_begin(r, false);
    robot_reshape(r, bar_make(1, 1, 6, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1}));
    r->def.step.dt = step;
    r->def.dynamics.scheme = scheme;
    r->def.dynamics.mass_damping = 10;
    r->def.dynamics.stiffness_damping = 2e-3;
    r->def.dynamics.local_error = error;
    r->actuator[0] = lithe_actuator_def_default(LITHE_FORCE);
    r->actuator[0].name = "blow";
    r->actuator[0].body = "bar";
    r->actuator[0].surface = "top";
    r->actuator[0].has_direction = true;
    r->actuator[0].direction[0] = 1;
    r->def.nactuator = 1;
    robot_compile(r);
}

// The blow: from 0 at 40 ms to 1 N at 60 ms and back to 0 at 80 ms. Steps go straight from one
// command to the next, so that long and short ones are told the same.
static void step_on(robot *r)
{
    double time = lithe_time(r->state) + r->def.step.dt;
    command(r, 0, LITHE_EFFORT, fmax(0, 1 - fabs(time - 3 * dt) / dt));
    assert_int_equal(lithe_step(r->model, r->state), LITHE_OK);
}

// The tip at every multiple of dt.
static void swing(robot *r, double (*tip)[3])
{
    for (int k = 0, n = (int)lround(duration / dt); k < n; k++) {
        for (int i = 0, m = (int)lround(dt / r->def.step.dt); i < m; i++)
            step_on(r);
        assert_true(fabs(lithe_time(r->state) - (k + 1) * dt) < 1e-12);
        lithe_effector_value(r->model, r->state, 0, tip[k]);
    }
}

static double farthest(double (*a)[3], double (*b)[3])
{
    double worst = 0;
    for (int k = 0; k < (int)lround(duration / dt); k++)
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(a[k][i] - b[k][i]));
    return worst;
}

static void adaptive_steps_follow_fine_ones_and_land_on_every_dt(void **unused)
{
    (void)unused;
    double fine[32][3], tip[32][3], moved = 0, off[3];
    long taken[3];
    robot r;
    struck_bar(&r, LITHE_ALPHA, dt / 100, 0);
    swing(&r, fine);
    assert_true(lithe_last_stride(r.state).taken == 0);
    robot_end(&r);
    for (int k = 0; k < 20; k++)
        moved = fmax(moved, fabs(fine[k][0]));
    assert_true(moved > 0.01);
    for (int i = 0; i < 3; i++) {
        double error = 1e-5 * pow(0.1, i);
        struck_bar(&r, LITHE_ALPHA, dt, error);
        swing(&r, tip);
        off[i] = farthest(tip, fine);
        lithe_stride stride = lithe_last_stride(r.state);
        taken[i] = stride.taken;
        assert_true(stride.error <= error && stride.error > 0 && stride.refused > 0);
        assert_true(stride.shortest < stride.longest && stride.longest <= dt * (1 + 1e-12));
        robot_end(&r);
    }
    // a thousandth of the swing with a tolerance of a micrometre, and less with less
    assert_true(off[1] < 2e-3 * moved && off[2] < 0.5 * off[1] && off[1] < 0.5 * off[0]);
    assert_true(taken[0] < taken[1] && taken[1] < taken[2] && taken[2] < 400 * 20);
}

// Where nothing happens, steps are as long as they may be; the blow is cut finely.
static void steps_are_short_only_where_motion_is_fast(void **unused)
{
    (void)unused;
    robot r;
    struck_bar(&r, LITHE_ALPHA, dt, 1e-6);
    for (int k = 0; k < 2; k++) {
        step_on(&r);
        assert_int_equal(lithe_last_residual(r.state).increment, 1);
    }
    step_on(&r);
    assert_true(lithe_last_residual(r.state).increment > 5);
    robot_end(&r);
}

// Of first order, so a tenth of the tolerance takes about three times the steps; and it stays near.
static void euler_is_held_too(void **unused)
{
    (void)unused;
    double fine[32][3], tip[32][3];
    robot r;
    struck_bar(&r, LITHE_ALPHA, dt / 100, 0);
    swing(&r, fine);
    robot_end(&r);
    struck_bar(&r, LITHE_EULER, dt, 1e-7);
    swing(&r, tip);
    assert_true(farthest(tip, fine) < 1e-3);
    robot_end(&r);
}

static void a_tolerance_that_the_shortest_step_misses_is_told(void **unused)
{
    (void)unused;
    robot r;
    struck_bar(&r, LITHE_ALPHA, dt, 0);
    lithe_state_free(r.state);
    lithe_model_free(r.model);
    r.def.dynamics.local_error = 1e-9;
    r.def.dynamics.shortest = 5e-3;
    robot_compile(&r);
    step_on(&r); // nothing moves yet
    command(&r, 0, LITHE_EFFORT, 1);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_NOT_CONVERGED);
    assert_non_null(strstr(lithe_state_error(r.state), "dynamics.adaptive.error"));
    robot_end(&r);
}

static void a_saved_state_goes_on_with_the_same_bits(void **unused)
{
    (void)unused;
    robot r;
    double first[3], second[3];
    struck_bar(&r, LITHE_ALPHA, dt, 1e-6);
    for (int k = 0; k < 4; k++)
        step_on(&r);
    size_t bytes = lithe_state_size(r.model, r.state);
    void *kept = malloc(bytes);
    lithe_state_save(r.model, r.state, kept);
    step_on(&r);
    lithe_effector_value(r.model, r.state, 0, first);
    long taken = lithe_last_stride(r.state).taken;
    assert_int_equal(lithe_state_load(r.model, r.state, kept, bytes), LITHE_OK);
    step_on(&r);
    lithe_effector_value(r.model, r.state, 0, second);
    assert_memory_equal(first, second, sizeof first);
    assert_true(lithe_last_stride(r.state).taken == taken);
    free(kept);
    robot_end(&r);
}

static void adaptive_steps_in_real_time_are_refused_at_compile(void **unused)
{
    (void)unused;
    robot r;
    struck_bar(&r, LITHE_ALPHA, dt, 0);
    r.def.dynamics.local_error = 1e-6;
    r.def.step.mode = LITHE_REALTIME;
    lithe_model *none = NULL;
    assert_int_equal(lithe_compile(&r.def, &none, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "take mode: converged"));
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adaptive_steps_follow_fine_ones_and_land_on_every_dt),
        cmocka_unit_test(steps_are_short_only_where_motion_is_fast),
        cmocka_unit_test(euler_is_held_too),
        cmocka_unit_test(a_tolerance_that_the_shortest_step_misses_is_told),
        cmocka_unit_test(a_saved_state_goes_on_with_the_same_bits),
        cmocka_unit_test(adaptive_steps_in_real_time_are_refused_at_compile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
