// The complementarity problem of contacts, as the box problem with lo = 0 and hi = infinity.
#include "solve/box.h"
#include "solve/principal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { SHARE = 10 }; // one in this many trials is made
#else
enum { SHARE = 1 };
#endif

enum { MAX = 400 };

static arena memory;
static box_work *work;
static principal factor;

typedef struct problem {
    int n;
    double W[MAX * MAX], H[MAX * MAX], q[MAX], lambda[MAX];
} problem;

static problem p;
static double zero[MAX], infinite[MAX];

static double uniform(void)
{
    static uint64_t seed = 41;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// W = H H' with `rank` columns, rows in scales of 10^-decades to 10^decades. gap: q = H x + gap
// with gap >= 0 for some x, so that bodies can be where none of them overlap.
static void draw(int n, int rank, double decades, bool whole)
{
    double x[MAX];
    p.n = n;
    for (int k = 0; k < rank; k++)
        x[k] = whole ? floor(3 * uniform()) : 3 * uniform();
    for (int i = 0; i < n; i++) {
        double scale = pow(10, decades * uniform());
        double gap = whole ? floor(1 + uniform()) : fmax(0, uniform());
        p.q[i] = gap * scale;
        p.lambda[i] = 0;
        for (int k = 0; k < rank; k++) {
            p.H[i * rank + k] = scale * (whole ? floor(1 + 1.5 * uniform()) : uniform());
            p.q[i] += p.H[i * rank + k] * x[k];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++)
                sum += p.H[i * rank + k] * p.H[j * rank + k];
            p.W[i * n + j] = sum;
        }
}

// |min(lambda, w)| in each row's own scale, over the largest |q|, or a thousandth of the largest
// term of W lambda where that is larger: roundoff is relative to the terms of a sum.
static double residual(void)
{
    double worst = 0, size = 0;
    for (int i = 0; i < p.n; i++) {
        double s = p.W[i * p.n + i] > 0 ? 1 / sqrt(p.W[i * p.n + i]) : 1, w = p.q[i];
        for (int j = 0; j < p.n; j++)
            w += p.W[i * p.n + j] * p.lambda[j];
        size = fmax(size, fmax(fabs(s * p.q[i]), 1e-3 * p.lambda[i] / s));
        worst = fmax(worst, fabs(fmin(p.lambda[i] / s, s * w)));
    }
    return size > 0 ? worst / size : worst;
}

static box_residual solve(void)
{
    return box_solve(work, p.n, p.W, p.q, zero, infinite, p.lambda);
}

static void ten_thousand_contact_problems_are_solved(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 10000; trial += SHARE) {
        int n = 1 + trial % 30;
        draw(n, n + 2, trial % 3, false);
        assert_true(solve().solved);
        assert_true(residual() < 1e-9);
    }
}

// Fewer degrees of freedom than contacts, as where one corner is in contact at many points.
static void redundant_contacts_are_solved_too(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 10000; trial += SHARE) {
        int n = 2 + trial % 29;
        draw(n, 1 + n / 3, 0, false);
        assert_true(solve().solved);
        assert_true(residual() < 1e-9);
    }
}

// Small whole numbers: contacts that are equal, opposite or without force are common.
static void degenerate_contacts_do_not_cycle(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 10000; trial += SHARE) {
        int n = 2 + trial % 19;
        draw(n, 1 + n / 2, 0, true);
        assert_true(solve().solved);
        assert_true(residual() < 1e-9);
    }
}

static void large_problems_are_solved(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 6; trial++) {
        draw(MAX / SHARE, trial % 2 ? MAX / SHARE / 2 : MAX / SHARE, 1, false);
        assert_true(solve().solved);
        assert_true(residual() < 1e-8);
    }
}

static void a_warm_start_changes_nothing_where_nothing_changed(void **unused)
{
    (void)unused;
    draw(60, 70, 1, false);
    solve();
    assert_true(solve().iteration == 0);
    assert_true(residual() < 1e-9);
}

// A point between two walls that leave it no room.
static void contradicting_contacts_are_called_so(void **unused)
{
    (void)unused;
    p = (problem){.n = 2, .W = {1, -1, -1, 1}, .q = {-1, -1}};
    box_residual r = solve();
    assert_true(!r.solved && r.endless);
    assert_true(p.lambda[0] > 0 && fabs(p.lambda[0] - p.lambda[1]) < 1e-12);
}

static void an_updated_factor_equals_a_fresh_one(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 300; trial++) {
        int n = 20;
        draw(n, n + 2, 0, false);
        principal_start(&factor, n, p.W);
        for (int change = 0; change < 100; change++) {
            int i = (int)(0.5 * (1 + uniform()) * n);
            if (factor.position[i] >= 0)
                principal_leave(&factor, i);
            else
                assert_true(principal_enter(&factor, i));
        }
        double x[20], b[20] = {0};
        for (int k = 0; k < factor.count; k++)
            x[k] = uniform();
        for (int k = 0; k < factor.count; k++)
            for (int j = 0; j < factor.count; j++)
                b[k] += p.W[factor.id[k] * n + factor.id[j]] * x[j];
        principal_solve(&factor, 1, b);
        for (int k = 0; k < factor.count; k++)
            assert_true(fabs(b[k] - x[k]) < 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_contact_problems_are_solved),
        cmocka_unit_test(redundant_contacts_are_solved_too),
        cmocka_unit_test(degenerate_contacts_do_not_cycle),
        cmocka_unit_test(large_problems_are_solved),
        cmocka_unit_test(a_warm_start_changes_nothing_where_nothing_changed),
        cmocka_unit_test(contradicting_contacts_are_called_so),
        cmocka_unit_test(an_updated_factor_equals_a_fresh_one),
    };
    for (int i = 0; i < MAX; i++)
        infinite[i] = INFINITY;
    work = box_create(&memory, MAX);
    bool ready = work && principal_create(&memory, MAX, &factor);
    int failed = ready ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    arena_free(&memory);
    return failed;
}
