// What is thought of the unknowns before anything is measured: each is about what its actuator is
// told, to within its spread, and stays as far from it as it was for as long as the memory lasts.
#include "control/estimate.h"

#include "base/status.h"
#include "step/state.h"

#include <math.h>
#include <string.h>

void prior_start(lithe_estimator *e)
{
    int n = e->nunknown;
    memset(e->prior, 0, (size_t)n * (size_t)n * sizeof *e->prior);
    for (int j = 0; j < n; j++) {
        estimate_unknown *u = &e->unknown[j];
        u->about = u->told;
        e->prior[j * n + j] = isfinite(u->spread) ? 1 / u->spread : 0;
    }
}

double prior_off(const lithe_estimator *e, const double *value, int j)
{
    double sum = 0;
    for (int k = 0; k <= j; k++) {
        double weight = e->prior[j * e->nunknown + k];
        sum += weight != 0 ? weight * (value[k] - e->unknown[k].about) : 0;
    }
    return sum;
}

// An entry of (J'J)^-1.
static double posterior(const lithe_estimator *e, int i, int j)
{
    int n = e->nunknown;
    double sum = 0;
    for (int k = 0; k < e->rank; k++)
        sum += e->V[k * n + i] * e->V[k * n + j] / (e->singular[k] * e->singular[k]);
    return sum / (e->scale[i] * e->scale[j]);
}

// P = keep^2 (J'J)^-1 + (1 - keep^2) spread^2 of the unknowns that have a spread; of the others,
// which remember nothing, the identity.
static void fill_covariance(lithe_estimator *e)
{
    int n = e->nunknown;
    double kept = e->keep * e->keep;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const estimate_unknown *a = &e->unknown[i], *b = &e->unknown[j];
            bool both = isfinite(a->spread) && isfinite(b->spread);
            double fresh = i == j ? (both ? (1 - kept) * a->spread * a->spread : 1) : 0;
            e->covariance[i * n + j] = (both ? kept * posterior(e, i, j) : 0) + fresh;
        }
}

// P = L L' in place; false: it is not positive definite.
static bool factor(int n, double *P)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = P[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= P[i * n + k] * P[j * n + k];
            if (i == j && !(sum > 0))
                return false;
            P[i * n + j] = i == j ? sqrt(sum) : sum / P[j * n + j];
        }
    return true;
}

// prior = L^-1, so that |prior (u - about)|^2 = (u - about)' P^-1 (u - about).
static void invert(lithe_estimator *e)
{
    int n = e->nunknown;
    const double *L = e->covariance;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double sum = i == j ? 1 : 0;
            for (int k = j; k < i; k++)
                sum -= L[i * n + k] * e->prior[k * n + j];
            e->prior[i * n + j] = i < j ? 0 : sum / L[i * n + i];
        }
    for (int j = 0; j < n; j++)
        if (!isfinite(e->unknown[j].spread))
            e->prior[j * n + j] = 0;
}

void prior_remember(lithe_estimator *e)
{
    if (e->keep == 0)
        return;
    fill_covariance(e);
    if (!factor(e->nunknown, e->covariance)) {
        prior_start(e);
        return;
    }
    invert(e);
    for (int j = 0; j < e->nunknown; j++) {
        estimate_unknown *u = &e->unknown[j];
        u->about = u->told + e->keep * (e->value[j] - u->told);
    }
}

lithe_status lithe_estimator_tell(lithe_estimator *e, int actuator, lithe_command_kind kind,
                                  const double *value)
{
    LITHE_TRY(lithe_command(e->m, e->s, actuator, kind, value));
    for (int j = 0; j < e->nunknown; j++) {
        estimate_unknown *u = &e->unknown[j];
        bool slider = e->m->row[u->row].kind == ROW_SLIDER;
        if (u->actuator != actuator)
            continue;
        if (slider != (kind == LITHE_DISPLACEMENT))
            return LITHE_FAIL(&e->s->report, LITHE_INVALID,
                              "actuator '%s': its effort is unknown, so it is told its effort, not "
                              "its displacement",
                              e->m->actuator[actuator].group.name);
        double change = e->s->value[u->row] - u->told;
        u->told += change;
        u->about += change;
        e->value[j] = fmin(fmax(e->value[j] + change, u->low), u->high);
    }
    return LITHE_OK;
}
