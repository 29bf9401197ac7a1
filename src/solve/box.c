// Primal active set: the objective falls with every change of the set, so it ends. Rows are scaled
// to unit diagonal of W, so newtons, pascals and metres do not meet. The factor over the free rows
// is updated, not made anew. Large problems begin with sweeps of projected Gauss-Seidel, which find
// most of the set at once.
#include "solve/box.h"
#include "base/worst.h"
#include "solve/dense.h"
#include "solve/principal.h"
#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

enum { SWEEPS_FROM = 24, SWEEPS = 12 };

struct box_work {
    int n;
    principal free;                   // rows strictly within their bounds, but for dependent ones
    double *W, *q, *lo, *hi, *lambda; // scaled
    double *scale;                    // lambda = scale * scaled lambda
    double *w;                        // W lambda + q
    double *step;                     // of the free rows, in the factor's order
    bool *ignored;                    // (n) dependent rows that are off by roundoff only
    int change;
};

box_work *box_create(arena *a, int n)
{
    box_work *b = arena_new(a, 1, box_work);
    if (!b)
        return NULL;
    size_t m = (size_t)n + 1;
    double **vector[] = {&b->q, &b->lo, &b->hi, &b->lambda, &b->scale, &b->w, &b->step};
    bool ok = principal_create(a, n, &b->free) && (b->W = arena_new(a, m * m, double)) != NULL;
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        ok = ok && (*vector[k] = arena_new(a, m, double)) != NULL;
    ok = ok && (b->ignored = arena_new(a, m, bool)) != NULL;
    return ok ? b : NULL;
}

static void box_scale(box_work *b, const double *W, const double *q, const double *lo,
                      const double *hi, const double *lambda)
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

static void update_w(box_work *b)
{
    int n = b->n;
    memcpy(b->w, b->q, (size_t)n * sizeof *b->w);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n && b->lambda[j] != 0; i++)
            b->w[i] += b->W[j * n + i] * b->lambda[j];
}

static bool between(const box_work *b, int i)
{
    return b->lambda[i] > b->lo[i] && b->lambda[i] < b->hi[i];
}

// How much row i is against the conditions; 0 if it meets them.
static double violation(const box_work *b, int i)
{
    if (b->lo[i] == b->hi[i])
        return 0;
    if (b->lambda[i] <= b->lo[i])
        return fmax(0, -b->w[i]);
    if (b->lambda[i] >= b->hi[i])
        return fmax(0, b->w[i]);
    return fabs(b->w[i]);
}

static void sweep(box_work *b)
{
    int n = b->n;
    update_w(b);
    for (int k = 0; k < SWEEPS; k++)
        for (int i = 0; i < n; i++) {
            if (b->W[i * n + i] <= 0)
                continue;
            double next = fmin(fmax(b->lambda[i] - b->w[i] / b->W[i * n + i], b->lo[i]), b->hi[i]);
            double change = next - b->lambda[i];
            for (int j = 0; j < n && change != 0; j++)
                b->w[j] += change * b->W[i * n + j];
            b->lambda[i] = next;
        }
}

// How far along the step row i may go; the bound it would meet.
static double reach(const box_work *b, int i, double step, double *bound)
{
    *bound = step < 0 ? b->lo[i] : b->hi[i];
    return step != 0 ? fmax(0, (*bound - b->lambda[i]) / step) : INFINITY;
}

static void move(box_work *b, int i, double by)
{
    b->lambda[i] += by;
    for (int j = 0; j < b->n; j++)
        b->w[j] += by * b->W[i * b->n + j];
}

// Moves the free rows along the step, `most` of it or until one meets a bound and leaves. Returns
// that row, -1 if there is none. What it went is in *went.
static int advance(box_work *b, double most, double *went)
{
    double bound = 0;
    int stopped = -1;
    *went = most;
    for (int k = 0; k < b->free.count; k++) {
        double end, r = reach(b, b->free.id[k], b->step[k], &end);
        if (r < *went) {
            *went = r;
            stopped = b->free.id[k];
            bound = end;
        }
    }
    for (int k = 0; k < b->free.count && isfinite(*went); k++)
        move(b, b->free.id[k], *went * b->step[k]);
    if (stopped >= 0) {
        b->lambda[stopped] = bound;
        principal_leave(&b->free, stopped);
        b->change++;
    }
    return stopped;
}

