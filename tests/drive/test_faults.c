// What is wrong with a plant is wrong as it is said, and nothing else.
#include "drive/clock_offset.h"
#include "drive/faults.h"
#include "drive/feedback.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const lithe_plant_actuator_def NOTHING = {.rate = INFINITY};

static faulty_actuator make(const lithe_plant_actuator_def *def)
{
    faulty_actuator f = {.def = def};
    faulty_actuator_reset(&f, 0);
    return f;
}

static void an_actuator_without_faults_does_what_it_is_told(void **state)
{
    (void)state;
    faulty_actuator f = make(&NOTHING), none = make(NULL);
    assert_true(faulty_actuator_step(&f, 3.25, 0.01) == 3.25);
    assert_true(faulty_actuator_step(&none, 3.25, 0.01) == 3.25);
}

static void a_lag_is_an_exponential_whatever_the_step(void **state)
{
    (void)state;
    lithe_plant_actuator_def def = {.lag = 0.15, .rate = INFINITY};
    for (int n = 1; n <= 1000; n *= 10) {
        faulty_actuator f = make(&def);
        for (int k = 0; k < n; k++)
            faulty_actuator_step(&f, 1, 0.3 / n);
        assert_true(fabs(f.output - (1 - exp(-2))) < 1e-12);
    }
}

static void a_rate_limits_change_in_a_second(void **state)
{
    (void)state;
    lithe_plant_actuator_def def = {.rate = 2};
    faulty_actuator f = make(&def);
    for (int k = 0; k < 10; k++)
        faulty_actuator_step(&f, 1, 0.03);
    assert_true(fabs(f.output - 0.6) < 1e-12);
}

static void small_changes_are_lost_in_a_dead_band(void **state)
{
    (void)state;
    lithe_plant_actuator_def def = {.rate = INFINITY, .dead_band = 0.5};
    faulty_actuator f = make(&def);
    assert_true(faulty_actuator_step(&f, 0.4, 0.01) == 0);
    assert_true(faulty_actuator_step(&f, 0.6, 0.01) == 0.6);
    assert_true(faulty_actuator_step(&f, 0.2, 0.01) == 0.6);
}

// Once round and back, play leaves a loop as wide as it is.
static void backlash_is_a_loop_of_its_width(void **state)
{
    (void)state;
    lithe_plant_actuator_def def = {.rate = INFINITY, .backlash = 0.3};
    faulty_actuator f = make(&def);
    double up = faulty_actuator_step(&f, 1, 0.01);
    faulty_actuator_step(&f, 2, 0.01);
    double down = faulty_actuator_step(&f, 1, 0.01);
    assert_true(fabs(down - up - 0.3) < 1e-12 && fabs(up - 0.85) < 1e-12);
}

// Euler and Eytelwein: behind a guide there is exp(-mu theta) of what pulls, and exp(+mu theta) of
// what lets go.
static void friction_of_a_guide_is_that_of_a_capstan(void **state)
{
    (void)state;
    lithe_plant_actuator_def def = {.rate = INFINITY, .friction = 0.2, .wrap = 3.14159265358979};
    faulty_actuator f = make(&def);
    double factor = exp(0.2 * 3.14159265358979);
    assert_true(fabs(faulty_actuator_step(&f, 10, 0.01) - 10 / factor) < 1e-12);
    assert_true(fabs(faulty_actuator_step(&f, 9, 0.01) - 10 / factor) < 1e-12); // sticks
    assert_true(fabs(faulty_actuator_step(&f, 1, 0.01) - factor) < 1e-12);
}

static void noise_has_its_mean_its_spread_and_its_seed(void **state)
{
    (void)state;
    enum { N = 20000 };
    dice a = {7}, b = {7}, c = {8};
    double sum = 0, square = 0;
    int same = 0;
    for (int i = 0; i < N; i++) {
        double x = dice_normal(&a);
        sum += x;
        square += x * x;
        assert_true(x == dice_normal(&b));
        same += x == dice_normal(&c);
    }
    assert_true(fabs(sum / N) < 0.03 && fabs(square / N - 1) < 0.05 && same == 0);
}

static void readings_are_whole_multiples(void **state)
{
    (void)state;
    assert_true(fabs(faults_quantize(0.126, 0.05) - 0.15) < 1e-15);
    assert_true(faults_quantize(0.126, 0) == 0.126);
}

// Two clocks 5 s apart, a way there of 3 ms and one back of 1 ms: half of the difference is what
// nobody can know. A slower answer changes nothing.
static void the_shortest_way_tells_the_offset(void **state)
{
    (void)state;
    clock_offset c = {0};
    double trip;
    assert_true(isnan(clock_offset_get(&c, &trip)));
    clock_offset_add(&c, 1.000, 6.010, 6.020, 1.040);
    clock_offset_add(&c, 2.000, 7.003, 7.013, 2.014);
    clock_offset_add(&c, 3.000, 8.030, 8.031, 3.060);
    assert_true(fabs(clock_offset_get(&c, &trip) - 5.001) < 1e-9 && fabs(trip - 0.004) < 1e-9);
    clock_offset_add(&c, 4.000, 0.003, 0.004, 4.005); // started again
    assert_true(fabs(clock_offset_get(&c, NULL) + 3.999) < 1e-2);
    clock_offset_add(&c, NAN, 0, 0, 0);
    assert_true(isfinite(clock_offset_get(&c, NULL)));
}

static feedback_axis axis(double kp, double ki, double kd, double windup)
{
    lithe_feedback_def def = {
        .kp = {kp, 0, 0}, .ki = {ki, 0, 0}, .kd = {kd, 0, 0}, .windup = windup};
    return feedback_create(&def, 0);
}

static void feedback_is_the_sum_of_its_three_parts(void **state)
{
    (void)state;
    feedback_axis f = axis(0.5, 2, 0.1, INFINITY);
    assert_true(fabs(feedback_correct(&f, 1, 0, 0.1) - (0.5 + 2 * 0.1)) < 1e-12);
    assert_true(fabs(feedback_correct(&f, 2, 0, 0.1) - (1 + 2 * 0.3 + 0.1 * 10)) < 1e-12);
    assert_true(fabs(feedback_correct(&f, NAN, 0, 0.1) - 2 * 0.3) < 1e-12);
}

static void an_integral_does_not_wind_up(void **state)
{
    (void)state;
    feedback_axis f = axis(0, 1, 0, 0.25), held = axis(0, 1, 0, INFINITY);
    for (int k = 0; k < 100; k++) {
        feedback_correct(&f, 1, 0, 0.1);
        feedback_correct(&held, 1, 0.5, 0.1); // what is asked for is out of reach
    }
    assert_true(fabs(f.integral - 0.25) < 1e-12 && held.integral == 0);
    feedback_correct(&held, -1, 0.5, 0.1); // … but it may come back
    assert_true(held.integral < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_actuator_without_faults_does_what_it_is_told),
        cmocka_unit_test(a_lag_is_an_exponential_whatever_the_step),
        cmocka_unit_test(a_rate_limits_change_in_a_second),
        cmocka_unit_test(small_changes_are_lost_in_a_dead_band),
        cmocka_unit_test(backlash_is_a_loop_of_its_width),
        cmocka_unit_test(friction_of_a_guide_is_that_of_a_capstan),
        cmocka_unit_test(noise_has_its_mean_its_spread_and_its_seed),
        cmocka_unit_test(readings_are_whole_multiples),
        cmocka_unit_test(the_shortest_way_tells_the_offset),
        cmocka_unit_test(feedback_is_the_sum_of_its_three_parts),
        cmocka_unit_test(an_integral_does_not_wind_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
