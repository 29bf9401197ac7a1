#include "contact/distance.h"

#include "base/vec.h"
#include "contact/nearest.h"
#include "contact/tolerances.h"

#include <string.h>

static double clamp01(double v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

static void add_slope(distance_form *f, int from, int to, double sign)
{
    double *C = f->slope[f->nfree++];
    memset(C, 0, 4 * sizeof *C);
    C[from] = -sign;
    C[to] = sign;
}

// Shares of the ends of a segment of points i and i + 1 at s along it.
static void on_segment(distance_form *f, int i, double s, double sign)
{
    f->share[i] = sign * (1 - s);
    f->share[i + 1] = sign * s;
    if (s > 0 && s < 1)
        add_slope(f, i, i + 1, sign);
}

// How far along the segment a b is the point nearest to p?
static double along(const double p[3], const double a[3], const double b[3])
{
    double u[3], w[3];
    vec_sub(u, b, a);
    vec_sub(w, p, a);
    double length2 = vec_dot(u, u);
    return length2 > 0 ? clamp01(vec_dot(w, u) / length2) : 0;
}

static void find_face(const double *const *x, distance_form *f)
{
    const double *corner[3] = {x[1], x[2], x[3]};
    double weight[3];
    nearest_feature at = nearest_on_triangle(x[0], corner, weight);
    f->share[0] = 1;
    for (int i = 0; i < 3; i++)
        f->share[1 + i] = -weight[i];
    if (at == NEAREST_INSIDE) {
        add_slope(f, 1, 2, -1);
        add_slope(f, 1, 3, -1);
    } else if (at >= NEAREST_EDGE0) {
        int edge = (int)at - (int)NEAREST_EDGE0;
        add_slope(f, 1 + edge, 1 + (edge + 1) % 3, -1);
    }
}

static double between(const double *const *x, double s, double t)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double r = x[0][i] + s * (x[1][i] - x[0][i]) - x[2][i] - t * (x[3][i] - x[2][i]);
        sum += r * r;
    }
    return sum;
}

// An end of one segment against the other segment: what is left when the lines are nearly parallel,
// where their crossing is lost in rounding.
static void nearest_of_ends(const double *const *x, double *s, double *t)
{
    double least = INFINITY;
    for (int end = 0; end < 4; end++) {
        bool first = end < 2;
        double at = along(x[end], x[first ? 2 : 0], x[first ? 3 : 1]);
        double p = first ? end : at, q = first ? at : end - 2, d2 = between(x, p, q);
        if (d2 < least) {
            least = d2;
            *s = p;
            *t = q;
        }
    }
}

static void nearest_of_edges(const double *const *x, double *s, double *t)
{
    double u[3], v[3], w[3];
    vec_sub(u, x[1], x[0]);
    vec_sub(v, x[3], x[2]);
    vec_sub(w, x[0], x[2]);
    double a = vec_dot(u, u), b = vec_dot(u, v), c = vec_dot(v, v);
    double d = vec_dot(u, w), e = vec_dot(v, w), n[3];
    vec_cross(n, u, v);
    double det = vec_dot(n, n); // a c - b^2, without the cancellation
    if (!(det > DISTANCE_PARALLEL * a * c)) {
        nearest_of_ends(x, s, t);
        return;
    }
    *s = clamp01((b * e - c * d) / det);
    *t = (b * *s + e) / c;
    if (*t < 0 || *t > 1) {
        *t = *t < 0 ? 0 : 1;
        *s = clamp01((*t * b - d) / a);
    }
}

static void find_edges(const double *const *x, distance_form *f)
{
    double s = 0, t = 0;
    nearest_of_edges(x, &s, &t);
    on_segment(f, 0, s, 1);
    on_segment(f, 2, t, -1);
}

// T_t = sum of C[i] x[i], as differences so that no large numbers cancel.
static void tangent(const distance_form *f, int t, const double *const *x, double T[3])
{
    memset(T, 0, 3 * sizeof *T);
    for (int i = 0; i < f->n; i++)
        if (f->slope[t][i] != 0)
            for (int k = 0; k < 3; k++)
                T[k] += f->slope[t][i] * (x[i][k] - x[0][k]);
}

// Where both tangents are there, their cross product is a better normal than a short r.
static bool normal_of_tangents(distance_form *f, const double *const *x, const double r[3])
{
    double T[2][3], n[3];
    for (int t = 0; t < 2; t++)
        tangent(f, t, x, T[t]);
    vec_cross(n, T[0], T[1]);
    double length = vec_norm(n);
    if (!(length * length > DISTANCE_NO_NORMAL * vec_dot(T[0], T[0]) * vec_dot(T[1], T[1])))
        return false;
    vec_scale(n, 1 / length);
    f->d = vec_dot(n, r);
    if (f->d < 0)
        vec_scale(n, -1);
    f->d = fabs(f->d);
    memcpy(f->normal, n, sizeof n);
    return true;
}

// Any unit vector that is normal to t, or any at all where t is 0.
static void any_normal(const double t[3], double n[3])
{
    double axis[3] = {0, 0, 0};
    int least = 0;
    for (int i = 1; i < 3; i++)
        least = fabs(t[i]) < fabs(t[least]) ? i : least;
    axis[least] = 1;
    vec_cross(n, t, axis);
    double length = vec_norm(n);
    for (int i = 0; i < 3; i++)
        n[i] = length > 0 ? n[i] / length : i == 2;
}

