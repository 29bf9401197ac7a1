#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

#include <stdio.h>

static void target(robot *r, const double *value)
{
    assert_int_equal(lithe_target_effector(r->model, r->state, 0, value, false), LITHE_OK);
}

static void measure(const robot *r, int effector, double *value)
{
    lithe_effector_value(r->model, r->state, effector, value);
}

static void add_four_cables(robot *r)
{
    add_cable_at(r, "east", 0.008, 0);
    add_cable_at(r, "north", 0, 0.008);
    add_cable_at(r, "west", -0.008, 0);
    add_cable_at(r, "south", 0, -0.008);
}

// What an actuator of the sample is told: a slider its travel, the others their effort.
static lithe_command_kind told(const robot *r, int actuator)
{
    return lithe_actuator_type(r->model, actuator) == LITHE_SLIDER ? LITHE_DISPLACEMENT
                                                                   : LITHE_EFFORT;
}

// Every column of W is how rows move under a little more effort, measured by forward steps.
static void check_compliance(robot *r, const double *effort)
{
    enum { MOST = 16 };
    double W[MOST * MOST], plus[MOST], h[8];
    int n = lithe_ndriven(r->model), rows = lithe_nrow(r->model);
    for (int k = 0; k < lithe_nactuator(r->model); k++)
        command(r, k, told(r, k), effort[k]);
    settle(r);
    assert_int_equal(lithe_compliance(r->model, r->state, W), LITHE_OK);
    for (int c = 0; c < n; c++) {
        h[c] = 1e-4 * fabs(effort[c]);
        command(r, c, told(r, c), effort[c] + h[c]);
        settle(r);
        memcpy(plus, r->state->now.delta, (size_t)rows * sizeof *plus);
        command(r, c, told(r, c), effort[c] - h[c]);
        settle(r);
        double inside = row_inward(&r->model->row[c], effort[c] + h[c]) -
                        row_inward(&r->model->row[c], effort[c] - h[c]);
        for (int k = 0; k < rows; k++) {
            double slope = (plus[k] - r->state->now.delta[k]) / inside;
            double scale = 0;
            for (int i = 0; i < n; i++)
                scale = fmax(scale, fabs(W[k * n + i]));
            if (!(fabs(slope - W[k * n + c]) <= 1e-4 * fmax(scale, 1e-12)))
                fail_msg("row %d, column %d: %g instead of %g", k, c, W[k * n + c], slope);
        }
        command(r, c, told(r, c), effort[c]);
    }
}

static void compliance_is_how_rows_move_under_effort(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, true);
    r.def.gravity[0] = 2;
    add_cable(&r, "cable", 0.008);
    r.actuator[0].compliance = 1e-3;
    add_piston(&r);
    add_cavity(&r);
    robot_compile(&r);
    check_compliance(&r, (double[]){0.5, -0.3, 2e3});
    robot_end(&r);
}

static void add_modulus(robot *r)
{
    int k = r->def.nactuator++;
    r->actuator[k] = lithe_actuator_def_default(LITHE_MODULUS);
    r->actuator[k].name = "softness";
    r->actuator[k].body = "bar";
    r->actuator[k].where =
        (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, 0.03}, .b = {1, 1, 0.06}};
    r->actuator[k].value[0] = 1e5;
}

static void add_slider(robot *r)
{
    int k = r->def.nactuator++;
    r->actuator[k] = lithe_actuator_def_default(LITHE_SLIDER);
    r->actuator[k].name = "slider";
    r->actuator[k].body = "bar";
    r->actuator[k].where = (lithe_selection){.kind = LITHE_GROUP, .group = "top"};
    memcpy(r->actuator[k].direction, (double[]){1, 0, 0.3}, sizeof r->actuator[k].direction);
}

static void compliance_knows_moduli(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    r.def.gravity[0] = 4;
    add_modulus(&r);
    add_cable(&r, "cable", 0.008);
    robot_compile(&r);
    check_compliance(&r, (double[]){0.7e5, 0.2});
    robot_end(&r);
}

