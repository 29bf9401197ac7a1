#include "io/recording.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/status.h"
#include "io/draft.h"
#include "io/file.h"
#include "io/h5.h"
#include "io/recording_layout.h"
#include "io/series.h"
#include "io/unfinished.h"
#include "scene/scene.h"
#include "step/outline.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NTABLE = RECORDING_NTABLE, KEPT = 4 };

// A table that is written at the end.
typedef struct kept {
    const char *name;
    size_t width, n;
    const double *lines;
} kept;

// Steps that are written together.
typedef struct block {
    int n;
    float *x;               // (lines x nnode x 3)
    double *column[NTABLE]; // (lines x width)
    int ncontact;
    double *contact; // (contact_room x RECORDING_CONTACT_WIDTH)
    bool has_state;
    int state_step;
    unsigned char *state; // (nstate)
} block;

struct recording {
    arena memory;
    const lithe_model *model;
    const char *path, *target; // as the user wrote it; links resolved
    const char *partial;       // where it is written
    hid_t file, steps, checkpoints;
    hid_t position, table[NTABLE], contacts, state, state_step;
    size_t width[NTABLE];
    size_t nstate;
    int lines;      // of a block
    int checkpoint; //
    int nwritten, nstates, ncontacts;
    int contact_room; // of a block
    int last;         // step that was added last
    int nkept;
    kept kept[KEPT];

    block block[2]; // one is filled while the other is written
    block *filling;
    pthread_t writer;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t handed;
    block *full; // for the writer; NULL: nothing to do
    bool end;
    bool failed;
    int error; // errno
};

// ## writing, on the writer's thread

static bool write_block(recording *r, const block *b)
{
    hsize_t n = (hsize_t)b->n, before = (hsize_t)r->nwritten;
    bool well = n == 0 || h5_append(r->position, H5T_NATIVE_FLOAT, before, n, b->x);
    for (int i = 0; i < NTABLE && well && n > 0; i++)
        if (r->width[i] > 0)
            well = h5_append(r->table[i], H5T_NATIVE_DOUBLE, before, n, b->column[i]);
    r->nwritten += b->n;
    if (well && b->ncontact > 0)
        well = h5_append(r->contacts, H5T_NATIVE_DOUBLE, (hsize_t)r->ncontacts,
                         (hsize_t)b->ncontact, b->contact);
    r->ncontacts += b->ncontact;
    if (well && b->has_state) {
        well = h5_append(r->state, H5T_NATIVE_UCHAR, (hsize_t)r->nstates, 1, b->state) &&
               h5_append(r->state_step, H5T_NATIVE_INT, (hsize_t)r->nstates, 1, &b->state_step);
        r->nstates++;
    }
    return well;
}

static void *write_blocks(void *user)
{
    recording *r = user;
    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (!r->full && !r->end)
            pthread_cond_wait(&r->handed, &r->lock);
        if (!r->full)
            break;
        pthread_mutex_unlock(&r->lock);
        errno = 0;
        bool well = !r->failed && write_block(r, r->full);
        int error = errno;
        pthread_mutex_lock(&r->lock);
        if (!well && !r->failed) {
            r->failed = true;
            r->error = error;
        }
        r->full = NULL;
        pthread_cond_broadcast(&r->handed);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static lithe_status fail_writing(const recording *r, lithe_report *report)
{
    return LITHE_FAIL(report, LITHE_IO, "the recording '%s' cannot be written: %s; %s", r->path,
                      r->error ? strerror(r->error) : "HDF5 refused", file_remedy(r->error));
}

// Hands the block that was filled to the writer and goes on with the other one.
static lithe_status hand_over(recording *r, lithe_report *report)
{
    pthread_mutex_lock(&r->lock);
    while (r->full)
        pthread_cond_wait(&r->handed, &r->lock);
    r->full = r->filling;
    r->filling = r->filling == &r->block[0] ? &r->block[1] : &r->block[0];
    r->filling->n = 0;
    r->filling->ncontact = 0;
    r->filling->has_state = false;
    bool failed = r->failed;
    pthread_cond_broadcast(&r->handed);
    pthread_mutex_unlock(&r->lock);
    return failed ? fail_writing(r, report) : LITHE_OK;
}

// ## opening

lithe_status recording_check(const char *path, lithe_report *report)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "'%s' is not a file; a recording needs a name of its own, such as run.h5",
                          path);
    return LITHE_OK;
}

