// What rigid bodies do by equations of their own, integrated by Runge and Kutta's method of the
// fourth order in steps of 1e-5 s: a free top, and a double pendulum of two bars.
#ifndef TESTS_RIGID_TRUTH_H
#define TESTS_RIGID_TRUTH_H

#include <math.h>

typedef struct top {
    double q[4], w[3]; // rotation from rest; spin in its own axes
} top;

static inline top top_rate(const double I[3], const top *t)
{
    top r;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        r.w[i] = (I[j] - I[k]) * t->w[j] * t->w[k] / I[i];
    }
    const double *q = t->q, *w = t->w;
    r.q[0] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    r.q[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    r.q[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    r.q[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
    return r;
}

static inline top top_add(const top *a, double h, const top *b)
{
    top r = *a;
    for (int i = 0; i < 4; i++)
        r.q[i] += h * b->q[i];
    for (int i = 0; i < 3; i++)
        r.w[i] += h * b->w[i];
    return r;
}

// Runge and Kutta's method of the fourth order on Euler's equations.
static inline top top_at(const double I[3], const double w[3], double time)
{
    top t = {{1, 0, 0, 0}, {w[0], w[1], w[2]}};
    int n = (int)(time / 1e-5 + 0.5);
    double h = time / n;
    for (int i = 0; i < n; i++) {
        top a = top_rate(I, &t), at = top_add(&t, 0.5 * h, &a), b = top_rate(I, &at);
        at = top_add(&t, 0.5 * h, &b);
        top c = top_rate(I, &at);
        at = top_add(&t, h, &c);
        top d = top_rate(I, &at);
        t = top_add(&t, h / 6, &a);
        t = top_add(&t, h / 3, &b);
        t = top_add(&t, h / 3, &c);
        t = top_add(&t, h / 6, &d);
    }
    return t;
}

// Two bars of 10 mm width that hang from each other, level at the start; masses and lengths.
static const double l1 = 0.1, l2 = 0.08, m1 = 0.1, m2 = 0.06;

typedef struct angles {
    double a[2], w[2]; // from straight down; rates
} angles;

static inline angles angles_rate(const angles *p)
{
    double I1 = m1 * (l1 * l1 + 0.01 * 0.01) / 12, I2 = m2 * (l2 * l2 + 0.01 * 0.01) / 12;
    double b = m2 * l1 * l2 / 2, C = cos(p->a[0] - p->a[1]), S = sin(p->a[0] - p->a[1]);
    double A11 = I1 + m1 * l1 * l1 / 4 + m2 * l1 * l1, A12 = b * C, A22 = I2 + m2 * l2 * l2 / 4;
    double f1 = -b * S * p->w[1] * p->w[1] - (m1 / 2 + m2) * l1 * 9.81 * sin(p->a[0]);
    double f2 = b * S * p->w[0] * p->w[0] - m2 * l2 / 2 * 9.81 * sin(p->a[1]);
    double det = A11 * A22 - A12 * A12;
    return (angles){{p->w[0], p->w[1]}, {(A22 * f1 - A12 * f2) / det, (A11 * f2 - A12 * f1) / det}};
}

static inline angles angles_add(const angles *p, double h, const angles *rate)
{
    angles r = *p;
    for (int i = 0; i < 2; i++) {
        r.a[i] += h * rate->a[i];
        r.w[i] += h * rate->w[i];
    }
    return r;
}

static inline angles angles_at(double time)
{
    angles p = {{M_PI / 2, M_PI / 2}, {0, 0}};
    int n = (int)(time / 1e-5 + 0.5);
    double h = time / n;
    for (int i = 0; i < n; i++) {
        angles a = angles_rate(&p), at = angles_add(&p, h / 2, &a), b = angles_rate(&at);
        at = angles_add(&p, h / 2, &b);
        angles c = angles_rate(&at);
        at = angles_add(&p, h, &c);
        angles d = angles_rate(&at);
        p = angles_add(&p, h / 6, &a);
        p = angles_add(&p, h / 3, &b);
        p = angles_add(&p, h / 3, &c);
        p = angles_add(&p, h / 6, &d);
    }
    return p;
}

// The middle of the lower one.
static inline void pendulum_at(double time, double at[3])
{
    angles p = angles_at(time);
    at[0] = l1 * sin(p.a[0]) + l2 / 2 * sin(p.a[1]);
    at[1] = 0;
    at[2] = -l1 * cos(p.a[0]) - l2 / 2 * cos(p.a[1]);
}

#endif
