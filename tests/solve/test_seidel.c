#include "solve/hierarchy.h"
#include "solve/seidel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { A = 6, E = 3 };

static arena memory;
static hierarchy_work *work;

static double uniform(void)
{
    static uint64_t seed = 3;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

typedef struct robot {
    int n;
    double W_ea[E * A], W_aa[A * A], shift_free[E], delta_free[A];
    double effort_lo[A], effort_hi[A], delta_lo[A], delta_hi[A];
    double effort[A], shift[E], delta[A];
    seidel_result result;
} robot;

// Actuators that pull mainly along different axes, so that the sweeps converge in reasonable time.
static void random_robot(robot *r, int n)
{
    r->n = n;
    for (int i = 0; i < E; i++) {
        for (int j = 0; j < n; j++)
            r->W_ea[i * n + j] = 0.3 * uniform() + (j % E == i ? (j < E ? 1 : -1) : 0);
        r->shift_free[i] = uniform();
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            r->W_aa[i * n + j] = r->W_aa[j * n + i] = i == j ? 2 : 0.3 * uniform();
        r->delta_free[i] = 0.1 * uniform();
        r->effort_lo[i] = 0;
        r->effort_hi[i] = INFINITY;
        r->delta_lo[i] = -INFINITY;
        r->delta_hi[i] = INFINITY;
        r->effort[i] = 0;
    }
}

static void solve_by_sweeps(robot *r, double omega)
{
    seidel_problem p = {.nactuator = r->n,
                        .neffector = E,
                        .W_ea = r->W_ea,
                        .W_aa = r->W_aa,
                        .shift_free = r->shift_free,
                        .delta_free = r->delta_free,
                        .effort_lo = r->effort_lo,
                        .effort_hi = r->effort_hi,
                        .delta_lo = r->delta_lo,
                        .delta_hi = r->delta_hi,
                        .omega = omega,
                        .max_iteration = 20000,
                        .tolerance = 1e-13};
    r->result = seidel_solve(&p, r->effort, r->shift, r->delta);
}

static hierarchy_solution solve_by_qp(const robot *r)
{
    double blo[A], bhi[A];
    hierarchy_level level = {E, r->W_ea, r->shift_free, NULL};
    for (int i = 0; i < r->n; i++) {
        blo[i] = r->delta_lo[i] - r->delta_free[i];
        bhi[i] = r->delta_hi[i] - r->delta_free[i];
    }
    hierarchy_problem p = {.n = r->n,
                           .m = r->n,
                           .nlevel = 1,
                           .level = &level,
                           .lo = r->effort_lo,
                           .hi = r->effort_hi,
                           .A = r->W_aa,
                           .blo = blo,
                           .bhi = bhi,
                           .R = r->W_aa};
    hierarchy_solution s;
    hierarchy_forget(work);
    assert_int_equal(hierarchy_solve(work, &p, &s), QP_SOLVED);
    return s;
}

static void without_limits_the_target_is_reached(void **unused)
{
    (void)unused;
    static robot r;
    for (int trial = 0; trial < 300; trial++) {
        random_robot(&r, trial % 2 ? A : E);
        for (int j = 0; j < r.n; j++)
            r.effort_lo[j] = -INFINITY;
        solve_by_sweeps(&r, 1);
        assert_true(r.result.converged);
        assert_true(r.result.shift < 1e-11);
        if (r.n == E) { // then the solution is unique
            hierarchy_solution s = solve_by_qp(&r);
            for (int j = 0; j < r.n; j++)
                assert_true(fabs(r.effort[j] - s.x[j]) < 1e-10);
        }
    }
}

// With limits on efforts alone the sweeps are a descent one coordinate at a time over a box, which
// ends at the optimum, reachable or not.
static void under_effort_limits_the_shift_is_the_least_possible(void **unused)
{
    (void)unused;
    static robot r;
    for (int trial = 0; trial < 300; trial++) {
        random_robot(&r, trial % 2 ? A : E);
        for (int j = 0; j < r.n; j++)
            r.effort_hi[j] = 0.5;
        solve_by_sweeps(&r, trial % 3 == 0 ? 0.7 : 1.2);
        hierarchy_solution s = solve_by_qp(&r);
        assert_true(r.result.converged);
        assert_true(fabs(r.result.shift - sqrt(2 * s.cost[0])) < 1e-9);
        for (int j = 0; j < r.n; j++)
            assert_true(r.effort[j] >= 0 && r.effort[j] <= 0.5);
    }
}

// Where limits of the stroke bind, each actuator alone can do no better, but all together might.
static void strokes_are_kept_and_the_optimum_is_not_beaten(void **unused)
{
    (void)unused;
    static robot r;
    int reached = 0, reachable = 0;
    for (int trial = 0; trial < 300; trial++) {
        random_robot(&r, trial % 2 ? A : E);
        for (int j = 0; j < r.n; j++) {
            r.delta_lo[j] = -0.6;
            r.delta_hi[j] = 1.5;
            r.effort_lo[j] = -INFINITY;
        }
        solve_by_sweeps(&r, 1);
        hierarchy_solution s = solve_by_qp(&r);
        assert_true(r.result.converged);
        assert_true(r.result.overrun < 1e-9);
        assert_true(r.result.shift > sqrt(2 * s.cost[0]) - 1e-9);
        reachable += s.cost[0] < 1e-20;
        reached += s.cost[0] < 1e-20 && r.result.shift < 1e-9;
    }
    assert_true(reachable > 50 && reached * 10 > reachable * 7);
}

static void contradicting_limits_show_as_overrun(void **unused)
{
    (void)unused;
    static robot r;
    random_robot(&r, E);
    for (int j = 0; j < r.n; j++) {
        r.effort_lo[j] = 0;
        r.effort_hi[j] = 0.1;
        r.delta_lo[j] = 5;
    }
    solve_by_sweeps(&r, 1);
    assert_true(r.result.overrun > 4);
    for (int j = 0; j < r.n; j++)
        assert_true(r.effort[j] >= 0 && r.effort[j] <= 0.1);
}

static void shift_and_delta_belong_to_the_efforts(void **unused)
{
    (void)unused;
    static robot r;
    for (int trial = 0; trial < 100; trial++) {
        random_robot(&r, A);
        solve_by_sweeps(&r, 0.9);
        for (int i = 0; i < E; i++) {
            double value = r.shift_free[i];
            for (int j = 0; j < r.n; j++)
                value += r.W_ea[i * r.n + j] * r.effort[j];
            assert_true(fabs(value - r.shift[i]) < 1e-14);
        }
        for (int i = 0; i < r.n; i++) {
            double value = r.delta_free[i];
            for (int j = 0; j < r.n; j++)
                value += r.W_aa[i * r.n + j] * r.effort[j];
            assert_true(fabs(value - r.delta[i]) < 1e-14);
        }
    }
}

// The sweeps with contacts end where every contact obeys Signorini's law at the efforts found, and
// where no actuator alone, contacts held, can do better [duriez2013, section IV.C].
static void contacts_obey_signorini_after_the_sweeps(void **unused)
{
    (void)unused;
    enum { C = 4, ROWS = A + E + C, DOFS = 30 };
    static double H[ROWS * DOFS], W[ROWS * ROWS];
    int nforce = 0;
    for (int trial = 0; trial < 100; trial++) {
        double W_ea[E * A], W_ec[E * C], W_ac[A * C], W_cc[C * C], W_aa[A * A], gap_free[C];
        double force[C] = {0}, gap[C], effort[A] = {0}, shift[E], delta[A], none[A] = {0};
        double shift_free[E], lo[A], hi[A];
        for (int k = 0; k < ROWS * DOFS; k++)
            H[k] = 0.3 * uniform();
        for (int i = 0; i < ROWS; i++) // mainly one actuator for each effector
            H[i * DOFS + (i >= A && i < A + E ? i - A : i)] += 2;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++) {
                W[i * ROWS + j] = 0;
                for (int k = 0; k < DOFS; k++)
                    W[i * ROWS + j] += H[i * DOFS + k] * H[j * DOFS + k] / DOFS;
            }
        for (int i = 0; i < A; i++) {
            lo[i] = -(hi[i] = INFINITY);
            memcpy(W_aa + i * A, W + i * ROWS, A * sizeof *W);
            memcpy(W_ac + i * C, W + i * ROWS + A + E, C * sizeof *W);
        }
        for (int i = 0; i < E; i++) {
            shift_free[i] = uniform();
            memcpy(W_ea + i * A, W + (A + i) * ROWS, A * sizeof *W);
            memcpy(W_ec + i * C, W + (A + i) * ROWS + A + E, C * sizeof *W);
        }
        for (int c = 0; c < C; c++) {
            gap_free[c] = 0.3 * uniform();
            memcpy(W_cc + c * C, W + (A + E + c) * ROWS + A + E, C * sizeof *W);
        }
        seidel_contacts contacts = {C, W_ec, W_ac, W_cc, gap_free, force, gap};
        seidel_problem p = {A,  E,  W_ea, W_aa, shift_free, none,  lo,
                            hi, lo, hi,   0.5,  100000,     1e-13, &contacts};
        seidel_result result = seidel_solve(&p, effort, shift, delta);
        assert_true(result.converged);
        assert_true(result.shift < 1e-9); // six free actuators reach three targets
        for (int c = 0; c < C; c++) {
            double value = gap_free[c];
            for (int j = 0; j < A; j++)
                value += W_ac[j * C + c] * effort[j];
            for (int d = 0; d < C; d++)
                value += W_cc[c * C + d] * force[d];
            assert_true(force[c] >= 0 && fabs(fmin(force[c], value)) < 1e-9);
            nforce += force[c] > 0.01;
        }
    }
    assert_true(nforce > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_limits_the_target_is_reached),
        cmocka_unit_test(under_effort_limits_the_shift_is_the_least_possible),
        cmocka_unit_test(strokes_are_kept_and_the_optimum_is_not_beaten),
        cmocka_unit_test(contradicting_limits_show_as_overrun),
        cmocka_unit_test(shift_and_delta_belong_to_the_efforts),
        cmocka_unit_test(contacts_obey_signorini_after_the_sweeps),
    };
    work = hierarchy_create(&memory, A, A, 1, E);
    int failed = work ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    arena_free(&memory);
    return failed;
}
