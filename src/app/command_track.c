#include "app/accuracy.h"
#include "app/estimation.h"
#include "app/interrupt.h"
#include "app/limits.h"
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
#include <stdio.h>

static const command_line LINE = {
    .name = "track",
    .usage = "SCENE|--from FILE [options]",
    .about =
        "Finds the actuation that makes the robot do the scene's task: effectors and sensors\n"
        "follow or hold their targets, within the limits of the actuators. With --out the\n"
        "actuation is in actuation.csv, ready to be sent to hardware.\n"
        "With --data it finds the robot's shape instead, line by line of a table of what its\n"
        "sensors read, as the section estimate says; with --out that is in estimate.csv.\n"
        "\n"
        "Ends with 0 when every target was reached (in the mode realtime: when all steps were\n"
        "done), 1 when one was not, when limits contradict each other or a step did not\n"
        "converge, 2 on bad input, 3 when memory or disk failed, 130 when interrupted.\n",
    .options = OPTION_OUT | OPTION_STEPS | OPTION_THREADS | OPTION_SET | OPTION_JSON |
               OPTION_QUIET | OPTION_JACOBIAN | OPTION_DATA | OPTION_RECORD | OPTION_FROM |
               OPTION_SNAPSHOT | OPTION_CAMERA,
};

// The counted step that missed its targets most.
typedef struct worst {
    double share; // of the distance that still counts as reached; above 1: missed
    int goal, step;
    double error;
    int nlimit;
    active_limit limit[LIMITS_MAX];
} worst;

typedef struct track {
    session session;
    record record;
    order *order;  // (nactuator) the start
    double *start; // (nrow) what rows measured there
    accuracy accuracy;
    int napproach;
    worst worst;
    double *compliance, *jacobian;
} track;

static bool is_realtime(const track *t)
{
    return lithe_model_step(t->session.model)->mode != LITHE_CONVERGED;
}

// The equilibrium under the starting commands, where targets begin.
static lithe_status settle(track *t)
{
    session *s = &t->session;
    LITHE_TRY(orders_read(s, &t->order));
    LITHE_TRY(lithe_state_create(s->model, s->options.threads, &t->record.state, &s->report));
    interrupt_ends(t->record.state);
    LITHE_TRY(orders_settle(s, t->record.state, t->order));
    lithe_task_start(s->model, t->record.state, t->start);
    return LITHE_OK;
}

// The recorded state, brought to the step that was asked for.
static lithe_status go_on(track *t)
{
    session *s = &t->session;
    LITHE_TRY(lithe_state_create(s->model, s->options.threads, &t->record.state, &s->report));
    return resume_track(s, t->record.state, t->start, &t->record.first);
}

// Where the task starts, and how many steps it takes.
static lithe_status plan(track *t)
{
    session *s = &t->session;
    int all;
    if (s->from)
        LITHE_TRY(go_on(t));
    else
        LITHE_TRY(settle(t));
    LITHE_TRY(lithe_task_steps(s->model, t->start, &t->napproach, &all, &s->report));
    if (s->options.steps)
        all = t->record.first + s->options.steps;
    t->record.start = t->start;
    double time = t->record.first * lithe_model_step(s->model)->dt;
    lithe_task_targets(s->model, t->start, time, t->accuracy.target);
    return record_begin(&t->record, all, t->accuracy.target);
}

static lithe_status prepare(track *t)
{
    session *s = &t->session;
    if (lithe_ngoal(s->model) == 0)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "%s: the scene has no task; add task: {hold: {effector: NAME, at: [x, y, "
                          "z]}}, or move the robot with 'lithe run'",
                          s->options.scene);
    if (lithe_scene_def(s->scene)->dynamics.local_error > 0)
        say_notice("adaptive steps are for 'lithe run': every step of the inverse goes dt on, and "
                   "its error is not held");
    t->start = arena_new(&s->memory, lithe_nrow(s->model), double);
    if (!t->start || !accuracy_create(&t->accuracy, s->model, &s->memory))
        return report_no_memory(&s->report, "the task");
    return plan(t);
}

