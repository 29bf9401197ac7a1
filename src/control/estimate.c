#include "control/estimate.h"

#include "base/defaults.h"
#include "base/memory.h"
#include "base/status.h"
#include "control/quantile.h"
#include "control/task.h"
#include "control/tolerances.h"
#include "step/state.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATION = 40, MAX_HALVING = 12 };

// What a row's effort is outside, by what it is inside: a modulus is told in Pa.
static double outward_slope(const row *r, double inside)
{
    return r->kind == ROW_MODULUS ? row_outward(r, inside) : 1;
}

void estimate_row(const lithe_estimator *e, int row_id, bool effort, double *slope)
{
    const lithe_model *m = e->m;
    for (int j = 0; j < e->nunknown; j++) {
        int column = e->unknown[j].row;
        bool told = effort && (e->s->command[row_id] == LITHE_EFFORT || row_id == column);
        slope[j] = told ? (row_id == column ? outward_slope(&m->row[row_id], e->value[j]) : 0)
                        : e->S[(size_t)row_id * (size_t)m->nact + (size_t)column];
    }
}

static double value_of(const lithe_estimator *e, const estimate_number *n)
{
    return n->effort ? row_outward(&e->m->row[n->row], e->s->now.effort[n->row])
                     : e->s->now.delta[n->row];
}

// J and e of the least squares at the present shape.
static void linearize(lithe_estimator *e)
{
    for (int i = 0; i < e->nnumber; i++) {
        const estimate_number *n = &e->number[i];
        double *line = e->J + (size_t)i * (size_t)e->nunknown;
        e->weight[i] = n->believed;
        e->e[i] = n->believed ? (value_of(e, n) - e->reading[i]) / n->noise : 0;
        estimate_row(e, n->row, n->effort, line);
        for (int j = 0; j < e->nunknown; j++)
            line[j] = n->believed ? line[j] / n->noise : 0;
    }
    for (int j = 0; j < e->nunknown; j++) {
        const estimate_unknown *u = &e->unknown[j];
        int i = e->nnumber + j;
        size_t n = (size_t)e->nunknown;
        memcpy(e->J + (size_t)i * n, e->prior + (size_t)j * n, n * sizeof *e->J);
        e->weight[i] = isfinite(u->spread);
        e->e[i] = prior_off(e, e->value, j);
    }
}

static double cost_at(const lithe_estimator *e, const double *value)
{
    double sum = 0;
    for (int i = 0; i < e->nnumber; i++) {
        const estimate_number *n = &e->number[i];
        double off = n->believed ? (value_of(e, n) - e->reading[i]) / n->noise : 0;
        sum += off * off;
    }
    for (int j = 0; j < e->nunknown; j++) {
        double off = prior_off(e, value, j);
        sum += off * off;
    }
    return sum;
}

// Tells the model the unknowns' values and brings it there.
static lithe_status pose(lithe_estimator *e, const double *value)
{
    for (int j = 0; j < e->nunknown; j++) {
        int r = e->unknown[j].row;
        e->s->command[r] = e->m->row[r].kind == ROW_SLIDER ? LITHE_DISPLACEMENT : LITHE_EFFORT;
        e->s->value[r] = value[j];
    }
    return lithe_step(e->m, e->s);
}

// The change of all unknowns that the linear model asks for, within limits; among equals the
// smallest. *moves: by how much of their noise it moves readings, at most.
static lithe_status find_change(lithe_estimator *e, const double **change, double *moves)
{
    int n = e->nunknown, rows = e->nnumber + n;
    hierarchy_solution found;
    hierarchy_level level = {.nrow = rows, .J = e->J, .e = e->e, .weight = e->weight};
    for (int j = 0; j < n; j++) {
        double length = 0;
        for (int i = 0; i < rows; i++)
            length += e->J[i * n + j] * e->J[i * n + j];
        e->R[j * n + j] = length > 0 ? length : 1;
        e->lo[j] = e->unknown[j].low - e->value[j];
        e->hi[j] = e->unknown[j].high - e->value[j];
    }
    hierarchy_problem p = {
        .n = n, .nlevel = 1, .level = &level, .lo = e->lo, .hi = e->hi, .R = e->R};
    if (hierarchy_solve(e->work, &p, &found) != QP_SOLVED)
        return LITHE_FAIL(&e->s->report, LITHE_NOT_CONVERGED,
                          "the readings give no equation that can be solved: %s",
                          qp_status_text(found.status));
    *change = found.x;
    *moves = 0;
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += e->J[i * n + j] * found.x[j];
        *moves = fmax(*moves, fabs(sum));
    }
    return LITHE_OK;
}

