#include "app/session.h"

#include "app/say.h"
#include "base/status.h"
#include "io/outdir.h"
#include "io/recording.h"

#include <string.h>

enum { MAX_NOTICE = 100 }; // kept for the JSON; all are said

// Each is said once, however often the scene is compiled.
static void on_notice(void *user, const char *text)
{
    session *s = user;
    for (int i = 0; i < s->nnotice; i++)
        if (strcmp(s->notice[i], text) == 0)
            return;
    if (!s->silent)
        say_notice("%s", text);
    const char *copy = s->nnotice < MAX_NOTICE ? arena_strdup(&s->memory, text) : NULL;
    if (copy)
        s->notice[s->nnotice++] = copy;
}

static lithe_status load_recording(session *s)
{
    LITHE_TRY(replay_open(s->options.from, &s->from, &s->report));
    return replay_model(s->from, s->options.nset, s->options.set, &s->scene, &s->model, &s->report);
}

// A results folder may hold a recording, and a file may be one.
static lithe_status find_recording(session *s)
{
    const char *inside = arena_format(&s->memory, "%s/%s", s->options.scene, OUTDIR_RECORDING);
    if (!inside)
        return report_no_memory(&s->report, "the recording");
    if (replay_is_recording(s->options.scene))
        s->options.from = s->options.scene;
    else if (replay_is_recording(inside))
        s->options.from = inside;
    return LITHE_OK;
}

static lithe_status load(session *s, const command_line *line)
{
    s->notice = arena_new(&s->memory, MAX_NOTICE, const char *);
    if (!s->notice)
        return report_no_memory(&s->report, "notices");
    if (s->options.out && (line->options & OPTION_OUT))
        LITHE_TRY(outdir_check(s->options.out, &s->report));
    if (s->options.record)
        LITHE_TRY(recording_check(s->options.record, &s->report));
    if (line->takes_recording)
        LITHE_TRY(find_recording(s));
    if (s->options.from)
        return load_recording(s);
    if (line->input)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "%s: this is no recording; make one with 'lithe run SCENE --record "
                          "FILE.h5'",
                          s->options.scene);
    LITHE_TRY(
        lithe_scene_read(s->options.scene, s->options.nset, s->options.set, &s->scene, &s->report));
    return lithe_compile(lithe_scene_def(s->scene), &s->model, &s->report);
}

// What there is to say about a scene is said in full by `lithe check`, and counted by the others:
// it would be the same on every run.
static lithe_status load_silently(session *s, const command_line *line)
{
    s->silent = !line->says_notices && !s->options.from;
    lithe_status status = load(s, line);
    if (s->silent && s->nnotice > 0 && status == LITHE_OK)
        say_notice("%s: %d notice%s about the scene, which 'lithe check' tells%s", s->options.scene,
                   s->nnotice, s->nnotice == 1 ? "" : "s",
                   s->options.nset > (line->preset != NULL) ? " with the same --set" : "");
    s->silent = false;
    return status;
}

bool session_open(session *s, const command_line *line, int argc, char **argv, int *exit_status)
{
    memset(s, 0, sizeof *s);
    s->report = lithe_report_default();
    s->report.on_notice = on_notice;
    s->report.user = s;
    if (!options_parse(line, argc, argv, &s->options, exit_status))
        return false;
    lithe_status status = load_silently(s, line);
    if (status == LITHE_OK)
        return true;
    *exit_status = say_failure(status, &s->report);
    return false;
}

void session_close(session *s)
{
    replay_close(s->from);
    lithe_model_free(s->model);
    lithe_scene_free(s->scene);
    options_free(&s->options);
    arena_free(&s->memory);
}
