// What ends a step does not trust what made it: with a detection that is blind, everything goes
// through everything, forces are in balance, and the step is refused all the same.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "robot.h"

static const double radius = 0.008, at[2] = {0.022, 0.07}; // of the post, x and z

// A bar that a cable bends into a post along y, of which detection knows nothing.
static void begin_blind(robot *r, lithe_mode mode, bool blind)
{
    static lithe_obstacle_def post;
    post = lithe_obstacle_def_default(LITHE_OBSTACLE_CYLINDER);
    post.name = "post";
    memcpy(post.at, (double[]){at[0], -0.05, at[1]}, sizeof post.at);
    memcpy(post.to, (double[]){at[0], 0.05, at[1]}, sizeof post.to);
    post.radius = radius;
    robot_begin(r, false);
    add_cable(r, "east", 0.008);
    r->def.obstacle = &post;
    r->def.nobstacle = 1;
    r->def.step.mode = mode;
    robot_compile(r);
    if (blind)
        r->model->contact.world.nmatch = 0;
    command(r, 0, LITHE_DISPLACEMENT, 0.01);
}

// Of nodes alone, by the formula of its distance.
static double depth_of_nodes(const robot *r)
{
    double depth = 0;
    for (int i = 0; i < r->shape.nnode; i++) {
        const double *x = &lithe_position(r->state)[3 * i];
        depth = fmax(depth, radius - hypot(x[0] - at[0], x[2] - at[1]));
    }
    return depth;
}

static void a_converged_step_that_overlaps_is_refused(void **unused)
{
    (void)unused;
    for (int blind = 0; blind < 2; blind++) {
        robot r;
        begin_blind(&r, LITHE_CONVERGED, blind);
        lithe_status status = lithe_step(r.model, r.state);
        lithe_overlap found = lithe_last_overlap(r.model, r.state);
        assert_true(found.allowed == 1e-6 * r.model->size);
        if (blind) {
            assert_int_equal(status, LITHE_NOT_CONVERGED);
            assert_true(lithe_last_residual(r.state).force < 1e-9);
            assert_true(found.depth > 1e-3 && found.depth >= depth_of_nodes(&r) - 1e-9);
            assert_non_null(strstr(lithe_state_error(r.state), "'bar' and 'post' overlap by"));
        } else {
            assert_int_equal(status, LITHE_OK);
            assert_true(found.depth <= found.allowed && depth_of_nodes(&r) < 1e-9);
        }
        robot_end(&r);
    }
}

static void the_inverse_proves_nothing_where_surfaces_overlap(void **unused)
{
    (void)unused;
    robot r;
    double tip[3];
    begin_blind(&r, LITHE_CONVERGED, true);
    lithe_step(r.model, r.state);
    lithe_effector_value(r.model, r.state, 0, tip);
    lithe_state_reset(r.model, r.state);
    lithe_target_effector(r.model, r.state, 0, tip, false);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_NOT_CONVERGED);
    assert_non_null(strstr(lithe_state_error(r.state), "overlap by"));
    assert_null(lithe_last_contact_search(r.state).proof);
    robot_end(&r);
}

static void a_realtime_step_tells_its_true_depth(void **unused)
{
    (void)unused;
    robot r;
    begin_blind(&r, LITHE_REALTIME, true);
    for (int k = 0; k < 5; k++)
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    lithe_overlap found = lithe_last_overlap(r.model, r.state);
    assert_true(found.depth > found.allowed && found.depth >= depth_of_nodes(&r) - 1e-9);
    assert_true(found.depth < depth_of_nodes(&r) + 2e-3); // faces bulge between nodes
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_converged_step_that_overlaps_is_refused),
        cmocka_unit_test(the_inverse_proves_nothing_where_surfaces_overlap),
        cmocka_unit_test(a_realtime_step_tells_its_true_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
