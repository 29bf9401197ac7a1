// Loads and friction that change while running: the same as if they had been defined so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "robot.h"

#include <stdlib.h>

// A bar that is pushed aside at its top and pushed on one side.
static void begin_with(robot *r, lithe_mode mode, const double push[3], double pressure)
{
    robot_begin(r, false);
    r->def.step.mode = mode;
    r->def.step.iterations = 3;
    r->def.step.factor_age = mode == LITHE_ASYNCHRONOUS ? 2 : 0;
    add_cable(r, "cable", 0.008);
    r->def.nload = 2;
    for (int k = 0; k < 2; k++) {
        r->load[k] = lithe_load_def_default();
        r->load[k].body = "bar";
        r->load[k].surface = "top";
    }
    r->load[0].name = "push";
    r->load[0].kind = LITHE_TRACTION;
    r->load[0].total = true;
    memcpy(r->load[0].value, push, sizeof r->load[0].value);
    r->load[1].name = "wind";
    r->load[1].kind = LITHE_PRESSURE;
    r->load[1].pressure = pressure;
    robot_compile(r);
}

static void begin(robot *r, lithe_mode mode, double push, double pressure)
{
    begin_with(r, mode, (double[]){push, 0, 0}, pressure);
}

static void steps(robot *r, int n)
{
    for (int k = 0; k < n; k++)
        assert_int_equal(lithe_step(r->model, r->state), LITHE_OK);
}

static double difference(const robot *a, const robot *b)
{
    const double *x = lithe_position(a->state), *y = lithe_position(b->state);
    double worst = 0;
    for (int i = 0; i < a->model->nposition; i++)
        worst = fmax(worst, vec_distance(&x[3 * i], &y[3 * i]));
    return worst / a->model->size;
}

static void a_load_that_is_scaled_is_the_load_defined_so(void **unused)
{
    (void)unused;
    for (lithe_mode mode = LITHE_CONVERGED; mode <= LITHE_ASYNCHRONOUS; mode++) {
        robot r, defined;
        int n = mode == LITHE_CONVERGED ? 1 : 40;
        begin(&r, mode, 0.05, 300);
        begin(&defined, mode, -0.02, 600);
        steps(&r, n);
        steps(&defined, n);
        assert_true(difference(&r, &defined) > 1e-3);
        int push = lithe_find_load(r.model, "push"), wind = lithe_find_load(r.model, "wind");
        assert_int_equal(lithe_nload(r.model), 2);
        assert_string_equal(lithe_load_name(r.model, wind), "wind");
        assert_int_equal(lithe_scale_load(r.model, r.state, push, -0.4), LITHE_OK);
        assert_int_equal(lithe_scale_load(r.model, r.state, wind, 2), LITHE_OK);
        assert_true(lithe_load_scale(r.model, r.state, push) == -0.4);
        steps(&r, n);
        assert_true(difference(&r, &defined) < 1e-8);
        lithe_state_reset(r.model, r.state);
        assert_true(lithe_load_scale(r.model, r.state, push) == 1);
        robot_end(&r);
        robot_end(&defined);
    }
}

// Another direction, which no factor makes; and a factor besides.
static void a_load_that_is_set_is_the_load_defined_so(void **unused)
{
    (void)unused;
    const double push[3] = {-0.02, 0.015, 0.01}, twice[3] = {-0.04, 0.03, 0.02}, wind = 700;
    for (lithe_mode mode = LITHE_CONVERGED; mode <= LITHE_ASYNCHRONOUS; mode++) {
        robot r, defined;
        double value[3] = {NAN, NAN, NAN};
        int n = mode == LITHE_CONVERGED ? 1 : 40;
        begin(&r, mode, 0.05, 300);
        begin_with(&defined, mode, push, wind);
        assert_int_equal(lithe_load_value(r.model, r.state, 0, value), 3);
        assert_true(value[0] == 0.05 && value[1] == 0 && value[2] == 0);
        assert_int_equal(lithe_load_value(r.model, r.state, 1, value), 1);
        assert_true(value[0] == 300);
        assert_int_equal(lithe_load_value(r.model, r.state, 2, value), 0);
        steps(&r, n);
        steps(&defined, n);
        assert_true(difference(&r, &defined) > 1e-3);
        assert_int_equal(lithe_set_load(r.model, r.state, 0, twice), LITHE_OK);
        assert_int_equal(lithe_scale_load(r.model, r.state, 0, 0.5), LITHE_OK);
        assert_int_equal(lithe_set_load(r.model, r.state, 1, &wind), LITHE_OK);
        assert_int_equal(lithe_load_value(r.model, r.state, 0, value), 3);
        assert_memory_equal(value, twice, sizeof value);
        steps(&r, n);
        assert_true(difference(&r, &defined) < 1e-8);
        lithe_energy a = lithe_last_energy(r.model, r.state),
                     b = lithe_last_energy(defined.model, defined.state);
        assert_true(fabs(a.potential - b.potential) < 1e-6 * fabs(b.potential));
        lithe_state_reset(r.model, r.state);
        lithe_load_value(r.model, r.state, 0, value);
        assert_true(value[0] == 0.05 && value[1] == 0);
        robot_end(&r);
        robot_end(&defined);
    }
}

