// One step: from where the robot is to where loads and commands want it.
#include "step/step.h"
#include "step/async.h"
#include "step/contact_step.h"
#include "step/inverse.h"
#include "step/newton.h"
#include "step/phases.h"
#include "step/reuse.h"

#include <string.h>

void step_save(const lithe_model *m, lithe_state *s)
{
    contact_save(m, s);
    memcpy(s->setting_saved, s->setting, (size_t)m->nsetting * sizeof *s->setting_saved);
    memcpy(s->saved.q, s->now.q, (size_t)m->nq * sizeof *s->now.q);
    memcpy(s->saved.x, s->now.x, 3 * (size_t)m->nnode * sizeof *s->now.x);
    memcpy(s->saved.effort, s->now.effort, (size_t)m->nact * sizeof *s->now.effort);
    memcpy(s->saved.delta, s->now.delta, (size_t)m->nrow * sizeof *s->now.delta);
    for (int r = 0; r < m->nact && m->njoint > 0; r++)
        s->axes.angle[r] = s->now.delta[r] - s->axes.give[r] * s->now.effort[r];
}

void step_restore(const lithe_model *m, lithe_state *s)
{
    memcpy(s->setting, s->setting_saved, (size_t)m->nsetting * sizeof *s->setting);
    memcpy(s->now.q, s->saved.q, (size_t)m->nq * sizeof *s->now.q);
    step_positions(m, &s->now);
    memcpy(s->now.effort, s->saved.effort, (size_t)m->nact * sizeof *s->now.effort);
    contact_restore(m, s);
}

lithe_status step_watch(lithe_state *s)
{
    s->stopped = s->stopped || (s->stop && s->stop(s->stop_user));
    if (!s->stopped)
        return LITHE_OK;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED, "the step was told to end");
}

void lithe_watch(lithe_state *s, bool (*stop)(void *user), void *user)
{
    s->stop = stop;
    s->stop_user = user;
}

bool step_is_moving(const lithe_model *m)
{
    return m->dynamics.scheme != LITHE_STATIC;
}

static void begin(const lithe_model *m, lithe_state *s)
{
    s->report.error[0] = '\0';
    s->nhistory = 0;
    s->last = (lithe_residual){0};
    s->moved = 0;
    reuse_begin(s);
    s->stopped = false;
    s->goal = newton_usual(m, s);
    s->time = (lithe_phase_time){0};
    contact_begin(m, s);
    memcpy(s->setting_start, s->setting, (size_t)m->nsetting * sizeof *s->setting_start);
    for (int r = 0; r < m->nact; r++)
        s->start[r] = s->command[r] == LITHE_EFFORT ? s->now.effort[r] : s->now.delta[r];
    step_save(m, s);
    step_begin_joints(m, s);
}

static bool is_lagging(const lithe_model *m, const lithe_state *s, const model_actuator *a)
{
    bool found = s->task.inverse && !a->given;
    return !found && valve_lags(&m->row[a->group.adr].valve) &&
           s->command[a->group.adr] == LITHE_EFFORT;
}

// In this step chambers come as near to what they are told as their valves let them; then the
// commands stand as they were.
static void open_valves(const lithe_model *m, lithe_state *s)
{
    memcpy(s->told, s->value, (size_t)m->nact * sizeof *s->told);
    for (int a = 0; a < m->nactuator; a++) {
        int r = m->actuator[a].group.adr;
        if (is_lagging(m, s, &m->actuator[a]))
            s->value[r] = valve_after(&m->row[r].valve, s->now.effort[r], s->told[r], m->step.dt);
    }
}

static void close_valves(const lithe_model *m, lithe_state *s)
{
    for (int a = 0; a < m->nactuator; a++)
        if (is_lagging(m, s, &m->actuator[a]))
            s->value[m->actuator[a].group.adr] = s->told[m->actuator[a].group.adr];
}

// Negative pivots that no displacement command can make up for.
static int unstable_modes(const lithe_state *s)
{
    return s->tangent.found.negative > s->tangent.found.held
               ? s->tangent.found.negative - s->tangent.found.held
               : 0;
}

void step_finish(const lithe_model *m, lithe_state *s, step_problem problem, double t)
{
    s->last.force = s->now.relative;
    s->last.task = problem == STEP_INVERSE ? s->task.predicted : task_residual(m, s, &s->now, true);
    s->last.load = t;
    s->last.negative = unstable_modes(s);
    s->load = s->aim_load;
}