// The minimum over the free rows; rows that meet a bound on the way stay there.
static void descend(box_work *b)
{
    double went;
    do {
        for (int k = 0; k < b->free.count; k++)
            b->step[k] = -b->w[b->free.id[k]];
        principal_solve(&b->free, 1, b->step);
    } while (advance(b, 1, &went) >= 0);
}

// Row i depends on the free rows, and its w does not vanish: along the direction that W does not
// see, the objective falls evenly until a bound is met. False: there is none.
static bool slide(box_work *b, int i)
{
    double sign = b->w[i] > 0 ? 1 : -1, bound, went;
    double own = reach(b, i, -sign, &bound);
    for (int k = 0; k < b->free.count; k++)
        b->step[k] = sign * b->W[i * b->n + b->free.id[k]];
    principal_solve(&b->free, 1, b->step);
    int stopped = advance(b, own, &went);
    if (!isfinite(went)) {
        memset(b->lambda, 0, (size_t)b->n * sizeof *b->lambda); // the ray
        for (int k = 0; k < b->free.count; k++)
            b->lambda[b->free.id[k]] = b->step[k];
        b->lambda[i] = -sign;
        return false;
    }
    move(b, i, -sign * went);
    if (stopped >= 0)
        principal_enter(&b->free, i);
    else
        b->lambda[i] = bound;
    b->change++;
    return true;
}

// The row that is most against its condition, -1 if none is. `first` takes the first one instead,
// which cannot cycle where steps have no length (Bland).
static int worst_row(const box_work *b, double tolerance, bool first)
{
    int worst = -1;
    double most = tolerance;
    for (int i = 0; i < b->n && !(first && worst >= 0); i++) {
        double v = b->free.position[i] >= 0 || b->ignored[i] ? 0 : violation(b, i);
        if (v > most) {
            most = v;
            worst = i;
        }
    }
    return worst;
}

static double largest_gap(const box_work *b, double size)
{
    double gap = 0;
    for (int i = 0; i < b->n; i++)
        gap = fmax(gap, violation(b, i));
    return size > 0 ? gap / size : gap;
}

static void start(box_work *b)
{
    bool cold = true;
    for (int i = 0; i < b->n; i++)
        cold = cold && !between(b, i);
    if (cold && b->n >= SWEEPS_FROM)
        sweep(b);
    principal_start(&b->free, b->n, b->W);
    memset(b->ignored, 0, (size_t)b->n * sizeof *b->ignored);
    for (int i = 0; i < b->n; i++)
        if (between(b, i))
            principal_enter(&b->free, i);
    update_w(b);
    descend(b);
}

// Frees the row, or slides along what depends on it. False: for ever.
static bool release(box_work *b, int row, double size)
{
    if (principal_enter(&b->free, row)) {
        b->change++;
    } else if (violation(b, row) <= BOX_NOISE * size) {
        b->ignored[row] = true;
        return true;
    } else if (!slide(b, row)) {
        return false;
    }
    memset(b->ignored, 0, (size_t)b->n * sizeof *b->ignored);
    return true;
}

// From face to face until no row is against its condition, and still none with w summed afresh.
static void iterate(box_work *b, double size, box_residual *result)
{
    double tolerance = BOX_CLOSE_LOOK;
    bool fresh = false;
    int patience = 4 * b->n + 20, since = 0;
    while (tolerance < BOX_LAST_LOOK) {
        bool small_steps = b->change - since > patience / 2;
        int row = worst_row(b, tolerance * size, small_steps);
        if (row < 0 && fresh) {
            result->solved = true;
            return;
        }
        fresh = row < 0;
        if (fresh)
            update_w(b);
        else if (!release(b, row, size)) {
            result->endless = true;
            return;
        }
        descend(b);
        if (b->change - since > patience) { // only roundoff goes in circles: look less closely
            since = b->change;
            tolerance *= 10;
        }
    }
}

