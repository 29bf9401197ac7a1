#include "control/calibrate_judge.h"

#include "base/status.h"
#include "control/quantile.h"
#include "control/singular.h"
#include "control/tolerances.h"

#include <math.h>
#include <string.h>

// A share of a vector's largest entry that is more than roundoff.
static const double PART = 0.01;
// What takes part in a combination that scatter hides moves at least so much of what moves most.
static const double MINOR = 0.05;
// Residuals that are so unlikely speak against the model or the standard deviations.
static const double UNLIKELY = 0.01;
static const double CONFIDENCE = 0.95;

static double square_sum(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

bool spectrum_create(const calibrate_problem *p, arena *memory, spectrum *s)
{
    size_t n = (size_t)p->nunknown, m = (size_t)p->ndatum;
    s->length = arena_new(memory, n, double);
    s->US = arena_new(memory, n * m, double);
    s->V = arena_new(memory, n * n, double);
    return s->length && s->US && s->V;
}

void spectrum_find(const calibrate_problem *p, calibrate_result *r, spectrum *s)
{
    int n = p->nunknown, m = p->ndatum;
    double floor = 10 * p->noise * sqrt(m) / CALIBRATE_DIFFERENCE;
    memcpy(s->US, r->jacobian, (size_t)n * (size_t)m * sizeof *s->US);
    for (int j = 0; j < n; j++) {
        double *column = s->US + (size_t)j * (size_t)m;
        double length = sqrt(square_sum(m, column));
        bool live = length > floor && r->at_bound[j] == 0;
        s->length[j] = live ? length : 1;
        for (int i = 0; i < m; i++)
            column[i] = live ? column[i] / length : 0;
    }
    singular_decompose(m, n, s->US, r->singular, s->V);
}

bool spectrum_seen(const calibrate_result *r, int k)
{
    return r->singular[k] > CALIBRATE_UNSEEN;
}

// How far unknown j moves, scaled, when the data are one residual unit off along direction k.
static double reach(const calibrate_result *r, const spectrum *s, int n, int j, int k)
{
    return fabs(s->V[(size_t)k * (size_t)n + (size_t)j]) / (r->singular[k] * s->length[j]);
}

// With known standard deviations, unless the residuals contradict them, the scatter is known; else
// it is told from the residuals, and Student's distribution allows for how few they are.
static void find_spread(const calibrate_problem *p, calibrate_result *r)
{
    double square = square_sum(p->ndatum, r->residual);
    r->dof = p->ndatum;
    for (int k = 0; k < p->nunknown; k++)
        r->dof -= spectrum_seen(r, k);
    bool some = r->dof > 0 && r->converged; // on the way, residuals are no scatter
    r->chance = p->weighted && some ? quantile_chi_square_tail(square, r->dof) : NAN;
    bool known = p->weighted && r->converged && !(r->chance < UNLIKELY);
    r->spread = known ? 1 : some ? fmax(sqrt(square / r->dof), p->noise) : NAN;
    double dof = known ? INFINITY : r->dof;
    r->quantile = known || some ? quantile_student(0.5 + 0.5 * CONFIDENCE, dof) : NAN;
}

static void find_interval(const calibrate_problem *p, const spectrum *s, calibrate_result *r, int j)
{
    const calibrate_unknown *u = &p->unknown[j];
    double square = 0, middle = calibrate_scaled(u, r->value[j]);
    for (int k = 0; k < p->nunknown; k++) {
        double one = spectrum_seen(r, k) ? reach(r, s, p->nunknown, j, k) : 0;
        square += one * one;
    }
    double half = r->quantile * r->spread * sqrt(square);
    bool none = r->open[j] || r->at_bound[j] || isnan(half);
    r->low[j] = none ? NAN : fmax(calibrate_value(u, middle - half), u->low);
    r->high[j] = none ? NAN : fmin(calibrate_value(u, middle + half), u->high);
}

// Which unknowns move along a direction without the data noticing; returns whether there are any.
static bool find_members(const calibrate_problem *p, const spectrum *s, calibrate_result *r, int k,
                         calibrate_blind *blind)
{
    int n = p->nunknown;
    double most = 0;
    bool any = false;
    blind->numerical = !spectrum_seen(r, k);
    for (int j = 0; j < n && !blind->numerical; j++)
        most = fmax(most, r->quantile * r->spread * reach(r, s, n, j, k));
    for (int j = 0; j < n; j++) {
        double part = fabs(s->V[(size_t)k * (size_t)n + (size_t)j]);
        double half = blind->numerical ? 0 : r->quantile * r->spread * reach(r, s, n, j, k);
        bool lost = blind->numerical ? part > PART && !r->at_bound[j] : half > 1;
        blind->member[j] = lost || (most > 1 && half > MINOR * most);
        r->open[j] |= lost;
        any |= lost;
    }
    return any;
}

static void find_change(const calibrate_problem *p, const spectrum *s, const calibrate_result *r,
                        int k, calibrate_blind *blind)
{
    size_t n = (size_t)p->nunknown, m = (size_t)p->ndatum;
    double largest = 0; // with its sign, so that it is a rise
    for (size_t j = 0; j < n; j++) {
        blind->change[j] = blind->member[j] ? s->V[(size_t)k * n + j] / s->length[j] : 0;
        if (fabs(blind->change[j]) > 1.0001 * fabs(largest))
            largest = blind->change[j];
    }
    for (size_t j = 0; j < n; j++) {
        blind->change[j] *= CALIBRATE_CHANGE / largest;
        for (size_t i = 0; i < m; i++)
            blind->effect[i] += r->jacobian[j * m + i] * blind->change[j];
    }
}

static void scale_and_add(size_t n, double *to, double by, const double *from)
{
    for (size_t j = 0; j < n; j++)
        to[j] += by * from[j];
}

// The largest entry of vectors k and after comes into vector k; returns its position.
static size_t bring_largest(size_t n, double *V, size_t k)
{
    size_t row = k, pivot = 0;
    for (size_t i = k * n; i < n * n; i++)
        if (fabs(V[i]) > 1.0001 * fabs(V[row * n + pivot])) {
            row = i / n;
            pivot = i % n;
        }
    for (size_t j = 0; j < n && row != k; j++) {
        double was = V[k * n + j];
        V[k * n + j] = V[row * n + j];
        V[row * n + j] = was;
    }
    return pivot;
}

// Vectors that span what nothing notices come in any mixture. Eliminating the largest entry of each
// from all others leaves combinations of as few unknowns as there are.
static void untangle(const calibrate_result *r, size_t n, double *V)
{
    size_t first = 0;
    while (first < n && spectrum_seen(r, (int)first))
        first++;
    for (size_t k = first; k < n; k++) {
        size_t pivot = bring_largest(n, V, k);
        scale_and_add(n, V + k * n, 1 / V[k * n + pivot] - 1, V + k * n);
        for (size_t i = first; i < n; i++)
            if (i != k)
                scale_and_add(n, V + i * n, -V[i * n + pivot], V + k * n);
    }
}

static bool blind_create(const calibrate_problem *p, arena *memory, calibrate_blind *blind)
{
    blind->change = arena_new(memory, p->nunknown, double);
    blind->member = arena_new(memory, p->nunknown, bool);
    blind->effect = arena_new(memory, p->ndatum, double);
    return blind->change && blind->member && blind->effect;
}

lithe_status calibrate_judge(const calibrate_problem *p, spectrum *s, arena *memory,
                             calibrate_result *r, lithe_report *report)
{
    find_spread(p, r);
    untangle(r, (size_t)p->nunknown, s->V);
    r->blind = arena_new(memory, p->nunknown, calibrate_blind);
    for (int k = p->nunknown - 1; k >= 0; k--) { // the blindest first
        calibrate_blind *blind = r->blind ? &r->blind[r->nblind] : NULL;
        if (!blind || !blind_create(p, memory, blind))
            return report_no_memory(report, "the search");
        if (!find_members(p, s, r, k, blind))
            continue;
        find_change(p, s, r, k, blind);
        r->nblind++;
    }
    for (int j = 0; j < p->nunknown; j++)
        find_interval(p, s, r, j);
    return LITHE_OK;
}
