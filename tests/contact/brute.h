// What judges proximity: distances by search over the points of features, with nothing but the
// definition of a distance; and random numbers.
#ifndef TESTS_CONTACT_BRUTE_H
#define TESTS_CONTACT_BRUTE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct dice {
    uint64_t state;
} dice;

static inline double dice_roll(dice *d) // in [0, 1)
{
    d->state += 0x9e3779b97f4a7c15u;
    uint64_t z = d->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static inline double dice_between(dice *d, double low, double high)
{
    return low + (high - low) * dice_roll(d);
}

static inline void dice_vector(dice *d, double size, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = dice_between(d, -size, size);
}

// The least of a convex function of one number in [0, 1].
typedef double (*brute_function)(void *user, double t);

static inline double brute_least(brute_function f, void *user, double *where)
{
    const double golden = 0.6180339887498949;
    double low = 0, high = 1, a = 1 - golden, b = golden, fa = f(user, a), fb = f(user, b);
    for (int i = 0; i < 38; i++) {
        if (fa < fb) {
            high = b;
            b = a;
            fb = fa;
            a = high - golden * (high - low);
            fa = f(user, a);
        } else {
            low = a;
            a = b;
            fa = fb;
            b = low + golden * (high - low);
            fb = f(user, b);
        }
    }
    double ends[4] = {0, 1, a, b}, value[4] = {f(user, 0), f(user, 1), fa, fb};
    int best = 0;
    for (int i = 1; i < 4; i++)
        best = value[i] < value[best] ? i : best;
    if (where)
        *where = ends[best];
    return value[best];
}

// Two features, one to three points each; signed: distance of a point from something else instead
// of the second feature.
typedef struct brute_pair {
    int na, nb;
    const double *x[6];
    double (*from)(void *user, const double p[3]);
    void *user;
    double t[4]; // along the first's two parameters, then the second's
} brute_pair;

static inline void brute_point(int n, const double *const *x, double s, double t, double out[3])
{
    double w[3] = {1 - s, n == 3 ? s * (1 - t) : s, n == 3 ? s * t : 0};
    for (int k = 0; k < 3; k++) {
        out[k] = n == 1 ? x[0][k] : 0;
        for (int i = 0; i < n && n > 1; i++)
            out[k] += w[i] * x[i][k];
    }
}

// Nested: over a parameter, the least over those behind it. A triangle is swept by segments from
// its first corner's opposite side: along s at t the function is convex, and so is its least by t.
static inline double brute_level(brute_pair *p, int level);

typedef struct brute_step {
    brute_pair *pair;
    int level;
} brute_step;

static inline double brute_try(void *user, double t)
{
    brute_step *s = user;
    s->pair->t[s->level] = t;
    return brute_level(s->pair, s->level + 1);
}

static inline double brute_level(brute_pair *p, int level)
{
    int need[4] = {p->na > 2, p->na > 1, p->nb > 2, p->nb > 1};
    while (level < 4 && !need[level])
        level++;
    if (level < 4) {
        brute_step s = {p, level};
        return brute_least(brute_try, &s, NULL);
    }
    double a[3], b[3], sum = 0;
    brute_point(p->na, p->x, p->t[1], p->t[0], a);
    if (p->from)
        return p->from(p->user, a);
    brute_point(p->nb, p->x + p->na, p->t[3], p->t[2], b);
    for (int k = 0; k < 3; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

static inline double brute_distance(int na, int nb, const double *const *x)
{
    brute_pair p = {.na = na, .nb = nb};
    for (int i = 0; i < na + nb; i++)
        p.x[i] = x[i];
    return sqrt(brute_level(&p, 0));
}

static inline double brute_signed(int n, const double *const *x,
                                  double (*from)(void *user, const double p[3]), void *user)
{
    brute_pair p = {.na = n, .from = from, .user = user};
    for (int i = 0; i < n; i++)
        p.x[i] = x[i];
    return brute_level(&p, 0);
}

// Signed distance of a cylinder about the z axis, from its definition.
typedef struct brute_cylinder {
    double radius, half;
} brute_cylinder;

static inline double brute_cylinder_distance(void *user, const double p[3])
{
    const brute_cylinder *c = user;
    double side = sqrt(p[0] * p[0] + p[1] * p[1]) - c->radius, cap = fabs(p[2]) - c->half;
    if (side <= 0 && cap <= 0)
        return side > cap ? side : cap;
    return sqrt((side > 0 ? side * side : 0) + (cap > 0 ? cap * cap : 0));
}

#endif