static void note_worst(track *t, int number)
{
    double share;
    int goal = accuracy_worst(&t->accuracy, &share);
    if (goal < 0 || share <= t->worst.share)
        return;
    t->worst.share = share;
    t->worst.goal = goal;
    t->worst.step = number;
    t->worst.error = t->accuracy.goal[goal].now;
    t->worst.nlimit =
        limits_find(t->session.model, t->record.state, t->accuracy.target, t->worst.limit);
}

// The step that arrives at the start of the path ends the approach and is not counted, unless it
// is the last one.
static lithe_status step(track *t, int number)
{
    session *s = &t->session;
    double time = number * lithe_model_step(s->model)->dt;
    lithe_task_targets(s->model, t->start, time, t->accuracy.target);
    lithe_status status = lithe_task_apply(s->model, t->record.state, t->start, time);
    if (status == LITHE_OK)
        status = lithe_play(s->model, t->record.state, time);
    if (status != LITHE_OK)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(t->record.state));
    status = record_step(&t->record);
    if (status != LITHE_OK && status != LITHE_NOT_CONVERGED)
        return status;
    bool counted = number > t->napproach || number == t->record.nstep;
    accuracy_add(&t->accuracy, t->record.state, counted);
    if (counted)
        note_worst(t, number);
    return status;
}

static lithe_status play(track *t)
{
    lithe_status status = LITHE_OK;
    progress bar = progress_start("lithe track", t->record.nstep - t->record.first);
    int first = t->record.first;
    for (int k = first + 1; k <= t->record.nstep && status == LITHE_OK && !interrupt_seen(); k++) {
        status = step(t, k);
        progress_at(&bar, k - first);
    }
    progress_end(&bar);
    return status;
}

// W and J at the end; a singular W_aa leaves J out.
static lithe_status read_matrices(track *t)
{
    session *s = &t->session;
    size_t rows = (size_t)lithe_nrow(s->model), n = (size_t)lithe_ndriven(s->model);
    if (!s->options.jacobian)
        return LITHE_OK;
    t->compliance = arena_new(&s->memory, rows * n, double);
    t->jacobian = arena_new(&s->memory, (rows - n) * n, double);
    if (!t->compliance || !t->jacobian)
        return report_no_memory(&s->report, "the Jacobian");
    lithe_status status = lithe_compliance(s->model, t->record.state, t->compliance);
    if (status != LITHE_OK)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(t->record.state));
    if (lithe_jacobian(s->model, t->record.state, t->jacobian) != LITHE_OK) {
        say_notice("there is no Jacobian: %s", lithe_state_error(t->record.state));
        t->jacobian = NULL;
    }
    return LITHE_OK;
}

// "the target of 'tip' is not reached: 8.3 mm away at 1.2 s (step 120 of 400)"
static void describe_miss(const track *t, char *text, size_t size)
{
    const lithe_model *m = t->session.model;
    lithe_goal goal;
    if (lithe_goal_get(m, t->worst.goal, &goal) != LITHE_OK)
        return;
    const lithe_measure *what = goal.effector >= 0 ? lithe_effector_measure(m, goal.effector)
                                                   : lithe_sensor_measure(m, goal.sensor);
    char away[SHOW_TEXT];
    show_value(what->dimension, t->worst.error, away);
    if (t->worst.step == t->record.nstep)
        snprintf(text, size, "the target of '%s' is not reached: the end is %s away", what->name,
                 away);
    else
        snprintf(text, size,
                 "the target of '%s' is not reached everywhere: farthest off, %s, at %.4g s (step "
                 "%d of %d)",
                 what->name, away, t->worst.step * lithe_model_step(m)->dt, t->worst.step,
                 t->record.nstep);
}

static bool is_at_stop(const lithe_axis_def *axis, double value)
{
    bool any = false; // value NAN: there is no such axis
    for (int k = 0; k < 2; k++)
        any = any || fabs(value - axis->limit[k]) <= STOP_REACHED;
    return any;
}

