#include "app/record.h"

#include "app/program.h"
#include "app/reduced.h"
#include "app/say.h"
#include "app/show.h"
#include "base/clock.h"
#include "base/status.h"
#include "io/outdir.h"
#include "io/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_CHECKPOINT = 10 }; // steps

static lithe_status add_recorded(record *r, double seconds)
{
    session *s = r->session;
    int number = r->first + r->timing.nstep;
    recording_step step = {.step = number,
                           .time = number * lithe_model_step(s->model)->dt,
                           .step_time = seconds,
                           .state = r->state,
                           .target = r->target};
    return r->recording ? recording_add(r->recording, &step, &s->report) : LITHE_OK;
}

// The orders of all driven rows.
static lithe_status list_plan(record *r, recording_setup *setup)
{
    session *s = r->session;
    double *kind = arena_new(&s->memory, lithe_ndriven(s->model) + 1, double);
    double *value = arena_new(&s->memory, lithe_ndriven(s->model) + 1, double);
    if (!kind || !value)
        return report_no_memory(&s->report, "the recording");
    for (int i = 0; i < lithe_nactuator(s->model); i++)
        for (int k = 0; k < lithe_actuator_rows(s->model, i); k++) {
            kind[lithe_row_of_actuator(s->model, i) + k] =
                (r->plan[i].kind == LITHE_DISPLACEMENT) + 2 * r->plan[i].given;
            value[lithe_row_of_actuator(s->model, i) + k] = r->plan[i].value[k];
        }
    setup->plan_kind = kind;
    setup->plan_value = value;
    return LITHE_OK;
}

// A recording inside the results folder is made where the folder is in the making.
static const char *recording_path(record *r)
{
    const options *o = &r->session->options;
    const char *inside = o->record && r->saving
                             ? arena_format(&r->session->memory, "%s/%s", o->out, OUTDIR_RECORDING)
                             : NULL;
    return inside && strcmp(inside, o->record) == 0
               ? outdir_file(&r->results.folder, OUTDIR_RECORDING)
               : o->record;
}

static lithe_status begin_recording(record *r)
{
    session *s = r->session;
    recording_setup setup = {.path = recording_path(r),
                             .command = r->target ? "track" : "run",
                             .scene = s->scene,
                             .nset = s->options.nset,
                             .set = s->options.set,
                             .model = s->model,
                             .checkpoint = RECORD_CHECKPOINT,
                             .nstep = r->nstep,
                             .start = r->start};
    if (!s->options.record)
        return LITHE_OK;
    if (!setup.path)
        return report_no_memory(&s->report, "the recording");
    if (s->from) {
        const char *const *before;
        int n = replay_nset(s->from, &before);
        const char **all = arena_new(&s->memory, n + setup.nset + 1, const char *);
        if (!all)
            return report_no_memory(&s->report, "the recording");
        for (int i = 0; i < n + setup.nset; i++)
            all[i] = i < n ? before[i] : setup.set[i - n];
        setup.set = all;
        setup.nset += n;
    }
    if (r->plan)
        LITHE_TRY(list_plan(r, &setup));
    LITHE_TRY(recording_open(&setup, r->state, &r->recording, &s->report));
    return add_recorded(r, 0);
}

static lithe_status begin_results(record *r, const double *target)
{
    session *s = r->session;
    if (!s->options.out)
        return LITHE_OK;
    LITHE_TRY(results_open(s->options.out, s->model, target, &r->results, &s->report));
    r->results.first = r->first;
    r->saving = true;
    return results_add(&r->results, s->model, r->state, &s->report);
}

lithe_status record_begin(record *r, int nstep, const double *target)
{
    r->nstep = nstep;
    r->target = target;
    r->pace = pace_start(r->session->model);
    if (!timing_create(&r->timing, nstep))
        return report_no_memory(&r->session->report, "step times; use fewer steps");
    LITHE_TRY(begin_results(r, target));
    return begin_recording(r);
}

static void watch_overlap(record *r)
{
    lithe_overlap now = lithe_last_overlap(r->session->model, r->state);
    summary_overlap *most = &r->overlap;
    most->over += now.depth > now.allowed;
    if (now.depth <= most->depth)
        return;
    *most = (summary_overlap){now.depth, r->first + r->timing.nstep, now.pair, most->over};
}

static void watch_joints(record *r)
{
    lithe_apart now = lithe_last_apart(r->session->model, r->state);
    r->napart += now.gap > now.allowed;
    if (now.gap <= r->apart.gap)
        return;
    r->apart = now;
    r->apart_step = r->first + r->timing.nstep;
}