// A command that its actuator's effort limits keep from being met is the user's to know.
lithe_status step_check_limits(const lithe_model *m, lithe_state *s)
{
    if (s->last.task <= s->tolerance)
        return LITHE_OK;
    for (int r = 0; r < m->nown; r++) {
        double missing = s->value[r] - s->now.delta[r];
        if (s->command[r] == LITHE_DISPLACEMENT && s->now.effort[r] >= s->limit[r].effort[1] &&
            missing > s->tolerance * m->row[r].scale)
            return LITHE_FAIL(
                &s->report, LITHE_NOT_CONVERGED,
                "actuator '%s' is at its effort limit %g and reaches a displacement of %g "
                "instead of %g (SI units): raise the limit or ask for less",
                m->row[r].name, s->limit[r].effort[1], s->now.delta[r], s->value[r]);
    }
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "a commanded displacement is missed by %.1e of its scale", s->last.task);
}

static lithe_status give_up(const lithe_model *m, lithe_state *s, double t, double start_load)
{
    char reason[LITHE_TEXT_MAX];
    memcpy(reason, s->report.error, sizeof reason);
    step_restore(m, s);
    step_aim(m, s, STEP_FORWARD, t, start_load);
    point_evaluate(m, s, &s->now);
    step_finish(m, s, STEP_FORWARD, t);
    bool balanced = s->last.force <= s->tolerance;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "stopped at %.3g %% of this step's loads and commands: %.600s. %s (relative "
                      "force residual %.1e); ask for less, take more steps, or look there for "
                      "elements that fold",
                      100 * t, reason,
                      balanced ? "The last equilibrium is kept"
                               : "The last shape is kept, and it is no equilibrium",
                      s->last.force);
}

lithe_status step_check_folds(const lithe_model *m, lithe_state *s, double length)
{
    const double gentle = 1.0 / 16;
    pool *threads = s->tangent.threads;
    int now = step_inverted(m, threads, s->now.x);
    int few = length > gentle ? 0 : 2 + m->nelement / 200;
    if (now <= few)
        return LITHE_OK; // however many were before
    int before = step_inverted(m, threads, s->saved.x);
    if (now <= before + few)
        return LITHE_OK;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "%d elements turn inside out at once, where their law has no more resistance "
                      "(neo-hookean always has)",
                      now - before);
}

// Tries the whole way at once, halves it where Newton fails or folds elements, and lengthens it
// again where it does well.
lithe_status forward_settle(const lithe_model *m, lithe_state *s)
{
    enum { MOST_INCREMENTS = 500, FEW_ITERATIONS = 8 };
    const double shortest = 1.0 / 4096;
    double t = 0, length = 1, start_load = s->load;
    while (t < 1) {
        double next = t + length >= 1 - 0.5 * shortest ? 1 : t + length;
        int before = s->last.iteration;
        step_aim(m, s, STEP_FORWARD, next, start_load);
        if (newton_solve(m, s) == LITHE_OK &&
            (s->last.iteration == before || step_check_folds(m, s, next - t) == LITHE_OK)) {
            s->last.increment++;
            step_save(m, s);
            t = next;
            length *= s->last.iteration - before <= FEW_ITERATIONS ? 2 : 1;
        } else {
            step_restore(m, s);
            length = 0.5 * (next - t);
        }
        if (t < 1 && (length < shortest || s->last.increment >= MOST_INCREMENTS || s->stopped))
            return give_up(m, s, t, start_load);
    }
    lithe_status status = contact_polish(m, s);
    if (status == LITHE_OK)
        stability_judge(m, s);
    step_finish(m, s, STEP_FORWARD, 1);
    return status == LITHE_OK ? step_check_limits(m, s) : status;
}

void step_keep_commands(const lithe_model *m, lithe_state *s)
{
    for (int r = 0; r < m->nact; r++)
        if (!task_is_given(m, r))
            s->value[r] = s->command[r] == LITHE_EFFORT ? s->now.effort[r] : s->now.delta[r];
}

// The inverse in motion: efforts for which the motion to the end of the step comes nearest to the
// targets. Where it gives up it has a motion, if not the best one.
static lithe_status chase(const lithe_model *m, lithe_state *s)
{
    LITHE_TRY(motion_start(m, s, STEP_INVERSE));
    motion_begin(m, s, m->step.dt);
    lithe_status status = inverse_settle(m, s);
    if (s->last.load == 1)
        LITHE_TRY(motion_end(m, s));
    return status;
}

void step_relax_begin(const lithe_model *m, lithe_state *s, double h)
{
    for (int k = 0; k < m->nbody; k++)
        if (m->body[k].prony)
            body_prony_begin(&m->body[k], &s->tangent.work[k], h);
}

