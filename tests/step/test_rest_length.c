// Rest lengths of springs and threads that a pressure changes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

#include <stdio.h>

static const double stiffness = 300, young = 2e5; // N/m, Pa
static const double from[3] = {0.01, 0, 0.02}, to[3] = {0.01, 0, 0.08};

typedef struct sprung {
    robot r;
    lithe_spring_def spring[2];
    lithe_thread_def thread;
    const char *name[2];
} sprung;

static void begin(sprung *s)
{
    memset(s, 0, sizeof *s);
    robot_begin(&s->r, false);
    s->spring[0] = lithe_spring_def_default();
    s->spring[0].name = "across";
    memcpy(s->spring[0].from, from, sizeof from);
    memcpy(s->spring[0].to, to, sizeof to);
    s->spring[0].stiffness = stiffness;
    s->r.body.spring = s->spring;
    s->r.body.nspring = 1;
    s->r.body.thread = &s->thread;
    s->name[0] = "across";
    lithe_actuator_def *a = &s->r.actuator[0];
    *a = lithe_actuator_def_default(LITHE_REST_LENGTH);
    a->name = "length";
    a->body = "bar";
    a->ndistance = 1;
    a->distance = s->name;
    a->young = young;
    s->r.def.nactuator = 1;
}

static void find_tip(robot *r, double tip[3])
{
    robot_compile(r);
    if (lithe_step(r->model, r->state) != LITHE_OK)
        fail_msg("%s", lithe_state_error(r->state));
    lithe_effector_value(r->model, r->state, 0, tip);
}

static void same(const double a[3], const double b[3], double tolerance)
{
    for (int i = 0; i < 3; i++)
        if (!(fabs(a[i] - b[i]) < tolerance))
            fail_msg("%.12g is not %.12g", a[i], b[i]);
}

