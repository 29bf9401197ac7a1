// From the solution of the proximal problem to the minimum of the true objective on the face of the
// active limits: Newton steps along the rows of J that span it, cut short where a further limit
// stands in the way. Curvature may vanish there; the objective then falls along a ray, until a
// limit stops it, or for ever.
#include "solve/qp_work.h"

#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

// x back on the active limits, which roundoff leaves.
static void restore(qp_work *w)
{
    int n = w->n, q = w->nactive;
    constraint_values(w, w->x, w->value);
    for (int k = 0; k < q; k++)
        w->v[k] = w->limit[k] - w->value[w->id[k]];
    factor_solve_transposed(w, w->v);
    for (int k = 0; k < q; k++)
        qp_axpy(n, w->v[k], w->J + k * n, w->x);
    for (int k = 0; k < q; k++)
        if (w->id[k] < n)
            w->x[w->id[k]] = w->limit[k];
}

static void swap_rows(qp_work *w, int n, int a, int b)
{
    double *K = w->hessian;
    int keep = w->order[a];
    w->order[a] = w->order[b];
    w->order[b] = keep;
    for (int j = 0; j < n; j++) {
        double entry = K[a * n + j];
        K[a * n + j] = K[b * n + j];
        K[b * n + j] = entry;
    }
    for (int i = 0; i < n; i++) {
        double entry = K[i * n + a];
        K[i * n + a] = K[i * n + b];
        K[i * n + b] = entry;
    }
}

// K = J2 Q J2' = I - epsilon J2 J2' on the face, then its Cholesky factor with the largest pivots
// first: order[0 .. rank-1] are directions with curvature, the rest have none.
static void factor_hessian(qp_work *w)
{
    int n = w->n, q = w->nactive, f = n - q;
    double *K = w->hessian, flat = fmax(QP_FLAT * w->q_max / w->epsilon, QP_LEAST_FLAT);
    for (int i = 0; i < f; i++) {
        w->order[i] = i;
        for (int j = 0; j <= i; j++) {
            double product = w->epsilon * dense_dot(n, w->J + (q + i) * n, w->J + (q + j) * n);
            K[i * f + j] = K[j * f + i] = (i == j) - product;
        }
    }
    for (w->rank = 0; w->rank < f; w->rank++) {
        int k = w->rank, best = k;
        for (int i = k + 1; i < f; i++)
            if (K[i * f + i] > K[best * f + best])
                best = i;
        if (K[best * f + best] <= flat)
            return;
        if (best != k)
            swap_rows(w, f, best, k);
        K[k * f + k] = sqrt(K[k * f + k]);
        for (int i = k + 1; i < f; i++)
            K[i * f + k] /= K[k * f + k];
        for (int i = k + 1; i < f; i++)
            for (int j = k + 1; j <= i; j++)
                K[j * f + i] = K[i * f + j] -= K[i * f + k] * K[j * f + k];
    }
}

// With the factor L of K in order: s = the slope with what curvature can undo taken out of it, so
// that its entries past the rank are the slopes along the flat directions.
static void eliminate_slope(const qp_work *w, int f, double *s)
{
    const double *L = w->hessian;
    for (int i = 0; i < f; i++) {
        int last = i < w->rank ? i : w->rank;
        for (int k = 0; k < last; k++)
            s[i] -= L[i * f + k] * s[k];
        if (i < w->rank)
            s[i] /= L[i * f + i];
    }
}

static void back_substitute(const qp_work *w, int f, double *s)
{
    const double *L = w->hessian;
    for (int i = w->rank - 1; i >= 0; i--) {
        for (int k = i + 1; k < w->rank; k++)
            s[i] -= L[k * f + i] * s[k];
        s[i] /= L[i * f + i];
    }
}

// step = sum of s_i times the face's direction order[i]
static void assemble_step(qp_work *w, int f, const double *s)
{
    int n = w->n;
    memset(w->step, 0, (size_t)n * sizeof *w->step);
    for (int i = 0; i < f; i++)
        qp_axpy(n, s[i], w->J + (w->nactive + (w->epsilon > 0 ? w->order[i] : i)) * n, w->step);
}

