// What is wrong with a reduced model while it runs: the whole one takes Newton's steps from where
// the reduced one is, and the way of an effector is the error there.
// Where that is above the tolerance, the whole model may go on.
#include "reduce/supervise.h"
#include "base/status.h"
#include "base/vec.h"
#include "reduce/reduction.h"
#include "reduce/tolerances.h"
#include "step/contact_step.h"
#include "step/newton.h"
#include "step/phases.h"
#include "step/reuse.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

// Obstacles and pairs that a caller has moved or switched.
static void tell_contacts(const lithe_model *m, lithe_state *s, lithe_state *whole)
{
    size_t matches = (size_t)m->contact.world.nmatch;
    step_contact *to = &whole->contact;
    if (!m->contact.on)
        return;
    memcpy(to->next, s->contact.next, (size_t)m->contact.world.nshape * sizeof *to->next);
    memcpy(to->off, s->contact.off, matches * sizeof *to->off);
    memcpy(to->friction, s->contact.friction, matches * sizeof *to->friction);
    to->rubs = s->contact.rubs;
    to->fresh = to->fresh || s->contact.fresh;
    s->contact.fresh = false;
}

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
// the step has left. Until that second step is short and leads to its end too nothing is certain:
// between stiff parts the way is a narrow valley, where short steps to its floor come before long
// ones along it.
static double find_error(const lithe_model *w, lithe_state *whole, const double *delta)
{
    enum { PASSES = 40 };
    const double careful = 1.1, little = 0.1, least = 0.01, well = 0.3;
    double way = 0, last = INFINITY, first = whole->now.residual;
    bool kept = true, fell = false;
    for (int k = 0; k < PASSES; k++) {
        kept = whole->tangent.keep = !kept && fell;
        double before = whole->now.residual;
        if (newton_pass(w, whole) != LITHE_OK)
            return INFINITY;
        last = way_of_pass(w, whole);
        way = way_so_far(w, whole, delta);
        fell = whole->now.residual < well * before;
        bool settled = last <= least * way || (kept && fell && last <= little * way);
        if (k > 0 && settled && whole->now.residual <= ERROR_BALANCED * first)
            break;
    }
    return careful * way + last;
}

// The whole state as the reduced one is: nodes, rates, contacts.
static lithe_state *bring_whole(const lithe_model *m, lithe_state *s)
{
    const lithe_model *w = m->reduction->whole;
    lithe_state *whole = s->whole->state;
    s->whole->stale = true;
    state_seen(s);
    tell_whole(m, s, whole);
    memcpy(whole->setting, s->setting, (size_t)m->nsetting * sizeof *s->setting);
    contact_adopt(w, whole, m, s);
    whole->motion.time = s->motion.time;
    whole->motion.started = s->motion.started;
    whole->motion.damped = s->motion.damped;
    whole->motion.stride = s->motion.stride;
    whole->motion.strides = s->motion.strides;
    if (m->dynamics.scheme != LITHE_STATIC) {
        state_expand(m, s->motion.rate, whole->motion.rate);
        state_expand(m, s->motion.lagged, whole->motion.lagged);
    }
    return whole;
}

// Efforts as they are, which valves may not have brought to what they were told.
static void tell_efforts(const lithe_model *m, lithe_state *whole)
{
    whole->task.inverse = false;
    for (int r = 0; r < m->nact; r++)
        if (whole->command[r] == LITHE_EFFORT)
            whole->value[r] = whole->now.effort[r];
}

// Contacts that come and go are followed to the end.
static double find_error_in_contact(const lithe_model *w, lithe_state *whole, const double *delta)
{
    const double careful = 1.1;
    if (step_balance(w, whole) != LITHE_OK)
        return INFINITY;
    return careful * way_so_far(w, whole, delta);
}

lithe_status lithe_estimate_reduction(const lithe_model *m, lithe_state *s, double *error)
{
    *error = NAN;
    if (!m->reduction)
        return LITHE_INVALID;
    const lithe_model *w = m->reduction->whole;
    *error = 0;
    if (s->whole->full)
        return LITHE_OK;
    lithe_state *whole = bring_whole(m, s);
    tell_efforts(m, whole);
    if (m->dynamics.scheme != LITHE_STATIC)
        motion_hold(w, whole);
    reuse_begin(whole);
    step_aim(w, whole, STEP_FORWARD, 1, s->load);
    point_evaluate(w, whole, &whole->now);
    *error = m->contact.on ? find_error_in_contact(w, whole, s->now.delta)
                           : find_error(w, whole, s->now.delta);
    whole->motion.held = whole->tangent.keep = false;
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
    tell_contacts(m, s, whole);
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
    bool moving = step_is_moving(m);
    if (moving) // time has gone on: from the next step on
        state_refresh(r->whole, bring_whole(m, s));
    s->whole->full = true; // in statics this step too
    s->whole->stale = false;
    if (moving)
        return LITHE_OK;
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
