// One QP per level and one for the tie-breaker, each for an increment p of the x found so far, so
// that p = 0 is feasible exactly and no roundoff of one level can make the next infeasible. What a
// level achieved is kept by B p = 0, B an orthonormal basis of the rows of all levels before.
#include "solve/hierarchy.h"

#include "solve/dense.h"
#include "solve/tolerances.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct hierarchy_work {
    int nmax, mmax, nlevel_max, nrow_max;
    qp_work *qp;

    const hierarchy_problem *p;
    int nbasis, ncon;            // ncon = n + m limits
    int seen;                    // rows of A that the QP's work knows from this problem
    bool resume;                 // and Q: only c and the limits have changed
    double *size;                // (n) one unit of each variable
    double *Q, *c, *lo, *hi;     // the QP of the level at work
    double *A, *blo, *bhi;       // its rows: the problem's, then B
    double *rows;                // (nrow x n) of one level, weighted, in units of size
    double *x, *residual, *cost; // the answer
    double extent, moved;        // largest |x| / size on the way, and |p| / size of the last step
    double *multiplier;
    int *active; // (n + m + n)

    int *guess;               // (nlevel + 1) x (n + m + n) active sets of the last solve
    bool fresh;               // there is none
    int last[HIERARCHY_LAST]; // n, m and nlevel then
    size_t nguess;
};

hierarchy_work *hierarchy_create(arena *a, int n, int m, int nlevel, int nrow)
{
    hierarchy_work *w = arena_new(a, 1, hierarchy_work);
    if (!w)
        return NULL;
    size_t nv = (size_t)n + 1, nc = (size_t)n + (size_t)m + 1, nr = (size_t)nrow + 1;
    w->nmax = n;
    w->mmax = m;
    w->nlevel_max = nlevel;
    w->nrow_max = nrow;
    w->qp = qp_create(a, n, m + n);
    struct {
        double **array;
        size_t count;
    } wanted[] = {{&w->size, nv},
                  {&w->Q, nv * nv},
                  {&w->c, nv},
                  {&w->lo, nv},
                  {&w->hi, nv},
                  {&w->A, nc * nv},
                  {&w->blo, nc},
                  {&w->bhi, nc},
                  {&w->x, nv},
                  {&w->multiplier, nc},
                  {&w->residual, nr},
                  {&w->rows, nr * nv},
                  {&w->cost, (size_t)nlevel + 1}};
    bool ok = w->qp != NULL;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        ok = ok && (*wanted[k].array = arena_new(a, wanted[k].count, double)) != NULL;
    ok = ok && (w->active = arena_new(a, nc + nv, int)) != NULL;
    w->nguess = ((size_t)nlevel + 1) * (nc + nv);
    ok = ok && (w->guess = arena_new(a, w->nguess, int)) != NULL;
    hierarchy_forget(w);
    return ok ? w : NULL;
}

void hierarchy_forget(hierarchy_work *w)
{
    w->last[0] = -1;
}

hierarchy_memory hierarchy_remembered(hierarchy_work *w)
{
    return (hierarchy_memory){w->last, w->guess, w->nguess};
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static bool fits(const hierarchy_work *w, const hierarchy_problem *p)
{
    int nrow = 0;
    for (int k = 0; k < p->nlevel; k++)
        nrow += p->level[k].nrow;
    return p->n <= w->nmax && p->m <= w->mmax && p->nlevel <= w->nlevel_max && nrow <= w->nrow_max;
}

static double tie(const hierarchy_problem *p, int i, int j)
{
    return p->R ? p->R[i * p->n + j] : i == j;
}

// One unit of a variable is what costs 1 in the tie-breaker; where that is nothing, the unit of the
// dearest variable.
static void choose_sizes(hierarchy_work *w)
{
    int n = w->p->n;
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, tie(w->p, i, i));
    for (int i = 0; i < n; i++) {
        double r = tie(w->p, i, i);
        w->size[i] = 1 / sqrt(r > 0 ? r : largest > 0 ? largest : 1);
    }
}