static void what_was_set_is_saved(void **unused)
{
    (void)unused;
    robot r;
    begin(&r, LITHE_CONVERGED, 0.05, 300);
    steps(&r, 1);
    const double push[3] = {0.01, -0.03, 0.02};
    double value[3] = {0};
    lithe_scale_load(r.model, r.state, 0, 0.3);
    lithe_set_load(r.model, r.state, 0, push);
    size_t bytes = lithe_state_size(r.model, r.state), n = 3 * (size_t)r.model->nnode;
    void *saved = malloc(bytes);
    double *x = malloc(n * sizeof *x);
    lithe_state_save(r.model, r.state, saved);
    steps(&r, 1);
    memcpy(x, r.state->now.x, n * sizeof *x);
    lithe_state_reset(r.model, r.state);
    assert_int_equal(lithe_state_load(r.model, r.state, saved, bytes), LITHE_OK);
    assert_true(lithe_load_scale(r.model, r.state, 0) == 0.3);
    assert_int_equal(lithe_load_value(r.model, r.state, 0, value), 3);
    assert_memory_equal(value, push, sizeof value);
    steps(&r, 1);
    assert_memory_equal(r.state->now.x, x, n * sizeof *x);
    free(saved);
    free(x);
    robot_end(&r);
}

// A block that slides over a floor.
static void begin_block(robot *r, lithe_obstacle_def *floor, double friction)
{
    robot_begin(r, false);
    robot_reshape(r,
                  bar_make(2, 2, 2, (double[]){-0.01, -0.01, 1e-4}, (double[]){0.01, 0.01, 0.02}));
    r->body.nfix = r->body.nsurface = 0;
    r->tip_point = (lithe_point_def){"bar", {0, 0, 0.01}};
    *floor = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
    floor->name = "floor";
    floor->friction = friction;
    r->def.obstacle = floor;
    r->def.nobstacle = 1;
    r->def.step.dt = 2e-3;
    r->def.dynamics.scheme = LITHE_EULER;
    r->def.gravity[0] = 3;
    r->def.gravity[2] = -9.81;
    robot_compile(r);
}

static void friction_that_is_set_is_friction_defined_so(void **unused)
{
    (void)unused;
    robot r, defined;
    lithe_obstacle_def floor[2];
    begin_block(&r, &floor[0], 0);
    begin_block(&defined, &floor[1], 0.2);
    int pair = lithe_find_pair(r.model, "bar", "floor");
    assert_true(lithe_friction(r.model, r.state, pair) == 0);
    assert_int_equal(lithe_set_friction(r.model, r.state, pair, 0.2), LITHE_OK);
    assert_true(lithe_friction(r.model, r.state, pair) == 0.2);
    steps(&r, 30);
    steps(&defined, 30);
    assert_true(difference(&r, &defined) < 1e-12);
    lithe_set_friction(r.model, r.state, pair, 0);
    steps(&r, 30);
    steps(&defined, 30);
    assert_true(difference(&r, &defined) > 1e-3); // one slides on, the other is slower
    robot_end(&r);
    robot_end(&defined);
}

static void refused(const robot *r, lithe_status status, const char *why)
{
    assert_int_equal(status, LITHE_INVALID);
    if (!strstr(lithe_state_error(r->state), why))
        print_error("%s\n", lithe_state_error(r->state));
    assert_non_null(strstr(lithe_state_error(r->state), why));
}

static void what_is_out_of_range_is_refused(void **unused)
{
    (void)unused;
    robot r, block;
    lithe_obstacle_def floor;
    begin(&r, LITHE_CONVERGED, 0.05, 300);
    refused(&r, lithe_scale_load(r.model, r.state, 2, 1), "no load 2; there are 2");
    refused(&r, lithe_scale_load(r.model, r.state, 0, NAN), "load 'push'");
    refused(&r, lithe_scale_load(r.model, r.state, 0, 1e7), "outside [-1e+06, 1e+06]");
    refused(&r, lithe_set_load(r.model, r.state, -1, (double[]){0, 0, 0}), "no load -1");
    refused(&r, lithe_set_load(r.model, r.state, 0, (double[]){0, NAN, 0}), "component 1");
    refused(&r, lithe_set_load(r.model, r.state, 1, (double[]){INFINITY}), "load 'wind'");
    refused(&r, lithe_set_friction(r.model, r.state, 0, 0.1), "no pair 0");
    assert_int_equal(lithe_find_load(r.model, "rain"), -1);
    assert_null(lithe_load_name(r.model, 7));
    begin_block(&block, &floor, 0.1);
    refused(&block, lithe_set_friction(block.model, block.state, 0, -0.1), "outside [0, 10]");
    refused(&block, lithe_set_friction(block.model, block.state, 0, NAN), "'bar' and 'floor'");
    assert_true(lithe_friction(block.model, block.state, 0) == 0.1);
    robot_end(&r);
    robot_end(&block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_is_scaled_is_the_load_defined_so),
        cmocka_unit_test(a_load_that_is_set_is_the_load_defined_so),
        cmocka_unit_test(what_was_set_is_saved),
        cmocka_unit_test(friction_that_is_set_is_friction_defined_so),
        cmocka_unit_test(what_is_out_of_range_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
