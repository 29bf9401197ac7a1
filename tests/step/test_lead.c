// Fixes whose displacement goes on in time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

enum { STEPS = 30 };

static const lithe_selection head = {.kind = LITHE_PLANE, .a = {0, 0, 0.1}, .b = {0, 0, 1}};
static const double way[2][3] = {{0.01, 0, -0.004}, {0.01, 0.006, 0}};
static const double times[2] = {0.1, 0.2};

static void begin(robot *r, bool motion)
{
    robot_begin(r, false);
    robot_coarsen(r);
    r->def.step.dt = 0.01;
    r->def.dynamics.scheme = motion ? LITHE_ALPHA : LITHE_STATIC;
}

static void hold_head(robot *r)
{
    r->fix[1] = lithe_fix_def_default();
    r->fix[1].where = head;
    r->body.nfix = 2;
}

static void lead_head(robot *r)
{
    hold_head(r);
    r->fix[1].nwaypoint = 2;
    r->fix[1].waypoint = way[0];
    r->fix[1].waypoint_time = times;
}

// Where its nodes are after every step.
static void run(robot *r, double (*x)[3000])
{
    robot_compile(r);
    for (int k = 0; k < STEPS; k++) {
        assert_int_equal(lithe_play(r->model, r->state, 0.01 * (k + 1)), LITHE_OK);
        if (lithe_step(r->model, r->state) != LITHE_OK)
            fail_msg("%s", lithe_state_error(r->state));
        memcpy(x[k], lithe_position(r->state), 3 * (size_t)r->shape.nnode * sizeof(double));
    }
}

static double (*shapes(void))[3000]
{
    double(*x)[3000] = calloc(STEPS, sizeof *x);
    assert_non_null(x);
    return x;
}

static void same(double (*a)[3000], double (*b)[3000], double tolerance)
{
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < 3000; i++)
            if (!(fabs(a[k][i] - b[k][i]) < tolerance))
                fail_msg("step %d: %.12g is not %.12g", k, a[k][i], b[k][i]);
}

// Straight to the first waypoint, at rest and in motion, as sliders go there.
static void nodes_go_where_sliders_would_take_them(void **unused)
{
    (void)unused;
    double(*led)[3000] = shapes(), (*slid)[3000] = shapes();
    for (int motion = 0; motion < 2; motion++) {
        robot r;
        begin(&r, motion);
        lead_head(&r);
        r.fix[1].nwaypoint = 1;
        run(&r, led);
        const double *x = lithe_position(r.state), *X = lithe_rest(r.model);
        int top = bar_node(&r.shape, 1, 1, 5);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(x[3 * top + i] - X[3 * top + i] - way[0][i]) < 1e-12);
        robot_end(&r);

        begin(&r, motion);
        double far = sqrt(way[0][0] * way[0][0] + way[0][2] * way[0][2]);
        r.actuator[0] = lithe_actuator_def_default(LITHE_SLIDER);
        r.actuator[0].name = "slider";
        r.actuator[0].body = "bar";
        r.actuator[0].where = head;
        r.actuator[0].has_direction = true;
        memcpy(r.actuator[0].direction, way[0], sizeof way[0]);
        r.actuator[0].nwaypoint = 1;
        r.actuator[0].waypoint = &far;
        r.actuator[0].waypoint_time = times;
        r.def.nactuator = 1;
        run(&r, slid);
        robot_end(&r);
        same(led, slid, 1e-10);
    }
    free(led);
    free(slid);
}

// A rigid part is led as its nodes would be that hold still against each other.
static void a_rigid_part_is_led_as_a_whole(void **unused)
{
    (void)unused;
    double(*nodes)[3000] = shapes(), (*part)[3000] = shapes();
    lithe_rigid_def horn = lithe_rigid_def_default();
    horn.name = "horn";
    horn.where = head;
    for (int motion = 0; motion < 2; motion++)
        for (int rigid = 0; rigid < 2; rigid++) {
            robot r;
            begin(&r, motion);
            lead_head(&r);
            r.body.nrigid = rigid;
            r.body.rigid = &horn;
            run(&r, rigid ? part : nodes);
            robot_end(&r);
            if (rigid)
                same(nodes, part, 1e-9);
        }
    free(nodes);
    free(part);
}

static void a_sine_is_about_the_displacement(void **unused)
{
    (void)unused;
    robot r;
    double(*x)[3000] = shapes();
    begin(&r, false);
    hold_head(&r);
    r.fix[1].displacement[1] = 0.002;
    r.fix[1].amplitude[1] = 0.003;
    r.fix[1].period = 0.2;
    r.fix[1].phase = 0.5;
    run(&r, x);
    int at = 3 * bar_node(&r.shape, 1, 1, 5) + 1;
    for (int k = 0; k < STEPS; k++) {
        double wanted = 0.002 + 0.003 * sin(2 * M_PI * 0.01 * (k + 1) / 0.2 + 0.5);
        assert_true(fabs(x[k][at] - lithe_rest(r.model)[at] - wanted) < 1e-12);
    }
    assert_true(fabs(lithe_play_duration(r.model) - 0.2) < 1e-15);
    robot_end(&r);
    free(x);
}

// What fixes have been led by is a part of the state.
static void a_saved_state_is_led_on(void **unused)
{
    (void)unused;
    robot r;
    double(*x)[3000] = shapes();
    begin(&r, true);
    lead_head(&r);
    run(&r, x);
    size_t bytes = lithe_state_size(r.model, r.state);
    void *kept = malloc(bytes);
    lithe_state_save(r.model, r.state, kept);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    double after = lithe_position(r.state)[3 * bar_node(&r.shape, 1, 1, 3)];
    lithe_state_reset(r.model, r.state);
    assert_int_equal(lithe_state_load(r.model, r.state, kept, bytes), LITHE_OK);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    assert_true(lithe_position(r.state)[3 * bar_node(&r.shape, 1, 1, 3)] == after);
    free(kept);
    robot_end(&r);
    free(x);
}

static void refuse(robot *r, const char *why)
{
    assert_int_equal(lithe_compile(&r->def, &r->model, &r->report), LITHE_INVALID);
    if (!strstr(r->report.error, why))
        fail_msg("%s", r->report.error);
}

static void what_cannot_be_led_is_refused(void **unused)
{
    (void)unused;
    robot r;
    double falling[2] = {0.2, 0.1};
    lithe_fix_def fix[3];
    lithe_rigid_def horn = lithe_rigid_def_default();
    begin(&r, false);
    lead_head(&r);
    r.fix[1].axes = LITHE_X;
    refuse(&r, "led along y");
    r.fix[1].axes = LITHE_XYZ;
    r.fix[1].waypoint_time = falling;
    refuse(&r, "must not fall");
    r.fix[1].waypoint_time = times;
    r.fix[1].period = NAN;
    refuse(&r, "the period of its sine");
    r.fix[1].period = 0;
    horn.name = "horn";
    horn.where = head;
    r.body.nrigid = 1;
    r.body.rigid = &horn;
    memcpy(fix, r.fix, sizeof r.fix);
    fix[2] = lithe_fix_def_default();
    fix[2].where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, 0.099}, .b = {-0.009, 1, 1}};
    r.body.fix = fix;
    r.body.nfix = 3;
    refuse(&r, "displace nodes of the rigid part 'horn' differently");
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_go_where_sliders_would_take_them),
        cmocka_unit_test(a_rigid_part_is_led_as_a_whole),
        cmocka_unit_test(a_sine_is_about_the_displacement),
        cmocka_unit_test(a_saved_state_is_led_on),
        cmocka_unit_test(what_cannot_be_led_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