// Takes as much of the change as makes the sum smaller. *moved: false, if none of it does.
static lithe_status move(lithe_estimator *e, const double *change, double before, bool *moved)
{
    double share = 1;
    *moved = false;
    for (int k = 0; k < MAX_HALVING && !*moved; k++, share /= 2) {
        for (int j = 0; j < e->nunknown; j++)
            e->trial[j] =
                fmin(fmax(e->value[j] + share * change[j], e->unknown[j].low), e->unknown[j].high);
        lithe_status status = pose(e, e->trial);
        if (status != LITHE_OK && status != LITHE_NOT_CONVERGED)
            return status;
        *moved = status == LITHE_OK &&
                 cost_at(e, e->trial) <= before + ESTIMATE_SAME_COST * before + CONTROL_ROUNDING;
    }
    if (*moved)
        memcpy(e->value, e->trial, (size_t)e->nunknown * sizeof *e->value);
    else
        return pose(e, e->value);
    return LITHE_OK;
}

// The number that fits worst is left out, if the others suffice.
static bool leave_out(lithe_estimator *e, const double *change, lithe_fit *fit)
{
    estimate_judge(e, change);
    int worst = estimate_find_outlier(e);
    if (worst < 0 || fit->nused <= e->nunknown)
        return false;
    e->number[worst].believed = false;
    fit->nused--;
    fit->noutlier++;
    return true;
}

static lithe_status descend(lithe_estimator *e, lithe_fit *fit)
{
    fit->converged = false;
    for (int k = 0; k < MAX_ITERATION && !fit->converged; k++) {
        const double *change = e->value; // written by find_change
        double moves = 0;
        bool moved;
        LITHE_TRY(lithe_sensitivity(e->m, e->s, e->S));
        linearize(e);
        LITHE_TRY(find_change(e, &change, &moves));
        LITHE_TRY(move(e, change, cost_at(e, e->value), &moved));
        fit->iteration++;
        fit->converged = moves <= ESTIMATE_SMALL || (!moved && moves <= ESTIMATE_STUCK);
        if (!moved)
            break;
    }
    // what is judged is the shape that is there
    LITHE_TRY(lithe_sensitivity(e->m, e->s, e->S));
    linearize(e);
    return LITHE_OK;
}

// An equilibrium for every trial, to the end.
static lithe_status estimate_converged(lithe_estimator *e, lithe_fit *fit)
{
    LITHE_TRY(pose(e, e->value));
    do
        LITHE_TRY(descend(e, fit));
    while (leave_out(e, NULL, fit));
    return LITHE_OK;
}

// So many steps as the mode has, one factor each. The shape is behind the readings while they move,
// so readings are judged by where the linear model says that it goes.
static lithe_status estimate_following(lithe_estimator *e, lithe_fit *fit)
{
    if (e->s->load < 1)
        LITHE_TRY(pose(e, e->value)); // the first step brings the loads
    for (int k = 0; k < e->m->step.iterations; k++) {
        const double *change = e->value; // written by find_change
        double moves = 0;
        LITHE_TRY(lithe_sensitivity(e->m, e->s, e->S));
        do {
            linearize(e);
            LITHE_TRY(find_change(e, &change, &moves));
        } while (leave_out(e, change, fit));
        for (int j = 0; j < e->nunknown; j++)
            e->value[j] =
                fmin(fmax(e->value[j] + change[j], e->unknown[j].low), e->unknown[j].high);
        LITHE_TRY(pose(e, e->value));
        fit->iteration++;
    }
    return LITHE_OK;
}

static void take_readings(lithe_estimator *e, const double *reading, lithe_fit *fit)
{
    for (int i = 0; i < e->nnumber; i++) {
        e->reading[i] = reading[i];
        e->number[i].believed = isfinite(reading[i]);
        fit->nused += e->number[i].believed;
    }
}

static void tell(const lithe_estimator *e, lithe_fit *fit)
{
    int nprior = 0;
    for (int j = 0; j < e->nunknown; j++)
        nprior += isfinite(e->unknown[j].spread);
    fit->cost = cost_at(e, e->value);
    fit->nunknown = e->nunknown;
    fit->rank = e->rank;
    int dof = fit->nused + nprior - e->rank;
    fit->chance = dof > 0 ? quantile_chi_square_tail(fit->cost, dof) : NAN;
}

