#include "io/replay.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/quote.h"
#include "base/status.h"
#include "io/file.h"
#include "io/h5_child.h"
#include "io/recording_layout.h"
#include "io/unfinished.h"
#include "scene/scene.h"
#include "step/outline.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEPS_MAX = 100000000, SETS_MAX = 10000 };

struct replay {
    arena memory;
    const char *path;
    h5_child *file;
    uint64_t unpacked; // bytes of its files so far
    char *command, *summary;
    int nline, nstep;
    int nset;
    const char **set;
    char folder[64]; // where its files are until it is closed; "": nowhere
    scene_files files;
};

// By its first bytes; neither a pipe nor a device is asked for any.
bool replay_is_recording(const char *path)
{
    static const char mark[8] = "\x89HDF\r\n\x1a\n";
    char head[sizeof mark];
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    FILE *file = fopen(path, "rb");
    bool found = file && fread(head, 1, sizeof head, file) == sizeof head &&
                 !memcmp(head, mark, sizeof head);
    if (file)
        fclose(file);
    return found;
}

static lithe_status fail(const replay *r, lithe_report *report, const char *what)
{
    return LITHE_FAIL(report, LITHE_INVALID,
                      "%s: %s; was it written by another version, or cut short?", r->path, what);
}

// ## opening

static bool read_sets(replay *r)
{
    uint64_t n = 0, bytes;
    char *all = h5_child_all(r->file, RECORDING_SCENE "/set", H5_KIND_TEXT, &n, &bytes);
    r->set = all && n <= SETS_MAX ? arena_new(&r->memory, n + 1, const char *) : NULL;
    bool well = r->set != NULL;
    for (uint64_t i = 0; i < n && well; i++) {
        size_t width = bytes / n;
        char *text = arena_new(&r->memory, width + 1, char);
        if (text)
            memcpy(text, all + i * width, width);
        r->set[i] = text;
        well = text != NULL;
    }
    r->nset = well ? (int)n : 0;
    free(all);
    return well;
}

static lithe_status check_format(const replay *r, lithe_report *report)
{
    int version = 0;
    char *format = h5_child_noted_text(r->file, "", "format");
    bool ours = format && strcmp(format, RECORDING_FORMAT) == 0;
    free(format);
    if (!ours && !h5_child_died(r->file))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: this HDF5 file is not a recording of this version of lithe; record "
                          "the run again",
                          r->path);
    if (!h5_child_noted_number(r->file, "", "format_version", &version) ||
        version != RECORDING_VERSION)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: the recording has format %d, this program reads format %d; record "
                          "the run again",
                          r->path, version, RECORDING_VERSION);
    return LITHE_OK;
}

static lithe_status read_head(replay *r, lithe_report *report)
{
    uint64_t nline = 0, width, lines, bytes;
    LITHE_TRY(check_format(r, report));
    r->command = h5_child_noted_text(r->file, RECORDING_PLAN, "command");
    if (!r->command || !h5_child_noted_number(r->file, RECORDING_PLAN, "steps", &r->nstep) ||
        r->nstep < 0 || r->nstep > STEPS_MAX)
        return fail(r, report, "its plan is missing");
    if (!h5_child_size(r->file, RECORDING_STEPS "/time", H5_KIND_DOUBLE, &nline, &width) ||
        width != 1 || nline > STEPS_MAX)
        return fail(r, report, "its steps are missing");
    r->nline = (int)nline;
    r->summary = h5_child_all(r->file, RECORDING_SUMMARY, H5_KIND_TEXT, &lines, &bytes);
    return read_sets(r) ? LITHE_OK : fail(r, report, "its overrides are missing");
}

lithe_status replay_open(const char *path, replay **out, lithe_report *report)
{
    replay *r = *out = memory_alloc(sizeof *r);
    if (!r)
        return report_no_memory(report, "the recording");
    *r = (replay){0};
    r->path = arena_strdup(&r->memory, path);
    lithe_status status = r->path ? h5_child_start(path, &r->file, report)
                                  : report_no_memory(report, "the recording");
    if (status == LITHE_OK)
        status = read_head(r, report);
    if (status == LITHE_OK)
        return LITHE_OK;
    replay_close(r);
    *out = NULL;
    return status;
}

static void remove_files(replay *r)
{
    for (int i = 0; i < r->files.n; i++)
        unlink(r->files.file[i].path);
    if (r->folder[0]) {
        rmdir(r->folder);
        unfinished_drop(r->folder);
    }
    r->files.n = 0;
    r->folder[0] = '\0';
}

void replay_close(replay *r)
{
    if (!r)
        return;
    remove_files(r);
    h5_child_end(r->file);
    free(r->command);
    free(r->summary);
    arena_free(&r->memory);
    memory_free(r);
}

