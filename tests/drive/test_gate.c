// The gate: whatever it is asked for, what leaves is within its limits.
#include "lithe/drive.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const lithe_gate_output PLAIN = {.limit = {0, 10}, .rate = INFINITY, .safe = 1};
static const lithe_gate_output RAMPED = {.limit = {-2, 3}, .rate = 5, .ramp = 0.2, .safe = 0.5};
enum { PERIODS = 4000 };
#define DT 0.01

static lithe_gate *make(lithe_gate_output output)
{
    lithe_gate *g = NULL;
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_gate_create(1, &output, DT, 0.05, 0.2, &g, &report), LITHE_OK);
    return g;
}

static lithe_gate *make_started(lithe_gate_output output, double at)
{
    lithe_gate *g = make(output);
    assert_int_equal(lithe_gate_start(g, 0, &at, NULL), LITHE_OK);
    return g;
}

// One pass with a fresh reading before it.
static double ask(lithe_gate *g, double now, double wanted)
{
    double sent = NAN;
    lithe_gate_hear(g, now);
    lithe_gate_pass(g, now, &wanted, &sent);
    return sent;
}

static void nothing_leaves_before_a_state_was_measured(void **state)
{
    (void)state;
    lithe_gate *g = make(PLAIN);
    double wanted = 5, sent = NAN, nowhere = NAN, far = 11;
    assert_int_equal(lithe_gate_pass(g, 1, &wanted, &sent), LITHE_GATE_CLOSED);
    assert_true(isnan(sent));
    assert_int_equal(lithe_gate_start(g, 1, &nowhere, NULL), LITHE_INVALID);
    assert_int_equal(lithe_gate_start(g, 1, &far, NULL), LITHE_INVALID);
    lithe_gate_stop(g, "key");
    assert_int_equal(lithe_gate_pass(g, 1.1, &wanted, &sent), LITHE_GATE_STOP);
    assert_true(isnan(sent) && !lithe_gate_started(g));
    lithe_gate_free(g);
}

static void it_starts_where_the_output_is(void **state)
{
    (void)state;
    lithe_gate *g = make_started(RAMPED, -1);
    double moved = ask(g, DT, 3) + 1;
    assert_true(moved > 0 && moved <= RAMPED.rate / RAMPED.ramp * DT * DT * (1 + 1e-12));
    lithe_gate_free(g);
}

static void limits_hold_exactly(void **state)
{
    (void)state;
    lithe_gate *g = make_started(PLAIN, 5);
    assert_true(ask(g, 1 * DT, 1e300) == 10);
    assert_true(ask(g, 2 * DT, -1e300) == 0);
    assert_true(ask(g, 3 * DT, 7.3) == 7.3);
    assert_true(ask(g, 4 * DT, INFINITY) == 7.3); // no number: stays
    lithe_gate_free(g);
}

static void what_is_no_number_never_leaves(void **state)
{
    (void)state;
    lithe_gate *g = make_started(RAMPED, 0);
    for (int k = 1; k < 100; k++)
        assert_true(isfinite(ask(g, k * DT, k % 3 ? 3 : NAN)));
    assert_int_equal(lithe_gate_refused(g), 33);
    lithe_gate_free(g);
}

