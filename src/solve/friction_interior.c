// An interior method. In x = (mu lambda_n, lambda_t) and z = (w_n / mu + |w_t|, w_t) Coulomb's law
// says that both lie in the round cone x_0 >= |x_t| and that x o z = 0, with o the cone's product
//
//     x o z = (x' z, x_0 z_t + z_0 x_t)
//
// [de_saxce1998]. Along x o z = sigma (1, 0, 0) friction is against the slip for every sigma, only
// softer than Coulomb's. Newton steps follow that path inside the cones as sigma falls, each by a
// predictor and a corrector [mehrotra1992]; how ill W is conditioned hardly matters. Bounds are
// treated alike, each with a dual of its own. docs/theory/contact-solvers.md.
#include "solve/dense.h"
#include "solve/friction_work.h"

#include <math.h>
#include <string.h>

enum { INTERIOR_STEPS = 60 };

// A row whose effort is told, or that nothing answers.
static bool is_told(const friction_work *f, int i)
{
    return f->lo[i] == f->hi[i] || f->W[i * f->n + i] <= 0;
}

static bool has_low(const friction_work *f, int i)
{
    return !is_told(f, i) && isfinite(f->lo[i]);
}

static bool has_high(const friction_work *f, int i)
{
    return !is_told(f, i) && isfinite(f->hi[i]);
}

static void cone_of(const friction_work *f, int c, const double *lambda, double x[3])
{
    const double *l = lambda + friction_row(f, c);
    x[0] = f->p->mu[c] * l[0];
    x[1] = l[1];
    x[2] = l[2];
}

// x o y
static void product(const double x[3], const double y[3], double out[3])
{
    out[0] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    out[1] = x[0] * y[1] + y[0] * x[1];
    out[2] = x[0] * y[2] + y[0] * x[2];
}

// The y with x o y = b.
static void quotient(const double x[3], const double b[3], double y[3])
{
    double length = hypot(x[1], x[2]);
    y[0] = (x[0] * b[0] - x[1] * b[1] - x[2] * b[2]) / ((x[0] - length) * (x[0] + length));
    y[1] = (b[1] - x[1] * y[0]) / x[0];
    y[2] = (b[2] - x[2] * y[0]) / x[0];
}

// The change of w that changes z by dz: z_0 has w_n / mu and the length of z_t.
static void gap_of(double mu, const double z[3], const double dz[3], double dw[3])
{
    double length = hypot(z[1], z[2]);
    double stretch = length > 0 ? (z[1] * dz[1] + z[2] * dz[2]) / length : 0;
    dw[0] = mu * (dz[0] - stretch);
    dw[1] = dz[1];
    dw[2] = dz[2];
}

// How far from x along d the cone is left.
static double way_in_cone(const double x[3], const double d[3])
{
    double length = hypot(x[1], x[2]), way = d[0] < 0 ? -x[0] / d[0] : INFINITY;
    double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    double b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    double c = (x[0] - length) * (x[0] + length), root = b * b - a * c;
    if (a >= 0 && (root < 0 || b >= 0))
        return way;
    root = sqrt(fmax(root, 0));
    return fmin(way, b >= 0 ? -(b + root) / a : c / (root - b));
}

// mu 0: friction never is, and the normal is a row with a lower bound.
static bool is_smooth(const friction_work *f, int c)
{
    return f->p->mu[c] == 0;
}

static void begin(friction_work *f, double force)
{
    for (int i = 0; i < f->p->nbox; i++) {
        f->low[i] = f->high[i] = 1;
        double lo = f->lo[i], hi = f->hi[i];
        f->lambda[i] = is_told(f, i)                     ? fmin(fmax(f->lambda[i], lo), hi)
                       : has_low(f, i) && has_high(f, i) ? 0.5 * (lo + hi)
                       : has_low(f, i)                   ? lo + force
                       : has_high(f, i)                  ? hi - force
                                                         : f->lambda[i];
    }
    for (int c = 0; c < f->p->ncontact; c++) {
        int r = friction_row(f, c);
        double mu = f->p->mu[c];
        memcpy(f->lambda + r, (double[]){force, 0, 0}, 3 * sizeof *f->lambda);
        memcpy(f->low + r, (double[]){mu > 0 ? fmax(1, 1 / mu) : 1, 0, 0}, 3 * sizeof *f->low);
    }
}

static void tell_row(friction_work *f, int i)
{
    memset(f->matrix + (size_t)i * (size_t)f->n, 0, (size_t)f->n * sizeof *f->matrix);
    f->matrix[i * f->n + i] = 1;
}