static bool write_files(const recording *r, const recording_setup *setup)
{
    hid_t group = h5_create_group(r->file, RECORDING_FILES);
    bool well = group >= 0;
    const scene_files *files = setup->scene->files;
    for (int i = 0; i < files->n && well; i++) {
        char name[32];
        size_t n;
        void *bytes = file_load(files->file[i].path, &n);
        snprintf(name, sizeof name, "%d", i);
        well = bytes && h5_write_bytes(group, name, bytes, n);
        memory_free(bytes);
        hid_t set = well ? H5Dopen2(group, name, H5P_DEFAULT) : -1;
        well = set >= 0 && h5_note_text(set, "name", files->file[i].name);
        if (set >= 0)
            H5Dclose(set);
    }
    if (group >= 0)
        H5Gclose(group);
    return well;
}

static bool write_scene(const recording *r, const recording_setup *setup)
{
    hid_t group = h5_create_group(r->file, RECORDING_SCENE);
    bool well = group >= 0 &&
                h5_write_bytes(group, "text", setup->scene->text, setup->scene->bytes) &&
                h5_write_texts(group, "set", setup->nset, setup->set);
    if (group >= 0)
        H5Gclose(group);
    return well && write_files(r, setup);
}

static bool write_plan(const recording *r, const recording_setup *setup)
{
    hsize_t driven = (hsize_t)lithe_ndriven(r->model), rows = (hsize_t)lithe_nrow(r->model);
    hid_t group = h5_create_group(r->file, RECORDING_PLAN);
    bool well =
        group >= 0 && h5_note_text(group, "command", setup->command) &&
        h5_note_integer(group, "steps", setup->nstep) &&
        (!setup->plan_kind || (h5_write_numbers(group, "kind", driven, setup->plan_kind) &&
                               h5_write_numbers(group, "value", driven, setup->plan_value))) &&
        (!setup->start || h5_write_numbers(group, "start", rows, setup->start));
    if (group >= 0)
        H5Gclose(group);
    return well;
}

static bool write_head(const recording *r, const recording_setup *setup)
{
    return h5_note_text(r->file, "format", RECORDING_FORMAT) &&
           h5_note_integer(r->file, "format_version", RECORDING_VERSION) &&
           h5_note_text(r->file, "lithe_version", LITHE_VERSION) &&
           h5_note_number(r->file, "dt", lithe_model_step(r->model)->dt) && write_scene(r, setup) &&
           write_plan(r, setup);
}

// Names of a table's columns, as in series.csv.
static bool name_columns(const recording *r, hid_t table, enum recording_table which)
{
    char text[LITHE_ROW_NAME];
    arena scratch = {0};
    const lithe_model *m = r->model;
    bool rows = which == RECORDING_VALUE || which == RECORDING_TARGET;
    int first = rows ? lithe_ndriven(m) : 0, n = (int)r->width[which];
    const char **name = arena_new(&scratch, n + 1, const char *);
    bool well = name != NULL;
    for (int i = 0; i < n && well; i++) {
        lithe_command_kind kind = which == RECORDING_EFFORT ? LITHE_EFFORT : LITHE_DISPLACEMENT;
        name[i] = arena_strdup(&scratch, lithe_row_name(m, first + i, kind, text));
        well = name[i] != NULL;
    }
    well = well && h5_note_texts(table, "columns", n, name);
    arena_free(&scratch);
    return well;
}

