// A spring between two nodes of a bar, whose rest length is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

static const double stiffness = 300, rest = 0.06; // N/m, m

static void begin(robot *r)
{
    robot_begin(r, false);
    r->def.nactuator = 1;
    r->actuator[0] = lithe_actuator_def_default(LITHE_SPRING);
    r->actuator[0].name = "spring";
    r->actuator[0].compliance = 1 / stiffness;
    r->point[0][0] = (lithe_point_def){"bar", {0.01, 0, 0.02}};
    r->point[0][1] = (lithe_point_def){"bar", {0.01, 0, 0.08}};
    r->actuator[0].npoint = 2;
    r->actuator[0].point = r->point[0];
}

// From nodes alone.
static double length(const robot *r)
{
    const double *x = lithe_position(r->state);
    const double *a = &x[3 * bar_node(&r->shape, 4, 2, 2)];
    const double *b = &x[3 * bar_node(&r->shape, 4, 2, 8)];
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void its_force_is_stiffness_times_what_its_rest_length_is_longer(void **unused)
{
    (void)unused;
    for (double told = -0.02; told < 0.021; told += 0.01) {
        robot r;
        begin(&r);
        r.actuator[0].value[0] = told;
        robot_compile(&r);
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        double force, lengthening, expected = stiffness * (rest + told - length(&r));
        lithe_effort(r.model, r.state, 0, &force);
        lithe_displacement(r.model, r.state, 0, &lengthening);
        assert_true(fabs(force - expected) < 1e-6 * (1 + fabs(expected)));
        assert_true(fabs(lengthening - told) < 1e-9);
        assert_true(told == 0 || (length(&r) - rest) * told > 0); // it gives way to the spring
        robot_end(&r);
    }
}

static void the_inverse_finds_its_rest_length(void **unused)
{
    (void)unused;
    robot r;
    double there[3], found[3], lengthening;
    begin(&r);
    r.actuator[0].value[0] = -0.012;
    robot_compile(&r);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    lithe_effector_value(r.model, r.state, 0, there);
    robot_end(&r);

    begin(&r);
    r.tip.axes = LITHE_X;
    robot_compile(&r);
    assert_int_equal(lithe_target_effector(r.model, r.state, 0, there, false), LITHE_OK);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    lithe_effector_value(r.model, r.state, 0, found);
    lithe_displacement(r.model, r.state, 0, &lengthening);
    assert_true(fabs(found[0] - there[0]) < 1e-7);
    assert_true(fabs(lengthening + 0.012) < 1e-5);
    robot_end(&r);
}

static void without_give_it_is_refused(void **unused)
{
    (void)unused;
    robot r;
    begin(&r);
    r.actuator[0].compliance = 0;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "spring 'spring' needs a compliance above 0"));
    robot_end(&r);
}

static void a_scene_has_it(void **unused)
{
    (void)unused;
    static const char text[] = "materials: {m: {law: corotational, young: 100 kPa, poisson: 0.4}}\n"
                               "bodies: {b: {mesh: b.msh, mesh_unit: mm, material: m}}\n"
                               "actuators:\n"
                               "  s:\n"
                               "    spring: {body: b, from: [0 mm, 0 mm, 1 mm], to: [0 mm, 0 mm, 9 "
                               "mm], stiffness: 200 N/m}\n"
                               "    limits: {lengthening: [-2 mm, 3 mm], force: [-1 N, 2 N]}\n"
                               "    command: {lengthening: 1 mm}\n";
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    if (lithe_scene_read_text(text, sizeof text - 1, "s.yaml", 0, NULL, &scene, &report))
        fail_msg("%s", report.error);
    const lithe_actuator_def *d = &lithe_scene_def(scene)->actuator[0];
    assert_int_equal(d->kind, LITHE_SPRING);
    assert_int_equal(d->command, LITHE_DISPLACEMENT);
    assert_true(d->compliance == 0.005 && d->value[0] == 0.001 && d->npoint == 2);
    assert_true(d->displacement_limit[0] == -0.002 && d->effort_limit[1] == 2);
    lithe_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_force_is_stiffness_times_what_its_rest_length_is_longer),
        cmocka_unit_test(the_inverse_finds_its_rest_length),
        cmocka_unit_test(without_give_it_is_refused),
        cmocka_unit_test(a_scene_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
