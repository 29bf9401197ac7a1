// Lines whose points ride on rigid bodies, are of the world, or are spread over patches.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"

#include "robot.h"

static const double way = 0.004; // m
static const lithe_selection top = {.kind = LITHE_GROUP, .group = "top"};

// The bar, and beside it a rigid ball that may be moved.
typedef struct pair {
    robot r;
    lithe_body_def body[2];
    lithe_fix_def hold;
    double times[1], ways[6];
} pair;

static void begin(pair *p)
{
    memset(p, 0, sizeof *p);
    robot_begin(&p->r, false);
    p->body[0] = p->r.body;
    p->body[1] = lithe_body_def_default();
    p->body[1].name = "ball";
    p->body[1].shape = LITHE_RIGID_SPHERE;
    p->body[1].size[0] = 0.005;
    p->body[1].mass = 0.01;
    p->body[1].move[0] = 0.05;
    p->hold = lithe_fix_def_default();
    p->body[1].fix = &p->hold;
    p->body[1].nfix = 1;
    p->r.def.body = p->body;
    p->r.def.nbody = 2;
}

static void find_tip(robot *r, double tip[3])
{
    robot_compile(r);
    assert_int_equal(lithe_play(r->model, r->state, 1), LITHE_OK);
    if (lithe_step(r->model, r->state) != LITHE_OK)
        fail_msg("%s", lithe_state_error(r->state));
    lithe_effector_value(r->model, r->state, 0, tip);
    assert_true(fabs(tip[0]) > 1e-4);
}

static void same(const double a[3], const double b[3], double tolerance)
{
    for (int i = 0; i < 3; i++)
        if (!(fabs(a[i] - b[i]) < tolerance))
            fail_msg("%.12g is not %.12g", a[i], b[i]);
}

// The end that is pulled moves away: as far as a winch there would pull.
static void a_cable_is_pulled_by_what_its_end_rides_on(void **unused)
{
    (void)unused;
    pair p;
    double ridden[3], pulled[3], tension[2];
    begin(&p);
    add_cable(&p.r, "ride", 0.008);
    lithe_point_def through[3] = {{"ball", {0.008, 0, -0.01}}, p.r.point[0][0], p.r.point[0][1]};
    p.r.actuator[0].has_pulled_from = false;
    p.r.actuator[0].npoint = 3;
    p.r.actuator[0].point = through;
    p.r.actuator[0].command = LITHE_DISPLACEMENT;
    p.body[1].nfix = 0;
    p.body[1].nwaypoint = 1;
    p.body[1].waypoint = p.ways;
    p.body[1].waypoint_time = p.times;
    p.ways[5] = -way;
    find_tip(&p.r, ridden);
    lithe_effort(p.r.model, p.r.state, 0, &tension[0]);
    robot_end(&p.r);

    begin(&p);
    add_cable(&p.r, "winch", 0.008);
    p.r.actuator[0].pulled_from[2] -= way;
    p.r.actuator[0].command = LITHE_DISPLACEMENT;
    p.r.actuator[0].value[0] = way;
    find_tip(&p.r, pulled);
    lithe_effort(p.r.model, p.r.state, 0, &tension[1]);
    same(ridden, pulled, 1e-8);
    assert_true(tension[0] > 0.05 && fabs(tension[0] - tension[1]) < 1e-6);
    robot_end(&p.r);
}

static void a_piston_on_what_is_held_is_one_to_the_world(void **unused)
{
    (void)unused;
    double tip[2][3];
    for (int k = 0; k < 2; k++) {
        pair p;
        begin(&p);
        add_piston(&p.r);
        p.r.point[0][1] = (lithe_point_def){k ? "ball" : NULL, {0.04, 0.01, 0.03}};
        p.r.actuator[0].value[0] = 0.2;
        find_tip(&p.r, tip[k]);
        robot_end(&p.r);
    }
    same(tip[0], tip[1], 1e-9);
}

// From very far away it pulls along one direction, as a traction does.
static void a_patch_takes_its_force_by_area(void **unused)
{
    (void)unused;
    robot r;
    double tip[2][3], pull = 0.02;
    const lithe_selection *const patch[2] = {NULL, &top};
    robot_begin(&r, false);
    add_cable(&r, "far", 0);
    r.actuator[0].has_pulled_from = false;
    r.point[0][0] = (lithe_point_def){NULL, {1000, 0, 0.1}};
    r.point[0][1] = (lithe_point_def){"bar", {0}};
    r.actuator[0].patch = patch;
    r.actuator[0].value[0] = pull;
    find_tip(&r, tip[0]);
    robot_end(&r);

    robot_begin(&r, false);
    r.load[0] = lithe_load_def_default();
    r.load[0].name = "pull";
    r.load[0].kind = LITHE_TRACTION;
    r.load[0].body = "bar";
    r.load[0].surface = "top";
    r.load[0].total = true;
    r.load[0].value[0] = pull;
    r.def.nload = 1;
    find_tip(&r, tip[1]);
    robot_end(&r);
    same(tip[0], tip[1], 1e-6); // as the direction changes by 1e-5
}

