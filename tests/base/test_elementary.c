// Lanes' own logarithm and exponential against the C library, and the spectra of small matrices.
#include "base/elementary.h"
#include "base/spectrum.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double uniform(double low, double high)
{
    static uint64_t seed = 4321;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

typedef lanes one_argument(lanes);
typedef long double truth(long double);

// Largest error over many arguments, in units of the last place of the true value.
static double worst_ulp(one_argument *f, truth *g, double low, double high, bool logarithmic)
{
    double worst = 0;
    for (int n = 0; n < 20000; n++) {
        lanes x;
        for (int l = 0; l < LANES; l++) {
            double v = uniform(low, high);
            x[l] = logarithmic ? exp(v) : v;
        }
        lanes y = f(x);
        for (int l = 0; l < LANES; l++) {
            long double t = g(x[l]);
            double ulp = fmax(fabs(nextafter((double)t, INFINITY) - (double)t), DBL_MIN);
            worst = fmax(worst, (double)fabsl((long double)y[l] - t) / ulp);
        }
    }
    return worst;
}

static lanes log_lanes(lanes x)
{
    return lanes_log(x);
}

static lanes log1p_lanes(lanes x)
{
    return lanes_log1p(x);
}

static lanes exp_lanes(lanes x)
{
    return lanes_exp(x);
}

static lanes log_excess_lanes(lanes x)
{
    return lanes_log1p_excess(x);
}

static lanes exp_excess_lanes(lanes x)
{
    return lanes_exp_excess(x);
}

// x^2/2 - x^3/3 + …, by its series where the difference would cancel
static long double log_excess_true(long double x)
{
    if (fabsl(x) > 0.1L)
        return x - log1pl(x);
    long double sum = 0, power = x;
    for (int n = 2; n < 30; n++)
        sum -= (power *= -x) / n;
    return sum;
}

static long double exp_excess_true(long double x)
{
    if (fabsl(x) > 0.1L)
        return expm1l(x) - x;
    long double sum = 0, term = x;
    for (int n = 2; n < 20; n++)
        sum += (term *= x / n);
    return sum;
}

static void logarithm_and_exponential_are_right_to_two_roundings(void **state)
{
    (void)state;
    assert_true(worst_ulp(log_lanes, logl, -700, 700, true) < 1.5);
    assert_true(worst_ulp(log_lanes, logl, 0.5, 2, false) < 1.5);
    assert_true(worst_ulp(log1p_lanes, log1pl, -0.9, 3, false) < 2);
    assert_true(worst_ulp(log1p_lanes, log1pl, -1e-8, 1e-8, false) < 2);
    assert_true(worst_ulp(exp_lanes, expl, -700, 700, false) < 2);
    assert_true(worst_ulp(exp_lanes, expl, -1, 1, false) < 2);
}

static void excesses_do_not_cancel_near_zero(void **state)
{
    (void)state;
    static const double size[] = {1e-9, 1e-6, 1e-4, 1e-2, 0.3};
    for (int k = 0; k < 5; k++) {
        assert_true(worst_ulp(log_excess_lanes, log_excess_true, -size[k], size[k], false) < 4);
        assert_true(worst_ulp(exp_excess_lanes, exp_excess_true, -size[k], size[k], false) < 4);
    }
    assert_true(worst_ulp(log_excess_lanes, log_excess_true, 0.3, 50, false) < 20);
    assert_true(worst_ulp(exp_excess_lanes, exp_excess_true, -30, 30, false) < 20);
}

static void random_symmetric(int n, lanes *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int l = 0; l < LANES; l++)
                a[n * i + j][l] = a[n * j + i][l] = uniform(-1, 1);
}

static void a_spectrum_gives_its_matrix_back_also_with_equal_eigenvalues(void **state)
{
    (void)state;
    enum { N = 9 };
    for (int trial = 0; trial < 20; trial++) {
        lanes a[N * N], d[N * N], v[N * N];
        random_symmetric(N, a);
        for (int i = 0; i < N * N; i++) { // lane 0: the identity; lane 1: zero
            a[i][0] = i % (N + 1) == 0;
            a[i][1] = 0;
            d[i] = a[i];
        }
        spectrum_lanes(N, d, v);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                lanes back = lanes_set(0), unit = lanes_set(0);
                for (int k = 0; k < N; k++) {
                    back += v[N * i + k] * d[N * k + k] * v[N * j + k];
                    unit += v[N * k + i] * v[N * k + j];
                }
                for (int l = 0; l < LANES; l++) {
                    assert_true(fabs(back[l] - a[N * i + j][l]) < 1e-13);
                    assert_true(fabs(unit[l] - (i == j)) < 1e-13);
                }
            }
    }
}

static void clamping_keeps_what_is_positive_and_drops_the_rest(void **state)
{
    (void)state;
    enum { N = 9 };
    for (int trial = 0; trial < 20; trial++) {
        lanes a[N * N], c[N * N], d[N * N], v[N * N], w[N * N];
        random_symmetric(N, a);
        for (int i = 0; i < N * N; i++)
            d[i] = c[i] = a[i];
        spectrum_clamp(N, c);
        spectrum_lanes(N, d, v);
        for (int i = 0; i < N * N; i++)
            w[i] = c[i];
        assert_true(spectrum_positive(N, c, lanes_set(1e-12), w));
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++) {
                lanes sum = lanes_set(0);
                for (int j = 0; j < N; j++)
                    sum += c[N * i + j] * v[N * j + k];
                for (int l = 0; l < LANES; l++)
                    assert_true(fabs(sum[l] - fmax(d[N * k + k][l], 0) * v[N * i + k][l]) < 1e-12);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithm_and_exponential_are_right_to_two_roundings),
        cmocka_unit_test(excesses_do_not_cancel_near_zero),
        cmocka_unit_test(a_spectrum_gives_its_matrix_back_also_with_equal_eigenvalues),
        cmocka_unit_test(clamping_keeps_what_is_positive_and_drops_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
