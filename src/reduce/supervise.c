// What is wrong with a reduced model while it runs: the whole one takes Newton's steps from where
// the reduced one is, and the way of an effector is the error there.
// Where that is above the tolerance, the whole model may go on.
#include "reduce/supervise.h"
#include "base/status.h"
#include "base/vec.h"
#include "reduce/reduction.h"
#include "reduce/tolerances.h"
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

// A way of effectors that are positions, row by row, or of nodes where there is none: its longest.
static double longest(const lithe_model *m, const double *rows, const double *nodes)
{
    double most = -1;
    for (int e = 0; e < m->neffector; e++) {
        const model_group *group = &m->effector[e].group;
        double sum = 0;
        for (int r = group->adr; r < group->adr + group->n; r++)
            sum += rows[r] * rows[r];
        if (m->row[group->adr].kind == ROW_MEAN)
            most = fmax(most, sqrt(sum));
    }
    double far = 0;
    for (int i = 0; i < m->nnode && most < 0; i++)
        far = fmax(far, vec_norm(&nodes[3 * i]));
    return fmax(most, far);
}

// How far the whole robot is from where the reduced one was.
static double way_so_far(const lithe_model *w, lithe_state *whole, const double *delta)
{
    for (int r = 0; r < w->nrow; r++)
        whole->pass.delta_free[r] = whole->now.delta[r] - delta[r];
    for (int i = 0; i < 3 * w->nnode; i++)
        whole->nodal[i] = whole->now.x[i] - whole->position[i];
    return longest(w, whole->pass.delta_free, whole->nodal);
}

static double way_of_pass(const lithe_model *w, lithe_state *whole)
{
    for (int r = 0; r < w->nrow; r++)
        whole->pass.delta_free[r] = point_row_rate(w, &whole->now, r, whole->pass.dx);
    return longest(w, whole->pass.delta_free, whole->pass.dx);
}

// Newton's steps of the whole model, until one is short beside what all have gone and little is
// left of the forces that are out of balance: stiff parts can have them, and move no effector
// before they are gone. Where a step leads to its end its factor serves once more, and tells what
// the step has left.
static double find_error(const lithe_model *w, lithe_state *whole, const double *delta)
{
    enum { PASSES = 40 };
    const double careful = 1.1, little = 0.1, well = 0.3;
    double way = 0, last = INFINITY, first = whole->now.residual, before = 0;
    bool kept = true;
    for (int k = 0; k < PASSES; k++) {
        kept = whole->tangent.keep = !kept && whole->now.residual < well * before;
        before = whole->now.residual;
        if (newton_pass(w, whole) != LITHE_OK)
            return INFINITY;
        last = way_of_pass(w, whole);
        way = way_so_far(w, whole, delta);
        if (k > 0 && last <= little * way && whole->now.residual <= ERROR_BALANCED * first)
            break;
    }
    return careful * way + last;
}

lithe_status lithe_estimate_reduction(const lithe_model *m, lithe_state *s, double *error)
{
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
    reuse_begin(whole);
    step_aim(w, whole, STEP_FORWARD, 1, s->load);
    point_evaluate(w, whole, &whole->now);
    *error = find_error(w, whole, s->now.delta);
    whole->tangent.keep = false;
    whole->report.error[0] = '\0';
    s->whole->stale = true; // it has gone on from the shape that is seen
    s->whole->error = *error;
    s->whole->age = 0;
    return LITHE_OK;
}

// What the whole model has found is what the reduced one shows, with the nearest shape it has.
static void adopt(const lithe_model *m, lithe_state *s, const lithe_state *whole)
{
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
