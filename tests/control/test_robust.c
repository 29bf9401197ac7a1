// The closed loop of sensors: how wrong its Jacobian may be.
#include "control/robust.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const lithe_gains paper = {0.14, 0.0003};

static uint64_t seed = 88172645463325252u;

static double uniform(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static double normal(void)
{
    return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

// The peak by brute force: a fine grid over frequencies, finer near 0.
static double peak_by_grid(lithe_gains g)
{
    double peak = 0;
    for (int k = 1; k <= 400000; k++) {
        double share = k / 400000.0;
        double complex s = cexp(I * 3.141592653589793 * share * share) - 1;
        double complex G = (g.kp * s + g.ki) / (s * s + g.kp * s + g.ki);
        peak = fmax(peak, cabs(G));
    }
    return peak;
}

static void the_largest_gamma_of_the_paper_is_0_98687(void **unused)
{
    (void)unused;
    double gamma = lithe_largest_gamma(paper, NULL);
    assert_true(fabs(gamma - 0.98687) <= 1e-5);
    assert_true(fabs(gamma * peak_by_grid(paper) - 1) < 1e-9);
}

static void the_largest_gamma_is_the_inverse_of_the_peak_on_the_circle(void **unused)
{
    (void)unused;
    for (int k = 0; k < 60; k++) {
        lithe_gains g = {.kp = 0.01 + 1.9 * uniform()};
        g.ki = g.kp * pow(10, -5 * uniform());
        if (!robust_is_stable(g))
            continue;
        double gamma = lithe_largest_gamma(g, NULL), peak = fmax(peak_by_grid(g), 1);
        if (!(fabs(gamma * peak - 1) < 1e-6))
            fail_msg("kp %g, ki %g: gamma %.9g, 1/peak %.9g", g.kp, g.ki, gamma, 1 / peak);
    }
}

static void gains_are_stable_where_the_poles_lie_in_the_circle(void **unused)
{
    (void)unused;
    int stable = 0;
    for (int k = 0; k < 20000; k++) {
        lithe_gains g = {3 * uniform() - 0.3, 3 * uniform() - 0.3};
        double complex root = csqrt(g.kp * g.kp / 4 - g.ki);
        double radius = fmax(cabs(1 - g.kp / 2 + root), cabs(1 - g.kp / 2 - root));
        if (fabs(radius - 1) > 1e-9)
            assert_int_equal(robust_is_stable(g), radius < 1);
        stable += radius < 1;
    }
    assert_true(stable > 100);
    assert_true(lithe_largest_gamma((lithe_gains){2.5, 0.1}, NULL) == 0);
}

// Sylvester's criterion, with nothing of the library: determinants of the leading minors of -Q.
static bool is_certificate(lithe_gains g, double gamma, const lithe_certificate *c)
{
    double a = c->P[0], b = c->P[1], d = c->P[3], k = 1 - g.kp;
    // V(x+) - V(x) + alpha (gamma^2 v^2 - w^2) as a form in (e, h, w), written out
    double q11 = a * k * k + 2 * b * k + d - a + c->alpha * gamma * gamma * g.kp * g.kp;
    double q12 = -a * k * g.ki + b * (k - g.ki) + d - b + c->alpha * gamma * gamma * g.kp * g.ki;
    double q22 = a * g.ki * g.ki - 2 * b * g.ki + c->alpha * gamma * gamma * g.ki * g.ki;
    double q13 = a * k + b, q23 = -a * g.ki + b, q33 = a - c->alpha;
    double two = q11 * q22 - q12 * q12;
    double three = q11 * (q22 * q33 - q23 * q23) - q12 * (q12 * q33 - q23 * q13) +
                   q13 * (q12 * q23 - q22 * q13);
    return c->P[1] == c->P[2] && a > 0 && a * d - b * b > 0 && q11 < 0 && two > 0 && three < 0;
}

static void the_certificate_of_the_paper_holds_at_0_98_and_not_at_0_99(void **unused)
{
    (void)unused;
    lithe_certificate c = {.P = {646.4512, 1.2983, 1.2983, 0.0087}, .alpha = 4655};
    lithe_certificate_check check = lithe_check_certificate(paper, 0.98, &c);
    assert_true(check.holds && check.P_least > 0 && check.Q_largest < 0);
    assert_true(is_certificate(paper, 0.98, &c));
    assert_false(lithe_check_certificate(paper, 0.99, &c).holds);
    assert_false(is_certificate(paper, 0.99, &c));
}

static void certificates_are_found_up_to_the_largest_gamma_and_not_above(void **unused)
{
    (void)unused;
    static const lithe_gains all[] = {{0.14, 0.0003}, {0.5, 0.01}, {1.2, 0.3}, {0.02, 1e-5}};
    for (int i = 0; i < 4; i++) {
        double largest = lithe_largest_gamma(all[i], NULL);
        static const double share[] = {0.3, 0.9, 0.99, 0.9999};
        lithe_certificate c;
        lithe_report report = lithe_report_default();
        for (int k = 0; k < 4; k++) {
            if (lithe_certify(all[i], share[k] * largest, &c, &report) != LITHE_OK)
                fail_msg("kp %g, share %g: %s", all[i].kp, share[k], report.error);
            if (!is_certificate(all[i], share[k] * largest, &c))
                fail_msg("kp %g, share %g: no certificate", all[i].kp, share[k]);
        }
        assert_int_equal(lithe_certify(all[i], 1.0001 * largest, &c, &report), LITHE_INVALID);
        assert_non_null(strstr(report.error, "gamma"));
    }
}

enum { SENSORS = 6, STATES = 2 * SENSORS };

// A matrix of 2-norm `norm` in Frobenius' sense or below, of any shape.
static void random_error(int n, double norm, double *Delta)
{
    double u[SENSORS], v[SENSORS], largest = 0;
    int kind = (int)(3 * uniform());
    for (int i = 0; i < n * n; i++)
        Delta[i] = kind == 0 ? normal() : 0;
    if (kind == 1) { // a rotation in one plane
        double angle = 6.283185307179586 * uniform();
        Delta[0] = Delta[n + 1] = cos(angle);
        Delta[1] = -(Delta[n] = sin(angle));
    } else if (kind == 2) { // a multiple of 1
        for (int i = 0; i < n; i++)
            Delta[i * n + i] = uniform() < 0.5 ? -1 : 1;
    }
    for (int i = 0; i < n; i++)
        v[i] = normal();
    for (int k = 0; k < 60; k++) { // power iteration on Delta'Delta
        double square = 0;
        for (int i = 0; i < n; i++) {
            u[i] = 0;
            for (int j = 0; j < n; j++)
                u[i] += Delta[i * n + j] * v[j];
        }
        for (int j = 0; j < n; j++) {
            v[j] = 0;
            for (int i = 0; i < n; i++)
                v[j] += Delta[i * n + j] * u[i];
            square += v[j] * v[j];
        }
        largest = sqrt(sqrt(square));
        for (int j = 0; j < n; j++)
            v[j] /= sqrt(square);
    }
    for (int i = 0; i < n * n; i++)
        Delta[i] *= norm / largest;
}

// x = (e, h); e+ = e + (1 + Delta) v, h+ = h + e: the loop itself, not its reduced form.
static void close_loop(int n, lithe_gains g, const double *Delta, double *M)
{
    int m = 2 * n;
    memset(M, 0, (size_t)(m * m) * sizeof *M);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double through = (i == j) + Delta[i * n + j];
            M[i * m + j] = (i == j) - through * g.kp;
            M[i * m + n + j] = -through * g.ki;
        }
        M[(n + i) * m + i] = M[(n + i) * m + n + i] = 1;
    }
}

