#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "robot.h"

static void rest_needs_no_step(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    robot_compile(&r);
    settle(&r);
    assert_int_equal(lithe_last_residual(r.state).iteration, 0);
    assert_memory_equal(lithe_position(r.state), lithe_rest(r.model),
                        3 * (size_t)lithe_nnode(r.model) * sizeof(double));
    robot_end(&r);
}

// What actuator k does under a given effort, and what effort it then needs for the same
// displacement.
static void check_effort_against_displacement(robot *r, int k, double effort)
{
    double by_effort[3], by_displacement[3];
    command(r, k, LITHE_EFFORT, effort);
    settle(r);
    double displacement = bar_displacement(r->model, r->state, k);
    lithe_effector_value(r->model, r->state, 0, by_effort);
    lithe_state_reset(r->model, r->state);
    command(r, k, LITHE_DISPLACEMENT, displacement);
    settle(r);
    lithe_effector_value(r->model, r->state, 0, by_displacement);
    assert_true(fabs(bar_effort(r->model, r->state, k) / effort - 1) < 1e-6);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(by_effort[i] - by_displacement[i]) < 1e-6 * 0.1);
}

static void effort_and_the_displacement_it_produced_agree(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, true);
    r.def.gravity[2] = -9.81;
    add_cable(&r, "cable", 0.008);
    add_piston(&r);
    add_cavity(&r);
    robot_compile(&r);
    double effort[3] = {0.8, -0.5, 4e3};
    for (int k = 0; k < 3; k++) {
        lithe_state_reset(r.model, r.state);
        check_effort_against_displacement(&r, k, effort[k]);
    }
    robot_end(&r);
}

static void a_cable_goes_slack_instead_of_pushing(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_cable(&r, "left", -0.008);
    add_cable(&r, "right", 0.008);
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT,
            0.01); // bends the bar to the left, which stretches the right cable …
    command(&r, 1, LITHE_DISPLACEMENT, -0.05); // … that is let out further than needed
    settle(&r);
    assert_true(bar_effort(r.model, r.state, 0) > 0);
    assert_true(bar_effort(r.model, r.state, 1) == 0);
    assert_true(bar_displacement(r.model, r.state, 1) > -0.05);
    command(&r, 1, LITHE_DISPLACEMENT, 0);
    settle(&r);
    assert_true(bar_effort(r.model, r.state, 1) > 0);
    assert_true(fabs(bar_displacement(r.model, r.state, 1)) < 1e-9);
    robot_end(&r);
}

static void an_effort_limit_that_is_in_the_way_is_reported(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_cable(&r, "cable", 0.008);
    r.actuator[0].effort_limit[1] = 0.2;
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT, 0.02);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_NOT_CONVERGED);
    assert_non_null(strstr(lithe_state_error(r.state), "'cable' is at its effort limit 0.2"));
    assert_true(bar_effort(r.model, r.state, 0) == 0.2);
    assert_true(lithe_last_residual(r.state).force < 1e-8);
    robot_end(&r);
}

static void a_command_outside_its_limits_is_refused(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_cable(&r, "cable", 0.008);
    robot_compile(&r);
    assert_int_equal(lithe_command(r.model, r.state, 0, LITHE_EFFORT, &(double){-1}),
                     LITHE_INVALID);
    assert_int_equal(lithe_command(r.model, r.state, 0, LITHE_EFFORT, &(double){NAN}),
                     LITHE_INVALID);
    assert_int_equal(lithe_command(r.model, r.state, 1, LITHE_EFFORT, &(double){0}), LITHE_INVALID);
    lithe_command_kind unknown;
    memcpy(&unknown, &(int){77}, sizeof unknown);
    assert_int_equal(lithe_command(r.model, r.state, 0, unknown, &(double){0}), LITHE_INVALID);
    robot_end(&r);
}

// Total of a nodal force along one axis over the held nodes: what the supports carry.
static double reaction(const robot *r, int axis)
{
    const body *b = &r->model->body[0];
    double sum = 0;
    for (int i = 0; i < b->nnode; i++)
        if (b->held[i] & (1 << axis))
            sum += r->state->now.internal[3 * i + axis] - r->state->now.external[3 * i + axis];
    return sum;
}