static void compliance_knows_sliders(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_slider(&r);
    add_cable(&r, "cable", 0.008);
    lithe_effector_def two[2] = {r.tip, lithe_effector_def_default(LITHE_POINTS)};
    lithe_point_def middle = {"bar", {0, 0, 0.052}};
    two[1].name = "middle";
    two[1].npoint = 1;
    two[1].point = &middle;
    r.def.neffector = 2;
    r.def.effector = two;
    robot_compile(&r);
    check_compliance(&r, (double[]){0.01, 0.3});
    robot_end(&r);
}

static void inverse_recovers_the_pulls_that_made_a_pose(void **unused)
{
    (void)unused;
    robot r;
    double tip[3], pull[4], made[2] = {0.006, 0.003};
    robot_begin(&r, false);
    r.def.gravity[2] = -9.81;
    add_cable_at(&r, "east", 0.008, 0);
    add_cable_at(&r, "north", 0, 0.008);
    r.tip.axes = LITHE_X | LITHE_Y;
    robot_compile(&r);
    for (int k = 0; k < 2; k++)
        command(&r, k, LITHE_DISPLACEMENT, made[k]);
    settle(&r);
    measure(&r, 0, tip);
    lithe_state_reset(r.model, r.state);
    target(&r, tip);
    settle(&r);
    for (int k = 0; k < 2; k++) {
        pull[k] = bar_displacement(r.model, r.state, k);
        assert_true(fabs(pull[k] / made[k] - 1) < 1e-5);
    }
    robot_end(&r);
}

static void redundant_cables_reach_the_target_in_one_way(void **unused)
{
    (void)unused;
    double first[4] = {0};
    for (int start = 0; start < 4; start++) {
        robot r;
        double goal[2] = {0.012, -0.009}, tip[2];
        robot_begin(&r, false);
        r.def.gravity[2] = -9.81;
        add_four_cables(&r);
        r.tip.axes = LITHE_X | LITHE_Y;
        robot_compile(&r);
        command(&r, start, LITHE_DISPLACEMENT, 0.002 * start); // starts differ
        settle(&r);
        target(&r, goal);
        settle(&r);
        measure(&r, 0, tip);
        for (int i = 0; i < 2; i++)
            assert_true(fabs(tip[i] - goal[i]) < 1e-6 * r.model->size);
        for (int k = 0; k < 4; k++) {
            double effort = bar_effort(r.model, r.state, k);
            assert_true(effort >= 0);
            if (start == 0)
                first[k] = effort;
            else
                assert_true(fabs(effort - first[k]) <
                            1e-4 * (first[0] + first[1] + first[2] + first[3]));
        }
        robot_end(&r);
    }
}

static double miss(const robot *r, const double *goal, int n)
{
    double value[3], sum = 0;
    measure(r, 0, value);
    for (int i = 0; i < n; i++)
        sum += (value[i] - goal[i]) * (value[i] - goal[i]);
    return 0.5 * sum;
}

static double missed_with_limit(double limit, double *multiplier)
{
    robot r;
    double goal[2] = {0.05, 0.01}, effort, least;
    robot_begin(&r, false);
    add_cable_at(&r, "east", 0.008, 0);
    add_cable_at(&r, "north", 0, 0.008);
    r.actuator[0].displacement_limit[1] = limit;
    r.tip.axes = LITHE_X | LITHE_Y;
    robot_compile(&r);
    target(&r, goal);
    settle(&r);
    assert_true(fabs(bar_displacement(r.model, r.state, 0) - limit) < 1e-9);
    lithe_limit_multiplier(r.model, r.state, 0, &effort, multiplier);
    least = miss(&r, goal, 2);
    robot_end(&r);
    return least;
}

static void multiplier_of_a_limit_is_the_slope_of_the_optimum(void **unused)
{
    (void)unused;
    double multiplier, other, h = 1e-5;
    missed_with_limit(0.01, &multiplier);
    double slope =
        (missed_with_limit(0.01 + h, &other) - missed_with_limit(0.01 - h, &other)) / (2 * h);
    assert_true(slope < 0);
    if (!(fabs(multiplier / slope - 1) < 1e-3))
        fail_msg("price %g, slope %g", multiplier, slope);
}

