// Methods in turn. Newton steps, enough where the start is good; after a few sweeps of
// Gauss-Seidel, contact after contact, each solved exactly; after an interior method from scratch,
// for bodies that are soft in one way and stiff in another; after more sweeps. Whichever is nearer
// to the solution is kept.
#include "solve/friction.h"
#include "solve/friction_work.h"

#include <math.h>
#include <string.h>

enum { SWEEPS_FIRST = 10, SWEEPS_MOST = 5000 };

friction_work *friction_create(arena *a, int n)
{
    friction_work *f = arena_new(a, 1, friction_work);
    if (!f)
        return NULL;
    size_t m = (size_t)n + 1;
    double **vector[] = {&f->q,    &f->scale, &f->lambda, &f->w,       &f->best,   &f->step,
                         &f->map,  &f->lo,    &f->swept,  &f->nearest, &f->hi,     &f->low,
                         &f->high, &f->dlow,  &f->dhigh,  &f->bend[0], &f->bend[1]};
    bool ok = (f->W = arena_new(a, m * m, double)) && (f->matrix = arena_new(a, m * m, double)) &&
              (f->pivot = arena_new(a, m, int));
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        ok = ok && (*vector[k] = arena_new(a, m, double)) != NULL;
    return ok ? f : NULL;
}

static void find_scale(friction_work *f)
{
    const friction_problem *p = f->p;
    int n = f->n;
    f->size = 0;
    for (int i = 0; i < n; i++) {
        int first = i < p->nbox ? i : i - (i - p->nbox) % 3, last = i < p->nbox ? i : first + 2;
        double mean = 0;
        for (int k = first; k <= last; k++)
            mean += p->W[k * n + k] / (last - first + 1);
        f->scale[i] = mean > 0 ? 1 / sqrt(mean) : 1;
        f->size = fmax(f->size, fabs(f->scale[i] * p->q[i]));
    }
    f->size = f->size > 0 ? f->size : 1;
}

static void scale_rows(friction_work *f, const double *lambda)
{
    const friction_problem *p = f->p;
    int n = f->n;
    find_scale(f);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            f->W[i * n + j] = f->scale[i] * p->W[i * n + j] * f->scale[j];
        f->q[i] = f->scale[i] * p->q[i] / f->size;
        f->lambda[i] = lambda[i] / (f->scale[i] * f->size);
    }
    for (int i = 0; i < p->nbox; i++) {
        f->lo[i] = p->lo[i] / (f->scale[i] * f->size);
        f->hi[i] = p->hi[i] / (f->scale[i] * f->size);
    }
}

void friction_update(friction_work *f)
{
    int n = f->n;
    memcpy(f->w, f->q, (size_t)n * sizeof *f->w);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n && f->lambda[j] != 0; i++)
            f->w[i] += f->W[j * n + i] * f->lambda[j];
}

