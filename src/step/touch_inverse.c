// The inverse with contacts: efforts that bring the wanted rows nearest to their targets while
// every contact obeys Signorini's law, as a QPCC [coevoet2019, eq. 4.10]. Efforts are increments,
// contact forces are whole.
#include "step/step.h"

#include <stdio.h>
#include <string.h>

// Rows of the levels as gather_levels has left them, in the same order.
static int level_rows(const lithe_model *m, const lithe_state *s, int *id)
{
    int count = 0;
    double weight;
    for (int priority = 1; priority <= STEP_LEVELS; priority++)
        for (int r = m->nact; r < m->nrow; r++)
            if (s->task.wanted[r] && !s->task.kept[r] && task_priority(m, r, &weight) == priority)
                id[count++] = r;
    return count;
}

// What the contacts do to row r: of per unit force (list.n). Returns what their present forces do.
static double contact_part(const lithe_state *s, int r, double scale, double *of)
{
    const step_touch *t = &s->touch;
    double present = 0;
    for (int c = 0; c < t->list.n; c++) {
        of[c] = t->W_cr[c * s->ncol + r] / scale;
        present += of[c] * s->now.press[c];
    }
    return present;
}

static void fill_levels(const lithe_model *m, lithe_state *s, int nlevel)
{
    step_touch *t = &s->touch;
    int nc = t->list.n, *id = s->task.row_of + m->nact + m->nrow, at = 0;
    level_rows(m, s, id);
    for (int k = 0; k < nlevel; k++) {
        const hierarchy_level *h = &s->task.level[k];
        t->level[k] = (qpcc_level){h->nrow, h->J, &t->Jc[at * nc], &t->e[at], h->weight};
        for (int i = 0; i < h->nrow; i++, at++)
            t->e[at] = h->e[i] - contact_part(s, id[at], m->row[id[at]].scale, &t->Jc[at * nc]);
    }
}

static void fill_limits(const lithe_model *m, lithe_state *s, int nlimit)
{
    step_touch *t = &s->touch;
    int nc = t->list.n;
    for (int i = 0; i < nlimit; i++) {
        int r = s->task.row_of[i];
        double present = contact_part(s, r, 1, &t->Ac[i * nc]);
        if (r < m->nact && row_is_parameter(&m->row[r])) {
            memset(&t->Ac[i * nc], 0, (size_t)nc * sizeof *t->Ac);
            present = 0;
        }
        t->blo[i] = s->task.blo[i] + present;
        t->bhi[i] = s->task.bhi[i] + present;
    }
}

static void fill_contacts(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    int nc = t->list.n;
    for (int c = 0; c < nc; c++) {
        memcpy(&t->W_ca[c * m->nact], &t->W_cr[c * s->ncol], (size_t)m->nact * sizeof *t->W_ca);
        t->gap[c] = t->gap_free[c];
        for (int d = 0; d < nc; d++)
            t->gap[c] -= t->W_cc[c * nc + d] * s->now.press[d];
    }
}

// Names the limits that contacts make impossible, and by how much.
static lithe_status fail_relaxed(const lithe_model *m, lithe_state *s, int nlimit,
                                 const double *relaxed)
{
    char list[LITHE_TEXT_MAX / 2] = "";
    size_t used = 0;
    for (int i = 0; i < nlimit && used < sizeof list; i++) {
        if (relaxed[i] == 0)
            continue;
        int r = s->task.row_of[i];
        int wrote =
            snprintf(list + used, sizeof list - used, "%sthe %s limit on the %s '%s' by %.3g",
                     used ? ", " : "", relaxed[i] > 0 ? "upper" : "lower",
                     s->task.kept[r] ? "value to be kept of" : "displacement of", m->row[r].name,
                     fabs(relaxed[i]));
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "contact makes limits impossible to meet; the least that would have to give "
                      "is %s (SI units): widen them, or move the obstacle more slowly",
                      list);
}

// Efforts of E are limited by rows behind the other limits.
static void keep_held_prices(const lithe_model *m, lithe_state *s, const saddle *d,
                             const double *price, int nlimit)
{
    inverse_keep_prices(m, s, price, nlimit);
    for (int i = 0; i < d->nheld && d->held[i] < m->nact; i++)
        s->task.price[d->held[i]] = m->size * m->size * price[m->nact + nlimit + i];
}

