// The shape from what is measured.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "robot.h"

// A bar with two cables told their tension, a push on its tip that nobody commands, four strings,
// effort sensors on the cables, and its tip.
enum { CABLES = 2, STRINGS = 4, PUSH = 2, TIP = 0 };

typedef struct stage {
    robot r;
    lithe_sensor_def sensor[STRINGS + CABLES];
    lithe_point_def ends[STRINGS][2];
    lithe_reading_def reading[STRINGS + CABLES + 1];
    lithe_unknown_def unknown[2];
    lithe_estimate_def def;
    lithe_estimator *e;
} stage;

static void stage_sensors(stage *s)
{
    static const char *const names[] = {"s1", "s2", "s3", "s4", "g1", "g2"};
    for (int k = 0; k < STRINGS; k++) {
        double x = k % 2 ? 0.009 : -0.009, y = k / 2 ? 0.009 : -0.009;
        s->ends[k][0] = (lithe_point_def){"bar", {x, y, 0}};
        s->ends[k][1] = (lithe_point_def){"bar", {x, y, 0.09}};
        s->sensor[k] = lithe_sensor_def_default(LITHE_STRING);
        s->sensor[k].npoint = 2;
        s->sensor[k].point = s->ends[k];
    }
    for (int k = 0; k < CABLES; k++) {
        s->sensor[STRINGS + k] = lithe_sensor_def_default(LITHE_SENSOR_EFFORT);
        s->sensor[STRINGS + k].actuator = k ? "north" : "east";
    }
    for (int k = 0; k < STRINGS + CABLES; k++) {
        s->sensor[k].name = names[k];
        s->reading[k] = (lithe_reading_def){.name = names[k], .noise = k < STRINGS ? 1e-5 : 1e-3};
    }
    s->reading[STRINGS + CABLES] = (lithe_reading_def){.name = "tip", .noise = 1e-4};
    s->r.def.nsensor = STRINGS + CABLES;
    s->r.def.sensor = s->sensor;
    s->def = (lithe_estimate_def){.reading = s->reading, .unknown = s->unknown, .outlier = 4};
}

static void stage_begin(stage *s)
{
    memset(s, 0, sizeof *s);
    robot_begin(&s->r, false);
    add_cable_at(&s->r, "east", 0.008, 0);
    add_cable_at(&s->r, "north", 0, 0.008);
    for (int k = 0; k < CABLES; k++)
        s->r.actuator[k].command = LITHE_EFFORT;
    lithe_actuator_def *push = &s->r.actuator[s->r.def.nactuator++];
    *push = lithe_actuator_def_default(LITHE_FORCE);
    push->name = "push";
    s->r.point[PUSH][0] = (lithe_point_def){"bar", {0, 0, 0.1}};
    push->npoint = 1;
    push->point = s->r.point[PUSH];
    push->given = true;
    s->r.def.gravity[0] = 2;
    stage_sensors(s);
}

static void stage_compile(stage *s)
{
    robot_compile(&s->r);
    lithe_status status = lithe_estimator_create(s->r.model, &s->def, 1, &s->e, &s->r.report);
    if (status != LITHE_OK)
        fail_msg("%s", s->r.report.error);
}

static void stage_end(stage *s)
{
    lithe_estimator_free(s->e);
    robot_end(&s->r);
}

// What the robot itself measures under these tensions and this push: strings, effort sensors, tip.
static void measure(stage *s, double east, double north, const double push[3], double *reading)
{
    command(&s->r, 0, LITHE_EFFORT, east);
    command(&s->r, 1, LITHE_EFFORT, north);
    assert_int_equal(lithe_command(s->r.model, s->r.state, PUSH, LITHE_EFFORT, push), LITHE_OK);
    settle(&s->r);
    for (int k = 0; k < STRINGS + CABLES; k++)
        lithe_sensor_value(s->r.model, s->r.state, k, &reading[k]);
    lithe_effector_value(s->r.model, s->r.state, TIP, &reading[STRINGS + CABLES]);
}

static void estimate(stage *s, const double *reading, lithe_fit *fit)
{
    lithe_status status = lithe_estimate(s->e, reading, fit);
    if (status != LITHE_OK)
        fail_msg("%s", lithe_state_error(lithe_estimator_state(s->e)));
}

static double tip_off(stage *s)
{
    double there[3], tip[3];
    lithe_effector_value(s->r.model, s->r.state, TIP, there);
    lithe_effector_value(s->r.model, lithe_estimator_state(s->e), TIP, tip);
    return hypot(hypot(tip[0] - there[0], tip[1] - there[1]), tip[2] - there[2]);
}

