// Proximal points outside, dual active set inside, exact minimum on the face at the end; see
// docs/theory/qp.md for why this ends at a solution or a certificate.
#include "solve/qp.h"
#include "solve/qp_work.h"
#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

qp_work *qp_create(arena *a, int n, int m)
{
    qp_work *w = arena_new(a, 1, qp_work);
    if (!w)
        return NULL;
    int nn = n * n > 0 ? n * n : 1, nv = n + 1, nc = n + m + 2; // never of size 0
    w->nmax = n;
    w->mmax = m;
    double **square[] = {&w->Q, &w->J, &w->R, &w->hessian};
    double **vector[] = {&w->c,       &w->center, &w->shifted, &w->limit, &w->u,
                         &w->project, &w->x,      &w->step,    &w->along, &w->gradient,
                         &w->v,       &w->r,      &w->out_x,   &w->ray};
    double **each[] = {&w->lower, &w->upper, &w->size, &w->shrink, &w->value, &w->scale, &w->out_y};
    w->stride = m > 0 ? m : 1;
    bool ok = (w->A = arena_new(a, (size_t)(m + 1) * (size_t)nv, double)) != NULL;
    for (size_t k = 0; k < sizeof square / sizeof *square; k++)
        ok = ok && (*square[k] = arena_new(a, nn, double)) != NULL;
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        ok = ok && (*vector[k] = arena_new(a, nv, double)) != NULL;
    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
        ok = ok && (*each[k] = arena_new(a, nc, double)) != NULL;
    ok = ok && (w->id = arena_new(a, nv, int)) && (w->side = arena_new(a, nv, int)) &&
         (w->order = arena_new(a, nv, int)) && (w->position = arena_new(a, nc, int)) &&
         (w->ignored = arena_new(a, nc, bool)) && (w->conflict = arena_new(a, n + 2, qp_conflict));
    return ok ? w : NULL;
}

// A limit above its opposite needs no solver to be found.
static bool crossed_limits(qp_work *w)
{
    for (int i = 0; i < w->nc; i++)
        if (w->lower[i] > w->upper[i]) {
            w->conflict[0] = (qp_conflict){i, 1, 1};
            w->conflict[1] = (qp_conflict){i, -1, 1};
            w->nconflict = 2;
            return true;
        }
    return false;
}

static bool multipliers_pull_right(const qp_work *w)
{
    double size = qp_larger(qp_largest(w->nactive, w->u), w->pull);
    for (int k = 0; k < w->nactive; k++)
        if (w->side[k] * w->u[k] < -QP_NO_PULL * size)
            return false;
    return true;
}

static void clip_multipliers(qp_work *w)
{
    for (int k = 0; k < w->nactive; k++)
        if (w->side[k] * w->u[k] < 0)
            w->u[k] = 0;
}

static void unbounded_ray(qp_work *w)
{
    for (int i = 0; i < w->n; i++)
        w->ray[i] = w->step[i] * w->size[i];
}

// Proximal point after proximal point, each followed by the minimum of its face, until that is a
// solution. Every face minimum is lower than the last, so no face comes twice.
static qp_status iterate(qp_work *w)
{
    memset(w->center, 0, (size_t)w->n * sizeof *w->center);
    for (int outer = 0; outer < 100; outer++) {
        for (int i = 0; i < w->n; i++)
            w->shifted[i] = w->c[i] - w->epsilon * w->center[i];
        dual_end end = dual_solve(w);
        if (end == DUAL_INFEASIBLE)
            return QP_INFEASIBLE;
        if (face_minimize(w) == FACE_UNBOUNDED && end == DUAL_DONE) {
            unbounded_ray(w);
            return QP_UNBOUNDED;
        }
        if (multipliers_pull_right(w))
            return end == DUAL_DONE ? QP_SOLVED : QP_LIMIT;
        if (w->epsilon == 0)
            return QP_LIMIT;
        clip_multipliers(w);
        memcpy(w->center, w->x, (size_t)w->n * sizeof *w->center);
    }
    return QP_LIMIT;
}

