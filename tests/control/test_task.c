// Tasks that a C program fills: what is refused, and where targets are from the approach on.
#include "bar.h"
#include "control/task.h"
#include "step/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// A bar that two cables bend, with a point, a volume-free length and a string to measure.
typedef struct sample {
    bar bar;
    lithe_mesh *mesh;
    lithe_material_def material;
    lithe_fix_def fix;
    lithe_body_def body;
    lithe_point_def point[6];
    lithe_actuator_def actuator[2];
    lithe_effector_def effector[2];
    lithe_sensor_def sensor[2];
    lithe_goal_def goal[3];
    lithe_def def;
    lithe_model *model;
    lithe_state *state;
    lithe_report report;
} sample;

static const double end[] = {0.011, 0.01, 0.059};

static void add_cable(sample *s, int i, const char *name, double x)
{
    lithe_actuator_def *a = &s->actuator[i];
    s->point[i] = (lithe_point_def){"bar", {x, 0.01, 0.055}};
    *a = lithe_actuator_def_default(LITHE_CABLE);
    a->name = name;
    a->npoint = 1;
    a->point = &s->point[i];
    a->has_pulled_from = true;
    memcpy(a->pulled_from, (double[]){x, 0.01, -0.01}, sizeof a->pulled_from);
}

static void add_measures(sample *s)
{
    s->point[2] = (lithe_point_def){"bar", {0.01, 0.01, 0.06}};
    s->point[3] = (lithe_point_def){"bar", {0.01, 0.01, 0.01}};
    for (int i = 0; i < 2; i++) {
        s->effector[i] = lithe_effector_def_default(i ? LITHE_LENGTH : LITHE_POINTS);
        s->effector[i].name = i ? "reach" : "tip";
        s->effector[i].npoint = i + 1;
        s->effector[i].point = &s->point[2];
        s->sensor[i] = lithe_sensor_def_default(i ? LITHE_SENSOR_EFFORT : LITHE_STRING);
        s->sensor[i].name = i ? "dial" : "string";
    }
    s->sensor[0].npoint = 2;
    s->sensor[0].point = &s->point[2];
    s->sensor[1].actuator = "east";
}

static void begin(sample *s)
{
    const double lower[3] = {0, 0, 0}, upper[3] = {0.02, 0.02, 0.06};
    memset(s, 0, sizeof *s);
    s->bar = bar_make(2, 2, 6, lower, upper);
    assert_int_equal(
        lithe_mesh_create(s->bar.nnode, s->bar.x, s->bar.ntet, s->bar.tet, &s->mesh, NULL),
        LITHE_OK);
    s->material =
        (lithe_material_def){.name = "rubber", .young = 2e5, .poisson = 0.4, .density = 1000};
    s->fix = lithe_fix_def_default();
    s->fix.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1, 1, 1e-6}};
    s->body = lithe_body_def_default();
    s->body.name = "bar";
    s->body.mesh = s->mesh;
    s->body.material = "rubber";
    s->body.nfix = 1;
    s->body.fix = &s->fix;
    add_cable(s, 0, "east", 0.018);
    add_cable(s, 1, "west", 0.002);
    add_measures(s);
    s->goal[0] = lithe_goal_def_default(LITHE_STAY);
    s->goal[0].effector = "tip";
    s->goal[0].npoint = 1;
    s->goal[0].point = end;
    s->def = lithe_def_default();
    s->def.nmaterial = s->def.nbody = 1;
    s->def.material = &s->material;
    s->def.body = &s->body;
    s->def.nactuator = s->def.neffector = s->def.nsensor = 2;
    s->def.actuator = s->actuator;
    s->def.effector = s->effector;
    s->def.sensor = s->sensor;
    s->def.task.ngoal = 1;
    s->def.task.goal = s->goal;
    s->report = lithe_report_default();
}