// A joint that is at its stop, on which the inverse does not lean; NULL: none is.
static const char *joint_at_stop(const track *t)
{
    const lithe_def *def = lithe_scene_def(t->session.scene);
    for (int j = 0; j < lithe_njoint(t->session.model); j++) {
        const lithe_joint_def *d = &def->joint[j];
        lithe_joint_info now;
        lithe_joint_get(t->session.model, t->record.state, j, &now);
        if (is_at_stop(&d->angle, now.angle) || is_at_stop(&d->cross_angle, now.cross_angle) ||
            is_at_stop(&d->travel, now.travel))
            return d->name;
    }
    return NULL;
}

static void say_miss(const track *t, bool error)
{
    char text[LITHE_TEXT_MAX], limit[LIMITS_TEXT], hint[LITHE_TEXT_MAX] = "";
    describe_miss(t, text, sizeof text);
    const char *stopped = joint_at_stop(t);
    if (t->worst.nlimit == 0 && stopped)
        snprintf(hint, sizeof hint,
                 "; joint '%s' is at its stop in the end, and the inverse does not lean on stops",
                 stopped);
    else if (t->worst.nlimit == 0)
        snprintf(hint, sizeof hint,
                 "; no limit holds it back, and no way was found that leads nearer from here");
    if (error)
        say_error("%s%s", text, hint);
    else
        say_notice("%s%s", text, hint);
    for (int i = 0; i < t->worst.nlimit && (error || !t->session.options.quiet); i++)
        fprintf(stderr, "  %s\n", limits_text(t->session.model, &t->worst.limit[i], limit));
}

// In realtime a target moves on before it is reached, so only what is far off is worth a notice.
static bool check_reached(const track *t)
{
    const double far_in_realtime = 100;
    if (is_realtime(t)) {
        if (t->worst.share > far_in_realtime)
            say_miss(t, false);
        return true;
    }
    if (t->worst.share <= 1)
        return true;
    say_miss(t, true);
    return false;
}

static int finish(track *t, bool converged)
{
    session *s = &t->session;
    record *r = &t->record;
    if (!converged && r->timing.nstep > 0)
        record_say_not_converged(r);
    bool reached = converged && check_reached(t);
    record_say_unstable(r);
    record_say_overlap(r);
    record_say_apart(r);
    record_say_growth(r);
    bool whole = !record_say_folded(r);
    lithe_status status = read_matrices(t);
    if (status != LITHE_OK)
        return say_failure(status, &s->report);
    summary end = record_summary(r, converged);
    active_limit limit[LIMITS_MAX];
    end.accuracy = &t->accuracy;
    end.reached = reached;
    end.limit = limit;
    end.nlimit = converged ? limits_find(s->model, r->state, t->accuracy.target, limit) : 0;
    end.compliance = t->compliance;
    end.jacobian = t->jacobian;
    return record_finish(r, &end, reached && whole ? EXIT_DONE : EXIT_NOT_CONVERGED);
}

// No rest under the starting commands: what there is is told all the same.
static int finish_unsettled(track *t)
{
    say_failure(LITHE_NOT_CONVERGED, &t->session.report);
    lithe_status status = record_begin(&t->record, 1, t->accuracy.target);
    return status == LITHE_OK ? finish(t, false) : say_failure(status, &t->session.report);
}

static int track_session(track *t)
{
    lithe_status status = prepare(t);
    if (status == LITHE_NOT_CONVERGED && !interrupt_seen())
        return finish_unsettled(t);
    if (status != LITHE_OK && !interrupt_seen())
        return say_failure(status, &t->session.report);
    if (status == LITHE_OK)
        status = play(t);
    if (interrupt_seen()) {
        say_notice("interrupted%s",
                   t->record.saving || t->record.recording ? "; no results were written" : "");
        return EXIT_INTERRUPTED;
    }
    if (status != LITHE_OK && status != LITHE_NOT_CONVERGED)
        return say_failure(status, &t->session.report);
    return finish(t, status == LITHE_OK);
}

int command_track(int argc, char **argv)
{
    static track t; // with its lists of limits too large for a stack
    int exit_status;
    interrupt_watch();
    t.record.session = &t.session;
    if (session_open(&t.session, &LINE, argc, argv, &exit_status))
        exit_status = t.session.options.data ? estimation_run(&t.session) : track_session(&t);
    record_close(&t.record);
    session_close(&t.session);
    return exit_status;
}