// |M^(2^20)|^(1/2^20), by squaring.
static double spectral_radius(int m, const double *M)
{
    enum { SQUARINGS = 20 };
    static double a[STATES * STATES], b[STATES * STATES];
    double logarithm = 0;
    memcpy(a, M, (size_t)(m * m) * sizeof *a);
    for (int k = 0; k < SQUARINGS; k++) {
        double size = 0;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) {
                b[i * m + j] = 0;
                for (int l = 0; l < m; l++)
                    b[i * m + j] += a[i * m + l] * a[l * m + j];
                size = fmax(size, fabs(b[i * m + j]));
            }
        for (int i = 0; i < m * m; i++)
            a[i] = b[i] / size;
        logarithm += log(size) / pow(2, k + 1);
    }
    return exp(logarithm);
}

static void ten_thousand_errors_below_the_bound_are_stable(void **unused)
{
    (void)unused;
    double gamma = lithe_largest_gamma(paper, NULL), worst = 0;
    static double Delta[SENSORS * SENSORS], M[STATES * STATES];
    for (int k = 0; k < 10000; k++) {
        int n = 2 + k % (SENSORS - 1);
        random_error(n, gamma * (k % 2 ? 0.9999 : uniform()), Delta);
        close_loop(n, paper, Delta, M);
        worst = fmax(worst, spectral_radius(2 * n, M));
    }
    assert_true(worst < 1 && worst > 0.99);
}

