#include "solve/box.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 12, LARGE = 120 };

static arena memory;
static box_work *work;

static double uniform(void)
{
    static uint64_t seed = 7;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

typedef struct problem {
    int n;
    double W[MAX * MAX], q[MAX], lo[MAX], hi[MAX], lambda[MAX];
} problem;

// W = B'B with `rank` rows, each column scaled by a power of ten.
static void random_problem(problem *p, int n, int rank, double decades)
{
    double B[(MAX + 1) * MAX];
    p->n = n;
    for (int i = 0; i < n; i++) {
        double scale = pow(10, decades * uniform());
        for (int k = 0; k < rank; k++)
            B[k * n + i] = scale * uniform();
        p->lo[i] = uniform() > 0 ? 0 : uniform() > 0 ? -INFINITY : -1 / scale;
        p->hi[i] = uniform() > 0 ? INFINITY : 1 / scale;
        p->lambda[i] = uniform() / scale;
    }
    memset(p->W, 0, sizeof p->W);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < rank; k++)
                p->W[i * n + j] += B[k * n + i] * B[k * n + j];
    for (int i = 0; i < n; i++) { // in the range of B', so that the minimum exists
        p->q[i] = 0;
        for (int k = 0; k < rank; k++)
            p->q[i] += B[k * n + i] * (0.5 + 0.1 * k);
    }
}

// The conditions of box.h, judged anew in each row's own scale.
static double kkt_gap(const problem *p)
{
    double gap = 0, size = 0;
    for (int i = 0; i < p->n; i++) {
        double w = p->q[i], s = 1 / sqrt(p->W[i * p->n + i]);
        for (int j = 0; j < p->n; j++)
            w += p->W[i * p->n + j] * p->lambda[j];
        assert_true(p->lambda[i] >= p->lo[i] && p->lambda[i] <= p->hi[i]);
        size = fmax(size, fabs(s * p->q[i]));
        double against = p->lambda[i] <= p->lo[i]   ? fmax(0, -w)
                         : p->lambda[i] >= p->hi[i] ? fmax(0, w)
                                                    : fabs(w);
        gap = fmax(gap, s * against);
    }
    return size > 0 ? gap / size : gap;
}

static void solve(problem *p)
{
    box_residual r = box_solve(work, p->n, p->W, p->q, p->lo, p->hi, p->lambda);
    assert_true(r.solved);
    assert_true(r.gap < 1e-9);
}

static void solutions_satisfy_the_conditions(void **unused)
{
    (void)unused;
    problem p;
    for (int trial = 0; trial < 20000; trial++) {
        int n = 1 + trial % MAX;
        random_problem(&p, n, n + 1, trial % 3 * 2);
        solve(&p);
        assert_true(kkt_gap(&p) < 1e-9);
    }
}

static void redundant_rows_are_solved_too(void **unused)
{
    (void)unused;
    problem p;
    for (int trial = 0; trial < 20000; trial++) {
        int n = 2 + trial % (MAX - 1);
        random_problem(&p, n, (n + 1) / 2, 0);
        solve(&p);
        assert_true(kkt_gap(&p) < 1e-9);
    }
}

// q outside the range of W: only bounds stop the fall.
static void bounds_end_what_w_does_not_see(void **unused)
{
    (void)unused;
    problem p;
    for (int trial = 0; trial < 20000; trial++) {
        int n = 2 + trial % (MAX - 1);
        random_problem(&p, n, (n + 1) / 2, 0);
        for (int i = 0; i < n; i++) {
            p.q[i] += 0.3 * uniform();
            p.lo[i] = fmax(p.lo[i], -2);
            p.hi[i] = fmin(p.hi[i], 3);
        }
        solve(&p);
        assert_true(kkt_gap(&p) < 1e-8);
    }
}

static void a_fall_without_end_is_not_called_solved(void **unused)
{
    (void)unused;
    problem p = {.n = 2,
                 .W = {1, 1, 1, 1},
                 .q = {-1, -2},
                 .lo = {-INFINITY, -INFINITY},
                 .hi = {INFINITY, INFINITY}};
    box_residual r = box_solve(work, 2, p.W, p.q, p.lo, p.hi, p.lambda);
    assert_false(r.solved);
    assert_true(r.endless);
    double fall = 0;
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(p.W[2 * i] * p.lambda[0] + p.W[2 * i + 1] * p.lambda[1]) < 1e-12);
        fall += p.q[i] * p.lambda[i];
    }
    assert_true(fall < -1e-3);
}