static const double nothing[3] = {0};

static void exact_strings_give_tensions_and_tip(void **unused)
{
    (void)unused;
    stage s;
    double reading[16], tension;
    lithe_fit fit;
    stage_begin(&s);
    s.def.nreading = STRINGS;
    stage_compile(&s);
    assert_int_equal(lithe_estimator_nnumber(s.e), STRINGS);
    measure(&s, 0.3, 0.15, nothing, reading);
    estimate(&s, reading, &fit);
    assert_true(fit.converged && fit.rank == 2 && fit.noutlier == 0 && fit.cost < 1e-8);
    lithe_effort(s.r.model, lithe_estimator_state(s.e), 0, &tension);
    assert_true(fabs(tension - 0.3) < 1e-6);
    assert_true(tip_off(&s) < 1e-9);
    stage_end(&s);
}

static void an_unknown_force_is_found_and_the_tip_with_it(void **unused)
{
    (void)unused;
    stage s;
    double reading[16], force[3], push[3] = {0.02, -0.01, 0.05};
    lithe_fit fit;
    stage_begin(&s);
    s.def.nreading = STRINGS + CABLES;
    stage_compile(&s);
    measure(&s, 0.3, 0.15, push, reading);
    s.def.outlier = INFINITY;
    estimate(&s, reading, &fit); // it does not know of the push
    assert_true(tip_off(&s) > 1e-4);
    lithe_estimator_free(s.e);
    s.unknown[0] = (lithe_unknown_def){.actuator = "push", .spread = INFINITY};
    s.def.nunknown = 1;
    assert_int_equal(lithe_estimator_create(s.r.model, &s.def, 1, &s.e, NULL), LITHE_OK);
    estimate(&s, reading, &fit);
    assert_int_equal(fit.rank, 5);
    lithe_effort(s.r.model, lithe_estimator_state(s.e), PUSH, force);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(force[i] - push[i]) < 1e-6);
    assert_true(tip_off(&s) < 1e-8);
    stage_end(&s);
}

static void a_modulus_is_found(void **unused)
{
    (void)unused;
    stage s;
    double reading[16], young;
    lithe_fit fit;
    stage_begin(&s);
    int k = s.r.def.nactuator++;
    s.r.actuator[k] = lithe_actuator_def_default(LITHE_MODULUS);
    s.r.actuator[k].name = "rubber";
    s.r.actuator[k].body = "bar";
    s.r.actuator[k].value[0] = 1e5;
    s.r.actuator[k].given = true;
    s.unknown[0] = (lithe_unknown_def){.actuator = "rubber", .spread = 0.3};
    s.def.nunknown = 1;
    s.def.nreading = STRINGS + CABLES;
    stage_compile(&s);
    assert_int_equal(lithe_command(s.r.model, s.r.state, k, LITHE_EFFORT, &(double){1.25e5}),
                     LITHE_OK);
    measure(&s, 0.3, 0.15, nothing, reading);
    estimate(&s, reading, &fit);
    lithe_effort(s.r.model, lithe_estimator_state(s.e), k, &young);
    double C;
    assert_int_equal(lithe_covariance_actuator(s.e, k, &C), LITHE_OK);
    // the spread draws it a little to where it was thought to be
    assert_true(fabs(young - 1.25e5) < 3 * sqrt(C) + 10 && sqrt(C) < 0.1 * 1.25e5);
    stage_end(&s);
}

