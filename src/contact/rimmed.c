#include "contact/rimmed.h"

#include "base/vec.h"
#include "contact/fade.h"
#include "contact/shape_traits.h"
#include "contact/tolerances.h"

#include <string.h>

enum { MOST = 9 }; // numbers in three points

// phi about a point: along, around: how it curves along the meridian and around the axis.
typedef struct profile {
    double phi, n[3], along[3], around[3], k_along, k_around;
} profile;

static void find_profile(const contact_shape *s, const double q[3], profile *out)
{
    double r = hypot(q[0], q[1]), radial[2] = {1, 0};
    if (r > 0) {
        radial[0] = q[0] / r;
        radial[1] = q[1] / r;
    }
    meridian m;
    shape_traits_of(s)->meridian(s, r, q[2], &m);
    out->phi = m.phi;
    out->k_along = m.k_along;
    out->k_around = m.k_around;
    for (int i = 0; i < 2; i++) {
        out->n[i] = m.nr * radial[i];
        out->along[i] = -m.nz * radial[i];
    }
    out->n[2] = m.nz;
    out->along[2] = m.nr;
    out->around[0] = -radial[1];
    out->around[1] = radial[0];
    out->around[2] = 0;
}

// D v
static void apply_hessian(const profile *p, const double v[3], double out[3])
{
    double a = p->k_along * vec_dot(p->along, v), b = p->k_around * vec_dot(p->around, v);
    for (int i = 0; i < 3; i++)
        out[i] = a * p->along[i] + b * p->around[i];
}

static void point_on(const double *const *x, int n, const double *share, double q[3])
{
    memset(q, 0, 3 * sizeof *q);
    for (int i = 0; i < n; i++)
        vec_axpy(q, share[i], x[i]);
}

// The lowest point of an edge. d(phi)/ds never falls, so the root stays between two signs: Newton's
// step where it stays there too, else half.
static double lowest_on_edge(const contact_shape *shape, const double a[3], const double b[3],
                             profile *p)
{
    double e[3], low = 0, high = 1, s = 0.5, De[3];
    vec_sub(e, b, a);
    double small = EDGE_LOWEST * vec_norm(e);
    for (int i = -2; i < 80; i++) {
        double at = i == -2 ? 0 : i == -1 ? 1 : s, q[3];
        for (int k = 0; k < 3; k++)
            q[k] = at == 1 ? b[k] : a[k] + at * e[k];
        find_profile(shape, q, p);
        double slope = vec_dot(p->n, e);
        if ((i == -2 && slope >= 0) || (i == -1 && slope <= 0))
            return at;
        if (i < 0)
            continue;
        if (fabs(slope) <= small || high - low < EDGE_LOWEST)
            return s;
        if (slope > 0)
            high = s;
        else
            low = s;
        apply_hessian(p, e, De);
        double second = vec_dot(e, De), next = s - slope / second;
        s = second > 0 && next > low && next < high && i % 8 != 7 ? next : 0.5 * (low + high);
    }
    return s;
}

// A lowest point and what of it can slide.
typedef struct lowest {
    profile p;
    double share[3];
    int nfree;
    bool tip;           // before the tip of a cone
    double slope[2][3]; // C
} lowest;

static void edge_of(const contact_shape *s, const double *const *x, int n, int i, lowest *out)
{
    int j = (i + 1) % n;
    double t = lowest_on_edge(s, x[i], x[j], &out->p);
    *out = (lowest){.p = out->p};
    out->share[i] = 1 - t;
    out->share[j] = t;
    if (t > 0 && t < 1) {
        out->nfree = 1;
        out->slope[0][i] = -1;
        out->slope[0][j] = 1;
    }
}