void step_relax_end(const lithe_model *m, lithe_state *s)
{
    for (int k = 0; k < m->nbody; k++)
        if (m->body[k].prony)
            body_prony_end(&m->body[k], &s->tangent.work[k],
                           s->now.x + 3 * (size_t)m->body[k].node_adr, s->tangent.stiffness[k]);
}

static lithe_status refuse_friction(const lithe_model *m, lithe_state *s)
{
    const char *location = m->contact.friction_location;
    return LITHE_FAIL(&s->report, LITHE_INVALID,
                      "%.300s%sthe inverse knows no friction yet: take friction out of obstacles "
                      "and contacts, or run the scene forward",
                      location ? location : "", location ? ": " : "");
}

// Which problem a step is of is decided once: there are targets, or there are none.
static step_problem problem_of(const lithe_state *s)
{
    return s->task.inverse ? STEP_INVERSE : STEP_FORWARD;
}

static lithe_status settle(const lithe_model *m, lithe_state *s, step_problem problem)
{
    return problem == STEP_INVERSE ? inverse_settle(m, s) : forward_settle(m, s);
}

static lithe_status go(const lithe_model *m, lithe_state *s)
{
    step_problem problem = problem_of(s);
    LITHE_TRY(contact_take_apart(m, s));
    step_save(m, s);
    if (problem == STEP_INVERSE && s->contact.rubs)
        return refuse_friction(m, s);
    if (m->step.mode == LITHE_REALTIME)
        return realtime_step(m, s, problem);
    if (m->step.mode == LITHE_ASYNCHRONOUS)
        return async_pursue(m, s, problem);
    if (!step_is_moving(m))
        return settle(m, s, problem);
    return problem == STEP_INVERSE ? chase(m, s) : motion_settle(m, s, 1, MOTION_SHORTEST);
}

static bool are_numbers(const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

// No answer is one that is not a number, whatever the residuals made of it.
static lithe_status only_numbers(const lithe_model *m, lithe_state *s, lithe_status status)
{
    if (status != LITHE_OK || (are_numbers(s->now.x, 3 * (size_t)m->nnode) &&
                               are_numbers(s->now.effort, (size_t)m->nact) &&
                               are_numbers(s->now.delta, (size_t)m->nrow) &&
                               are_numbers(&s->last.force, 1) && are_numbers(&s->last.task, 1)))
        return status;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "the step ends in what is not a number: look for values of absurd size among "
                      "loads, commands and stiffnesses, or take a shorter dt");
}

// What a step leaves: looked at by a check that does not know how it came, and shown.
static lithe_status conclude(const lithe_model *m, lithe_state *s, lithe_status status)
{
    step_follow(m, &s->now);
    s->last.inverted =
        s->async ? async_inverted(s->async) : step_inverted(m, s->tangent.threads, s->now.x);
    status = truth_judge(m, s, status);
    if (status != LITHE_OK)
        s->contact.proof = NULL; // of what was on the way
    state_publish(s);
    return status;
}

lithe_status lithe_step(const lithe_model *m, lithe_state *s)
{
    return m->reduction ? m->reduction->step(m, s) : step_alone(m, s);
}

lithe_status step_alone(const lithe_model *m, lithe_state *s)
{
    bool moving = step_is_moving(m);
    begin(m, s);
    open_valves(m, s);
    if (!moving)
        step_relax_begin(m, s, m->step.creep ? m->step.dt : 0);
    lithe_status status = only_numbers(m, s, go(m, s));
    if (!moving && status == LITHE_OK)
        step_relax_end(m, s);
    if (!moving)
        s->motion.clock += m->step.dt;
    close_valves(m, s);
    return conclude(m, s, status);
}

lithe_status step_balance(const lithe_model *m, lithe_state *s)
{
    begin(m, s);
    LITHE_TRY(contact_take_apart(m, s));
    step_save(m, s);
    return forward_settle(m, s);
}

lithe_status lithe_settle(const lithe_model *m, lithe_state *s)
{
    if (!step_is_moving(m))
        return lithe_step(m, s);
    begin(m, s);
    s->motion.on = s->motion.started = false;
    s->motion.time = s->motion.clock - BODY_MOMENT;
    step_relax_begin(m, s, 0);
    lithe_status status = contact_take_apart(m, s);
    if (status == LITHE_OK)
        status = only_numbers(m, s, settle(m, s, problem_of(s)));
    if (status == LITHE_OK)
        step_relax_end(m, s);
    return conclude(m, s, status);
}