// (J' J)^-1 by differences of forward runs of the robot itself and a Gaussian elimination of its
// own.
static void covariance_is_that_of_least_squares_with_differences(void **unused)
{
    (void)unused;
    stage s;
    enum { N = STRINGS + CABLES, U = 5 };
    double reading[N + 3], at[U] = {0.3, 0.15, 0.02, -0.01, 0.05}, J[N + 3][U], A[U][2 * U];
    lithe_fit fit;
    stage_begin(&s);
    s.def.nreading = N;
    s.unknown[0] = (lithe_unknown_def){.actuator = "push", .spread = 0.1};
    s.def.nunknown = 1;
    stage_compile(&s);
    for (int j = 0; j < U; j++) {
        double side[2][N + 3], h = 1e-4, x[U];
        for (int k = 0; k < 2; k++) {
            memcpy(x, at, sizeof x);
            x[j] += k ? h : -h;
            measure(&s, x[0], x[1], x + 2, side[k]);
        }
        for (int i = 0; i < N + 3; i++)
            J[i][j] = (side[1][i] - side[0][i]) / (2 * h);
    }
    measure(&s, at[0], at[1], at + 2, reading);
    // the prior is about 0 and would move the estimate: readings that put it exactly there
    estimate(&s, reading, &fit);
    for (int a = 0; a < U; a++)
        for (int b = 0; b < 2 * U; b++) {
            A[a][b] = b == a + U || (b == a && a >= 2 ? 1 : 0) ? (b == a ? 100.0 : 1.0) : 0;
            for (int i = 0; i < N && b < U; i++)
                A[a][b] += J[i][a] * J[i][b] / pow(s.reading[i].noise, 2);
        }
    for (int p = 0; p < U; p++) {
        for (int c = 2 * U - 1; c >= 0; c--)
            A[p][c] /= A[p][p];
        for (int a = 0; a < U; a++) {
            double share = A[a][p];
            for (int c = 0; c < 2 * U && a != p; c++)
                A[a][c] -= share * A[p][c];
        }
    }
    double tip[9], force[9];
    assert_int_equal(lithe_covariance_effector(s.e, TIP, tip), LITHE_OK);
    assert_int_equal(lithe_covariance_actuator(s.e, PUSH, force), LITHE_OK);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double expected = 0;
            for (int i = 0; i < U; i++)
                for (int j = 0; j < U; j++)
                    expected += J[N + a][i] * A[i][U + j] * J[N + b][j];
            double size = sqrt(tip[a * 3 + a] * tip[b * 3 + b]);
            assert_true(fabs(expected - tip[a * 3 + b]) < 0.01 * size);
            size = sqrt(force[a * 3 + a] * force[b * 3 + b]);
            assert_true(fabs(A[2 + a][U + 2 + b] - force[a * 3 + b]) < 0.01 * size);
        }
    stage_end(&s);
}

static void a_wrong_reading_is_named_and_left_out(void **unused)
{
    (void)unused;
    stage s;
    double reading[16];
    lithe_fit fit;
    stage_begin(&s);
    s.def.nreading = STRINGS + CABLES + 1;
    stage_compile(&s);
    measure(&s, 0.3, 0.15, nothing, reading);
    reading[2] += 2e-3;
    estimate(&s, reading, &fit);
    assert_int_equal(fit.noutlier, 1);
    for (int i = 0; i < lithe_estimator_nnumber(s.e); i++)
        assert_int_equal(lithe_estimator_believed(s.e, i), i != 2);
    assert_string_equal(lithe_estimator_name(s.e, 2), "s3");
    assert_true(fabs(lithe_estimator_off(s.e, 2)) < 4 || !lithe_estimator_believed(s.e, 2));
    assert_true(tip_off(&s) < 1e-8);
    // what was not measured is not used
    reading[2] = NAN;
    estimate(&s, reading, &fit);
    assert_int_equal(fit.noutlier, 0);
    assert_true(tip_off(&s) < 1e-8);
    stage_end(&s);
}

static void what_readings_do_not_tell_is_said(void **unused)
{
    (void)unused;
    stage s;
    double reading[16], C[9], variance;
    lithe_fit fit;
    stage_begin(&s);
    s.def.nreading = 1; // one string for two tensions
    stage_compile(&s);
    measure(&s, 0.3, 0.15, nothing, reading);
    estimate(&s, reading, &fit);
    assert_int_equal(fit.rank, 1);
    assert_true(isnan(fit.chance));
    assert_int_equal(lithe_covariance_effector(s.e, TIP, C), LITHE_OK);
    assert_true(isinf(C[0]));
    assert_int_equal(lithe_covariance_actuator(s.e, 0, &variance), LITHE_OK);
    assert_true(isinf(variance));
    stage_end(&s);
}

static void tell(stage *s, double east, double north)
{
    assert_int_equal(lithe_estimator_tell(s->e, 0, LITHE_EFFORT, &east), LITHE_OK);
    assert_int_equal(lithe_estimator_tell(s->e, 1, LITHE_EFFORT, &north), LITHE_OK);
}

static void stage_spread(stage *s, double spread)
{
    s->unknown[0] = (lithe_unknown_def){.actuator = "east", .spread = spread};
    s->unknown[1] = (lithe_unknown_def){.actuator = "north", .spread = spread};
    s->def.nunknown = 2;
}

