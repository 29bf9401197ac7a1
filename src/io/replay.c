#include "io/replay.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/quote.h"
#include "base/status.h"
#include "io/file.h"
#include "io/h5.h"
#include "io/recording_layout.h"
#include "scene/scene.h"
#include "step/outline.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct replay {
    arena memory;
    const char *path;
    hid_t file;
    char *command, *summary;
    int nline, nstep;
    int nset;
    const char **set;
    char folder[64]; // where its files are until it is closed; "": nowhere
    scene_files files;
};

bool replay_is_recording(const char *path)
{
    h5_be_quiet();
    return H5Fis_hdf5(path) > 0;
}

static lithe_status fail(const replay *r, lithe_report *report, const char *what)
{
    return LITHE_FAIL(report, LITHE_INVALID,
                      "%s: %s; was it written by another version, or cut short?", r->path, what);
}

// ## opening

static bool read_sets(replay *r)
{
    hsize_t n = 0, width;
    if (!h5_table_size(r->file, RECORDING_SCENE "/set", &n, &width) || width != 1 || n > 10000)
        return false;
    char **text = arena_new(&r->memory, n + 1, char *);
    r->set = arena_new(&r->memory, n + 1, const char *);
    if (!text || !r->set)
        return false;
    if (n > 0 && !h5_read_texts(r->file, RECORDING_SCENE "/set", text))
        return false;
    bool well = true;
    for (hsize_t i = 0; i < n; i++) {
        well = well && text[i] && (r->set[i] = arena_strdup(&r->memory, text[i]));
        free(text[i]);
    }
    r->nset = (int)n;
    return well;
}

static lithe_status read_head(replay *r, lithe_report *report)
{
    double version = 0, nstep = 0;
    char *format = h5_noted_text(r->file, "format");
    bool ours = format && strcmp(format, RECORDING_FORMAT) == 0;
    free(format);
    if (!ours)
        return LITHE_FAIL(report, LITHE_INVALID, "%s: this HDF5 file is not a recording of lithe",
                          r->path);
    if (!h5_noted_number(r->file, "format_version", &version) || version != RECORDING_VERSION)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: the recording has format %g, this program reads format %d", r->path,
                          version, RECORDING_VERSION);
    hsize_t nline = 0, width;
    hid_t plan = H5Gopen2(r->file, RECORDING_PLAN, H5P_DEFAULT);
    if (plan < 0)
        return fail(r, report, "its plan is missing");
    r->command = h5_noted_text(plan, "command");
    bool counted = h5_noted_number(plan, "steps", &nstep);
    H5Gclose(plan);
    if (!r->command || !counted ||
        !h5_table_size(r->file, RECORDING_STEPS "/time", &nline, &width) || nline > 100000000)
        return fail(r, report, "its steps are missing");
    r->nline = (int)nline;
    r->nstep = (int)nstep;
    r->summary = h5_read_text(r->file, RECORDING_SUMMARY);
    return read_sets(r) ? LITHE_OK : fail(r, report, "its overrides are missing");
}

lithe_status replay_open(const char *path, replay **out, lithe_report *report)
{
    replay *r = *out = memory_alloc(sizeof *r);
    if (!r)
        return report_no_memory(report, "the recording");
    *r = (replay){.file = -1};
    h5_be_quiet();
    r->path = arena_strdup(&r->memory, path);
    lithe_status status = LITHE_OK;
    if (!r->path)
        status = report_no_memory(report, "the recording");
    else if ((r->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)) < 0)
        status = LITHE_FAIL(report, LITHE_INVALID,
                            "%s: cannot be read as a recording; check the path", path);
    else
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
    if (r->folder[0])
        rmdir(r->folder);
    r->files.n = 0;
    r->folder[0] = '\0';
}