int replay_nline(const replay *r)
{
    return r->nline;
}

const char *replay_command(const replay *r)
{
    return r->command;
}

const char *replay_summary(const replay *r)
{
    return r->summary;
}

int replay_nstep(const replay *r)
{
    return r->nstep;
}

const char *replay_path(const replay *r)
{
    return r->path;
}

int replay_nset(const replay *r, const char *const **set)
{
    *set = r->set;
    return r->nset;
}

// ## the scene

static const char *ending(const char *name)
{
    const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
    return dot && (!slash || dot > slash) && strlen(dot) < 16 ? dot : "";
}

static lithe_status write_file(replay *r, const char *path, const void *bytes, size_t n,
                               lithe_report *report)
{
    FILE *file;
    LITHE_TRY(file_create(path, &file, report));
    r->files.n++;
    fwrite(bytes, 1, n, file);
    return file_finish(file, path, report);
}

// Every file could be the same bytes: what they unpack to is bounded together.
static void *read_file(replay *r, const char *label, size_t *n)
{
    uint64_t lines, bytes;
    void *data = h5_child_all(r->file, label, H5_KIND_BYTE, &lines, &bytes);
    *n = bytes;
    r->unpacked += bytes;
    if (r->unpacked <= h5_child_most(r->file))
        return data;
    free(data);
    return NULL;
}

static lithe_status unpack_file(replay *r, int number, lithe_report *report)
{
    char label[32];
    size_t n = 0;
    snprintf(label, sizeof label, RECORDING_FILES "/%d", number);
    void *bytes = read_file(r, label, &n);
    char *name = h5_child_noted_text(r->file, label, "name");
    scene_file *f = &r->files.file[r->files.n];
    f->name = name ? arena_strdup(&r->memory, name) : NULL;
    f->path = name ? arena_format(&r->memory, "%s/%d%s", r->folder, number, ending(name)) : NULL;
    free(name);
    lithe_status status = bytes && f->name && f->path
                              ? write_file(r, f->path, bytes, n, report)
                              : fail(r, report, "one of its files is missing");
    free(bytes);
    return status;
}

static lithe_status unpack(replay *r, lithe_report *report)
{
    uint64_t n = 0;
    const char *base = getenv("TMPDIR");
    snprintf(r->folder, sizeof r->folder, "%s/lithe.XXXXXX",
             base && *base && strlen(base) < sizeof r->folder - 16 ? base : "/tmp");
    if (!mkdtemp(r->folder)) {
        int error = errno;
        lithe_status status = LITHE_FAIL(report, LITHE_IO, "the folder '%s' cannot be made: %s; %s",
                                         r->folder, strerror(error), file_remedy(error));
        r->folder[0] = '\0';
        return status;
    }
    unfinished_add(r->folder);
    if (!h5_child_count(r->file, RECORDING_FILES, &n) || n > SCENE_FILES_MAX)
        return fail(r, report, "its files are missing");
    lithe_status status = LITHE_OK;
    for (int i = 0; i < (int)n && status == LITHE_OK; i++)
        status = unpack_file(r, i, report);
    return status;
}

static lithe_status read_model(replay *r, int nset, const char *const *set, lithe_scene **scene,
                               lithe_model **model, lithe_report *report)
{
    uint64_t lines, bytes;
    const char **all = arena_new(&r->memory, r->nset + nset + 1, const char *);
    if (!r->folder[0])
        LITHE_TRY(unpack(r, report));
    char *text = h5_child_all(r->file, RECORDING_SCENE "/text", H5_KIND_BYTE, &lines, &bytes);
    if (!text || !all) {
        free(text);
        return fail(r, report, "its scene is missing");
    }
    for (int i = 0; i < r->nset + nset; i++)
        all[i] = i < r->nset ? r->set[i] : set[i - r->nset];
    lithe_status status =
        scene_read_packed(text, bytes, r->path, r->nset + nset, all, &r->files, scene, report);
    free(text);
    if (status == LITHE_OK)
        status = lithe_compile(lithe_scene_def(*scene), model, report);
    return status;
}

lithe_status replay_model(replay *r, int nset, const char *const *set, lithe_scene **scene,
                          lithe_model **model, lithe_report *report)
{
    *scene = NULL;
    *model = NULL;
    lithe_status status = read_model(r, nset, set, scene, model, report);
    if (status == LITHE_OK)
        return LITHE_OK;
    lithe_model_free(*model);
    lithe_scene_free(*scene);
    *scene = NULL;
    *model = NULL;
    return status;
}

// ## steps

static bool read_table(const replay *r, enum recording_table which, size_t width, int line, int n,
                       double *out)
{
    char name[64];
    if (width == 0)
        return true;
    snprintf(name, sizeof name, RECORDING_STEPS "/%s", recording_table_name[which]);
    return h5_child_lines(r->file, name, H5_KIND_DOUBLE, (uint64_t)line, (uint64_t)n, width, out);
}

