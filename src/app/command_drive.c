#include "app/driving.h"
#include "app/interrupt.h"
#include "app/program.h"
#include "app/say.h"
#include "base/clock.h"
#include "base/status.h"

#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const command_line LINE = {
    .name = "drive",
    .usage = "SCENE|--replay FILE [options]",
    .about =
        "Drives the machine of the scene's section wire along its task: readings come in, the\n"
        "controller and the model find what actuators shall do, and orders go out, every step.dt.\n"
        "What goes out has passed limits on ranges, rates and ramps; without fresh readings it\n"
        "is held and then goes to a safe state. An interrupt, Enter where standard input is a\n"
        "terminal, or the button of --view is an emergency stop. 'lithe plant' plays the machine "
        "where there is none.\n"
        "With --replay the controller is run on what was recorded, and must send the same bits.\n"
        "\n"
        "Ends with 0 when the task is done, 1 when it went to the safe state instead or a replay\n"
        "differs, 2 on bad input, 3 when memory or disk failed, 130 when interrupted.\n",
    .options = OPTION_STEPS | OPTION_THREADS | OPTION_SET | OPTION_JSON | OPTION_QUIET |
               OPTION_RECORD | OPTION_REPLAY | OPTION_VIEW | OPTION_PORT | OPTION_ADDRESS,
};

static const double MICROSECONDS = 1e6; // in a second

