// One piece: the contacts of a set are active, their gaps 0, the others' forces 0. Then lambda is
// affine in x, and what remains is a convex problem in x alone [coevoet2019, eq. 4.19 and 4.20].
#include "solve/qpcc_work.h"

#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

static double row_size(const qpcc_work *w, const double *row)
{
    double largest = 0;
    for (int j = 0; j < w->p->n; j++) {
        double entry = fabs(row[j]) * w->size[j];
        largest = entry > largest ? entry : largest;
    }
    return largest;
}

// M = -W_FF^-1 B_F
static void solve_forces(qpcc_work *w)
{
    size_t n = (size_t)w->p->n + 1;
    for (int k = 0; k < w->active.count; k++)
        for (size_t j = 0; j < n; j++)
            w->M[(size_t)k * n + j] = -w->B[(size_t)w->active.id[k] * n + j];
    principal_solve(&w->active, (int)n, w->M);
    for (int k = 0; k < w->active.count; k++)
        w->M_size[k] = row_size(w, w->M + (size_t)k * n);
}

// row (n + 1) += C M, C (ncontact) times the forces as functions of (x, 1). Returns the largest
// term added, in the units of the efforts.
static double add_forces(const qpcc_work *w, const double *C, const double *C_scale,
                         double *restrict row)
{
    int n = w->p->n;
    double largest = 0;
    for (int k = 0; k < w->active.count; k++) {
        int i = w->active.id[k];
        double c = C[i] * (C_scale ? C_scale[i] : 1), term = fabs(c) * w->M_size[k];
        const double *restrict M = w->M + (size_t)k * (size_t)(n + 1);
        largest = term > largest ? term : largest;
        for (int j = 0; j <= n; j++)
            row[j] += c * M[j];
    }
    return largest;
}

// row (n + 1) = (of_x, constant) + of_force M. What contacts hold fast moves by roundoff only: then
// it does not move. False: so it is.
static bool reduce_row(qpcc_work *w, const double *of_x, double constant, const double *of_force,
                       const double *scale, double *row)
{
    int n = w->p->n;
    memcpy(row, of_x, (size_t)n * sizeof *row);
    row[n] = constant;
    double own = row_size(w, row), term = fmax(own, add_forces(w, of_force, scale, row));
    if (row_size(w, row) > QPCC_NO_GRADIENT * term)
        return true;
    memset(row, 0, (size_t)n * sizeof *row);
    return false;
}

static void reduce_levels(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    int n = p->n;
    double *J = w->J, *e = w->e;
    for (int k = 0; k < p->nlevel; k++) {
        const qpcc_level *level = &p->level[k];
        w->level[k] = (hierarchy_level){level->nrow, J, e, level->weight};
        for (int r = 0; r < level->nrow; r++) {
            double *at = w->row;
            reduce_row(w, level->J + (size_t)r * (size_t)n, level->e[r],
                       level->Jc + (size_t)r * (size_t)p->ncontact, w->scale, at);
            memcpy(J, at, (size_t)n * sizeof *J);
            *e++ = at[n];
            J += n;
        }
    }
}

// The excess of the limits is what is to be small.
static void elastic_level(qpcc_work *w)
{
    int m = w->p->nlimit, n = w->p->n;
    memset(w->J, 0, (size_t)m * (size_t)w->nvar * sizeof *w->J);
    memset(w->e, 0, (size_t)m * sizeof *w->e);
    for (int i = 0; i < m; i++)
        w->J[(size_t)i * (size_t)w->nvar + (size_t)(n + i)] = 1 / w->give[i];
    w->level[0] = (hierarchy_level){m, w->J, w->e, NULL};
}

static void reduce_limits(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    int n = p->n;
    double *at = w->row;
    for (int i = 0; i < p->nlimit; i++) {
        bool moves = reduce_row(w, p->A + (size_t)i * (size_t)n, 0,
                                p->Ac + (size_t)i * (size_t)p->ncontact, w->scale, at);
        double *row = w->A + (size_t)i * (size_t)w->nvar;
        memset(row, 0, (size_t)w->nvar * sizeof *row);
        memcpy(row, at, (size_t)n * sizeof *row);
        if (w->elastic)
            row[n + i] = -1;
        w->blo[i] = w->wide_lo[i] - at[n];
        w->bhi[i] = w->wide_hi[i] - at[n];
        bool met = w->blo[i] <= QPCC_CONSTANT_MET * w->give[i] &&
                   w->bhi[i] >= -QPCC_CONSTANT_MET * w->give[i];
        if (!moves && met) {
            w->blo[i] = -INFINITY;
            w->bhi[i] = INFINITY;
        }
    }
}