static void find_normal(distance_form *f, const double *const *x)
{
    double r[3] = {0, 0, 0}, T[3] = {0, 0, 0};
    for (int i = 1; i < f->n; i++)
        for (int k = 0; k < 3; k++)
            r[k] += f->share[i] * (x[i][k] - x[0][k]); // shares add up to 0
    if (f->nfree == 2 && normal_of_tangents(f, x, r))
        return;
    f->d = vec_norm(r);
    if (f->nfree > 0)
        tangent(f, 0, x, T);
    if (f->d > 0)
        for (int k = 0; k < 3; k++)
            f->normal[k] = r[k] / f->d;
    else
        any_normal(T, f->normal);
}

void distance_find(distance_kind kind, const double *const *x, distance_form *out)
{
    out->n = kind.na + kind.nb;
    out->nfree = 0;
    if (kind.na == 2) {
        find_edges(x, out);
    } else if (kind.nb == 3) {
        find_face(x, out);
    } else {
        out->share[0] = 1;
        out->share[1] = -1;
        if (kind.nb == 2)
            on_segment(out, 1, along(x[0], x[1], x[2]), -1);
    }
    find_normal(out, x);
}

// H += a b' (x) P, and its transpose if `both`
static void add_block(int n, const double *a, const double *b, const double P[9], bool both,
                      double *H)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 9; k++) {
                double v = a[i] * b[j] * P[k];
                H[(3 * i + k / 3) * 3 * n + 3 * j + k % 3] += v;
                if (both)
                    H[(3 * j + k % 3) * 3 * n + 3 * i + k / 3] += v;
            }
}

static void dyad(const double a[3], const double b[3], double scale, double P[9])
{
    for (int k = 0; k < 9; k++)
        P[k] = scale * a[k / 3] * b[k % 3];
}

// Q / d: the directions that are normal to n and to all tangents.
static void left_over(const distance_form *f, const double T[3], double Q[9])
{
    double scale = f->d > 0 ? 1 / f->d : 0, side[3];
    if (f->nfree == 1) {
        vec_cross(side, f->normal, T);
        dyad(side, side, scale / vec_dot(side, side), Q);
        return;
    }
    dyad(f->normal, f->normal, -scale, Q);
    for (int i = 0; i < 3; i++)
        Q[4 * i] += scale;
}

// M = (T'T)^-1 of one or two tangents.
static void invert_metric(int nfree, double T[2][3], double M[2][2])
{
    double a = vec_dot(T[0], T[0]), b = 0, c = 1, n[3];
    M[0][0] = 1 / a;
    if (nfree < 2)
        return;
    b = vec_dot(T[0], T[1]);
    c = vec_dot(T[1], T[1]);
    vec_cross(n, T[0], T[1]);
    double det = vec_dot(n, n);
    M[0][0] = c / det;
    M[1][1] = a / det;
    M[0][1] = M[1][0] = -b / det;
}

void distance_hessian(const distance_form *f, const double *const *x, double *H)
{
    double T[2][3] = {{0}}, M[2][2] = {{0}}, P[9], U[2][4] = {{0}};
    memset(H, 0, 9 * (size_t)(f->n * f->n) * sizeof *H);
    for (int t = 0; t < f->nfree; t++)
        tangent(f, t, x, T[t]);
    if (f->nfree < 2) {
        left_over(f, T[0], P);
        add_block(f->n, f->share, f->share, P, false, H);
    }
    if (f->nfree == 0)
        return;
    invert_metric(f->nfree, T, M);
    for (int t = 0; t < f->nfree; t++) {
        for (int i = 0; i < f->n; i++)
            for (int s = 0; s < f->nfree; s++)
                U[t][i] += M[t][s] * f->slope[s][i];
        dyad(f->normal, f->normal, -f->d, P);
        add_block(f->n, U[t], f->slope[t], P, false, H);
        dyad(T[t], f->normal, -1, P);
        add_block(f->n, f->share, U[t], P, true, H);
    }
}

// The derivatives of c by the edges u and v.
static void cross_hessian(const double u[3], const double v[3], double *H)
{
    double uu = vec_dot(u, u), vv = vec_dot(v, v), uv = vec_dot(u, v);
    double block[2][2][9];
    for (int k = 0; k < 9; k++) {
        int i = k / 3, j = k % 3, same = i == j;
        block[0][0][k] = 2 * (vv * same - v[i] * v[j]);
        block[1][1][k] = 2 * (uu * same - u[i] * u[j]);
        block[0][1][k] = 4 * u[i] * v[j] - 2 * v[i] * u[j] - 2 * uv * same;
        block[1][0][3 * j + i] = block[0][1][k];
    }
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++)
            for (int k = 0; k < 9; k++)
                H[(3 * p + k / 3) * 12 + 3 * q + k % 3] =
                    (p % 2 == q % 2 ? 1 : -1) * block[p / 2][q / 2][k];
}

double distance_cross(const double *const *x, double *g, double *H)
{
    double u[3], v[3], n[3];
    vec_sub(u, x[1], x[0]);
    vec_sub(v, x[3], x[2]);
    vec_cross(n, u, v);
    double by_u[3], by_v[3];
    vec_cross(by_u, v, n); // c = n . n, dc = 2 n . (du x v) = 2 du . (v x n)
    vec_cross(by_v, n, u);
    for (int k = 0; k < 3 && g; k++) {
        g[k] = -2 * by_u[k];
        g[3 + k] = 2 * by_u[k];
        g[6 + k] = -2 * by_v[k];
        g[9 + k] = 2 * by_v[k];
    }
    if (H)
        cross_hessian(u, v, H);
    return vec_dot(n, n);
}