static void compile(sample *s)
{
    if (lithe_compile(&s->def, &s->model, &s->report) != LITHE_OK)
        fail_msg("%s", s->report.error);
    assert_int_equal(lithe_state_create(s->model, 1, &s->state, NULL), LITHE_OK);
    assert_int_equal(lithe_step(s->model, s->state), LITHE_OK);
}

static void finish(sample *s)
{
    lithe_state_free(s->state);
    lithe_model_free(s->model);
    lithe_mesh_free(s->mesh);
    bar_free(&s->bar);
}

static void assert_refused(sample *s, const char *says)
{
    assert_int_equal(lithe_compile(&s->def, &s->model, &s->report), LITHE_INVALID);
    assert_null(s->model);
    if (!strstr(s->report.error, says))
        fail_msg("'%s' does not say '%s'", s->report.error, says);
}

static void bad_tasks_are_refused_with_their_location(void **unused)
{
    (void)unused;
    sample s;
    begin(&s);
    s.goal[0].location = "robot.yaml:3:4";
    s.goal[0].effector = "tiq";
    assert_refused(&s, "robot.yaml:3:4: there is no effector 'tiq': did you mean 'tip'?");
    s.goal[0].effector = NULL;
    s.goal[0].sensor = "dial";
    assert_refused(&s, "reads an actuator and can have no target");
    s.goal[0].sensor = "strin";
    assert_refused(&s, "there is no sensor 'strin': did you mean 'string'?");
    s.goal[0] = s.goal[1] =
        (lithe_goal_def){.location = "p", .effector = "tip", .npoint = 1, .point = end, .turns = 1};
    s.def.task.ngoal = 2;
    assert_refused(&s, "p: 'tip' has a target already");
    s.def.task.ngoal = 1;
    s.goal[0].path = LITHE_CIRCLE;
    s.goal[0].effector = "reach";
    assert_refused(&s, "three numbers");
    finish(&s);
}

static void tasks_without_means_are_refused(void **unused)
{
    (void)unused;
    sample s;
    const double time[] = {0, 2e5}, point[] = {0, 0, 0, 0, 0, 1};
    begin(&s);
    s.goal[0].kept = true;
    s.def.step.method = LITHE_SEIDEL;
    assert_refused(&s, "seidel cannot keep");
    s.def.step.method = LITHE_HIERARCHY;
    s.actuator[0].given = s.actuator[1].given = true;
    assert_refused(&s, "no actuator is free to move, as all are given");
    s.def.nactuator = 0;
    s.def.nsensor = 1;
    assert_refused(&s, "as there is none");
    s.def.nactuator = 2;
    s.actuator[0].given = false;
    s.def.task.approach = 0;
    assert_refused(&s, "the approach must be above 0");
    s.def.task.approach = 1;
    s.goal[0].path = LITHE_WAYPOINTS;
    s.goal[0].npoint = 2;
    s.goal[0].time = time;
    s.goal[0].point = point;
    assert_refused(&s, "more than 10000000 steps");
    finish(&s);
}

static void targets_approach_together_and_not_too_fast(void **unused)
{
    (void)unused;
    sample s;
    begin(&s);
    const double length = 0.045;
    s.goal[1] = lithe_goal_def_default(LITHE_STAY);
    s.goal[1].effector = "reach";
    s.goal[1].npoint = 1;
    s.goal[1].point = &length;
    s.def.task.ngoal = 2;
    s.def.task.approach = 0.02;
    compile(&s);
    double start[16], before[16], at[16], approach;
    int n = lithe_nrow(s.model), line = lithe_row_of_effector(s.model, 1);
    lithe_task_start(s.model, s.state, start);
    approach = lithe_task_approach(s.model, start);
    // 5 mm at 20 mm/s, in steps of 10 ms
    assert_true(fabs(approach - 0.25) < 1e-12);
    assert_true(lithe_task_duration(s.model) == 0);
    lithe_task_targets(s.model, start, 0, before);
    assert_true(before[line] == start[line]);
    for (int k = 1; k <= 25; k++) {
        lithe_task_targets(s.model, start, 0.01 * k, at);
        assert_true(fabs(at[line] - before[line]) <= 0.02 * 0.01 * (1 + 1e-9));
        for (int r = 0; r < n; r++)
            assert_true(isnan(at[r]) == (r < 2 || r > line));
        memcpy(before, at, sizeof before);
    }
    assert_true(at[line] == length && at[line - 1] == end[2]);
    finish(&s);
}