static bool read_numbers(const replay *r, const lithe_model *m, int line, replay_line *out)
{
    size_t driven = (size_t)lithe_ndriven(m), measured = (size_t)lithe_nrow(m) - driven;
    return read_table(r, RECORDING_STEP, 1, line, 1, &out->step) && out->step >= 0 &&
           out->step <= STEPS_MAX && read_table(r, RECORDING_TIME, 1, line, 1, &out->time) &&
           read_table(r, RECORDING_STEP_TIME, 1, line, 1, &out->step_time) &&
           read_table(r, RECORDING_FORCE, 1, line, 1, &out->force) &&
           read_table(r, RECORDING_TASK, 1, line, 1, &out->task) &&
           read_table(r, RECORDING_LOAD, 1, line, 1, &out->load) &&
           read_table(r, RECORDING_EFFORT, driven, line, 1, out->effort) &&
           read_table(r, RECORDING_DISPLACEMENT, driven, line, 1, out->displacement) &&
           read_table(r, RECORDING_VALUE, measured, line, 1, out->value + driven) &&
           read_table(r, RECORDING_TARGET, measured, line, 1, out->target + driven) &&
           read_table(r, RECORDING_OBSTACLE, LITHE_MOTION * (size_t)lithe_nobstacle(m), line, 1,
                      out->way);
}

static bool read_contacts_at(const replay *r, uint64_t first, uint64_t n, double *lines)
{
    return h5_child_lines(r->file, RECORDING_CONTACTS, H5_KIND_DOUBLE, first, n,
                          RECORDING_CONTACT_WIDTH, lines);
}