// The point of a rim, or the tip, that goes farthest towards the plane of a face, and the point
// before it on the face. False: it lies beside the face, or behind it.
static bool before_rim(const contact_shape *s, const double *const *x, lowest *out)
{
    double u[3], v[3], n[3], p[3], d[3];
    vec_sub(u, x[1], x[0]);
    vec_sub(v, x[2], x[0]);
    vec_cross(n, u, v);
    double length = vec_norm(n);
    if (!(length > 0))
        return false;
    vec_scale(n, (vec_dot(n, x[0]) > 0 ? 1 : -1) / length); // from the solid to the face
    double side = hypot(n[0], n[1]), radius;
    if (!shape_traits_of(s)->support(s, n, side, p, &radius))
        return false;
    vec_sub(d, p, x[0]);
    double height = -vec_dot(d, n);
    if (height <= 0)
        return false;
    double uu = vec_dot(u, u), uv = vec_dot(u, v), vv = vec_dot(v, v);
    double du = vec_dot(d, u), dv = vec_dot(d, v), det = length * length;
    *out = (lowest){.nfree = 2, .slope = {{-1, 1, 0}, {-1, 0, 1}}};
    out->share[1] = (vv * du - uv * dv) / det;
    out->share[2] = (uu * dv - uv * du) / det;
    out->share[0] = 1 - out->share[1] - out->share[2];
    if (out->share[0] <= 0 || out->share[1] <= 0 || out->share[2] <= 0)
        return false;
    out->p.phi = height;
    memcpy(out->p.n, n, sizeof n);
    out->tip = radius == 0;
    out->p.k_along = 1 / height;
    out->p.k_around = out->tip ? 1 / height : side / (radius + height * side);
    out->p.around[0] = side > 0 ? -n[1] / side : 0;
    out->p.around[1] = side > 0 ? n[0] / side : 1;
    vec_cross(out->p.along, out->p.n, out->p.around);
    return true;
}

static void lowest_of(const contact_shape *s, const double *const *x, int n, lowest *out)
{
    if (n == 2) {
        edge_of(s, x, 2, 0, out);
        return;
    }
    if (before_rim(s, x, out))
        return;
    for (int i = 0; i < 3; i++) {
        lowest edge;
        edge_of(s, x, 3, i, &edge);
        if (i == 0 || edge.p.phi < out->p.phi)
            *out = edge;
    }
}

// Squared sine between a face and the caps: 1 - (a . N)^2 / N . N with N = u x v and the axis a.
static void sine_derivatives(const double u[3], const double v[3], double *value, double g[9],
                             double *H)
{
    double N[3], by_N[3], Q[9];
    vec_cross(N, u, v);
    double NN = vec_dot(N, N), aN = N[2];
    *value = NN > 0 ? 1 - aN * aN / NN : 0;
    memset(g, 0, 9 * sizeof *g);
    if (H)
        memset(H, 0, 81 * sizeof *H);
    if (!(NN > 0))
        return;
    for (int i = 0; i < 3; i++)
        by_N[i] = -2 * aN * (i == 2) / NN + 2 * aN * aN * N[i] / (NN * NN);
    for (int k = 0; k < 9; k++) {
        int i = k / 3, j = k % 3;
        Q[k] = -2 * (i == 2 && j == 2) / NN +
               4 * aN * ((i == 2) * N[j] + N[i] * (j == 2)) / (NN * NN) +
               2 * aN * aN * (i == j) / (NN * NN) - 8 * aN * aN * N[i] * N[j] / (NN * NN * NN);
    }
    // dN = du x v + u x dv; x_1 = x_0 + u, x_2 = x_0 + v
    double J[3][9];
    for (int k = 0; k < 9; k++) {
        static const int sign[9] = {0, -1, 1, 1, 0, -1, -1, 1, 0}; // [w] x = sign w[at]
        static const int at[9] = {0, 2, 1, 2, 0, 0, 1, 0, 0};
        J[1][k] = -sign[k] * v[at[k]];
        J[2][k] = sign[k] * u[at[k]];
        J[0][k] = -J[1][k] - J[2][k];
    }
    for (int p = 0; p < 3; p++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                g[3 * p + i] += by_N[k] * J[p][3 * k + i];
    static const int order[3][3] = {{0, 1, -1}, {-1, 0, 1}, {1, -1, 0}}; // second N by points p, q
    for (int p = 0; p < 3 && H; p++)
        for (int q = 0; q < 3; q++) {
            double QJ[9];
            mat_mul(QJ, Q, J[q]);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    double sum = 0;
                    for (int k = 0; k < 3; k++)
                        sum += J[p][3 * k + i] * QJ[3 * k + j];
                    if (i != j) // by_N . (e_i x e_j)
                        sum += order[p][q] * ((j - i + 3) % 3 == 1 ? 1 : -1) * by_N[3 - i - j];
                    H[(3 * p + i) * 9 + 3 * q + j] = sum;
                }
        }
}

