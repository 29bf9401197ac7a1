// Definitions with numbers that are no enumerators: refused, by name, before anything takes them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "robot.h"

// A robot that has one of everything.
typedef struct whole {
    robot r;
    lithe_body_def body[2];
    lithe_region_def region;
    lithe_cavity_def cavity;
    lithe_rigid_def rigid;
    lithe_fix_def foot;
    lithe_rod_def rod;
    double line[6];
    lithe_sensor_def sensor;
    lithe_goal_def goal;
    double target[3];
    lithe_obstacle_def floor;
    lithe_selection top;
    const lithe_selection *patch[1];
} whole;

static void add_rod(whole *w)
{
    w->rod = lithe_rod_def_default();
    w->rod.name = "rod";
    w->rod.npoint = 2;
    w->line[0] = w->line[3] = 1;
    w->line[5] = 0.1;
    w->rod.point = w->line;
    w->rod.elements = 2;
    w->rod.size[0] = 1e-3;
    w->foot = lithe_fix_def_default();
    w->foot.where = (lithe_selection){.kind = LITHE_NEAREST, .a = {1, 0, 0}};
    w->body[1] = lithe_body_def_default();
    w->body[1].name = "wire";
    w->body[1].material = "silicone";
    w->body[1].nrod = 1;
    w->body[1].rod = &w->rod;
    w->body[1].nfix = 1;
    w->body[1].fix = &w->foot;
}

static void add_parts(whole *w)
{
    w->region = lithe_region_def_default();
    w->region.material = "silicone";
    w->cavity = lithe_cavity_def_default();
    w->cavity.name = "air";
    w->cavity.number = 1;
    w->rigid = lithe_rigid_def_default();
    w->rigid.name = "head";
    w->rigid.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, 0.089}, .b = {1, 1, 1}};
    w->body[0] = w->r.body;
    w->body[0].nregion = 1;
    w->body[0].region = &w->region;
    w->body[0].ncavity = 1;
    w->body[0].cavity = &w->cavity;
    w->body[0].nrigid = 1;
    w->body[0].rigid = &w->rigid;
}

static void whole_begin(whole *w)
{
    memset(w, 0, sizeof *w);
    robot_begin(&w->r, true);
    add_cable(&w->r, "cable", 0.008);
    w->top = (lithe_selection){.kind = LITHE_GROUP, .group = "top"};
    w->patch[0] = &w->top;
    w->r.actuator[0].npoint = 1;
    w->r.actuator[0].patch = w->patch;
    add_parts(w);
    add_rod(w);
    w->r.load[0] = lithe_load_def_default();
    w->r.load[0].name = "push";
    w->r.load[0].body = "bar";
    w->r.load[0].at[2] = 0.1;
    w->r.def.nload = 1;
    w->sensor = lithe_sensor_def_default(LITHE_POSITION);
    w->sensor.name = "mark";
    w->sensor.npoint = 1;
    w->sensor.point = &w->r.tip_point;
    w->r.def.nsensor = 1;
    w->r.def.sensor = &w->sensor;
    w->goal = lithe_goal_def_default(LITHE_STAY);
    w->goal.effector = "tip";
    w->goal.npoint = 1;
    w->target[2] = 0.1;
    w->goal.point = w->target;
    w->r.def.task.ngoal = 1;
    w->r.def.task.goal = &w->goal;
    w->floor = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
    w->floor.name = "floor";
    w->floor.at[2] = -1;
    w->r.def.nobstacle = 1;
    w->r.def.obstacle = &w->floor;
    w->r.def.nbody = 2;
    w->r.def.body = w->body;
}

static lithe_status whole_compile(whole *w)
{
    lithe_model *model = NULL;
    lithe_status status = lithe_compile(&w->r.def, &model, &w->r.report);
    lithe_model_free(model);
    return status;
}

// The field with another number is refused by what it is called.
static void refuse(whole *w, void *field, int number, const char *key)
{
    char words[64];
    int before;
    snprintf(words, sizeof words, "%s is %d;", key, number);
    memcpy(&before, field, sizeof before);
    memcpy(field, &number, sizeof number);
    lithe_status status = whole_compile(w);
    memcpy(field, &before, sizeof before);
    if (status != LITHE_INVALID || !strstr(w->r.report.error, words))
        fail_msg("%s: %s: %s", words, lithe_status_name(status), w->r.report.error);
}

static void a_number_that_is_no_enumerator_is_refused(void **unused)
{
    (void)unused;
    whole w;
    whole_begin(&w);
    struct {
        void *field;
        const char *key;
    } field[] = {
        {&w.r.def.step.mode, "mode"},
        {&w.r.def.step.method, "method"},
        {&w.r.def.dynamics.scheme, "scheme"},
        {&w.r.def.dynamics.mass, "mass"},
        {&w.r.material.law, "law"},
        {&w.body[0].element, "element"},
        {&w.body[0].solid, "solid"},
        {&w.body[0].shape, "shape"},
        {&w.r.fix[0].axes, "axes"},
        {&w.r.fix[0].rotations, "rotations"},
        {&w.r.fix[0].where.kind, "where.kind"},
        {&w.region.where.kind, "where.kind"},
        {&w.r.surface[1].where.kind, "where.kind"},
        {&w.rigid.where.kind, "where.kind"},
        {&w.cavity.pick, "pick"},
        {&w.rod.section, "section"},
        {&w.r.load[0].kind, "kind"},
        {&w.r.actuator[0].kind, "kind"},
        {&w.r.actuator[0].command, "command"},
        {&w.r.actuator[0].where.kind, "where.kind"},
        {&w.top.kind, "where.kind"},
        {&w.r.tip.kind, "kind"},
        {&w.r.tip.axes, "axes"},
        {&w.r.tip.where.kind, "where.kind"},
        {&w.sensor.kind, "kind"},
        {&w.goal.path, "path"},
        {&w.floor.kind, "kind"},
    };
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        refuse(&w, field[i].field, 77, field[i].key);
        refuse(&w, field[i].field, 12, field[i].key); // the longest has twelve
        refuse(&w, field[i].field, -2, field[i].key);
    }
    if (whole_compile(&w) != LITHE_OK) // as it was
        fail_msg("%s", w.r.report.error);
    robot_end(&w.r);
}

// Functions that take one give a definition that compiling refuses, or say no themselves.
static void defaults_of_no_kind_are_refused_later(void **unused)
{
    (void)unused;
    whole w;
    lithe_actuator_kind kind;
    memcpy(&kind, &(int){77}, sizeof kind);
    whole_begin(&w);
    w.r.actuator[0] = lithe_actuator_def_default(kind);
    w.r.actuator[0].name = "ghost";
    assert_int_equal(whole_compile(&w), LITHE_INVALID);
    assert_non_null(
        strstr(w.r.report.error, "actuator 'ghost': kind is 77; lithe_actuator_kind has 0 to 11"));
    assert_string_equal(lithe_status_name((lithe_status)99), "unknown status");
    robot_end(&w.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_that_is_no_enumerator_is_refused),
        cmocka_unit_test(defaults_of_no_kind_are_refused_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
