// Impulses of one moment: the law of every contact, what holds, energy.
#include "solve/impact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1;

static double random_number(void) // -1 to 1
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return 2 * ((double)(seed >> 11) / 9007199254740992.0) - 1;
}

// W = G M^-1 G' of contacts and rows on a few coordinates.
static void fill(impact *p, int n, int nhold, int ncoordinate, double friction)
{
    double G[64][16], mass[16];
    assert_true(impact_begin(p, n, nhold));
    int columns = impact_ncolumn(p);
    assert_true(columns <= 64 && ncoordinate <= 16);
    for (int i = 0; i < ncoordinate; i++)
        mass[i] = 1.5 + random_number();
    for (int c = 0; c < columns; c++)
        for (int i = 0; i < ncoordinate; i++)
            G[c][i] = random_number();
    for (int c = 0; c < columns; c++)
        for (int k = 0; k < columns; k++)
            for (int i = 0; i < ncoordinate; i++)
                p->W[c * columns + k] += G[c][i] * G[k][i] / mass[i];
    for (int c = 0; c < 3 * n; c++)
        p->rate[c] = random_number();
    for (int i = 0; i < n; i++) {
        p->friction[i] = friction;
        p->target[i] = fmax(random_number(), fmin(p->rate[3 * i], 0));
    }
}

// Rates after it, of all columns, with W and rates as they were.
static void rates_after(const impact *p, const double *W, const double *rate, double *out)
{
    int columns = impact_ncolumn(p);
    for (int c = 0; c < columns; c++) {
        out[c] = rate[c];
        for (int k = 0; k < columns; k++)
            out[c] += W[c * columns + k] * p->impulse[k];
    }
}

static void test_impulses_obey_their_laws(void **unused)
{
    (void)unused;
    impact p = {0};
    for (int trial = 0; trial < 50; trial++) {
        double W[64 * 64], rate[64], after[64], friction = trial % 2 ? 0.4 : 0;
        int n = 1 + trial % 4, nhold = trial % 3;
        fill(&p, n, nhold, 16, friction);
        int columns = impact_ncolumn(&p);
        memcpy(W, p.W, (size_t)(columns * columns) * sizeof *W);
        memcpy(rate, p.rate, (size_t)columns * sizeof *rate);
        assert_true(impact_solve(&p));
        impact_hold(&p);
        rates_after(&p, W, rate, after);
        for (int i = 0; i < n; i++) {
            const double *x = &p.impulse[3 * i], *w = &after[3 * i];
            double length = hypot(x[1], x[2]), speed = hypot(w[1], w[2]);
            assert_true(x[0] >= 0 && w[0] >= p.target[i] - 1e-9);
            assert_true(x[0] * (w[0] - p.target[i]) <= 1e-9);
            assert_true(length <= friction * x[0] * (1 + 1e-12));
            assert_true(fabs(w[0] - impact_rate(&p, i)) < 1e-9);
            if (friction > 0 &&
                speed > 1e-6) // it slips: against its friction, which is all there is
                assert_true(fabs(x[1] * w[1] + x[2] * w[2] + friction * x[0] * speed) < 1e-6);
        }
        for (int r = 3 * n; r < columns; r++)
            assert_true(fabs(after[r]) < 1e-7);
    }
    impact_free(&p);
}

static double energy(const impact *p)
{
    double sum = 0;
    int columns = impact_ncolumn(p);
    for (int c = 0; c < 3 * p->n; c++) {
        sum += p->impulse[c] * p->rate[c];
        for (int k = 0; k < 3 * p->n; k++)
            sum += 0.5 * p->impulse[c] * p->W[c * columns + k] * p->impulse[k];
    }
    return sum;
}

static void test_no_more_energy_comes_than_is_allowed(void **unused)
{
    (void)unused;
    impact p = {0};
    int bound = 0;
    for (int trial = 0; trial < 50; trial++) {
        fill(&p, 3, trial % 2, 16, 0.5);
        assert_true(impact_solve(&p));
        double before = energy(&p), most = 0.3 * fabs(before);
        impact_bound(&p, most);
        assert_true(energy(&p) <= most * (1 + 1e-12));
        bound += before > most;
        if (before > most)
            assert_true(fabs(energy(&p) - most) < 1e-9 * most);
        else
            assert_true(energy(&p) == before);
    }
    assert_true(bound > 3 && bound < 50);
    impact_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impulses_obey_their_laws),
        cmocka_unit_test(test_no_more_energy_comes_than_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