static double length(const robot *r)
{
    const double *x = lithe_position(r->state);
    const double *a = &x[3 * bar_node(&r->shape, 4, 2, 2)];
    const double *b = &x[3 * bar_node(&r->shape, 4, 2, 8)];
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// A spring of the body and a pressure p are a spring that is told to be p / Y longer.
static void a_pressure_makes_it_longer_by_its_share_of_the_modulus(void **unused)
{
    (void)unused;
    for (double p = -4e4; p < 5e4; p += 2e4) {
        sprung s;
        robot r;
        double inflated[3], told[3], volume, rest = 0.06;
        begin(&s);
        s.r.actuator[0].value[0] = p;
        find_tip(&s.r, inflated);
        lithe_displacement(s.r.model, s.r.state, 0, &volume);
        double area = stiffness * rest / young;
        assert_true(fabs(volume - area * (length(&s.r) - rest)) < 1e-12);
        assert_true(p == 0 || (length(&s.r) - rest) * p > 0);
        robot_end(&s.r);

        robot_begin(&r, false);
        r.def.nactuator = 1;
        r.actuator[0] = lithe_actuator_def_default(LITHE_SPRING);
        r.actuator[0].name = "spring";
        r.actuator[0].compliance = 1 / stiffness;
        r.actuator[0].npoint = 2;
        r.actuator[0].point = r.point[0];
        r.point[0][0] = (lithe_point_def){"bar", {from[0], from[1], from[2]}};
        r.point[0][1] = (lithe_point_def){"bar", {to[0], to[1], to[2]}};
        r.actuator[0].value[0] = p / young * rest;
        find_tip(&r, told);
        robot_end(&r);
        same(inflated, told, 1e-9);
    }
}

// A thread on an edge of cells is a spring between nodes for each of its pieces.
static void a_thread_is_many_springs(void **unused)
{
    (void)unused;
    sprung s;
    double threaded[3], sprung_tip[3];
    const double line[6] = {0.01, 0, 0, 0.01, 0, 0.1}, area = 3.14159265358979 * 1e-6;
    begin(&s);
    s.thread = lithe_thread_def_default();
    s.thread.name = "across";
    s.thread.npoint = 2;
    s.thread.point = line;
    s.thread.radius = 1e-3;
    s.thread.slack = false;
    s.r.body.nspring = 0;
    s.r.body.nthread = 1;
    s.r.actuator[0].young = 0; // that of the material, as of the thread
    s.r.actuator[0].value[0] = 3e4;
    s.r.material.young = 1e6;
    find_tip(&s.r, threaded);
    int pieces = s.r.model->row[0].line.npoint / 2;
    robot_end(&s.r);
    assert_true(pieces > 5 && pieces <= 100);

    lithe_spring_def spring[100];
    const char *name[100];
    char text[100][16];
    begin(&s);
    for (int i = 0; i < pieces; i++) {
        spring[i] = lithe_spring_def_default();
        snprintf(text[i], sizeof text[i], "s%d", i);
        name[i] = spring[i].name = text[i];
        memcpy(spring[i].from, (double[]){0.01, 0, 0.1 * i / pieces}, sizeof spring[i].from);
        memcpy(spring[i].to, (double[]){0.01, 0, 0.1 * (i + 1) / pieces}, sizeof spring[i].to);
        spring[i].stiffness = 1e6 * area / (0.1 / pieces);
    }
    s.r.body.spring = spring;
    s.r.body.nspring = pieces;
    s.r.actuator[0].distance = name;
    s.r.actuator[0].ndistance = pieces;
    s.r.actuator[0].young = s.r.material.young = 1e6;
    s.r.actuator[0].value[0] = 3e4;
    find_tip(&s.r, sprung_tip);
    robot_end(&s.r);
    assert_true(fabs(threaded[0]) > 1e-5);
    same(threaded, sprung_tip, 1e-9);
}

static void the_inverse_finds_the_pressure(void **unused)
{
    (void)unused;
    sprung s;
    double there[3], found[3], pressure;
    begin(&s);
    s.r.actuator[0].value[0] = 3e4;
    find_tip(&s.r, there);
    robot_end(&s.r);
    begin(&s);
    s.r.tip.axes = LITHE_X;
    robot_compile(&s.r);
    assert_int_equal(lithe_target_effector(s.r.model, s.r.state, 0, there, false), LITHE_OK);
    assert_int_equal(lithe_step(s.r.model, s.r.state), LITHE_OK);
    lithe_effector_value(s.r.model, s.r.state, 0, found);
    lithe_effort(s.r.model, s.r.state, 0, &pressure);
    assert_true(fabs(found[0] - there[0]) < 1e-7 && fabs(pressure - 3e4) < 1);
    robot_end(&s.r);
}

static void a_valve_lets_the_pressure_follow(void **unused)
{
    (void)unused;
    sprung s;
    double pressure, tip[3];
    begin(&s);
    s.r.def.step.dt = 0.01;
    s.r.actuator[0].inflation_time = 0.02;
    s.r.actuator[0].value[0] = 3e4;
    find_tip(&s.r, tip);
    lithe_effort(s.r.model, s.r.state, 0, &pressure);
    assert_true(fabs(pressure - 3e4 * (1 - exp(-0.5))) < 1e-6 * 3e4);
    robot_end(&s.r);
}

static void refuse(sprung *s, const char *why)
{
    assert_int_equal(lithe_compile(&s->r.def, &s->r.model, &s->r.report), LITHE_INVALID);
    if (!strstr(s->r.report.error, why))
        fail_msg("%s", s->r.report.error);
}

static void what_has_no_length_is_refused(void **unused)
{
    (void)unused;
    sprung s;
    begin(&s);
    s.name[0] = "acros";
    refuse(&s, "no spring or thread 'acros'; did you mean 'across'?");
    s.name[0] = s.name[1] = "across";
    s.r.actuator[0].ndistance = 2;
    refuse(&s, "names 'across' twice");
    s.r.actuator[0].ndistance = 0;
    refuse(&s, "needs one spring or thread");
    s.r.actuator[0].ndistance = 1;
    s.spring[0].slack = true;
    refuse(&s, "which does not push");
    s.spring[0].slack = false;
    s.r.actuator[0].young = -1;
    refuse(&s, "must be above 0");
    robot_end(&s.r);
}

static const char text[] =
    "units: {length: mm, pressure: kPa}\n"
    "materials: {rubber: {law: corotational, young: 100, poisson: 0.4}}\n"
    "bodies:\n"
    "  bar:\n"
    "    mesh: m.msh\n"
    "    material: rubber\n"
    "    springs: {a: {from: [0, 0, 0], to: [0, 0, 9], stiffness: 1 N/mm}}\n"
    "actuators:\n"
    "  air: {rest_length: {body: bar, distances: [a, b], young: 300}, command: {pressure: 5}, "
    "valve: {inflation: 30 ms}}\n"
    "sensors: {gauge: {pressure: {actuator: air}}}\n";

static void a_scene_says_what_it_lengthens(void **unused)
{
    (void)unused;
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    if (lithe_scene_read_text(text, strlen(text), "s.yaml", 0, NULL, &scene, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    const lithe_actuator_def *d = lithe_scene_def(scene)->actuator;
    assert_int_equal(d->kind, LITHE_REST_LENGTH);
    assert_int_equal(d->ndistance, 2);
    assert_string_equal(d->distance[1], "b");
    assert_true(d->young == 3e5 && d->value[0] == 5e3 && d->inflation_time == 0.03);
    lithe_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pressure_makes_it_longer_by_its_share_of_the_modulus),
        cmocka_unit_test(a_thread_is_many_springs),
        cmocka_unit_test(the_inverse_finds_the_pressure),
        cmocka_unit_test(a_valve_lets_the_pressure_follow),
        cmocka_unit_test(what_has_no_length_is_refused),
        cmocka_unit_test(a_scene_says_what_it_lengthens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