// How strongly the proximal term holds x, in the units of the scaled Q. Without any Q it is weighed
// against c.
static double proximal_weight(const qp_work *w, double share)
{
    if (w->q_max > 0)
        return share * w->q_max;
    return w->c_max > 0 ? w->c_max / scale_typical(w) * share * 1e4 : 1;
}

static bool within_tolerance(const qp_work *w, const qp_solution *s)
{
    bool finite = true; // the residuals do not see what is not a number
    for (int i = 0; i < w->n; i++)
        finite &= isfinite(s->x[i]) != 0;
    for (int i = 0; i < w->nc; i++)
        finite &= isfinite(s->y[i]) != 0;
    return finite && s->primal <= QP_TOLERANCE && s->dual <= QP_TOLERANCE &&
           s->complementarity <= QP_TOLERANCE;
}

static qp_status finish(qp_work *w, const qp_problem *p, qp_solution *s)
{
    qp_status status = iterate(w);
    scale_back(w, p, s);
    return status == QP_SOLVED && !within_tolerance(w, s) ? QP_LIMIT : status;
}

// From the guess with the given share of proximal weight, 0 for none.
static qp_status attempt(qp_work *w, const qp_problem *p, const int *active, double share,
                         qp_solution *s)
{
    w->nconflict = 0;
    w->epsilon = share > 0 ? proximal_weight(w, share) : 0;
    double pivot = factor_start(w);
    if (share == 0 && !(pivot > QP_DEFINITE * w->q_max))
        return QP_LIMIT;
    if (!(pivot > 0.5 * w->epsilon))
        return QP_NOT_CONVEX;
    dual_warm(w, active);
    return finish(w, p, s);
}

// As an attempt, from where the last problem ended.
static qp_status resume(qp_work *w, const qp_problem *p, qp_solution *s)
{
    factor_resume(w);
    return finish(w, p, s);
}

static void write_active(const qp_work *w, int *active)
{
    memset(active, 0, (size_t)w->nc * sizeof *active);
    for (int k = 0; k < w->nactive; k++)
        active[w->id[k]] = w->side[k] != 0 ? w->side[k] : w->u[k] < 0 ? -1 : 1;
}

static void forget_answer(qp_work *w, qp_solution *s)
{
    memset(w->out_x, 0, (size_t)w->nmax * sizeof *w->out_x);
    memset(w->out_y, 0, ((size_t)w->nmax + (size_t)w->mmax) * sizeof *w->out_y);
    *s = (qp_solution){.status = QP_BAD_INPUT,
                       .primal = INFINITY,
                       .dual = INFINITY,
                       .complementarity = INFINITY,
                       .x = w->out_x,
                       .y = w->out_y};
}

qp_status qp_solve(qp_work *w, const qp_problem *p, int *active, qp_solution *s)
{
    forget_answer(w, s);
    if (p->n > w->nmax || p->m > w->mmax || !scale_valid(p))
        return s->status;
    w->iteration = w->nconflict = 0;
    scale_problem(w, p);
    memset(w->x, 0, (size_t)w->n * sizeof *w->x);
    s->status = QP_LIMIT;
    if (crossed_limits(w)) {
        w->nactive = 0;
        s->status = QP_INFEASIBLE;
        scale_back(w, p, s);
    } else if (p->kept_Q && w->factored)
        s->status = resume(w, p, s);
    for (int k = 0; k < QP_NPROXIMAL && s->status == QP_LIMIT; k++)
        s->status = attempt(w, p, active, QP_PROXIMAL[k], s);
    s->ray = s->status == QP_UNBOUNDED ? w->ray : NULL;
    w->factored = s->status == QP_SOLVED;
    write_active(w, active);
    return s->status;
}

const char *qp_status_text(qp_status status)
{
    static const char *const text[] = {"solved",     "infeasible",
                                       "unbounded",  "stopped at the iteration limit",
                                       "not convex", "bad input"};
    return (unsigned)status < sizeof text / sizeof *text ? text[status] : "unknown";
}