lithe_status lithe_estimate(lithe_estimator *e, const double *reading, lithe_fit *out)
{
    lithe_fit fit = {0};
    lithe_forget_targets(e->m, e->s);
    take_readings(e, reading, &fit);
    LITHE_TRY(e->m->step.mode == LITHE_CONVERGED ? estimate_converged(e, &fit)
                                                 : estimate_following(e, &fit));
    tell(e, &fit);
    if (out)
        *out = fit;
    if (fit.converged || e->m->step.mode != LITHE_CONVERGED) {
        prior_remember(e);
        return LITHE_OK;
    }
    return LITHE_FAIL(
        &e->s->report, LITHE_NOT_CONVERGED,
        "no shape fits the readings: after %d iterations the sum of squares is %.3g of "
        "%d readings; is a reading wrong, or its noise too small?",
        fit.iteration, fit.cost, fit.nused);
}

static lithe_status add_reading(lithe_estimator *e, const lithe_reading_def *d,
                                lithe_report *report)
{
    const lithe_model *m = e->m;
    int sensor = lithe_find_sensor(m, d->name), effector = lithe_find_effector(m, d->name);
    bool effort_sensor = sensor >= 0 && m->sensor[sensor].group.n == 0;
    const model_group *group = effort_sensor   ? &m->actuator[m->sensor[sensor].actuator].group
                               : sensor >= 0   ? &m->sensor[sensor].group
                               : effector >= 0 ? &m->effector[effector].group
                                               : NULL;
    if (!group)
        return LITHE_FAIL(report, LITHE_INVALID, "%s%sthere is no sensor or effector '%s' to read",
                          d->location ? d->location : "", d->location ? ": " : "", d->name);
    if (!(d->noise > 0 && isfinite(d->noise)))
        return LITHE_FAIL(report, LITHE_INVALID, "%s%sthe noise of '%s' must be above 0",
                          d->location ? d->location : "", d->location ? ": " : "", d->name);
    for (int i = 0; i < group->n; i++)
        e->number[e->nnumber++] =
            (estimate_number){.name = effort_sensor ? m->sensor[sensor].group.name : group->name,
                              .row = group->adr + i,
                              .effort = effort_sensor,
                              .noise = d->noise};
    return LITHE_OK;
}

// NULL: not named.
static const lithe_unknown_def *find_unknown(const lithe_estimate_def *d, const char *name)
{
    for (int i = 0; i < d->nunknown; i++)
        if (strcmp(d->unknown[i].actuator, name) == 0)
            return &d->unknown[i];
    return NULL;
}

// Efforts that nobody knows: those that are commanded as efforts, and those that are named.
static void add_unknowns(lithe_estimator *e, const lithe_estimate_def *d)
{
    const lithe_model *m = e->m;
    for (int a = 0; a < m->nactuator; a++) {
        const model_actuator *actuator = &m->actuator[a];
        const lithe_unknown_def *named = find_unknown(d, actuator->group.name);
        bool effort =
            m->row[actuator->group.adr].command == LITHE_EFFORT && lithe_actuator_is_free(m, a);
        for (int i = 0; i < actuator->group.n && (named || effort); i++) {
            const row *r = &m->row[actuator->group.adr + i];
            bool slider = r->kind == ROW_SLIDER;
            const double *limit = slider ? r->limit.displacement : r->limit.effort;
            e->unknown[e->nunknown] = (estimate_unknown){.actuator = a,
                                                         .row = actuator->group.adr + i,
                                                         .spread = named ? named->spread : INFINITY,
                                                         .low = limit[0],
                                                         .high = limit[1]};
            bool told = slider == (r->command == LITHE_DISPLACEMENT);
            double start = told ? r->value : 0;
            e->unknown[e->nunknown].told = start;
            e->value[e->nunknown++] = fmin(fmax(start, limit[0]), limit[1]);
        }
    }
}

static int count_numbers(const lithe_model *m, const lithe_estimate_def *d)
{
    int n = 0;
    for (int i = 0; i < d->nreading; i++) {
        int sensor = lithe_find_sensor(m, d->reading[i].name);
        int effector = lithe_find_effector(m, d->reading[i].name);
        n += sensor >= 0     ? lithe_sensor_rows(m, sensor)
             : effector >= 0 ? lithe_effector_rows(m, effector)
                             : 0;
    }
    return n;
}