void driving_note(driving *d, const char *format, ...)
{
    char text[DRIVING_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(d->event[driving_event(d->nevent++)], DRIVING_TEXT, "%.3f s: %.*s", d->now,
             DRIVING_TEXT - 32, text);
    if (say_is_heard())
        say_notice("%.3f s: %s", d->now, text);
}

int driving_event(long i)
{
    enum { FIRST = DRIVING_FIRST, LAST = DRIVING_EVENTS - FIRST };
    return i < FIRST ? (int)i : FIRST + (int)((i - FIRST) % LAST);
}

// What ends a drive otherwise than by its task or its user; the first one counts.
static void fail(driving *d, lithe_status status, const char *why)
{
    if (d->failure != LITHE_OK)
        return;
    d->failure = status;
    snprintf(d->why, sizeof d->why, "%s", why);
}

// ## the wire

// Machines that are not there yet may come.
static void connect_wire(driving *d)
{
    const double pause = 0.2;
    lithe_report report = lithe_report_default();
    double now = clock_now();
    if (d->wire || now - d->retried < pause)
        return;
    d->retried = now;
    if (wire_open(d->def, false, &d->wire, &report) != LITHE_OK) {
        snprintf(d->name, sizeof d->name, "%s", report.error);
        return;
    }
    snprintf(d->name, sizeof d->name, "%s", wire_name(d->wire));
    d->out.number = -1; // this machine has had no order yet
    driving_note(d, "connected to the %s", d->name);
}

static void lose(driving *d)
{
    d->full = false;
    d->left = NAN;
    driving_log_heard(&d->log, d->cycle, d->now, DRIVING_LOST, NULL);
    lithe_driver_lose(d->driver, "the connection is lost");
    driving_note(d, "the connection is lost: %s", d->name);
    wire_close(d->wire);
    d->wire = NULL;
}

static void stop(driving *d, const char *why)
{
    if (d->stopping)
        return;
    d->stopping = true;
    d->still = 0;
    snprintf(d->end, sizeof d->end, "%s", why);
    driving_log_heard(&d->log, d->cycle, d->now, DRIVING_STOP, NULL);
    lithe_driver_stop(d->driver, d->end);
}

lithe_reading driving_reading(const wire_message *m)
{
    return (lithe_reading){
        .number = m->number,
        .time = m->time < 0 ? NAN : (double)m->time / MICROSECONDS,
        .echo = m->echo,
        .echo_time = m->echo_time < 0 ? NAN : (double)m->echo_time / MICROSECONDS,
        .value = m->value,
    };
}

// True: an answer to the last order has come, or this machine has not had one yet.
static bool listen_once(driving *d, wire_event *event)
{
    *event = d->wire ? wire_receive(d->wire, &d->in) : WIRE_NOTHING;
    if (*event == WIRE_GONE)
        lose(d);
    bool wrong = *event == WIRE_MESSAGE && d->in.n != lithe_driver_nin(d->driver);
    d->nonsense += *event == WIRE_NONSENSE || wrong;
    if (*event == WIRE_NONSENSE || wrong)
        lithe_driver_doubt(d->driver, wrong ? "a reading has another number of values than wire.in"
                                            : "what comes is no reading");
    if (*event != WIRE_MESSAGE || wrong)
        return false;
    lithe_reading r = driving_reading(&d->in);
    if (!d->def->lockstep)
        d->now = clock_now() - d->origin;
    driving_log_heard(&d->log, d->cycle, d->now, DRIVING_READING, &d->in);
    lithe_driver_hear(d->driver, d->now, &r);
    return !lithe_gate_started(lithe_driver_gate(d->driver)) || d->out.number < 0 ||
           r.echo == d->out.number;
}

static void listen_all(driving *d)
{
    enum { MOST = 1000 }; // in one cycle: who floods is not listened to for ever
    wire_event event;
    for (int i = 0; i < MOST; i++) {
        listen_once(d, &event);
        if (event == WIRE_NOTHING || event == WIRE_GONE)
            return;
    }
}

// In the background the terminal is somebody else's, and reading it would stop the program.
static bool key_down(void)
{
    struct pollfd p = {STDIN_FILENO, POLLIN, 0};
    char unused[64];
    return isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp() && poll(&p, 1, 0) > 0 &&
           read(STDIN_FILENO, unused, sizeof unused) > 0;
}

// Whether somebody wants it to stop, and how; asked while a step is computed, too.
static bool is_halted(void *user)
{
    driving *d = user;
    if (!d->halted)
        d->halted = interrupt_seen()        ? "interrupted"
                    : key_down()            ? "the stop key"
                    : driving_view_stops(d) ? "the stop button"
                                            : NULL;
    return d->halted != NULL;
}

// Both sides move on by messages: the answer to the last order is waited for. An order may have
// been lost, above all the first, before both ends of the wire knew of each other: it is said
// again.
static void listen_in_step(driving *d)
{
    const double moment = 0.5;              // s
    double patience = fmax(2, 100 * d->dt); // s; a plant computes longer the longer its steps are
    double until = clock_now() + patience, again = clock_now() + moment;
    wire_event event;
    while (d->wire && (d->stopping || !is_halted(d)) && clock_now() < until) {
        if (listen_once(d, &event))
            return;
        if (event == WIRE_NOTHING)
            wire_wait(d->wire, 0.02);
        if (d->wire && d->out.number >= 0 && clock_now() > again) {
            wire_send(d->wire, &d->out);
            again += moment;
        }
    }
    bool late = clock_now() >= until;
    if (d->wire && late && lithe_gate_started(lithe_driver_gate(d->driver)))
        lose(d);
}

// For so long that the machine has gone to its safe state by itself: what is on the way would throw
// it back to where it was.
static bool is_late(const driving *d, double now)
{
    return !d->def->lockstep && now - d->left > d->def->safe;
}

static void note_unsent(driving *d, bool late)
{
    d->unsent++;
    if (!d->wire || d->full || late)
        return;
    d->full = true;
    d->full_since = d->now;
    driving_note(d, "no order leaves over the %s", d->name);
}

// When it left, as it tells the machine, microseconds; -1: it did not.
static int64_t speak(driving *d, const lithe_order *order)
{
    if (!order->send) {
        extents_pause(&d->extents);
        d->left = NAN;
        return -1;
    }
    d->out = (wire_message){.number = order->number,
                            .time = (int64_t)llround(MICROSECONDS * (clock_now() - d->origin)),
                            .mode = order->mode,
                            .echo = -1,
                            .n = lithe_driver_nout(d->driver)};
    memcpy(d->out.value, order->value, (size_t)d->out.n * sizeof *order->value);
    bool late = is_late(d, clock_now() - d->origin);
    if (late || !d->wire || !wire_send(d->wire, &d->out)) {
        note_unsent(d, late);
        return -1;
    }
    d->full = false;
    d->left = clock_now() - d->origin;
    extents_note(&d->extents, &d->out);
    if (!d->def->lockstep)
        lithe_driver_sent(d->driver, d->left);
    return d->out.time;
}

// ## one cycle

static void note_mode(driving *d, lithe_gate_mode mode)
{
    const char *reason = lithe_gate_reason(lithe_driver_gate(d->driver));
    if (mode != d->mode) {
        driving_note(d, "%s%s%s", lithe_gate_mode_name(mode), reason[0] ? ": " : "", reason);
        d->mode = mode;
        driving_view_note(d);
    }
    d->in_mode[mode]++;
}

static void note_errors(driving *d)
{
    const lithe_model *m = d->session.model;
    const double *measured = lithe_driver_measured(d->driver),
                 *target = lithe_driver_compared(d->driver);
    if (d->mode != LITHE_GATE_OPEN ||
        lithe_driver_done(d->driver) <= lithe_driver_approach(d->driver))
        return;
    for (int i = 0; i < lithe_ngoal(m); i++) {
        lithe_goal goal;
        double square = 0;
        if (lithe_goal_get(m, i, &goal) != LITHE_OK)
            continue;
        for (int k = goal.row; k < goal.row + goal.nrow; k++)
            square += (measured[k] - target[k]) * (measured[k] - target[k]);
        tally_add(&d->error[i], sqrt(square));
    }
}

static bool has_moved(driving *d, const lithe_order *order)
{
    return order->send && memcmp(d->out.value, order->value,
                                 (size_t)lithe_driver_nout(d->driver) * sizeof(double)) != 0;
}

// A disk that is slow costs steps of the recording, not deadlines; one that fails ends the drive,
// since nobody asked for one that leaves no trace.
static void record_cycle(driving *d, double seconds)
{
    session *s = &d->session;
    recording_step step = {.step = (int)d->cycle + 1,
                           .time = d->now,
                           .step_time = seconds,
                           .state = lithe_driver_state(d->driver),
                           .target = lithe_driver_targets(d->driver)};
    if (!d->recording || d->unrecordable)
        return;
    if (!d->def->lockstep && recording_waits(d->recording, step.step)) {
        if (d->unrecorded++ == 0)
            driving_note(d, "the disk is slow: steps are left out of the recording");
        return;
    }
    lithe_status status = recording_add(d->recording, &step, &s->report);
    if (status == LITHE_OK)
        return;
    d->unrecordable = true;
    fail(d, status, s->report.error);
    stop(d, "the recording cannot be written");
}

// Of steps that do not converge one after the other the first is named.
static void note_step(driving *d, lithe_status status)
{
    if (status == LITHE_OK) {
        d->failing = false;
        return;
    }
    if (!d->failing)
        driving_note(d, "%s", lithe_driver_text(d->driver));
    d->failing = true;
    if (status != LITHE_NOT_CONVERGED)
        fail(d, status, lithe_driver_text(d->driver));
}

static void cycle(driving *d)
{
    lithe_order order;
    double begin = clock_now();
    lithe_status status = lithe_driver_cycle(d->driver, d->now, &order);
    if (status == LITHE_NOT_CONVERGED && d->halted && !d->stopping)
        driving_log_heard(&d->log, d->cycle, d->now, DRIVING_CUT, NULL);
    d->still = has_moved(d, &order) ? 0 : d->still + 1;
    int64_t stamp = speak(d, &order);
    double busy = clock_now() - begin;
    int age = lithe_last_async(lithe_driver_state(d->driver)).age;
    driving_log_sent(&d->log, d->cycle, d->now, &order, age, stamp, lithe_driver_nout(d->driver));
    note_step(d, status);
    note_mode(d, order.mode);
    note_errors(d);
    bool limited = false;
    for (int i = 0; i < lithe_driver_nout(d->driver); i++)
        limited = limited || lithe_gate_limited(lithe_driver_gate(d->driver), i);
    d->held = limited && order.mode == LITHE_GATE_OPEN;
    d->limited += d->held;
    tally_add(&d->busy, busy);
    tally_add(&d->age, lithe_driver_report(d->driver).age);
    record_cycle(d, busy);
    driving_view_show(d, busy);
    d->cycle++;
}

static const char *why_closed(const driving *d)
{
    const char *reason = lithe_gate_reason(lithe_driver_gate(d->driver));
    return !d->wire ? "the machine is not there" : reason[0] ? reason : "no reading came";
}

// Why it shall end, if it shall.
static void judge(driving *d)
{
    const double patience = 10; // s without a reading to begin with
    const char *reason = lithe_gate_reason(lithe_driver_gate(d->driver));
    lithe_gate_mode mode = lithe_gate_state(lithe_driver_gate(d->driver));
    if (is_halted(d))
        stop(d, d->halted);
    else if (lithe_driver_done(d->driver) >= lithe_driver_steps(d->driver) ||
             (d->session.options.steps && d->cycle >= d->session.options.steps))
        stop(d, lithe_driver_done(d->driver) > 0 ? "the task is done" : why_closed(d));
    else if (mode == LITHE_GATE_STOP || (mode == LITHE_GATE_SAFE && !d->def->resume))
        stop(d, reason);
    else if (mode == LITHE_GATE_CLOSED && clock_now() - d->origin > patience)
        stop(d, why_closed(d));
}

// Outputs that have not moved for a while are in the safe state.
static bool is_over(const driving *d)
{
    enum { STILL = 3 };
    return d->stopping &&
           (d->still >= STILL || !d->wire || !lithe_gate_started(lithe_driver_gate(d->driver)));
}

// What is missed is named: whether our own cycle was too long, or the system let us wait.
static void wait_for_deadline(driving *d)
{
    long before = d->beat.missed;
    double took = clock_now() - d->origin - d->now, began = d->began;
    double computed = clock_computed() - d->computed;
    d->began = beat_wait(&d->beat);
    d->computed = clock_computed();
    tally_add(&d->late, d->began);
    if (d->beat.missed > before)
        driving_note(d,
                     "%ld deadline%s missed: the cycle began %.3g ms late and took %.3g ms, of "
                     "which it computed %.3g ms",
                     d->beat.missed - before, d->beat.missed - before == 1 ? "" : "s", 1e3 * began,
                     1e3 * took, 1e3 * computed);
}

static void nap(void)
{
    struct timespec t = {.tv_nsec = 10000000};
    nanosleep(&t, NULL);
}

// Until the machine is there for the first time.
static void wait_for_machine(driving *d)
{
    d->origin = clock_now();
    for (connect_wire(d); !d->wire && !d->stopping; connect_wire(d)) {
        nap();
        judge(d);
    }
}

// One that takes no orders for so long that the machine goes to its safe state is as good as cut.
static void give_up_wire(driving *d)
{
    if (d->wire && d->full && d->now - d->full_since > d->def->safe)
        lose(d);
}

// The program was stopped meanwhile, or a step of the model took that time.
static void note_silence(driving *d)
{
    char why[DRIVING_TEXT];
    if (d->full || !is_late(d, d->now))
        return;
    snprintf(why, sizeof why, "no order has left for %.4g ms", 1e3 * (d->now - d->left));
    driving_log_heard(&d->log, d->cycle, d->now, DRIVING_LOST, NULL);
    lithe_driver_lose(d->driver, why);
    d->left = NAN;
}

static void run(driving *d)
{
    wait_for_machine(d);
    d->origin = clock_now();
    d->left = NAN;
    d->beat = beat_start(d->dt);
    d->computed = clock_computed();
    while (!is_over(d)) {
        connect_wire(d);
        if (d->def->lockstep) {
            d->now = (double)d->cycle * d->dt;
            if (d->wire)
                listen_in_step(d);
            else
                nap();
        } else {
            wait_for_deadline(d);
            d->now = clock_now() - d->origin;
            note_silence(d);
            listen_all(d);
            d->now = clock_now() - d->origin;
            give_up_wire(d);
        }
        judge(d);
        cycle(d);
    }
}

// ## beginning and end

static lithe_status create_tallies(driving *d)
{
    session *s = &d->session;
    int goals = lithe_ngoal(s->model);
    d->error = arena_new(&s->memory, goals + 1, tally);
    bool well = d->error && tally_create(&d->late, d->most) && tally_create(&d->busy, d->most) &&
                tally_create(&d->age, d->most);
    for (int i = 0; i < goals && well; i++)
        well = tally_create(&d->error[i], d->most);
    return well ? LITHE_OK : report_no_memory(&s->report, "the driver; use fewer steps");
}

static lithe_status begin_recording(driving *d)
{
    enum { CHECKPOINT = 1000 };
    session *s = &d->session;
    recording_setup setup = {.path = s->options.record,
                             .command = "drive",
                             .scene = s->scene,
                             .nset = s->options.nset,
                             .set = s->options.set,
                             .model = s->model,
                             .checkpoint = CHECKPOINT,
                             .nstep = d->most};
    if (!s->options.record)
        return LITHE_OK;
    LITHE_TRY(recording_open(&setup, lithe_driver_state(d->driver), &d->recording, &s->report));
    recording_step start = {.state = lithe_driver_state(d->driver),
                            .target = lithe_driver_targets(d->driver)};
    return recording_add(d->recording, &start, &s->report);
}

// Through bytes and back: what a replay begins with.
static lithe_status settle_start(driving *d)
{
    session *s = &d->session;
    lithe_state *state = lithe_driver_state(d->driver);
    size_t bytes = lithe_state_size(s->model, state);
    int found;
    if (s->options.replay)
        LITHE_TRY(replay_load(s->from, s->model, 0, state, &found, &s->report));
    void *buffer = arena_new(&s->memory, bytes, char);
    if (!buffer)
        return report_no_memory(&s->report, "the start");
    lithe_state_save(s->model, state, buffer);
    if (lithe_state_load(s->model, state, buffer, bytes) != LITHE_OK)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "%s", lithe_state_error(state));
    return lithe_driver_begin(d->driver, &s->report);
}

