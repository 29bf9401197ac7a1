// Reduced robots that lean on a post, against whole ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "lithe/reduce.h"
#include "robot.h"

static lithe_obstacle_def post;

// A cable bends the bar to -x, where a post stands.
static void begin(robot *r, double poisson)
{
    robot_begin(r, false);
    r->material.poisson = poisson;
    add_cable(r, "left", -0.008);
    r->actuator[0].effort_limit[0] = 0;
    r->actuator[0].effort_limit[1] = 1;
    r->actuator[0].command = LITHE_EFFORT;
    post = lithe_obstacle_def_default(LITHE_OBSTACLE_CYLINDER);
    post.name = "post";
    memcpy(post.at, (double[]){-0.017, -0.05, 0.06}, sizeof post.at);
    memcpy(post.to, (double[]){-0.017, 0.05, 0.06}, sizeof post.to);
    post.radius = 0.005;
    r->def.nobstacle = 1;
    r->def.obstacle = &post;
}

// The whole contact force, of what nothing overlaps and only pushes.
static double lean(robot *r, double tension)
{
    double force[3] = {0};
    command(r, 0, LITHE_EFFORT, tension);
    lithe_status status = lithe_step(r->model, r->state);
    if (status != LITHE_OK)
        print_error("%s\n", lithe_state_error(r->state));
    assert_int_equal(status, LITHE_OK);
    for (int k = 0; k < lithe_ncontact(r->state); k++) {
        lithe_contact c;
        assert_int_equal(lithe_contact_get(r->model, r->state, k, &c), LITHE_OK);
        assert_true(c.gap > -1e-9 && c.force >= 0);
        vec_axpy(force, c.force, c.normal);
    }
    assert_true(lithe_last_overlap(r->model, r->state).depth < 1e-8);
    return vec_norm(force);
}

// Whole and reduced come to the same force on the post, and the same tip.
static void check_leaning(robot *whole, robot *few, double share)
{
    double force[2] = {0}, tip[2][3];
    robot_compile(whole);
    robot_compile(few);
    for (int k = 1; k < 5; k++) {
        force[0] = lean(whole, 0.2 * k);
        force[1] = lean(few, 0.2 * k);
    }
    assert_true(force[0] > 0.01);
    assert_true(fabs(force[1] - force[0]) < share * force[0]);
    lithe_effector_value(whole->model, whole->state, 0, tip[0]);
    lithe_effector_value(few->model, few->state, 0, tip[1]);
    assert_true(vec_distance(tip[0], tip[1]) < share * vec_distance(tip[0], whole->tip_point.at));
    robot_end(whole);
    robot_end(few);
}

static void by_modes_the_post_is_pushed_as_by_the_whole_robot(void **unused)
{
    (void)unused;
    robot whole, few;
    lithe_reduction *made = NULL;
    lithe_report report = lithe_report_default();
    lithe_reduce_def how = lithe_reduce_def_default();
    how.tolerance = 5e-5;
    how.nsample = 8;
    begin(&whole, 0.4);
    begin(&few, 0.4);
    lithe_status status = lithe_reduce(&few.def, &how, &made, &report);
    if (status != LITHE_OK)
        print_error("%s\n", report.error);
    assert_int_equal(status, LITHE_OK);
    assert_true(lithe_reduction_get(made).nelement < lithe_reduction_get(made).nelement_whole / 2);
    few.def.reduction.given = made;
    check_leaning(&whole, &few, 0.02);
    lithe_reduction_free(made);
}

static void and_as_a_beam(void **unused)
{
    (void)unused;
    robot whole, few;
    begin(&whole, 0);
    begin(&few, 0);
    few.def.reduction.beam = true;
    few.def.reduction.nframe = 11;
    check_leaning(&whole, &few, 0.05);
}

static double tips_apart(const robot *a, const robot *b)
{
    double tip[2][3];
    lithe_effector_value(a->model, a->state, 0, tip[0]);
    lithe_effector_value(b->model, b->state, 0, tip[1]);
    return vec_distance(tip[0], tip[1]);
}

// Sections that are rigid make it too stiff, as one sees by its estimate.
static void begin_stiff(robot *r, double friction)
{
    begin(r, 0.3);
    post.friction = friction;
    r->def.reduction.beam = true;
    r->def.reduction.nframe = 11;
}

static void the_error_is_known_in_contact(void **unused)
{
    (void)unused;
    for (int rough = 0; rough < 2; rough++) {
        robot whole, few;
        begin_stiff(&whole, 0.3 * rough);
        whole.def.reduction.beam = false;
        robot_compile(&whole);
        begin_stiff(&few, 0.3 * rough);
        robot_compile(&few);
        for (int k = 1; k < 5; k++) {
            double estimate, force = lean(&whole, 0.2 * k), before[3], after[3];
            lean(&few, 0.2 * k);
            double error = tips_apart(&whole, &few);
            lithe_effector_value(few.model, few.state, 0, before);
            assert_int_equal(lithe_estimate_reduction(few.model, few.state, &estimate), LITHE_OK);
            lithe_effector_value(few.model, few.state, 0, after);
            assert_true(estimate > (rough ? 0.7 : 1) * error && estimate < 1.5 * error);
            assert_memory_equal(before, after, sizeof before);
            assert_true(k < 3 || force > 0.01);
        }
        robot_end(&whole);
        robot_end(&few);
    }
}

static void beyond_the_tolerance_the_whole_robot_leans_on(void **unused)
{
    (void)unused;
    robot whole, few;
    begin_stiff(&whole, 0);
    whole.def.reduction.beam = false;
    robot_compile(&whole);
    begin_stiff(&few, 0);
    few.def.reduction.beyond_full = true;
    few.def.reduction.every = 1;
    few.def.reduction.tolerance = 5e-4;
    robot_compile(&few);
    bool went_on = false;
    for (int k = 1; k < 5; k++) {
        double force[2] = {lean(&whole, 0.2 * k), lean(&few, 0.2 * k)};
        lithe_reduction_error last = lithe_last_reduction(few.state);
        assert_true(last.whole || last.estimate <= 5e-4);
        assert_true(!last.whole || fabs(force[0] - force[1]) < 1e-3 * force[0] + 1e-9);
        assert_true(tips_apart(&whole, &few) < (last.whole ? 1e-6 : 5e-4));
        went_on = last.whole;
    }
    assert_true(went_on);
    robot_end(&whole);
    robot_end(&few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_modes_the_post_is_pushed_as_by_the_whole_robot),
        cmocka_unit_test(and_as_a_beam),
        cmocka_unit_test(the_error_is_known_in_contact),
        cmocka_unit_test(beyond_the_tolerance_the_whole_robot_leans_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
