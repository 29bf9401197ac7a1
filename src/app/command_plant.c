#include "app/beat.h"
#include "app/extent.h"
#include "app/interrupt.h"
#include "app/program.h"
#include "app/say.h"
#include "app/session.h"
#include "base/clock.h"
#include "base/status.h"
#include "io/wire.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const command_line LINE = {
    .name = "plant",
    .usage = "SCENE [options]",
    .about =
        "Plays the machine of a scene's section wire, with what is wrong with it in the\n"
        "section plant: lags, play, friction, noise, delays, lost messages, loads that come\n"
        "and go. 'lithe drive' drives it, in another process, as it would the machine itself.\n"
        "Without orders it goes to the safe state by itself, as a machine should.\n"
        "\n"
        "Goes on until it is interrupted or has done --steps; ends with 0 then, 2 on bad\n"
        "input, 3 when memory failed.\n",
    .options = OPTION_STEPS | OPTION_THREADS | OPTION_SET | OPTION_JSON | OPTION_QUIET,
};

typedef struct plant_run {
    session session;
    const lithe_wire_def *def;
    lithe_plant *plant;
    wire *wire;
    double dt;
    wire_message reading, order;
    long heard, lost, nonsense, wrong, failed;
    long last;       // number of the order that was heard last
    double heard_at; // s
    double told_at;  // s, by our clock
    bool spoken;     // an order has come
    bool safe;       // it went there by itself
    extents extents;
} plant_run;

static int64_t microseconds(double seconds)
{
    return (int64_t)llround(1e6 * seconds);
}

// By the plant's own clock: that of its steps where both sides go by messages.
static double plant_clock(const plant_run *p)
{
    return p->def->lockstep ? lithe_plant_time(p->plant) : clock_now();
}

static void obey(plant_run *p)
{
    p->spoken = true;
    p->safe = false;
    p->heard++;
    p->heard_at = plant_clock(p);
    extents_note(&p->extents, &p->order);
}

// Said again, since the answer was long in coming or is lost.
static bool is_repeated(const plant_run *p)
{
    return p->def->lockstep && p->order.number == p->reading.echo;
}

// True: an order was there, which may have been lost. Where both sides go by messages it is
// answered even then, and nothing is done.
static bool take_order(plant_run *p)
{
    if (is_repeated(p)) {
        wire_send(p->wire, &p->reading);
        return false;
    }
    bool lost = !lithe_plant_hears(p->plant);
    if (p->order.n != lithe_plant_nout(p->plant) ||
        (!lost && lithe_plant_tell(p->plant, p->order.value) != LITHE_OK)) {
        p->wrong++;
        return false;
    }
    p->lost += lost;
    if (!lost)
        obey(p);
    if (lost && !p->def->lockstep)
        return false;
    p->reading.echo = p->order.number;
    p->reading.echo_time = microseconds(plant_clock(p));
    return true;
}

// The newest of the orders that have come; false: none.
static bool hear(plant_run *p)
{
    bool any = false;
    wire_event event;
    while ((event = wire_receive(p->wire, &p->order)) != WIRE_NOTHING) {
        if (event == WIRE_GONE)
            return any;
        if (event == WIRE_NONSENSE)
            p->nonsense++;
        else if (take_order(p))
            any = true;
        if (any && p->def->lockstep)
            break;
    }
    return any;
}

static lithe_status advance(plant_run *p)
{
    session *s = &p->session;
    lithe_status status = lithe_plant_step(p->plant);
    if (status != LITHE_OK && status != LITHE_NOT_CONVERGED)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(lithe_plant_state(p->plant)));
    p->failed += status != LITHE_OK;
    return LITHE_OK;
}

// A reading that is lost still keeps the other side in step, where that goes by messages: the last
// one is told again.
static void tell(plant_run *p)
{
    double value[WIRE_NUMBERS];
    bool lost = lithe_plant_read(p->plant, value);
    p->reading.time = microseconds(plant_clock(p));
    p->reading.number += !lost || !p->def->lockstep;
    if (lost && !p->def->lockstep)
        return;
    if (!lost)
        memcpy(p->reading.value, value, (size_t)p->reading.n * sizeof *value);
    p->told_at = clock_now();
    wire_send(p->wire, &p->reading);
}

