#include "control/robust.h"

#include "base/eigen.h"
#include "base/status.h"
#include "control/tolerances.h"

#include <complex.h>
#include <math.h>

bool robust_is_stable(lithe_gains g)
{
    // Jury's conditions for (z - 1)^2 + kp (z - 1) + ki; without ki the sum takes no part.
    if (g.ki == 0)
        return g.kp > 0 && g.kp < 2;
    return g.ki > 0 && g.kp > g.ki && 4 - 2 * g.kp + g.ki > 0;
}

// With s = z - 1 on the unit circle: |s|^2 = t, Re s = -t/2, Re s^2 = t^2/2 - t.
double robust_square(lithe_gains g, double t)
{
    double a = g.kp * (g.kp - g.ki), b = a - 2 * g.ki, c = 1 - g.kp + g.ki, d = g.ki * g.ki;
    return t == 0 ? 1 : (d + a * t) / (d + t * (b + c * t));
}

void robust_transfer(lithe_gains g, double frequency, double *real, double *imaginary)
{
    double complex s = cexp(I * frequency) - 1;
    double complex G =
        g.ki == 0 ? g.kp / (s + g.kp) : (g.kp * s + g.ki) / (s * s + g.kp * s + g.ki);
    *real = creal(G);
    *imaginary = cimag(G);
}

// |G|^2 = (d + a t) / (d + b t + c t^2) has its peak where a c t^2 + 2 c d t = d (a - b), a - b =
// 2 ki, or at an end. The root in a form that does not cancel.
static double peak_at(lithe_gains g)
{
    double a = g.kp * (g.kp - g.ki), c = 1 - g.kp + g.ki, d = g.ki * g.ki, best = 0;
    double under = c * c * d * d + 2 * a * c * d * g.ki;
    double t = under >= 0 ? 2 * d * g.ki / (c * d + sqrt(under)) : 0;
    double candidate[] = {4, t > 0 && t < 4 ? t : 0};
    for (int i = 0; i < 2; i++)
        if (robust_square(g, candidate[i]) > robust_square(g, best))
            best = candidate[i];
    return best;
}

double lithe_largest_gamma(lithe_gains g, double *frequency)
{
    bool stable = robust_is_stable(g);
    double t = stable ? peak_at(g) : 0;
    if (frequency)
        *frequency = stable ? 2 * asin(0.5 * sqrt(t)) : NAN;
    return stable ? 1 / sqrt(robust_square(g, t)) : 0;
}

lithe_certificate_check lithe_check_certificate(lithe_gains g, double gamma,
                                                const lithe_certificate *c)
{
    double C[2][2] = {{1 - g.kp, -g.ki}, {1, 1}}, F[2] = {g.kp, g.ki}, PC[2][2];
    const double P[2][2] = {{c->P[0], c->P[1]}, {c->P[2], c->P[3]}};
    double Q[9] = {0}, copy[4] = {P[0][0], P[0][1], P[1][0], P[1][1]}, value[3], vector[9];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            PC[i][j] = P[i][0] * C[0][j] + P[i][1] * C[1][j];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++)
            Q[3 * i + j] = C[0][i] * PC[0][j] + C[1][i] * PC[1][j] - P[i][j] +
                           c->alpha * gamma * gamma * F[i] * F[j];
        Q[3 * i + 2] = Q[6 + i] = PC[0][i]; // C'P D, D = (1, 0)
    }
    Q[8] = P[0][0] - c->alpha;
    eigen_symmetric(2, copy, value, vector);
    lithe_certificate_check out = {.P_least = fmin(value[0], value[1])};
    eigen_symmetric(3, Q, value, vector);
    out.Q_largest = fmax(value[0], fmax(value[1], value[2]));
    out.holds = out.P_least > 0 && out.Q_largest < 0 && c->alpha >= 0;
    return out;
}

// P in the scale e, ki/kp h, in which both states count alike: C = [1 - kp, -kp; ki/kp, 1], F = kp
// [1, 1].
typedef struct riccati {
    double C[2][2], weight[2][2];
    double P[2][2];
} riccati;

// P <- C'PC + weight + C'PD (1 - D'PD)^-1 D'PC. From 0 it rises to the least solution, if there is
// one. False: there is none. *change: relative.
static bool riccati_iterate(riccati *r, double *change)
{
    double PC[2][2], next[2][2], free = 1 - r->P[0][0];
    *change = 0;
    if (!(free > 0))
        return false;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            PC[i][j] = r->P[i][0] * r->C[0][j] + r->P[i][1] * r->C[1][j];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            next[i][j] = r->C[0][i] * PC[0][j] + r->C[1][i] * PC[1][j] + r->weight[i][j] +
                         PC[0][i] * PC[0][j] / free;
    for (int i = 0; i < 4; i++) {
        *change = fmax(*change, fabs(next[i / 2][i % 2] - r->P[i / 2][i % 2]) / next[0][0]);
        r->P[i / 2][i % 2] = next[i / 2][i % 2];
    }
    return true;
}

