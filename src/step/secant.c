// The Hessian of 1/2 |e|^2 over the efforts is J'J + S, with S = sum e_i d2(delta_i)/d(effort)^2.
// Where a target is reached e vanishes and S with it; where it is not, J'J alone makes the way to
// the nearest point slow. S is learnt from how J'e changes between equilibria, by the structured
// secant update of Dennis, Gay and Welsch [dennis1981].
#include "base/eigen.h"
#include "step/inverse.h"

#include <string.h>

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// out = J' w e
static void gradient(int n, int nrow, const double *J, const hierarchy_level *at, double *out)
{
    memset(out, 0, (size_t)n * sizeof *out);
    for (int i = 0; i < nrow; i++)
        for (int c = 0; c < n; c++)
            out[c] += J[i * n + c] * at->weight[i] * at->e[i];
}

// S s = J' w e - J_old' w e =: y#, kept symmetric with the help of y = J' w e - J_old' w e_old.
static void learn(int n, secant_hessian *b, const hierarchy_level *level, const double *effort,
                  const double *g)
{
    double *s = b->step, *miss = b->miss, *y = b->y;
    for (int i = 0; i < n; i++) {
        s[i] = effort[i] - b->effort[i];
        y[i] = g[i] - b->g[i];
    }
    gradient(n, level->nrow, b->J, level, miss);
    for (int i = 0; i < n; i++)
        miss[i] = g[i] - miss[i]; // y#
    double curved = 0, wanted = dot(n, s, miss), slope = dot(n, s, y);
    for (int i = 0; i < n; i++)
        curved += s[i] * dot(n, &b->S[i * n], s);
    double shrink = fabs(curved) > fabs(wanted) ? fabs(wanted / curved) : 1; // S fades as e does
    for (int i = 0; i < n * n; i++)
        b->S[i] *= shrink;
    if (!(fabs(slope) > 1e-12 * sqrt(dot(n, s, s) * dot(n, y, y))))
        return;
    for (int i = 0; i < n; i++)
        miss[i] -= dot(n, &b->S[i * n], s);
    double rest = dot(n, miss, s) / (slope * slope);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b->S[i * n + j] += (miss[i] * y[j] + y[i] * miss[j]) / slope - rest * y[i] * y[j];
}

static void remember(int n, secant_hessian *b, const hierarchy_level *level, const double *effort,
                     const double *g)
{
    b->started = true;
    b->nrow = level->nrow;
    memcpy(b->J, level->J, (size_t)(level->nrow * n) * sizeof *b->J);
    memcpy(b->effort, effort, (size_t)n * sizeof *b->effort);
    memcpy(b->g, g, (size_t)n * sizeof *b->g);
}

// J'wJ + S and g as one level: B = V diag(value) V', rows sqrt(value) V' with errors V'g /
// sqrt(value). Directions in which B curves downwards are taken as if upwards, which still leads
// down; those without curvature stay free for later levels.
void secant_apply(const lithe_model *m, lithe_state *s, hierarchy_level *level)
{
    secant_hessian *b = &s->task.secant;
    int n = m->nact, kept = 0;
    size_t behind = (size_t)(m->nrow - n); // the levels' own rows are at most as many
    double *J = s->task.J + behind * (size_t)n, *e = s->task.e + behind,
           *weight = s->task.weight + behind;
    double largest = 0;
    for (int i = 0; i < n; i++)
        b->step[i] =
            s->pass.W[i * n + i] > 0 ? 1 / sqrt(s->pass.W[i * n + i]) : 1; // scale of each effort
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = b->S[i * n + j];
            for (int k = 0; k < level->nrow; k++)
                sum += level->J[k * n + i] * level->weight[k] * level->J[k * n + j];
            b->B[i * n + j] = b->step[i] * sum * b->step[j];
        }
    eigen_symmetric(n, b->B, b->value, b->V);
    for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(b->value[k]));
    for (int k = 0; k < n; k++) {
        double along = 0, value = fabs(b->value[k]);
        if (value <= 1e-9 * largest)
            continue;
        for (int i = 0; i < n; i++) {
            along += b->V[i * n + k] * b->step[i] * b->g[i];
            J[kept * n + i] = sqrt(value) * b->V[i * n + k] / b->step[i];
        }
        e[kept] = along / sqrt(value);
        weight[kept++] = 1;
    }
    *level = (hierarchy_level){kept, J, e, weight};
}

bool secant_learn(const lithe_model *m, lithe_state *s, const hierarchy_level *level)
{
    secant_hessian *b = &s->task.secant;
    int n = m->nact;
    gradient(n, level->nrow, level->J, level, b->value);
    bool same = b->started && b->nrow == level->nrow;
    if (same)
        learn(n, b, level, s->now.effort, b->value);
    else
        memset(b->S, 0, (size_t)(n * n) * sizeof *b->S);
    remember(n, b, level, s->now.effort, b->value);
    return same;
}