// At the peak G = |G| e^(i phi), the error gamma times a rotation by -phi closes the loop on
// itself.
static void one_error_just_above_the_bound_is_unstable_and_just_below_is_not(void **unused)
{
    (void)unused;
    static double M[16];
    double frequency, re, im, gamma = lithe_largest_gamma(paper, &frequency);
    robust_transfer(paper, frequency, &re, &im);
    double phi = atan2(im, re), radius[2];
    for (int k = 0; k < 2; k++) {
        // v = -(kp e + ki h): w = Delta v = -Delta G w must be w
        double size = -gamma * (k ? 1.001 : 0.999);
        double Delta[4] = {size * cos(phi), size * sin(phi), -size * sin(phi), size * cos(phi)};
        close_loop(2, paper, Delta, M);
        radius[k] = spectral_radius(4, M);
    }
    assert_true(radius[0] < 1 && radius[1] > 1);
}

// Errors that change at every step: x'Px of the certificate never rises.
static void errors_that_change_at_every_step_keep_the_certificate(void **unused)
{
    (void)unused;
    enum { N = 3 };
    double gamma = 0.98, Delta[N * N], e[N], h[N] = {0};
    lithe_certificate c;
    assert_int_equal(lithe_certify(paper, gamma, &c, NULL), LITHE_OK);
    for (int i = 0; i < N; i++)
        e[i] = normal();
    for (double last = INFINITY, step = 0; step < 20000; step++) {
        double V = 0, v[N];
        for (int i = 0; i < N; i++) {
            V += c.P[0] * e[i] * e[i] + 2 * c.P[1] * e[i] * h[i] + c.P[3] * h[i] * h[i];
            v[i] = -paper.kp * e[i] - paper.ki * h[i];
        }
        assert_true(V < last || V == 0);
        last = V;
        random_error(N, gamma, Delta);
        for (int i = 0; i < N; i++) {
            h[i] += e[i];
            e[i] += v[i];
            for (int j = 0; j < N; j++)
                e[i] += Delta[i * N + j] * v[j];
        }
    }
}

