// Friction where A is indefinite: contacts that press, and commands, may hold its negative modes
// back. These rows E get springs that push their gaps shut, A + H_E' diag(1/c) H_E, which do
// nothing as long as the gaps are shut, as they are meant to be. With lambda' = lambda + w / c,
//
//     W' = W - W_.E (W_EE + diag(c))^-1 W_E.,    q' = q - W_.E (W_EE + diag(c))^-1 q_E
//
// and W' is positive if W_EE + diag(c) has as many negative eigenvalues as A [gould1985]. A contact
// that opens all the same is let go, and the rest is solved again.
#include "solve/dense.h"
#include "step/step.h"

#include <string.h>

// Gaps and commands alone: a slip that sticks now may slide.
static saddle choose(const lithe_model *m, const lithe_state *s)
{
    saddle d = saddle_choose(m, s, step_is_taut, s->now.press);
    while (d.nheld > 0 && d.held[d.nheld - 1] >= m->nact + s->touch.list.n)
        d.nheld--;
    return d;
}

// Half the least of the negative eigenvalues, in the rows' scales: the count stays.
static double find_spring(const saddle *d)
{
    double least = INFINITY;
    for (int i = 0; i < d->nheld; i++)
        if (d->value[i] < 0)
            least = fmin(least, -d->value[i]);
    return 0.5 * least;
}

static bool brace(step_touch *t, const saddle *d)
{
    int n = d->nheld, all = d->all, width = all + 1;
    double spring = find_spring(d), *column = d->value;
    saddle_gather(t, d);
    for (int i = 0; i < n; i++) {
        const double *line = &t->W[d->held[i] * all];
        d->A[i * n + i] += spring * fabs(line[d->held[i]]);
        memcpy(&d->B[i * width], line, (size_t)all * sizeof *line);
        d->B[i * width + all] = t->q[d->held[i]];
    }
    if (!dense_solve(n, width, d->A, d->B))
        return false;
    for (int i = 0; i < all; i++) {
        for (int k = 0; k < n; k++)
            column[k] = t->W[i * all + d->held[k]];
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < all; j++)
                t->W[i * all + j] -= column[k] * d->B[k * width + j];
            t->q[i] -= column[k] * d->B[k * width + all];
        }
    }
    return true;
}

// Lets go of contacts that were braced and have opened. False: none has.
static bool let_go(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    bool any = false;
    for (int c = 0; c < t->list.n; c++)
        if (s->now.press[c] > 0 && !t->released[c] && t->lambda[m->nact + c] <= 0)
            any = t->released[c] = true;
    return any;
}

static bool commands_hold(const lithe_model *m, const lithe_state *s)
{
    const step_touch *t = &s->touch;
    for (int r = 0; r < m->nact; r++)
        if (step_is_taut(m, s, r) && (t->lambda[r] <= t->lo[r] || t->lambda[r] >= t->hi[r]))
            return false;
    return true;
}

bool brace_solve(const lithe_model *m, lithe_state *s)
{
    enum { RELEASES = 16 };
    step_touch *t = &s->touch;
    size_t all = (size_t)m->nact + (size_t)t->nrow;
    double *q = t->scratch + 3 * all * all + 2 * all; // beyond what a saddle takes
    memcpy(q, t->q, all * sizeof *q);
    memset(t->released, 0, (size_t)t->list.n * sizeof *t->released);
    for (int k = 0; k < RELEASES; k++) {
        saddle d = choose(m, s);
        if (saddle_modes(t, &d) != s->negative || !brace(t, &d) || slip_solve(m, s) != LITHE_OK)
            return false;
        if (!let_go(m, s))
            return commands_hold(m, s);
        touch_gather(m, s);
        memcpy(t->q, q, all * sizeof *q);
    }
    return false;
}
