// Reduced robots in motion: what is said of their error, and the whole robot that goes on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/vec.h"
#include "lithe/reduce.h"
#include "robot.h"

// A bar with two cables in motion; rigid sections make it too stiff.
static void begin(robot *r, bool few, lithe_scheme scheme)
{
    robot_begin(r, false);
    r->material.poisson = 0.3;
    r->def.gravity[0] = -3;
    add_cable(r, "left", -0.008);
    add_cable_at(r, "right", 0.002, 0.008);
    for (int k = 0; k < 2; k++)
        r->actuator[k].command = LITHE_EFFORT;
    r->def.dynamics.scheme = scheme;
    r->def.dynamics.mass_damping = 4;
    r->def.dynamics.stiffness_damping = 0.01;
    r->def.step.dt = 0.01;
    r->def.reduction.beam = few;
    r->def.reduction.nframe = 9;
}

static void go(robot *r, double tension)
{
    command(r, 0, LITHE_EFFORT, tension);
    lithe_status status = lithe_step(r->model, r->state);
    if (status != LITHE_OK)
        print_error("%s\n", lithe_state_error(r->state));
    assert_int_equal(status, LITHE_OK);
}

static double tips_apart(const robot *a, const robot *b)
{
    double tip[2][3];
    lithe_effector_value(a->model, a->state, 0, tip[0]);
    lithe_effector_value(b->model, b->state, 0, tip[1]);
    return vec_distance(tip[0], tip[1]);
}

// The cable is pulled slowly enough for both to bend as they are loaded, inertia included.
static void the_error_is_known_in_motion(void **unused)
{
    (void)unused;
    for (int scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++) {
        robot whole, few;
        begin(&whole, false, (lithe_scheme)scheme);
        begin(&few, true, (lithe_scheme)scheme);
        robot_compile(&whole);
        robot_compile(&few);
        lithe_settle(whole.model, whole.state);
        lithe_settle(few.model, few.state);
        for (int k = 1; k <= 60; k++) {
            go(&whole, 0.01 * k);
            go(&few, 0.01 * k);
            if (k % 10 != 0)
                continue;
            double estimate, error = tips_apart(&whole, &few);
            assert_int_equal(lithe_estimate_reduction(few.model, few.state, &estimate), LITHE_OK);
            assert_true(estimate > 0.5 * error && estimate < 3 * error);
        }
        robot_end(&whole);
        robot_end(&few);
    }
}

// Of a robot that is at rest, the estimate in motion is that of statics.
static void at_rest_it_is_that_of_statics(void **unused)
{
    (void)unused;
    robot still, moving;
    double estimate[2];
    begin(&still, true, LITHE_STATIC);
    begin(&moving, true, LITHE_EULER);
    robot_compile(&still);
    robot_compile(&moving);
    command(&moving, 0, LITHE_EFFORT, 0.3);
    assert_int_equal(lithe_settle(moving.model, moving.state), LITHE_OK);
    go(&still, 0.3);
    for (int k = 0; k < 2; k++)
        go(&moving, 0.3);
    lithe_estimate_reduction(still.model, still.state, &estimate[0]);
    lithe_estimate_reduction(moving.model, moving.state, &estimate[1]);
    assert_true(estimate[0] > 1e-4 && fabs(estimate[1] - estimate[0]) < 1e-3 * estimate[0]);
    robot_end(&still);
    robot_end(&moving);
}

static long asked;

static void *counting(size_t bytes)
{
    asked++;
    return malloc(bytes);
}

// The whole robot goes on with the reduced one's velocities, allocates nothing, and from what was
// saved with the same bits.
static void beyond_the_tolerance_the_whole_robot_moves_on(void **unused)
{
    (void)unused;
    robot few, whole;
    double tip[2][3];
    begin(&few, true, LITHE_ALPHA);
    few.def.reduction.every = 5;
    few.def.reduction.beyond_full = true;
    few.def.reduction.tolerance = 2e-4;
    robot_compile(&few);
    size_t bytes = lithe_state_size(few.model, few.state);
    void *saved = malloc(bytes);
    double *velocity[2], most = 0;
    for (int i = 0; i < 2; i++)
        velocity[i] = calloc(3 * (size_t)lithe_nnode(few.model), sizeof **velocity);
    bool before = false;
    asked = 0;
    lithe_set_allocator(counting, free);
    for (int k = 1; k <= 60; k++) {
        go(&few, 0.01 * k);
        lithe_velocity(few.model, few.state, velocity[k % 2]);
        bool now = lithe_last_reduction(few.state).whole;
        for (int i = 0; i < 3 * lithe_nnode(few.model) && before != now; i++)
            most = fmax(most, fabs(velocity[0][i] - velocity[1][i]));
        assert_true(now || k < 60);
        before = now;
        if (k == 40)
            lithe_state_save(few.model, few.state, saved);
    }
    lithe_set_allocator(NULL, NULL);
    assert_int_equal(asked, 0);
    assert_true(most > 0 && most < 0.05); // m/s: no jump where it takes over
    lithe_effector_value(few.model, few.state, 0, tip[0]);
    assert_int_equal(lithe_state_load(few.model, few.state, saved, bytes), LITHE_OK);
    for (int k = 41; k <= 60; k++)
        go(&few, 0.01 * k);
    lithe_effector_value(few.model, few.state, 0, tip[1]);
    assert_memory_equal(tip[0], tip[1], sizeof tip[0]);
    begin(&whole, false, LITHE_ALPHA);
    robot_compile(&whole);
    for (int k = 1; k <= 160; k++) {
        go(&whole, fmin(0.01 * k, 0.6));
        if (k > 60)
            go(&few, 0.6);
    }
    assert_true(tips_apart(&whole, &few) < 2e-5); // what was off has been damped away
    free(saved);
    free(velocity[0]);
    free(velocity[1]);
    robot_end(&few);
    robot_end(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_is_known_in_motion),
        cmocka_unit_test(at_rest_it_is_that_of_statics),
        cmocka_unit_test(beyond_the_tolerance_the_whole_robot_moves_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