// How the row of an edge or a face comes in as its lowest point leaves an end: beside a rim the
// slack grows evenly at once, and so a force would jump.
static faded come_in(double slack, bool tip)
{
    return tip ? fade(slack) : fade_evenly(slack);
}

static void find_weight(const contact_shape *s, const double *const *x, double soft, bool tip,
                        rimmed_form *out)
{
    out->weight = 1;
    out->slack = INFINITY;
    for (int i = 0; i < out->n; i++) {
        lowest end;
        if (out->n == 2)
            find_profile(s, x[i], &end.p);
        else
            edge_of(s, x, 3, i, &end);
        double slack = fmax(end.p.phi - out->distance, 0);
        out->slack = fmin(out->slack, slack);
        out->weight *= come_in(slack / soft, tip).value;
    }
    if (out->n == 3 && !tip) {
        double u[3], v[3], N[3];
        vec_sub(u, x[1], x[0]);
        vec_sub(v, x[2], x[0]);
        vec_cross(N, u, v);
        double NN = vec_dot(N, N), sine = NN > 0 ? (N[0] * N[0] + N[1] * N[1]) / NN : 0;
        out->weight *= fade(sine / CONTACT_FADES).value;
    }
}

static void fill(const contact_shape *s, const double *const *x, double soft, const lowest *at,
                 rimmed_form *out)
{
    out->distance = at->p.phi;
    memcpy(out->normal, at->p.n, sizeof out->normal);
    memcpy(out->share, at->share, sizeof out->share);
    bool inside = at->nfree == out->n - 1;
    out->weight = out->slack = 0;
    if (inside)
        find_weight(s, x, soft, at->tip, out);
}

void rimmed_edge(const contact_shape *s, const double *const *x, double soft, rimmed_form *out)
{
    lowest at;
    out->n = 2;
    lowest_of(s, x, 2, &at);
    fill(s, x, soft, &at, out);
}

void rimmed_face(const contact_shape *s, const double *const *x, double soft, rimmed_form *out)
{
    lowest at;
    out->n = 3;
    lowest_of(s, x, 3, &at);
    fill(s, x, soft, &at, out);
}

void rimmed_lowest(const contact_shape *s, int n, const double *const *x, rimmed_form *out)
{
    lowest at;
    lowest_of(s, x, n, &at);
    *out = (rimmed_form){.n = n, .distance = at.p.phi};
    memcpy(out->normal, at.p.n, sizeof out->normal);
    memcpy(out->share, at.share, sizeof out->share);
}

// H += a b' (x) p q', and its transpose if `both`
static void add_dyads(int n, const double *a, const double *b, const double p[3], const double q[3],
                      double scale, bool both, double *H)
{
    for (int i = 0; i < 3 * n; i++)
        for (int j = 0; j < 3 * n; j++) {
            double v = scale * a[i / 3] * p[i % 3] * b[j / 3] * q[j % 3];
            H[i * 3 * n + j] += v;
            if (both)
                H[j * 3 * n + i] += v;
        }
}

static void hessian_of_edge(const double *const *x, int n, const lowest *at, double *H)
{
    double T[3], DT[3], side[3];
    const double *C = at->slope[0];
    point_on(x, n, C, T);
    apply_hessian(&at->p, T, DT);
    double second = vec_dot(T, DT);
    if (!(second > EDGE_STRAIGHT * (at->p.k_along + at->p.k_around) * vec_dot(T, T)))
        return; // straight: any point of it is as near
    vec_cross(side, at->p.n, T);
    add_dyads(n, at->share, at->share, side, side, at->p.k_along * at->p.k_around / second, false,
              H);
    add_dyads(n, C, C, at->p.n, at->p.n, -1 / second, false, H);
    add_dyads(n, at->share, C, DT, at->p.n, -1 / second, true, H);
}

