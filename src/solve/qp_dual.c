// The dual active set [goldfarb1983]: of all sets of active limits whose multipliers have the right
// sign, it goes from one to the next with a higher dual objective, so none comes twice, however
// degenerate the problem is.
#include "solve/qp_work.h"

#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

// The multipliers that the active limits, held as equations, would have. v = J^-T x of that point.
static void target_multipliers(qp_work *w, double *u)
{
    int n = w->n, q = w->nactive;
    for (int k = 0; k < n; k++)
        w->v[k] = -dense_dot(n, w->J + k * n, w->shifted);
    memcpy(u, w->v, (size_t)q * sizeof *u);
    memcpy(w->v, w->limit, (size_t)q * sizeof *w->v);
    factor_solve_transposed(w, w->v);
    for (int k = 0; k < q; k++)
        u[k] -= w->v[k];
    factor_solve(w, u);
}

// The active limit that stops the way from u to the target first, -1 if none does. Of several at
// once the one most against its sign.
static int first_to_vanish(const qp_work *w, const double *target, double *reach)
{
    int found = -1;
    double tolerance = QP_RELAXED * qp_largest(w->nactive, target), worst = 0;
    *reach = 1;
    for (int k = 0; k < w->nactive; k++) {
        double end = w->side[k] * target[k], begin = qp_larger(w->side[k] * w->u[k], 0);
        if (end >= -tolerance)
            continue;
        double part = begin / (begin - end);
        if (found < 0 || part < *reach || (part == *reach && end < worst)) {
            found = k;
            *reach = part;
            worst = end;
        }
    }
    return found;
}

// Drops limits until those left pull the right way, and puts x where they hold it.
static void settle(qp_work *w)
{
    int n = w->n, stop = 0;
    double reach;
    do {
        target_multipliers(w, w->r);
        stop = first_to_vanish(w, w->r, &reach);
        for (int k = 0; k < w->nactive; k++)
            w->u[k] += reach * (w->r[k] - w->u[k]);
        if (stop >= 0) {
            factor_drop(w, stop);
            w->iteration++;
        }
    } while (stop >= 0);
    memset(w->x, 0, (size_t)n * sizeof *w->x);
    for (int k = 0; k < n; k++)
        qp_axpy(n, w->v[k], w->J + k * n, w->x);
    constraint_scales(w);
}

static int most_violated(const qp_work *w, double tolerance, int *side)
{
    int found = -1;
    double most = 0;
    for (int i = 0; i < w->nc; i++) {
        double over = w->value[i] - w->upper[i], under = w->lower[i] - w->value[i];
        double violation = over > under ? over : under;
        if (violation > most && violation > tolerance * w->scale[i] && w->position[i] < 0 &&
            !w->ignored[i]) {
            most = violation;
            *side = over > under ? 1 : -1;
            found = i;
        }
    }
    return found;
}

static void conflict_add(qp_work *w, int id, int side, double weight)
{
    w->conflict[w->nconflict++] = (qp_conflict){id, side, weight};
}

// Whether the conflict proves that no x of any reasonable size is feasible: its sum of gradients is
// nothing, its sum of limits clearly negative.
static bool conflict_holds(qp_work *w)
{
    int n = w->n;
    double *sum = w->along, gap = 0, magnitude = 0;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int k = 0; k < w->nconflict; k++) {
        const qp_conflict *member = &w->conflict[k];
        double signed_weight = member->side * member->weight;
        double limit = member->side > 0 ? w->upper[member->id] : w->lower[member->id];
        gap -= signed_weight * limit;
        magnitude = fmax(magnitude, fabs(limit));
        if (member->id < n)
            sum[member->id] += signed_weight;
        else
            qp_add_row(w, signed_weight, member->id - n, sum);
    }
    double error = 0, size = fmax(magnitude, w->scale[w->conflict[0].id]);
    double violation = gap / w->conflict[0].weight;
    for (int j = 0; j < n; j++)
        error += fabs(sum[j]);
    return violation > QP_CONFLICT * w->scale[w->conflict[0].id] && gap > 1e3 * error * size;
}

