// The inverse where A is indefinite. Efforts say little there: a finger that is bent over an edge
// has modes that only its cables' lengths, or the edge, hold back, and W_cc need not be positive.
// With rows E as in touch_saddle.c, actuators D within their limits and perhaps contacts P that
// press, the unknowns are
//
//     y = (displacements of D from where they are, increments of the other actuators' efforts)
//
// and what E does follows: v_E = W_EE^-1 (w_E - W_Ef v_f) with w_D = y_D and w_P = 0. Every row of
// the problem is written in y by that. The compliance of the contacts that are left is that of the
// robot with E held, which is positive, so it is a QPCC again; and it has the same answer.
#include "base/eigen.h"
#include "solve/dense.h"
#include "step/step.h"

#include <string.h>

bool hold_can(const lithe_model *m, const lithe_state *s, int r)
{
    bool told = task_is_given(m, r) && s->command[r] == LITHE_EFFORT;
    return !row_is_parameter(&m->row[r]) && !told && s->now.effort[r] > s->task.lower[r] &&
           s->now.effort[r] < s->task.upper[r];
}

// Contacts that E leaves, from here on in `free`.
static int first_contact(const lithe_model *m, const saddle *d)
{
    int i = 0;
    while (i < d->nfree && d->free[i] < m->nact)
        i++;
    return i;
}

static int width_of(const lithe_model *m, const saddle *d)
{
    return m->nact + d->nfree - first_contact(m, d) + 1;
}

// B = W_EE^-1 times the columns of y, of the forces of the contacts that are left, and of what is
// there without them.
static bool eliminate(const lithe_model *m, const lithe_state *s, const saddle *d)
{
    const step_touch *t = &s->touch;
    int n = m->nact, first = first_contact(m, d), width = width_of(m, d);
    saddle_gather(t, d);
    for (int i = 0; i < d->nheld; i++) {
        const double *W = &t->W[d->held[i] * d->all];
        double *B = &d->B[i * width], *last = &B[width - 1];
        memset(B, 0, (size_t)width * sizeof *B);
        *last = d->held[i] < n ? 0 : -t->gap_free[d->held[i] - n];
        for (int k = 0; k < d->nfree; k++) {
            B[k < first ? d->free[k] : n + k - first] = -W[d->free[k]];
            *last += k < first ? 0 : W[d->free[k]] * s->now.press[d->free[k] - n];
        }
        if (d->held[i] < n)
            B[d->held[i]] = 1;
    }
    return dense_solve(d->nheld, width, d->A, d->B);
}

void hold_begin(const lithe_model *m, lithe_state *s)
{
    touch_gather(m, s);
    for (int c = 0; c < s->touch.list.n; c++)
        s->touch.released[c] = true;
}

// First by actuators alone, then with contacts that press.
bool hold_choose(const lithe_model *m, lithe_state *s, saddle *d)
{
    step_touch *t = &s->touch;
    bool alone = true;
    for (int c = 0; c < t->list.n; c++)
        alone = alone && t->released[c];
    *d = saddle_choose(m, s, hold_can, s->now.press);
    bool held = saddle_modes(t, d) == s->negative;
    if (!held && alone) {
        memset(t->released, 0, (size_t)t->list.n * sizeof *t->released);
        *d = saddle_choose(m, s, hold_can, s->now.press);
        held = saddle_modes(t, d) == s->negative;
    }
    return held && eliminate(m, s, d);
}

