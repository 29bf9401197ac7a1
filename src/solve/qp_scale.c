// To the scaled problem and back. Scales are powers of two, so scaling itself loses nothing.
#include "solve/qp_work.h"

#include "solve/tolerances.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static bool all_finite(int n, const double *x)
{
    uint64_t bad = 0; // as wide as a double, so that the compiler looks at several at once
    for (int i = 0; i < n; i++)
        bad |= !(fabs(x[i]) <= DBL_MAX);
    return bad == 0;
}

static bool limits_valid(int n, const double *lo, const double *hi)
{
    uint64_t bad = 0;
    for (int i = 0; i < n; i++) { // written so that NaN fails
        bad |= !(lo[i] < INFINITY);
        bad |= !(hi[i] > -INFINITY);
    }
    return bad == 0;
}

bool scale_valid(const qp_problem *p)
{
    int n = p->n, m = p->m, old = p->kept_rows;
    return (p->kept_Q || all_finite(n * n, p->Q)) && all_finite(n, p->c) &&
           all_finite((m - old) * n, p->A + old * n) && limits_valid(n, p->lo, p->hi) &&
           limits_valid(m, p->blo, p->bhi);
}

// The power of two next to v > 0, none so small or so large that its inverse is not one as well:
// the exponent alone of sqrt(2) v.
static double power_of_two(double v)
{
    uint64_t bits;
    v = fmin(fmax(v, QP_SCALE_LEAST), QP_SCALE_MOST) * 1.41421356237309505;
    memcpy(&bits, &v, sizeof bits);
    bits &= 0x7ff0000000000000ull;
    memcpy(&v, &bits, sizeof v);
    return v;
}

// Mean binary exponent of the entries of row i (stride 1) or column j (stride n), each with the
// exponent of what it multiplies; 0 if there are none.
static double mean_exponent(int count, const double *a, int stride, const double *exponent)
{
    double sum = 0;
    int entries = 0;
    for (int k = 0; k < count; k++)
        if (a[k * stride] != 0) {
            sum += ilogb(a[k * stride]) + exponent[k];
            entries++;
        }
    return entries > 0 ? sum / entries : 0;
}

// One size per variable says as much as a whole row of A; 0: the variable has no finite limit.
static double bound_extent(double lo, double hi)
{
    return fmax(isfinite(lo) ? fabs(lo) : 0, isfinite(hi) ? fabs(hi) : 0);
}

// Exponent of the size of column j that A, c and the bounds suggest, each with the same vote, so
// that roundoff in one of them (a column of A that should be 0) is outvoted.
static double vote(const qp_problem *p, int j, const double *row, const double *inverse)
{
    int n = p->n, votes = 0;
    double sum = 0;
    for (int i = 0; i < p->m; i++)
        if (p->A[i * n + j] != 0) {
            sum = mean_exponent(p->m, p->A + j, n, row);
            votes = 1;
            break;
        }
    if (p->c[j] != 0) {
        sum += ilogb(p->c[j]) + row[p->m];
        votes++;
    }
    if (inverse[j] != 0) {
        sum += ilogb(inverse[j]) + row[p->m + 1];
        votes++;
    }
    return votes > 0 ? -sum / votes : 0;
}

// Columns without curvature: sizes that bring their entries near 1 in the geometric mean. Where
// A_ij = r_i / s_j times something near 1 this finds s, whatever the units.
static void balance_columns(qp_work *w, const qp_problem *p)
{
    int n = p->n, m = p->m;
    double *column = w->step, *row = w->out_y; // exponents of sizes and of 1 / row lengths
    double *inverse = w->along;                // 1 / bounds
    for (int j = 0; j < n; j++) {
        double extent = bound_extent(p->lo[j], p->hi[j]);
        inverse[j] = extent > 0 ? 1 / extent : 0;
        column[j] = p->Q[j * n + j] > 0 ? ilogb(w->size[j]) : 0;
    }
    for (int pass = 0; pass < 8; pass++) {
        for (int i = 0; i < m; i++)
            row[i] = -mean_exponent(n, p->A + i * n, 1, column);
        row[m] = -mean_exponent(n, p->c, 1, column);
        row[m + 1] = -mean_exponent(n, inverse, 1, column);
        for (int j = 0; j < n; j++)
            if (p->Q[j * n + j] <= 0)
                column[j] = vote(p, j, row, inverse);
    }
    for (int j = 0; j < n; j++)
        if (p->Q[j * n + j] <= 0)
            w->size[j] = ldexp(1, (int)lround(column[j]));
}

static void choose_sizes(qp_work *w, const qp_problem *p)
{
    int n = p->n;
    bool flat = false;
    for (int j = 0; j < n; j++) {
        double diagonal = p->Q[j * n + j];
        if (p->size)
            w->size[j] = p->size[j];
        else if (diagonal > 0)
            w->size[j] = 1 / sqrt(diagonal);
        else {
            w->size[j] = 1;
            flat = true;
        }
    }
    if (flat)
        balance_columns(w, p);
    for (int j = 0; j < n; j++)
        w->size[j] = power_of_two(w->size[j]);
}

// The length of row i in the scaled variables.
static double row_length(const qp_work *w, const double *row)
{
    double largest = 0, square = 0;
    for (int j = 0; j < w->n; j++) {
        double entry = row[j] * w->size[j];
        largest = qp_larger(fabs(entry), largest);
        square += entry * entry;
    }
    if (square > QP_SQUARE_LEAST && square < QP_SQUARE_MOST)
        return sqrt(square);
    square = 0; // too small or too large to be squared
    for (int j = 0; j < w->n && largest > 0; j++) {
        double entry = row[j] * w->size[j] / largest;
        square += entry * entry;
    }
    return largest * sqrt(square);
}