// The force of an active contact, the gap of another, as a function of (x, 1), into row. False: it
// does not depend on x.
static bool condition(qpcc_work *w, int i, double *row)
{
    size_t n = (size_t)w->p->n + 1;
    if (w->active.position[i] >= 0) {
        memcpy(row, w->M + (size_t)w->active.position[i] * n, n * sizeof *row);
        return true;
    }
    const double *B = w->B + (size_t)i * n;
    return reduce_row(w, B, B[n - 1], w->W + (size_t)i * (size_t)w->p->ncontact, NULL, row);
}

// 0, or what the present point lacks of a condition.
static double allowance(const qpcc_work *w, const double *row)
{
    int n = w->p->n;
    double value = dense_dot(n, row, w->now.x) + row[n];
    bool met = value >= -QPCC_ROUNDING * w->extent && value < QPCC_ROOM * w->extent;
    return met ? value - QPCC_ROOM * w->extent : 0;
}

// Conditions >= 0. False: one of them does not depend on x and is not met.
static bool reduce_contacts(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    int n = p->n;
    double *at = w->row;
    for (int i = 0; i < p->ncontact; i++) {
        w->constant[i] = !condition(w, i, at);
        if (w->constant[i] && at[n] < -QPCC_CONSTANT_MET * w->extent)
            return false;
        double *row = w->A + (size_t)(p->nlimit + i) * (size_t)w->nvar;
        memset(row, 0, (size_t)w->nvar * sizeof *row);
        memcpy(row, at, (size_t)n * sizeof *row);
        w->offset[i] = at[n];
        w->blo[p->nlimit + i] = w->constant[i] ? -INFINITY : allowance(w, at) - at[n];
        w->bhi[p->nlimit + i] = INFINITY;
    }
    return true;
}

static void reduce_bounds(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    memcpy(w->lo, p->lo, (size_t)p->n * sizeof *w->lo);
    memcpy(w->hi, p->hi, (size_t)p->n * sizeof *w->hi);
    if (!w->elastic)
        return;
    size_t nv = (size_t)w->nvar;
    memset(w->R, 0, nv * nv * sizeof *w->R);
    memset(w->x0, 0, nv * sizeof *w->x0);
    for (int j = 0; j < w->nvar; j++) {
        double unit = j < p->n ? w->size[j] : w->give[j - p->n];
        w->R[(size_t)j * nv + (size_t)j] = 1 / (unit * unit);
        if (j >= p->n) {
            w->lo[j] = -INFINITY;
            w->hi[j] = INFINITY;
        }
    }
}

double qpcc_tie(const qpcc_problem *p, const double *x)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            double r = p->R ? p->R[i * p->n + j] : i == j;
            sum += r * (x[i] + (p->x0 ? p->x0[i] : 0)) * (x[j] + (p->x0 ? p->x0[j] : 0));
        }
    return sum;
}

static void keep_costs(qpcc_work *w, const hierarchy_solution *s)
{
    const qpcc_problem *p = w->p;
    double *cost = w->trial.cost;
    if (w->elastic) {
        cost[0] = s->cost[0];
        return;
    }
    double tie = qpcc_tie(p, s->x);
    if (p->mode == HIERARCHY_MIXED) {
        cost[0] = w->mix * tie;
        for (int k = 0; k < p->nlevel; k++)
            cost[0] += s->cost[k];
        return;
    }
    memcpy(cost, s->cost, (size_t)p->nlevel * sizeof *cost);
    cost[p->nlevel] = 0.5 * tie;
}

static void keep_values(qpcc_work *w)
{
    for (int i = 0; i < w->p->ncontact; i++) {
        const double *row = w->A + (size_t)(w->p->nlimit + i) * (size_t)w->nvar;
        w->trial.value[i] = dense_dot(w->p->n, row, w->trial.x) + w->offset[i];
    }
}