static void start(hierarchy_work *w, const hierarchy_problem *p)
{
    w->p = p;
    w->ncon = p->n + p->m;
    w->nbasis = w->seen = 0;
    w->resume = false;
    w->extent = 0;
    choose_sizes(w);
    memset(w->x, 0, (size_t)p->n * sizeof *w->x);
    memset(w->multiplier, 0, (size_t)w->ncon * sizeof *w->multiplier);
    memset(w->active, 0, (size_t)w->ncon * sizeof *w->active);
    if (p->m > 0)
        memcpy(w->A, p->A, (size_t)p->m * (size_t)p->n * sizeof *w->A);
    size_t stride = (size_t)w->ncon + (size_t)p->n;
    w->fresh = w->last[0] != p->n || w->last[1] != p->m || w->last[2] != p->nlevel;
    if (w->fresh)
        memset(w->guess, 0, ((size_t)p->nlevel + 1) * stride * sizeof *w->guess);
    w->last[0] = -1; // until this solve has succeeded
}

// Adds sum_i w_i J_i' J_i to Q and sum_i w_i J_i' (J x + e)_i to c.
static void add_level(hierarchy_work *w, const hierarchy_level *level)
{
    int n = w->p->n;
    for (int r = 0; r < level->nrow; r++) {
        const double *J = level->J + r * n;
        double weight = level->weight ? level->weight[r] : 1;
        double error = weight * (dense_dot(n, J, w->x) + level->e[r]);
        for (int i = 0; i < n; i++) {
            double f = weight * J[i];
            w->c[i] += error * J[i];
            for (int j = 0; j < n; j++)
                w->Q[i * n + j] += f * J[j];
        }
    }
}

static void clear_objective(hierarchy_work *w)
{
    int n = w->p->n;
    memset(w->Q, 0, (size_t)n * (size_t)n * sizeof *w->Q);
    memset(w->c, 0, (size_t)n * sizeof *w->c);
}

static void tie_breaker(hierarchy_work *w)
{
    const hierarchy_problem *p = w->p;
    clear_objective(w);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            w->Q[i * p->n + j] = tie(p, i, j);
            w->c[i] += tie(p, i, j) * (w->x[j] + (p->x0 ? p->x0[j] : 0));
        }
}

static void shift(double lo, double hi, double at, bool feasible, double *new_lo, double *new_hi)
{
    lo -= at;
    hi -= at;
    *new_lo = feasible && lo > 0 ? 0 : lo;
    *new_hi = feasible && hi < 0 ? 0 : hi;
}

// The limits as the increment sees them. Once x is feasible, 0 is within them by definition.
static void shift_limits(hierarchy_work *w, bool feasible)
{
    const hierarchy_problem *p = w->p;
    int n = p->n;
    for (int i = 0; i < n; i++)
        shift(p->lo[i], p->hi[i], w->x[i], feasible, &w->lo[i], &w->hi[i]);
    for (int i = 0; i < p->m; i++)
        shift(p->blo[i], p->bhi[i], dense_dot(n, p->A + i * n, w->x), feasible, &w->blo[i],
              &w->bhi[i]);
    for (int i = 0; i < w->nbasis; i++)
        w->blo[p->m + i] = w->bhi[p->m + i] = 0;
}

// x += p, and exactly to the limit where one holds it. Notes how large x became.
static void advance(hierarchy_work *w, const double *step, const int *active)
{
    const hierarchy_problem *p = w->p;
    w->moved = 0;
    for (int i = 0; i < p->n; i++) {
        double x = w->x[i] + step[i];
        w->moved = larger(fabs(step[i]) / w->size[i], w->moved);
        w->x[i] = active[i] > 0   ? p->hi[i]
                  : active[i] < 0 ? p->lo[i]
                                  : fmin(fmax(x, p->lo[i]), p->hi[i]);
        w->extent = larger(fabs(w->x[i]) / w->size[i], w->extent);
    }
}

static void note_residuals(const qp_solution *s, hierarchy_solution *out)
{
    out->primal = fmax(out->primal, s->primal);
    out->dual = fmax(out->dual, s->dual);
    out->complementarity = fmax(out->complementarity, s->complementarity);
    out->iteration += s->iteration;
}

static qp_status solve_increment(hierarchy_work *w, int *active, qp_solution *s)
{
    const hierarchy_problem *p = w->p;
    qp_problem qp = {.n = p->n,
                     .m = p->m + w->nbasis,
                     .Q = w->Q,
                     .c = w->c,
                     .lo = w->lo,
                     .hi = w->hi,
                     .A = w->A,
                     .blo = w->blo,
                     .bhi = w->bhi,
                     .size = w->size,
                     .kept_rows = w->seen,
                     .kept_Q = w->resume};
    w->seen = qp.m;
    return qp_solve(w->qp, &qp, active, s);
}