static void gains_that_are_asked_for_allow_gamma_and_settle_in_time(void **unused)
{
    (void)unused;
    static const double gammas[] = {0.3, 0.7, 0.9, 0.98, 0.99};
    static const int steps[] = {5, 26, 100, 400};
    for (int i = 0; i < 20; i++) {
        double gamma = gammas[i % 5];
        lithe_gains g;
        assert_int_equal(lithe_find_gains(gamma, steps[i / 5], &g, NULL), LITHE_OK);
        assert_true(lithe_largest_gamma(g, NULL) >= gamma);
        double e = 1, h = 0; // the loop, step by step
        for (int k = 0; k < 20000; k++) {
            double v = -g.kp * e - g.ki * h;
            if (k >= steps[i / 5] && fabs(e) > 1.0001 * LITHE_SETTLED)
                fail_msg("gamma %g, kp %g, ki %g: %g after %d", gamma, g.kp, g.ki, e, k);
            h += e;
            e += v;
        }
        // gentlest: a smaller kp takes longer
        lithe_gains less = {0.97 * g.kp, 0.97 * 0.97 * g.ki};
        assert_true(lithe_settling_steps(less, LITHE_SETTLED) > steps[i / 5]);
    }
    lithe_gains g;
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_find_gains(1.2, 100, &g, &report), LITHE_INVALID);
}

static void the_inversion_error_is_the_norm_of_what_is_left(void **unused)
{
    (void)unused;
    double J[6] = {2, 0, 0, 0, 3, 0}, hat[6] = {1, 0, 0, 0, 2, 0}, gamma;
    int rank;
    // J J_hat^+ = diag(2, 1.5)
    assert_int_equal(lithe_inversion_error(2, 3, J, hat, &gamma, &rank, NULL), LITHE_OK);
    assert_true(fabs(gamma - 1) < 1e-12);
    assert_int_equal(rank, 2);
    // more sensors than actuators: the one combination that it moves
    double tall[2] = {3, 4}, taller[2] = {1.5, 2};
    assert_int_equal(lithe_inversion_error(2, 1, taller, tall, &gamma, &rank, NULL), LITHE_OK);
    assert_true(fabs(gamma - 0.5) < 1e-12);
    assert_int_equal(rank, 1);
    double none[2] = {0};
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_inversion_error(2, 1, tall, none, &gamma, &rank, &report),
                     LITHE_INVALID);
    // an error E of J = (1 + E) J_hat has the norm of E, whatever J_hat
    double A[9], B[9], E[9];
    for (int k = 0; k < 50; k++) {
        random_error(3, 0.4, E);
        for (int i = 0; i < 9; i++)
            B[i] = normal();
        for (int i = 0; i < 9; i++) {
            A[i] = B[i];
            for (int j = 0; j < 3; j++)
                A[i] += E[i / 3 * 3 + j] * B[3 * j + i % 3];
        }
        assert_int_equal(lithe_inversion_error(3, 3, A, B, &gamma, NULL, NULL), LITHE_OK);
        assert_true(fabs(gamma - 0.4) < 1e-4);
    }
}

static void settling_counts_what_the_loop_does(void **unused)
{
    (void)unused;
    // 0.86^k alone: 0.02 is passed after 26
    assert_int_equal(lithe_settling_steps((lithe_gains){0.14, 0}, 0.02), 26);
    assert_int_equal(lithe_settling_steps((lithe_gains){2.5, 0.1}, 0.02), -1);
    // the slow tail of ki
    assert_true(lithe_settling_steps(paper, 0.02) < 30);
    assert_true(lithe_settling_steps(paper, 0.005) > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_gamma_of_the_paper_is_0_98687),
        cmocka_unit_test(the_largest_gamma_is_the_inverse_of_the_peak_on_the_circle),
        cmocka_unit_test(gains_are_stable_where_the_poles_lie_in_the_circle),
        cmocka_unit_test(the_certificate_of_the_paper_holds_at_0_98_and_not_at_0_99),
        cmocka_unit_test(certificates_are_found_up_to_the_largest_gamma_and_not_above),
        cmocka_unit_test(ten_thousand_errors_below_the_bound_are_stable),
        cmocka_unit_test(one_error_just_above_the_bound_is_unstable_and_just_below_is_not),
        cmocka_unit_test(errors_that_change_at_every_step_keep_the_certificate),
        cmocka_unit_test(gains_that_are_asked_for_allow_gamma_and_settle_in_time),
        cmocka_unit_test(the_inversion_error_is_the_norm_of_what_is_left),
        cmocka_unit_test(settling_counts_what_the_loop_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