static double clamp(const friction_work *f, int i, double value)
{
    return fmin(fmax(value, f->lo[i]), f->hi[i]);
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
        int r = friction_row(f, c);
        double W[9], q[3], next[3];
        for (int i = 0; i < 3; i++) {
            q[i] = f->w[r + i];
            for (int j = 0; j < 3; j++) {
                W[3 * i + j] = f->W[(r + i) * n + r + j];
                q[i] -= W[3 * i + j] * f->lambda[r + j];
            }
            W[4 * i] += FRICTION_REGULAR;
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
double friction_natural(const friction_work *f)
{
    double worst = 0;
    for (int i = 0; i < f->n; i++)
        if (!isfinite(f->lambda[i]) || !isfinite(f->w[i]))
            return INFINITY;
    for (int i = 0; i < f->p->nbox; i++)
        worst = fmax(worst, fabs(f->lambda[i] - clamp(f, i, f->lambda[i] - f->w[i])));
    for (int c = 0; c < f->p->ncontact; c++) {
        int r = friction_row(f, c);
        const double *l = f->lambda + r, *w = f->w + r;
        double mu = f->p->mu[c];
        double v[3] = {l[0] - w[0] - mu * hypot(w[1], w[2]), l[1] - w[1], l[2] - w[2]};
        project_cone(mu, v);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(l[k] - v[k]));
    }
    return worst;
}

static void go_to(friction_work *f, friction_result *out, const double *lambda, double residual)
{
    memcpy(f->lambda, lambda, (size_t)f->n * sizeof *lambda);
    friction_update(f);
    out->residual = residual;
}

static void sweep_and_step(friction_work *f, friction_result *out, int sweeps)
{
    for (int k = 0; k < sweeps; k++)
        sweep(f);
    out->sweep += sweeps;
    friction_update(f);
    double swept = out->residual = friction_natural(f);
    memcpy(f->swept, f->lambda, (size_t)f->n * sizeof *f->swept);
    friction_newton(f, out);
    if (out->residual > FRICTION_TOLERANCE && out->residual > 0.1 * swept)
        go_to(f, out, f->swept, swept); // it was too early: go on where the sweeps were
}

static double largest(const friction_work *f)
{
    double most = 0;
    for (int i = 0; i < f->n; i++)
        most = fmax(most, fabs(f->lambda[i]));
    return most;
}

static void iterate(friction_work *f, friction_result *out)
{
    double start[] = {fmax(1, largest(f)), 1, 30};
    memcpy(f->best, f->lambda, (size_t)f->n * sizeof *f->best);
    double best = out->residual = friction_natural(f);
    friction_newton(f, out);
    if (out->residual <= FRICTION_TOLERANCE)
        return;
    go_to(f, out, f->best, best);
    sweep_and_step(f, out, SWEEPS_FIRST);
    best = out->residual;
    memcpy(f->best, f->lambda, (size_t)f->n * sizeof *f->best);
    for (int k = 0; k < 3 && out->residual > FRICTION_TOLERANCE; k++) {
        friction_interior(f, start[k], out);
        if (out->residual < best) {
            best = out->residual;
            memcpy(f->best, f->lambda, (size_t)f->n * sizeof *f->best);
        }
        go_to(f, out, f->best, best);
    }
    for (int sweeps = SWEEPS_FIRST; out->residual > FRICTION_TOLERANCE && out->sweep < SWEEPS_MOST;
         sweeps += sweeps / 4)
        sweep_and_step(f, out, sweeps);
}

// Bounds, open contacts and cones are met exactly, not to the last digit.
static void snap(friction_work *f)
{
    for (int i = 0; i < f->p->nbox; i++) {
        double z = f->lambda[i] - f->w[i], at = clamp(f, i, z);
        f->lambda[i] = z == at ? clamp(f, i, f->lambda[i]) : at;
    }
    for (int c = 0; c < f->p->ncontact; c++) {
        double *l = f->lambda + friction_row(f, c);
        if (l[0] - f->w[friction_row(f, c)] <= 0)
            memset(l, 0, 3 * sizeof *l);
        project_cone(f->p->mu[c], l);
    }
}

// Back to the problem's own units; bounds to the last digit.
static void unscale(const friction_work *f, double *lambda)
{
    const friction_problem *p = f->p;
    for (int i = 0; i < f->n; i++)
        lambda[i] = f->scale[i] * f->size * f->lambda[i];
    for (int i = 0; i < p->nbox; i++)
        lambda[i] = f->lambda[i] == f->lo[i]   ? p->lo[i]
                    : f->lambda[i] == f->hi[i] ? p->hi[i]
                                               : lambda[i];
}

friction_result friction_solve(friction_work *f, const friction_problem *p, double *lambda)
{
    friction_result out = {0};
    f->p = p;
    f->n = p->nbox + 3 * p->ncontact;
    scale_rows(f, lambda);
    friction_update(f);
    iterate(f, &out);
    snap(f);
    friction_update(f);
    out.residual = friction_natural(f);
    unscale(f, lambda);
    out.solved = out.residual <= FRICTION_TOLERANCE;
    return out;
}