// One row, its value `constant` + a x + k lambda, in y and the forces of the contacts that are
// left; k becomes shorter, and goes to `left`.
static void exchange_row(const lithe_model *m, const lithe_state *s, const saddle *d, double *a,
                         const double *k, double *left, double *constant)
{
    int n = m->nact, first = first_contact(m, d), width = width_of(m, d);
    double *sum = d->rest;
    for (int j = 0; j < n; j++)
        sum[j] = a[j];
    for (int i = 0; i < d->nheld && d->held[i] < n; i++)
        sum[d->held[i]] = 0;
    for (int i = first; i < d->nfree; i++)
        sum[n + i - first] = k[d->free[i] - n];
    sum[width - 1] = *constant;
    for (int i = 0; i < d->nheld; i++) {
        int r = d->held[i];
        double share = r < n ? a[r] : k[r - n];
        sum[width - 1] += r < n ? 0 : share * s->now.press[r - n];
        for (int j = 0; j < width; j++)
            sum[j] += share * d->B[i * width + j];
    }
    memcpy(a, sum, (size_t)n * sizeof *a);
    memcpy(left, sum + n, (size_t)(width - 1 - n) * sizeof *left);
    *constant = sum[width - 1];
}

static void exchange_levels(const lithe_model *m, lithe_state *s, const saddle *d, qpcc_problem *p)
{
    step_touch *t = &s->touch;
    int nc = t->list.n, left = width_of(m, d) - 1 - m->nact, at = 0;
    for (int l = 0; l < p->nlevel; l++) {
        int start = at;
        for (int i = 0; i < t->level[l].nrow; i++, at++)
            exchange_row(m, s, d, &s->task.J[at * m->nact], &t->Jc[at * nc], &t->Jc[at * left],
                         &t->e[at]);
        t->level[l].Jc = &t->Jc[start * left];
    }
}

static void exchange_limit(const lithe_model *m, lithe_state *s, const saddle *d, int i)
{
    step_touch *t = &s->touch;
    int nc = t->list.n, left = width_of(m, d) - 1 - m->nact;
    double constant = 0;
    exchange_row(m, s, d, &s->task.A[i * m->nact], &t->Ac[i * nc], &t->Ac[i * left], &constant);
    t->blo[i] -= constant;
    t->bhi[i] -= constant;
}

// Those that there are, then the efforts of D.
static void exchange_limits(const lithe_model *m, lithe_state *s, const saddle *d, qpcc_problem *p)
{
    step_touch *t = &s->touch;
    step_task *k = &s->task;
    for (int i = 0; i < d->nheld && d->held[i] < m->nact; i++) {
        int r = d->held[i], at = p->nlimit++;
        memset(&k->A[at * m->nact], 0, (size_t)m->nact * sizeof *k->A);
        memset(&t->Ac[at * t->list.n], 0, (size_t)t->list.n * sizeof *t->Ac);
        k->A[at * m->nact + r] = 1;
        t->blo[at] = k->lo[r];
        t->bhi[at] = k->hi[r];
        k->lo[r] = -INFINITY;
        k->hi[r] = INFINITY;
    }
    for (int i = 0; i < p->nlimit; i++)
        exchange_limit(m, s, d, i);
}

static void exchange_contacts(const lithe_model *m, lithe_state *s, const saddle *d,
                              qpcc_problem *p)
{
    step_touch *t = &s->touch;
    int nc = t->list.n, first = first_contact(m, d), left = d->nfree - first;
    for (int i = 0; i < left; i++) {
        int c = d->free[first + i] - m->nact;
        memmove(&t->W_ca[i * m->nact], &t->W_ca[c * m->nact], (size_t)m->nact * sizeof *t->W_ca);
        t->gap[i] = t->gap[c];
        d->value[i] = s->now.press[c];
        exchange_row(m, s, d, &t->W_ca[i * m->nact], &t->W_cc[c * nc], &d->A[i * left], &t->gap[i]);
    }
    for (int i = 0; i < left; i++) // roundoff
        for (int j = 0; j < i; j++)
            d->A[i * left + j] = d->A[j * left + i] =
                0.5 * (d->A[i * left + j] + d->A[j * left + i]);
    p->ncontact = left;
    p->W_cc = d->A;
    p->lambda_start = d->value;
}

