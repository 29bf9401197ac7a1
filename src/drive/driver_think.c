// What the model makes of targets and readings.
#include "base/status.h"
#include "drive/driver.h"
#include "drive/tolerances.h"

#include <math.h>
#include <string.h>

// What the inverse is asked for: the task's targets, corrected where they are measured.
static void ask(lithe_driver *d)
{
    memcpy(d->asked, d->ahead, (size_t)d->nrow * sizeof *d->asked);
    if (d->def->feedback.law != LITHE_FEEDBACK_TASK)
        return;
    for (int i = 0; i < d->wire.nin; i++) {
        int row = d->wire.in[i].row;
        double error = d->compared[row] - d->measured[row];
        if (d->wire.in[i].actuator >= 0 || !isfinite(d->ahead[row]))
            continue;
        d->asked[row] += feedback_correct(&d->axis[i], error, d->beyond[i], d->dt);
        if (isnan(d->asked[row]))
            d->asked[row] = INFINITY; // no target would be NAN; this one is refused
    }
}

// Whether a limit of an actuator holds the model back.
static bool is_held(const lithe_driver *d)
{
    bool held = false;
    for (int a = 0; a < lithe_nactuator(d->m) && !held; a++) {
        double effort[3] = {0}, displacement[3] = {0};
        lithe_limit_multiplier(d->m, d->state, a, effort, displacement);
        for (int i = 0; i < lithe_actuator_rows(d->m, a) && i < 3; i++)
            held = held || effort[i] != 0 || displacement[i] != 0;
    }
    return held;
}

// How far the model, or the gate, stayed behind what it was asked for. What a realtime step leaves
// besides is made up for in the next one.
static void note_beyond(lithe_driver *d)
{
    bool held = is_held(d);
    for (int i = 0; i < d->wire.nin; i++) {
        int row = d->wire.in[i].row;
        double left = d->asked[row] - lithe_row_values(d->state)[row];
        double error = d->compared[row] - d->measured[row];
        bool behind = fabs(left) > FEEDBACK_NOTICED * fabs(error);
        d->beyond[i] = d->limited ? error : held && isfinite(left) && behind ? left : 0;
    }
}

static lithe_status step_inverse(lithe_driver *d)
{
    LITHE_TRY(lithe_target_all(d->m, d->state, d->asked, NULL));
    LITHE_TRY(lithe_step(d->m, d->state));
    note_beyond(d);
    for (int i = 0; i < d->wire.nout; i++)
        d->wanted[i] = channel_value(d->m, d->state, &d->wire.out[i]);
    return LITHE_OK;
}

static lithe_status step_jacobian(lithe_driver *d)
{
    for (int i = 0; i < lithe_controller_nnumber(d->controller); i++) {
        int row = driver_first_number(d) + i;
        d->reading[i] = d->measured[row];
        d->goal[i] = isfinite(d->target[row]) ? d->target[row] : d->measured[row];
        d->asked[row] = d->goal[i];
    }
    LITHE_TRY(lithe_control(d->controller, d->state, d->reading, d->goal, d->told));
    LITHE_TRY(lithe_command_all(d->m, d->state, NULL, d->told));
    LITHE_TRY(lithe_step(d->m, d->state));
    for (int i = 0; i < d->wire.nout; i++)
        d->wanted[i] = channel_value(d->m, d->state, &d->wire.out[i]);
    return LITHE_OK;
}

// A reading was taken when this cycle began or before; what is ordered now is done when it ends, or
// later.
static void look_up_targets(lithe_driver *d)
{
    const lithe_feedback_def *f = &d->def->feedback;
    double begin = d->done * d->dt, end = (d->done + 1) * d->dt;
    lithe_task_targets(d->m, d->start, fmax(begin - f->delay, 0), d->compared);
    lithe_task_targets(d->m, d->start, end, d->target);
    lithe_task_targets(d->m, d->start, end + f->lead, d->ahead);
}

lithe_status driver_think(lithe_driver *d)
{
    double time = (d->done + 1) * d->dt;
    bool measured = d->fresh;
    look_up_targets(d);
    LITHE_TRY(lithe_play(d->m, d->state, time));
    if (d->controller) {
        if (!measured)
            return LITHE_OK; // nothing new to correct
        return step_jacobian(d);
    }
    ask(d);
    return step_inverse(d);
}
