// How rows move with what actuators are told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

enum { ROWS = 7, TOLD = 4 };

// Three cables and a piston; the third cable is told its tension, and so is the piston its force.
static void build(robot *r)
{
    robot_begin(r, false);
    add_cable_at(r, "east", 0.008, 0);
    add_cable_at(r, "north", 0, 0.008);
    add_cable_at(r, "west", -0.008, 0);
    add_piston(r);
}

static const lithe_command_kind kinds[TOLD] = {LITHE_DISPLACEMENT, LITHE_DISPLACEMENT, LITHE_EFFORT,
                                               LITHE_EFFORT};
static const double values[TOLD] = {3e-3, 3e-3, 0.05, 0.1};

static void measure(const robot *r, double *value)
{
    for (int a = 0; a < TOLD; a++)
        (kinds[a] == LITHE_EFFORT ? lithe_displacement : lithe_effort)(r->model, r->state, a,
                                                                       &value[a]);
    lithe_effector_value(r->model, r->state, 0, &value[TOLD]);
}

static void settle_with(robot *r, const double *value)
{
    for (int a = 0; a < TOLD; a++)
        command(r, a, kinds[a], value[a]);
    settle(r);
}

static void sensitivity_is_the_derivative_by_commands_of_both_kinds(void **unused)
{
    (void)unused;
    robot r;
    double S[ROWS * TOLD], plus[ROWS], minus[ROWS], value[TOLD];
    build(&r);
    robot_compile(&r);
    assert_int_equal(lithe_nrow(r.model), ROWS);
    settle_with(&r, values);
    assert_int_equal(lithe_sensitivity(r.model, r.state, S), LITHE_OK);
    for (int j = 0; j < TOLD; j++) {
        double h = 1e-3 * values[j];
        memcpy(value, values, sizeof value);
        value[j] = values[j] + h;
        settle_with(&r, value);
        measure(&r, plus);
        value[j] = values[j] - h;
        settle_with(&r, value);
        measure(&r, minus);
        double largest = 0;
        for (int i = 0; i < ROWS; i++)
            largest = fmax(largest, fabs(plus[i] - minus[i]) / (2 * h));
        for (int i = 0; i < ROWS; i++) {
            double slope = (plus[i] - minus[i]) / (2 * h);
            double scale = fmax(fabs(slope), 1e-3 * fabs(S[i * TOLD + j]));
            if (!(fabs(slope - S[i * TOLD + j]) <= 1e-4 * scale + 1e-9 * largest))
                fail_msg("row %d by command %d: %g, by differences %g", i, j, S[i * TOLD + j],
                         slope);
        }
    }
    robot_end(&r);
}

static void a_slack_cable_moves_nothing(void **unused)
{
    (void)unused;
    robot r;
    double S[ROWS * TOLD], slack[TOLD] = {2e-3, -5e-3, 0.2, 0.1}, tension;
    build(&r);
    for (int a = 0; a < 3; a++)
        r.actuator[a].displacement_limit[0] = -0.02;
    robot_compile(&r);
    settle_with(&r, slack);
    lithe_effort(r.model, r.state, 1, &tension);
    assert_true(tension == 0);
    assert_int_equal(lithe_sensitivity(r.model, r.state, S), LITHE_OK);
    for (int i = 0; i < ROWS; i++)
        assert_true(S[i * TOLD + 1] == 0);
    assert_true(fabs(S[TOLD * TOLD]) > 0); // the others do
    robot_end(&r);
}

static void a_model_is_not_wrong_about_itself_and_is_about_a_stiffer_one(void **unused)
{
    (void)unused;
    robot model, plant;
    lithe_inversion found;
    lithe_sensor_def sensor[3];
    lithe_point_def ends[3][2];
    build(&model);
    build(&plant);
    for (int k = 0; k < 3; k++) {
        sensor[k] = lithe_sensor_def_default(LITHE_STRING);
        sensor[k].name = (const char *[]){"a", "b", "c"}[k];
        ends[k][0] = (lithe_point_def){"bar", {k == 0 ? 0.009 : -0.009, 0.009 * (k - 1), 0}};
        ends[k][1] = ends[k][0];
        ends[k][1].at[2] = 0.09;
        sensor[k].npoint = 2;
        sensor[k].point = ends[k];
    }
    plant.def.nsensor = model.def.nsensor = 3;
    plant.def.sensor = model.def.sensor = sensor;
    model.actuator[3].given = plant.actuator[3].given = true;
    plant.material.young *= 1.25;
    robot_compile(&model);
    robot_compile(&plant);
    static const double told[TOLD] = {0.5, 0.3, 0.2, 0.1};
    for (int a = 0; a < TOLD; a++) {
        command(&plant, a, LITHE_EFFORT, told[a]);
        command(&model, a, LITHE_EFFORT, told[a]);
    }
    settle(&plant);
    lithe_state *twin;
    assert_int_equal(lithe_state_create(plant.model, 1, &twin, NULL), LITHE_OK);
    lithe_status status =
        lithe_measure_inversion(plant.model, twin, plant.model, plant.state, &found);
    lithe_state_free(twin);
    assert_int_equal(status, LITHE_OK);
    assert_true(found.gamma < 1e-6 && found.apart < 1e-8);
    assert_int_equal(found.rank, 3);
    status = lithe_measure_inversion(model.model, model.state, plant.model, plant.state, &found);
    if (status != LITHE_OK)
        fail_msg("%s", lithe_state_error(model.state));
    // without weight and with the same shape, forces scale with the modulus: J = J_hat / 1.25,
    // but for the piston, which gives what it is told
    if (!(fabs(found.gamma - 0.2) < 0.02))
        fail_msg("gamma %g", found.gamma);
    assert_true(found.apart < 1e-8);
    robot_end(&model);
    robot_end(&plant);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sensitivity_is_the_derivative_by_commands_of_both_kinds),
        cmocka_unit_test(a_slack_cable_moves_nothing),
        cmocka_unit_test(a_model_is_not_wrong_about_itself_and_is_about_a_stiffer_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