bool qpcc_solve_piece(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    int ncon = p->n + p->nlimit + p->ncontact;
    w->nvar = p->n + (w->elastic ? p->nlimit : 0);
    solve_forces(w);
    w->trial.status = QP_INFEASIBLE;
    if (!reduce_contacts(w))
        return false;
    if (w->elastic)
        elastic_level(w);
    else
        reduce_levels(w);
    reduce_limits(w);
    reduce_bounds(w);
    hierarchy_problem h = {.n = w->nvar,
                           .m = p->nlimit + p->ncontact,
                           .nlevel = w->elastic ? 1 : p->nlevel,
                           .level = w->level,
                           .lo = w->lo,
                           .hi = w->hi,
                           .A = w->A,
                           .blo = w->blo,
                           .bhi = w->bhi,
                           .R = w->elastic ? w->R : p->R,
                           .x0 = w->elastic ? w->x0 : p->x0,
                           .mode = w->elastic ? HIERARCHY_STRICT : p->mode,
                           .mix = w->mix};
    hierarchy_solution s;
    qpcc_point *t = &w->trial;
    t->status = hierarchy_solve(w->elastic ? w->yielding : w->firm, &h, &s);
    t->primal = s.primal;
    t->dual = s.dual;
    t->complementarity = s.complementarity;
    if (t->status != QP_SOLVED)
        return false;
    memcpy(t->x, s.x, (size_t)w->nvar * sizeof *t->x);
    memcpy(t->multiplier, s.multiplier, (size_t)p->n * sizeof *t->multiplier);
    memcpy(t->multiplier + p->n, s.multiplier + w->nvar,
           (size_t)(ncon - p->n) * sizeof *t->multiplier);
    keep_costs(w, &s);
    keep_values(w);
    return true;
}

// Adds weight * value * of_force to slope, and the same without signs to what slopes are measured
// against.
static void add_slope(qpcc_work *w, const double *of_force, double weighted, double terms,
                      double *slope)
{
    double largest = 0;
    for (int c = 0; c < w->p->ncontact; c++) {
        double entry = of_force[c] * w->scale[c];
        slope[c] += weighted * entry;
        largest = fmax(largest, fabs(entry));
    }
    w->slope_terms += terms * largest;
}

static double terms_of(const qpcc_work *w, const double *row, const double *of_force)
{
    double sum = 0;
    for (int j = 0; j < w->p->n; j++)
        sum += fabs(row[j] * w->now.x[j]);
    for (int c = 0; c < w->p->ncontact; c++)
        if (w->on[c])
            sum += fabs(of_force[c] * w->scale[c] * w->now.value[c]);
    return sum;
}

static double error_of(const qpcc_work *w, const qpcc_level *level, int r)
{
    double error = level->e[r] + dense_dot(w->p->n, level->J + r * w->p->n, w->now.x);
    for (int c = 0; c < w->p->ncontact; c++)
        if (w->on[c])
            error += level->Jc[r * w->p->ncontact + c] * w->scale[c] * w->now.value[c];
    return error;
}

// d(cost of level 0) / d(lambda), limits included.
static void force_slope(qpcc_work *w, double *slope)
{
    const qpcc_problem *p = w->p;
    int nc = p->ncontact, n = p->n;
    memset(slope, 0, (size_t)nc * sizeof *slope);
    w->slope_terms = 0;
    for (int i = 0; i < p->nlimit; i++) {
        double multiplier = w->now.multiplier[n + i], unit = w->give[i] * w->give[i];
        double terms =
            w->elastic ? terms_of(w, p->A + i * n, p->Ac + i * nc) / unit : fabs(multiplier);
        add_slope(w, p->Ac + i * nc, -multiplier, terms, slope);
    }
    int nlevel = w->elastic ? 0 : p->mode == HIERARCHY_MIXED ? p->nlevel : p->nlevel > 0;
    for (int k = 0; k < nlevel; k++)
        for (int r = 0; r < p->level[k].nrow; r++) {
            const qpcc_level *level = &p->level[k];
            double weight = level->weight ? level->weight[r] : 1;
            double terms = terms_of(w, level->J + r * n, level->Jc + r * nc) + fabs(level->e[r]);
            add_slope(w, level->Jc + r * nc, weight * error_of(w, level, r), weight * terms, slope);
        }
}

// slope = u + W v, with u of the forces and v of the gaps. The piece's QP has u of the active
// contacts and v of the others; the rest follows. u of contacts that have a gap is left out: it
// decides nothing.
void qpcc_multipliers(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    int nc = p->ncontact;
    const double *multiplier = w->now.multiplier + p->n + p->nlimit;
    double *u = w->force, *v = w->gap_multiplier, *b = w->dual;
    force_slope(w, u);
    for (int k = 0; k < w->active.count; k++)
        b[k] = u[w->active.id[k]] - multiplier[w->active.id[k]];
    for (int i = 0; i < nc; i++) {
        v[i] = w->on[i] ? 0 : multiplier[i];
        for (int k = 0; k < w->active.count && v[i] != 0; k++)
            b[k] -= w->W[i * nc + w->active.id[k]] * v[i];
    }
    principal_solve(&w->active, 1, b);
    for (int k = 0; k < w->active.count; k++)
        v[w->active.id[k]] = b[k];
    for (int i = 0; i < nc; i++)
        u[i] = w->on[i]                                  ? multiplier[i]
               : w->now.value[i] > QPCC_KINK * w->extent ? 0
                                                         : u[i] - dense_dot(nc, w->W + i * nc, v);
}