static double uniform(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

// Jumps, ramps, what is no number, late and early passes, stops: nothing gets through.
static void range_rate_and_acceleration_hold_whatever_is_asked(void **state)
{
    (void)state;
    for (unsigned long long run = 1; run <= 20; run++) {
        lithe_gate *g = make_started(RAMPED, 0);
        unsigned long long seed = run;
        double now = 0, x = 0, v = 0, wanted = 0, a = RAMPED.rate / RAMPED.ramp;
        for (int k = 0; k < PERIODS; k++) {
            double dt = DT * (uniform(&seed) < 0.1 ? 5 * uniform(&seed) : 1), sent = NAN;
            if (uniform(&seed) < 0.05)
                wanted = 40 * uniform(&seed) - 20;
            now += dt;
            if (uniform(&seed) < 0.9)
                lithe_gate_hear(g, now);
            double asked = uniform(&seed) < 0.02 ? NAN : wanted + 0.1 * uniform(&seed);
            lithe_gate_mode mode = lithe_gate_pass(g, now, &asked, &sent);
            double used = fmin(dt, DT), speed = (sent - x) / used;
            assert_true(sent >= RAMPED.limit[0] && sent <= RAMPED.limit[1]);
            assert_true(fabs(speed) <= RAMPED.rate * (1 + 1e-9) + 1e-12 / used);
            assert_true(fabs(speed - v) <= a * used * (1 + 1e-6) + 1e-11 / used);
            x = sent;
            v = speed;
            if (mode == LITHE_GATE_SAFE) {
                assert_int_equal(lithe_gate_start(g, now, &x, NULL), LITHE_OK);
                v = 0;
            }
        }
        lithe_gate_free(g);
    }
}

static void a_goal_is_reached_without_swinging_past_it(void **state)
{
    (void)state;
    lithe_gate *g = make_started(RAMPED, -2);
    double highest = -2, x = -2;
    for (int k = 1; k <= 200; k++) {
        x = ask(g, k * DT, 2);
        highest = fmax(highest, x);
    }
    assert_true(fabs(x - 2) < 1e-12 && highest <= 2 + 1e-12);
    lithe_gate_free(g);
}

static void a_goal_that_moves_within_the_rate_is_kept_up_with(void **state)
{
    (void)state;
    lithe_gate *g = make_started(RAMPED, 0);
    double worst = 0;
    for (int k = 1; k <= 400; k++) {
        double goal = sin(k * DT), x = ask(g, k * DT, goal);
        if (k > 50)
            worst = fmax(worst, fabs(goal - x));
    }
    assert_true(worst < 1e-3 && !lithe_gate_limited(g, 0));
    lithe_gate_free(g);
}

static void the_watchdog_holds_then_goes_to_the_safe_state_and_stays(void **state)
{
    (void)state;
    lithe_gate *g = make_started(PLAIN, 5);
    double wanted = 8, sent;
    assert_true(ask(g, 0.01, 6) == 6);
    assert_int_equal(lithe_gate_pass(g, 0.05, &wanted, &sent), LITHE_GATE_OPEN);
    assert_true(sent == 8);
    wanted = 9;
    assert_int_equal(lithe_gate_pass(g, 0.07, &wanted, &sent), LITHE_GATE_HOLD);
    assert_true(sent == 8);
    assert_non_null(strstr(lithe_gate_reason(g), "no fresh reading for 60 ms"));
    assert_true(ask(g, 0.08, 9) == 9); // a reading ends the hold
    assert_string_equal(lithe_gate_reason(g), "");
    assert_int_equal(lithe_gate_pass(g, 0.3, &wanted, &sent), LITHE_GATE_SAFE);
    assert_true(sent == PLAIN.safe);
    assert_true(ask(g, 0.31, 9) == PLAIN.safe); // … but not the safe state
    assert_int_equal(lithe_gate_start(g, 0.32, &sent, NULL), LITHE_OK);
    assert_true(ask(g, 0.33, 9) == 9);
    lithe_gate_free(g);
}

// A machine without orders for so long has gone to its safe state, however fresh its readings are.
static void who_sent_nothing_for_long_goes_to_the_safe_state_too(void **state)
{
    (void)state;
    lithe_gate *g = make_started(RAMPED, 0);
    double x = ask(g, 0.01, 3);
    for (int k = 2; k <= 50; k++)
        x = ask(g, k * DT, 3);
    assert_int_equal(lithe_gate_state(g), LITHE_GATE_OPEN);
    double late = ask(g, 50 * DT + 0.2, 3); // as long as it may be
    assert_true(lithe_gate_state(g) == LITHE_GATE_OPEN && late >= x);
    ask(g, 50 * DT + 0.2 + 0.22, 3);
    assert_int_equal(lithe_gate_state(g), LITHE_GATE_SAFE);
    assert_non_null(strstr(lithe_gate_reason(g), "no order has left for 220 ms"));
    double back = ask(g, 50 * DT + 0.43, 3);
    assert_true(fabs(back - late) <= RAMPED.rate * 2 * DT); // along the ramp all the same
    lithe_gate_free(g);
}

static void silence_is_told_with_what_came_instead_of_a_reading(void **state)
{
    (void)state;
    const lithe_gate_output def = {.limit = {0, 1}, .rate = 1, .ramp = 0.1};
    lithe_report report = lithe_report_default();
    lithe_gate *g;
    double wanted = 0.5, sent, far = 2;
    assert_int_equal(lithe_gate_create(1, &def, 0.1, 0.15, 0.35, &g, &report), LITHE_OK);
    lithe_gate_doubt(g, "it is no number");
    assert_string_equal(lithe_gate_reason(g), "it is no number");
    assert_int_equal(lithe_gate_start(g, 0, &far, &report), LITHE_INVALID);
    assert_non_null(strstr(lithe_gate_reason(g), "output 0 is measured at 2"));
    lithe_gate_hear(g, 0);
    assert_int_equal(lithe_gate_start(g, 0, &wanted, &report), LITHE_OK);
    assert_string_equal(lithe_gate_reason(g), "");
    lithe_gate_doubt(g, "it is stuck");
    assert_int_equal(lithe_gate_pass(g, 0.1, &wanted, &sent), LITHE_GATE_OPEN);
    assert_int_equal(lithe_gate_pass(g, 0.2, &wanted, &sent), LITHE_GATE_HOLD);
    assert_string_equal(lithe_gate_reason(g), "no fresh reading for 200 ms: it is stuck");
    lithe_gate_hear(g, 0.3);
    lithe_gate_pass(g, 0.3, &wanted, &sent);
    assert_int_equal(lithe_gate_pass(g, 0.7, &wanted, &sent), LITHE_GATE_SAFE);
    assert_string_equal(lithe_gate_reason(g), "no fresh reading for 400 ms");
    lithe_gate_free(g);
}

static void a_stop_is_for_good_and_a_loss_is_not(void **state)
{
    (void)state;
    lithe_gate *g = make_started(PLAIN, 5);
    assert_false(lithe_gate_rests(g, 0));
    lithe_gate_lose(g, "the connection is lost");
    assert_true(ask(g, 0.01, 9) == PLAIN.safe);
    assert_true(lithe_gate_rests(g, 0) && !lithe_gate_rests(g, 1));
    assert_string_equal(lithe_gate_reason(g), "the connection is lost");
    double present = 2;
    assert_int_equal(lithe_gate_start(g, 0.02, &present, NULL), LITHE_OK);
    lithe_gate_stop(g, "key");
    assert_true(ask(g, 0.03, 9) == PLAIN.safe);
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_gate_start(g, 0.04, &present, &report), LITHE_INVALID);
    assert_non_null(strstr(report.error, "key"));
    lithe_gate_lose(g, "later");
    assert_string_equal(lithe_gate_reason(g), "key");
    lithe_gate_free(g);
}