// Near by, its direction changes with the patch: the step is still Newton's.
static void a_short_cable_on_a_patch_converges(void **unused)
{
    (void)unused;
    robot r;
    double tip[3], length;
    const lithe_selection *const patch[2] = {NULL, &top};
    robot_begin(&r, false);
    add_cable(&r, "near", 0);
    r.actuator[0].has_pulled_from = false;
    r.point[0][0] = (lithe_point_def){NULL, {0.02, 0, 0.11}};
    r.point[0][1] = (lithe_point_def){"bar", {0}};
    r.actuator[0].patch = patch;
    r.actuator[0].command = LITHE_DISPLACEMENT;
    r.actuator[0].value[0] = 0.01;
    find_tip(&r, tip);
    assert_true(lithe_last_residual(r.state).force < 1e-10);
    assert_true(lithe_last_residual(r.state).iteration < 30);
    // from nodes alone, each with a third of every triangle around it
    double mean[3] = {0};
    const double *x = lithe_position(r.state);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            bool side = i % 4 == 0, end = j % 4 == 0;
            int triangles = side && end ? (i == j ? 2 : 1) : side || end ? 3 : 6;
            for (int k = 0; k < 3; k++)
                mean[k] += triangles / 96.0 * x[3 * bar_node(&r.shape, i, j, 10) + k];
        }
    length = sqrt((mean[0] - 0.02) * (mean[0] - 0.02) + mean[1] * mean[1] +
                  (mean[2] - 0.11) * (mean[2] - 0.11));
    assert_true(fabs(length - (sqrt(0.0005) - 0.01)) < 1e-10);
    robot_end(&r);
}

static void a_patch_may_have_many_nodes(void **unused)
{
    (void)unused;
    robot r;
    double tip[3], mean[3] = {0};
    const lithe_selection half = {.kind = LITHE_BOX, .a = {-1, -1, 0.045}, .b = {1, 1, 1}};
    const lithe_selection *const patch[2] = {NULL, &half};
    robot_begin(&r, false);
    add_cable(&r, "near", 0);
    r.actuator[0].has_pulled_from = false;
    r.point[0][0] = (lithe_point_def){NULL, {0.02, 0, 0.15}};
    r.point[0][1] = (lithe_point_def){"bar", {0}};
    r.actuator[0].patch = patch;
    r.actuator[0].command = LITHE_DISPLACEMENT;
    r.actuator[0].value[0] = 0.002;
    find_tip(&r, tip);
    const double *x = lithe_position(r.state);
    for (int n = 0; n < 150; n++)
        vec_axpy(mean, 1.0 / 150, &x[3 * bar_node(&r.shape, n % 5, n / 5 % 5, 5 + n / 25)]);
    double before[3] = {0.02, 0, 0.15 - 0.075}, now[3];
    vec_sub(now, (double[]){0.02, 0, 0.15}, mean);
    assert_true(fabs(vec_norm(before) - vec_norm(now) - 0.002) < 1e-10);
    robot_end(&r);
}

static void refuse(robot *r, const char *why)
{
    assert_int_equal(lithe_compile(&r->def, &r->model, &r->report), LITHE_INVALID);
    if (!strstr(r->report.error, why))
        fail_msg("%s", r->report.error);
}

static void what_nothing_can_pull_on_is_refused(void **unused)
{
    (void)unused;
    robot r;
    const lithe_selection all = {.kind = LITHE_ALL},
                          none = {.kind = LITHE_SPHERE, .a = {1}, .radius = 0.1};
    const lithe_selection *patch[2] = {NULL, &all};
    robot_begin(&r, false);
    add_piston(&r);
    r.point[0][0].body = r.point[0][1].body = NULL;
    refuse(&r, "all of its points are of the world");
    r.point[0][1].body = "bar";
    r.point[0][0].at[0] = INFINITY;
    refuse(&r, "a point is not a number");
    r.point[0][0].at[0] = 0;
    r.actuator[0].patch = patch;
    refuse(&r, "its patch has 275 nodes");
    patch[1] = &none;
    refuse(&r, "selects no node");
    patch[1] = &top;
    r.tip_point.body = NULL;
    refuse(&r, "a point of the world stays where it is");
    r.def.neffector = 0;
    robot_compile(&r);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cable_is_pulled_by_what_its_end_rides_on),
        cmocka_unit_test(a_piston_on_what_is_held_is_one_to_the_world),
        cmocka_unit_test(a_patch_takes_its_force_by_area),
        cmocka_unit_test(a_short_cable_on_a_patch_converges),
        cmocka_unit_test(a_patch_may_have_many_nodes),
        cmocka_unit_test(what_nothing_can_pull_on_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
