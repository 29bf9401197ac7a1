// A sensor that tells the distance between two nodes of a bar.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

static void begin(robot *r, lithe_sensor_def *sensor, const lithe_point_def *point)
{
    robot_begin(r, false);
    add_cable(r, "cable", 0.008);
    *sensor = lithe_sensor_def_default(LITHE_DISTANCE);
    sensor->name = "laser";
    sensor->npoint = 2;
    sensor->point = point;
    r->def.nsensor = 1;
    r->def.sensor = sensor;
}

static const lithe_point_def ends[3] = {
    {"bar", {-0.01, 0, 0}}, {"bar", {-0.01, 0, 0.1}}, {"bar", {0, 0, 0.05}}};

static void it_tells_the_distance_of_its_points_at_rest_and_bent(void **unused)
{
    (void)unused;
    robot r;
    lithe_sensor_def sensor;
    double told;
    begin(&r, &sensor, ends);
    r.actuator[0].command = LITHE_EFFORT;
    robot_compile(&r);
    lithe_sensor_value(r.model, r.state, 0, &told);
    assert_true(fabs(told - 0.1) < 1e-12);
    lithe_command(r.model, r.state, 0, LITHE_EFFORT, (double[]){0.5});
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    const double *x = lithe_position(r.state);
    const double *a = &x[3 * bar_node(&r.shape, 0, 2, 0)],
                 *b = &x[3 * bar_node(&r.shape, 0, 2, 10)];
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    lithe_sensor_value(r.model, r.state, 0, &told);
    assert_true(fabs(told - sqrt(sum)) < 1e-12);
    assert_true(fabs(told - 0.1) > 1e-4); // something has happened
    assert_int_equal(lithe_sensor_rows(r.model, 0), 1);
    robot_end(&r);
}

static void it_has_two_points(void **unused)
{
    (void)unused;
    robot r;
    lithe_sensor_def sensor;
    begin(&r, &sensor, ends);
    sensor.npoint = 3;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "needs two points, not 3"));
    robot_end(&r);
}

static void a_scene_has_it(void **unused)
{
    (void)unused;
    static const char text[] = "materials: {m: {law: corotational, young: 100 kPa, poisson: 0.4}}\n"
                               "bodies: {b: {mesh: b.msh, mesh_unit: mm, material: m}}\n"
                               "sensors: {laser: {distance: {body: b, from: [0 mm, 0 mm, 1 mm], "
                               "to: [0 mm, 0 mm, 9 mm]}}}\n";
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    if (lithe_scene_read_text(text, sizeof text - 1, "s.yaml", 0, NULL, &scene, &report))
        fail_msg("%s", report.error);
    const lithe_sensor_def *d = &lithe_scene_def(scene)->sensor[0];
    assert_int_equal(d->kind, LITHE_DISTANCE);
    assert_true(d->npoint == 2 && d->point[1].at[2] == 0.009);
    lithe_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_tells_the_distance_of_its_points_at_rest_and_bent),
        cmocka_unit_test(it_has_two_points),
        cmocka_unit_test(a_scene_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
