#include "control/calibrate.h"
#include "control/quantile.h"
#include "control/singular.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { NDATUM = 12, NUNKNOWN = 4 };

static uint64_t seed;

static double uniform(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double gauss(void)
{
    double radius = sqrt(-2 * log(uniform()));
    return radius * cos(6.283185307179586 * uniform());
}

// An analytic model: the datum at t is model(value, t).
typedef struct trial {
    double (*model)(const double *value, double t);
    double datum[NDATUM];
    double sigma; // residuals are divided by it
    double edge;  // there is no answer for value[0] above it
    int nunknown, ndatum;
    calibrate_unknown unknown[NUNKNOWN];
    lithe_status status; // what evaluate returns
    calibrate_result result;
    arena memory;
} trial;

static lithe_status evaluate(void *user, int npoint, const double *value, double *residual,
                             bool *exists)
{
    const trial *t = user;
    for (int k = 0; k < npoint; k++, value += t->nunknown, residual += t->ndatum) {
        exists[k] = value[0] <= t->edge;
        for (int j = 0; j < t->nunknown; j++)
            assert_true(value[j] >= t->unknown[j].low && value[j] <= t->unknown[j].high);
        for (int i = 0; i < t->ndatum; i++)
            residual[i] = (t->model(value, 0.25 * (i + 1)) - t->datum[i]) / t->sigma;
    }
    return t->status;
}

static trial make(double (*model)(const double *, double), const double *truth, int n, double start)
{
    trial t = {.model = model, .sigma = 1, .edge = INFINITY, .nunknown = n, .ndatum = NDATUM};
    for (int i = 0; i < NDATUM; i++)
        t.datum[i] = model(truth, 0.25 * (i + 1));
    for (int j = 0; j < n; j++)
        t.unknown[j] = (calibrate_unknown){start, 0, INFINITY, 1, true};
    return t;
}

static lithe_status solve(trial *t, bool weighted)
{
    calibrate_problem p = {.nunknown = t->nunknown,
                           .ndatum = t->ndatum,
                           .unknown = t->unknown,
                           .weighted = weighted,
                           .noise = 1e-13,
                           .evaluate = evaluate,
                           .user = t};
    return calibrate_solve(&p, &t->memory, &t->result, NULL);
}

static double decay(const double *v, double t)
{
    return v[0] * exp(-v[1] * t);
}

static double line(const double *v, double t)
{
    return v[0] + v[1] * t;
}

static double product(const double *v, double t)
{
    return v[0] * v[1] * t + v[2];
}

static double ratio(const double *v, double t)
{
    return v[0] / v[1] * sin(t);
}

static double two_products(const double *v, double t)
{
    return v[0] * v[1] + v[2] * v[3] * t;
}

static double first_only(const double *v, double t)
{
    return v[0] * t + 0 * v[1];
}

static void student_quantiles_are_those_of_the_tables(void **state)
{
    (void)state;
    static const struct {
        double p, dof, t;
    } table[] = {{0.975, 1, 12.706204736432095},  {0.975, 2, 4.302652729911275},
                 {0.975, 3, 3.182446305284263},   {0.975, 5, 2.570581835636314},
                 {0.975, 10, 2.228138851964939},  {0.975, 30, 2.042272456301238},
                 {0.975, 120, 1.979930405052777}, {0.95, 4, 2.131846786326649},
                 {0.995, 7, 3.499483297350493},   {0.975, INFINITY, 1.959963984540054}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_float_equal(quantile_student(table[i].p, table[i].dof), table[i].t, 1e-12);
        assert_float_equal(quantile_student(1 - table[i].p, table[i].dof), -table[i].t, 1e-11);
    }
    assert_float_equal(quantile_student(0.5, 3), 0, 1e-15);
    assert_float_equal(quantile_student(0.975, 1e7), 1.959964, 1e-6);
}

static void chi_square_tails_are_those_of_the_tables(void **state)
{
    (void)state;
    assert_float_equal(quantile_chi_square_tail(3.841458820694124, 1), 0.05, 1e-14);
    assert_float_equal(quantile_chi_square_tail(18.307038053275146, 10), 0.05, 1e-14);
    assert_float_equal(quantile_chi_square_tail(23.209251158954356, 10), 0.01, 1e-14);
    assert_float_equal(quantile_chi_square_tail(77.929465165, 100), 0.95, 1e-10);
    assert_float_equal(quantile_chi_square_tail(4, 2), exp(-2), 1e-15);
    assert_float_equal(quantile_chi_square_tail(0, 5), 1, 0);
}

static void singular_values_rebuild_the_matrix(void **state)
{
    (void)state;
    enum { M = 7, N = 4 };
    double a[N * M], us[N * M], s[N], V[N * N];
    seed = 3;
    for (int i = 0; i < N * M; i++)
        us[i] = a[i] = (i / M == 2 ? 1e-9 : 1) * gauss();
    singular_decompose(M, N, us, s, V);
    for (int k = 0; k < N; k++) {
        assert_true(k == 0 || s[k] <= s[k - 1]);
        for (int l = 0; l < N; l++) {
            double inner = 0, rotation = 0;
            for (int i = 0; i < M; i++)
                inner += us[k * M + i] * us[l * M + i];
            for (int j = 0; j < N; j++)
                rotation += V[k * N + j] * V[l * N + j];
            assert_float_equal(inner, k == l ? s[k] * s[k] : 0, 1e-14 * s[k] * s[l]);
            assert_float_equal(rotation, k == l, 1e-14);
        }
    }
    for (int j = 0; j < N; j++) // A = (U S) V'
        for (int i = 0; i < M; i++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += us[k * M + i] * V[k * N + j];
            assert_float_equal(sum, a[j * M + i], 1e-14);
        }
}

static void exact_data_give_the_exact_values(void **state)
{
    (void)state;
    double truth[] = {1000, 0.7};
    trial t = make(decay, truth, 2, 20);
    assert_int_equal(solve(&t, false), LITHE_OK);
    assert_true(t.result.converged);
    assert_float_equal(t.result.value[0], 1000, 1e-6);
    assert_float_equal(t.result.value[1], 0.7, 1e-9);
    assert_float_equal(t.result.high[0] - t.result.low[0], 0, 1e-6);
    assert_int_equal(t.result.nblind, 0);
    assert_int_equal(t.result.dof, NDATUM - 2);
    arena_free(&t.memory);
}

// The textbook's line through points: slope and intercept with their standard errors.
static void a_straight_line_has_the_textbooks_intervals(void **state)
{
    (void)state;
    double truth[] = {2, -3}, st = 0, sy = 0, stt = 0, sty = 0, left = 0;
    trial t = make(line, truth, 2, 1);
    seed = 11;
    for (int j = 0; j < 2; j++)
        t.unknown[j] = (calibrate_unknown){1, -INFINITY, INFINITY, 5, false};
    for (int i = 0; i < NDATUM; i++) {
        double x = 0.25 * (i + 1);
        t.datum[i] += 0.1 * gauss();
        st += x, sy += t.datum[i], stt += x * x, sty += x * t.datum[i];
    }
    double slope = (NDATUM * sty - st * sy) / (NDATUM * stt - st * st);
    double offset = (sy - slope * st) / NDATUM;
    for (int i = 0; i < NDATUM; i++)
        left += pow(t.datum[i] - offset - slope * 0.25 * (i + 1), 2);
    double error = sqrt(left / (NDATUM - 2) / (stt - st * st / NDATUM));
    assert_int_equal(solve(&t, false), LITHE_OK);
    assert_true(t.result.converged);
    assert_float_equal(t.result.value[1], slope, 1e-8);
    assert_float_equal(t.result.value[0], offset, 1e-8);
    assert_float_equal(t.result.high[1] - slope, 2.228138851964939 * error, 1e-6);
    assert_float_equal(slope - t.result.low[1], 2.228138851964939 * error, 1e-6);
    arena_free(&t.memory);
}

// Of 1000 experiments, 95 % give an interval that holds the truth, give or take 2 %.
static void check_coverage(bool weighted)
{
    int inside = 0;
    double truth[] = {4, 0.5};
    seed = 5;
    for (int round = 0; round < 1000; round++) {
        trial t = make(decay, truth, 2, 1);
        t.sigma = weighted ? 0.02 : 1;
        for (int i = 0; i < NDATUM; i++)
            t.datum[i] += 0.02 * gauss();
        assert_int_equal(solve(&t, weighted), LITHE_OK);
        assert_true(t.result.converged);
        inside += t.result.low[1] <= truth[1] && truth[1] <= t.result.high[1];
        arena_free(&t.memory);
    }
    assert_in_range(inside, 930, 970);
}

static void intervals_hold_the_truth_as_often_as_they_say(void **state)
{
    (void)state;
    check_coverage(false);
    check_coverage(true);
}

static void residuals_that_contradict_their_sigma_widen_the_interval(void **state)
{
    (void)state;
    double truth[] = {4, 0.5};
    trial t = make(decay, truth, 2, 1);
    seed = 9;
    t.sigma = 0.002;
    for (int i = 0; i < NDATUM; i++)
        t.datum[i] += 0.02 * gauss();
    assert_int_equal(solve(&t, true), LITHE_OK);
    assert_true(t.result.chance < 0.01);
    assert_true(t.result.spread > 5);
    assert_float_equal(t.result.quantile, quantile_student(0.975, NDATUM - 2), 1e-12);
    arena_free(&t.memory);
}

static void only_a_product_is_said_to_be_known(void **state)
{
    (void)state;
    double truth[] = {2, 3, 5};
    for (int noisy = 0; noisy < 2; noisy++) {
        trial t = make(product, truth, 3, 1);
        seed = 21;
        for (int i = 0; i < NDATUM; i++)
            t.datum[i] += noisy * 0.01 * gauss();
        assert_int_equal(solve(&t, false), LITHE_OK);
        assert_true(t.result.converged);
        assert_int_equal(t.result.nblind, 1);
        const calibrate_blind *b = &t.result.blind[0];
        assert_true(b->numerical && b->member[0] && b->member[1] && !b->member[2]);
        assert_float_equal(fabs(b->change[0]), CALIBRATE_CHANGE, 1e-4);
        assert_float_equal(b->change[0] + b->change[1], 0, 1e-4);
        assert_true(t.result.open[0] && t.result.open[1] && !t.result.open[2]);
        assert_true(isnan(t.result.low[0]) && isnan(t.result.high[1]));
        assert_float_equal(t.result.value[0] * t.result.value[1], 6, noisy ? 0.1 : 1e-8);
        assert_true(t.result.low[2] < t.result.high[2] || !noisy);
        for (int i = 0; i < NDATUM; i++)
            assert_float_equal(b->effect[i], 0, 1e-4);
        arena_free(&t.memory);
    }
}

static void only_a_ratio_is_said_to_be_known(void **state)
{
    (void)state;
    double truth[] = {2, 3};
    trial t = make(ratio, truth, 2, 1);
    assert_int_equal(solve(&t, false), LITHE_OK);
    assert_int_equal(t.result.nblind, 1);
    assert_float_equal(t.result.blind[0].change[0], t.result.blind[0].change[1], 1e-6);
    arena_free(&t.memory);
}

static void two_open_products_are_kept_apart(void **state)
{
    (void)state;
    double truth[] = {2, 3, 4, 5};
    trial t = make(two_products, truth, 4, 1);
    assert_int_equal(solve(&t, false), LITHE_OK);
    assert_int_equal(t.result.nblind, 2);
    for (int k = 0; k < 2; k++) {
        const bool *member = t.result.blind[k].member;
        assert_int_equal(member[0], member[1]);
        assert_int_equal(member[2], member[3]);
        assert_int_not_equal(member[0], member[2]);
    }
    arena_free(&t.memory);
}

static void what_changes_nothing_is_said_to_be_open(void **state)
{
    (void)state;
    double truth[] = {2, 3};
    trial t = make(first_only, truth, 2, 1);
    assert_int_equal(solve(&t, false), LITHE_OK);
    assert_float_equal(t.result.value[0], 2, 1e-9);
    assert_int_equal(t.result.nblind, 1);
    assert_true(t.result.open[1] && !t.result.open[0]);
    assert_false(t.result.blind[0].member[0]);
    arena_free(&t.memory);
}

// Two data about two nearly equal numbers, which scatter by more than those differ.
static void what_scatter_hides_is_open_too(void **state)
{
    (void)state;
    double truth[] = {2, 0.001};
    trial t = make(line, truth, 2, 1);
    seed = 31;
    for (int i = 0; i < NDATUM; i++)
        t.datum[i] += 0.01 * gauss();
    t.unknown[1].start = 0.001;
    assert_int_equal(solve(&t, false), LITHE_OK);
    assert_int_equal(t.result.nblind, 1);
    assert_true(t.result.open[1] && !t.result.open[0]);
    assert_false(t.result.blind[0].numerical);
    assert_true(t.result.low[0] < 2 && t.result.high[0] > 2);
    arena_free(&t.memory);
}

static void fewer_data_than_unknowns_leave_something_open(void **state)
{
    (void)state;
    double truth[] = {4, 0.5};
    trial t = make(decay, truth, 2, 1);
    t.ndatum = 1;
    t.unknown[0].start = 4.2;
    t.unknown[1].start = 0.5;
    assert_int_equal(solve(&t, false), LITHE_OK);
    assert_int_equal(t.result.nblind, 1);
    assert_true(t.result.open[0] && t.result.open[1]);
    arena_free(&t.memory);
}

static void as_many_data_as_unknowns_have_no_interval_without_sigma(void **state)
{
    (void)state;
    double truth[] = {4, 0.5};
    for (int weighted = 0; weighted < 2; weighted++) {
        trial t = make(decay, truth, 2, 1);
        t.ndatum = 2;
        t.sigma = weighted ? 0.01 : 1;
        assert_int_equal(solve(&t, weighted), LITHE_OK);
        assert_true(t.result.converged);
        assert_int_equal(t.result.nblind, 0);
        assert_int_equal(t.result.dof, 0);
        assert_int_equal(isnan(t.result.low[0]) != 0, !weighted);
        arena_free(&t.memory);
    }
}

static void bounds_hold_at_every_point_and_are_said_to_hold(void **state)
{
    (void)state;
    double truth[] = {4, 0.5};
    trial t = make(decay, truth, 2, 1);
    t.unknown[0].high = 3; // evaluate asserts that it is never exceeded
    assert_int_equal(solve(&t, false), LITHE_OK);
    assert_true(t.result.converged);
    assert_float_equal(t.result.value[0], 3, 0);
    assert_int_equal(t.result.at_bound[0], 1);
    assert_int_equal(t.result.at_bound[1], 0);
    assert_true(isnan(t.result.low[0]) && !t.result.open[0]);
    assert_false(isnan(t.result.low[1]));
    arena_free(&t.memory);
}

static void the_search_steps_back_from_where_there_is_no_answer(void **state)
{
    (void)state;
    double truth[] = {4, 0.5};
    trial t = make(decay, truth, 2, 0.01);
    t.edge = 4.001;
    assert_int_equal(solve(&t, false), LITHE_OK);
    assert_true(t.result.converged);
    assert_float_equal(t.result.value[0], 4, 1e-8);
    arena_free(&t.memory);
}

static void no_answer_at_the_start_is_not_converged(void **state)
{
    (void)state;
    double truth[] = {4, 0.5};
    trial t = make(decay, truth, 2, 1);
    t.edge = 0.5;
    assert_int_equal(solve(&t, false), LITHE_NOT_CONVERGED);
    arena_free(&t.memory);
}

static void a_failure_of_the_model_ends_the_search(void **state)
{
    (void)state;
    double truth[] = {4, 0.5};
    trial t = make(decay, truth, 2, 1);
    t.status = LITHE_IO;
    assert_int_equal(solve(&t, false), LITHE_IO);
    arena_free(&t.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_quantiles_are_those_of_the_tables),
        cmocka_unit_test(chi_square_tails_are_those_of_the_tables),
        cmocka_unit_test(singular_values_rebuild_the_matrix),
        cmocka_unit_test(exact_data_give_the_exact_values),
        cmocka_unit_test(a_straight_line_has_the_textbooks_intervals),
        cmocka_unit_test(intervals_hold_the_truth_as_often_as_they_say),
        cmocka_unit_test(residuals_that_contradict_their_sigma_widen_the_interval),
        cmocka_unit_test(only_a_product_is_said_to_be_known),
        cmocka_unit_test(only_a_ratio_is_said_to_be_known),
        cmocka_unit_test(two_open_products_are_kept_apart),
        cmocka_unit_test(what_changes_nothing_is_said_to_be_open),
        cmocka_unit_test(what_scatter_hides_is_open_too),
        cmocka_unit_test(fewer_data_than_unknowns_leave_something_open),
        cmocka_unit_test(as_many_data_as_unknowns_have_no_interval_without_sigma),
        cmocka_unit_test(bounds_hold_at_every_point_and_are_said_to_hold),
        cmocka_unit_test(the_search_steps_back_from_where_there_is_no_answer),
        cmocka_unit_test(no_answer_at_the_start_is_not_converged),
        cmocka_unit_test(a_failure_of_the_model_ends_the_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
