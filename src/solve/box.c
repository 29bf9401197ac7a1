// Primal active set: the objective falls with every change of the set, so it ends. Rows are scaled
// to unit diagonal of W, so newtons, pascals and metres do not meet.
#include "solve/box.h"

#include <math.h>
#include <string.h>

// What is left of a row's unit diagonal when the rows before it explain the rest.
static const double dependent = 1e-11;

typedef struct box {
    int n;
    double *W, *q, *lo, *hi, *lambda; // scaled
    double *scale;                    // lambda = scale * scaled lambda
    double *w;                        // W lambda + q
    double *L;                        // factor of W over the free rows
    double *step;
    int nfree;
    double *free; // the free rows' numbers, as doubles to share the scratch
} box;

size_t box_scratch(int n)
{
    return 2 * (size_t)n * (size_t)n + 8 * (size_t)n;
}

static box box_place(int n, double *scratch)
{
    size_t m = (size_t)n;
    box b = {.n = n, .W = scratch, .L = scratch + m * m};
    double **vector[8] = {&b.q, &b.lo, &b.hi, &b.lambda, &b.scale, &b.w, &b.step, &b.free};
    for (size_t k = 0; k < 8; k++)
        *vector[k] = scratch + 2 * m * m + k * m;
    return b;
}

static void box_scale(box *b, const double *W, const double *q, const double *lo, const double *hi,
                      const double *lambda)
{
    int n = b->n;
    for (int i = 0; i < n; i++)
        b->scale[i] = W[i * n + i] > 0 ? 1 / sqrt(W[i * n + i]) : 1;
    for (int i = 0; i < n; i++) {
        double s = b->scale[i];
        for (int j = 0; j < n; j++)
            b->W[i * n + j] = s * W[i * n + j] * b->scale[j];
        b->q[i] = s * q[i];
        b->lo[i] = lo[i] / s;
        b->hi[i] = hi[i] / s;
        b->lambda[i] = fmin(fmax(lambda[i] / s, b->lo[i]), b->hi[i]);
    }
}

static void update_w(box *b)
{
    for (int i = 0; i < b->n; i++) {
        b->w[i] = b->q[i];
        for (int j = 0; j < b->n; j++)
            b->w[i] += b->W[i * b->n + j] * b->lambda[j];
    }
}

// How much row i is against the conditions; 0 if it meets them.
static double violation(const box *b, int i)
{
    if (b->lo[i] == b->hi[i])
        return 0;
    if (b->lambda[i] <= b->lo[i])
        return fmax(0, -b->w[i]);
    if (b->lambda[i] >= b->hi[i])
        return fmax(0, b->w[i]);
    return fabs(b->w[i]);
}

static bool is_free(const box *b, int i)
{
    for (int k = 0; k < b->nfree; k++)
        if ((int)b->free[k] == i)
            return true;
    return false;
}

// Cholesky of W over the free rows. A row that depends on those before it (a redundant actuator)
// gets an infinite pivot, so its step is 0; the others' step serves it too.
static void factor_free(box *b)
{
    int m = b->nfree;
    for (int j = 0; j < m; j++)
        for (int i = j; i < m; i++) {
            double sum = b->W[(int)b->free[i] * b->n + (int)b->free[j]];
            for (int k = 0; k < j; k++)
                sum -= b->L[i * m + k] * b->L[j * m + k];
            if (i == j)
                b->L[i * m + j] = sum > dependent ? sqrt(sum) : INFINITY;
            else
                b->L[i * m + j] = sum / b->L[j * m + j];
        }
}

// step <- W_FF^-1 step, with 0 for rows that depend on others.
static void divide_free(box *b)
{
    int m = b->nfree;
    for (int i = 0; i < m; i++) {
        double sum = b->step[i];
        for (int k = 0; k < i; k++)
            sum -= b->L[i * m + k] * b->step[k];
        b->step[i] = sum / b->L[i * m + i];
    }
    for (int i = m - 1; i >= 0; i--) {
        double sum = b->step[i];
        for (int k = i + 1; k < m; k++)
            sum -= b->L[k * m + i] * b->step[k];
        b->step[i] = sum / b->L[i * m + i];
    }
}

// step = -W_FF^-1 w_F
static void solve_free(box *b)
{
    factor_free(b);
    for (int i = 0; i < b->nfree; i++)
        b->step[i] = -b->w[(int)b->free[i]];
    divide_free(b);
}