// Who hears nothing for long goes to the safe state without being told.
static void watch(plant_run *p)
{
    if (p->spoken && !p->safe && plant_clock(p) - p->heard_at > p->def->safe) {
        lithe_plant_rest(p->plant);
        extents_pause(&p->extents);
        p->safe = true;
    }
}

static lithe_status run_by_clock(plant_run *p)
{
    const char *refused = beat_claim();
    if (refused[0])
        say_notice("the system does not allow %s: steps may come late", refused);
    beat b = beat_start(p->dt);
    int steps = p->session.options.steps;
    for (int k = 0; !interrupt_seen() && (steps == 0 || k < steps); k++) {
        beat_wait(&b);
        hear(p);
        watch(p);
        LITHE_TRY(advance(p));
        tell(p);
    }
    return LITHE_OK;
}

// Until somebody answers; and when nobody has for long, since who comes next waits for a reading.
static void announce(plant_run *p)
{
    const double long_ago = 0.5; // s
    double now = clock_now();
    if (p->spoken && now - p->told_at < long_ago)
        return;
    p->told_at = now;
    wire_send(p->wire, &p->reading);
}

static lithe_status run_by_messages(plant_run *p)
{
    const double nap = 0.02;
    int steps = p->session.options.steps;
    for (int k = 0; !interrupt_seen() && (steps == 0 || k < steps);) {
        announce(p);
        wire_wait(p->wire, nap);
        while ((steps == 0 || k < steps) && hear(p)) {
            LITHE_TRY(advance(p));
            tell(p);
            k++;
        }
    }
    return LITHE_OK;
}

static int finish(plant_run *p)
{
    const options *o = &p->session.options;
    if (o->json) {
        json j = {.out = stdout};
        json_begin_object(&j, NULL);
        json_string(&j, "scene", o->scene);
        json_string(&j, "version", lithe_version());
        json_string(&j, "wire", wire_name(p->wire));
        json_number(&j, "time", lithe_plant_time(p->plant));
        json_integer(&j, "heard", p->heard);
        json_integer(&j, "lost", p->lost);
        json_integer(&j, "nonsense", p->nonsense);
        json_integer(&j, "wrong", p->wrong);
        json_integer(&j, "not_converged", p->failed);
        extents_write(&p->extents, &j);
        json_end_object(&j);
        fputs("\n", stdout);
    } else if (!o->quiet) {
        printf("plant: %.6g s on the %s, %ld orders, %ld that were none\n",
               lithe_plant_time(p->plant), wire_name(p->wire), p->heard, p->nonsense + p->wrong);
    }
    return say_flush_output(EXIT_DONE);
}

static lithe_status open_plant(plant_run *p)
{
    session *s = &p->session;
    const lithe_drive_def *def = lithe_scene_drive(s->scene);
    p->def = &def->wire;
    p->dt = p->extents.period = lithe_model_step(s->model)->dt;
    if (!def->wire.location)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "%s: there is no wire to speak over; add the section wire",
                          s->options.scene);
    LITHE_TRY(lithe_plant_create(s->model, def, s->options.threads, &p->plant, &s->report));
    interrupt_ends(lithe_plant_state(p->plant));
    LITHE_TRY(wire_open(&def->wire, true, &p->wire, &s->report));
    p->reading = (wire_message){
        .reading = true, .echo = -1, .echo_time = -1, .n = lithe_plant_nin(p->plant)};
    lithe_plant_read(p->plant, p->reading.value);
    return LITHE_OK;
}

static int play(plant_run *p)
{
    lithe_status status = open_plant(p);
    if (status != LITHE_OK)
        return say_failure(status, &p->session.report);
    if (!p->session.options.quiet)
        fprintf(stderr, "lithe: plant: listening at the %s\n", wire_name(p->wire));
    status = p->def->lockstep ? run_by_messages(p) : run_by_clock(p);
    if (status != LITHE_OK && !interrupt_seen())
        return say_failure(status, &p->session.report);
    return finish(p);
}

int command_plant(int argc, char **argv)
{
    static plant_run p;
    int exit_status;
    interrupt_watch();
    if (session_open(&p.session, &LINE, argc, argv, &exit_status))
        exit_status = play(&p);
    wire_close(p.wire);
    lithe_plant_free(p.plant);
    session_close(&p.session);
    return exit_status;
}
