// Gauss-Seidel, contact after contact, each solved exactly, finds what sticks, slides and opens;
// semi-smooth Newton steps on the conditions of Alart and Curnier then square the error
// [alart1991]. Whichever is nearer to the solution is kept, so Newton can only help.
#include "solve/friction.h"
#include "solve/dense.h"

#include <math.h>
#include <string.h>

enum { SWEEPS_FIRST = 10, SWEEPS_MOST = 20000, NEWTON_STEPS = 12 };

// Added to W in Newton's matrix, rows being of unit diagonal: redundant contacts make it singular.
static const double regular = 1e-11;

struct friction_work {
    const friction_problem *p;
    int n;
    double *W, *q, *scale;     // rows in units of their own; one unit for the rows of a contact
    double *lambda, *w;        // scaled
    double *best, *step, *map; // (n)
    double *matrix;            // (n x n)
    double size;               // largest |q|
};

friction_work *friction_create(arena *a, int n)
{
    friction_work *f = arena_new(a, 1, friction_work);
    if (!f)
        return NULL;
    size_t m = (size_t)n + 1;
    double **vector[] = {&f->q, &f->scale, &f->lambda, &f->w, &f->best, &f->step, &f->map};
    bool ok = (f->W = arena_new(a, m * m, double)) && (f->matrix = arena_new(a, m * m, double));
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        ok = ok && (*vector[k] = arena_new(a, m, double)) != NULL;
    return ok ? f : NULL;
}

static int contact_row(const friction_work *f, int c)
{
    return f->p->nbox + 3 * c;
}

static void scale_rows(friction_work *f, const double *lambda)
{
    const friction_problem *p = f->p;
    int n = f->n;
    for (int i = 0; i < n; i++) {
        int first = i < p->nbox ? i : i - (i - p->nbox) % 3, last = i < p->nbox ? i : first + 2;
        double mean = 0;
        for (int k = first; k <= last; k++)
            mean += p->W[k * n + k] / (last - first + 1);
        f->scale[i] = mean > 0 ? 1 / sqrt(mean) : 1;
    }
    f->size = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            f->W[i * n + j] = f->scale[i] * p->W[i * n + j] * f->scale[j];
        f->q[i] = f->scale[i] * p->q[i];
        f->lambda[i] = lambda[i] / f->scale[i];
        f->size = fmax(f->size, fabs(f->q[i]));
    }
}

static void update_w(friction_work *f)
{
    int n = f->n;
    memcpy(f->w, f->q, (size_t)n * sizeof *f->w);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n && f->lambda[j] != 0; i++)
            f->w[i] += f->W[j * n + i] * f->lambda[j];
}

static double clamp(const friction_work *f, int i, double value)
{
    double lo = f->p->lo[i] / f->scale[i], hi = f->p->hi[i] / f->scale[i];
    return fmin(fmax(value, lo), hi);
}

static void change_row(friction_work *f, int i, double next)
{
    double change = next - f->lambda[i];
    f->lambda[i] = next;
    for (int j = 0; j < f->n && change != 0; j++)
        f->w[j] += change * f->W[i * f->n + j];
}

static void sweep(friction_work *f)
{
    int n = f->n;
    for (int i = 0; i < f->p->nbox; i++)
        if (f->W[i * n + i] > 0)
            change_row(f, i, clamp(f, i, f->lambda[i] - f->w[i] / f->W[i * n + i]));
    for (int c = 0; c < f->p->ncontact; c++) {
        int r = contact_row(f, c);
        double W[9], q[3], next[3];
        for (int i = 0; i < 3; i++) {
            q[i] = f->w[r + i];
            for (int j = 0; j < 3; j++) {
                W[3 * i + j] = f->W[(r + i) * n + r + j];
                q[i] -= W[3 * i + j] * f->lambda[r + j];
            }
            W[4 * i] += regular;
        }
        friction_local(W, q, f->p->mu[c], next);
        for (int i = 0; i < 3; i++)
            change_row(f, r + i, next[i]);
    }
}

// Onto the cone |t| <= mu n.
static void project_cone(double mu, double v[3])
{
    double length = hypot(v[1], v[2]);
    if (length <= mu * v[0])
        return;
    double n = (v[0] + mu * length) / (1 + mu * mu);
    n = fmax(n, 0);
    double share = length > 0 ? mu * n / length : 0;
    v[0] = n;
    v[1] *= share;
    v[2] *= share;
}

// The natural map, whose only zeros are solutions [acary2008].
static double natural_residual(const friction_work *f)
{
    double worst = 0;
    for (int i = 0; i < f->p->nbox; i++)
        worst = fmax(worst, fabs(f->lambda[i] - clamp(f, i, f->lambda[i] - f->w[i])));
    for (int c = 0; c < f->p->ncontact; c++) {
        int r = contact_row(f, c);
        const double *l = f->lambda + r, *w = f->w + r;
        double mu = f->p->mu[c];
        double v[3] = {l[0] - w[0] - mu * hypot(w[1], w[2]), l[1] - w[1], l[2] - w[2]};
        project_cone(mu, v);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(l[k] - v[k]));
    }
    return f->size > 0 ? worst / f->size : worst;
}

// Row i of Newton's matrix: a dlambda_i, and g of the rows from r on times dw.
static void matrix_row(friction_work *f, int i, int r, const double *a, const double *g, int count)
{
    int n = f->n;
    double *row = f->matrix + (size_t)i * (size_t)n;
    memset(row, 0, (size_t)n * sizeof *row);
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < n && g[k] != 0; j++)
            row[j] += g[k] * f->W[(r + k) * n + j];
        row[r + k] += a[k] + g[k] * regular;
    }
}

