// What readings say about the shape: covariances, and readings that do not fit the others.
#include "control/estimate.h"

#include "base/status.h"
#include "control/singular.h"
#include "control/tolerances.h"
#include "step/state.h"

#include <math.h>

// The part of a reading's noise that the fit leaves in its residual: 1 - leverage.
static double left_of(const lithe_estimator *e, int number)
{
    size_t rows = (size_t)e->nnumber + (size_t)e->nunknown;
    double leverage = 0;
    for (int k = 0; k < e->rank; k++) {
        double u = e->US[(size_t)k * rows + (size_t)number] / e->singular[k];
        leverage += u * u;
    }
    return fmax(1 - leverage, 0);
}

void estimate_judge(lithe_estimator *e, const double *change)
{
    int n = e->nunknown, rows = e->nnumber + n;
    for (int j = 0; j < n; j++) {
        double square = 0;
        for (int i = 0; i < rows; i++)
            square += e->J[i * n + j] * e->J[i * n + j];
        e->scale[j] = square > 0 ? sqrt(square) : 1;
        for (int i = 0; i < rows; i++)
            e->US[(size_t)j * (size_t)rows + (size_t)i] = e->J[i * n + j] / e->scale[j];
    }
    singular_decompose(rows, n, e->US, e->singular, e->V);
    e->rank = 0;
    while (e->rank < n && e->singular[e->rank] > ESTIMATE_UNSEEN * e->singular[0])
        e->rank++;
    for (int i = 0; i < e->nnumber; i++) {
        double left = left_of(e, i), off = e->e[i];
        for (int j = 0; j < n && change; j++)
            off += e->J[i * n + j] * change[j];
        e->number[i].off = left > ESTIMATE_JUDGED ? off / sqrt(left) : 0;
    }
}

// How large the others' differences are beyond their noise: where the model is wrong all readings
// are off, and none of them is an outlier for that. 1 or more.
static double excess_without(const lithe_estimator *e, int number)
{
    double sum = 0, left = 0;
    for (int i = 0; i < e->nnumber; i++)
        if (e->number[i].believed) {
            double share = left_of(e, i);
            sum += e->number[i].off * e->number[i].off * share;
            left += share;
        }
    double off = e->number[number].off;
    return left > 1.5 ? sqrt(fmax((sum - off * off) / (left - 1), 1)) : 1;
}

int estimate_find_outlier(const lithe_estimator *e)
{
    int worst = -1;
    for (int i = 0; i < e->nnumber; i++)
        if (e->number[i].believed &&
            (worst < 0 || fabs(e->number[i].off) > fabs(e->number[worst].off)))
            worst = i;
    bool beyond = worst >= 0 && fabs(e->number[worst].off) > e->outlier * excess_without(e, worst);
    return beyond ? worst : -1;
}

// C = g (J'J)^-1 g' of n rows; a row that moves with what is not seen has infinite variance.
// effort: of driven rows.
static void covariance(lithe_estimator *e, int first, int n, bool effort, double *C)
{
    int nu = e->nunknown;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            C[a * n + b] = 0;
    for (int k = 0; k < nu; k++)
        for (int a = 0; a < n; a++) {
            double along[2], *slope = e->part;
            for (int b = 0; b <= a; b++) {
                for (int side = 0; side < 2; side++) {
                    estimate_row(e, first + (side ? b : a), effort, slope);
                    along[side] = 0;
                    for (int j = 0; j < nu; j++)
                        along[side] += slope[j] / e->scale[j] * e->V[k * nu + j];
                }
                double share = along[0] * along[1];
                if (k < e->rank)
                    C[a * n + b] += share / (e->singular[k] * e->singular[k]);
                else if (a == b && share > 0)
                    C[a * n + b] = INFINITY;
                C[b * n + a] = C[a * n + b];
            }
        }
}

lithe_status lithe_covariance_effector(lithe_estimator *e, int effector, double *C)
{
    if (effector < 0 || effector >= e->m->neffector)
        return LITHE_FAIL(&e->s->report, LITHE_INVALID, "there is no effector %d; there are %d",
                          effector, e->m->neffector);
    const model_group *g = &e->m->effector[effector].group;
    covariance(e, g->adr, g->n, false, C);
    return LITHE_OK;
}

lithe_status lithe_covariance_actuator(lithe_estimator *e, int actuator, double *C)
{
    if (actuator < 0 || actuator >= e->m->nactuator)
        return LITHE_FAIL(&e->s->report, LITHE_INVALID, "there is no actuator %d; there are %d",
                          actuator, e->m->nactuator);
    const model_group *g = &e->m->actuator[actuator].group;
    covariance(e, g->adr, g->n, true, C);
    return LITHE_OK;
}