static lithe_status prepare(driving *d)
{
    enum { MORE = 100000 };
    session *s = &d->session;
    if (s->options.replay)
        LITHE_TRY(driving_replay_ages(d));
    const lithe_drive_def *def = lithe_scene_drive(s->scene);
    d->def = &def->wire;
    d->dt = d->extents.period = lithe_model_step(s->model)->dt;
    if (!def->wire.location)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "%s: there is no wire to drive a machine over; add the section wire",
                          s->options.scene ? s->options.scene : s->options.from_path);
    LITHE_TRY(lithe_driver_create(s->model, def, s->options.threads, &d->driver, &s->report));
    d->most = (s->options.steps ? s->options.steps : lithe_driver_steps(d->driver)) + MORE;
    LITHE_TRY(settle_start(d));
    LITHE_TRY(create_tallies(d));
    driving_log_create(&d->log, lithe_driver_nin(d->driver), lithe_driver_nout(d->driver));
    d->log.full = !s->options.record;
    LITHE_TRY(begin_recording(d));
    return s->options.view && !s->options.replay ? driving_view_open(d) : LITHE_OK;
}

static lithe_status finish_recording(driving *d, const char *text)
{
    if (!d->recording || d->unrecordable)
        return LITHE_OK;
    if (d->log.full)
        say_notice("there was no memory for all that went over the wire: the recording lacks its "
                   "end, and a replay will");
    driving_log_keep(&d->log, d->recording);
    lithe_status status =
        recording_commit(d->recording, text, lithe_driver_state(d->driver), &d->session.report);
    d->recording = NULL;
    return status;
}