static void box_condition(friction_work *f, int i)
{
    double z = f->lambda[i] - f->w[i], at = clamp(f, i, z);
    bool free = z == at;
    double a = free ? 0 : 1, g = free ? 1 : 0;
    f->map[i] = free ? f->w[i] : f->lambda[i] - at;
    matrix_row(f, i, i, &a, &g, 1);
}

// lambda_n - max(0, z_n), lambda_t - the projection of z_t onto the disk of radius mu max(0, z_n),
// with z = lambda - w; and their derivatives.
static void contact_condition(friction_work *f, int c)
{
    int r = contact_row(f, c);
    const double *l = f->lambda + r, *w = f->w + r;
    double z[3] = {l[0] - w[0], l[1] - w[1], l[2] - w[2]}, mu = f->p->mu[c];
    double length = hypot(z[1], z[2]);
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, none[3] = {0};
    if (z[0] <= 0) {
        for (int k = 0; k < 3; k++) {
            f->map[r + k] = l[k];
            matrix_row(f, r + k, r, unit[k], none, 3);
        }
        return;
    }
    f->map[r] = w[0];
    matrix_row(f, r, r, none, unit[0], 3);
    bool sticks = length <= mu * z[0];
    double t[2] = {length > 0 ? z[1] / length : 1, length > 0 ? z[2] / length : 0};
    for (int k = 0; k < 2; k++) {
        f->map[r + 1 + k] = sticks ? w[1 + k] : l[1 + k] - mu * z[0] * t[k];
        if (sticks) {
            matrix_row(f, r + 1 + k, r, none, unit[1 + k], 3);
            continue;
        }
        // d(mu z_n t) = mu t dz_n + mu z_n / |z_t| (I - t t') dz_t
        double share = mu * z[0] / length, dz[3] = {mu * t[k], 0, 0}, a[3], g[3];
        for (int m = 0; m < 2; m++)
            dz[1 + m] = share * ((k == m) - t[k] * t[m]);
        for (int m = 0; m < 3; m++) {
            a[m] = (m == 1 + k) - dz[m];
            g[m] = dz[m];
        }
        matrix_row(f, r + 1 + k, r, a, g, 3);
    }
}

// One Newton step, shortened until the natural residual falls. False: it does not.
static bool newton_step(friction_work *f, double *residual)
{
    enum { HALVINGS = 5 };
    int n = f->n;
    for (int i = 0; i < f->p->nbox; i++)
        box_condition(f, i);
    for (int c = 0; c < f->p->ncontact; c++)
        contact_condition(f, c);
    memcpy(f->step, f->map, (size_t)n * sizeof *f->step);
    if (!dense_solve(n, 1, f->matrix, f->step))
        return false;
    memcpy(f->map, f->lambda, (size_t)n * sizeof *f->map);
    double length = 1;
    for (int halving = 0; halving < HALVINGS; halving++, length *= 0.5) {
        for (int i = 0; i < n; i++)
            f->lambda[i] = f->map[i] - length * f->step[i];
        update_w(f);
        double next = natural_residual(f);
        if (next < *residual) {
            *residual = next;
            return true;
        }
    }
    memcpy(f->lambda, f->map, (size_t)n * sizeof *f->lambda);
    update_w(f);
    return false;
}

static void newton(friction_work *f, friction_result *out)
{
    for (int k = 0; k < NEWTON_STEPS && out->residual > 1e-14; k++) {
        if (!newton_step(f, &out->residual))
            return;
        out->newton++;
    }
}

static void iterate(friction_work *f, friction_result *out)
{
    int n = f->n, sweeps = SWEEPS_FIRST;
    while (out->sweep < SWEEPS_MOST) {
        for (int k = 0; k < sweeps; k++)
            sweep(f);
        out->sweep += sweeps;
        update_w(f);
        out->residual = natural_residual(f);
        memcpy(f->best, f->lambda, (size_t)n * sizeof *f->best);
        double swept = out->residual;
        newton(f, out);
        if (out->residual <= FRICTION_TOLERANCE)
            return;
        if (out->residual > 0.1 * swept) { // it was too early: go on where the sweeps were
            memcpy(f->lambda, f->best, (size_t)n * sizeof *f->lambda);
            update_w(f);
            out->residual = swept;
        }
        sweeps += sweeps / 4;
    }
}

// Bounds, open contacts and cones are met exactly, not to the last digit.
static void snap(friction_work *f)
{
    for (int i = 0; i < f->p->nbox; i++) {
        double z = f->lambda[i] - f->w[i], at = clamp(f, i, z);
        f->lambda[i] = z == at ? clamp(f, i, f->lambda[i]) : at;
    }
    for (int c = 0; c < f->p->ncontact; c++) {
        double *l = f->lambda + contact_row(f, c);
        if (l[0] - f->w[contact_row(f, c)] <= 0)
            l[0] = 0;
        project_cone(f->p->mu[c], l);
    }
}

friction_result friction_solve(friction_work *f, const friction_problem *p, double *lambda)
{
    friction_result out = {0};
    f->p = p;
    f->n = p->nbox + 3 * p->ncontact;
    scale_rows(f, lambda);
    update_w(f);
    iterate(f, &out);
    snap(f);
    update_w(f);
    out.residual = natural_residual(f);
    for (int i = 0; i < f->n; i++)
        lambda[i] = i < p->nbox && f->lambda[i] == p->lo[i] / f->scale[i] ? p->lo[i]
                    : i < p->nbox && f->lambda[i] == p->hi[i] / f->scale[i]
                        ? p->hi[i]
                        : f->scale[i] * f->lambda[i];
    out.solved = out.residual <= FRICTION_TOLERANCE;
    return out;
}