static void a_task_is_done_by_applying_it_step_by_step(void **unused)
{
    (void)unused;
    sample s;
    begin(&s);
    s.effector[0].axes = LITHE_X;
    const double time[] = {0, 0.1}, point[] = {0.0105, 0.012};
    s.goal[0].path = LITHE_WAYPOINTS;
    s.goal[0].npoint = 2;
    s.goal[0].time = time;
    s.goal[0].point = point;
    compile(&s);
    double start[16], target[16], value;
    int approach, all, line = lithe_row_of_effector(s.model, 0);
    lithe_task_start(s.model, s.state, start);
    assert_int_equal(lithe_task_steps(s.model, start, &approach, &all, NULL), LITHE_OK);
    assert_int_equal(approach, 1);
    assert_int_equal(all, 11);
    assert_string_equal(lithe_goal_name(s.model, 0), lithe_effector_name(s.model, 0));
    assert_null(lithe_goal_name(s.model, lithe_ngoal(s.model)));
    assert_true(isnan(lithe_goal_error(s.model, s.state, 0, NULL))); // nothing is asked yet
    for (int k = 1; k <= all; k++) {
        assert_int_equal(lithe_task_apply(s.model, s.state, start, 0.01 * k), LITHE_OK);
        assert_int_equal(lithe_step(s.model, s.state), LITHE_OK);
        lithe_task_targets(s.model, start, 0.01 * k, target);
        lithe_effector_value(s.model, s.state, 0, &value);
        assert_true(fabs(target[line] - (0.0105 + 0.00015 * (k - 1))) < 1e-12);
        assert_true(fabs(value - target[line]) < 1e-9);
        assert_true(lithe_goal_error(s.model, s.state, 0, NULL) == fabs(value - target[line]));
    }
    assert_true(control_error(s.state, &control_of(s.model)->goal[0], target) < 1e-9);
    assert_true(lithe_first_error(s.model, s.state, target) < 1e-9);
    finish(&s);
}

// What the inverse learns of the way to a target is of no use on the way to the next one.
static void a_target_that_moves_is_a_new_one(void **unused)
{
    (void)unused;
    sample s;
    begin(&s);
    s.effector[0].axes = LITHE_X;
    const double time[] = {0, 0.1}, point[] = {0.0105, 0.012};
    s.goal[0].path = LITHE_WAYPOINTS;
    s.goal[0].npoint = 2;
    s.goal[0].time = time;
    s.goal[0].point = point;
    compile(&s);
    double start[16];
    lithe_task_start(s.model, s.state, start);
    assert_int_equal(lithe_task_apply(s.model, s.state, start, 0.01), LITHE_OK);
    assert_int_equal(lithe_step(s.model, s.state), LITHE_OK);
    assert_true(s.state->task.secant.started);
    assert_int_equal(lithe_task_apply(s.model, s.state, start, 0.01), LITHE_OK);
    assert_true(s.state->task.secant.started); // the same target
    assert_int_equal(lithe_task_apply(s.model, s.state, start, 0.02), LITHE_OK);
    assert_false(s.state->task.secant.started);
    finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_tasks_are_refused_with_their_location),
        cmocka_unit_test(tasks_without_means_are_refused),
        cmocka_unit_test(targets_approach_together_and_not_too_fast),
        cmocka_unit_test(a_task_is_done_by_applying_it_step_by_step),
        cmocka_unit_test(a_target_that_moves_is_a_new_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
