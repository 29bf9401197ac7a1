#include "contact/check_geometry.h"

#include "base/vec.h"
#include "contact/tolerances.h"

#include <math.h>
#include <string.h>

check_box check_box_of(int n, const double *const p[], double margin)
{
    check_box b;
    for (int k = 0; k < 3; k++) {
        b.low[k] = b.high[k] = p[0][k];
        for (int i = 1; i < n; i++) {
            b.low[k] = check_min(b.low[k], p[i][k]);
            b.high[k] = check_max(b.high[k], p[i][k]);
        }
        b.low[k] -= margin;
        b.high[k] += margin;
    }
    return b;
}

// Share of the way from a to b at which p is nearest.
static double along(const double p[3], const double a[3], const double b[3])
{
    double way[3], off[3];
    vec_sub(way, b, a);
    vec_sub(off, p, a);
    double square = vec_dot(way, way), t = square > 0 ? vec_dot(off, way) / square : 0;
    return check_min(check_max(t, 0), 1);
}

static void between(const double a[3], const double b[3], double t, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + t * (b[k] - a[k]);
}

void check_normal(const check_item *tri, double n[3])
{
    double b[3], c[3];
    vec_sub(b, tri->x[1], tri->x[0]);
    vec_sub(c, tri->x[2], tri->x[0]);
    vec_cross(n, b, c);
}

// Weights of the foot of p on the plane; false: it is not above the triangle.
static bool is_above(const double p[3], const check_item *tri, double weight[3])
{
    double b[3], c[3], d[3], n[3], m[3];
    vec_sub(b, tri->x[1], tri->x[0]);
    vec_sub(c, tri->x[2], tri->x[0]);
    vec_sub(d, p, tri->x[0]);
    vec_cross(n, b, c);
    double square = vec_dot(n, n);
    vec_cross(m, d, c);
    weight[1] = vec_dot(m, n) / square;
    vec_cross(m, b, d);
    weight[2] = vec_dot(m, n) / square;
    weight[0] = 1 - weight[1] - weight[2];
    return square > 0 && weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0;
}

double check_point_distance(const double p[3], const check_item *i, double weight[3])
{
    if (i->n == 3 && is_above(p, i, weight)) {
        double n[3], d[3];
        check_normal(i, n);
        vec_sub(d, p, i->x[0]);
        return fabs(vec_dot(d, n)) / vec_norm(n);
    }
    double least = INFINITY;
    weight[0] = weight[1] = weight[2] = 0;
    for (int e = 0; e < (i->n == 3 ? 3 : 1); e++) {
        int f = (e + 1) % i->n;
        double t = along(p, i->x[e], i->x[f]), at[3];
        between(i->x[e], i->x[f], t, at);
        double d = vec_distance(p, at);
        if (d >= least)
            continue;
        least = d;
        weight[0] = weight[1] = weight[2] = 0;
        weight[e] = 1 - t;
        weight[f] = t;
    }
    return least;
}

bool check_pierces(const double p[3], const double q[3], const check_item *tri, double slack,
                   double *t)
{
    double b[3], c[3], d[3], way[3], across[3], sideways[3];
    vec_sub(b, tri->x[1], tri->x[0]);
    vec_sub(c, tri->x[2], tri->x[0]);
    vec_sub(way, q, p);
    vec_sub(d, p, tri->x[0]);
    vec_cross(across, way, c);
    double det = vec_dot(across, b);
    if (fabs(det) <= CHECK_ALONG * vec_norm(b) * vec_norm(across))
        return false; // along the plane
    vec_cross(sideways, d, b);
    double u = vec_dot(d, across) / det, v = vec_dot(way, sideways) / det;
    *t = vec_dot(c, sideways) / det;
    return u >= -slack && v >= -slack && u + v <= 1 + slack && *t >= -slack && *t <= 1 + slack;
}

int check_ray(const double p[3], const double way[3], const check_item *tri, bool *unsure)
{
    double b[3], c[3], d[3], across[3], sideways[3];
    const double edge = CHECK_OUTLINE;
    vec_sub(b, tri->x[1], tri->x[0]);
    vec_sub(c, tri->x[2], tri->x[0]);
    vec_sub(d, p, tri->x[0]);
    vec_cross(across, way, c);
    vec_cross(sideways, d, b);
    double det = vec_dot(across, b), u = vec_dot(d, across), v = vec_dot(way, sideways),
           t = vec_dot(c, sideways), size = vec_norm(b) * vec_norm(c);
    if (fabs(det) <= CHECK_FROM_SIDE * size) { // seen from its side: a hit is near its own outline
        double weight[3], foot = -vec_dot(d, way), near[3];
        memcpy(near, p, sizeof near);
        vec_axpy(near, check_max(foot, 0), way);
        double reach = sqrt(check_max(vec_dot(b, b), vec_dot(c, c)));
        *unsure = *unsure || check_point_distance(near, tri, weight) <= 2 * reach;
        return 0;
    }
    double sign = det > 0 ? 1 : -1, w = sign * (det - u - v);
    det *= sign;
    u *= sign;
    v *= sign;
    t *= sign;
    double slack = edge * det;
    if (t < 0 || u < -slack || v < -slack || w < -slack)
        return 0;
    *unsure = *unsure || u < slack || v < slack || w < slack;
    return sign < 0 ? 1 : -1; // det = - way . normal
}