// Gradient p = sum r_k gradient k: the members with weight are linearly dependent, but no fewer of
// them, so leaving out any one makes the rest feasible.
static bool conflict_found(qp_work *w, int p, int side, const double *r)
{
    double largest = fmax(1, qp_largest(w->nactive, r));
    w->nconflict = 0;
    conflict_add(w, p, side, 1 / largest);
    for (int k = 0; k < w->nactive; k++) {
        double weight = -side * r[k] / largest;
        int pull = weight > 0 ? 1 : -1;
        bool helps = w->side[k] == 0 || w->side[k] == pull;
        if (helps && fabs(weight) > QP_UNTOLD)
            conflict_add(w, w->id[k], pull, fabs(weight));
    }
    if (!conflict_holds(w))
        w->nconflict = 0;
    return w->nconflict > 0;
}

// The active limit to give up for p, whose gradient is sum r_k gradient k; -1 if none can be.
static int first_to_yield(const qp_work *w, int side, const double *r, double *length)
{
    int found = -1;
    double floor = QP_NEGLIGIBLE * fmax(1, qp_largest(w->nactive, r));
    *length = INFINITY;
    for (int k = 0; k < w->nactive; k++) {
        double against = w->side[k] * side * r[k];
        if (against <= floor)
            continue;
        double reach = qp_larger(w->side[k] * w->u[k], 0) / against;
        if (reach < *length || (reach == *length && against > fabs(r[found]))) {
            *length = reach;
            found = k;
        }
    }
    return found;
}

typedef enum add_end { ADD_DONE, ADD_INFEASIBLE, ADD_IGNORED } add_end;

static add_end add_limit(qp_work *w, int p, int side)
{
    double u = 0;
    while (!factor_project(w, p)) {
        double length;
        memcpy(w->r, w->project, (size_t)w->nactive * sizeof *w->r);
        factor_solve(w, w->r);
        int yields = first_to_yield(w, side, w->r, &length);
        if (yields < 0 && conflict_found(w, p, side, w->r))
            return ADD_INFEASIBLE;
        if (yields < 0) {
            w->ignored[p] = true;
            return ADD_IGNORED;
        }
        for (int k = 0; k < w->nactive; k++)
            w->u[k] -= length * side * w->r[k];
        u += length * side;
        factor_drop(w, yields);
        w->iteration++;
    }
    factor_insert(w, p, side, u);
    w->iteration++;
    return ADD_DONE;
}

void dual_warm(qp_work *w, const int *active)
{
    for (int pass = 0; pass < 2; pass++) // equations first: they never yield to a guess
        for (int i = 0; i < w->nc && w->nactive < w->n; i++) {
            bool equation = w->lower[i] == w->upper[i];
            int side = equation ? 1 : active[i];
            bool exists = isfinite(side > 0 ? w->upper[i] : w->lower[i]);
            if (equation == (pass == 0) && side != 0 && exists && factor_project(w, i))
                factor_insert(w, i, side, 0);
        }
}

dual_end dual_solve(qp_work *w)
{
    int start = w->iteration, patience = 4 * w->nc + 20;
    double tolerance = QP_CLOSE_LOOK;
    memset(w->ignored, 0, (size_t)w->nc * sizeof *w->ignored);
    for (;;) {
        settle(w);
        int side = 0, p = most_violated(w, tolerance, &side);
        if (p < 0)
            return DUAL_DONE;
        if (add_limit(w, p, side) == ADD_INFEASIBLE)
            return DUAL_INFEASIBLE;
        // only roundoff can go round in circles: look less closely
        if (w->iteration - start > patience) {
            start = w->iteration;
            tolerance *= 10;
            if (tolerance > QP_TOLERANCE)
                return DUAL_STUCK;
        }
    }
}