// All 3^n ways of putting rows at lo, between, or at hi: exactly the right one meets the
// conditions.
static bool enumerate(const problem *p, double *best)
{
    problem t = *p;
    int n = p->n, ways = (int)(pow(3, n) + 0.5);
    for (int way = 0; way < ways; way++) {
        int code = way, row[MAX], m = 0;
        bool ok = true;
        double A[MAX][MAX + 1];
        for (int i = 0; i < n; i++, code /= 3) {
            t.lambda[i] = code % 3 == 0 ? p->lo[i] : code % 3 == 1 ? 0 : p->hi[i];
            ok = ok && isfinite(t.lambda[i]);
            if (code % 3 == 1)
                row[m++] = i;
        }
        for (int i = 0; ok && i < m; i++) {
            A[i][m] = -p->q[row[i]];
            for (int j = 0; j < n; j++)
                A[i][m] -= p->W[row[i] * n + j] * t.lambda[j];
            for (int j = 0; j < m; j++)
                A[i][j] = p->W[row[i] * n + row[j]];
        }
        for (int k = 0; ok && k < m; k++) // W is positive definite here: no pivoting
            for (int i = 0; i < m; i++) {
                double f = A[i][k] / A[k][k];
                for (int j = k; i != k && j <= m; j++)
                    A[i][j] -= f * A[k][j];
            }
        for (int k = 0; ok && k < m; k++)
            t.lambda[row[k]] = A[k][m] / A[k][k];
        for (int i = 0; i < n; i++)
            ok = ok && t.lambda[i] >= p->lo[i] && t.lambda[i] <= p->hi[i];
        if (ok && kkt_gap(&t) < 1e-9) {
            memcpy(best, t.lambda, sizeof t.lambda);
            return true;
        }
    }
    return false;
}

static void solutions_equal_exhaustive_enumeration(void **unused)
{
    (void)unused;
    problem p;
    for (int trial = 0; trial < 500; trial++) {
        double best[MAX];
        random_problem(&p, 1 + trial % 5, 7, 0);
        assert_true(enumerate(&p, best));
        solve(&p);
        for (int i = 0; i < p.n; i++)
            assert_true(fabs(p.lambda[i] - best[i]) < 1e-7 * (1 + fabs(best[i])));
    }
}

// W has a part that is not symmetric, which lambda' W lambda does not know: friction that slips.
static void what_is_not_symmetric_is_refined(void **unused)
{
    (void)unused;
    problem p;
    int changed = 0;
    for (int trial = 0; trial < 5000; trial++) {
        int n = 1 + trial % MAX;
        double scratch[MAX * MAX + 3 * MAX];
        random_problem(&p, n, n + 1, 0);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                double skew = 0.5 * uniform() * sqrt(p.W[i * n + i] * p.W[j * n + j]);
                p.W[i * n + j] += skew;
                p.W[j * n + i] -= skew;
            }
        box_residual r = box_solve(work, n, p.W, p.q, p.lo, p.hi, p.lambda);
        if (!r.solved)
            for (int i = 0; i < n; i++)
                p.lambda[i] = fmin(fmax(0, p.lo[i]), p.hi[i]);
        changed += kkt_gap(&p) > 1e-3;
        assert_true(box_refine(n, p.W, p.q, p.lo, p.hi, p.lambda, scratch));
        assert_true(kkt_gap(&p) < 1e-9);
    }
    assert_true(changed > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_satisfy_the_conditions),
        cmocka_unit_test(redundant_rows_are_solved_too),
        cmocka_unit_test(bounds_end_what_w_does_not_see),
        cmocka_unit_test(a_fall_without_end_is_not_called_solved),
        cmocka_unit_test(solutions_equal_exhaustive_enumeration),
        cmocka_unit_test(what_is_not_symmetric_is_refined),
    };
    work = box_create(&memory, LARGE);
    int failed = work ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    arena_free(&memory);
    return failed;
}