double check_solid_angle(const double p[3], const check_item *tri)
{
    double r[3][3], length[3];
    for (int i = 0; i < 3; i++) {
        vec_sub(r[i], tri->x[i], p);
        length[i] = vec_norm(r[i]);
    }
    double volume = vec_triple(r[0], r[1], r[2]);
    double below = length[0] * length[1] * length[2] + vec_dot(r[0], r[1]) * length[2] +
                   vec_dot(r[1], r[2]) * length[0] + vec_dot(r[2], r[0]) * length[1];
    return atan2(volume, below) / (2 * 3.14159265358979323846);
}

static double radius_at(const check_item *i, const double weight[3])
{
    double r = 0;
    for (int k = 0; k < i->n; k++)
        r += weight[k] * i->radius[k];
    return r;
}

// at: the point itself, or, `there`, where the other is nearest.
static void try_point(const double p[3], double own, const check_item *other, bool there,
                      double *least, double at[3])
{
    double weight[3], gap = check_point_distance(p, other, weight);
    gap -= own + radius_at(other, weight);
    if (gap >= *least)
        return;
    *least = gap;
    memcpy(at, p, 3 * sizeof *at);
    if (there)
        memset(at, 0, 3 * sizeof *at);
    for (int i = 0; i < other->n && there; i++)
        vec_axpy(at, weight[i], other->x[i]);
}

// Where two lines are nearest, as shares of the segments; false: they are parallel, and then an end
// is as near as anything.
static bool cross_lines(const double *a0, const double *a1, const double *b0, const double *b1,
                        double *s, double *t)
{
    double u[3], v[3], w[3];
    vec_sub(u, a1, a0);
    vec_sub(v, b1, b0);
    vec_sub(w, a0, b0);
    double uu = vec_dot(u, u), uv = vec_dot(u, v), vv = vec_dot(v, v), uw = vec_dot(u, w),
           vw = vec_dot(v, w), det = uu * vv - uv * uv;
    if (det <= CHECK_ALONG * uu * vv)
        return false;
    *s = (uv * vw - vv * uw) / det;
    *t = (uu * vw - uv * uw) / det;
    return *s >= 0 && *s <= 1 && *t >= 0 && *t <= 1;
}

static void try_edges(const check_item *a, const check_item *b, double *least, double at[3])
{
    for (int e = 0; e < (a->n == 3 ? 3 : 1); e++)
        for (int f = 0; f < (b->n == 3 ? 3 : 1); f++) {
            int e1 = (e + 1) % a->n, f1 = (f + 1) % b->n;
            double s, t, p[3], q[3];
            if (!cross_lines(a->x[e], a->x[e1], b->x[f], b->x[f1], &s, &t))
                continue;
            between(a->x[e], a->x[e1], s, p);
            between(b->x[f], b->x[f1], t, q);
            double gap = vec_distance(p, q) - (1 - s) * a->radius[e] - s * a->radius[e1] -
                         (1 - t) * b->radius[f] - t * b->radius[f1];
            if (gap >= *least)
                continue;
            *least = gap;
            memcpy(at, p, sizeof p);
        }
}

static void try_through(const check_item *line, const check_item *tri, double *least, double at[3])
{
    for (int e = 0; e < (line->n == 3 ? 3 : 1) && tri->n == 3; e++) {
        double t, p[3];
        if (check_pierces(line->x[e], line->x[(e + 1) % line->n], tri, 0, &t)) {
            between(line->x[e], line->x[(e + 1) % line->n], t, p);
            try_point(p, (1 - t) * line->radius[e] + t * line->radius[(e + 1) % line->n], tri,
                      false, least, at);
        }
    }
}

double check_item_gap(const check_item *a, const check_item *b, double at[3])
{
    double least = INFINITY;
    for (int i = 0; i < a->n; i++)
        try_point(a->x[i], a->radius[i], b, false, &least, at);
    for (int i = 0; i < b->n; i++)
        try_point(b->x[i], b->radius[i], a, true, &least, at);
    try_edges(a, b, &least, at);
    try_through(a, b, &least, at);
    try_through(b, a, &least, at);
    return least;
}