// Both tangents: nothing of share share' (x) D is left.
static void hessian_of_face(const double *const *x, const lowest *at, double *H)
{
    double T[2][3], dual[2][3], n[3];
    for (int t = 0; t < 2; t++)
        point_on(x, 3, at->slope[t], T[t]);
    vec_cross(n, T[0], T[1]);
    double det = vec_dot(n, n);
    vec_cross(dual[0], T[1], n);
    vec_cross(dual[1], n, T[0]);
    for (int t = 0; t < 2; t++)
        vec_scale(dual[t], 1 / det);
    for (int t = 0; t < 2; t++) {
        add_dyads(3, at->share, at->slope[t], dual[t], at->p.n, -1, true, H);
        for (int r = 0; r < 2; r++) {
            double give =
                at->p.phi * vec_dot(dual[t], at->p.along) * vec_dot(dual[r], at->p.along) +
                vec_dot(dual[t], at->p.around) * vec_dot(dual[r], at->p.around) / at->p.k_around;
            add_dyads(3, at->slope[t], at->slope[r], at->p.n, at->p.n, -give, false, H);
        }
    }
}

static void hessian_of(const double *const *x, int n, const lowest *at, double *H)
{
    memset(H, 0, 9 * (size_t)(n * n) * sizeof *H);
    if (at->nfree == 2) {
        hessian_of_face(x, at, H);
    } else if (at->nfree == 1) {
        hessian_of_edge(x, n, at, H);
    } else {
        add_dyads(n, at->share, at->share, at->p.along, at->p.along, at->p.k_along, false, H);
        add_dyads(n, at->share, at->share, at->p.around, at->p.around, at->p.k_around, false, H);
    }
}

void rimmed_hessian(const contact_shape *s, const double *const *x, int n, double *H)
{
    lowest at;
    lowest_of(s, x, n, &at);
    hessian_of(x, n, &at, H);
}

// g, H: derivatives of f at a lowest point
static void derivatives_of(const double *const *x, int n, const lowest *at, double *g, double *H)
{
    for (int i = 0; i < 3 * n; i++)
        g[i] = at->share[i / 3] * at->p.n[i % 3];
    if (H)
        hessian_of(x, n, at, H);
}

// The i-th end of an edge, or edge of a face.
static void end_of(const contact_shape *s, const double *const *x, int n, int i, lowest *end)
{
    if (n == 3) {
        edge_of(s, x, 3, i, end);
        return;
    }
    *end = (lowest){0};
    end->share[i] = 1;
    find_profile(s, x[i], &end->p);
}

void rimmed_weigh(const contact_shape *s, const double *const *x, int n, double soft, double *g,
                  double *H)
{
    lowest at, end;
    double g0[MOST], H0[MOST * MOST], gi[MOST], Hi[MOST * MOST], weight = 1;
    memset(g, 0, 3 * (size_t)n * sizeof *g);
    if (H)
        memset(H, 0, 9 * (size_t)(n * n) * sizeof *H);
    lowest_of(s, x, n, &at);
    if (at.nfree != n - 1)
        return;
    derivatives_of(x, n, &at, g0, H ? H0 : NULL);
    for (int i = 0; i < n; i++) {
        end_of(s, x, n, i, &end);
        derivatives_of(x, n, &end, gi, H ? Hi : NULL);
        for (int k = 0; k < 3 * n; k++)
            gi[k] -= g0[k];
        for (int k = 0; k < 9 * n * n && H; k++)
            Hi[k] -= H0[k];
        faded f = come_in(fmax(end.p.phi - at.p.phi, 0) / soft, at.tip);
        fade_multiply(3 * n, f, soft, gi, H ? Hi : NULL, &weight, g, H);
    }
    if (n == 3 && !at.tip) {
        double u[3], v[3], sine;
        vec_sub(u, x[1], x[0]);
        vec_sub(v, x[2], x[0]);
        sine_derivatives(u, v, &sine, gi, H ? Hi : NULL);
        fade_multiply(9, fade(sine / CONTACT_FADES), CONTACT_FADES, gi, H ? Hi : NULL, &weight, g,
                      H);
    }
}
