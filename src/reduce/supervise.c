// What is wrong with a reduced model while it runs: the Newton step that the whole one would take
// from where the reduced one is. Its length at an effector is the error there, to first order.
// Where that is above the tolerance, the whole model may go on.
#include "reduce/supervise.h"
#include "base/status.h"
#include "base/vec.h"
#include "reduce/reduction.h"
#include "step/newton.h"
#include "step/phases.h"
#include "step/reuse.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

// What the whole model is told: all that a caller may have changed.
static void tell_whole(const lithe_model *m, const lithe_state *s, lithe_state *whole)
{
    size_t n = (size_t)m->nact, rows = (size_t)m->nrow;
    memcpy(whole->command, s->command, n * sizeof *s->command);
    memcpy(whole->value, s->value, n * sizeof *s->value);
    memcpy(whole->limit, s->limit, n * sizeof *s->limit);
    memcpy(whole->weight, s->weight, (size_t)m->neffector * sizeof *s->weight);
    memcpy(whole->setting_wanted, s->setting_wanted, (size_t)m->nsetting * sizeof *s->setting);
    memcpy(whole->task.wanted, s->task.wanted, rows * sizeof *s->task.wanted);
    memcpy(whole->task.kept, s->task.kept, rows * sizeof *s->task.kept);
    memcpy(whole->task.target, s->task.target, rows * sizeof *s->task.target);
    whole->task.inverse = s->task.inverse;
    whole->tolerance = s->tolerance;
    whole->stop = s->stop;
    whole->stop_user = s->stop_user;
}

// The longest way of an effector that is a position; where there is none, of a node.
static double longest_way(const lithe_model *m, const lithe_state *s)
{
    double longest = -1;
    for (int e = 0; e < m->neffector; e++) {
        const model_group *group = &m->effector[e].group;
        double sum = 0;
        for (int r = group->adr; r < group->adr + group->n; r++) {
            double rate = point_row_rate(m, &s->now, r, s->pass.dx);
            sum += rate * rate;
        }
        if (m->row[group->adr].kind == ROW_MEAN)
            longest = fmax(longest, sqrt(sum));
    }
    for (int i = 0; i < m->nnode && longest < 0; i++)
        longest = fmax(longest, vec_norm(&s->pass.dx[3 * i]));
    return longest;
}

lithe_status lithe_estimate_reduction(const lithe_model *m, lithe_state *s, double *error)
{
    const double careful = 1.25; // the step is of first order
    *error = NAN;
    if (!m->reduction || m->dynamics.scheme != LITHE_STATIC || m->contact.on)
        return LITHE_INVALID;
    state_seen(s);
    const lithe_model *w = m->reduction->whole;
    lithe_state *whole = s->whole->state;
    if (s->whole->full) {
        *error = 0;
        return LITHE_OK;
    }
    tell_whole(m, s, whole);
    memcpy(whole->setting, s->setting, (size_t)m->nsetting * sizeof *s->setting);
    step_aim(w, whole, STEP_FORWARD, 1, s->load);
    point_evaluate(w, whole, &whole->now);
    whole->tangent.keep = false;
    bool well = step_pass(w, whole, STEP_FORWARD) == LITHE_OK;
    *error = well ? careful * longest_way(w, whole) : INFINITY;
    memcpy(whole->now.delta, s->now.delta, (size_t)m->nrow * sizeof *s->now.delta);
    whole->report.error[0] = '\0';
    s->whole->error = *error;
    s->whole->age = 0;
    return LITHE_OK;
}

// What the whole model has found is what the reduced one shows, with the nearest shape it has.
static void adopt(const lithe_model *m, lithe_state *s, const lithe_state *whole)
{
    const lithe_model *w = m->reduction->whole;
    double *way = s->whole->state->trial.x; // scratch between steps
    for (int i = 0; i < 3 * w->nnode; i++)
        way[i] = whole->now.x[i] - w->X[i];
    if (m->reduction->Phi) {
        state_project(m, way, s->now.q);
        step_positions(m, &s->now);
    } else
        state_go_near(m, s, whole->now.x);
    memcpy(s->now.effort, whole->now.effort, (size_t)m->nact * sizeof *s->now.effort);
    memcpy(s->now.delta, whole->now.delta, (size_t)m->nrow * sizeof *s->now.delta);
    memcpy(s->value, whole->value, (size_t)m->nact * sizeof *s->value);
    memcpy(s->setting, whole->setting, (size_t)m->nsetting * sizeof *s->setting);
    memcpy(s->task.multiplier, whole->task.multiplier, 2 * (size_t)m->nact * sizeof(double));
    s->task.predicted = whole->task.predicted;
    s->now.energy = whole->now.energy;
    s->load = whole->load;
    s->last = whole->last;
    s->time = whole->time;
    s->motion.clock = whole->motion.clock;
    memcpy(s->report.error, whole->report.error, sizeof s->report.error);
    state_publish(s);
    s->whole->stale = false;
}

static lithe_status step_whole(const lithe_model *m, lithe_state *s)
{
    lithe_state *whole = s->whole->state;
    tell_whole(m, s, whole);
    lithe_status status = step_alone(m->reduction->whole, whole);
    adopt(m, s, whole);
    return status;
}

lithe_status reduction_step(const lithe_model *m, lithe_state *s)
{
    const model_reduction *r = m->reduction;
    double error;
    if (s->whole->full)
        return step_whole(m, s);
    double clock = s->motion.clock;
    LITHE_TRY(step_alone(m, s));
    s->whole->age++;
    if (r->every <= 0 || ++s->whole->count % r->every != 0)
        return LITHE_OK;
    LITHE_TRY(lithe_estimate_reduction(m, s, &error));
    if (!r->beyond_full || error <= r->tolerance)
        return LITHE_OK;
    s->whole->full = true; // this step too
    s->whole->state->motion.clock = clock;
    return step_whole(m, s);
}

lithe_reduction_error lithe_last_reduction(const lithe_state *s)
{
    lithe_reduction_error none = {.estimate = NAN};
    if (!s->whole)
        return none;
    return (lithe_reduction_error){s->whole->error, s->whole->age, s->whole->full};
}
