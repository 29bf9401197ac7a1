#include "solve/hierarchy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { SHARE = 5 }; // one in this many trials is made
#else
enum { SHARE = 1 };
#endif

enum { N = 16, M = 16, LEVELS = 5, ROWS = 4 };

static arena memory;
static hierarchy_work *work;

static double uniform(void)
{
    static uint64_t seed = 11;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static int below(int n) // 0 .. n-1
{
    return (int)((uniform() + 1) / 2 * n) % n;
}

// A robot: limits on efforts and on the displacements R x, everything in units that differ.
typedef struct robot {
    int n, m, nlevel, nrow[LEVELS];
    double J[LEVELS][ROWS * N], e[LEVELS][ROWS], weight[LEVELS][ROWS];
    double R[N * N], x0[N], lo[N], hi[N], A[M * N], blo[M], bhi[M];
    double unit[N];   // x_j = unit_j times a number near 1
    double inside[N]; // meets all limits
    hierarchy_solution s;
} robot;

static double entry(bool whole)
{
    return whole ? below(3) - 1 : uniform();
}

static void random_limits(robot *r, bool whole)
{
    for (int i = 0; i < r->n; i++) {
        r->inside[i] = r->unit[i] * entry(whole);
        r->lo[i] = r->inside[i] - r->unit[i] * (whole ? below(2) : 0.5 * (1 + uniform()));
        r->hi[i] = r->inside[i] + r->unit[i] * (whole ? below(2) : 0.5 * (1 + uniform()));
        r->x0[i] = r->unit[i] * uniform();
    }
    for (int i = 0; i < r->m; i++) {
        double value = 0;
        for (int j = 0; j < r->n; j++) {
            r->A[i * r->n + j] = whole ? entry(true) / r->unit[j] : r->R[i * r->n + j] * r->unit[i];
            value += r->A[i * r->n + j] * r->inside[j];
        }
        r->blo[i] = value - (whole ? below(2) : 1 + uniform());
        r->bhi[i] = value + (whole ? below(2) : 1 + uniform());
    }
}

static void random_robot(robot *r, int n, int nlevel, double decades, bool whole)
{
    double B[N * N] = {0};
    r->n = r->m = n;
    r->nlevel = nlevel;
    for (int k = 0; k < n * n; k++)
        B[k] = uniform();
    for (int i = 0; i < n; i++)
        r->unit[i] = pow(10, decades * uniform());
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j;
            for (int k = 0; k < n; k++)
                sum += B[k * n + i] * B[k * n + j];
            r->R[i * n + j] = sum / r->unit[i] / r->unit[j];
        }
    random_limits(r, whole);
    for (int k = 0; k < nlevel; k++) {
        r->nrow[k] = 1 + below(ROWS);
        for (int i = 0; i < r->nrow[k]; i++) {
            for (int j = 0; j < n; j++)
                r->J[k][i * n + j] = entry(whole) / r->unit[j];
            r->e[k][i] = entry(whole);
            r->weight[k][i] = 1 + 0.5 * uniform();
        }
    }
}

// Targets of the first level that some x within the limits reaches.
static void make_reachable(robot *r)
{
    for (int i = 0; i < r->nrow[0]; i++) {
        r->e[0][i] = 0;
        for (int j = 0; j < r->n; j++)
            r->e[0][i] -= r->J[0][i * r->n + j] * r->inside[j];
    }
}

static qp_status solve_mode(robot *r, hierarchy_mode mode)
{
    hierarchy_level level[LEVELS];
    for (int k = 0; k < r->nlevel; k++)
        level[k] = (hierarchy_level){r->nrow[k], r->J[k], r->e[k], r->weight[k]};
    hierarchy_problem p = {.n = r->n,
                           .m = r->m,
                           .nlevel = r->nlevel,
                           .level = level,
                           .lo = r->lo,
                           .hi = r->hi,
                           .A = r->A,
                           .blo = r->blo,
                           .bhi = r->bhi,
                           .R = r->R,
                           .x0 = r->x0,
                           .mode = mode};
    return hierarchy_solve(work, &p, &r->s);
}

static void solve(robot *r)
{
    assert_int_equal(solve_mode(r, HIERARCHY_STRICT), QP_SOLVED);
    assert_true(r->s.primal <= QP_TOLERANCE);
    assert_true(r->s.dual <= QP_TOLERANCE);
    assert_true(r->s.complementarity <= QP_TOLERANCE);
    for (int j = 0; j < r->n; j++)
        assert_true(r->s.x[j] >= r->lo[j] && r->s.x[j] <= r->hi[j]);
    for (int i = 0; i < r->m; i++) {
        double value = 0, size = 0;
        for (int j = 0; j < r->n; j++) {
            value += r->A[i * r->n + j] * r->s.x[j];
            size += fabs(r->A[i * r->n + j]) * r->unit[j];
        }
        assert_true(value >= r->blo[i] - 1e-9 * size && value <= r->bhi[i] + 1e-9 * size);
    }
}