static void supports_carry_the_loads(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    r.def.gravity[1] = -9.81;
    r.def.nload = 2;
    r.load[0] = lithe_load_def_default();
    r.load[0].name = "push";
    r.load[0].body = "bar";
    memcpy(r.load[0].at, (double[]){0.003, 0.001, 0.077}, sizeof r.load[0].at);
    r.load[0].value[0] = 0.02;
    r.load[1] = lithe_load_def_default();
    r.load[1].name = "shear";
    r.load[1].kind = LITHE_TRACTION;
    r.load[1].body = "bar";
    r.load[1].surface = "top";
    r.load[1].value[0] = 25; // Pa on 4e-4 m^2
    robot_compile(&r);
    settle(&r);
    assert_true(fabs(reaction(&r, 0) + 0.02 + 25 * 4e-4) < 1e-8);
    assert_true(fabs(reaction(&r, 1) - 9.81 * 1000 * 4e-5) < 1e-8);
    assert_true(fabs(reaction(&r, 2)) < 1e-8);
    robot_end(&r);
}

static void follower_pressure_acts_along_the_moved_normal(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    r.def.nload = 1;
    r.load[0] = lithe_load_def_default();
    r.load[0].name = "wind";
    r.load[0].kind = LITHE_PRESSURE;
    r.load[0].body = "bar";
    r.load[0].surface = "side";
    r.load[0].pressure = 100;
    robot_compile(&r);
    settle(&r);
    double tip[3];
    lithe_effector_value(r.model, r.state, 0, tip);
    assert_true(tip[0] < -0.005);        // pushed into the material, away from +x
    assert_true(reaction(&r, 2) > 1e-3); // the bent side is also pushed down
    assert_true(lithe_last_residual(r.state).iteration < 15);
    robot_end(&r);
}

static void prescribed_displacements_arrive_exactly(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    r.body.nfix = 2;
    r.fix[1] = lithe_fix_def_default();
    r.fix[1].where = (lithe_selection){.kind = LITHE_GROUP, .group = "top"};
    memcpy(r.fix[1].displacement, (double[]){0.02, 0, -0.01}, sizeof r.fix[1].displacement);
    robot_compile(&r);
    settle(&r);
    double tip[3];
    lithe_effector_value(r.model, r.state, 0, tip);
    assert_true(fabs(tip[0] - 0.02) < 1e-15 && fabs(tip[2] - 0.09) < 1e-15);
    robot_end(&r);
}

// Symmetry planes leave a bar free to contract sideways: uniaxial stretch, exactly.
static void held_axes_leave_the_others_free(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    lithe_fix_def fix[4];
    for (int k = 0; k < 4; k++)
        fix[k] = lithe_fix_def_default();
    fix[0].where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1, 1, 0}};
    fix[0].axes = LITHE_Z;
    fix[1].where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {-0.01, 1, 1}};
    fix[1].axes = LITHE_X;
    fix[2].where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1, -0.01, 1}};
    fix[2].axes = LITHE_Y;
    fix[3].where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, 0.1}, .b = {1, 1, 1}};
    fix[3].axes = LITHE_Z;
    fix[3].displacement[2] = 0.01;
    r.body.nfix = 4;
    r.body.fix = fix;
    robot_compile(&r);
    settle(&r);
    // S = diag(1 - nu e, 1 - nu e, 1 + e) with e = 0.1
    const double *x = lithe_position(r.state), *X = lithe_rest(r.model);
    for (int i = 0; i < lithe_nnode(r.model); i++) {
        assert_true(fabs(x[3 * i] + 0.01 - (1 - 0.045) * (X[3 * i] + 0.01)) < 1e-11);
        assert_true(fabs(x[3 * i + 2] - 1.1 * X[3 * i + 2]) < 1e-11);
    }
    robot_end(&r);
}

static void a_large_command_arrives_in_one_step(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    r.def.gravity[2] = -9.81;
    add_cable(&r, "left", -0.008);
    add_cable(&r, "right", 0.008);
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT, 0.04);
    settle(&r);
    assert_true(fabs(bar_displacement(r.model, r.state, 0) - 0.04) < 1e-10);
    robot_end(&r);
}

static void realtime_steps_converge_to_the_same_shape(void **unused)
{
    (void)unused;
    double tip[2][3];
    for (int mode = 0; mode < 2; mode++) {
        robot r;
        robot_begin(&r, false);
        r.def.gravity[2] = -9.81;
        r.def.step.mode = mode ? LITHE_REALTIME : LITHE_CONVERGED;
        add_cable(&r, "cable", 0.008);
        robot_compile(&r);
        for (int k = 1; k <= (mode ? 30 : 1); k++) {
            command(&r, 0, LITHE_DISPLACEMENT, mode ? fmin(0.01, 0.0005 * k) : 0.01);
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        }
        lithe_effector_value(r.model, r.state, 0, tip[mode]);
        robot_end(&r);
    }
    for (int i = 0; i < 3; i++)
        assert_true(fabs(tip[0][i] - tip[1][i]) < 1e-9);
}