static void scale_rows(qp_work *w, const qp_problem *p)
{
    int n = p->n;
    for (int i = p->kept_rows; i < p->m; i++) {
        const double *row = p->A + i * n;
        double length = row_length(w, row);
        w->size[n + i] = length > 0 ? power_of_two(length) : 1;
        w->shrink[n + i] = 1 / w->size[n + i];
        for (int j = 0; j < n; j++)
            w->A[j * w->stride + i] = row[j] * w->size[j] * w->shrink[n + i];
    }
    for (int i = 0; i < p->m; i++) {
        w->lower[n + i] = p->blo[i] * w->shrink[n + i];
        w->upper[n + i] = p->bhi[i] * w->shrink[n + i];
    }
}

static void farthest_limit(qp_work *w)
{
    double largest = 0;
    for (int i = 0; i < w->nc; i++) {
        double lower = fabs(w->lower[i]), upper = fabs(w->upper[i]);
        largest = lower > largest && lower < INFINITY ? lower : largest;
        largest = upper > largest && upper < INFINITY ? upper : largest;
    }
    w->far = largest > 0 ? largest : INFINITY;
}

double scale_typical(const qp_work *w)
{
    double exponent = 0;
    int count = 0;
    for (int i = 0; i < w->nc; i++) {
        double ends[2] = {w->lower[i], w->upper[i]};
        for (int k = 0; k < 2; k++)
            if (isfinite(ends[k]) && ends[k] != 0) {
                exponent += ilogb(ends[k]);
                count++;
            }
    }
    return count > 0 ? ldexp(1, (int)lround(exponent / count)) : 1;
}

static void scale_objective(qp_work *w, const qp_problem *p)
{
    int n = p->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w->Q[i * n + j] = w->size[i] * (0.5 * (p->Q[i * n + j] + p->Q[j * n + i])) * w->size[j];
    w->q_max = qp_largest(n * n, w->Q);
}

void scale_problem(qp_work *w, const qp_problem *p)
{
    int n = p->n;
    w->n = n;
    w->m = p->m;
    w->nc = n + p->m;
    if (p->kept_rows == 0)
        choose_sizes(w, p);
    for (int i = 0; i < n; i++) {
        w->shrink[i] = 1 / w->size[i];
        w->c[i] = w->size[i] * p->c[i];
        w->lower[i] = p->lo[i] * w->shrink[i];
        w->upper[i] = p->hi[i] * w->shrink[i];
    }
    if (!p->kept_Q)
        scale_objective(w, p);
    scale_rows(w, p);
    w->c_max = qp_largest(n, w->c);
    farthest_limit(w);
}

static double objective(const qp_problem *p, const double *x)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++)
        sum += x[i] * (p->c[i] + 0.5 * dense_dot(p->n, p->Q + i * p->n, x));
    return sum;
}

// Multipliers of the wrong sign are roundoff or a failure; the dual residual tells which.
static void collect_multipliers(qp_work *w, double *y)
{
    memset(y, 0, (size_t)w->nc * sizeof *y);
    for (int k = 0; k < w->nactive; k++)
        if (w->side[k] * w->u[k] >= 0)
            y[w->id[k]] = w->u[k];
}

static void dual_residual(qp_work *w, const double *y, qp_solution *s, double *size)
{
    int n = w->n;
    double *sum = w->gradient;
    update_gradient(w);
    for (int i = 0; i < n; i++)
        sum[i] += y[i];
    for (int i = 0; i < w->m; i++)
        if (y[n + i] != 0)
            qp_add_row(w, y[n + i], i, sum);
    *size = qp_larger(w->pull, qp_largest(w->nc, y));
    double largest = qp_largest(n, sum);
    s->dual = largest > 0 ? largest / *size : 0;
}

static void residuals(qp_work *w, const double *y, qp_solution *s)
{
    double y_size;
    dual_residual(w, y, s, &y_size);
    constraint_scales(w);
    s->primal = s->complementarity = 0;
    for (int i = 0; i < w->nc; i++) {
        double over = w->value[i] - w->upper[i], under = w->lower[i] - w->value[i];
        double outside = qp_larger(over, under), distance = fabs(y[i] > 0 ? over : under);
        if (outside > 0)
            s->primal = qp_larger(outside / w->scale[i], s->primal);
        if (y[i] != 0 && distance > 0)
            s->complementarity =
                qp_larger(fabs(y[i]) / y_size * distance / w->scale[i], s->complementarity);
    }
}

void scale_back(qp_work *w, const qp_problem *p, qp_solution *s)
{
    double *y = w->out_y;
    for (int i = 0; i < w->n; i++) // roundoff ends here: bounds hold exactly
        w->x[i] = fmin(fmax(w->x[i], w->lower[i]), w->upper[i]);
    collect_multipliers(w, y);
    residuals(w, y, s);
    for (int i = 0; i < w->n; i++)
        w->out_x[i] = w->x[i] * w->size[i];
    for (int i = 0; i < w->nc; i++)
        y[i] *= w->shrink[i];
    for (int k = 0; k < w->nconflict; k++)
        w->conflict[k].weight /= w->size[w->conflict[k].id];
    s->objective = objective(p, w->out_x);
    s->x = w->out_x;
    s->y = y;
    s->iteration = w->iteration;
    s->nconflict = w->nconflict;
    s->conflict = w->conflict;
}
