// Realtime steps keep what they promise: surfaces overlap by no more than is stated, or the step
// says so.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "robot.h"
#include "sanitized.h"

static lithe_obstacle_def obstacle[2];

static void add_obstacle(robot *r, lithe_obstacle_def o)
{
    obstacle[r->def.nobstacle++] = o;
    r->def.obstacle = obstacle;
}

// A rod along y beside the bar, which it meets when the bar bends.
static lithe_obstacle_def post(void)
{
    lithe_obstacle_def o = lithe_obstacle_def_default(LITHE_OBSTACLE_CYLINDER);
    o.name = "post";
    memcpy(o.at, (double[]){0.022, -0.05, 0.07}, sizeof o.at);
    memcpy(o.to, (double[]){0.022, 0.05, 0.07}, sizeof o.to);
    o.radius = 0.008;
    return o;
}

static void bend_begin(robot *r, int iterations, double overlap)
{
    robot_begin(r, false);
    add_cable(r, "east", 0.008);
    add_obstacle(r, post());
    r->def.step.mode = LITHE_REALTIME;
    r->def.step.iterations = iterations;
    r->def.contacts.overlap = overlap;
    robot_compile(r);
}

// Nodes of the bar in the post, by the formula of its distance.
static double depth_in_post(const robot *r)
{
    double depth = 0;
    for (int i = 0; i < r->shape.nnode; i++) {
        const double *x = &lithe_position(r->state)[3 * i];
        depth = fmax(depth, 0.008 - hypot(x[0] - 0.022, x[2] - 0.07));
    }
    return depth;
}

// Pulled by so much a step; returns the passes beyond the usual ones.
static int pull(robot *r, double way, int steps, double *deepest)
{
    int passes = 0;
    *deepest = 0;
    for (int k = 1; k <= steps; k++) {
        command(r, 0, LITHE_DISPLACEMENT, k * way);
        assert_int_equal(lithe_step(r->model, r->state), LITHE_OK);
        lithe_overlap o = lithe_last_overlap(r->model, r->state);
        assert_true(o.depth == lithe_penetration(r->state));
        assert_true(o.depth >= depth_in_post(r) - 1e-9);
        assert_int_equal(o.pair, o.depth > 0 ? 0 : -1);
        *deepest = fmax(*deepest, o.depth);
        passes += o.passes;
    }
    return passes;
}

static void large_steps_stay_within_the_stated_overlap_by_more_passes(void **unused)
{
    (void)unused;
    robot r;
    double deepest;
    bend_begin(&r, 1, 0);
    assert_true(pull(&r, 0.004, 4, &deepest) > 0);
    lithe_overlap o = lithe_last_overlap(r.model, r.state);
    assert_true(o.allowed == 1e-3 * r.model->size);
    assert_true(deepest <= o.allowed && lithe_ncontact(r.state) > 0);
    robot_end(&r);
}

// A few more where it is in contact; nothing ever overlaps.
static void small_steps_take_few_more_passes(void **unused)
{
    (void)unused;
    robot r;
    double deepest;
    bend_begin(&r, 1, 0);
    assert_true(pull(&r, 0.0002, 40, &deepest) < 4 * 40);
    assert_true(deepest == 0);
    robot_end(&r);
}

static void the_scene_says_how_much_is_allowed(void **unused)
{
    (void)unused;
    robot r;
    double deepest;
    bend_begin(&r, 1, 1e-7);
    assert_true(pull(&r, 0.001, 8, &deepest) > 0);
    assert_true(lithe_last_overlap(r.model, r.state).allowed == 1e-7);
    assert_true(deepest <= 1e-7);
    robot_end(&r);
}

// Thin walls beside the upper half of the bar, from x = 0.03 on.
static lithe_obstacle_def thin_wall(bool post)
{
    lithe_obstacle_def o =
        lithe_obstacle_def_default(post ? LITHE_OBSTACLE_CAPSULE : LITHE_OBSTACLE_BOX);
    o.name = "wall";
    memcpy(o.at, (double[]){0.031, post ? -0.05 : 0, 0.085}, sizeof o.at);
    memcpy(o.to, (double[]){0.031, 0.05, 0.085}, sizeof o.to);
    memcpy(o.size, (double[]){0.002, 0.1, 0.06}, sizeof o.size);
    o.radius = 0.001;
    return o;
}