static void solve_fresh(robot *r)
{
    hierarchy_forget(work);
    solve(r);
}

static void reachable_targets_are_reached_to_1e_12(void **unused)
{
    (void)unused;
    static robot r;
    for (int trial = 0; trial < 5000 / SHARE; trial++) {
        random_robot(&r, 4 + below(N - 3), 1 + below(2), trial % 2 * 6, trial % 3 == 0);
        make_reachable(&r);
        solve_fresh(&r);
        for (int i = 0; i < r.nrow[0]; i++)
            assert_true(fabs(r.s.residual[i]) < 1e-12 * r.n);
    }
}

// Two task rows that differ by 1e-4, so that J'J has a condition of 1e8.
static void nearly_dependent_targets_are_reached_too(void **unused)
{
    (void)unused;
    static robot r;
    double worst = 0;
    for (int trial = 0; trial < 2000 / SHARE; trial++) {
        random_robot(&r, 4 + below(N - 3), 1, trial % 2 * 6, false);
        r.nrow[0] = 3;
        for (int j = 0; j < r.n; j++) {
            r.J[0][r.n + j] = r.J[0][j] + 1e-4 * uniform() / r.unit[j];
            r.J[0][2 * r.n + j] = uniform() / r.unit[j];
        }
        r.weight[0][0] = r.weight[0][1] = r.weight[0][2] = 1;
        make_reachable(&r);
        solve_fresh(&r);
        for (int i = 0; i < r.nrow[0]; i++)
            worst = fmax(worst, fabs(r.s.residual[i]));
    }
    assert_true(worst < 1e-12 * N);
}

static void copy_x(const robot *r, double *x)
{
    memcpy(x, r->s.x, (size_t)r->n * sizeof *x);
}

static void assert_same_x(const robot *r, const double *x, double tolerance)
{
    for (int j = 0; j < r->n; j++)
        assert_true(fabs(r->s.x[j] - x[j]) < tolerance * r->unit[j]);
}

static void the_start_does_not_matter(void **unused)
{
    (void)unused;
    static robot r, other;
    double x[N];
    int cold = 0, warm = 0;
    for (int trial = 0; trial < 3000 / SHARE; trial++) {
        int n = 4 + below(N - 3);
        random_robot(&r, n, 2, trial % 2 * 4, false);
        solve_fresh(&r);
        cold += r.s.iteration;
        copy_x(&r, x);
        random_robot(&other, n, 2, 0, false);
        solve_fresh(&other);
        solve(&r); // from the other's active sets
        assert_same_x(&r, x, 1e-7);
        solve(&r); // from its own
        assert_same_x(&r, x, 1e-7);
        warm += r.s.iteration;
    }
    assert_true(warm * 5 < cold);
}

static void forgetting_gives_the_same_bits(void **unused)
{
    (void)unused;
    static robot r, other;
    double x[N];
    for (int trial = 0; trial < 200 / SHARE; trial++) {
        random_robot(&r, 12, 3, 2, false);
        solve_fresh(&r);
        copy_x(&r, x);
        random_robot(&other, 9, 2, 0, false);
        solve(&other);
        solve_fresh(&r);
        assert_memory_equal(x, r.s.x, sizeof(double) * 12);
    }
}

// J'w(Jx + e) is held by the limits: it equals the sum of multiplier times gradient, each limit
// pulling its own way.
static void multipliers_and_slopes_balance(void **unused)
{
    (void)unused;
    static robot r;
    int unreachable = 0;
    for (int trial = 0; trial < 5000 / SHARE; trial++) {
        random_robot(&r, 2 + below(N - 1), 1, trial % 2 * 4, trial % 3 == 0);
        solve_fresh(&r);
        unreachable += r.s.cost[0] > 1e-3;
        for (int j = 0; j < r.n; j++) {
            double sum = -r.s.multiplier[j];
            for (int i = 0; i < r.nrow[0]; i++)
                sum += r.weight[0][i] * r.J[0][i * r.n + j] * r.s.residual[i];
            for (int i = 0; i < r.m; i++)
                sum -= r.s.multiplier[r.n + i] * r.A[i * r.n + j];
            assert_true(fabs(sum) * r.unit[j] < 1e-9);
            // a multiplier at the lower limit is positive: raising it costs
            double multiplier = r.s.multiplier[j] * r.unit[j];
            assert_true(multiplier <= 1e-9 || r.s.x[j] <= r.lo[j] + 1e-9 * r.unit[j]);
            assert_true(multiplier >= -1e-9 || r.s.x[j] >= r.hi[j] - 1e-9 * r.unit[j]);
        }
    }
    assert_true(unreachable > 1000 / SHARE);
}

