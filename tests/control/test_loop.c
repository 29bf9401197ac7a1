// Control over sensors: a stiffer robot is driven by a model of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

enum { CABLES = 3, STRINGS = 3 };

typedef struct loop {
    robot plant, model;
    lithe_sensor_def sensor[STRINGS];
    lithe_point_def ends[STRINGS][2];
    lithe_reading_def noise[STRINGS];
    lithe_estimate_def def;
    lithe_estimator *estimator;
    lithe_controller *controller;
    double reading[STRINGS], wanted[STRINGS], told[CABLES];
} loop;

static void build(loop *l, robot *r, double young, double most)
{
    static const char *const name[] = {"a", "b", "c"};
    robot_begin(r, false);
    robot_coarsen(r);
    for (int k = 0; k < CABLES; k++) {
        double angle = 2.0943951023931953 * k;
        add_cable_at(r, name[k], 0.008 * cos(angle), 0.008 * sin(angle));
        r->actuator[k].command = LITHE_EFFORT;
        r->actuator[k].value[0] = 0.05;
        r->actuator[k].effort_limit[1] = most;
    }
    r->material.young = young;
    r->def.nsensor = STRINGS;
    r->def.sensor = l->sensor;
}

static void loop_begin(loop *l, double young, double most, lithe_gains gains)
{
    static const char *const name[] = {"s1", "s2", "s3"};
    memset(l, 0, sizeof *l);
    for (int k = 0; k < STRINGS; k++) {
        double angle = 2.0943951023931953 * k, x = 0.009 * cos(angle), y = 0.009 * sin(angle);
        l->ends[k][0] = (lithe_point_def){"bar", {x, y, 0}};
        l->ends[k][1] = (lithe_point_def){"bar", {x, y, 0.09}};
        l->sensor[k] = lithe_sensor_def_default(LITHE_STRING);
        l->sensor[k].name = name[k];
        l->sensor[k].npoint = 2;
        l->sensor[k].point = l->ends[k];
        l->noise[k] = (lithe_reading_def){.name = name[k], .noise = 1e-5};
    }
    build(l, &l->plant, young, most);
    build(l, &l->model, 1e5, most);
    robot_compile(&l->plant);
    robot_compile(&l->model);
    l->def = (lithe_estimate_def){.nreading = STRINGS, .reading = l->noise, .outlier = 4};
    assert_int_equal(lithe_estimator_create(l->model.model, &l->def, 1, &l->estimator, NULL),
                     LITHE_OK);
    assert_int_equal(lithe_controller_create(l->model.model, gains, &l->controller, NULL),
                     LITHE_OK);
    for (int k = 0; k < CABLES; k++)
        l->told[k] = 0.05;
}

static void loop_end(loop *l)
{
    lithe_estimator_free(l->estimator);
    lithe_controller_free(l->controller);
    robot_end(&l->plant);
    robot_end(&l->model);
}

static void read_robot(loop *l)
{
    for (int k = 0; k < CABLES; k++)
        command(&l->plant, k, LITHE_EFFORT, l->told[k]);
    settle(&l->plant);
    for (int k = 0; k < STRINGS; k++)
        lithe_sensor_value(l->plant.model, l->plant.state, k, &l->reading[k]);
}

// Largest error after so many steps.
static double drive(loop *l, int steps)
{
    double worst = 0;
    for (int n = 0; n < steps; n++) {
        read_robot(l);
        assert_int_equal(lithe_estimate(l->estimator, l->reading, NULL), LITHE_OK);
        assert_int_equal(lithe_control(l->controller, lithe_estimator_state(l->estimator),
                                       l->reading, l->wanted, l->told),
                         LITHE_OK);
    }
    read_robot(l);
    for (int k = 0; k < STRINGS; k++)
        worst = fmax(worst, fabs(l->reading[k] - l->wanted[k]));
    return worst;
}

// What strings read under other tensions.
static void want(loop *l, const double tension[CABLES])
{
    double told[CABLES];
    memcpy(told, l->told, sizeof told);
    memcpy(l->told, tension, sizeof told);
    read_robot(l);
    memcpy(l->wanted, l->reading, sizeof l->wanted);
    memcpy(l->told, told, sizeof told);
}

static void a_stiffer_robot_arrives_and_as_fast_as_foretold(void **unused)
{
    (void)unused;
    loop l;
    loop_begin(&l, 1.3e5, 10, (lithe_gains){0.5, 0.01});
    want(&l, (double[]){0.25, 0.1, 0.15});
    read_robot(&l);
    double start = 0;
    for (int k = 0; k < STRINGS; k++)
        start = fmax(start, fabs(l.reading[k] - l.wanted[k]));
    // J = J_hat / 1.3, so an error falls by about 1 - 0.5/1.3 in a step
    double after = drive(&l, 1);
    assert_true(fabs(after / start - (1 - 0.5 / 1.3)) < 0.05);
    // the slow pole is 1 - ki/kp = 0.98, with a share of 5 %
    assert_true(drive(&l, 120) < 0.01 * start);
    assert_true(drive(&l, 400) < 1e-4 * start);
    // begun again it knows no errors
    assert_int_equal(lithe_controller_nnumber(l.controller), STRINGS);
    assert_true(lithe_controller_sum(l.controller)[0] != 0);
    lithe_controller_reset(l.controller);
    for (int k = 0; k < STRINGS; k++)
        assert_true(lithe_controller_sum(l.controller)[k] == 0);
    for (int k = 0; k < CABLES; k++)
        assert_true(fabs(l.told[k] - (double[]){0.25, 0.1, 0.15}[k]) < 1e-4);
    loop_end(&l);
}

static void at_its_limits_it_sums_up_nothing_and_comes_back_at_once(void **unused)
{
    (void)unused;
    loop l;
    loop_begin(&l, 1e5, 0.2, (lithe_gains){0.3, 0.02});
    read_robot(&l);
    memcpy(l.wanted, l.reading, sizeof l.wanted);
    l.wanted[0] -= 8e-3; // far beyond what 0.2 N do
    drive(&l, 150);
    assert_true(fabs(l.told[0] - 0.2) < 1e-12);
    for (int k = 0; k < STRINGS; k++)
        assert_true(fabs(lithe_controller_sum(l.controller)[k]) < 0.05);
    double told = l.told[0];
    want(&l, (double[]){0.1, 0.08, 0.08});
    drive(&l, 1);
    assert_true(l.told[0] < told - 0.005); // without waiting for the sum to wear off
    assert_true(drive(&l, 200) < 2e-5);
    loop_end(&l);
}

static void unstable_gains_are_refused(void **unused)
{
    (void)unused;
    loop l;
    lithe_controller *c;
    lithe_report report = lithe_report_default();
    loop_begin(&l, 1e5, 10, (lithe_gains){0.5, 0});
    assert_int_equal(lithe_controller_create(l.model.model, (lithe_gains){2.5, 0}, &c, &report),
                     LITHE_INVALID);
    assert_non_null(strstr(report.error, "unstable"));
    loop_end(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stiffer_robot_arrives_and_as_fast_as_foretold),
        cmocka_unit_test(at_its_limits_it_sums_up_nothing_and_comes_back_at_once),
        cmocka_unit_test(unstable_gains_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
