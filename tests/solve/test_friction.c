#include "solve/box.h"
#include "solve/dense.h"
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

// W = H D H' with modes D that are up to `range` apart, and q = H v + gap: contacts that some
// motion v opens or leaves touching.
static void draw_range(int nbox, int nc, int dofs, double mu, double range)
{
    static double H[ROWS * DOFS];
    double v[DOFS];
    p.nbox = nbox;
    p.nc = nc;
    p.n = nbox + 3 * nc;
    for (int k = 0; k < dofs; k++)
        for (int i = 0; i < p.n; i++)
            H[i * dofs + k] = uniform() * pow(range, -0.5 * k / dofs);
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

static void draw(int nbox, int nc, int dofs, double mu)
{
    draw_range(nbox, nc, dofs, mu, 1);
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

// Bodies that are soft in one way and stiff in another; friction from little to more than there is.
static void slender_bodies_are_solved_from_scratch(void **unused)
{
    (void)unused;
    static const double most[] = {0, 1e-6, 0.1, 0.5, 1, 2};
    for (int trial = 0; trial < 3000; trial += SHARE) {
        int nc = 1 + trial % 20, nbox = trial / 20 % BOX;
        draw_range(nbox, nc, nbox + 3 * nc, most[trial % 6], 1e8);
        friction_result r = solve();
        assert_true(r.solved && r.residual < 1e-9);
        assert_true(broken_law() < 1e-8);
    }
}

// A pull of the spring along c between beads a and b; -1: the winch.
static void add_spring(double *A, int n, int a, int b, const double c[3])
{
    for (int i = 0; i < 9; i++) {
        double k = c[i / 3] * c[i % 3];
        int ends[2] = {a, b};
        for (int e = 0; e < 4; e++) {
            int line = ends[e / 2], column = ends[e % 2];
            if (line >= 0 && column >= 0)
                A[(3 * line + i / 3) * n + 3 * column + i % 3] += e == 0 || e == 3 ? k : -k;
        }
    }
}

// Beads on a drum, `angle` apart, joined by springs of stiffness 1 and held by nothing else but
// `soft`. A weight of 1 hangs at the last one, a winch pulls at the first until
// all slide. In the beads' own axes: outwards, along, across.
static void draw_wire(int nc, double angle, double mu, double soft, double way)
{
    static double A[9 * NC * NC], inverse[9 * NC * NC];
    double axis[NC][9], load[3 * NC] = {0};
    int n = 3 * nc;
    p = (problem){.nbox = 0, .nc = nc, .n = n};
    memset(A, 0, sizeof A);
    memset(inverse, 0, sizeof inverse);
    for (int b = 0; b <= nc; b++) {
        double at = angle * (b - 0.5), c[3] = {sin(at), -cos(at), 0}; // towards the winch
        double own = angle * b, axes[9] = {cos(own), sin(own), 0, sin(own), -cos(own), 0, 0, 0, 1};
        if (b < nc)
            memcpy(axis[b], axes, sizeof axes);
        if (b < nc)
            add_spring(A, n, b, b - 1, c);
        for (int i = 0; i < 3 && b == 0; i++)
            load[i] += way * c[i];
        for (int i = 0; i < 3 && b == nc; i++)
            load[n - 3 + i] -= c[i];
    }
    for (int i = 0; i < n; i++) {
        A[i * n + i] += soft;
        inverse[i * n + i] = 1;
    }
    assert_true(dense_solve(n, n, A, inverse));
    for (int i = 0; i < n; i++) {
        p.mu[i / 3] = mu;
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < n; j++) {
                double give = axis[i / 3][3 * (i % 3) + k] * inverse[(i - i % 3 + k) * n + j];
                p.q[i] += give * load[j];
                for (int l = 0; l < 3; l++)
                    p.W[i * n + j - j % 3 + l] += give * axis[j / 3][3 * l + j % 3];
            }
    }
}

// Every bead slides: tensions grow by (1 + mu tan(angle / 2)) / (1 - mu tan(angle / 2)) at each.
static void a_wire_round_a_drum_pulls_as_eytelwein_says(void **unused)
{
    (void)unused;
    for (int nc = 1; nc <= NC; nc++) {
        double mu = 0.1 * (1 + nc % 4), angle = 0.4, soft = 1e-8;
        double turn = mu * tan(angle / 2), ratio = pow((1 + turn) / (1 - turn), nc);
        draw_wire(nc, angle, mu, soft, 3 * nc * ratio);
        friction_result r = solve();
        assert_true(r.solved && r.residual < 1e-9);
        double pull = 1;
        for (int c = nc - 1; c >= 0; c--)
            pull -= p.lambda[3 * c + 1] / cos(angle / 2);
        assert_true(fabs(pull / ratio - 1) < 1e4 * soft); // which carries a little
    }
}

static void without_friction_the_forces_are_those_of_the_box_solver(void **unused)
{
    (void)unused;
    box_work *box = box_create(&memory, ROWS);
    for (int trial = 0; trial < 500; trial += SHARE) {
        int nc = 1 + trial % NC, n = BOX + nc;
        static double W[ROWS * ROWS];
        double q[ROWS], lo[ROWS], hi[ROWS], lambda[ROWS] = {0};
        draw_range(BOX, nc, BOX + 3 * nc, 0, 1e4);
        for (int i = 0; i < n; i++) {
            int r = i < BOX ? i : BOX + 3 * (i - BOX);
            q[i] = p.q[r];
            lo[i] = i < BOX ? p.lo[i] : 0;
            hi[i] = i < BOX ? p.hi[i] : INFINITY;
            for (int j = 0; j < n; j++)
                W[i * n + j] = p.W[r * p.n + (j < BOX ? j : BOX + 3 * (j - BOX))];
        }
        assert_true(solve().solved && box_solve(box, n, W, q, lo, hi, lambda).solved);
        for (int i = 0; i < n; i++) {
            double found = p.lambda[i < BOX ? i : BOX + 3 * (i - BOX)];
            assert_true(fabs(found - lambda[i]) < 1e-6 * (1 + fabs(lambda[i])));
        }
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
        cmocka_unit_test(slender_bodies_are_solved_from_scratch),
        cmocka_unit_test(a_wire_round_a_drum_pulls_as_eytelwein_says),
        cmocka_unit_test(without_friction_the_forces_are_those_of_the_box_solver),
        cmocka_unit_test(a_block_sticks_below_the_limit_and_slides_above_it),
    };
    work = friction_create(&memory, ROWS);
    int failed = work ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    arena_free(&memory);
    return failed;
}