static double cost_with_limit(robot *r, double *limit, double change)
{
    double keep = *limit;
    *limit += change;
    solve_fresh(r);
    *limit = keep;
    return r->s.cost[0];
}

static void multipliers_are_derivatives_of_the_cost(void **unused)
{
    (void)unused;
    static robot r;
    int checked = 0;
    for (int trial = 0; trial < 400 / SHARE; trial++) {
        double multiplier[N + M];
        random_robot(&r, 2 + below(6), 1, trial % 2 * 3, false);
        solve_fresh(&r);
        memcpy(multiplier, r.s.multiplier, sizeof(double) * (size_t)(r.n + r.m));
        for (int i = 0; i < r.n + r.m; i++) {
            bool bound = i<r.n, lower = multiplier[i]> 0;
            double unit = bound ? r.unit[i] : 1;
            if (fabs(multiplier[i]) * unit < 1e-3)
                continue;
            double *limit =
                bound ? (lower ? &r.lo[i] : &r.hi[i]) : (lower ? &r.blo[i - r.n] : &r.bhi[i - r.n]);
            double h = 1e-6 * unit;
            double above = cost_with_limit(&r, limit, h), under = cost_with_limit(&r, limit, -h);
            assert_true(fabs((above - under) / (2 * h) - multiplier[i]) * unit < 1e-5);
            checked++;
        }
    }
    assert_true(checked > 400 / SHARE);
}

static void later_levels_use_only_the_freedom_left(void **unused)
{
    (void)unused;
    static robot r;
    for (int trial = 0; trial < 5000 / SHARE; trial++) {
        double residual[LEVELS * ROWS];
        random_robot(&r, 2 + below(N - 1), LEVELS, trial % 2 * 4, trial % 3 == 0);
        if (trial % 4 == 0) // a level that repeats the first, and one row twice
            memcpy(r.J[1], r.J[0], sizeof r.J[0]);
        solve_fresh(&r);
        memcpy(residual, r.s.residual, sizeof residual);
        for (r.nlevel = LEVELS - 1; r.nlevel > 0; r.nlevel--) {
            int row = 0;
            solve_fresh(&r);
            for (int k = 0; k < r.nlevel; k++)
                for (int i = 0; i < r.nrow[k]; i++, row++)
                    assert_true(fabs(r.s.residual[row] - residual[row]) < 1e-7);
        }
    }
}

// One level with all rows, each level's weights a million times less than the one before: the same
// up to that.
static void widely_spaced_weights_come_to_the_same(void **unused)
{
    (void)unused;
    static robot r, one;
    int near = 0, trials = 1000 / SHARE;
    for (int trial = 0; trial < trials; trial++) {
        double cost[2], x[N];
        random_robot(&r, 3 + below(4), 2, 0, false);
        r.nrow[0] = r.nrow[1] = 1;
        solve_fresh(&r);
        memcpy(cost, r.s.cost, sizeof cost);
        copy_x(&r, x);
        one = r;
        one.nlevel = 1;
        one.nrow[0] = 2;
        memcpy(one.J[0] + r.n, r.J[1], sizeof(double) * (size_t)r.n);
        one.e[0][1] = r.e[1][0];
        one.weight[0][1] = 1e-6 * r.weight[1][0];
        solve_fresh(&one);
        double first = one.s.residual[0], second = one.s.residual[1];
        first = 0.5 * r.weight[0][0] * first * first;
        second = 0.5 * r.weight[1][0] * second * second;
        assert_true(first > cost[0] - 1e-9 && first < cost[0] + 1e-5);
        assert_true(second < cost[1] + 1e-9); // it may gain a little by neglecting the first
        near += second > cost[1] - 1e-3;
    }
    assert_true(near > trials * 9 / 10);
}

static void degenerate_robots_never_fail(void **unused)
{
    (void)unused;
    static robot r;
    for (int trial = 0; trial < 20000 / SHARE; trial++) {
        random_robot(&r, 1 + below(8), 1 + below(LEVELS), trial % 4 * 2, true);
        if (trial % 2)
            make_reachable(&r);
        solve(&r); // warm from whatever was before
    }
}

