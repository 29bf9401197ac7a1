#include "app/interrupt.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/say.h"
#include "app/session.h"
#include "app/stopwatch.h"
#include "app/summary.h"
#include "base/status.h"
#include "io/results.h"
#include "scene/command.h"
#include "step/readout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const command_line LINE = {
    .name = "run",
    .usage = "SCENE [NAME.QUANTITY=VALUE ...] [options]",
    .about =
        "Moves the robot: every actuator is brought from 0 to its command in equal steps, each of\n"
        "which ends in an equilibrium (unless the scene's mode is realtime). Commands come from "
        "the\n"
        "scene; those given here replace them, for example north.pull=10mm or "
        "belly.pressure=5kPa.\n"
        "\n"
        "Ends with 0 when it converged, 1 when it did not, 2 on bad input, 3 when memory or disk\n"
        "failed, 130 when interrupted.\n",
    .options = OPTION_OUT | OPTION_STEPS | OPTION_THREADS | OPTION_SET | OPTION_JSON | OPTION_QUIET,
    .takes_commands = true,
};

// What an actuator shall do in the end.
typedef struct order {
    lithe_command_kind kind;
    double value[3]; // one for each of its rows
    double limit[2]; // of that kind
    bool given;      // on the command line
} order;

typedef struct run {
    session session;
    order *order; // (nactuator)
    lithe_state *state;
    timing timing;
    results results;
    bool saving;
    int nstep;
    int newton;
} run;

static lithe_status read_orders(run *r)
{
    session *s = &r->session;
    int n = lithe_nactuator(s->model);
    r->order = arena_new(&s->memory, n, order);
    if (!r->order)
        return report_no_memory(&s->report, "commands");
    for (int i = 0; i < n; i++)
        r->order[i].kind = model_actuator_command(s->model, i, r->order[i].value);
    for (int i = 0; i < s->options.ncommand; i++) {
        int actuator;
        order given = {.given = true};
        LITHE_TRY(scene_parse_command(s->scene, s->options.command[i], &actuator, &given.kind,
                                      given.value, &s->report));
        if (r->order[actuator].given)
            return LITHE_FAIL(&s->report, LITHE_INVALID,
                              "'%s': '%s' has a command already; give each actuator one",
                              s->options.command[i], lithe_actuator_name(s->model, actuator));
        r->order[actuator] = given;
    }
    for (int i = 0; i < n; i++) {
        double effort[2];
        double displacement[2];
        model_actuator_limits(s->model, i, effort, displacement);
        memcpy(r->order[i].limit, r->order[i].kind == LITHE_EFFORT ? effort : displacement,
               sizeof effort);
    }
    return LITHE_OK;
}

static lithe_status command(run *r, int actuator, const double *value)
{
    session *s = &r->session;
    lithe_status status =
        lithe_command(s->model, r->state, actuator, r->order[actuator].kind, value);
    if (status != LITHE_OK)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(r->state));
    return LITHE_OK;
}

// Refuses commands beyond the limits before anything is computed.
static lithe_status try_orders(run *r)
{
    for (int i = 0; i < lithe_nactuator(r->session.model); i++)
        LITHE_TRY(command(r, i, r->order[i].value));
    return LITHE_OK;
}

// On the way from 0 the limits hold too: a cable that must be pulled 5 to 20 mm begins at 5.
static lithe_status ramp(run *r, int step)
{
    for (int i = 0; i < lithe_nactuator(r->session.model); i++) {
        const order *o = &r->order[i];
        double value[3];
        bool ramped = lithe_actuator_type(r->session.model, i) != LITHE_MODULUS;
        for (int k = 0; k < 3; k++)
            value[k] = fmin(fmax(ramped ? o->value[k] * step / r->nstep : o->value[k], o->limit[0]),
                            o->limit[1]);
        LITHE_TRY(command(r, i, value));
    }
    return LITHE_OK;
}