// A certificate with so much to spare; false: there is none.
static bool certify_with(lithe_gains g, double gamma, double spare, lithe_certificate *c)
{
    enum { MAX_ITERATION = 2000000 };
    double k = g.kp, ratio = g.ki / g.kp, change = 1;
    riccati r = {.C = {{1 - k, -k}, {ratio, 1}}};
    for (int i = 0; i < 4; i++)
        r.weight[i / 2][i % 2] = k * k * (gamma * gamma + (i % 3 == 0 ? spare : 0));
    for (int n = 0; n < MAX_ITERATION && change > ROBUST_CHANGE; n++)
        if (!riccati_iterate(&r, &change))
            return false;
    double across = 0.5 * ratio * (r.P[0][1] + r.P[1][0]);
    *c = (lithe_certificate){.alpha = 1,
                             .P = {r.P[0][0], across, across, ratio * ratio * r.P[1][1]}};
    return lithe_check_certificate(g, gamma, c).holds;
}

lithe_status lithe_certify(lithe_gains g, double gamma, lithe_certificate *c, lithe_report *report)
{
    enum { MAX_HALVING = 24 };
    double largest = lithe_largest_gamma(g, NULL);
    if (largest == 0)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "the loop is unstable with kp %g and ki %g even where the Jacobian is "
                          "exact; ki must lie between 0 and kp, and kp below 2 + ki/2",
                          g.kp, g.ki);
    if (g.ki == 0)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "without ki the sum of errors takes no part, and there is no matrix for "
                          "it; give ki a value, such as kp/500");
    if (!(gamma >= 0 && gamma < largest))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "no certificate for gamma %g: errors above %.6f make the loop unstable "
                          "with kp %g and ki %g; lower ki, or ask for a smaller gamma",
                          gamma, largest, g.kp, g.ki);
    double spare = 0.1 * (1 - gamma * gamma / (largest * largest));
    for (int k = 0; k < MAX_HALVING; k++, spare /= 2)
        if (certify_with(g, gamma, spare, c))
            return LITHE_OK;
    return LITHE_FAIL(report, LITHE_NOT_CONVERGED,
                      "gamma %g is too near its limit %.9f for a certificate in double precision; "
                      "ask for a little less",
                      gamma, largest);
}

int lithe_settling_steps(lithe_gains g, double band)
{
    enum { MAX_STEP = 10000000 };
    double e = 1, h = 0;
    int inside = 0;
    if (!robust_is_stable(g) || !(band > 0))
        return -1;
    // The error may swing through the band: it has settled when what is stored is too little to
    // leave it again. e and h decide all that follows, and |e| + |ki h| / kp bounds it.
    for (int k = 0; k < MAX_STEP; k++) {
        double v = -g.kp * e - g.ki * h;
        if (fabs(e) > band)
            inside = k + 1;
        if (fabs(e) + fabs(g.ki * h) / g.kp < 0.25 * band)
            return inside;
        h += e;
        e += v;
    }
    return -1;
}

// The largest ki, up to a share of that of a critically damped loop, with which gamma is allowed.
static double largest_ki(double kp, double share, double gamma)
{
    double low = 0, high = 0.25 * share * kp * kp;
    for (int k = 0; k < 100; k++) {
        double middle = 0.5 * (low + high);
        if (lithe_largest_gamma((lithe_gains){kp, middle}, NULL) >= gamma)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The least kp that settles in time with that share of ki; false: none up to 1 does, where one step
// does all that kp can.
static bool least_kp(double gamma, int steps, double share, lithe_gains *g)
{
    double low = 0, high = 1;
    for (int k = 0; k < 60; k++) {
        double kp = 0.5 * (low + high);
        *g = (lithe_gains){kp, largest_ki(kp, share, gamma)};
        int settled = lithe_settling_steps(*g, LITHE_SETTLED);
        if (settled >= 0 && settled <= steps)
            high = kp;
        else
            low = kp;
    }
    *g = (lithe_gains){high, largest_ki(high, share, gamma)};
    int settled = lithe_settling_steps(*g, LITHE_SETTLED);
    return settled >= 0 && settled <= steps;
}

lithe_status lithe_find_gains(double gamma, int steps, lithe_gains *g, lithe_report *report)
{
    if (!(gamma > 0 && gamma < 1) || steps < 2)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "no gains for gamma %g and %d steps: gamma must lie between 0 and 1, for "
                          "with an error of 1 the Jacobian may point nowhere, and at least two "
                          "steps are needed",
                          gamma, steps);
    enum { HALVINGS = 20 };
    for (int k = 0; k < HALVINGS; k++)
        if (least_kp(gamma, steps, ldexp(1, -k), g))
            return LITHE_OK;
    return LITHE_FAIL(report, LITHE_NOT_CONVERGED,
                      "no kp up to 1 settles within %d steps with gamma %g; allow more steps",
                      steps, gamma);
}