static void unreachable_targets_end_in_one_shape(void **unused)
{
    (void)unused;
    double first[3];
    for (int start = 0; start < 5; start++) {
        robot r;
        double goal[3] = {0.06, 0.03, 0.2}, tip[3];
        robot_begin(&r, false);
        add_four_cables(&r);
        for (int k = 0; k < 4; k++) {
            r.actuator[k].displacement_limit[0] = -0.02;
            r.actuator[k].displacement_limit[1] = 0.02;
        }
        robot_compile(&r);
        command(&r, start % 4, LITHE_DISPLACEMENT, 0.003 * start);
        settle(&r);
        target(&r, goal);
        settle(&r);
        assert_true(lithe_last_residual(r.state).task < 1e-7);
        measure(&r, 0, tip);
        for (int i = 0; i < 3; i++) {
            if (start == 0)
                first[i] = tip[i];
            assert_true(fabs(tip[i] - first[i]) < 1e-5 * r.model->size);
        }
        robot_end(&r);
    }
}

static void a_second_priority_takes_only_what_the_first_leaves(void **unused)
{
    (void)unused;
    robot r;
    double tip, side;
    robot_begin(&r, false);
    add_four_cables(&r);
    lithe_effector_def two[2] = {r.tip, r.tip};
    two[0].axes = LITHE_X;
    two[1].axes = LITHE_X | LITHE_Y; // its x contradicts the first's
    two[1].name = "second";
    two[1].priority = 2;
    r.def.neffector = 2;
    r.def.effector = two;
    robot_compile(&r);
    target(&r, (double[]){0.01});
    assert_int_equal(lithe_target_effector(r.model, r.state, 1, (double[]){-0.01, 0.008}, false),
                     LITHE_OK);
    settle(&r);
    measure(&r, 0, &tip);
    assert_true(fabs(tip - 0.01) < 1e-7);
    double both[2];
    measure(&r, 1, both);
    side = both[1];
    assert_true(fabs(side - 0.008) < 1e-6);
    robot_end(&r);
}

static void kept_rows_and_given_actuators_hold(void **unused)
{
    (void)unused;
    robot r;
    double tip[3];
    robot_begin(&r, false);
    add_four_cables(&r);
    r.actuator[3].given = true;
    r.actuator[3].command = LITHE_EFFORT;
    r.actuator[3].value[0] = 0.05;
    lithe_effector_def two[2] = {r.tip, r.tip};
    two[0].axes = LITHE_Y;
    two[1].axes = LITHE_X;
    two[1].name = "kept";
    r.def.neffector = 2;
    r.def.effector = two;
    robot_compile(&r);
    target(&r, (double[]){0.006});
    assert_int_equal(lithe_target_effector(r.model, r.state, 1, (double[]){-0.007}, true),
                     LITHE_OK);
    settle(&r);
    measure(&r, 0, &tip[1]);
    measure(&r, 1, &tip[0]);
    assert_true(fabs(tip[0] + 0.007) < 1e-8);
    assert_true(fabs(tip[1] - 0.006) < 1e-8);
    assert_true(bar_effort(r.model, r.state, 3) == 0.05);
    robot_end(&r);
}

static void a_start_outside_displacement_limits_is_brought_inside(void **unused)
{
    (void)unused;
    robot r;
    double tip[2];
    robot_begin(&r, false);
    add_four_cables(&r);
    r.actuator[0].displacement_limit[0] = 0.004; // at rest it is 0
    r.actuator[0].displacement_limit[1] = 0.02;
    r.tip.axes = LITHE_X | LITHE_Y;
    robot_compile(&r);
    target(&r, (double[]){0, 0}); // met already
    settle(&r);
    measure(&r, 0, tip);
    assert_true(hypot(tip[0], tip[1]) < 1e-7);
    assert_true(bar_displacement(r.model, r.state, 0) > 0.004 - 1e-9);
    robot_end(&r);
}

// Every tension shortens the string, so keeping its length leaves only one thing to do.
static void a_kept_row_may_leave_nothing_to_do(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_four_cables(&r);
    lithe_point_def ends[2] = {{"bar", {-0.006, -0.006, 0.005}}, {"bar", {-0.006, -0.006, 0.085}}};
    lithe_effector_def two[2] = {r.tip, lithe_effector_def_default(LITHE_LENGTH)};
    two[0].axes = LITHE_X | LITHE_Y;
    two[1].name = "string";
    two[1].npoint = 2;
    two[1].point = ends;
    r.def.neffector = 2;
    r.def.effector = two;
    robot_compile(&r);
    target(&r, (double[]){0.004, 0});
    assert_int_equal(lithe_target_effector(r.model, r.state, 1, (double[]){0.08}, true), LITHE_OK);
    settle(&r);
    for (int k = 0; k < 4; k++)
        assert_true(bar_effort(r.model, r.state, k) < 1e-9);
    robot_end(&r);
}