// The first contact of a step at or after this one; steps are in order.
static uint64_t find_contact(const replay *r, uint64_t n, double step)
{
    uint64_t low = 0, high = n;
    double line[RECORDING_CONTACT_WIDTH];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (read_contacts_at(r, middle, 1, line) && line[0] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// As many of these contacts as are of this step; false: the last one was.
static bool take_contacts(const double *line, int n, replay_line *out)
{
    for (int i = 0; i < n; i++, line += RECORDING_CONTACT_WIDTH) {
        if (line[0] != out->step || out->ncontact == out->contact_max)
            return false;
        for (int k = 0; k < 6; k++)
            out->contact[6 * out->ncontact + k] = (float)line[1 + k];
        out->ncontact++;
    }
    return true;
}

static bool read_contacts(const replay *r, replay_line *out)
{
    enum { AT_ONCE = 64 };
    uint64_t n, width;
    double line[AT_ONCE * RECORDING_CONTACT_WIDTH];
    out->ncontact = 0;
    if (!h5_child_size(r->file, RECORDING_CONTACTS, H5_KIND_DOUBLE, &n, &width) ||
        width != RECORDING_CONTACT_WIDTH)
        return false;
    for (uint64_t i = find_contact(r, n, out->step); i < n; i += AT_ONCE) {
        int some = n - i < AT_ONCE ? (int)(n - i) : AT_ONCE;
        if (!read_contacts_at(r, i, (uint64_t)some, line))
            return false;
        if (!take_contacts(line, some, out))
            break;
    }
    return true;
}

// They are floats, and come into the second half of where they will be as doubles.
static bool read_positions(const replay *r, const lithe_model *m, int line, double *x)
{
    size_t n = 3 * (size_t)lithe_nnode(m);
    unsigned char *half = (unsigned char *)x + n * (sizeof *x - sizeof(float));
    if (!h5_child_lines(r->file, RECORDING_STEPS "/position", H5_KIND_FLOAT, (uint64_t)line, 1, n,
                        half))
        return false;
    for (size_t i = 0; i < n; i++) {
        float value;
        memcpy(&value, half + i * sizeof value, sizeof value);
        x[i] = (double)value;
    }
    return true;
}

static lithe_status fail_step(const replay *r, lithe_report *report)
{
    return fail(r, report, "one of its steps cannot be read");
}

lithe_status replay_read(const replay *r, const lithe_model *m, int line, replay_line *out,
                         lithe_report *report)
{
    if (!read_numbers(r, m, line, out) || !read_positions(r, m, line, out->x) ||
        !read_contacts(r, out))
        return fail_step(r, report);
    return LITHE_OK;
}

size_t replay_series_width(const lithe_model *m)
{
    return 4 + 2 * (size_t)lithe_nrow(m);
}

lithe_status replay_series(const replay *r, const lithe_model *m, int first, int n, double *out,
                           lithe_report *report)
{
    size_t driven = (size_t)lithe_ndriven(m), measured = (size_t)lithe_nrow(m) - driven;
    const struct {
        enum recording_table table;
        size_t width;
    } part[] = {{RECORDING_TIME, 1},         {RECORDING_STEP_TIME, 1},
                {RECORDING_FORCE, 1},        {RECORDING_TASK, 1},
                {RECORDING_EFFORT, driven},  {RECORDING_DISPLACEMENT, driven},
                {RECORDING_VALUE, measured}, {RECORDING_TARGET, measured}};
    size_t whole = replay_series_width(m), at = 0;
    double *column = memory_alloc((whole * (size_t)n + 1) * sizeof *column);
    if (!column)
        return report_no_memory(report, "the recording");
    bool well = true;
    for (size_t k = 0; k < sizeof part / sizeof *part && well; at += part[k++].width) {
        well = read_table(r, part[k].table, part[k].width, first, n, column);
        for (size_t i = 0; i < (size_t)n && well; i++)
            memcpy(out + i * whole + at, column + i * part[k].width,
                   part[k].width * sizeof *column);
    }
    memory_free(column);
    return well ? LITHE_OK : fail_step(r, report);
}

// ## going on

static int find_checkpoint(const int *at, uint64_t n, int step)
{
    int best = -1;
    for (uint64_t i = 0; i < n && i < STEPS_MAX; i++)
        if (at[i] >= 0 && at[i] <= STEPS_MAX && (step < 0 || at[i] <= step) &&
            (best < 0 || at[i] > at[best]))
            best = (int)i;
    return best;
}

lithe_status replay_load(const replay *r, const lithe_model *m, int step, lithe_state *state,
                         int *found, lithe_report *report)
{
    uint64_t n, nstate, width = lithe_state_size(m, state), bytes;
    int *at = h5_child_all(r->file, RECORDING_CHECKPOINTS "/step", H5_KIND_INT, &n, &bytes);
    if (!at ||
        !h5_child_size(r->file, RECORDING_CHECKPOINTS "/state", H5_KIND_BYTE, &nstate, &bytes)) {
        free(at);
        return fail(r, report, "its checkpoints are missing");
    }
    int number = find_checkpoint(at, n < nstate ? n : nstate, step);
    *found = number < 0 ? 0 : at[number];
    free(at);
    if (number < 0)
        return LITHE_FAIL(report, LITHE_INVALID, "%s: there is no checkpoint up to step %d",
                          r->path, step);
    if (bytes != width)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: its states belong to another robot, or another version of lithe: "
                          "they have %llu bytes, those of this one %llu",
                          r->path, (unsigned long long)bytes, (unsigned long long)width);
    void *saved = memory_alloc(width);
    if (!saved)
        return report_no_memory(report, "a checkpoint");
    lithe_status status = LITHE_OK;
    if (!h5_child_lines(r->file, RECORDING_CHECKPOINTS "/state", H5_KIND_BYTE, (uint64_t)number, 1,
                        width, saved))
        status = fail(r, report, "a checkpoint cannot be read");
    else if (lithe_state_load(m, state, saved, width) != LITHE_OK)
        status = LITHE_FAIL(report, LITHE_INVALID, "%s: %s", r->path, lithe_state_error(state));
    memory_free(saved);
    return status;
}

static bool read_list(const replay *r, const char *name, int n, double *out)
{
    uint64_t found, width;
    return h5_child_size(r->file, name, H5_KIND_DOUBLE, &found, &width) && width == 1 &&
           found == (uint64_t)n &&
           h5_child_lines(r->file, name, H5_KIND_DOUBLE, 0, (uint64_t)n, 1, out);
}

bool replay_plan(const replay *r, const lithe_model *m, double *kind, double *value)
{
    int n = lithe_ndriven(m);
    return read_list(r, RECORDING_PLAN "/kind", n, kind) &&
           read_list(r, RECORDING_PLAN "/value", n, value);
}

bool replay_start(const replay *r, const lithe_model *m, double *start)
{
    return read_list(r, RECORDING_PLAN "/start", lithe_nrow(m), start);
}

bool replay_table_size(const replay *r, const char *name, size_t *lines, size_t *width)
{
    uint64_t n, w;
    if (!h5_child_size(r->file, name, H5_KIND_DOUBLE, &n, &w) || n > STEPS_MAX || w > STEPS_MAX)
        return false;
    *lines = (size_t)n;
    *width = (size_t)w;
    return true;
}

lithe_status replay_table(const replay *r, const char *name, size_t n, double *out,
                          lithe_report *report)
{
    size_t lines, width;
    if (replay_table_size(r, name, &lines, &width) && lines * width == n &&
        h5_child_lines(r->file, name, H5_KIND_DOUBLE, 0, lines, width, out))
        return LITHE_OK;
    return fail(r, report, "a table of it cannot be read");
}
