// A recording that a browser begins and ends, in a folder of the program's own, to be downloaded.
#include "app/live.h"
#include "base/status.h"
#include "io/outdir.h"
#include "io/unfinished.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHECKPOINT = 100, STEPS_MAX = 100000 };

static const char *file_of(live *l)
{
    snprintf(l->file, sizeof l->file, "%s/%s", l->folder, OUTDIR_RECORDING);
    return l->file;
}

static bool make_folder(live *l)
{
    const char *base = getenv("TMPDIR");
    if (l->folder[0])
        return true;
    snprintf(l->folder, sizeof l->folder, "%s/lithe.XXXXXX",
             base && *base && strlen(base) < sizeof l->folder - 16 ? base : "/tmp");
    if (mkdtemp(l->folder)) {
        unfinished_add(l->folder);
        return true;
    }
    l->folder[0] = '\0';
    return false;
}

// What goes wrong with a recording is told to the browser; the robot goes on.
static void tell(live *l, lithe_status status)
{
    if (status != LITHE_OK)
        server_note(l->server, l->session->report.error);
}

void live_record_begin(live *l)
{
    session *s = l->session;
    if (l->recording)
        return;
    lithe_status status =
        make_folder(l)
            ? LITHE_OK
            : LITHE_FAIL(&s->report, LITHE_IO, "no folder for the recording: %s", strerror(errno));
    arena memory = {0};
    int nset = 0;
    const char **set = NULL;
    if (status == LITHE_OK)
        status = live_overrides(l, &memory, &nset, &set);
    recording_setup setup = {.path = file_of(l),
                             .command = "view",
                             .scene = s->scene,
                             .nset = nset,
                             .set = set,
                             .model = s->model,
                             .checkpoint = CHECKPOINT,
                             .nstep = STEPS_MAX};
    if (status == LITHE_OK)
        status = recording_open(&setup, l->state, &l->recording, &s->report);
    arena_free(&memory);
    l->recorded_from = l->step;
    live_record_step(l);
    tell(l, status);
}

void live_record_step(live *l)
{
    session *s = l->session;
    if (!l->recording)
        return;
    lithe_targets(s->model, l->state, l->row_target);
    recording_step step = {.step = l->step - l->recorded_from,
                           .time = l->time,
                           .step_time = l->step_time,
                           .state = l->state,
                           .target = l->row_target};
    lithe_status status = recording_add(l->recording, &step, &s->report);
    if (status != LITHE_OK) {
        recording_discard(l->recording);
        l->recording = NULL;
        tell(l, status);
    } else if (step.step >= STEPS_MAX) {
        live_record_end(l);
    }
}

void live_record_end(live *l)
{
    if (!l->recording)
        return;
    lithe_status status = recording_commit(l->recording, NULL, l->state, &l->session->report);
    l->recording = NULL;
    if (status == LITHE_OK)
        server_set_download(l->server, file_of(l));
    tell(l, status);
}

void live_record_close(live *l)
{
    recording_discard(l->recording);
    if (!l->folder[0])
        return;
    unlink(file_of(l));
    rmdir(l->folder);
    unfinished_drop(l->folder);
}