// One string cannot tell two tensions; what they are told, and how well they obey, does.
static void a_spread_is_about_what_actuators_are_told(void **unused)
{
    (void)unused;
    stage s;
    double reading[16];
    lithe_fit fit;
    stage_begin(&s);
    s.def.nreading = 1;
    stage_spread(&s, 1e-3);
    stage_compile(&s);
    for (int k = 0; k < 3; k++) {
        double east = 0.1 + 0.1 * k, north = 0.3 - 0.1 * k;
        measure(&s, east, north, nothing, reading);
        tell(&s, east, north);
        estimate(&s, reading, &fit);
        assert_true(fit.rank == 2 && fit.cost < 1e-8);
        assert_true(tip_off(&s) < 1e-8);
    }
    tell(&s, 0.4, 0.1);
    estimate(&s, reading, &fit);
    assert_true(tip_off(&s) > 1e-3); // told what was not done
    assert_int_equal(lithe_estimator_tell(s.e, 0, LITHE_DISPLACEMENT, &(double){0}), LITHE_INVALID);
    assert_non_null(strstr(lithe_state_error(lithe_estimator_state(s.e)), "east"));
    assert_int_equal(lithe_estimator_tell(s.e, 7, LITHE_EFFORT, &(double){0}), LITHE_INVALID);
    stage_end(&s);
}

static void invert2(double A[3]) // xx, xy, yy
{
    double det = A[0] * A[2] - A[1] * A[1], x = A[0];
    A[0] = A[2] / det;
    A[1] = -A[1] / det;
    A[2] = x / det;
}

// The filter of two numbers, by hand: what is left of the last covariance and what is new of the
// spread, then the readings; derivatives by differences of forward runs.
static void memory_is_that_of_a_filter(void **unused)
{
    (void)unused;
    const double at[2] = {0.3, 0.15}, off[2] = {0.02, -0.03}, spread = 0.05, h = 1e-4;
    static const double memories[] = {4, INFINITY};
    for (int k = 0; k < 2; k++) {
        stage s;
        double J[STRINGS][2], reading[16], side[2][16], keep = exp(-1 / memories[k]), C;
        double new = (1 - keep * keep) * spread *spread, tension, P[3], last = INFINITY;
        stage_begin(&s);
        s.def.nreading = STRINGS;
        s.def.memory = memories[k];
        stage_spread(&s, spread);
        stage_compile(&s);
        for (int j = 0; j < 2; j++) {
            for (int i = 0; i < 2; i++)
                measure(&s, at[0] + (j == 0) * (i ? h : -h), at[1] + (j == 1) * (i ? h : -h),
                        nothing, side[i]);
            for (int i = 0; i < STRINGS; i++)
                J[i][j] = (side[1][i] - side[0][i]) / (2 * h) / 1e-5;
        }
        measure(&s, at[0], at[1], nothing, reading);
        tell(&s, at[0] - off[0], at[1] - off[1]);
        for (int n = 0; n < 12; n++) {
            double fresh[3] = {spread * spread, 0, spread * spread};
            for (int i = 0; i < 3 && n > 0; i++)
                fresh[i] = keep * keep * P[i] + (i == 1 ? 0 : new);
            memcpy(P, fresh, sizeof P);
            invert2(P);
            for (int i = 0; i < STRINGS; i++) {
                P[0] += J[i][0] * J[i][0];
                P[1] += J[i][0] * J[i][1];
                P[2] += J[i][1] * J[i][1];
            }
            invert2(P);
            estimate(&s, reading, NULL);
            lithe_covariance_actuator(s.e, 0, &C);
            assert_true(fabs(C / P[0] - 1) < 0.02);
            lithe_effort(s.r.model, lithe_estimator_state(s.e), 0, &tension);
            assert_true(fabs(tension - at[0]) <= last * 1.001); // nearer and nearer
            last = fabs(tension - at[0]);
        }
        assert_true(last < 1e-3 * fabs(off[0]));
        // told something else, it still obeys as badly: found without another reading
        for (int i = 0; i < STRINGS; i++)
            reading[i] = NAN;
        tell(&s, 0.1, 0.2);
        estimate(&s, reading, NULL);
        lithe_effort(s.r.model, lithe_estimator_state(s.e), 0, &tension);
        assert_true(fabs(tension - (0.1 + keep * off[0])) < 1e-3 * fabs(off[0]));
        stage_end(&s);
    }
}