static bool create_tables(recording *r)
{
    hsize_t chunk = (hsize_t)r->lines, nnode = (hsize_t)lithe_nnode(r->model);
    r->steps = h5_create_group(r->file, RECORDING_STEPS);
    r->checkpoints = h5_create_group(r->file, RECORDING_CHECKPOINTS);
    if (r->steps < 0 || r->checkpoints < 0)
        return false;
    r->position = h5_create_table(r->steps, "position", H5T_NATIVE_FLOAT, nnode, 3, chunk);
    r->state = h5_create_table(r->checkpoints, "state", H5T_NATIVE_UCHAR, r->nstate, 1, 1);
    r->state_step = h5_create_table(r->checkpoints, "step", H5T_NATIVE_INT, 1, 1, 64);
    r->contacts = h5_create_table(r->file, RECORDING_CONTACTS, H5T_NATIVE_DOUBLE,
                                  RECORDING_CONTACT_WIDTH, 1, 1024);
    bool well = r->position >= 0 && r->state >= 0 && r->state_step >= 0 && r->contacts >= 0;
    for (int i = 0; i < NTABLE && well; i++) {
        if (r->width[i] == 0)
            continue;
        r->table[i] = h5_create_table(r->steps, recording_table_name[i], H5T_NATIVE_DOUBLE,
                                      r->width[i], 1, chunk);
        well = r->table[i] >= 0;
        if (well && recording_is_named((enum recording_table)i))
            well = name_columns(r, r->table[i], (enum recording_table)i);
    }
    return well;
}

static bool create_blocks(recording *r)
{
    size_t lines = (size_t)r->lines;
    for (int i = 0; i < 2; i++) {
        block *b = &r->block[i];
        b->x = arena_new(&r->memory, lines * 3 * (size_t)lithe_nnode(r->model), float);
        b->state = arena_new(&r->memory, r->nstate, unsigned char);
        b->contact =
            arena_new(&r->memory, (size_t)r->contact_room * RECORDING_CONTACT_WIDTH + 1, double);
        if (!b->x || !b->state || !b->contact)
            return false;
        for (int k = 0; k < NTABLE; k++)
            if (!(b->column[k] = arena_new(&r->memory, lines * r->width[k] + 1, double)))
                return false;
    }
    r->filling = &r->block[0];
    return true;
}

static void set_sizes(recording *r, const recording_setup *setup, const lithe_state *state)
{
    const double block_bytes = 1 << 20;
    double step_bytes = 12.0 * lithe_nnode(r->model);
    size_t driven = (size_t)lithe_ndriven(r->model);
    size_t measured = (size_t)lithe_nrow(r->model) - driven;
    r->lines = (int)fmax(1, fmin(64, block_bytes / step_bytes));
    r->nstate = lithe_state_size(r->model, state);
    r->checkpoint = setup->checkpoint > 0 ? setup->checkpoint : 1;
    r->last = -1;
    r->contact_room = r->lines * outline_contacts_max(r->model);
    for (int i = 0; i < NTABLE; i++)
        r->width[i] = 1;
    r->width[RECORDING_EFFORT] = r->width[RECORDING_DISPLACEMENT] = driven;
    r->width[RECORDING_VALUE] = r->width[RECORDING_TARGET] = measured;
    r->width[RECORDING_OBSTACLE] = LITHE_MOTION * (size_t)lithe_nobstacle(r->model);
}

static void make_partial(recording *r)
{
    errno = 0;
    int fd = draft_make(&r->memory, r->target, &r->partial);
    if (fd < 0)
        return;
    close(fd);
    r->file = h5_create_file(r->partial);
}

static lithe_status create_file(recording *r, const recording_setup *setup, lithe_report *report)
{
    r->path = arena_strdup(&r->memory, setup->path);
    r->target = draft_target(&r->memory, setup->path);
    if (!r->path || !r->target || !create_blocks(r))
        return report_no_memory(report, "the recording");
    h5_be_quiet();
    make_partial(r);
    if (r->file >= 0 && write_head(r, setup) && create_tables(r))
        return LITHE_OK;
    r->error = errno;
    return fail_writing(r, report);
}