// Solves the QP at hand and moves x to its solution. active: (n + m + n) in, a guess; out, what
// holds x.
static bool improve(hierarchy_work *w, int stage, bool feasible, int *active,
                    hierarchy_solution *out)
{
    qp_solution s;
    shift_limits(w, feasible);
    out->status = solve_increment(w, active, &s);
    out->failed_level = stage;
    out->nconflict = s.nconflict;
    out->conflict = s.conflict;
    note_residuals(&s, out);
    if (s.status == QP_SOLVED)
        advance(w, s.x, active);
    memmove(w->active, active, (size_t)w->ncon * sizeof *active);
    for (int i = 0; i < w->ncon && stage == 0; i++)
        w->multiplier[i] = -s.y[i];
    return s.status == QP_SOLVED;
}

// Where the search of this stage starts: the last solve's set, or that of the level before.
static int *guess(hierarchy_work *w, int stage)
{
    int *active = w->guess + stage * (w->ncon + w->p->n);
    if (w->fresh)
        memcpy(active, w->active, (size_t)w->ncon * sizeof *active);
    return active;
}

// The rows of a level in units of size, each weighted by how much it counts. Returns the largest
// length.
static double collect_rows(hierarchy_work *w, const hierarchy_level *level)
{
    int n = w->p->n;
    double largest = 0;
    for (int r = 0; r < level->nrow; r++) {
        double *row = w->rows + r * n, weight = level->weight ? sqrt(level->weight[r]) : 1;
        for (int j = 0; j < n; j++)
            row[j] = weight * level->J[r * n + j] * w->size[j];
        largest = fmax(largest, sqrt(dense_dot(n, row, row)));
    }
    return largest;
}

// Removes from all rows their parts along the unit vector b; twice, as once leaves roundoff.
static void take_out(hierarchy_work *w, int nrow, const double *b)
{
    int n = w->p->n;
    for (int r = 0; r < 2 * nrow; r++) {
        double *row = w->rows + r / 2 * n, part = dense_dot(n, b, row);
        for (int j = 0; j < n; j++)
            row[j] -= part * b[j];
    }
}

static int longest_row(const hierarchy_work *w, int nrow, double *length)
{
    int n = w->p->n, longest = -1;
    for (int r = 0; r < nrow; r++) {
        double square = dense_dot(n, w->rows + r * n, w->rows + r * n);
        if (square > *length * *length) {
            *length = sqrt(square);
            longest = r;
        }
    }
    return longest;
}

// Adds to B what the level's rows have that B has not: Gram-Schmidt, longest remainder first. B
// stands in A in the variables' own units, entry / size.
static void extend_basis(hierarchy_work *w, const hierarchy_level *level)
{
    int n = w->p->n;
    double enough = SOLVE_DEPENDENT * collect_rows(w, level), *B = w->A + w->p->m * n;
    double *unit = w->c; // free between levels
    for (int k = 0; k < w->nbasis; k++) {
        for (int j = 0; j < n; j++)
            unit[j] = B[k * n + j] * w->size[j];
        take_out(w, level->nrow, unit);
    }
    while (w->nbasis < n) {
        double length = enough;
        int longest = longest_row(w, level->nrow, &length);
        if (longest < 0)
            return;
        for (int j = 0; j < n; j++) {
            unit[j] = w->rows[longest * n + j] / length;
            B[w->nbasis * n + j] = unit[j] / w->size[j];
        }
        take_out(w, level->nrow, unit);
        w->nbasis++;
    }
}

// The same Q, and a share of its largest entry, in units of size, that holds x where it is.
static void damp(hierarchy_work *w)
{
    int n = w->p->n;
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = larger(w->Q[i * n + i] * w->size[i] * w->size[i], largest);
    for (int i = 0; i < n; i++)
        w->Q[i * n + i] += HIERARCHY_DAMPED * largest / (w->size[i] * w->size[i]);
}

// J'J squares the condition of J. A second increment undoes what that costs, further ones if there
// was much to undo. Their active sets are not kept: next time there is a first increment again.
static bool solve_level(hierarchy_work *w, int k, hierarchy_solution *out)
{
    int *active = guess(w, k);
    bool damped = false;
    for (int pass = 0; pass < 4; pass++) {
        clear_objective(w);
        add_level(w, &w->p->level[k]);
        if (damped)
            damp(w);
        bool solved = improve(w, k, k > 0 || pass > 0, active, out);
        if (!solved && out->status == QP_UNBOUNDED && !damped) {
            damped = true;
            pass = -1;
            active = guess(w, k);
            w->resume = false;
            continue;
        }
        if (!solved)
            return false;
        if (pass > 0 && w->moved < HIERARCHY_STILL * w->extent)
            break;
        active = w->active;
        w->resume = true;
    }
    w->resume = false;
    extend_basis(w, &w->p->level[k]);
    return true;
}

