#include "app/interrupt.h"
#include "app/orders.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/record.h"
#include "app/resume.h"
#include "app/say.h"
#include "app/show.h"
#include "app/tolerances.h"
#include "base/status.h"

#include <math.h>

static const command_line LINE = {
    .name = "run",
    .usage = "SCENE|--from FILE [NAME.QUANTITY=VALUE ...] [options]",
    .about =
        "Moves the robot: every actuator is brought from 0 to its command in equal steps, each of\n"
        "which ends in an equilibrium (unless the scene's mode is realtime). A scene with "
        "dynamics,\n"
        "or with commands that go on in time, is played in time instead. Commands come from the\n"
        "scene; those given here replace them, for example north.pull=10mm or "
        "belly.pressure=5kPa.\n"
        "\n"
        "Ends with 0 when it converged, 1 when it did not, 2 on bad input, 3 when memory or disk\n"
        "failed, 130 when interrupted.\n",
    .options = OPTION_OUT | OPTION_STEPS | OPTION_THREADS | OPTION_SET | OPTION_JSON |
               OPTION_QUIET | OPTION_RECORD | OPTION_FROM | OPTION_SNAPSHOT | OPTION_CAMERA,
    .takes_commands = true,
};

typedef struct run {
    session session;
    record record;
    order *order; // (nactuator)
    resume_plan plan;
} run;

// Steps of dt, from time 0 to the end of all that goes on.
static lithe_status count_steps(run *r, int *nstep)
{
    enum { MOST = 10000000 };
    session *s = &r->session;
    const lithe_dynamics_def *d = &lithe_scene_def(s->scene)->dynamics;
    double goes_on = lithe_play_duration(s->model), dt = lithe_model_step(s->model)->dt;
    double duration = d->duration > 0 ? d->duration : goes_on > 0 ? goes_on : 1;
    *nstep = lithe_model_step(s->model)->steps;
    if (r->plan.timed)
        *nstep = (int)fmin(ceil(duration / dt - RUN_WHOLE_STEPS), MOST + 1.0);
    if (s->options.steps)
        *nstep = s->options.steps;
    if (*nstep <= MOST)
        return LITHE_OK;
    return LITHE_FAIL(&s->report, LITHE_INVALID,
                      "%g s in steps of %g s are more than %d steps; make dt longer", duration, dt,
                      MOST);
}

static lithe_status prepare(run *r)
{
    session *s = &r->session;
    const lithe_dynamics_def *d = &lithe_scene_def(s->scene)->dynamics;
    r->plan.timed = d->scheme != LITHE_STATIC || lithe_play_duration(s->model) > 0;
    LITHE_TRY(orders_read(s, &r->order));
    LITHE_TRY(count_steps(r, &r->plan.last));
    LITHE_TRY(lithe_state_create(s->model, s->options.threads, &r->record.state, &s->report));
    interrupt_ends(r->record.state);
    if (s->from)
        LITHE_TRY(resume_run(s, r->record.state, r->order, &r->plan));
    else
        LITHE_TRY(orders_try(s, r->record.state, r->order));
    if (!s->from && d->from_equilibrium)
        LITHE_TRY(orders_rest(s, r->record.state));
    r->record.first = r->plan.first;
    r->record.plan = r->order;
    return record_begin(&r->record, r->plan.last, NULL);
}

static lithe_status play(run *r)
{
    lithe_status status = LITHE_OK;
    resume_plan p = r->plan;
    progress bar = progress_start("lithe run", p.last - p.first);
    for (int k = p.first + 1; k <= p.last && status == LITHE_OK && !interrupt_seen(); k++) {
        status = resume_give(&r->session, r->record.state, r->order, &p, k);
        if (status == LITHE_OK)
            status = record_step(&r->record);
        progress_at(&bar, k - p.first);
    }
    progress_end(&bar);
    return status;
}

static void say_one_beyond(const run *r, int actuator, double value, const double limit[2])
{
    const lithe_model *m = r->session.model;
    char reached[SHOW_TEXT], allowed[SHOW_TEXT];
    lithe_actuator_kind type = lithe_actuator_type(m, actuator);
    const lithe_quantity *q = lithe_actuator_quantity(type, LITHE_DISPLACEMENT);
    say_notice(
        "its %s brings '%s' to a %s of %s, beyond the limit of %s; command its %s, which the "
        "limit holds, or less %s",
        lithe_actuator_quantity(type, LITHE_EFFORT)->name, lithe_actuator_name(m, actuator),
        q->name, show_value(q->dimension, value, reached),
        show_value(q->dimension, limit[value > limit[1]], allowed), q->name,
        lithe_actuator_quantity(type, LITHE_EFFORT)->name);
}

// An effort that is commanded is given, whatever displacement comes of it.
static void say_beyond(const run *r)
{
    const lithe_model *m = r->session.model;
    for (int i = 0; i < lithe_nactuator(m); i++) {
        double effort[2], limit[2], value[3];
        lithe_actuator_limits(m, i, effort, limit);
        lithe_displacement(m, r->record.state, i, value);
        double slack = RUN_OUTSIDE * (limit[1] - limit[0]);
        for (int k = 0; k < lithe_actuator_rows(m, i) && r->order[i].kind == LITHE_EFFORT; k++)
            if (value[k] < limit[0] - slack || value[k] > limit[1] + slack)
                say_one_beyond(r, i, value[k], limit);
    }
}

static int finish(run *r, bool converged)
{
    if (!converged)
        record_say_not_converged(&r->record);
    record_say_unstable(&r->record);
    record_say_overlap(&r->record);
    record_say_apart(&r->record);
    record_say_growth(&r->record);
    bool whole = !record_say_folded(&r->record);
    say_beyond(r);
    summary end = record_summary(&r->record, converged);
    return record_finish(&r->record, &end, converged && whole ? EXIT_DONE : EXIT_NOT_CONVERGED);
}

static int run_session(run *r)
{
    lithe_status status = prepare(r);
    bool prepared = status == LITHE_OK;
    if (prepared)
        status = play(r);
    if (interrupt_seen()) {
        say_notice("interrupted%s",
                   r->record.saving || r->record.recording ? "; no results were written" : "");
        return EXIT_INTERRUPTED;
    }
    if (!prepared || (status != LITHE_OK && status != LITHE_NOT_CONVERGED))
        return say_failure(status, &r->session.report);
    return finish(r, status == LITHE_OK);
}

int command_run(int argc, char **argv)
{
    run r = {0};
    int exit_status;
    interrupt_watch();
    r.record.session = &r.session;
    if (session_open(&r.session, &LINE, argc, argv, &exit_status))
        exit_status = run_session(&r);
    record_close(&r.record);
    session_close(&r.session);
    return exit_status;
}