lithe_status recording_open(const recording_setup *setup, const lithe_state *state, recording **out,
                            lithe_report *report)
{
    recording *r = *out = memory_alloc(sizeof *r);
    if (!r)
        return report_no_memory(report, "the recording");
    *r = (recording){.model = setup->model, .file = -1, .steps = -1, .checkpoints = -1};
    r->position = r->state = r->state_step = r->contacts = -1;
    for (int i = 0; i < NTABLE; i++)
        r->table[i] = -1;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->handed, NULL);
    set_sizes(r, setup, state);
    lithe_status status = create_file(r, setup, report);
    if (status == LITHE_OK && pthread_create(&r->writer, NULL, write_blocks, r) != 0)
        status = LITHE_FAIL(report, LITHE_NO_MEMORY, "the recording's thread could not be started");
    r->started = status == LITHE_OK;
    if (status != LITHE_OK) {
        recording_discard(r);
        *out = NULL;
    }
    return status;
}

// ## steps

static void fill_rows(const recording *r, block *b, const recording_step *s)
{
    const lithe_model *m = r->model;
    size_t line = (size_t)b->n, driven = r->width[RECORDING_EFFORT];
    size_t measured = r->width[RECORDING_VALUE];
    for (int i = 0; i < lithe_nactuator(m); i++) {
        size_t at = line * driven + (size_t)lithe_row_of_actuator(m, i);
        lithe_effort(m, s->state, i, b->column[RECORDING_EFFORT] + at);
        lithe_displacement(m, s->state, i, b->column[RECORDING_DISPLACEMENT] + at);
    }
    for (size_t i = 0; i < measured; i++) {
        b->column[RECORDING_VALUE][line * measured + i] = lithe_row_values(s->state)[driven + i];
        b->column[RECORDING_TARGET][line * measured + i] = s->target ? s->target[driven + i] : NAN;
    }
}

static void fill_contacts(const recording *r, block *b, const recording_step *s)
{
    for (int i = 0; i < lithe_ncontact(s->state) && b->ncontact < r->contact_room; i++) {
        lithe_contact c;
        if (lithe_contact_get(r->model, s->state, i, &c) != LITHE_OK || !(c.force > 0))
            continue;
        double *line = b->contact + (size_t)RECORDING_CONTACT_WIDTH * (size_t)b->ncontact++;
        line[0] = s->step;
        for (int axis = 0; axis < 3; axis++) {
            line[1 + axis] = c.at[axis];
            line[4 + axis] = c.force * c.normal[axis];
        }
    }
    double *way = b->column[RECORDING_OBSTACLE] + (size_t)b->n * r->width[RECORDING_OBSTACLE];
    for (int o = 0; o < lithe_nobstacle(r->model); o++)
        lithe_obstacle_motion(r->model, s->state, o, way + LITHE_MOTION * (size_t)o);
}

static void fill(const recording *r, block *b, const recording_step *s)
{
    size_t line = (size_t)b->n, n = 3 * (size_t)lithe_nnode(r->model);
    lithe_residual last = lithe_last_residual(s->state);
    const double *x = lithe_position(s->state);
    for (size_t i = 0; i < n; i++)
        b->x[line * n + i] = (float)x[i];
    b->column[RECORDING_STEP][line] = s->step;
    b->column[RECORDING_TIME][line] = s->time;
    b->column[RECORDING_STEP_TIME][line] = s->step_time;
    b->column[RECORDING_FORCE][line] = last.force;
    b->column[RECORDING_TASK][line] = last.task;
    b->column[RECORDING_LOAD][line] = last.load;
    fill_rows(r, b, s);
    fill_contacts(r, b, s);
    b->n++;
}

static void keep_state(recording *r, block *b, const lithe_state *state, int step)
{
    lithe_state_save(r->model, state, b->state);
    b->has_state = true;
    b->state_step = step;
}

static bool fills(const recording *r, int step)
{
    return r->filling->n + 1 == r->lines || step % r->checkpoint == 0;
}