static lithe_status prepare(run *r)
{
    session *s = &r->session;
    const options *o = &s->options;
    r->nstep = o->steps ? o->steps : model_step_def(s->model)->steps;
    LITHE_TRY(read_orders(r));
    LITHE_TRY(lithe_state_create(s->model, o->threads, &r->state, &s->report));
    LITHE_TRY(try_orders(r));
    if (!timing_create(&r->timing, r->nstep))
        return report_no_memory(&s->report, "step times; use fewer steps");
    if (!o->out)
        return LITHE_OK;
    LITHE_TRY(results_open(o->out, s->model, &r->results, &s->report));
    r->saving = true;
    return results_add(&r->results, s->model, r->state, &s->report);
}

static lithe_status step(run *r, int number)
{
    session *s = &r->session;
    LITHE_TRY(ramp(r, number));
    double start = stopwatch_now();
    lithe_status status = lithe_step(s->model, r->state);
    timing_add(&r->timing, stopwatch_now() - start, lithe_last_phase_time(r->state));
    r->newton += lithe_last_residual(r->state).iteration;
    if (status != LITHE_OK && status != LITHE_NOT_CONVERGED)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(r->state));
    if (r->saving)
        LITHE_TRY(results_add(&r->results, s->model, r->state, &s->report));
    return status;
}

static lithe_status play(run *r)
{
    lithe_status status = LITHE_OK;
    progress bar = progress_start("lithe run", r->nstep);
    for (int k = 1; k <= r->nstep && status == LITHE_OK && !interrupt_seen(); k++) {
        status = step(r, k);
        progress_at(&bar, k);
    }
    progress_end(&bar);
    return status;
}

static void say_not_converged(const run *r)
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

static void say_unstable(const run *r)
{
    int negative = lithe_last_residual(r->state).negative;
    if (negative > 0)
        say_notice(
            "the equilibrium is unstable (%d negative pivot%s): a real robot would leave it; "
            "approach it in more steps, or command displacements instead of efforts",
            negative, negative == 1 ? "" : "s");
}

static int print_end(run *r, const summary *end, const char *text)
{
    if (r->session.options.json)
        fputs(text, stdout);
    else if (!r->session.options.quiet)
        summary_print(end);
    return say_flush_output(end->converged ? EXIT_DONE : EXIT_NOT_CONVERGED);
}

static int save_and_print(run *r, const summary *end, const char *text)
{
    session *s = &r->session;
    if (r->saving) {
        r->saving = false;
        lithe_status status = results_commit(&r->results, s->model, text, &s->report);
        if (status != LITHE_OK)
            return say_failure(status, &s->report);
    }
    return print_end(r, end, text);
}

static int finish(run *r, bool converged)
{
    session *s = &r->session;
    if (!converged)
        say_not_converged(r);
    say_unstable(r);
    timing_sort(&r->timing);
    summary end = {.scene = s->options.scene,
                   .def = lithe_scene_def(s->scene),
                   .model = s->model,
                   .state = r->state,
                   .steps = r->timing.nstep,
                   .threads = s->options.threads,
                   .newton = r->newton,
                   .converged = converged,
                   .timing = &r->timing,
                   .out = s->options.out};
    char *text = summary_json(&end);
    if (!text)
        return say_failure(report_no_memory(&s->report, "the summary"), &s->report);
    int exit_status = save_and_print(r, &end, text);
    free(text);
    return exit_status;
}

static int run_session(run *r)
{
    lithe_status status = prepare(r);
    if (status == LITHE_OK)
        status = play(r);
    if (interrupt_seen()) {
        say_notice("interrupted%s", r->saving ? "; no results were written" : "");
        return EXIT_INTERRUPTED;
    }
    if (status != LITHE_OK && status != LITHE_NOT_CONVERGED)
        return say_failure(status, &r->session.report);
    return finish(r, status == LITHE_OK);
}

static void close_run(run *r)
{
    if (r->saving)
        results_discard(&r->results);
    timing_free(&r->timing);
    lithe_state_free(r->state);
    session_close(&r->session);
}

int command_run(int argc, char **argv)
{
    run r = {0};
    int exit_status;
    interrupt_watch();
    if (session_open(&r.session, &LINE, argc, argv, &exit_status))
        exit_status = run_session(&r);
    close_run(&r);
    return exit_status;
}