// Of an arm that is outstretched: along it the joints move its end by what rounding says, so J'J is
// flat there, and yet c is not quite 0. A sum of squares has a least value all the same.
static void what_hardly_moves_a_target_leaves_it(void **unused)
{
    (void)unused;
    static robot r;
    for (double small = 1e-16; small < 2e-3; small *= 10) {
        random_robot(&r, 2, 1, 0, false);
        r.m = 0;
        r.nrow[0] = 2;
        memcpy(r.J[0], (double[]){2, 1, small, -2 * small}, 4 * sizeof *r.J[0]);
        memcpy(r.e[0], (double[]){0.1, -0.8}, 2 * sizeof *r.e[0]);
        r.weight[0][0] = r.weight[0][1] = 1;
        memcpy(r.R, (double[]){2, 0.5, 0.5, 1}, 4 * sizeof *r.R);
        for (int j = 0; j < 2; j++) {
            r.lo[j] = -INFINITY;
            r.hi[j] = INFINITY;
            r.x0[j] = 0;
        }
        hierarchy_forget(work);
        assert_int_equal(solve_mode(&r, HIERARCHY_STRICT), QP_SOLVED);
        assert_true(fabs(r.s.residual[0]) < 1e-6);
        assert_true(fabs(r.s.residual[1]) < 0.8 * (1 + 1e-6));
    }
}

static void contradicting_limits_are_passed_on(void **unused)
{
    (void)unused;
    static robot r;
    random_robot(&r, 4, 2, 2, false);
    for (int j = 0; j < 4; j++)
        r.A[j] = 1 / r.unit[j];
    r.blo[0] = r.bhi[0] = 1;
    for (int j = 0; j < 4; j++)
        r.blo[0] += fmax(r.hi[j] / r.unit[j], 0);
    r.bhi[0] = INFINITY;
    assert_int_equal(solve_mode(&r, HIERARCHY_STRICT), QP_INFEASIBLE);
    assert_int_equal(r.s.failed_level, 0);
    assert_int_equal(r.s.nconflict, 5);
}

// Zero slope of 1/2 sum w (J x + e)^2 + epsilon (x + x0)'R(x + x0), with no limit in the way.
static void the_mixed_mode_is_the_formula_of_the_thesis(void **unused)
{
    (void)unused;
    static robot r;
    for (int trial = 0; trial < 1000 / SHARE; trial++) {
        double task[N * N] = {0}, norm_task = 0, norm_tie = 0;
        random_robot(&r, 2 + below(N - 1), 1, trial % 2 * 3, false);
        for (int j = 0; j < r.n; j++) {
            r.lo[j] = r.blo[j] = -INFINITY;
            r.hi[j] = r.bhi[j] = INFINITY;
        }
        hierarchy_forget(work);
        assert_int_equal(solve_mode(&r, HIERARCHY_MIXED), QP_SOLVED);
        for (int j = 0; j < r.n; j++) {
            double row_task = 0, row_tie = 0;
            for (int k = 0; k < r.n; k++) {
                for (int i = 0; i < r.nrow[0]; i++)
                    task[j * r.n + k] += r.weight[0][i] * r.J[0][i * r.n + j] * r.J[0][i * r.n + k];
                row_task += fabs(task[j * r.n + k]);
                row_tie += fabs(r.R[j * r.n + k]);
            }
            norm_task = fmax(norm_task, row_task);
            norm_tie = fmax(norm_tie, row_tie);
        }
        for (int j = 0; j < r.n; j++) {
            double slope = 0;
            for (int k = 0; k < r.n; k++)
                slope += 2e-3 * norm_task / norm_tie * r.R[j * r.n + k] * (r.s.x[k] + r.x0[k]);
            for (int i = 0; i < r.nrow[0]; i++)
                slope += r.weight[0][i] * r.J[0][i * r.n + j] * r.s.residual[i];
            assert_true(fabs(slope) * r.unit[j] < 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reachable_targets_are_reached_to_1e_12),
        cmocka_unit_test(nearly_dependent_targets_are_reached_too),
        cmocka_unit_test(the_start_does_not_matter),
        cmocka_unit_test(forgetting_gives_the_same_bits),
        cmocka_unit_test(multipliers_and_slopes_balance),
        cmocka_unit_test(multipliers_are_derivatives_of_the_cost),
        cmocka_unit_test(later_levels_use_only_the_freedom_left),
        cmocka_unit_test(widely_spaced_weights_come_to_the_same),
        cmocka_unit_test(degenerate_robots_never_fail),
        cmocka_unit_test(what_hardly_moves_a_target_leaves_it),
        cmocka_unit_test(contradicting_limits_are_passed_on),
        cmocka_unit_test(the_mixed_mode_is_the_formula_of_the_thesis),
    };
    work = hierarchy_create(&memory, N, M, LEVELS, LEVELS * ROWS);
    int failed = work ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    arena_free(&memory);
    return failed;
}