// The steepest of the flat directions; false if the objective is flat along them.
static bool ray_step(qp_work *w, int f, const double *s)
{
    double *t = w->r;
    for (int i = 0; i < w->rank; i++) {
        t[i] = 0;
        for (int k = w->rank; k < f; k++)
            t[i] += w->hessian[k * f + i] * s[k];
    }
    back_substitute(w, f, t);
    for (int k = w->rank; k < f; k++)
        t[k] = -s[k];
    assemble_step(w, f, t);
    double slope = dense_dot(w->n, w->gradient, w->step);
    return slope < -QP_NO_PULL * w->pull * sqrt(dense_dot(w->n, w->step, w->step));
}

// step: to the minimum on the face, or, if it returns true, a ray.
static bool find_step(qp_work *w)
{
    int n = w->n, f = n - w->nactive;
    double *s = w->v;
    for (int i = 0; i < f; i++) {
        int k = w->nactive + (w->epsilon > 0 ? w->order[i] : i);
        s[i] = -dense_dot(n, w->J + k * n, w->gradient);
    }
    if (w->epsilon > 0) {
        for (int i = 0; i < f; i++)
            s[i] = -s[i];
        eliminate_slope(w, f, s);
        if (w->rank < f && ray_step(w, f, s))
            return true;
        back_substitute(w, f, s);
        for (int i = 0; i < f; i++)
            s[i] = i < w->rank ? -s[i] : 0;
    }
    assemble_step(w, f, s);
    return false;
}

// How far the way to the limit i is along the step, and on beyond it for `slack` of its scale.
static double room(const qp_work *w, int i, double rate, double slack)
{
    double left = rate > 0 ? w->upper[i] - w->value[i] : w->value[i] - w->lower[i];
    return (left + slack * w->scale[i]) / fabs(rate);
}

// The limit that stops the step before its end, of several within roundoff the one met most
// squarely [harris1973]; -1 if none.
static int first_in_the_way(const qp_work *w, const double *rate, double *reach)
{
    double slack = QP_RELAXED, steepest = 0, relaxed = *reach;
    // a ray is a ray within the tolerance of all answers
    double still = (isinf(*reach) ? QP_TOLERANCE : QP_ALONG) * qp_largest(w->n, w->step);
    int found = -1;
    for (int i = 0; i < w->nc; i++)
        if (w->position[i] < 0 && fabs(rate[i]) > still) {
            double ends = room(w, i, rate[i], slack);
            relaxed = ends < relaxed ? ends : relaxed;
        }
    if (relaxed >= *reach)
        return -1;
    for (int i = 0; i < w->nc; i++)
        if (w->position[i] < 0 && fabs(rate[i]) > qp_larger(still, steepest) &&
            room(w, i, rate[i], 0) <= relaxed) {
            found = i;
            steepest = fabs(rate[i]);
        }
    if (found >= 0)
        *reach = fmax(0, room(w, found, rate[found], 0));
    return found;
}

// One step on the face. Sets `stopped` if a limit cut it short and became active.
static face_end face_step(qp_work *w, bool *stopped)
{
    double *rate = w->out_y; // free until the end
    *stopped = false;
    restore(w);
    update_gradient(w);
    bool ray = find_step(w);
    constraint_scales(w);
    constraint_values(w, w->step, rate);
    double reach = ray ? INFINITY : 1;
    int limit = first_in_the_way(w, rate, &reach);
    if (isinf(reach))
        return FACE_UNBOUNDED;
    qp_axpy(w->n, reach, w->step, w->x);
    if (limit >= 0 && factor_project(w, limit)) {
        factor_insert(w, limit, rate[limit] > 0 ? 1 : -1, 0);
        w->iteration++;
        *stopped = true;
    }
    return FACE_DONE;
}

face_end face_minimize(qp_work *w)
{
    bool stopped = true;
    int whole = 0; // steps since a limit last stopped one: two, the second for the first's roundoff
    while (whole < 2) {
        if (stopped && w->epsilon > 0)
            factor_hessian(w);
        if (face_step(w, &stopped) == FACE_UNBOUNDED)
            return FACE_UNBOUNDED;
        whole = stopped ? 0 : whole + 1;
    }
    restore(w);
    update_gradient(w);
    for (int k = 0; k < w->nactive; k++)
        w->u[k] = -dense_dot(w->n, w->J + k * w->n, w->gradient);
    factor_solve(w, w->u);
    return FACE_DONE;
}