static void contradicting_limits_are_named(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_four_cables(&r);
    for (int k = 0; k < 4; k++)
        r.actuator[k].effort_limit[1] = 0.01;
    r.tip.axes = LITHE_X;
    robot_compile(&r);
    assert_int_equal(lithe_target_effector(r.model, r.state, 0, (double[]){0.03}, true), LITHE_OK);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_NOT_CONVERGED);
    assert_non_null(strstr(lithe_state_error(r.state), "'tip'"));
    assert_non_null(strstr(lithe_state_error(r.state), "effort of 'east'"));
    robot_end(&r);
}

static void rates_limit_every_step(void **unused)
{
    (void)unused;
    robot r;
    double before = 0;
    robot_begin(&r, false);
    add_four_cables(&r);
    for (int k = 0; k < 4; k++)
        r.actuator[k].displacement_rate = 0.1; // 1 mm in a step of 10 ms
    r.tip.axes = LITHE_X;
    robot_compile(&r);
    target(&r, (double[]){0.02});
    for (int step = 0; step < 3; step++) {
        settle(&r);
        double pull = bar_displacement(r.model, r.state, 0);
        assert_true(fabs(pull - before) < 1e-3 + 1e-9);
        assert_true(pull - before > 0.9e-3);
        before = pull;
    }
    robot_end(&r);
}

static void realtime_inverse_follows_a_moving_target(void **unused)
{
    (void)unused;
    robot r;
    double tip[2], worst = 0;
    robot_begin(&r, false);
    r.def.gravity[2] = -9.81;
    r.def.step.mode = LITHE_REALTIME;
    add_four_cables(&r);
    r.tip.axes = LITHE_X | LITHE_Y;
    robot_compile(&r);
    for (int k = 0; k < 300; k++) {
        double angle = 2 * M_PI * k / 100, radius = 0.01 * fmin(1, k / 50.0);
        double goal[2] = {radius * cos(angle), radius * sin(angle)};
        target(&r, goal);
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        measure(&r, 0, tip);
        if (k >= 200)
            worst = fmax(worst, hypot(tip[0] - goal[0], tip[1] - goal[1]));
    }
    if (!(worst < 0.005 * 0.01))
        fail_msg("off by %g mm", 1e3 * worst);
    robot_end(&r);
}

static void methods_agree_where_the_target_can_be_reached(void **unused)
{
    (void)unused;
    for (int method = LITHE_HIERARCHY; method <= LITHE_SEIDEL; method++) {
        robot r;
        double tip[2], goal[2] = {0.008, -0.004};
        robot_begin(&r, false);
        r.def.step.method = (lithe_inverse_method)method;
        r.def.step.mode = LITHE_REALTIME;
        add_four_cables(&r);
        r.tip.axes = LITHE_X | LITHE_Y;
        robot_compile(&r);
        target(&r, goal);
        for (int k = 0; k < 40; k++)
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        measure(&r, 0, tip);
        double off = hypot(tip[0] - goal[0], tip[1] - goal[1]);
        if (!(off < (method == LITHE_EPSILON ? 1e-3 : 1e-6)))
            fail_msg("method %d is off by %g mm", method, 1e3 * off);
        robot_end(&r);
    }
}

static void orientation_of_a_patch_can_be_wanted(void **unused)
{
    (void)unused;
    robot r;
    double rotation;
    robot_begin(&r, false);
    add_four_cables(&r);
    r.tip = lithe_effector_def_default(LITHE_ROTATION);
    r.tip.name = "tip";
    r.tip.body = "bar";
    r.tip.where = (lithe_selection){.kind = LITHE_GROUP, .group = "top"};
    r.tip.axes = LITHE_Y;
    robot_compile(&r);
    target(&r, (double[]){0.4});
    settle(&r);
    measure(&r, 0, &rotation);
    assert_true(fabs(rotation - 0.4) < 1e-7);
    robot_end(&r);
}

