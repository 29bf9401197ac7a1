#include "app/orders.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

static lithe_status read_given(session *s, const char *word, order *all)
{
    int actuator;
    order given = {.given = true};
    LITHE_TRY(lithe_scene_command(s->scene, word, &actuator, &given.kind, given.value, &s->report));
    if (all[actuator].given)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "'%s': '%s' has a command already; give each actuator one", word,
                          lithe_actuator_name(s->model, actuator));
    all[actuator] = given;
    return LITHE_OK;
}

lithe_status orders_read(session *s, order **out)
{
    int n = lithe_nactuator(s->model);
    order *all = *out = arena_new(&s->memory, n, order);
    if (!all)
        return report_no_memory(&s->report, "commands");
    for (int i = 0; i < n; i++)
        all[i].kind = lithe_actuator_command(s->model, i, all[i].value);
    for (int i = 0; i < s->options.ncommand; i++)
        LITHE_TRY(read_given(s, s->options.command[i], all));
    for (int i = 0; i < n; i++) {
        double effort[2], displacement[2];
        lithe_actuator_limits(s->model, i, effort, displacement);
        memcpy(all[i].limit, all[i].kind == LITHE_EFFORT ? effort : displacement, sizeof effort);
    }
    return LITHE_OK;
}

static lithe_status command(session *s, lithe_state *state, int actuator, lithe_command_kind kind,
                            const double *value)
{
    lithe_status status = lithe_command(s->model, state, actuator, kind, value);
    if (status != LITHE_OK)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(state));
    return LITHE_OK;
}

lithe_status orders_try(session *s, lithe_state *state, const order *all)
{
    for (int i = 0; i < lithe_nactuator(s->model); i++)
        LITHE_TRY(command(s, state, i, all[i].kind, all[i].value));
    return LITHE_OK;
}

lithe_status orders_give(session *s, lithe_state *state, const order *all, double share)
{
    for (int i = 0; i < lithe_nactuator(s->model); i++) {
        lithe_status status =
            lithe_command_share(s->model, state, i, all[i].kind, all[i].start, all[i].value, share);
        if (status != LITHE_OK)
            return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(state));
    }
    return LITHE_OK;
}

lithe_status orders_play(session *s, lithe_state *state, const order *all, double time)
{
    lithe_status status = lithe_play(s->model, state, time);
    if (status != LITHE_OK)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(state));
    for (int i = 0; i < lithe_nactuator(s->model); i++)
        if (all[i].given)
            LITHE_TRY(command(s, state, i, all[i].kind, all[i].value));
    return LITHE_OK;
}

static lithe_status no_rest(session *s, const lithe_state *state, lithe_status status)
{
    if (status == LITHE_OK)
        return LITHE_OK;
    return LITHE_FAIL(&s->report, status, "the robot finds no rest under its starting commands: %s",
                      lithe_state_error(state));
}

lithe_status orders_rest(session *s, lithe_state *state)
{
    return no_rest(s, state, lithe_settle(s->model, state));
}

lithe_status orders_settle(session *s, lithe_state *state, const order *all)
{
    LITHE_TRY(orders_try(s, state, all));
    return no_rest(s, state, lithe_begin(s->model, state));
}