void replay_close(replay *r)
{
    if (!r)
        return;
    remove_files(r);
    if (r->file >= 0)
        H5Fclose(r->file);
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

static lithe_status unpack_file(replay *r, hid_t group, int number, lithe_report *report)
{
    char label[32];
    size_t n = 0;
    FILE *file = NULL;
    snprintf(label, sizeof label, "%d", number);
    void *bytes = h5_read_bytes(group, label, &n);
    hid_t set = H5Dopen2(group, label, H5P_DEFAULT);
    char *name = set >= 0 ? h5_noted_text(set, "name") : NULL;
    if (set >= 0)
        H5Dclose(set);
    scene_file *f = &r->files.file[r->files.n];
    f->name = name ? arena_strdup(&r->memory, name) : NULL;
    f->path = name ? arena_format(&r->memory, "%s/%d%s", r->folder, number, ending(name)) : NULL;
    free(name);
    lithe_status status = bytes && f->name && f->path
                              ? file_create(f->path, &file, report)
                              : fail(r, report, "one of its files is missing");
    if (status == LITHE_OK) {
        r->files.n++;
        fwrite(bytes, 1, n, file);
        status = file_finish(file, f->path, report);
    }
    free(bytes);
    return status;
}

static lithe_status unpack(replay *r, lithe_report *report)
{
    H5G_info_t info = {0};
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
    hid_t group = H5Gopen2(r->file, RECORDING_FILES, H5P_DEFAULT);
    if (group < 0 || H5Gget_info(group, &info) < 0 || info.nlinks > SCENE_FILES_MAX)
        return fail(r, report, "its files are missing");
    lithe_status status = LITHE_OK;
    for (int i = 0; i < (int)info.nlinks && status == LITHE_OK; i++)
        status = unpack_file(r, group, i, report);
    H5Gclose(group);
    return status;
}

static lithe_status read_model(replay *r, int nset, const char *const *set, lithe_scene **scene,
                               lithe_model **model, lithe_report *report)
{
    size_t bytes;
    const char **all = arena_new(&r->memory, r->nset + nset + 1, const char *);
    if (!r->folder[0])
        LITHE_TRY(unpack(r, report));
    char *text = h5_read_bytes(r->file, RECORDING_SCENE "/text", &bytes);
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

static bool read_table(const replay *r, enum recording_table which, size_t width, int line,
                       double *out)
{
    char name[64];
    hsize_t lines, found;
    if (width == 0)
        return true;
    snprintf(name, sizeof name, RECORDING_STEPS "/%s", recording_table_name[which]);
    return h5_table_size(r->file, name, &lines, &found) && found == width &&
           h5_read_lines(r->file, name, H5T_NATIVE_DOUBLE, (hsize_t)line, 1, out);
}

static bool read_numbers(const replay *r, const lithe_model *m, int line, replay_line *out)
{
    size_t driven = (size_t)lithe_ndriven(m), measured = (size_t)lithe_nrow(m) - driven;
    return read_table(r, RECORDING_STEP, 1, line, &out->step) &&
           read_table(r, RECORDING_TIME, 1, line, &out->time) &&
           read_table(r, RECORDING_STEP_TIME, 1, line, &out->step_time) &&
           read_table(r, RECORDING_FORCE, 1, line, &out->force) &&
           read_table(r, RECORDING_TASK, 1, line, &out->task) &&
           read_table(r, RECORDING_LOAD, 1, line, &out->load) &&
           read_table(r, RECORDING_EFFORT, driven, line, out->effort) &&
           read_table(r, RECORDING_DISPLACEMENT, driven, line, out->displacement) &&
           read_table(r, RECORDING_VALUE, measured, line, out->value + driven) &&
           read_table(r, RECORDING_TARGET, measured, line, out->target + driven) &&
           read_table(r, RECORDING_OBSTACLE, OUTLINE_WAY * (size_t)lithe_nobstacle(m), line,
                      out->way);
}

static bool read_contact(const replay *r, hsize_t number, double line[RECORDING_CONTACT_WIDTH])
{
    return h5_read_lines(r->file, RECORDING_CONTACTS, H5T_NATIVE_DOUBLE, number, 1, line);
}

// The first contact of a step at or after this one; steps are in order.
static hsize_t find_contact(const replay *r, hsize_t n, double step)
{
    hsize_t low = 0, high = n;
    double line[RECORDING_CONTACT_WIDTH];
    while (low < high) {
        hsize_t middle = low + (high - low) / 2;
        if (read_contact(r, middle, line) && line[0] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool read_contacts(const replay *r, replay_line *out)
{
    hsize_t n, width;
    double line[RECORDING_CONTACT_WIDTH];
    out->ncontact = 0;
    if (!h5_table_size(r->file, RECORDING_CONTACTS, &n, &width) || width != RECORDING_CONTACT_WIDTH)
        return false;
    for (hsize_t i = find_contact(r, n, out->step); i < n && out->ncontact < out->contact_max;
         i++) {
        if (!read_contact(r, i, line))
            return false;
        if (line[0] != out->step)
            break;
        for (int k = 0; k < 6; k++)
            out->contact[6 * out->ncontact + k] = (float)line[1 + k];
        out->ncontact++;
    }
    return true;
}

static bool read_positions(const replay *r, const lithe_model *m, int line, double *x)
{
    hsize_t lines, width;
    return h5_table_size(r->file, RECORDING_STEPS "/position", &lines, &width) &&
           width == 3 * (hsize_t)lithe_nnode(m) &&
           h5_read_lines(r->file, RECORDING_STEPS "/position", H5T_NATIVE_DOUBLE, (hsize_t)line, 1,
                         x);
}

lithe_status replay_read(const replay *r, const lithe_model *m, int line, bool positions,
                         replay_line *out, lithe_report *report)
{
    if (!read_numbers(r, m, line, out) ||
        (positions && (!read_positions(r, m, line, out->x) || !read_contacts(r, out))))
        return fail(r, report, "one of its steps cannot be read");
    return LITHE_OK;
}

// ## going on

static int find_checkpoint(const replay *r, hsize_t n, int step, int *found)
{
    int best = -1;
    for (hsize_t i = 0; i < n; i++) {
        int at;
        if (!h5_read_lines(r->file, RECORDING_CHECKPOINTS "/step", H5T_NATIVE_INT, i, 1, &at))
            return -1;
        if ((step < 0 || at <= step) && (best < 0 || at > *found)) {
            best = (int)i;
            *found = at;
        }
    }
    return best;
}

lithe_status replay_load(const replay *r, const lithe_model *m, int step, lithe_state *state,
                         int *found, lithe_report *report)
{
    hsize_t n, width, bytes;
    if (!h5_table_size(r->file, RECORDING_CHECKPOINTS "/step", &n, &width) ||
        !h5_table_size(r->file, RECORDING_CHECKPOINTS "/state", &n, &bytes))
        return fail(r, report, "its checkpoints are missing");
    int number = find_checkpoint(r, n, step, found);
    if (number < 0)
        return LITHE_FAIL(report, LITHE_INVALID, "%s: there is no checkpoint up to step %d",
                          r->path, step);
    void *saved = memory_alloc(bytes);
    if (!saved)
        return report_no_memory(report, "a checkpoint");
    lithe_status status = LITHE_OK;
    if (!h5_read_lines(r->file, RECORDING_CHECKPOINTS "/state", H5T_NATIVE_UCHAR, (hsize_t)number,
                       1, saved))
        status = fail(r, report, "a checkpoint cannot be read");
    else if (lithe_state_load(m, state, saved, bytes) != LITHE_OK)
        status = LITHE_FAIL(report, LITHE_INVALID, "%s: %s", r->path, lithe_state_error(state));
    memory_free(saved);
    return status;
}

static bool read_list(const replay *r, const char *name, int n, double *out)
{
    hsize_t found, width;
    return h5_table_size(r->file, name, &found, &width) && found == (hsize_t)n &&
           (n == 0 || h5_read_lines(r->file, name, H5T_NATIVE_DOUBLE, 0, (hsize_t)n, out));
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