static void solve_strict(hierarchy_work *w, hierarchy_solution *out)
{
    int nlevel = w->p->nlevel;
    for (int k = 0; k < nlevel; k++)
        if (!solve_level(w, k, out))
            return;
    tie_breaker(w);
    improve(w, nlevel, nlevel > 0, guess(w, nlevel), out);
}

static double largest_row_sum(int n, const double *Q)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += fabs(Q[i * n + j]);
        largest = fmax(largest, sum);
    }
    return largest;
}

// epsilon = factor |J'J|_inf / |R|_inf [coevoet2019, section 3.3.2]
static void solve_mixed(hierarchy_work *w, hierarchy_solution *out)
{
    const hierarchy_problem *p = w->p;
    clear_objective(w);
    for (int k = 0; k < p->nlevel; k++)
        add_level(w, &p->level[k]);
    double norm = p->R ? largest_row_sum(p->n, p->R) : 1;
    double factor = p->factor > 0 ? p->factor : HIERARCHY_MIX;
    double epsilon = p->mix > 0 ? p->mix
                     : norm > 0 ? factor * largest_row_sum(p->n, w->Q) / norm
                                : 0;
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            double second = 2 * epsilon * tie(p, i, j);
            w->Q[i * p->n + j] += second;
            w->c[i] += second * (w->x[j] + (p->x0 ? p->x0[j] : 0));
        }
    improve(w, 0, false, guess(w, 0), out);
}

static void report_levels(hierarchy_work *w)
{
    double *residual = w->residual;
    for (int k = 0; k < w->p->nlevel; k++) {
        const hierarchy_level *level = &w->p->level[k];
        w->cost[k] = 0;
        for (int r = 0; r < level->nrow; r++) {
            double weight = level->weight ? level->weight[r] : 1;
            residual[r] = dense_dot(w->p->n, level->J + r * w->p->n, w->x) + level->e[r];
            w->cost[k] += 0.5 * weight * residual[r] * residual[r];
        }
        residual += level->nrow;
    }
}

// Each level allows itself what the one before it left; this is the violation of x itself.
static double violation(const hierarchy_work *w)
{
    const hierarchy_problem *p = w->p;
    double worst = 0, extent = w->extent;
    for (int j = 0; j < p->n; j++) {
        double reach =
            fmax(isfinite(p->lo[j]) ? fabs(p->lo[j]) : 0, isfinite(p->hi[j]) ? fabs(p->hi[j]) : 0);
        extent = fmax(extent, HIERARCHY_LEAST_EXTENT * reach / w->size[j]);
    }
    for (int i = 0; i < p->m; i++) {
        double value = 0, length = 0;
        for (int j = 0; j < p->n; j++) {
            value += p->A[i * p->n + j] * w->x[j];
            length += fabs(p->A[i * p->n + j]) * w->size[j];
        }
        double over = larger(value - p->bhi[i], p->blo[i] - value);
        if (over > 0)
            worst = larger(over / (length * extent), worst);
    }
    return worst;
}

qp_status hierarchy_solve(hierarchy_work *w, const hierarchy_problem *p, hierarchy_solution *s)
{
    *s = (hierarchy_solution){.status = QP_BAD_INPUT,
                              .x = w->x,
                              .residual = w->residual,
                              .cost = w->cost,
                              .multiplier = w->multiplier,
                              .active = w->active};
    if (!fits(w, p))
        return s->status;
    start(w, p);
    if (p->mode == HIERARCHY_MIXED)
        solve_mixed(w, s);
    else
        solve_strict(w, s);
    report_levels(w);
    if (s->status == QP_SOLVED) {
        s->primal = fmax(s->primal, violation(w));
        w->last[0] = p->n;
        w->last[1] = p->m;
        w->last[2] = p->nlevel;
    }
    if (s->status == QP_SOLVED && s->primal > QP_TOLERANCE)
        s->status = QP_LIMIT;
    return s->status;
}