static void a_modulus_is_found_from_the_sag_it_causes(void **unused)
{
    (void)unused;
    robot r;
    double sag[3];
    robot_begin(&r, false);
    r.def.gravity[0] = 3;
    add_modulus(&r);
    r.actuator[0].value[0] = 0.3e5;
    r.tip.axes = LITHE_X;
    robot_compile(&r);
    settle(&r);
    measure(&r, 0, sag);
    command(&r, 0, LITHE_EFFORT, 2e5);
    settle(&r);
    target(&r, sag);
    settle(&r);
    assert_true(fabs(bar_effort(r.model, r.state, 0) / 0.3e5 - 1) < 1e-6);
    robot_end(&r);
}

static void a_slider_is_found_from_the_pose_it_causes(void **unused)
{
    (void)unused;
    robot r;
    double middle[3];
    lithe_point_def at = {"bar", {0, 0, 0.052}};
    robot_begin(&r, false);
    r.tip.point = &at;
    add_slider(&r);
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT, 0.012);
    settle(&r);
    measure(&r, 0, middle);
    lithe_state_reset(r.model, r.state);
    target(&r, middle);
    settle(&r);
    assert_true(fabs(bar_displacement(r.model, r.state, 0) - 0.012) < 1e-8);
    assert_true(fabs(bar_effort(r.model, r.state, 0)) > 1e-3); // it takes a force
    robot_end(&r);
}

// A full cavity weighs what its liquid weighs, and its pressure is told at the reference point.
static void liquid_weighs_on_the_supports(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, true);
    r.def.gravity[2] = -9.81;
    r.material.density = 0;
    add_cavity(&r);
    r.actuator[0].kind = LITHE_LIQUID;
    r.actuator[0].density = 1000;
    r.actuator[0].reference[2] = 0.05;
    r.actuator[0].value[0] = 500;
    robot_compile(&r);
    settle(&r);
    double volume = r.model->row[0].rest + bar_displacement(r.model, r.state, 0), carried = 0;
    const body *b = &r.model->body[0];
    for (int i = 0; i < b->nnode; i++)
        if (b->held[i] & LITHE_Z)
            carried += r.state->now.internal[3 * i + 2] - r.state->now.external[3 * i + 2];
    assert_true(fabs(carried / (9.81 * 1000 * volume) - 1) < 1e-8);
    assert_true(lithe_last_residual(r.state).iteration < 8); // its stiffness is in A
    robot_end(&r);
}

static void an_extensible_cable_needs_more_pull_at_the_winch(void **unused)
{
    (void)unused;
    double pull[2];
    for (int k = 0; k < 2; k++) {
        robot r;
        robot_begin(&r, false);
        add_cable(&r, "cable", 0.008);
        r.actuator[0].compliance = 2e-3 * k;
        robot_compile(&r);
        command(&r, 0, LITHE_EFFORT, 0.6);
        settle(&r);
        pull[k] = bar_displacement(r.model, r.state, 0);
        robot_end(&r);
    }
    assert_true(fabs(pull[1] - pull[0] - 2e-3 * 0.6) < 1e-10);
}

static void a_load_on_an_effector_is_a_load(void **unused)
{
    (void)unused;
    double tip[2][3];
    for (int k = 0; k < 2; k++) {
        robot r;
        robot_begin(&r, false);
        if (k == 0) {
            r.tip.load[0] = 0.02;
        } else {
            r.def.nload = 1;
            r.load[0] = lithe_load_def_default();
            r.load[0].name = "hung";
            r.load[0].body = "bar";
            r.load[0].at[2] = 0.1;
            r.load[0].value[0] = 0.02;
        }
        robot_compile(&r);
        settle(&r);
        measure(&r, 0, tip[k]);
        robot_end(&r);
    }
    assert_memory_equal(tip[0], tip[1], sizeof tip[0]);
}

