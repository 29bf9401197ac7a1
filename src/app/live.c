#include "app/live.h"

#include "app/interrupt.h"
#include "base/clock.h"
#include "base/status.h"
#include "io/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void wait_until(double when)
{
    double left = when - clock_now();
    if (left <= 0)
        return;
    struct timespec t = {.tv_sec = (time_t)left, .tv_nsec = (long)(fmod(left, 1) * 1e9)};
    nanosleep(&t, NULL);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

lithe_status live_introduce(live *l)
{
    session *s = l->session;
    stream_scene scene = {.name = base_name(s->options.scene),
                          .def = lithe_scene_def(s->scene),
                          .drawing = &l->drawing,
                          .live = true};
    size_t bytes;
    void *text = stream_write_scene(&scene, &bytes);
    lithe_status status = text ? server_set_head(l->server, text, bytes) : LITHE_NO_MEMORY;
    free(text);
    return status == LITHE_OK ? status : report_no_memory(&s->report, "what the page is told");
}

static lithe_status create_arrays(live *l)
{
    session *s = l->session;
    const lithe_model *m = s->model;
    size_t markers = (size_t)l->drawing.nmarker + 1;
    l->aimed = arena_new(&s->memory, markers, bool);
    l->aim = arena_new(&s->memory, 3 * markers, double);
    l->target = arena_new(&s->memory, 3 * markers, double);
    l->young = arena_new(&s->memory, lithe_scene_def(s->scene)->nmaterial + 1, double);
    l->start = arena_new(&s->memory, lithe_nrow(m) + 1, double);
    l->row_target = arena_new(&s->memory, lithe_nrow(m) + 1, double);
    l->moved = arena_new(&s->memory, 3 * lithe_nobstacle(m) + 1, double);
    l->shifted = arena_new(&s->memory, 3 * lithe_nobstacle(m) + 1, double);
    l->way = arena_new(&s->memory, LITHE_MOTION * lithe_nobstacle(m) + 1, double);
    l->effort = arena_new(&s->memory, lithe_ndriven(m) + 1, double);
    l->displacement = arena_new(&s->memory, lithe_ndriven(m) + 1, double);
    if (!l->aimed || !l->aim || !l->target || !l->young || !l->start || !l->row_target ||
        !l->effort || !l->displacement || !l->moved || !l->shifted || !l->way)
        return report_no_memory(&s->report, "the view");
    return LITHE_OK;
}

static bool can_aim(const live *l)
{
    double direction[3];
    for (int i = 0; i < l->drawing.nmarker; i++)
        if (lithe_row_direction(l->session->model, l->drawing.marker[i].row, direction))
            return true;
    return false;
}

lithe_status live_open(live *l, session *s, server *served)
{
    *l = (live){.session = s, .server = served, .speed = 1};
    LITHE_TRY(drawing_create(s->model, &l->drawing, &s->report));
    LITHE_TRY(create_arrays(l));
    LITHE_TRY(orders_read(s, &l->first));
    LITHE_TRY(orders_read(s, &l->order));
    LITHE_TRY(lithe_state_create(s->model, s->options.threads, &l->state, &s->report));
    interrupt_ends(l->state);
    l->mode = lithe_ngoal(s->model) > 0 ? LIVE_TASK : can_aim(l) ? LIVE_INVERSE : LIVE_FORWARD;
    LITHE_TRY(live_reset(l));
    return live_introduce(l);
}

void live_close(live *l)
{
    live_record_close(l);
    lithe_state_free(l->state);
    drawing_free(&l->drawing);
}

static void show(live *l, double now)
{
    static double shown;
    const double most_often = 1.0 / 60;
    const lithe_model *m = l->session->model;
    int fields = server_fields(l->server);
    if (now - shown < most_often)
        return;
    int ncontact = drawing_contacts(&l->drawing, l->state, l->contact);
    void *out = server_frame_begin(l->server, stream_frame_bytes(&l->drawing, fields, ncontact));
    if (!out)
        return;
    shown = now;
    for (int i = 0; i < lithe_nactuator(m); i++) {
        int row = lithe_row_of_actuator(m, i);
        lithe_effort(m, l->state, i, l->effort + row);
        lithe_displacement(m, l->state, i, l->displacement + row);
    }
    lithe_targets(m, l->state, l->row_target);
    for (int o = 0; o < lithe_nobstacle(m); o++)
        lithe_obstacle_motion(m, l->state, o, l->way + LITHE_MOTION * (size_t)o);
    lithe_residual last = lithe_last_residual(l->state);
    stream_frame f = {.flags = (l->paused ? STREAM_PAUSED : 0) | (l->failed ? STREAM_FAILED : 0) |
                               (l->recording ? STREAM_RECORDING : 0) |
                               (l->mode << STREAM_MODE_SHIFT),
                      .fields = fields,
                      .step = l->step,
                      .time = l->time,
                      .step_time = l->step_time,
                      .force = last.force,
                      .task = last.task,
                      .speed = l->speed,
                      .load = last.load,
                      .effort = l->effort,
                      .displacement = l->displacement,
                      .value = lithe_row_values(l->state),
                      .target = l->row_target,
                      .state = l->state,
                      .way = l->way,
                      .ncontact = ncontact,
                      .contact = l->contact};
    stream_write_frame(&l->drawing, &f, out);
    server_frame_end(l->server);
}

static lithe_status advance(live *l)
{
    session *s = l->session;
    LITHE_TRY(live_command(l));
    double start = clock_now();
    lithe_status status = lithe_step(s->model, l->state);
    l->step_time = clock_now() - start;
    l->failed = status == LITHE_NOT_CONVERGED;
    if (status != LITHE_OK && !l->failed)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(l->state));
    server_note(l->server, l->failed ? lithe_state_error(l->state) : "");
    l->step++;
    l->time += lithe_model_step(s->model)->dt;
    live_record_step(l);
    return LITHE_OK;
}

// From one step to the next at the wanted speed, s.
static double period(const live *l)
{
    return lithe_model_step(l->session->model)->dt / l->speed;
}

// What is late is not caught up.
static lithe_status advance_when_due(live *l, double *last)
{
    double due = *last + period(l);
    bool now = l->one_step || (!l->paused && clock_now() >= due);
    if (!now)
        return LITHE_OK;
    l->one_step = false;
    LITHE_TRY(advance(l));
    double end = clock_now();
    *last = fmin(end, fmax(due, end - period(l)));
    return LITHE_OK;
}

// Naps are short, so that whoever pauses or ends it need not wait for the next step, which may be
// far off.
lithe_status live_run(live *l)
{
    const double nap = 0.02;
    double last = clock_now() - period(l);
    while (!interrupt_seen()) {
        message m;
        while (server_take(l->server, &m))
            LITHE_TRY(live_obey(l, &m));
        LITHE_TRY(advance_when_due(l, &last));
        double now = clock_now();
        show(l, now);
        wait_until(l->paused ? now + nap : fmin(last + period(l), now + nap));
    }
    return LITHE_OK;
}