// |W|, or its inverse, over n rows of W_aa: with the eigenvalues' absolute values.
static void absolute(const lithe_model *m, lithe_state *s, int n, const int *among, bool inverse,
                     double *out)
{
    double *value = s->bounds + m->nact, *A = s->bounds + 3 * m->nact, *V = A + n * n, most = 0;
    const double *W = s->W;
    for (int i = 0; i < n * n; i++) {
        int r = among[i / n], c = among[i % n];
        A[i] = W[r * m->nact + c] /
               sqrt(fmax(fabs(W[r * (m->nact + 1)] * W[c * (m->nact + 1)]), 1e-300));
    }
    eigen_symmetric(n, A, value, V);
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(value[k]));
    for (int i = 0; i < n * n; i++) {
        int r = among[i / n], c = among[i % n];
        double sum = 0,
               unit = sqrt(fmax(fabs(W[r * (m->nact + 1)] * W[c * (m->nact + 1)]), 1e-300));
        for (int k = 0; k < n; k++) {
            double size = fmax(fabs(value[k]), 1e-9 * most);
            sum += V[i / n * n + k] * V[i % n * n + k] * (inverse ? 1 / size : size);
        }
        out[r * m->nact + c] = inverse ? sum / unit : sum * unit;
    }
}

void hold_absolute(const lithe_model *m, lithe_state *s, double *out)
{
    int n = 0, *among = s->touch.split;
    memcpy(out, inverse_weights(m, s), (size_t)(m->nact * m->nact) * sizeof *out);
    for (int r = 0; r < m->nact; r++)
        if (!row_is_parameter(&m->row[r]))
            among[n++] = r;
    absolute(m, s, n, among, false, out);
}

// The tie-breaker (y + y0)' R (y + y0): its slope by the displacements of D is their efforts, as
// that of lambda' W lambda is where A is positive.
static void exchange_tie(const lithe_model *m, lithe_state *s, const saddle *d, qpcc_problem *p)
{
    int n = m->nact, held = 0;
    double *R = s->square, *y0 = s->bounds;
    while (held < d->nheld && d->held[held] < n)
        held++;
    memset(R, 0, (size_t)(n * n) * sizeof *R);
    for (int r = 0; r < n; r++) {
        R[r * n + r] = fabs(s->W[r * n + r]);
        y0[r] = s->now.effort[r];
    }
    absolute(m, s, held, d->held, false, R);
    for (int i = 0; i < held; i++) {
        y0[d->held[i]] = 0;
        for (int j = 0; j < held; j++)
            y0[d->held[i]] += R[d->held[i] * n + d->held[j]] * s->now.effort[d->held[j]];
    }
    absolute(m, s, held, d->held, true, R);
    p->R = R;
    p->x0 = y0;
}

void hold_exchange(const lithe_model *m, lithe_state *s, const saddle *d, qpcc_problem *p)
{
    exchange_levels(m, s, d, p);
    exchange_limits(m, s, d, p);
    exchange_contacts(m, s, d, p);
    exchange_tie(m, s, d, p);
}

bool hold_recover(const lithe_model *m, lithe_state *s, const saddle *d, const qpcc_solution *y)
{
    step_touch *t = &s->touch;
    int n = m->nact, first = first_contact(m, d), width = width_of(m, d), worst = -1;
    double most = 0;
    for (int r = 0; r < n; r++)
        s->target[r] = s->now.effort[r] + y->x[r];
    for (int i = first; i < d->nfree; i++)
        t->target[d->free[i] - n] = y->lambda[i - first];
    for (int i = 0; i < d->nheld; i++) {
        int r = d->held[i];
        const double *B = &d->B[i * width];
        double sum = B[width - 1] + (r < n ? s->now.effort[r] : s->now.press[r - n]);
        for (int j = 0; j < width - 1; j++)
            sum += B[j] * (j < n ? y->x[j] : y->lambda[j - n]);
        *(r < n ? &s->target[r] : &t->target[r - n]) = sum;
        if (r >= n && sum < most) {
            most = sum;
            worst = r - n;
        }
    }
    if (worst >= 0)
        t->released[worst] = true;
    return worst < 0;
}
