#include "app/playback.h"

#include "base/status.h"
#include "io/stream.h"
#include "step/outline.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

lithe_status playback_open(playback *p, session *s)
{
    const lithe_model *m = s->model;
    size_t driven = (size_t)lithe_ndriven(m), rows = (size_t)lithe_nrow(m);
    *p = (playback){.session = s};
    LITHE_TRY(drawing_create(m, &p->drawing, &s->report));
    LITHE_TRY(lithe_state_create(m, 1, &p->state, &s->report));
    p->line.x = arena_new(&s->memory, 3 * (size_t)lithe_nnode(m), double);
    p->line.effort = arena_new(&s->memory, driven + 1, double);
    p->line.displacement = arena_new(&s->memory, driven + 1, double);
    p->line.value = arena_new(&s->memory, rows + 1, double);
    p->line.target = arena_new(&s->memory, rows + 1, double);
    p->line.way = arena_new(&s->memory, OUTLINE_WAY * lithe_nobstacle(m) + 1, double);
    p->line.contact_max = DRAWING_CONTACTS;
    p->line.contact = arena_new(&s->memory, 6 * DRAWING_CONTACTS, float);
    if (!p->line.x || !p->line.effort || !p->line.displacement || !p->line.value ||
        !p->line.target || !p->line.way || !p->line.contact)
        return report_no_memory(&s->report, "the recording");
    return LITHE_OK;
}

void playback_close(playback *p)
{
    lithe_state_free(p->state);
    drawing_free(&p->drawing);
}

void *playback_head(playback *p, int nframe, size_t *bytes)
{
    const char *path = replay_path(p->session->from), *slash = strrchr(path, '/');
    stream_scene scene = {.name = slash ? slash + 1 : path,
                          .def = lithe_scene_def(p->session->scene),
                          .drawing = &p->drawing,
                          .nframe = nframe};
    return stream_write_scene(&scene, bytes);
}

static double *put(double *out, const double *value, size_t n)
{
    memcpy(out, value, n * sizeof *value);
    return out + n;
}

void *playback_series(playback *p, int stride, size_t *bytes)
{
    session *s = p->session;
    size_t driven = (size_t)lithe_ndriven(s->model);
    size_t measured = (size_t)lithe_nrow(s->model) - driven;
    size_t width = 4 + 2 * driven + 2 * measured;
    int nline = replay_nline(s->from), n = (nline + stride - 1) / stride;
    uint32_t head[2] = {STREAM_SERIES, (uint32_t)n};
    *bytes = sizeof head + (size_t)n * width * sizeof(double);
    char *text = malloc(*bytes);
    if (!text)
        return NULL;
    memcpy(text, head, sizeof head);
    double *out = (double *)(void *)(text + sizeof head);
    for (int i = 0; i < nline; i += stride) {
        if (replay_read(s->from, s->model, i, false, &p->line, &s->report) != LITHE_OK) {
            free(text);
            return NULL;
        }
        double first[4] = {p->line.time, p->line.step_time, p->line.force, p->line.task};
        out = put(out, first, 4);
        out = put(out, p->line.effort, driven);
        out = put(out, p->line.displacement, driven);
        out = put(out, p->line.value + driven, measured);
        out = put(out, p->line.target + driven, measured);
    }
    return text;
}

void *playback_frame(playback *p, int line, int fields, size_t *bytes)
{
    session *s = p->session;
    replay_line *k = &p->line;
    if (line < 0 || line >= replay_nline(s->from) ||
        replay_read(s->from, s->model, line, true, k, &s->report) != LITHE_OK)
        return NULL;
    *bytes = stream_frame_bytes(&p->drawing, fields, k->ncontact);
    void *out = malloc(*bytes);
    if (!out)
        return NULL;
    outline_pose(s->model, p->state, k->x);
    stream_frame f = {.fields = fields,
                      .step = (int)k->step,
                      .number = (uint32_t)line,
                      .time = k->time,
                      .step_time = k->step_time,
                      .force = k->force,
                      .task = k->task,
                      .speed = 1,
                      .load = k->load,
                      .effort = k->effort,
                      .displacement = k->displacement,
                      .value = k->value,
                      .target = k->target,
                      .state = p->state,
                      .way = k->way,
                      .ncontact = k->ncontact,
                      .contact = k->contact};
    stream_write_frame(&p->drawing, &f, out);
    return out;
}