box_residual box_solve(box_work *b, int n, const double *W, const double *q, const double *lo,
                       const double *hi, double *lambda)
{
    box_residual result = {0};
    b->n = n;
    b->change = 0;
    box_scale(b, W, q, lo, hi, lambda);
    double size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(b->q[i]));
    start(b);
    iterate(b, size, &result);
    for (int i = 0; i < n; i++)
        lambda[i] = result.endless             ? b->scale[i] * b->lambda[i]
                    : b->lambda[i] <= b->lo[i] ? lo[i] // exactly, not scaled there and back
                    : b->lambda[i] >= b->hi[i] ? hi[i]
                                               : b->scale[i] * b->lambda[i];
    if (!result.endless)
        update_w(b);
    result.gap = result.endless ? INFINITY : largest_gap(b, size);
    result.iteration = b->change;
    return result;
}

// Principal pivots: rows within their bounds have w = 0, others are at a bound. The first row that
// is against its conditions changes sides, which ends for every W whose principal minors are
// positive [murty1974].
typedef struct pivots {
    int n;
    const double *W, *q, *lo, *hi;
    double *A, *b;  // (n x n), (n) of the rows within
    double *side;   // (n) -1: at lo, 1: at hi, 0: within
    double *lambda; // (n)
} pivots;

static bool pivots_solve(const pivots *p)
{
    int n = p->n, nfree = 0;
    for (int i = 0; i < n; i++)
        if (p->side[i] != 0)
            p->lambda[i] = p->side[i] < 0 ? p->lo[i] : p->hi[i];
    for (int i = 0; i < n; i++)
        nfree += p->side[i] == 0;
    for (int i = 0, row = 0; i < n; i++) {
        if (p->side[i] != 0)
            continue;
        p->b[row] = -p->q[i];
        for (int j = 0, col = 0; j < n; j++)
            if (p->side[j] == 0)
                p->A[row * nfree + col++] = p->W[i * n + j];
            else
                p->b[row] -= p->W[i * n + j] * p->lambda[j];
        row++;
    }
    if (!dense_solve(nfree, 1, p->A, p->b))
        return false;
    for (int i = 0, row = 0; i < n; i++)
        if (p->side[i] == 0)
            p->lambda[i] = p->b[row++];
    return true;
}

// Where row i belongs, judged by what it is against; w is known up to rounding.
static double side_of(const pivots *p, int i)
{
    double w = p->q[i], noise = fabs(w);
    if (p->side[i] == 0)
        return p->lambda[i] < p->lo[i] ? -1 : p->lambda[i] > p->hi[i] ? 1 : 0;
    if (p->lo[i] == p->hi[i])
        return p->side[i];
    for (int j = 0; j < p->n; j++) {
        w += p->W[i * p->n + j] * p->lambda[j];
        noise = worst_of(noise, fabs(p->W[i * p->n + j] * p->lambda[j]));
    }
    return p->side[i] * w > BOX_PIVOT_NOISE * noise ? 0 : p->side[i];
}

bool box_refine(int n, const double *W, const double *q, const double *lo, const double *hi,
                double *lambda, double *scratch)
{
    const int most = 50 * (n + 1);
    pivots p = {
        n, W, q, lo, hi, scratch, scratch + n * n, scratch + n * n + n, scratch + n * n + 2 * n};
    for (int i = 0; i < n; i++)
        p.side[i] = lambda[i] <= lo[i] ? -1 : lambda[i] >= hi[i] ? 1 : 0;
    for (int k = 0; k < most; k++) {
        if (!pivots_solve(&p))
            return false;
        int i = 0;
        while (i < n && side_of(&p, i) == p.side[i])
            i++;
        if (i == n) {
            memcpy(lambda, p.lambda, (size_t)n * sizeof *lambda);
            return true;
        }
        p.side[i] = side_of(&p, i);
    }
    return false;
}
