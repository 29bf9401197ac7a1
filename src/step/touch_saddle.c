// Where A is indefinite: commands and contacts may hold its negative modes back. Rows E that do are
// conditions, w_E = 0; A is positive on what these leave free if W_EE has as many negative
// eigenvalues as A has [gould1985], and then so is the compliance of the other rows,
//
//     S = W_ff - W_fE W_EE^-1 W_Ef
//
// so that what is left is a box problem again.
#include "base/eigen.h"
#include "solve/box.h"
#include "solve/dense.h"
#include "step/step.h"

#include <string.h>

int touch_pressing(const lithe_state *s)
{
    int count = 0;
    for (int c = 0; c < s->touch.list.n; c++)
        count += s->now.press[c] > 0;
    return count;
}

// Does row r of the contacts, with such forces, allow no motion? A gap that presses, unless it was
// released, or a slip that sticks.
static bool is_held(const lithe_model *m, const lithe_state *s, int r, const double *press)
{
    const step_touch *t = &s->touch;
    int n = t->list.n, f = (r - n) / 2;
    if (r < n)
        return !t->released[r] && press[r] > 0;
    return slip_sticks(slip_coefficient(m, s, t->slider[f]), press[t->slider[f]],
                       &press[n + 2 * f]);
}

saddle saddle_choose(const lithe_model *m, const lithe_state *s, saddle_holds_row holds,
                     const double *press)
{
    const step_touch *t = &s->touch;
    saddle d = {.all = m->nact + t->nrow, .held = t->split};
    size_t all = (size_t)d.all;
    d.free = d.held + all;
    d.A = t->scratch;
    d.B = d.A + all * all;
    d.value = d.B + all * (all + 1);
    d.rest = d.value + all;
    for (int i = 0; i < d.all; i++) {
        if (i < m->nact ? holds(m, s, i) : is_held(m, s, i - m->nact, press))
            d.held[d.nheld++] = i;
        else
            d.free[d.nfree++] = i;
    }
    return d;
}

void saddle_gather(const step_touch *t, const saddle *d)
{
    for (int i = 0; i < d->nheld; i++)
        for (int j = 0; j < d->nheld; j++)
            d->A[i * d->nheld + j] = t->W[d->held[i] * d->all + d->held[j]];
}

int saddle_modes(const step_touch *t, const saddle *d)
{
    int n = d->nheld, count = 0;
    saddle_gather(t, d);
    for (int i = 0; i < n; i++)
        d->B[i] = 1 / sqrt(fmax(fabs(t->W[d->held[i] * (d->all + 1)]), 1e-300));
    for (int i = 0; i < n * n; i++)
        d->A[i] *= d->B[i / n] * d->B[i % n];
    eigen_symmetric(n, d->A, d->value, d->rest);
    for (int i = 0; i < n; i++)
        count += d->value[i] < -1e-12;
    return count;
}

static bool eliminate(const step_touch *t, const saddle *d)
{
    int width = d->nfree + 1;
    saddle_gather(t, d);
    for (int i = 0; i < d->nheld; i++) {
        for (int j = 0; j < d->nfree; j++)
            d->B[i * width + j] = t->W[d->held[i] * d->all + d->free[j]];
        d->B[i * width + d->nfree] = t->q[d->held[i]];
    }
    return dense_solve(d->nheld, width, d->A, d->B);
}

// The other rows with S; A's room takes it.
static bool solve_free(step_touch *t, const saddle *d)
{
    int n = d->nfree, width = n + 1;
    double *q = d->value, *lo = d->rest, *hi = lo + d->all, *lambda = hi + d->all;
    for (int i = 0; i < n; i++) {
        int r = d->free[i];
        q[i] = t->q[r];
        lo[i] = t->lo[r];
        hi[i] = t->hi[r];
        lambda[i] = t->lambda[r];
        for (int j = 0; j < n; j++)
            d->A[i * n + j] = t->W[r * d->all + d->free[j]];
        for (int k = 0; k < d->nheld; k++) {
            double w = t->W[r * d->all + d->held[k]];
            q[i] -= w * d->B[k * width + n];
            for (int j = 0; j < n; j++)
                d->A[i * n + j] -= w * d->B[k * width + j];
        }
    }
    if (!box_solve(t->box, n, d->A, q, lo, hi, lambda).solved)
        return false;
    for (int i = 0; i < n; i++)
        t->lambda[d->free[i]] = lambda[i];
    return true;
}

// Efforts of the rows E. Returns the contact that would have to pull most, -1: none, or -2: an
// actuator would pass its limit.
static int recover(const lithe_model *m, step_touch *t, const saddle *d)
{
    int width = d->nfree + 1, worst = -1;
    double most = 0;
    for (int i = 0; i < d->nheld; i++) {
        int r = d->held[i];
        t->lambda[r] = -d->B[i * width + d->nfree];
        for (int j = 0; j < d->nfree; j++)
            t->lambda[r] -= d->B[i * width + j] * t->lambda[d->free[j]];
        if (r < m->nact && (t->lambda[r] < t->lo[r] || t->lambda[r] > t->hi[r]))
            return -2;
        if (r >= m->nact && t->lambda[r] < most) {
            most = t->lambda[r];
            worst = r - m->nact;
        }
    }
    return worst;
}

// First with commands alone, then with contacts that press; of these, what would pull is released.
bool saddle_solve(const lithe_model *m, lithe_state *s)
{
    enum { RELEASES = 16 };
    step_touch *t = &s->touch;
    for (int c = 0; c < t->list.n; c++)
        t->released[c] = true;
    for (int k = 0; k < RELEASES; k++) {
        saddle d = saddle_choose(m, s, step_is_taut, s->now.press);
        bool held = saddle_modes(t, &d) == s->negative && eliminate(t, &d) && solve_free(t, &d);
        int worst = held ? recover(m, t, &d) : -2;
        if (worst == -1)
            return true;
        if (k > 0 && worst < 0)
            return false;
        if (k == 0)
            memset(t->released, 0, (size_t)t->list.n * sizeof *t->released);
        else
            t->released[worst] = true;
    }
    return false;
}

int saddle_held(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    memset(t->released, 0, (size_t)t->list.n * sizeof *t->released);
    touch_gather(m, s);
    saddle d = saddle_choose(m, s, step_is_taut, s->now.press);
    return saddle_modes(t, &d);
}
