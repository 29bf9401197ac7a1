#include "solve/friction.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { SHARE = 20 }; // one in this many trials is made
#else
enum { SHARE = 1 };
#endif

enum { NC = 20, BOX = 4, ROWS = BOX + 3 * NC, DOFS = 120 };

static arena memory;
static friction_work *work;

static double uniform(void)
{
    static uint64_t seed = 31;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

typedef struct problem {
    int nbox, nc, n;
    double W[ROWS * ROWS], q[ROWS], lo[BOX], hi[BOX], mu[NC], lambda[ROWS];
} problem;

static problem p;

// q = H v + gap: contacts that some motion v opens or leaves touching.
static void draw(int nbox, int nc, int dofs, double mu)
{
    static double H[ROWS * DOFS];
    double v[DOFS];
    p.nbox = nbox;
    p.nc = nc;
    p.n = nbox + 3 * nc;
    for (int k = 0; k < p.n * dofs; k++)
        H[k] = uniform();
    for (int k = 0; k < dofs; k++)
        v[k] = uniform();
    for (int i = 0; i < p.n; i++) {
        p.lambda[i] = 0;
        p.q[i] = i >= nbox && (i - nbox) % 3 == 0 ? fmax(0.01, uniform()) : 0;
        for (int k = 0; k < dofs; k++)
            p.q[i] += H[i * dofs + k] * v[k];
        for (int j = 0; j < p.n; j++) {
            p.W[i * p.n + j] = 0;
            for (int k = 0; k < dofs; k++)
                p.W[i * p.n + j] += H[i * dofs + k] * H[j * dofs + k] / dofs;
        }
    }
    for (int i = 0; i < nbox; i++) {
        p.lo[i] = uniform() > 0 ? 0 : -INFINITY;
        p.hi[i] = uniform() > 0 ? 2 : INFINITY;
    }
    for (int c = 0; c < nc; c++)
        p.mu[c] = mu * 0.5 * (1 + uniform());
}

static friction_result solve(void)
{
    friction_problem f = {p.nbox, p.nc, p.W, p.q, p.lo, p.hi, p.mu};
    return friction_solve(work, &f, p.lambda);
}

// The laws themselves, not the map of the solver.
static double broken_law(void)
{
    double worst = 0;
    for (int i = 0; i < p.n; i++) {
        double w[3] = {0};
        int rows = i < p.nbox ? 1 : 3;
        for (int k = 0; k < rows; k++) {
            w[k] = p.q[i + k];
            for (int j = 0; j < p.n; j++)
                w[k] += p.W[(i + k) * p.n + j] * p.lambda[j];
        }
        const double *l = p.lambda + i;
        if (i < p.nbox) {
            double wrong = l[0] <= p.lo[i]   ? fmax(0, -w[0])
                           : l[0] >= p.hi[i] ? fmax(0, w[0])
                                             : fabs(w[0]);
            worst = fmax(worst, fmax(wrong, fmax(p.lo[i] - l[0], l[0] - p.hi[i])));
            continue;
        }
        double mu = p.mu[(i - p.nbox) / 3], slip = hypot(w[1], w[2]);
        worst = fmax(worst, fabs(fmin(l[0], w[0])));
        worst = fmax(worst, hypot(l[1], l[2]) - mu * l[0]);
        for (int k = 1; k < 3 && slip > 1e-12; k++) // maximal dissipation, without dividing
            worst = fmax(worst, fmin(slip, 1) * fabs(l[k] + mu * l[0] * w[k] / slip));
        i += 2;
    }
    return worst;
}

static void one_contact_obeys_the_laws(void **unused)
{
    (void)unused;
    int open = 0, stick = 0, slide = 0;
    for (int trial = 0; trial < 100000; trial += SHARE) {
        double B[9], W[9] = {0}, q[3], l[3], w[3], mu = 1 + uniform();
        for (int k = 0; k < 9; k++)
            B[k] = uniform();
        for (int i = 0; i < 3; i++) {
            q[i] = uniform();
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    W[3 * i + j] += B[3 * i + k] * B[3 * j + k] + 0.1 * (i == j);
        }
        friction_local(W, q, mu, l);
        for (int i = 0; i < 3; i++)
            w[i] = q[i] + W[3 * i] * l[0] + W[3 * i + 1] * l[1] + W[3 * i + 2] * l[2];
        double force = hypot(l[1], l[2]), slip = hypot(w[1], w[2]);
        assert_true(fabs(fmin(l[0], w[0])) < 1e-10);
        assert_true(force <= mu * l[0] * (1 + 1e-12));
        assert_true(fabs(mu * l[0] * slip + l[1] * w[1] + l[2] * w[2]) < 1e-10);
        open += l[0] == 0;
        stick += l[0] > 0 && slip < 1e-10;
        slide += l[0] > 0 && slip > 1e-10;
    }
    assert_true(open * SHARE > 1000 && stick * SHARE > 1000 && slide * SHARE > 1000);
}

static void ten_thousand_problems_with_friction_are_solved(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 10000; trial += SHARE) {
        int nc = 1 + trial % 8, nbox = trial / 8 % BOX;
        draw(nbox, nc, nbox + 3 * nc + 4, 1);
        friction_result r = solve();
        assert_true(r.solved && r.residual < 1e-9);
        assert_true(broken_law() < 1e-8);
    }
}

static void redundant_contacts_are_solved_too(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 1000; trial += SHARE) {
        int nc = 2 + trial % 7;
        draw(0, nc, 3 + 3 * nc / 2, 0.8);
        assert_true(solve().solved);
        assert_true(broken_law() < 1e-8);
    }
}

static void many_contacts_are_solved(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 20; trial += SHARE) {
        draw(BOX, NC, DOFS, 1);
        assert_true(solve().solved);
        assert_true(broken_law() < 1e-8);
    }
}

// Mass 1 on a slope with a push: sticks below the limit, slides above it, at any angle in the
// plane.
static void a_block_sticks_below_the_limit_and_slides_above_it(void **unused)
{
    (void)unused;
    for (int k = 0; k < 40; k++) {
        double angle = 0.157 * k, mu = 0.3, pull = k % 2 ? 0.999 * mu : 1.001 * mu;
        p = (problem){.nbox = 0,
                      .nc = 1,
                      .n = 3,
                      .W = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                      .q = {-1, pull * cos(angle), pull * sin(angle)},
                      .mu = {mu}};
        assert_true(solve().solved);
        double slip = hypot(p.q[1] + p.lambda[1], p.q[2] + p.lambda[2]);
        assert_true(fabs(slip - (k % 2 ? 0 : 0.001 * mu)) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_obeys_the_laws),
        cmocka_unit_test(ten_thousand_problems_with_friction_are_solved),
        cmocka_unit_test(redundant_contacts_are_solved_too),
        cmocka_unit_test(many_contacts_are_solved),
        cmocka_unit_test(a_block_sticks_below_the_limit_and_slides_above_it),
    };
    work = friction_create(&memory, ROWS);
    int failed = work ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    arena_free(&memory);
    return failed;
}
