#include "mesh/embed.h"

#include "base/vec.h"
#include "mesh/tolerances.h"

#include <string.h>

static void corners(const mesh *m, const double *x, int tet, double p[4][3])
{
    for (int i = 0; i < 4; i++)
        memcpy(p[i], x + 3 * (size_t)m->tet[4 * (size_t)tet + i], 3 * sizeof(double));
}

// w_1..3 of r = sum w_i e_i by Cramer's rule, added to w.
static void add_weights(double e[3][3], const double r[3], double w[4])
{
    double det = vec_triple(e[0], e[1], e[2]);
    w[1] += vec_triple(r, e[1], e[2]) / det;
    w[2] += vec_triple(e[0], r, e[2]) / det;
    w[3] += vec_triple(e[0], e[1], r) / det;
    w[0] = 1 - (w[1] + w[2] + w[3]);
}

// Barycentric weights; the second round takes the residual of the first, so that thin tetrahedra
// too reproduce the point to rounding.
static void weights(double p[4][3], const double point[3], double w[4])
{
    double e[3][3];
    for (int i = 0; i < 3; i++)
        vec_sub(e[i], p[i + 1], p[0]);
    for (int i = 0; i < 4; i++)
        w[i] = i == 0;
    for (int round = 0; round < 2; round++) {
        double r[3];
        vec_sub(r, point, p[0]);
        for (int i = 0; i < 3; i++)
            vec_axpy(r, -w[i + 1], e[i]);
        add_weights(e, r, w);
    }
}

static double least(const double w[4])
{
    return fmin(fmin(w[0], w[1]), fmin(w[2], w[3]));
}

// Square of the distance from the point to the box around the tetrahedron, which is never farther
// than the tetrahedron. Nearly all of the time goes here, hence no calls.
static double box_distance2(const mesh *m, const double *x, int tet, const double point[3])
{
    const int *node = m->tet + 4 * (size_t)tet;
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double low = x[3 * (size_t)node[0] + k];
        double high = low;
        for (int i = 1; i < 4; i++) {
            double value = x[3 * (size_t)node[i] + k];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        double d = point[k] < low ? low - point[k] : point[k] > high ? point[k] - high : 0;
        square += d * d;
    }
    return square;
}

static double segment_distance(const double a[3], const double b[3], const double point[3])
{
    double ab[3], r[3];
    vec_sub(ab, b, a);
    vec_sub(r, point, a);
    double square = vec_dot(ab, ab);
    double t = square > 0 ? fmin(1, fmax(0, vec_dot(r, ab) / square)) : 0;
    vec_axpy(r, -t, ab);
    return vec_norm(r);
}

// The foot on the plane if it lies inside the triangle, else the nearest edge.
static double triangle_distance(const double a[3], const double b[3], const double c[3],
                                const double point[3])
{
    double ab[3], ac[3], r[3], n[3], side[3];
    vec_sub(ab, b, a);
    vec_sub(ac, c, a);
    vec_sub(r, point, a);
    vec_cross(n, ab, ac);
    double square = vec_dot(n, n);
    vec_cross(side, r, ac);
    double v = vec_dot(side, n) / square;
    vec_cross(side, ab, r);
    double w = vec_dot(side, n) / square;
    if (v >= 0 && w >= 0 && v + w <= 1)
        return fabs(vec_dot(r, n)) / sqrt(square);
    return fmin(segment_distance(a, b, point),
                fmin(segment_distance(b, c, point), segment_distance(c, a, point)));
}

// Of a point outside it.
static double tet_distance(double p[4][3], const double point[3])
{
    return fmin(fmin(triangle_distance(p[0], p[1], p[2], point),
                     triangle_distance(p[0], p[1], p[3], point)),
                fmin(triangle_distance(p[0], p[2], p[3], point),
                     triangle_distance(p[1], p[2], p[3], point)));
}

// Looks at every tetrahedron: a scene has a few dozen points, and their boxes rule out nearly all.
void embed_point(const mesh *m, const double *x, const double point[3], mesh_point *out)
{
    int best = 0;
    double best_distance = INFINITY;
    for (int e = 0; e < m->ntet && best_distance > 0; e++) {
        double p[4][3], w[4];
        if (!(box_distance2(m, x, e, point) < best_distance * best_distance))
            continue;
        corners(m, x, e, p);
        weights(p, point, w);
        double distance = least(w) >= -MESH_OUTSIDE ? 0 : tet_distance(p, point);
        if (distance < best_distance) {
            best = e;
            best_distance = distance;
        }
    }
    double p[4][3];
    corners(m, x, best, p);
    weights(p, point, out->weight);
    memcpy(out->node, m->tet + 4 * (size_t)best, sizeof out->node);
    out->outside = isfinite(best_distance) ? best_distance : 0;
}