lithe_status record_step(record *r)
{
    session *s = r->session;
    pace_wait(&r->pace);
    double start = clock_now();
    lithe_status status = lithe_step(s->model, r->state);
    double seconds = clock_now() - start;
    int newton = lithe_last_residual(r->state).iteration;
    timing_add(&r->timing, seconds, lithe_last_phase_time(r->state), newton == 0);
    r->newton += newton;
    watch_overlap(r);
    watch_joints(r);
    if (status != LITHE_OK && status != LITHE_NOT_CONVERGED)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(r->state));
    LITHE_TRY(add_recorded(r, seconds));
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
    say_error("step %d of %d: %s", r->first + r->timing.nstep, r->nstep,
              lithe_state_error(r->state));
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

void record_say_overlap(const record *r)
{
    const lithe_model *m = r->session->model;
    char depth[SHOW_TEXT], allowed[SHOW_TEXT];
    const summary_overlap *most = &r->overlap;
    if (most->over == 0 || lithe_model_step(m)->mode == LITHE_CONVERGED) // the step has said so
        return;
    say_notice("'%s' and '%s' overlap by %s in step %d; %d step%s left more than the %s that "
               "contacts.overlap allows: take a shorter step.dt, more step.iterations, or mode: "
               "converged",
               lithe_pair_name(m, most->pair, 0), lithe_pair_name(m, most->pair, 1),
               show_value(QUANTITY_LENGTH, most->depth, depth), most->step, most->over,
               most->over == 1 ? "" : "s",
               show_value(QUANTITY_LENGTH, lithe_last_overlap(m, r->state).allowed, allowed));
}

void record_say_apart(const record *r)
{
    const lithe_model *m = r->session->model;
    char gap[SHOW_TEXT], allowed[SHOW_TEXT];
    if (r->napart == 0 || lithe_model_step(m)->mode == LITHE_CONVERGED) // the step has said so
        return;
    say_notice("joint '%s' was open by %s in step %d; %d step%s left joints open by more than %s: "
               "joints and what actuators are told cannot both be, or move too far in a step; tell "
               "less, or take a shorter step.dt, more step.iterations, or mode: converged",
               lithe_joint_name(m, r->apart.joint), show_value(QUANTITY_LENGTH, r->apart.gap, gap),
               r->apart_step, r->napart, r->napart == 1 ? "" : "s",
               show_value(QUANTITY_LENGTH, r->apart.allowed, allowed));
}

void record_say_growth(const record *r)
{
    lithe_energy e = lithe_last_energy(r->session->model, r->state);
    if (e.grown_share > 0.1)
        say_notice("energy has grown by %.3g J until %.6g s, %.2g %% of the most there was, beyond "
                   "what loads, actuators, supports and obstacles put in: take a shorter step.dt, "
                   "a dynamics.spectral_radius further below 1, or the scheme euler",
                   e.grown, e.grown_time, 100 * e.grown_share);
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
    reduced_judge(s->model, r->state);
    return (summary){.scene = s->options.scene,
                     .def = lithe_scene_def(s->scene),
                     .model = s->model,
                     .state = r->state,
                     .steps = r->timing.nstep,
                     .threads = s->options.threads,
                     .newton = r->newton,
                     .converged = converged,
                     .overlap = r->overlap,
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

static lithe_status draw_snapshot(record *r, const lithe_def *def)
{
    session *s = r->session;
    snapshot_camera camera = {.azimuth = s->options.camera[0], .elevation = s->options.camera[1]};
    memcpy(camera.gravity, def->gravity, sizeof camera.gravity);
    return snapshot_write(s->model, r->state, &camera, s->options.snapshot, &s->report);
}

int record_finish(record *r, const summary *end, int exit_status)
{
    session *s = r->session;
    char *text = summary_json(end);
    if (!text)
        return say_failure(report_no_memory(&s->report, "the summary"), &s->report);
    lithe_status status = LITHE_OK;
    if (r->recording) {
        status = recording_commit(r->recording, text, r->state, &s->report);
        r->recording = NULL;
    }
    if (status == LITHE_OK)
        status = save(r, end, text);
    if (status == LITHE_OK && s->options.snapshot)
        status = draw_snapshot(r, end->def);
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
    recording_discard(r->recording);
    if (r->saving)
        results_discard(&r->results);
    timing_free(&r->timing);
    lithe_state_free(r->state);
}