// The contacts for the sweeps of Gauss-Seidel, which count efforts and forces from zero: takes the
// present forces' part out of the task's e and delta. Forces start and end in touch.target.
seidel_contacts touch_sweeps(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    int nc = t->list.n, n = m->nact, *id = s->task.row_of + m->nact + m->nrow;
    int rows = level_rows(m, s, id);
    for (int i = 0; i < rows; i++)
        s->task.e[i] -= contact_part(s, id[i], m->row[id[i]].scale, &t->Jc[i * nc]);
    for (int r = 0; r < n; r++)
        s->task.delta[r] -= contact_part(s, r, 1, &t->Ac[r * nc]);
    fill_contacts(m, s);
    for (int c = 0; c < nc; c++) {
        t->target[c] = s->now.press[c];
        for (int r = 0; r < n; r++)
            t->gap[c] -= t->W_ca[c * n + r] * s->now.effort[r];
    }
    return (seidel_contacts){nc, t->Jc, t->Ac, t->W_cc, t->gap, t->target, t->rate};
}

static qpcc_problem gather(const lithe_model *m, lithe_state *s, int nlevel, int nlimit)
{
    step_touch *t = &s->touch;
    fill_levels(m, s, nlevel);
    fill_limits(m, s, nlimit);
    fill_contacts(m, s);
    return (qpcc_problem){.n = m->nact,
                          .nlimit = nlimit,
                          .ncontact = t->list.n,
                          .nlevel = nlevel,
                          .level = t->level,
                          .lo = s->task.lo,
                          .hi = s->task.hi,
                          .A = s->task.A,
                          .Ac = t->Ac,
                          .blo = t->blo,
                          .bhi = t->bhi,
                          .W_ca = t->W_ca,
                          .W_cc = t->W_cc,
                          .gap = t->gap,
                          .R = inverse_weights(m, s),
                          .x0 = s->now.effort,
                          .mode =
                              m->step.method == LITHE_EPSILON ? HIERARCHY_MIXED : HIERARCHY_STRICT,
                          .factor = m->step.epsilon,
                          .lambda_start = s->now.press,
                          .global = m->touch.global && !t->near,
                          .stop = s->stop,
                          .stopper = s->stop_user};
}

static void keep_proof(step_touch *t, const qpcc_problem *p, const qpcc_solution *found)
{
    t->asked = true;
    t->proof = found->proof;
    t->open = !p->global ? NAN : found->cost[0] > 0 ? 1 - found->bound / found->cost[0] : 0;
}

lithe_status touch_inverse(const lithe_model *m, lithe_state *s, int nlevel, int nlimit)
{
    step_touch *t = &s->touch;
    qpcc_solution found;
    qpcc_problem p = gather(m, s, nlevel, nlimit);
    if (t->observe)
        t->observe(t->observer, &p);
    qpcc_status status = qpcc_solve(t->qpcc, &p, &found);
    if (status == QPCC_RELAXED)
        return fail_relaxed(m, s, nlimit, found.relaxed);
    if (status != QPCC_SOLVED)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "the optimization of efforts with %d contacts failed: %s (%s)", t->list.n,
                          qpcc_status_text(status), qp_status_text(found.piece));
    for (int r = 0; r < m->nact; r++)
        s->target[r] = s->now.effort[r] + found.x[r];
    memcpy(t->target, found.lambda, (size_t)t->list.n * sizeof *t->target);
    keep_proof(t, &p, &found);
    inverse_keep_prices(m, s, found.price, nlimit);
    return LITHE_OK;
}

touch_found touch_inverse_held(const lithe_model *m, lithe_state *s, int nlevel, int nlimit)
{
    qpcc_solution found;
    saddle d;
    if (!hold_choose(m, s, &d))
        return TOUCH_NOT_HELD;
    qpcc_problem p = gather(m, s, nlevel, nlimit);
    hold_exchange(m, s, &d, &p);
    p.global = p.global && p.ncontact == s->touch.list.n; // of those in E no others are looked at
    if (qpcc_solve(s->touch.qpcc, &p, &found) != QPCC_SOLVED)
        return TOUCH_NOT_HELD;
    if (!hold_recover(m, s, &d, &found))
        return TOUCH_RELEASED;
    keep_proof(&s->touch, &p, &found);
    keep_held_prices(m, s, &d, found.price, nlimit);
    return TOUCH_FOUND;
}