// Its foot is carried by 30 mm, 15 thicknesses, in one step; its tip stays behind.
static void a_slider_carries_nothing_through_a_wall(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 4; trial++) {
        robot r;
        robot_begin(&r, false);
        r.body.nfix = 0;
        r.def.nactuator = 1;
        r.actuator[0] = lithe_actuator_def_default(LITHE_SLIDER);
        r.actuator[0].name = "base";
        r.actuator[0].body = "bar";
        r.actuator[0].where = r.fix[0].where;
        memcpy(r.actuator[0].direction, (double[]){1, 0, 0}, sizeof r.actuator[0].direction);
        add_obstacle(&r, thin_wall(trial & 1));
        r.def.step.mode = trial & 2 ? LITHE_CONVERGED : LITHE_REALTIME;
        robot_compile(&r);
        for (int k = 0; k < 4; k++) {
            command(&r, 0, LITHE_DISPLACEMENT, 0.03);
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
            lithe_overlap o = lithe_last_overlap(r.model, r.state);
            const double *x = lithe_position(r.state);
            double tip = x[3 * bar_node(&r.shape, 4, 2, 10)];
            assert_true(o.depth <= o.allowed || !(trial & 1)); // its edge does not hold yet
            assert_true(o.depth < 5e-4);
            assert_true(tip < 0.03 + 1e-3 && (k < 3 || x[3 * bar_node(&r.shape, 4, 2, 0)] > 0.039));
        }
        robot_end(&r);
    }
}

static double farthest_from_rest(const robot *r)
{
    double most = 0;
    for (int i = 0; i < 3 * r->shape.nnode; i++)
        most = fmax(most, fabs(lithe_position(r->state)[i] - r->shape.x[i]));
    return most;
}

// 6 mm deep in the bar's side from the start, or put there by hand: it gives way on that side, by
// about as much.
static void a_robot_that_starts_inside_of_something_comes_out_by_the_short_way(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 8; trial += samples_of(1, 3)) {
        robot r;
        lithe_obstacle_def o =
            lithe_obstacle_def_default(trial & 1 ? LITHE_OBSTACLE_BOX : LITHE_OBSTACLE_SPHERE);
        o.name = "ball";
        o.radius = 0.01;
        memcpy(o.at, (double[]){trial & 4 ? 0.1 : 0.014, 0.0007, 0.08}, sizeof o.at);
        memcpy(o.size, (double[]){0.02, 0.02, 0.02}, sizeof o.size);
        robot_begin(&r, false);
        add_obstacle(&r, o);
        r.def.step.mode = trial & 2 ? LITHE_CONVERGED : LITHE_REALTIME;
        r.def.contacts.max = 256; // room for all points that are kept on the way out
        robot_compile(&r);
        if (trial & 4) {
            double way[3] = {0.014 - 0.1, 0, 0};
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
            assert_true(lithe_last_overlap(r.model, r.state).pair == -1);
            assert_int_equal(lithe_move_obstacle(r.model, r.state, 0, (double[3]){0}, way),
                             LITHE_OK);
        }
        int steps = trial & 2 ? 3 : 12; // those of the mode realtime take some to come to rest
        for (int k = 0; k < steps; k++) {
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
            lithe_overlap found = lithe_last_overlap(r.model, r.state);
            bool arrived = trial & 2 || k == steps - 1; // till then realtime tells what is left
            assert_true(!arrived || found.depth <= found.allowed);
            assert_true(farthest_from_rest(&r) < 0.02);
        }
        double tip[3], force[3];
        lithe_effector_value(r.model, r.state, 0, tip);
        lithe_pair_force(r.model, r.state, 0, force);
        assert_true(tip[0] < -0.004 && tip[0] > -0.02);
        assert_true(force[0] < -0.01 && fabs(force[1]) < 0.2 * fabs(force[0]));
        robot_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_steps_stay_within_the_stated_overlap_by_more_passes),
        cmocka_unit_test(small_steps_take_few_more_passes),
        cmocka_unit_test(the_scene_says_how_much_is_allowed),
        cmocka_unit_test(a_slider_carries_nothing_through_a_wall),
        cmocka_unit_test(a_robot_that_starts_inside_of_something_comes_out_by_the_short_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