static bool allocate(lithe_estimator *e, size_t n, size_t u)
{
    arena *a = &e->memory;
    size_t rows = n + u;
    e->number = arena_new(a, n, estimate_number);
    e->unknown = arena_new(a, u, estimate_unknown);
    double **list[] = {&e->reading, &e->value, &e->trial, &e->J,     &e->e,         &e->weight,
                       &e->R,       &e->lo,    &e->hi,    &e->US,    &e->singular,  &e->V,
                       &e->scale,   &e->part,  &e->S,     &e->prior, &e->covariance};
    size_t size[] = {n,     u,     u, rows * u, rows,
                     rows,  u * u, u, u,        rows * u,
                     u,     u * u, u, 3 * u,    (size_t)e->m->nrow * (size_t)e->m->nact,
                     u * u, u * u};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (!(*list[k] = arena_new(a, size[k], double)))
            return false;
    e->work = hierarchy_create(a, (int)u, 0, 1, (int)rows);
    return e->number && e->unknown && e->work;
}

static lithe_status fill(lithe_estimator *e, const lithe_estimate_def *d, lithe_report *report)
{
    for (int i = 0; i < d->nunknown; i++)
        if (lithe_find_actuator(e->m, d->unknown[i].actuator) < 0 || !(d->unknown[i].spread > 0))
            return LITHE_FAIL(report, LITHE_INVALID,
                              "%s%sthere is no actuator '%s', or its spread is not above 0",
                              d->unknown[i].location ? d->unknown[i].location : "",
                              d->unknown[i].location ? ": " : "", d->unknown[i].actuator);
    for (int i = 0; i < d->nreading; i++)
        LITHE_TRY(add_reading(e, &d->reading[i], report));
    add_unknowns(e, d);
    e->outlier = d->outlier;
    e->keep = d->memory > 0 ? exp(-1 / d->memory) : 0;
    prior_start(e);
    if (!(d->memory >= 0))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s%smemory is a number of steps, 0 or more, not %g",
                          d->location ? d->location : "", d->location ? ": " : "", d->memory);
    if (e->nunknown == 0 || e->nnumber == 0)
        return LITHE_FAIL(report, LITHE_INVALID, "%s%snothing is %s; name some under %s",
                          d->location ? d->location : "", d->location ? ": " : "",
                          e->nnumber ? "unknown" : "read", e->nnumber ? "unknowns" : "readings");
    return LITHE_OK;
}

lithe_status lithe_estimator_create(const lithe_model *m, const lithe_estimate_def *told,
                                    int threads, lithe_estimator **out, lithe_report *report)
{
    lithe_estimate_def own, *def = &own;
    *out = NULL;
    LITHE_TRY(def_take(LITHE_DEF_ESTIMATE, told, &own, report));
    lithe_estimator *e = memory_alloc(sizeof *e);
    if (!e)
        return report_no_memory(report, "the estimator");
    *e = (lithe_estimator){.m = m};
    lithe_status status = LITHE_OK;
    if (!allocate(e, (size_t)count_numbers(m, def), (size_t)m->nact))
        status = report_no_memory(report, "the estimator");
    if (status == LITHE_OK)
        status = fill(e, def, report);
    if (status == LITHE_OK)
        status = lithe_state_create(m, threads, &e->s, report);
    if (status != LITHE_OK) {
        lithe_estimator_free(e);
        return status;
    }
    *out = e;
    return LITHE_OK;
}

void lithe_estimator_free(lithe_estimator *e)
{
    if (!e)
        return;
    lithe_state_free(e->s);
    arena_free(&e->memory);
    memory_free(e);
}

lithe_state *lithe_estimator_state(lithe_estimator *e)
{
    return e->s;
}

int lithe_estimator_nnumber(const lithe_estimator *e)
{
    return e->nnumber;
}

const char *lithe_estimator_name(const lithe_estimator *e, int number)
{
    return number >= 0 && number < e->nnumber ? e->number[number].name : NULL;
}

bool lithe_estimator_believed(const lithe_estimator *e, int number)
{
    return number >= 0 && number < e->nnumber && e->number[number].believed;
}

double lithe_estimator_off(const lithe_estimator *e, int number)
{
    return number >= 0 && number < e->nnumber ? e->number[number].off : NAN;
}