// In the mode realtime one iteration a call follows readings that move on.
static void realtime_estimates_follow(void **unused)
{
    (void)unused;
    stage s;
    double reading[16];
    lithe_fit fit;
    stage_begin(&s);
    s.def.nreading = STRINGS;
    robot_compile(&s.r);
    s.r.def.step.mode = LITHE_REALTIME;
    lithe_model *fast;
    assert_int_equal(lithe_compile(&s.r.def, &fast, &s.r.report), LITHE_OK);
    assert_int_equal(lithe_estimator_create(fast, &s.def, 1, &s.e, NULL), LITHE_OK);
    double worst = 0;
    for (int k = 0; k <= 60; k++) {
        double share = fmin(k / 40.0, 1);
        measure(&s, 0.3 * share, 0.15 * share, nothing, reading);
        estimate(&s, reading, &fit);
        assert_int_equal(fit.iteration, 1);
        double tip[3];
        lithe_effector_value(fast, lithe_estimator_state(s.e), TIP, tip);
        if (k > 5)
            worst = fmax(worst, tip_off(&s));
    }
    assert_true(worst < 3e-4);
    assert_true(tip_off(&s) < 1e-8);
    lithe_estimator_free(s.e);
    s.e = NULL;
    lithe_model_free(fast);
    stage_end(&s);
}

static int countdown = -1, allocations;

static void *allocate(size_t bytes)
{
    allocations++;
    return countdown >= 0 && countdown-- == 0 ? NULL : malloc(bytes);
}

static void an_estimate_allocates_nothing_and_a_refused_one_is_told(void **unused)
{
    (void)unused;
    stage s;
    double reading[16];
    lithe_set_allocator(allocate, free);
    stage_begin(&s);
    s.def.nreading = STRINGS;
    stage_compile(&s);
    measure(&s, 0.3, 0.15, nothing, reading);
    estimate(&s, reading, NULL);
    int before = allocations;
    reading[0] += 1e-5;
    estimate(&s, reading, NULL);
    assert_int_equal(allocations, before);
    lithe_status status = LITHE_NO_MEMORY;
    for (int k = 0; status != LITHE_OK; k++) {
        lithe_estimator *other;
        lithe_report report = lithe_report_default();
        countdown = k;
        status = lithe_estimator_create(s.r.model, &s.def, 1, &other, &report);
        countdown = -1;
        assert_true(status == LITHE_OK || (status == LITHE_NO_MEMORY && *report.error));
        if (status == LITHE_OK)
            lithe_estimator_free(other);
    }
    stage_end(&s);
}

static void mistakes_are_told(void **unused)
{
    (void)unused;
    stage s;
    lithe_estimator *e;
    stage_begin(&s);
    robot_compile(&s.r);
    s.reading[0].name = "nobody";
    s.def.nreading = 1;
    assert_int_equal(lithe_estimator_create(s.r.model, &s.def, 1, &e, &s.r.report), LITHE_INVALID);
    assert_non_null(strstr(s.r.report.error, "nobody"));
    s.reading[0] = (lithe_reading_def){.name = "s1", .noise = 0};
    assert_int_equal(lithe_estimator_create(s.r.model, &s.def, 1, &e, &s.r.report), LITHE_INVALID);
    s.reading[0].noise = 1e-4;
    s.def.memory = -1;
    assert_int_equal(lithe_estimator_create(s.r.model, &s.def, 1, &e, &s.r.report), LITHE_INVALID);
    assert_non_null(strstr(s.r.report.error, "memory"));
    s.def.memory = 0;
    s.unknown[0] = (lithe_unknown_def){.actuator = "s1", .spread = 1};
    s.def.nunknown = 1;
    assert_int_equal(lithe_estimator_create(s.r.model, &s.def, 1, &e, &s.r.report), LITHE_INVALID);
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_strings_give_tensions_and_tip),
        cmocka_unit_test(an_unknown_force_is_found_and_the_tip_with_it),
        cmocka_unit_test(a_modulus_is_found),
        cmocka_unit_test(covariance_is_that_of_least_squares_with_differences),
        cmocka_unit_test(a_wrong_reading_is_named_and_left_out),
        cmocka_unit_test(what_readings_do_not_tell_is_said),
        cmocka_unit_test(a_spread_is_about_what_actuators_are_told),
        cmocka_unit_test(memory_is_that_of_a_filter),
        cmocka_unit_test(realtime_estimates_follow),
        cmocka_unit_test(an_estimate_allocates_nothing_and_a_refused_one_is_told),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