static void jacobian_maps_pulls_to_motion(void **unused)
{
    (void)unused;
    robot r;
    double J[3 * 4], before[3], after[3], pull[2], h = 1e-6;
    robot_begin(&r, false);
    add_cable_at(&r, "east", 0.008, 0);
    add_cable_at(&r, "north", 0, 0.008);
    robot_compile(&r);
    for (int k = 0; k < 2; k++)
        command(&r, k, LITHE_DISPLACEMENT, pull[k] = 0.004 + 0.002 * k);
    settle(&r);
    assert_int_equal(lithe_jacobian(r.model, r.state, J), LITHE_OK);
    for (int k = 0; k < 2; k++) {
        command(&r, k, LITHE_DISPLACEMENT, pull[k] - h);
        settle(&r);
        measure(&r, 0, before);
        command(&r, k, LITHE_DISPLACEMENT, pull[k] + h);
        settle(&r);
        measure(&r, 0, after);
        command(&r, k, LITHE_DISPLACEMENT, pull[k]);
        for (int i = 0; i < 3; i++)
            assert_true(fabs((after[i] - before[i]) / (2 * h) - J[2 * i + k]) < 1e-5);
    }
    robot_end(&r);
}

// Twelve cables in three sections for three numbers: each proposal is the optimum of the W before
// it, which overshoots and would go back and forth for ever.
static void a_redundant_arm_under_gravity_converges(void **unused)
{
    (void)unused;
    lithe_actuator_def cable[12];
    lithe_point_def point[12][3];
    char name[12][8];
    robot r;
    robot_begin(&r, false);
    robot_reshape(&r, bar_make(2, 2, 16, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.2}));
    r.material.young = 6e4;
    r.def.gravity[2] = 9.81;
    r.tip_point.at[2] = 0.2;
    for (int i = 0; i < 12; i++) {
        double at[2] = {0};
        at[i % 4 / 2] = i % 2 ? -0.008 : 0.008;
        snprintf(name[i], sizeof name[i], "c%d", i);
        cable[i] = lithe_actuator_def_default(LITHE_CABLE);
        cable[i].name = name[i];
        cable[i].npoint = i / 4 + 1;
        cable[i].point = point[i];
        for (int k = 0; k <= i / 4; k++)
            point[i][k] = (lithe_point_def){"bar", {at[0], at[1], 0.06 * (k + 1) + 0.01}};
        cable[i].has_pulled_from = true;
        memcpy(cable[i].pulled_from, (double[]){at[0], at[1], -0.01}, sizeof cable[i].pulled_from);
    }
    r.def.nactuator = 12;
    r.def.actuator = cable;
    robot_compile(&r);
    const double target[3] = {0.04 * cos(1), 0.05 * sin(1), 0.184};
    assert_int_equal(lithe_target_effector(r.model, r.state, 0, target, false), LITHE_OK);
    settle(&r);
    assert_true(lithe_last_residual(r.state).iteration < 100);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compliance_is_how_rows_move_under_effort),
        cmocka_unit_test(compliance_knows_moduli),
        cmocka_unit_test(compliance_knows_sliders),
        cmocka_unit_test(jacobian_maps_pulls_to_motion),
        cmocka_unit_test(liquid_weighs_on_the_supports),
        cmocka_unit_test(an_extensible_cable_needs_more_pull_at_the_winch),
        cmocka_unit_test(a_load_on_an_effector_is_a_load),
        cmocka_unit_test(inverse_recovers_the_pulls_that_made_a_pose),
        cmocka_unit_test(redundant_cables_reach_the_target_in_one_way),
        cmocka_unit_test(multiplier_of_a_limit_is_the_slope_of_the_optimum),
        cmocka_unit_test(unreachable_targets_end_in_one_shape),
        cmocka_unit_test(a_second_priority_takes_only_what_the_first_leaves),
        cmocka_unit_test(kept_rows_and_given_actuators_hold),
        cmocka_unit_test(a_start_outside_displacement_limits_is_brought_inside),
        cmocka_unit_test(a_kept_row_may_leave_nothing_to_do),
        cmocka_unit_test(contradicting_limits_are_named),
        cmocka_unit_test(rates_limit_every_step),
        cmocka_unit_test(realtime_inverse_follows_a_moving_target),
        cmocka_unit_test(methods_agree_where_the_target_can_be_reached),
        cmocka_unit_test(orientation_of_a_patch_can_be_wanted),
        cmocka_unit_test(a_modulus_is_found_from_the_sag_it_causes),
        cmocka_unit_test(a_redundant_arm_under_gravity_converges),
        cmocka_unit_test(a_slider_is_found_from_the_pose_it_causes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
