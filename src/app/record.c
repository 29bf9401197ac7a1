#include "app/record.h"

#include "app/program.h"
#include "app/say.h"
#include "base/clock.h"
#include "base/status.h"
#include "step/readout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lithe_status record_begin(record *r, int nstep, const double *target)
{
    session *s = r->session;
    r->nstep = nstep;
    r->pace = pace_start(s->model);
    if (!timing_create(&r->timing, nstep))
        return report_no_memory(&s->report, "step times; use fewer steps");
    if (!s->options.out)
        return LITHE_OK;
    LITHE_TRY(results_open(s->options.out, s->model, target, &r->results, &s->report));
    r->saving = true;
    return results_add(&r->results, s->model, r->state, &s->report);
}

lithe_status record_settle(record *r)
{
    session *s = r->session;
    lithe_status status = lithe_settle(s->model, r->state);
    if (status == LITHE_OK)
        return LITHE_OK;
    return LITHE_FAIL(&s->report, status, "the robot finds no rest under its starting commands: %s",
                      lithe_state_error(r->state));
}

lithe_status record_step(record *r)
{
    session *s = r->session;
    pace_wait(&r->pace);
    double start = clock_now();
    lithe_status status = lithe_step(s->model, r->state);
    timing_add(&r->timing, clock_now() - start, lithe_last_phase_time(r->state));
    r->newton += lithe_last_residual(r->state).iteration;
    if (status != LITHE_OK && status != LITHE_NOT_CONVERGED)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(r->state));
    if (r->saving)
        LITHE_TRY(results_add(&r->results, s->model, r->state, &s->report));
    return status;
}

void record_say_not_converged(const record *r)
{
    enum { SHOWN = 8 };
    const double *force;
    int n = lithe_residual_history(r->state, &force);
    char text[SHOWN * 16] = "";
    for (int i = n > SHOWN ? n - SHOWN : 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %.1e", force[i]);
    say_error("step %d of %d: %s", r->timing.nstep, r->nstep, lithe_state_error(r->state));
    if (n > 0)
        fprintf(stderr, "  last relative force residuals:%s\n", text);
}

void record_say_unstable(const record *r)
{
    int negative = lithe_last_residual(r->state).negative;
    bool moving = lithe_scene_def(r->session->scene)->dynamics.scheme != LITHE_STATIC;
    if (negative > 0 && !moving)
        say_notice(
            "the equilibrium is unstable (%d negative pivot%s): a real robot would leave it; "
            "approach it in more steps, or command displacements instead of efforts",
            negative, negative == 1 ? "" : "s");
}

bool record_say_folded(const record *r)
{
    int inverted = lithe_last_residual(r->state).inverted;
    if (inverted > 0)
        say_error("%d element%s inside out, which no real material can be: do not trust the shape "
                  "there; take a law that resists it (neo-hookean), a finer mesh, or ask for less",
                  inverted, inverted == 1 ? " is" : "s are");
    return inverted > 0;
}

summary record_summary(record *r, bool converged)
{
    session *s = r->session;
    timing_sort(&r->timing);
    return (summary){.scene = s->options.scene,
                     .def = lithe_scene_def(s->scene),
                     .model = s->model,
                     .state = r->state,
                     .steps = r->timing.nstep,
                     .threads = s->options.threads,
                     .newton = r->newton,
                     .converged = converged,
                     .timing = &r->timing,
                     .out = s->options.out};
}

static lithe_status save(record *r, const summary *end, const char *text)
{
    session *s = r->session;
    if (!r->saving)
        return LITHE_OK;
    if (end->compliance)
        LITHE_TRY(results_add_matrices(&r->results, s->model, end->compliance, end->jacobian,
                                       &s->report));
    r->saving = false;
    return results_commit(&r->results, s->model, text, &s->report);
}

int record_finish(record *r, const summary *end, int exit_status)
{
    session *s = r->session;
    char *text = summary_json(end);
    if (!text)
        return say_failure(report_no_memory(&s->report, "the summary"), &s->report);
    lithe_status status = save(r, end, text);
    if (status != LITHE_OK)
        exit_status = say_failure(status, &s->report);
    else if (s->options.json)
        fputs(text, stdout);
    else if (!s->options.quiet)
        summary_print(end);
    free(text);
    return status == LITHE_OK ? say_flush_output(exit_status) : exit_status;
}

void record_close(record *r)
{
    if (r->saving)
        results_discard(&r->results);
    timing_free(&r->timing);
    lithe_state_free(r->state);
}
