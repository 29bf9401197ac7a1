// What there is to say of a drive.
#include "app/driving.h"
#include "app/show.h"
#include "app/timing.h"
#include "io/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const lithe_measure *measure_of(const lithe_model *m, int i)
{
    lithe_goal goal;
    if (lithe_goal_get(m, i, &goal) != LITHE_OK)
        return NULL;
    return goal.effector >= 0 ? lithe_effector_measure(m, goal.effector)
                              : lithe_sensor_measure(m, goal.sensor);
}

static void sort(driving *d)
{
    tally *list[] = {&d->late, &d->busy, &d->age};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        tally_sort(list[i]);
    for (int i = 0; i < lithe_ngoal(d->session.model); i++)
        tally_sort(&d->error[i]);
}

static void write_time(const driving *d, const lithe_drive_report *r, json *j)
{
    json_begin_object(j, "time");
    json_string(j, "clock", d->def->lockstep ? "lockstep" : "real");
    json_number(j, "period_ms", 1e3 * d->dt);
    json_number(j, "seconds", d->now);
    json_integer(j, "missed", d->def->lockstep ? 0 : d->beat.missed);
    json_integer(j, "skipped", d->def->lockstep ? 0 : d->beat.skipped);
    tally_write(&d->late, j, "late_ms", 1e3);
    tally_write(&d->busy, j, "busy_ms", 1e3);
    tally_write(&d->age, j, "sensor_to_order_ms", 1e3);
    json_number(j, "clock_offset_ms", 1e3 * r->offset);
    json_number(j, "round_trip_ms", 1e3 * r->trip);
    json_end_object(j);
}

static void write_wire(const driving *d, const lithe_drive_report *r, json *j)
{
    json_begin_object(j, "wire");
    json_string(j, "name", d->name);
    json_integer(j, "heard", r->heard);
    json_integer(j, "missing", r->missing);
    json_integer(j, "repeated", r->repeated);
    json_integer(j, "refused", r->refused);
    json_integer(j, "nonsense", d->nonsense);
    json_integer(j, "unsent", d->unsent);
    json_integer(j, "unrecorded", d->unrecorded);
    json_end_object(j);
}

static void write_gate(const driving *d, json *j)
{
    json_begin_object(j, "gate");
    for (int i = 0; i < DRIVING_MODES; i++)
        json_integer(j, lithe_gate_mode_name((lithe_gate_mode)i), d->in_mode[i]);
    json_integer(j, "limited", d->limited);
    json_integer(j, "no_number", lithe_gate_refused(lithe_driver_gate(d->driver)));
    json_end_object(j);
    extents_write(&d->extents, j);
    long left_out = d->nevent > DRIVING_EVENTS ? d->nevent - DRIVING_EVENTS : 0;
    json_begin_array(j, "events");
    for (long i = 0; i < d->nevent; i++) {
        if (i == DRIVING_FIRST)
            i += left_out;
        json_string(j, NULL, d->event[driving_event(i)]);
    }
    json_end_array(j);
    json_integer(j, "events_left_out", left_out);
}

char *driving_json(driving *d)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    json j = {.out = out};
    lithe_drive_report r = lithe_driver_report(d->driver);
    const lithe_model *m = d->session.model;
    sort(d);
    json_begin_object(&j, NULL);
    json_string(&j, "scene", d->session.options.scene);
    json_string(&j, "version", lithe_version());
    json_integer(&j, "cycles", r.cycles);
    json_integer(&j, "steps", lithe_driver_done(d->driver));
    json_bool(&j, "done", lithe_driver_done(d->driver) >= lithe_driver_steps(d->driver));
    json_string(&j, "end", d->end);
    json_integer(&j, "not_converged", r.failed);
    json_begin_object(&j, "errors");
    for (int i = 0; i < lithe_ngoal(m); i++)
        if (measure_of(m, i))
            tally_write(&d->error[i], &j, measure_of(m, i)->name, 1);
    json_end_object(&j);
    write_time(d, &r, &j);
    write_wire(d, &r, &j);
    write_gate(d, &j);
    json_end_object(&j);
    fputs("\n", out);
    bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

void driving_print(driving *d)
{
    lithe_drive_report r = lithe_driver_report(d->driver);
    const lithe_model *m = d->session.model;
    char middle[SHOW_TEXT], most[SHOW_TEXT];
    printf("drive: %ld cycles over the %s; %s\n", r.cycles, d->name, d->end);
    for (int i = 0; i < lithe_ngoal(m); i++) {
        const lithe_measure *what = measure_of(m, i);
        const tally *e = &d->error[i];
        if (what && e->n > 0)
            printf("  %s: error median %s, largest %s\n", what->name,
                   show_value(what->dimension, timing_rank(e->value, e->n, 0.5), middle),
                   show_value(what->dimension, timing_rank(e->value, e->n, 1), most));
    }
    if (!d->def->lockstep)
        printf("  deadlines: %ld missed; late %.3g ms (median), %.3g ms (largest); a cycle takes "
               "%.3g ms\n",
               d->beat.missed, 1e3 * timing_rank(d->late.value, d->late.n, 0.5),
               1e3 * timing_rank(d->late.value, d->late.n, 1),
               1e3 * timing_rank(d->busy.value, d->busy.n, 0.5));
    if (d->age.n > 0 && !d->def->lockstep)
        printf("  from sensor to order: %.3g ms (median), %.3g ms (99 %%)\n",
               1e3 * timing_rank(d->age.value, d->age.n, 0.5),
               1e3 * timing_rank(d->age.value, d->age.n, 0.99));
    printf("  readings: %ld heard, %ld missing, %ld not believed; limited in %ld cycles\n", r.heard,
           r.missing, r.refused + d->nonsense, d->limited);
}