// W + what the laws add on the diagonal, once the duals' steps are eliminated.
static bool factor(friction_work *f)
{
    int n = f->n;
    memcpy(f->matrix, f->W, (size_t)n * (size_t)n * sizeof *f->matrix);
    for (int i = 0; i < n; i++)
        f->matrix[i * n + i] += FRICTION_REGULAR;
    for (int i = 0; i < f->p->nbox; i++) {
        f->matrix[i * n + i] += has_low(f, i) ? f->low[i] / (f->lambda[i] - f->lo[i]) : 0;
        f->matrix[i * n + i] += has_high(f, i) ? f->high[i] / (f->hi[i] - f->lambda[i]) : 0;
        if (is_told(f, i))
            tell_row(f, i);
    }
    for (int c = 0; c < f->p->ncontact; c++) {
        int r = friction_row(f, c);
        double mu = f->p->mu[c], x[3], b[3], dz[3], dw[3];
        if (is_smooth(f, c)) {
            f->matrix[r * n + r] += f->low[r] / f->lambda[r];
            tell_row(f, r + 1);
            tell_row(f, r + 2);
            continue;
        }
        cone_of(f, c, f->lambda, x);
        for (int k = 0; k < 3; k++) {
            double dx[3] = {k == 0 ? mu : 0, k == 1, k == 2};
            product(f->low + r, dx, b);
            quotient(x, b, dz);
            gap_of(mu, f->low + r, dz, dw);
            for (int i = 0; i < 3; i++)
                f->matrix[(r + i) * n + r + k] += dw[i];
        }
    }
    return dense_factor(n, f->matrix, f->pivot);
}

// sigma - x o z - bend, divided by x
static void miss(const friction_work *f, int c, double sigma, double out[3])
{
    int r = friction_row(f, c);
    double x[3], b[3];
    cone_of(f, c, f->lambda, x);
    product(x, f->low + r, b);
    for (int k = 0; k < 3; k++)
        b[k] = (k == 0 ? sigma : 0) - b[k] - f->bend[0][r + k];
    quotient(x, b, out);
}

// Duals' steps that go with f->step.
static void find_duals(friction_work *f, double sigma)
{
    for (int i = 0; i < f->p->nbox; i++) {
        double below = f->lambda[i] - f->lo[i], above = f->hi[i] - f->lambda[i], d = f->step[i];
        f->dlow[i] =
            has_low(f, i) ? (sigma - f->bend[0][i] - f->low[i] * d) / below - f->low[i] : 0;
        f->dhigh[i] =
            has_high(f, i) ? (sigma - f->bend[1][i] + f->high[i] * d) / above - f->high[i] : 0;
    }
    for (int c = 0; c < f->p->ncontact; c++) {
        int r = friction_row(f, c);
        double x[3], dx[3], b[3], dz[3];
        memset(f->dlow + r, 0, 3 * sizeof *f->dlow);
        if (is_smooth(f, c)) {
            f->dlow[r] =
                (sigma - f->bend[0][r] - f->low[r] * f->step[r]) / f->lambda[r] - f->low[r];
            continue;
        }
        cone_of(f, c, f->lambda, x);
        cone_of(f, c, f->step, dx);
        product(f->low + r, dx, b);
        quotient(x, b, dz);
        miss(f, c, sigma, f->dlow + r);
        for (int k = 0; k < 3; k++)
            f->dlow[r + k] -= dz[k];
    }
}

// The step towards sigma on the path, with the products of the predictor in f->bend.
static void find_step(friction_work *f, double sigma)
{
    double *b = f->step;
    for (int i = 0; i < f->p->nbox; i++) {
        b[i] = is_told(f, i) ? 0 : -f->w[i];
        b[i] += has_low(f, i) ? (sigma - f->bend[0][i]) / (f->lambda[i] - f->lo[i]) : 0;
        b[i] -= has_high(f, i) ? (sigma - f->bend[1][i]) / (f->hi[i] - f->lambda[i]) : 0;
    }
    for (int c = 0; c < f->p->ncontact; c++) {
        int r = friction_row(f, c);
        const double *z = f->low + r, *w = f->w + r;
        double mu = f->p->mu[c], dz[3];
        if (is_smooth(f, c)) {
            b[r] = (sigma - f->bend[0][r]) / f->lambda[r] - w[0];
            b[r + 1] = b[r + 2] = 0;
            continue;
        }
        miss(f, c, sigma, dz); // z may be off its w still
        double off[3] = {w[0] / mu + hypot(z[1], z[2]) - z[0], w[1] - z[1], w[2] - z[2]};
        double length = hypot(z[1], z[2]);
        off[0] += length > 0 ? (z[1] * off[1] + z[2] * off[2]) / length : 0;
        for (int k = 0; k < 3; k++)
            dz[k] -= off[k];
        gap_of(mu, z, dz, b + r);
    }
    dense_apply(f->n, f->matrix, f->pivot, b);
    find_duals(f, sigma);
}

static double way_down(double value, double step)
{
    return step < 0 ? -value / step : INFINITY;
}