static void threads_do_not_change_a_bit(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, true);
    r.def.gravity[2] = -9.81;
    add_cable(&r, "cable", 0.008);
    add_cavity(&r);
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT, 0.01);
    command(&r, 1, LITHE_EFFORT, 2e3);
    settle(&r);
    size_t bytes = 3 * (size_t)lithe_nnode(r.model) * sizeof(double);
    for (int threads = 2; threads <= 4; threads++) {
        lithe_state *other;
        assert_int_equal(lithe_state_create(r.model, threads, &other, &r.report), LITHE_OK);
        assert_int_equal(lithe_command(r.model, other, 0, LITHE_DISPLACEMENT, &(double){0.01}),
                         LITHE_OK);
        assert_int_equal(lithe_command(r.model, other, 1, LITHE_EFFORT, &(double){2e3}), LITHE_OK);
        assert_int_equal(lithe_step(r.model, other), LITHE_OK);
        assert_memory_equal(lithe_position(r.state), lithe_position(other), bytes);
        lithe_state_free(other);
    }
    robot_end(&r);
}

// Volume control keeps the volume, and action equals reaction: pressure on a closed cavity moves
// nothing as a whole.
static void a_cavity_keeps_its_volume_and_balances(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, true);
    add_cavity(&r);
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT, 2e-6);
    settle(&r);
    assert_true(fabs(bar_displacement(r.model, r.state, 0) / 2e-6 - 1) < 1e-10);
    double sum[3] = {0};
    for (int i = 0; i < 3 * lithe_nnode(r.model); i++)
        sum[i % 3] += r.state->now.pull[i];
    double area = 1e-4;
    for (int i = 0; i < 3; i++)
        assert_true(fabs(sum[i]) < 1e-10 * bar_effort(r.model, r.state, 0) * area);
    robot_end(&r);
}

static void what_nothing_holds_is_refused(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    r.body.nfix = 0;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "nothing holds"));
    assert_non_null(strstr(r.report.error, "give the scene a section dynamics"));
    r.body.nfix = 1;
    r.fix[0].axes = LITHE_Z; // may still slide and rotation about z
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "rigid body"));
    robot_end(&r);
}

static void an_impossible_command_is_told_with_its_history(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    r.def.step.max_iteration = 12; // it tries for long otherwise
    add_cable(&r, "cable", 0.008);
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT, 0.2); // the cable is only 0.105 m long
    assert_int_equal(lithe_step(r.model, r.state), LITHE_NOT_CONVERGED);
    const double *history;
    assert_true(lithe_residual_history(r.state, &history) > 0);
    lithe_residual last = lithe_last_residual(r.state);
    assert_true(last.load < 1 && last.load >= 0);
    assert_true(last.force < 1e-8); // the last equilibrium on the way
    assert_non_null(strstr(lithe_state_error(r.state), "stopped at"));
    robot_end(&r);
}

static bool after_three(void *user)
{
    int *asked = user;
    return ++*asked > 3;
}

static void a_step_that_is_told_to_end_ends(void **unused)
{
    (void)unused;
    robot r;
    int asked = 0;
    robot_begin(&r, false);
    r.def.gravity[2] = -9.81;
    r.def.step.tolerance = 1e-15; // out of reach, so it would try for long
    r.def.step.max_iteration = 100000;
    add_cable(&r, "cable", 0.008);
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT, 0.02);
    lithe_watch(r.state, after_three, &asked);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_NOT_CONVERGED);
    assert_non_null(strstr(lithe_state_error(r.state), "told to end"));
    assert_true(lithe_last_residual(r.state).iteration <= 3);
    assert_true(lithe_last_residual(r.state).load == 0); // where it began
    lithe_watch(r.state, NULL, NULL);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_needs_no_step),
        cmocka_unit_test(effort_and_the_displacement_it_produced_agree),
        cmocka_unit_test(a_cable_goes_slack_instead_of_pushing),
        cmocka_unit_test(an_effort_limit_that_is_in_the_way_is_reported),
        cmocka_unit_test(a_command_outside_its_limits_is_refused),
        cmocka_unit_test(supports_carry_the_loads),
        cmocka_unit_test(follower_pressure_acts_along_the_moved_normal),
        cmocka_unit_test(prescribed_displacements_arrive_exactly),
        cmocka_unit_test(held_axes_leave_the_others_free),
        cmocka_unit_test(a_large_command_arrives_in_one_step),
        cmocka_unit_test(realtime_steps_converge_to_the_same_shape),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(a_cavity_keeps_its_volume_and_balances),
        cmocka_unit_test(what_nothing_holds_is_refused),
        cmocka_unit_test(an_impossible_command_is_told_with_its_history),
        cmocka_unit_test(a_step_that_is_told_to_end_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
