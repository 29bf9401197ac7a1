// Steps of the mode realtime: a fixed number of passes, each taken whole. Each is exact in its
// linear model; what surfaces overlap by afterwards is the model's error. Where that is more than
// the scene allows, there are more passes, and none goes where overlaps would be deep.
// docs/theory/contact-step.md
#include "base/vec.h"
#include "step/step.h"

#include <string.h>

enum {
    MORE_PASSES = 12, // at most, for overlaps
    HALVINGS = 4,     // of a pass
};

// Is everything at s->now as the last step left it? Time, obstacles and moduli change it besides
// the load.
static bool is_known(const lithe_model *m, const lithe_state *s)
{
    bool tuned = false;
    for (int k = 0; k < m->nbody; k++)
        tuned = tuned || m->tuned[k];
    return !step_is_moving(m) && m->touch.max == 0 && !(tuned && !s->task.inverse);
}

// What was put together has overlaps that more passes do not mend.
static bool is_clear(const lithe_model *m, const lithe_state *s)
{
    double depth = s->touch.merged ? s->touch.depth : s->touch.overlap;
    return m->touch.max == 0 || depth <= m->touch.overlap;
}

// A share of the pass, from where it began, at s->trial. What is left of it is for the next one.
static void take(const lithe_model *m, lithe_state *s, double share)
{
    step_move(m, &s->trial, share, s->dq, &s->now);
    for (int r = 0; r < m->nact; r++)
        s->now.effort[r] = share == 1 || s->command[r] == LITHE_EFFORT
                               ? s->target[r]
                               : s->trial.effort[r] + share * (s->target[r] - s->trial.effort[r]);
}

static void settle_for(const lithe_model *m, lithe_state *s, double share)
{
    for (int r = 0; r < s->touch.nrow && m->touch.max > 0; r++)
        s->now.press[r] += share * (s->touch.target[r] - s->now.press[r]);
    step_keep_slip(m, s, 1 - share);
    s->slipping = s->slipping && share < 1;
}

// Is the linear model of any use there? Overlaps that stay well within the distance at which
// contacts are seen are mended by the next pass.
static bool is_near(const lithe_model *m, const lithe_state *s, double before)
{
    double alarm = m->touch.world.pair[s->touch.deepest].alarm;
    return s->touch.depth <= fmax(before, fmax(m->touch.overlap, 0.25 * alarm));
}

// The whole pass, or, where surfaces would get too deep into each other, half of it, a quarter, …
static double advance(const lithe_model *m, lithe_state *s)
{
    double share = 1, before = s->touch.depth;
    memcpy(s->trial.q, s->now.q, (size_t)m->nq * sizeof *s->now.q);
    memcpy(s->trial.effort, s->now.effort, (size_t)m->nact * sizeof *s->now.effort);
    take(m, s, share);
    for (int k = 0; k < HALVINGS && m->touch.max > 0; k++) {
        touch_probe(m, s);
        if (is_near(m, s, before))
            break;
        share *= 0.5;
        take(m, s, share);
    }
    settle_for(m, s, share);
    return share;
}

static lithe_status pass(const lithe_model *m, lithe_state *s, double *share)
{
    LITHE_TRY(step_pass(m, s));
    *share = advance(m, s);
    if (step_is_moving(m))
        point_evaluate(m, s, &s->now);
    else
        step_look_ahead(m, s);
    s->last.iteration++;
    if (isfinite(s->now.residual))
        return LITHE_OK;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "a realtime step did not stay finite; take smaller steps or mode: converged");
}

static lithe_status give_up(const lithe_model *m, lithe_state *s, lithe_status status)
{
    step_restore(m, s);
    s->motion.on = false;
    point_evaluate(m, s, &s->now);
    step_finish(m, s, 0);
    return status;
}

lithe_status realtime_step(const lithe_model *m, lithe_state *s)
{
    if (step_is_moving(m))
        LITHE_TRY(motion_start(m, s));
    bool known = is_known(m, s);
    double load = s->load, share = 1;
    step_aim(m, s, 1, s->load);
    if (step_is_moving(m))
        motion_begin(m, s, m->step.dt);
    if (!known || s->aim_load != load)
        point_evaluate(m, s, &s->now);
    if (s->task.inverse)
        inverse_bounds(m, s);
    int usual = m->step.iterations, k = 0;
    for (; k < usual || (k < usual + MORE_PASSES && (share < 1 || !is_clear(m, s))); k++) {
        lithe_status status = pass(m, s, &share);
        if (status != LITHE_OK)
            return give_up(m, s, status);
    }
    s->touch.passes = k - usual;
    if (step_is_moving(m))
        motion_end(m, s);
    step_keep_commands(m, s);
    s->last.increment = 1;
    step_finish(m, s, 1);
    return LITHE_OK;
}