static int finish(driving *d)
{
    const options *o = &d->session.options;
    char *text = driving_json(d);
    if (!text)
        return say_failure(report_no_memory(&d->session.report, "the summary"), &d->session.report);
    lithe_status status = finish_recording(d, text);
    if (status != LITHE_OK)
        fail(d, status, d->session.report.error);
    bool done = lithe_driver_done(d->driver) >= lithe_driver_steps(d->driver) ||
                (o->steps && d->cycle >= o->steps && lithe_driver_done(d->driver) > 0);
    if (o->json)
        fputs(text, stdout);
    else if (!o->quiet)
        driving_print(d);
    free(text);
    if (d->failure != LITHE_OK) {
        snprintf(d->session.report.error, sizeof d->session.report.error, "%s", d->why);
        return say_flush_output(say_failure(d->failure, &d->session.report));
    }
    if (!done && !interrupt_seen())
        say_error("the task was not done: %s%s%s", d->end, d->wire ? "" : "; ",
                  d->wire ? "" : d->name);
    return say_flush_output(interrupt_seen() ? EXIT_INTERRUPTED
                            : done           ? EXIT_DONE
                                             : EXIT_NOT_CONVERGED);
}

static int drive(driving *d)
{
    lithe_status status = prepare(d);
    if (status == LITHE_OK && d->session.options.replay)
        return driving_replay(d);
    if (status == LITHE_OK && !d->def->lockstep) {
        const char *refused = beat_claim();
        if (refused[0])
            say_notice("the system does not allow %s: cycles may come late", refused);
    }
    if (status != LITHE_OK)
        return say_failure(status, &d->session.report);
    interrupt_hold(true);
    lithe_watch(lithe_driver_state(d->driver), is_halted, d);
    run(d);
    lithe_watch(lithe_driver_state(d->driver), NULL, NULL);
    interrupt_hold(false);
    return finish(d);
}

int command_drive(int argc, char **argv)
{
    static driving d;
    int exit_status;
    interrupt_watch();
    if (session_open(&d.session, &LINE, argc, argv, &exit_status))
        exit_status = drive(&d);
    driving_view_close(&d);
    recording_discard(d.recording);
    wire_close(d.wire);
    driving_log_free(&d.log);
    for (int i = 0; d.error && i < lithe_ngoal(d.session.model); i++)
        tally_free(&d.error[i]);
    tally_free(&d.late);
    tally_free(&d.busy);
    tally_free(&d.age);
    lithe_driver_free(d.driver);
    session_close(&d.session);
    return exit_status;
}