// How far the step stays inside.
static double find_way(const friction_work *f)
{
    double way = INFINITY;
    for (int i = 0; i < f->p->nbox; i++) {
        if (has_low(f, i))
            way = fmin(way, fmin(way_down(f->lambda[i] - f->lo[i], f->step[i]),
                                 way_down(f->low[i], f->dlow[i])));
        if (has_high(f, i))
            way = fmin(way, fmin(way_down(f->hi[i] - f->lambda[i], -f->step[i]),
                                 way_down(f->high[i], f->dhigh[i])));
    }
    for (int c = 0; c < f->p->ncontact; c++) {
        int r = friction_row(f, c);
        double x[3], dx[3];
        if (is_smooth(f, c)) {
            way = fmin(way,
                       fmin(way_down(f->lambda[r], f->step[r]), way_down(f->low[r], f->dlow[r])));
            continue;
        }
        cone_of(f, c, f->lambda, x);
        cone_of(f, c, f->step, dx);
        way = fmin(way, fmin(way_in_cone(x, dx), way_in_cone(f->low + r, f->dlow + r)));
    }
    return way;
}

// Mean of x' z where a share of the step has been taken.
static double mean_product(const friction_work *f, double share)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < f->p->nbox; i++) {
        double at = f->lambda[i] + share * f->step[i];
        count += has_low(f, i) + has_high(f, i);
        sum += has_low(f, i) ? (at - f->lo[i]) * (f->low[i] + share * f->dlow[i]) : 0;
        sum += has_high(f, i) ? (f->hi[i] - at) * (f->high[i] + share * f->dhigh[i]) : 0;
    }
    for (int c = 0; c < f->p->ncontact; c++, count++) {
        int r = friction_row(f, c);
        double x[3], dx[3];
        cone_of(f, c, f->lambda, x);
        cone_of(f, c, f->step, dx);
        x[0] = is_smooth(f, c) ? f->lambda[r] : x[0];
        dx[0] = is_smooth(f, c) ? f->step[r] : dx[0];
        for (int k = 0; k < 3; k++)
            sum += (x[k] + share * dx[k]) * (f->low[r + k] + share * f->dlow[r + k]);
    }
    return count > 0 ? sum / count : 0;
}

// The products that the predictor's step leaves out, as far as it can be taken.
static void find_bend(friction_work *f, double way)
{
    double share = way * way;
    for (int i = 0; i < f->p->nbox; i++) {
        f->bend[0][i] = share * f->step[i] * f->dlow[i];
        f->bend[1][i] = -share * f->step[i] * f->dhigh[i];
    }
    for (int c = 0; c < f->p->ncontact; c++) {
        int r = friction_row(f, c);
        double dx[3];
        cone_of(f, c, f->step, dx);
        dx[0] = is_smooth(f, c) ? f->step[r] : dx[0];
        product(dx, f->dlow + r, f->bend[0] + r);
        for (int k = 0; k < 3; k++)
            f->bend[0][r + k] *= share;
    }
}

// One predictor and corrector. False: there is no way on.
static bool take_step(friction_work *f)
{
    const double least = 1e-12; // way
    if (!factor(f))
        return false;
    memset(f->bend[0], 0, (size_t)f->n * sizeof *f->bend[0]);
    memset(f->bend[1], 0, (size_t)f->n * sizeof *f->bend[1]);
    memset(f->step, 0, (size_t)f->n * sizeof *f->step);
    memset(f->dlow, 0, (size_t)f->n * sizeof *f->dlow);
    memset(f->dhigh, 0, (size_t)f->n * sizeof *f->dhigh);
    double before = mean_product(f, 0);
    find_step(f, 0);
    double way = fmin(1, find_way(f));
    double ratio = fmin(1, fmax(mean_product(f, way) / before, 1e-3));
    find_bend(f, way);
    find_step(f, before * (way < 0.1 ? fmax(0.5, pow(ratio, 3)) : pow(ratio, 3)));
    way = fmin(1, fmax(0.9, 1 - before) * find_way(f) * (1 - 1e-9));
    for (int i = 0; i < f->n; i++) {
        f->lambda[i] += way * f->step[i];
        f->low[i] += way * f->dlow[i];
        f->high[i] += i < f->p->nbox ? way * f->dhigh[i] : 0;
    }
    return way > least;
}

// Newton steps from here, and back if they do not solve it. What they come nearest with is kept.
static void try_newton(friction_work *f, friction_result *out, double *nearest)
{
    size_t bytes = (size_t)f->n * sizeof *f->lambda;
    memcpy(f->swept, f->lambda, bytes);
    friction_newton(f, out);
    if (out->residual < *nearest) {
        memcpy(f->nearest, f->lambda, bytes);
        *nearest = out->residual;
    }
    memcpy(f->lambda, f->swept, bytes);
    friction_update(f);
}

void friction_interior(friction_work *f, double force, friction_result *out)
{
    const double near = 1e-7, exact = 1e-13;
    double nearest = INFINITY, before = INFINITY;
    begin(f, force);
    for (int k = 0; k < INTERIOR_STEPS; k++, out->interior++) {
        friction_update(f);
        double residual = out->residual = friction_natural(f);
        if (residual <= near)
            try_newton(f, out, &nearest);
        bool ended = nearest <= FRICTION_TOLERANCE && residual >= before; // roundoff takes over
        if (nearest <= exact || ended || !take_step(f))
            break;
        before = residual;
    }
    if (nearest < INFINITY)
        memcpy(f->lambda, f->nearest, (size_t)f->n * sizeof *f->lambda);
    friction_update(f);
    out->residual = friction_natural(f);
}
