// How wrong the Jacobian of the closed loop may be: the paper's figures, and ten thousand errors.
#include "control/robust.h"
#include "experiments.h"
#include "plant.h"

#include <math.h>
#include <string.h>

enum { ERRORS = 10000, SENSORS = 6, STATES = 2 * SENSORS };

static const lithe_gains gains = {0.14, 0.0003};

// A random matrix, scaled to a largest singular value by power iteration.
static void random_error(int n, double size, double *Delta)
{
    double v[SENSORS], u[SENSORS], largest = 0;
    for (int i = 0; i < n * n; i++)
        Delta[i] = plant_normal();
    for (int i = 0; i < n; i++)
        v[i] = plant_normal();
    for (int k = 0; k < 80; k++) {
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
        Delta[i] *= size / largest;
}

// The largest modulus of an eigenvalue of the loop with J J_hat^+ = 1 + Delta, by squaring.
static double radius_of(int n, const double *Delta)
{
    enum { SQUARINGS = 20 };
    static double a[STATES * STATES], b[STATES * STATES];
    int m = 2 * n;
    double logarithm = 0;
    memset(a, 0, sizeof a);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double through = (i == j) + Delta[i * n + j];
            a[i * m + j] = (i == j) - through * gains.kp;
            a[i * m + n + j] = -through * gains.ki;
        }
        a[(n + i) * m + i] = a[(n + i) * m + n + i] = 1;
    }
    for (int k = 1; k <= SQUARINGS; k++) {
        double size = 0;
        for (int i = 0; i < m * m; i++) {
            b[i] = 0;
            for (int l = 0; l < m; l++)
                b[i] += a[i / m * m + l] * a[l * m + i % m];
            size = fmax(size, fabs(b[i]));
        }
        for (int i = 0; i < m * m; i++)
            a[i] = b[i] / size;
        logarithm += log(size) / pow(2, k);
    }
    return exp(logarithm);
}

static void show_bound(table *t)
{
    lithe_certificate paper = {.P = {646.4512, 1.2983, 1.2983, 0.0087}, .alpha = 4655}, own = {0};
    lithe_certificate_check check = lithe_check_certificate(gains, 0.98, &paper);
    double gamma = lithe_largest_gamma(gains, NULL);
    table_add(t, (finding){.quantity = "largest gamma",
                           .paper = "0.98685",
                           .expected = "0.98687",
                           .ours = text("%.7f", gamma),
                           .error = fabs(gamma - 0.98687),
                           .gate = 1e-5});
    table_add(t,
              (finding){.quantity = "gamma 0.98, the paper's P and alpha: largest eigenvalue of Q",
                        .paper = "below 0",
                        .ours = text("P from %.3g", check.P_least),
                        .error = check.Q_largest,
                        .gate = check.P_least > 0 ? -1e-12 : -INFINITY});
    bool found = lithe_certify(gains, 0.98, &own, NULL) == LITHE_OK;
    check = lithe_check_certificate(gains, 0.98, &own);
    table_add(t, (finding){.quantity = "gamma 0.98, our P, alpha 1: largest eigenvalue of Q",
                           .ours = text("P = [%.4g %.4g; %.4g %.4g]", own.P[0], own.P[1], own.P[2],
                                        own.P[3]),
                           .error = check.Q_largest,
                           .gate = found && check.P_least > 0 ? -1e-12 : -INFINITY});
}

static void try_errors(table *t)
{
    double gamma = lithe_largest_gamma(gains, NULL), worst = 0, Delta[SENSORS * SENSORS];
    int n = table_quick(t) ? 200 : ERRORS, unstable = 0;
    for (int k = 0; k < n; k++) {
        random_error(2 + k % (SENSORS - 1), 0.9999 * gamma, Delta);
        double radius = radius_of(2 + k % (SENSORS - 1), Delta);
        worst = fmax(worst, radius);
        unstable += radius >= 1;
    }
    table_add(t, (finding){.quantity = text("%d random errors of 0.9999 gamma: unstable", n),
                           .ours = text("2 to 6 sensors, radius up to %.5f", worst),
                           .error = unstable,
                           .gate = 0});
}

// A rotation by the phase of G at its peak, and a factor.
static void break_it(table *t)
{
    double frequency, real, imaginary, gamma = lithe_largest_gamma(gains, &frequency);
    robust_transfer(gains, frequency, &real, &imaginary);
    double phi = atan2(imaginary, real), radius[2];
    for (int k = 0; k < 2; k++) {
        double size = -gamma * (k ? 1.001 : 0.999);
        double Delta[4] = {size * cos(phi), size * sin(phi), -size * sin(phi), size * cos(phi)};
        radius[k] = radius_of(2, Delta);
    }
    table_add(
        t, (finding){.quantity = "one error of 1.001 gamma: spectral radius above 1",
                     .ours = text("1 %+.2e; of 0.999 gamma 1 %+.2e", radius[1] - 1, radius[0] - 1),
                     .error = radius[1] > 1 && radius[0] < 1 ? 0 : 1,
                     .gate = 0});
}

static void show_gains(table *t)
{
    static const struct {
        double gamma;
        int steps;
    } wanted[] = {{0.98, 26}, {0.9, 26}, {0.98, 100}};
    for (int i = 0; i < 3; i++) {
        lithe_gains g = {0};
        lithe_find_gains(wanted[i].gamma, wanted[i].steps, &g, NULL);
        double gamma = lithe_largest_gamma(g, NULL);
        int steps = lithe_settling_steps(g, LITHE_SETTLED);
        table_add(
            t, (finding){.quantity = text("gains for gamma %g, 2 %% in %d steps: missed by",
                                          wanted[i].gamma, wanted[i].steps),
                         .ours = text("kp %.4g, ki %.3g: %.5f, %d steps", g.kp, g.ki, gamma, steps),
                         .error = fmax(wanted[i].gamma - gamma, steps - wanted[i].steps),
                         .gate = 1e-12});
    }
}

void experiment_bound(table *t)
{
    table_experiment(t, 'D', "closed loop, bound");
    table_note(
        t, "bieze2018, equations 33 to 54, kp 0.14 and ki 0.0003: the largest error |I - J "
           "J_hat^+| of a Jacobian with which the loop is stable, in closed form instead of by "
           "linear matrix inequalities ([theory](theory/robustness.md)). The spectral radius of "
           "the loop itself judges, by squaring its matrix.");
    table_note(t, "![the largest gamma over kp and ki](pictures/robust-gains.svg)");
    plant_seed(3);
    show_bound(t);
    try_errors(t);
    break_it(t);
    show_gains(t);
}