bool recording_waits(recording *r, int step)
{
    pthread_mutex_lock(&r->lock);
    bool busy = r->full != NULL;
    pthread_mutex_unlock(&r->lock);
    return busy && fills(r, step);
}

lithe_status recording_add(recording *r, const recording_step *s, lithe_report *report)
{
    bool full = fills(r, s->step);
    fill(r, r->filling, s);
    r->last = s->step;
    if (s->step % r->checkpoint == 0)
        keep_state(r, r->filling, s->state, s->step);
    return full ? hand_over(r, report) : LITHE_OK;
}

// ## the end

static void close_file(recording *r)
{
    hid_t object[] = {r->position, r->contacts, r->state, r->state_step, r->steps, r->checkpoints};
    for (size_t i = 0; i < sizeof object / sizeof *object; i++)
        if (object[i] >= 0)
            H5Idec_ref(object[i]);
    for (int i = 0; i < NTABLE; i++)
        if (r->table[i] >= 0)
            H5Dclose(r->table[i]);
    r->position = r->contacts = r->state = r->state_step = r->steps = r->checkpoints = -1;
    for (int i = 0; i < NTABLE; i++)
        r->table[i] = -1;
}

static void stop_writer(recording *r)
{
    if (!r->started)
        return;
    pthread_mutex_lock(&r->lock);
    r->end = true;
    pthread_cond_broadcast(&r->handed);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->writer, NULL);
    r->started = false;
}

static int force_out(const char *path)
{
    int fd = open(path, O_RDONLY);
    int error = fd < 0 || fsync(fd) != 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return error;
}

void recording_keep(recording *r, const char *name, size_t width, size_t n, const double *lines)
{
    if (r->nkept < KEPT)
        r->kept[r->nkept++] = (kept){name, width, n, lines};
}

static bool write_kept(const recording *r, const kept *k)
{
    enum { CHUNK = 1024 };
    hid_t table = h5_create_table(r->file, k->name, H5T_NATIVE_DOUBLE, k->width, 1, CHUNK);
    bool well = table >= 0;
    for (size_t at = 0; at < k->n && well; at += CHUNK) {
        size_t n = k->n - at < CHUNK ? k->n - at : CHUNK;
        well = h5_append(table, H5T_NATIVE_DOUBLE, at, n, k->lines + at * k->width);
    }
    if (table >= 0)
        H5Dclose(table);
    return well;
}

static bool write_end(recording *r, const char *summary)
{
    errno = 0;
    bool well = !r->failed && (!summary || h5_write_text(r->file, RECORDING_SUMMARY, summary));
    hid_t group = well && r->nkept > 0 ? h5_create_group(r->file, RECORDING_WIRE) : -1;
    for (int i = 0; i < r->nkept && well; i++)
        well = write_kept(r, &r->kept[i]);
    if (group >= 0)
        H5Gclose(group);
    close_file(r);
    well = H5Fclose(r->file) >= 0 && well;
    r->file = -1;
    if (!r->failed)
        r->error = errno;
    if (!well)
        return false;
    r->error = force_out(r->partial);
    if (!r->error && rename(r->partial, r->target) != 0)
        r->error = errno;
    return r->error == 0;
}

lithe_status recording_commit(recording *r, const char *summary, const lithe_state *state,
                              lithe_report *report)
{
    lithe_status status = LITHE_OK;
    if (r->last >= 0 && r->last % r->checkpoint != 0)
        keep_state(r, r->filling, state, r->last);
    if (r->filling->n > 0 || r->filling->has_state)
        status = hand_over(r, report);
    stop_writer(r);
    if (status == LITHE_OK && !write_end(r, summary))
        status = fail_writing(r, report);
    recording_discard(r);
    return status;
}

void recording_discard(recording *r)
{
    if (!r)
        return;
    stop_writer(r);
    close_file(r);
    if (r->file >= 0)
        H5Fclose(r->file);
    if (r->partial) {
        unlink(r->partial);
        unfinished_drop(r->partial);
    }
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->handed);
    arena_free(&r->memory);
    memory_free(r);
}
