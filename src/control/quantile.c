#include "control/quantile.h"

#include "control/tolerances.h"

#include <float.h>
#include <math.h>

enum { MAX_TERM = 2000 };

static double away_from_zero(double value)
{
    return fabs(value) < DBL_MIN / CONTROL_ROUNDING ? DBL_MIN / CONTROL_ROUNDING : value;
}

// Lentz's evaluation of a continued fraction 1 / (b0 + a1 / (b1 + a2 / ...)); it begins with c as
// good as infinite and d = value = 1 / b0. Adding a term tells by which share it changed the value.
typedef struct lentz {
    double c, d, value;
} lentz;

static double lentz_add(lentz *f, double a, double b)
{
    f->d = 1 / away_from_zero(b + a * f->d);
    f->c = away_from_zero(b + a / f->c);
    f->value *= f->c * f->d;
    return fabs(f->c * f->d - 1);
}

// The continued fraction of the incomplete beta function [NIST DLMF, 8.17.22], which converges
// fast for x < (a + 1) / (a + b + 2).
static double beta_fraction(double a, double b, double x)
{
    lentz f = {1 / DBL_MIN, 1, 1};
    for (int m = 1; m <= MAX_TERM; m++) {
        double odd = -(a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1));
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        lentz_add(&f, odd, 1);
        if (lentz_add(&f, even, 1) < CONTROL_ROUNDING)
            break;
    }
    return f.value;
}

// I_x(a, b), given x and y = 1 - x, each exact where it is small.
static double beta_share(double a, double b, double x, double y)
{
    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

// P(T > t) for t >= 0.
static double student_tail(double t, double dof)
{
    if (isinf(dof))
        return 0.5 * erfc(t / sqrt(2));
    double square = t * t;
    return 0.5 * beta_share(0.5 * dof, 0.5, dof / (dof + square), square / (dof + square));
}

// The tail falls from 1/2 to 0, so that halving a bracket finds it, to the last bits.
double quantile_student(double p, double dof)
{
    double tail = p < 0.5 ? p : 1 - p;
    double low = 0, high = 1;
    while (student_tail(high, dof) > tail && high < DBL_MAX / 4)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 2 * CONTROL_ROUNDING * high; i++) {
        double middle = 0.5 * (low + high);
        if (student_tail(middle, dof) > tail)
            low = middle;
        else
            high = middle;
    }
    double t = 0.5 * (low + high);
    return p < 0.5 ? -t : t;
}

// The series of the lower incomplete gamma function, for x < a + 1 [NIST DLMF, 8.7.1].
static double gamma_series(double a, double x)
{
    double term = 1 / a, sum = term;
    for (int n = 1; n <= MAX_TERM && fabs(term) > CONTROL_ROUNDING * fabs(sum); n++) {
        term *= x / (a + n);
        sum += term;
    }
    return sum;
}

// The continued fraction of the upper one, for x > a + 1 [NIST DLMF, 8.9.2].
static double gamma_fraction(double a, double x)
{
    lentz f = {1 / DBL_MIN, 1 / (x + 1 - a), 1 / (x + 1 - a)};
    for (int n = 1; n <= MAX_TERM; n++)
        if (lentz_add(&f, -n * (n - a), x + 2 * n + 1 - a) < CONTROL_ROUNDING)
            break;
    return f.value;
}

double quantile_chi_square_tail(double x, double dof)
{
    double a = 0.5 * dof, half = 0.5 * x;
    if (half <= 0)
        return 1;
    double front = exp(a * log(half) - half - lgamma(a));
    if (half < a + 1)
        return 1 - front * gamma_series(a, half);
    return front * gamma_fraction(a, half);
}
