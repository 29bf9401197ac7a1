// Semi-smooth Newton steps on the conditions of Alart and Curnier [alart1991]: near a solution they
// square the error.
#include "solve/dense.h"
#include "solve/friction_work.h"

#include <math.h>
#include <string.h>

enum { NEWTON_STEPS = 12 };

// Row i of Newton's matrix: a dlambda_i, and g of the rows from r on times dw.
static void matrix_row(friction_work *f, int i, int r, const double *a, const double *g, int count)
{
    int n = f->n;
    double *row = f->matrix + (size_t)i * (size_t)n;
    memset(row, 0, (size_t)n * sizeof *row);
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < n && g[k] != 0; j++)
            row[j] += g[k] * f->W[(r + k) * n + j];
        row[r + k] += a[k] + g[k] * FRICTION_REGULAR;
    }
}

static void box_condition(friction_work *f, int i)
{
    double z = f->lambda[i] - f->w[i], at = fmin(fmax(z, f->lo[i]), f->hi[i]);
    bool free = z == at;
    double a = free ? 0 : 1, g = free ? 1 : 0;
    f->map[i] = free ? f->w[i] : f->lambda[i] - at;
    matrix_row(f, i, i, &a, &g, 1);
}

// lambda_n - max(0, z_n), lambda_t - the projection of z_t onto the disk of radius mu max(0, z_n),
// with z = lambda - w; and their derivatives.
static void contact_condition(friction_work *f, int c)
{
    int r = friction_row(f, c);
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

// One step, shortened until the natural residual falls. False: it does not.
static bool newton_step(friction_work *f, double *residual)
{
    enum { HALVINGS = 5 };
    int n = f->n;
    for (int i = 0; i < f->p->nbox; i++)
        box_condition(f, i);
    for (int c = 0; c < f->p->ncontact; c++)
        contact_condition(f, c);
    if (!dense_factor(n, f->matrix, f->pivot))
        return false;
    memcpy(f->step, f->map, (size_t)n * sizeof *f->step);
    dense_apply(n, f->matrix, f->pivot, f->step);
    memcpy(f->map, f->lambda, (size_t)n * sizeof *f->map);
    double length = 1;
    for (int halving = 0; halving < HALVINGS; halving++, length *= 0.5) {
        for (int i = 0; i < n; i++)
            f->lambda[i] = f->map[i] - length * f->step[i];
        friction_update(f);
        double next = friction_natural(f);
        if (next < *residual) {
            *residual = next;
            return true;
        }
    }
    memcpy(f->lambda, f->map, (size_t)n * sizeof *f->lambda);
    friction_update(f);
    return false;
}

void friction_newton(friction_work *f, friction_result *out)
{
    for (int k = 0; k < NEWTON_STEPS && out->residual > 1e-14; k++) {
        if (!newton_step(f, &out->residual))
            return;
        out->newton++;
    }
}
