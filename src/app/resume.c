#include "app/resume.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

lithe_status resume_give(session *s, lithe_state *state, const order *all, const resume_plan *p,
                         int k)
{
    int whole = p->whole ? p->whole : p->last;
    if (p->timed)
        return orders_play(s, state, all, k * lithe_model_step(s->model)->dt);
    return orders_give(s, state, all, fmin((double)(k - p->begun) / (whole - p->begun), 1));
}

static lithe_status no_such_step(session *s, int found)
{
    return LITHE_FAIL(&s->report, LITHE_INVALID,
                      "%s: step %d was not kept, and cannot be computed again; the nearest is "
                      "--from %s@%d",
                      s->options.from, s->options.from_step, s->options.from, found);
}

static lithe_status load(session *s, lithe_state *state, int *found)
{
    int step = s->options.from_step;
    LITHE_TRY(replay_load(s->from, s->model, step, state, found, &s->report));
    if (step > replay_nstep(s->from))
        return LITHE_FAIL(&s->report, LITHE_INVALID, "%s: there is no step %d; it ends at %d",
                          s->options.from, step, *found);
    return LITHE_OK;
}

// Orders of the recorded run; false: it had none.
static bool read_orders(session *s, order *all)
{
    const lithe_model *m = s->model;
    double *kind = arena_new(&s->memory, 2 * (size_t)lithe_ndriven(m) + 1, double);
    if (!kind)
        return false;
    double *value = kind + lithe_ndriven(m);
    if (strcmp(replay_command(s->from), "run") != 0 || !replay_plan(s->from, m, kind, value))
        return false;
    for (int i = 0; i < lithe_nactuator(m); i++) {
        int row = lithe_row_of_actuator(m, i);
        double effort[2], displacement[2];
        lithe_actuator_limits(m, i, effort, displacement);
        bool given = kind[row] >= 2, moves = fmod(kind[row], 2) != 0;
        all[i] = (order){.kind = moves ? LITHE_DISPLACEMENT : LITHE_EFFORT, .given = given};
        memcpy(all[i].limit, moves ? displacement : effort, sizeof effort);
        for (int k = 0; k < lithe_actuator_rows(m, i); k++)
            all[i].value[k] = value[row + k];
    }
    return true;
}

// From a checkpoint to a step between two of them.
static lithe_status recompute(session *s, lithe_state *state, const order *all, bool timed,
                              int found, int step)
{
    resume_plan p = {.last = replay_nstep(s->from), .timed = timed};
    for (int k = found + 1; k <= step; k++) {
        LITHE_TRY(resume_give(s, state, all, &p, k));
        lithe_status status = lithe_step(s->model, state);
        if (status != LITHE_OK)
            return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(state));
    }
    return LITHE_OK;
}

static lithe_status go_on_as_planned(session *s, resume_plan *plan, int at)
{
    int whole = replay_nstep(s->from);
    *plan = (resume_plan){.first = at, .last = whole, .whole = whole, .timed = plan->timed};
    if (s->options.steps && at + s->options.steps < whole)
        plan->last = at + s->options.steps;
    if (at < whole)
        return LITHE_OK;
    return LITHE_FAIL(&s->report, LITHE_INVALID,
                      "%s: the recorded run was finished; say what to do next, such as "
                      "NAME.pull=10mm, or go on from an earlier step with --from %s@STEP",
                      s->options.from, s->options.from);
}

// New orders begin where every actuator is.
static void start_here(session *s, const lithe_state *state, order *all, const order *before)
{
    const lithe_model *m = s->model;
    for (int i = 0; i < lithe_nactuator(m); i++) {
        if (!all[i].given && before) {
            all[i] = before[i];
            all[i].given = false;
        }
        if (all[i].kind == LITHE_EFFORT)
            lithe_effort(m, state, i, all[i].start);
        else
            lithe_displacement(m, state, i, all[i].start);
        if (!all[i].given)
            memcpy(all[i].value, all[i].start, sizeof all[i].start);
    }
}

lithe_status resume_run(session *s, lithe_state *state, order *all, resume_plan *plan)
{
    int found = 0, steps = plan->last;
    order *planned = arena_new(&s->memory, lithe_nactuator(s->model) + 1, order);
    if (!planned)
        return report_no_memory(&s->report, "commands");
    LITHE_TRY(load(s, state, &found));
    int step = s->options.from_step < 0 ? found : s->options.from_step;
    bool known = read_orders(s, planned);
    lithe_forget_targets(s->model, state);
    if (step > found && !known)
        return no_such_step(s, found);
    LITHE_TRY(recompute(s, state, planned, plan->timed, found, step));
    if (s->options.ncommand == 0 && known) {
        memcpy(all, planned, (size_t)lithe_nactuator(s->model) * sizeof *all);
        return go_on_as_planned(s, plan, step);
    }
    start_here(s, state, all, known ? planned : NULL);
    *plan = (resume_plan){.first = step, .begun = step, .last = step + steps, .timed = plan->timed};
    return LITHE_OK;
}

lithe_status resume_track(session *s, lithe_state *state, double *start, int *first)
{
    int found = 0;
    double dt = lithe_model_step(s->model)->dt;
    if (!replay_start(s->from, s->model, start))
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "%s: this is not the recording of a task; go on with 'lithe run'",
                          s->options.from);
    LITHE_TRY(load(s, state, &found));
    *first = s->options.from_step < 0 ? found : s->options.from_step;
    for (int k = found + 1; k <= *first; k++) {
        lithe_status status = lithe_task_apply(s->model, state, start, k * dt);
        if (status == LITHE_OK)
            status = lithe_step(s->model, state);
        if (status != LITHE_OK)
            return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(state));
    }
    return LITHE_OK;
}
