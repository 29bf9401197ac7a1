#include "control/calibrate.h"

#include "base/status.h"
#include "control/calibrate_judge.h"
#include "control/tolerances.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATION = 60 };

// No logarithm moves further in one iteration: a factor of 4.5.
static const double MAX_MOVE = 1.5;

typedef struct search {
    const calibrate_problem *p;
    calibrate_result *r;
    double *scaled;    // (nunknown) the present point
    double *trial;     // (nunknown)
    double *step;      // (nunknown) scaled
    double *point;     // values (2 nunknown x nunknown)
    double *around;    // residuals at those (2 nunknown x ndatum)
    double *at_trial;  // residuals (ndatum)
    bool *exists;      // (2 nunknown)
    double *share;     // u_k' r (nunknown)
    spectrum spectrum; // of the Jacobian at the present point
    double damping, growth;
} search;

double calibrate_scaled(const calibrate_unknown *u, double value)
{
    return u->logarithmic ? log(value) : value / u->scale;
}

double calibrate_value(const calibrate_unknown *u, double scaled)
{
    return u->logarithmic ? exp(scaled) : scaled * u->scale;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double clip(const calibrate_unknown *u, double value)
{
    return fmin(fmax(value, u->low), u->high);
}

static void write_point(const search *s, const double *scaled, double *value)
{
    for (int j = 0; j < s->p->nunknown; j++)
        value[j] = clip(&s->p->unknown[j], calibrate_value(&s->p->unknown[j], scaled[j]));
}

static lithe_status evaluate(search *s, int npoint, const double *value, double *residual)
{
    s->r->nevaluation += npoint;
    return s->p->evaluate(s->p->user, npoint, value, residual, s->exists);
}

static bool create(search *s, arena *memory)
{
    size_t n = (size_t)s->p->nunknown, m = (size_t)s->p->ndatum;
    calibrate_result *r = s->r;
    r->value = arena_new(memory, n, double);
    r->low = arena_new(memory, n, double);
    r->high = arena_new(memory, n, double);
    r->open = arena_new(memory, n, bool);
    r->at_bound = arena_new(memory, n, int);
    r->residual = arena_new(memory, m, double);
    r->jacobian = arena_new(memory, n * m, double);
    r->singular = arena_new(memory, n, double);
    double *lists = arena_new(memory, 4 * n, double);
    s->point = arena_new(memory, 2 * n * n, double);
    s->around = arena_new(memory, 2 * n * m, double);
    s->at_trial = arena_new(memory, m, double);
    s->exists = arena_new(memory, 2 * n, bool);
    if (!r->value || !r->low || !r->high || !r->open || !r->at_bound || !r->residual ||
        !r->jacobian || !r->singular || !lists || !s->point || !s->around || !s->at_trial ||
        !s->exists || !spectrum_create(s->p, memory, &s->spectrum))
        return false;
    s->scaled = lists;
    s->trial = lists + n;
    s->step = lists + 2 * n;
    s->share = lists + 3 * n;
    return true;
}

// The two points of unknown j's difference, drawn in to its bounds.
static void set_pair(search *s, int j)
{
    const calibrate_unknown *u = &s->p->unknown[j];
    size_t n = (size_t)s->p->nunknown;
    for (int side = 0; side < 2; side++) {
        double *point = s->point + (2 * (size_t)j + (size_t)side) * n;
        memcpy(point, s->r->value, n * sizeof *point);
        point[j] = clip(u, calibrate_value(u, s->scaled[j] + (side ? CALIBRATE_DIFFERENCE
                                                                   : -CALIBRATE_DIFFERENCE)));
    }
}

// A side without an answer is replaced by the middle.
static bool difference(search *s, int j)
{
    const calibrate_unknown *u = &s->p->unknown[j];
    size_t m = (size_t)s->p->ndatum, n = (size_t)s->p->nunknown, k = 2 * (size_t)j;
    const double *residual[2];
    double at[2];
    for (size_t side = 0; side < 2; side++) {
        bool exists = s->exists[k + side];
        residual[side] = exists ? s->around + (k + side) * m : s->r->residual;
        at[side] =
            calibrate_scaled(u, exists ? s->point[(k + side) * n + (size_t)j] : s->r->value[j]);
    }
    double *column = s->r->jacobian + (size_t)j * m;
    for (size_t i = 0; i < m; i++)
        column[i] = (residual[1][i] - residual[0][i]) / (at[1] - at[0]);
    return at[1] > at[0];
}

static lithe_status find_jacobian(search *s, lithe_report *report)
{
    int n = s->p->nunknown;
    for (int j = 0; j < n; j++)
        set_pair(s, j);
    LITHE_TRY(evaluate(s, 2 * n, s->point, s->around));
    for (int j = 0; j < n; j++)
        if (!difference(s, j))
            return LITHE_FAIL(report, LITHE_NOT_CONVERGED,
                              "the model has no answer on either side of a point on the way");
    return LITHE_OK;
}

// Unknowns at a bound that the sum of squares pushes beyond it are held there.
static void find_held(search *s)
{
    calibrate_result *r = s->r;
    int m = s->p->ndatum;
    for (int j = 0; j < s->p->nunknown; j++) {
        const calibrate_unknown *u = &s->p->unknown[j];
        double slope = dot(m, r->jacobian + (size_t)j * (size_t)m, r->residual);
        bool at_low = r->value[j] <= u->low, at_high = r->value[j] >= u->high;
        r->at_bound[j] = at_low && slope > 0 ? -1 : at_high && slope < 0 ? 1 : 0;
    }
}

static void decompose(search *s)
{
    int m = s->p->ndatum;
    spectrum_find(s->p, s->r, &s->spectrum);
    for (int k = 0; k < s->p->nunknown; k++) {
        const double *us = s->spectrum.US + (size_t)k * (size_t)m;
        bool seen = spectrum_seen(s->r, k);
        s->share[k] = seen ? dot(m, us, s->r->residual) / s->r->singular[k] : 0;
    }
}

// step = -V (S^2 + damping)^-1 S U' r, in columns of length 1. Returns how much r'r falls by it if
// the model is linear.
static double find_step(search *s, double damping)
{
    int n = s->p->nunknown;
    double fall = 0;
    memset(s->step, 0, (size_t)n * sizeof *s->step);
    for (int k = 0; k < n; k++) {
        double value = s->r->singular[k], part = value / (value * value + damping);
        double left = damping / (value * value + damping);
        if (!spectrum_seen(s->r, k))
            continue;
        fall += s->share[k] * s->share[k] * (1 - left * left);
        for (int j = 0; j < n; j++)
            s->step[j] -= s->spectrum.V[(size_t)k * (size_t)n + (size_t)j] * part * s->share[k];
    }
    for (int j = 0; j < n; j++)
        s->step[j] /= s->spectrum.length[j];
    return fall;
}

static double largest_step(const search *s, bool logarithmic_only)
{
    double largest = 0;
    for (int j = 0; j < s->p->nunknown; j++)
        if (!logarithmic_only || s->p->unknown[j].logarithmic)
            largest = fmax(largest, fabs(s->step[j]));
    return largest;
}

static bool is_optimum(search *s)
{
    int m = s->p->ndatum;
    double square = dot(m, s->r->residual, s->r->residual);
    double fall = find_step(s, 0);
    return square <= m * s->p->noise * s->p->noise ||
           fall <= CALIBRATE_SMALL_SHARE * CALIBRATE_SMALL_SHARE * square / m ||
           largest_step(s, false) < CALIBRATE_SMALL_CHANGE;
}

// Nothing smaller was found, though Gauss-Newton still sees a way: is it one that matters?
static bool is_rest(search *s)
{
    int m = s->p->ndatum;
    double square = dot(m, s->r->residual, s->r->residual);
    double noise = 10 * s->p->noise;
    return find_step(s, 0) <=
           fmax(CALIBRATE_REST_SHARE * CALIBRATE_REST_SHARE * square / m, m * noise * noise);
}

static void set_trial(search *s)
{
    double largest = largest_step(s, true), shrink = largest > MAX_MOVE ? MAX_MOVE / largest : 1;
    for (int j = 0; j < s->p->nunknown; j++) {
        const calibrate_unknown *u = &s->p->unknown[j];
        double value = clip(u, calibrate_value(u, s->scaled[j] + shrink * s->step[j]));
        s->trial[j] = calibrate_scaled(u, value);
    }
}

// Nielsen's rule: how well the linear model foretold the fall steers the damping.
static void relax(search *s, double gain)
{
    double forecast = 2 * gain - 1;
    s->damping *= fmax(1.0 / 3, 1 - forecast * forecast * forecast);
    s->growth = 2;
}

static void tighten(search *s)
{
    s->damping *= s->growth;
    s->growth *= 2;
}

// Tries shorter and shorter steps until one makes the residuals smaller. *moved stays false when
// none does.
static lithe_status move(search *s, bool *moved)
{
    int m = s->p->ndatum;
    double square = dot(m, s->r->residual, s->r->residual);
    *moved = false;
    while (!*moved && s->damping < CALIBRATE_LAST_DAMPING) {
        double fall = find_step(s, s->damping);
        if (largest_step(s, false) < CALIBRATE_SMALL_CHANGE)
            break;
        set_trial(s);
        write_point(s, s->trial, s->point);
        LITHE_TRY(evaluate(s, 1, s->point, s->at_trial));
        double now = dot(m, s->at_trial, s->at_trial);
        *moved = s->exists[0] && now < square;
        if (*moved)
            relax(s, fmin((square - now) / fall, 1));
        else
            tighten(s);
    }
    return LITHE_OK;
}

static void accept(search *s)
{
    size_t n = (size_t)s->p->nunknown, m = (size_t)s->p->ndatum;
    memcpy(s->scaled, s->trial, n * sizeof *s->scaled);
    memcpy(s->r->value, s->point, n * sizeof *s->point);
    memcpy(s->r->residual, s->at_trial, m * sizeof *s->at_trial);
}

static lithe_status begin(search *s, lithe_report *report)
{
    for (int j = 0; j < s->p->nunknown; j++) {
        s->r->value[j] = clip(&s->p->unknown[j], s->p->unknown[j].start);
        s->scaled[j] = calibrate_scaled(&s->p->unknown[j], s->r->value[j]);
    }
    s->damping = CALIBRATE_FIRST_DAMPING;
    s->growth = 2;
    LITHE_TRY(evaluate(s, 1, s->r->value, s->r->residual));
    if (!s->exists[0])
        return LITHE_FAIL(report, LITHE_NOT_CONVERGED, "the model has no answer at the start");
    return LITHE_OK;
}

// Ends with the Jacobian of the last point.
static lithe_status descend(search *s, lithe_report *report)
{
    bool moved = true;
    for (;;) {
        LITHE_TRY(find_jacobian(s, report));
        find_held(s);
        decompose(s);
        s->r->converged = is_optimum(s);
        if (s->r->converged || s->r->iteration == MAX_ITERATION)
            return LITHE_OK;
        LITHE_TRY(move(s, &moved));
        if (!moved) {
            s->r->converged = is_rest(s);
            return LITHE_OK;
        }
        accept(s);
        s->r->iteration++;
    }
}

lithe_status calibrate_solve(const calibrate_problem *problem, arena *memory,
                             calibrate_result *result, lithe_report *report)
{
    *result = (calibrate_result){0};
    search s = {.p = problem, .r = result};
    if (!create(&s, memory))
        return report_no_memory(report, "the search");
    LITHE_TRY(begin(&s, report));
    LITHE_TRY(descend(&s, report));
    return calibrate_judge(problem, &s.spectrum, memory, result, report);
}