// Goes along the step, `most` of it or as far as the box allows. Returns the free row that stopped
// it, -1 if none did.
static int advance(box *b, double most)
{
    double alpha = most, bound = 0;
    int stopped = -1;
    for (int k = 0; k < b->nfree; k++) {
        int i = (int)b->free[k];
        double end = b->step[k] < 0 ? b->lo[i] : b->hi[i];
        double reach = b->step[k] != 0 ? (end - b->lambda[i]) / b->step[k] : INFINITY;
        if (reach < alpha) {
            alpha = fmax(reach, 0);
            stopped = k;
            bound = end;
        }
    }
    if (!isfinite(alpha))
        return -1;
    for (int k = 0; k < b->nfree; k++)
        b->lambda[(int)b->free[k]] += alpha * b->step[k];
    if (stopped >= 0) {
        b->lambda[(int)b->free[stopped]] = bound;
        b->nfree--;
        memmove(&b->free[stopped], &b->free[stopped + 1],
                (size_t)(b->nfree - stopped) * sizeof *b->free);
    }
    return stopped;
}

typedef enum box_slide { SLIDE_NONE, SLIDE_DONE, SLIDE_ENDLESS } box_slide;

// A dependent row whose w does not vanish: along the direction that W does not see, the objective
// falls evenly until a bound is met. Without a bound there is no minimum.
static box_slide slide(box *b, double tolerance)
{
    int worst = -1;
    double most = tolerance;
    for (int k = 0; k < b->nfree; k++)
        if (fabs(b->w[(int)b->free[k]]) > most) {
            most = fabs(b->w[(int)b->free[k]]);
            worst = k;
        }
    if (worst < 0)
        return SLIDE_NONE;
    int row = (int)b->free[worst];
    double sign = b->w[row] > 0 ? 1 : -1;
    for (int k = 0; k < b->nfree; k++)
        b->step[k] = b->W[(int)b->free[k] * b->n + row];
    divide_free(b); // row's own entry comes out 0: it depends
    for (int k = 0; k < b->nfree; k++)
        b->step[k] *= sign;
    b->step[worst] = -sign;
    return advance(b, INFINITY) >= 0 ? SLIDE_DONE : SLIDE_ENDLESS;
}

// Frees the bound row that is most against its condition; false if none is. `first` takes the first
// one instead, which cannot cycle (Bland).
static bool release(box *b, double tolerance, bool first)
{
    int worst = -1;
    double most = tolerance;
    for (int i = 0; i < b->n && !(first && worst >= 0); i++) {
        double v = is_free(b, i) ? 0 : violation(b, i);
        if (v > most) {
            most = v;
            worst = i;
        }
    }
    if (worst >= 0)
        b->free[b->nfree++] = worst;
    return worst >= 0;
}

static double largest_gap(const box *b, double size)
{
    double gap = 0;
    for (int i = 0; i < b->n; i++)
        gap = fmax(gap, violation(b, i));
    return size > 0 ? gap / size : gap;
}

box_residual box_solve(int n, const double *W, const double *q, const double *lo, const double *hi,
                       double *lambda, double *scratch)
{
    box b = box_place(n, scratch);
    box_scale(&b, W, q, lo, hi, lambda);
    double size = 0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(b.q[i]));
        if (b.lambda[i] > b.lo[i] && b.lambda[i] < b.hi[i])
            b.free[b.nfree++] = i;
    }
    box_residual result = {0};
    int limit = 20 * n + 20;
    for (; result.iteration < limit && !result.solved; result.iteration++) {
        update_w(&b);
        solve_free(&b);
        if (advance(&b, 1) >= 0)
            continue;
        update_w(&b);
        solve_free(&b); // a second time: the first leaves the roundoff of a long step
        if (advance(&b, 1) >= 0)
            continue;
        update_w(&b);
        box_slide slid = slide(&b, 1e-9 * size);
        if (slid == SLIDE_ENDLESS)
            break;
        result.solved =
            slid == SLIDE_NONE && !release(&b, 1e-12 * size, result.iteration > limit / 2);
    }
    for (int i = 0; i < n; i++)
        lambda[i] = b.lambda[i] <= b.lo[i]   ? lo[i] // exactly, not scaled there and back
                    : b.lambda[i] >= b.hi[i] ? hi[i]
                                             : b.scale[i] * b.lambda[i];
    result.gap = largest_gap(&b, size);
    return result;
}
