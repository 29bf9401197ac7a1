#include "app/playback.h"

#include "base/status.h"
#include "io/stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 }; // lines that are read at once

lithe_status playback_open(playback *p, session *s)
{
    const lithe_model *m = s->model;
    size_t driven = (size_t)lithe_ndriven(m), rows = (size_t)lithe_nrow(m);
    *p = (playback){.session = s};
    pthread_mutex_init(&p->lock, NULL);
    if (replay_nline(s->from) == 0)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "%s: there is no step in it, so there is nothing to show",
                          replay_path(s->from));
    LITHE_TRY(drawing_create(m, &p->drawing, &s->report));
    LITHE_TRY(lithe_state_create(m, 1, &p->state, &s->report));
    p->line.x = arena_new(&s->memory, 3 * (size_t)lithe_nnode(m), double);
    p->line.effort = arena_new(&s->memory, driven + 1, double);
    p->line.displacement = arena_new(&s->memory, driven + 1, double);
    p->line.value = arena_new(&s->memory, rows + 1, double);
    p->line.target = arena_new(&s->memory, rows + 1, double);
    p->line.way = arena_new(&s->memory, LITHE_MOTION * lithe_nobstacle(m) + 1, double);
    p->line.contact_max = DRAWING_CONTACTS;
    p->line.contact = arena_new(&s->memory, 6 * DRAWING_CONTACTS, float);
    p->block = arena_new(&s->memory, BLOCK * replay_series_width(m), double);
    if (!p->block || !p->line.x || !p->line.effort || !p->line.displacement || !p->line.value ||
        !p->line.target || !p->line.way || !p->line.contact)
        return report_no_memory(&s->report, "the recording");
    return LITHE_OK;
}

void playback_close(playback *p)
{
    lithe_state_free(p->state);
    drawing_free(&p->drawing);
    pthread_mutex_destroy(&p->lock);
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

// Every stride-th of n lines from `first` on, to `out`; returns where the next ones go.
static double *read_block(playback *p, int first, int n, int stride, double *out)
{
    session *s = p->session;
    size_t width = replay_series_width(s->model);
    pthread_mutex_lock(&p->lock);
    bool well = replay_series(s->from, s->model, first, n, p->block, &s->report) == LITHE_OK;
    pthread_mutex_unlock(&p->lock);
    if (!well)
        return NULL;
    for (int i = (stride - first % stride) % stride; i < n; i += stride, out += width)
        memcpy(out, p->block + (size_t)i * width, width * sizeof *out);
    return out;
}

void *playback_series(playback *p, int stride, size_t *bytes)
{
    session *s = p->session;
    size_t width = replay_series_width(s->model);
    int nline = replay_nline(s->from), n = (nline + stride - 1) / stride;
    uint32_t head[2] = {STREAM_SERIES, (uint32_t)n};
    *bytes = sizeof head + (size_t)n * width * sizeof(double);
    char *text = malloc(*bytes);
    if (!text)
        return NULL;
    memcpy(text, head, sizeof head);
    double *out = (double *)(void *)(text + sizeof head);
    for (int i = 0; i < nline && out; i += BLOCK)
        out = read_block(p, i, nline - i < BLOCK ? nline - i : BLOCK, stride, out);
    if (out)
        return text;
    free(text);
    return NULL;
}

static void *make_frame(playback *p, int line, int fields, size_t *bytes)
{
    session *s = p->session;
    replay_line *k = &p->line;
    if (line < 0 || line >= replay_nline(s->from) ||
        replay_read(s->from, s->model, line, k, &s->report) != LITHE_OK)
        return NULL;
    *bytes = stream_frame_bytes(&p->drawing, fields, k->ncontact);
    void *out = malloc(*bytes);
    if (!out)
        return NULL;
    lithe_show_position(s->model, p->state, k->x);
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

void *playback_frame(playback *p, int line, int fields, size_t *bytes)
{
    pthread_mutex_lock(&p->lock);
    void *frame = make_frame(p, line, fields, bytes);
    pthread_mutex_unlock(&p->lock);
    return frame;
}
