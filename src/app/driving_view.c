// The robot in a browser while a machine is driven.
#include "app/driving.h"
#include "app/say.h"
#include "base/clock.h"
#include "base/status.h"
#include "io/stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lithe_status introduce(driving *d)
{
    session *s = &d->session;
    const char *slash = strrchr(s->options.scene, '/');
    stream_scene scene = {.name = slash ? slash + 1 : s->options.scene,
                          .def = lithe_scene_def(s->scene),
                          .drawing = &d->drawing,
                          .live = true,
                          .machine = true};
    size_t bytes;
    void *text = stream_write_scene(&scene, &bytes);
    lithe_status status = text ? server_set_head(d->server, text, bytes) : LITHE_NO_MEMORY;
    free(text);
    return status == LITHE_OK ? status : report_no_memory(&s->report, "what the page is told");
}

static lithe_status add_ghost(driving *d)
{
    session *s = &d->session;
    const lithe_state *state = lithe_driver_state(d->driver);
    bool *measured = arena_new(&s->memory, lithe_nrow(s->model) + 1, bool);
    if (!measured)
        return report_no_memory(&s->report, "the view");
    lithe_driver_measures(d->driver, measured);
    return drawing_add_ghost(&d->drawing, state, measured, &s->report);
}

lithe_status driving_view_open(driving *d)
{
    session *s = &d->session;
    server_setup setup = {.address = s->options.address ? s->options.address : "127.0.0.1",
                          .port = s->options.port};
    LITHE_TRY(drawing_create(s->model, &d->drawing, &s->report));
    d->effort = arena_new(&s->memory, lithe_ndriven(s->model) + 1, double);
    d->displacement = arena_new(&s->memory, lithe_ndriven(s->model) + 1, double);
    d->values = arena_new(&s->memory, lithe_nrow(s->model) + 1, double);
    d->way = arena_new(&s->memory, LITHE_MOTION * lithe_nobstacle(s->model) + 1, double);
    if (!d->effort || !d->displacement || !d->values || !d->way)
        return report_no_memory(&s->report, "the view");
    LITHE_TRY(add_ghost(d));
    LITHE_TRY(server_start(&setup, &d->server, &s->report));
    LITHE_TRY(introduce(d));
    fprintf(stderr, "%s\n", server_address(d->server));
    say_notice("open this address in a browser to watch, and to stop it");
    return LITHE_OK;
}

// What the machine measures, and where it does not, the model.
static void fill(driving *d)
{
    const lithe_model *m = d->session.model;
    const lithe_state *state = lithe_driver_state(d->driver);
    const double *measured = lithe_driver_measured(d->driver);
    for (int i = 0; i < lithe_nactuator(m); i++) {
        int row = lithe_row_of_actuator(m, i);
        lithe_effort(m, state, i, d->effort + row);
        lithe_displacement(m, state, i, d->displacement + row);
    }
    for (int o = 0; o < lithe_nobstacle(m); o++)
        lithe_obstacle_motion(m, state, o, d->way + LITHE_MOTION * (size_t)o);
    for (int i = 0; i < lithe_nrow(m); i++)
        d->values[i] = isfinite(measured[i]) ? measured[i] : lithe_row_values(state)[i];
}

// Why it is not driven, or what was not as it should be until now.
void driving_view_note(driving *d)
{
    const double calm = 0.5; // s between two notes of the same mode, to be read
    char text[sizeof d->noted] = "";
    double now = clock_now();
    if (!d->server || (d->mode == d->noted_mode && now - d->noted_at < calm))
        return;
    if (d->mode != LITHE_GATE_OPEN && d->nevent > 0)
        snprintf(text, sizeof text, "%s", d->event[driving_event(d->nevent - 1)]);
    else if (d->beat.missed > 0)
        snprintf(text, sizeof text, "%ld deadline%s missed%s", d->beat.missed,
                 d->beat.missed == 1 ? "" : "s", d->held ? "; " : "");
    if (d->mode == LITHE_GATE_OPEN && d->held)
        strncat(text, "a limit, rate or ramp holds outputs back", sizeof text - strlen(text) - 1);
    if (strcmp(text, d->noted) == 0)
        return;
    memcpy(d->noted, text, sizeof text);
    d->noted_at = now;
    d->noted_mode = d->mode;
    server_note(d->server, text);
}

void driving_view_show(driving *d, double busy)
{
    enum { TASK = 2 };
    const double most_often = 1.0 / 30;
    double now = clock_now();
    if (!d->server || now - d->shown < most_often)
        return;
    const lithe_state *state = lithe_driver_state(d->driver);
    int fields = server_fields(d->server);
    int ncontact = drawing_contacts(&d->drawing, state, d->contact);
    void *out = server_frame_begin(d->server, stream_frame_bytes(&d->drawing, fields, ncontact));
    if (!out)
        return;
    d->shown = now;
    driving_view_note(d);
    fill(d);
    lithe_residual last = lithe_last_residual(state);
    stream_frame f = {.flags = TASK << STREAM_MODE_SHIFT,
                      .fields = fields,
                      .step = (int)d->cycle,
                      .time = d->now,
                      .step_time = busy,
                      .force = last.force,
                      .task = last.task,
                      .speed = 1,
                      .load = last.load,
                      .effort = d->effort,
                      .displacement = d->displacement,
                      .value = d->values,
                      .machine = true,
                      .target = lithe_driver_targets(d->driver),
                      .state = state,
                      .way = d->way,
                      .ncontact = ncontact,
                      .contact = d->contact};
    stream_write_frame(&d->drawing, &f, out);
    server_frame_end(d->server);
}

bool driving_view_stops(driving *d)
{
    bool stop = false;
    message m;
    while (d->server && server_take(d->server, &m))
        stop = stop || m.type == MESSAGE_STOP;
    return stop;
}

void driving_view_close(driving *d)
{
    server_stop(d->server);
    d->server = NULL;
    drawing_free(&d->drawing);
}