static void time_that_stands_still_or_goes_back_moves_nothing(void **state)
{
    (void)state;
    lithe_gate *g = make_started(RAMPED, 0);
    double x = ask(g, DT, 3);
    assert_true(ask(g, DT, 3) == x);
    assert_true(ask(g, 0.5 * DT, 3) == x);
    double wanted = 3, sent;
    assert_int_equal(lithe_gate_pass(g, NAN, &wanted, &sent), LITHE_GATE_SAFE);
    assert_true(sent == x);
    for (int k = 0; k < 10; k++) // a hundredth of a period
        lithe_gate_pass(g, DT * (1 + 0.001 * (k + 1)), &wanted, &sent);
    assert_true(fabs(sent - x) <= 0.01 * DT * RAMPED.rate * (1 + 1e-9));
    lithe_gate_free(g);
}

// It may be let go on from there only where it can stay.
static void an_output_that_passes_its_safe_value_does_not_rest_there(void **state)
{
    (void)state;
    lithe_gate *g = make_started(RAMPED, -2);
    for (int k = 1; k <= 300; k++) {
        double before = ask(g, (2 * k - 1) * 1e-3, 3), x = ask(g, 2 * k * 1e-3, 3);
        bool slow = x - before <= RAMPED.rate / RAMPED.ramp * DT * 1e-3 * (1 + 1e-9);
        assert_true(slow || !lithe_gate_rests(g, 0));
    }
    lithe_gate_stop(g, "the task is done");
    for (int k = 1; k <= 300; k++)
        ask(g, 0.6 + k * DT, 3);
    assert_true(lithe_gate_rests(g, 0));
    lithe_gate_free(g);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const lithe_gate_output wrong[] = {
        {.limit = {0, INFINITY}, .rate = 1, .safe = 0}, {.limit = {1, 0}, .rate = 1, .safe = 0},
        {.limit = {0, 1}, .rate = 0, .safe = 0},        {.limit = {0, 1}, .rate = 1, .safe = 2},
        {.limit = {0, 1}, .rate = 1, .ramp = -1},       {.limit = {NAN, 1}, .rate = 1},
    };
    lithe_gate *g;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(lithe_gate_create(1, &wrong[i], DT, 1, 2, &g, NULL), LITHE_INVALID);
    assert_int_equal(lithe_gate_create(1, &PLAIN, DT, 2, 1, &g, NULL), LITHE_INVALID);
    assert_int_equal(lithe_gate_create(1, &PLAIN, 0, 1, 2, &g, NULL), LITHE_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_leaves_before_a_state_was_measured),
        cmocka_unit_test(it_starts_where_the_output_is),
        cmocka_unit_test(limits_hold_exactly),
        cmocka_unit_test(what_is_no_number_never_leaves),
        cmocka_unit_test(range_rate_and_acceleration_hold_whatever_is_asked),
        cmocka_unit_test(a_goal_is_reached_without_swinging_past_it),
        cmocka_unit_test(a_goal_that_moves_within_the_rate_is_kept_up_with),
        cmocka_unit_test(the_watchdog_holds_then_goes_to_the_safe_state_and_stays),
        cmocka_unit_test(who_sent_nothing_for_long_goes_to_the_safe_state_too),
        cmocka_unit_test(silence_is_told_with_what_came_instead_of_a_reading),
        cmocka_unit_test(a_stop_is_for_good_and_a_loss_is_not),
        cmocka_unit_test(time_that_stands_still_or_goes_back_moves_nothing),
        cmocka_unit_test(an_output_that_passes_its_safe_value_does_not_rest_there),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
