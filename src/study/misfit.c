#include "study/misfit.h"

#include "base/status.h"
#include "control/task.h"
#include "lithe/mesh.h"
#include "study/tolerances.h"

#include <math.h>
#include <string.h>

// Iterations that a search may be expected to take; the bar stretches if it takes more.
enum { EXPECTED_ITERATION = 6 };

// One model: a point of the search and the observations of one group.
typedef struct job {
    forward *f;
    const double *value; // (nunknown)
    int group;
    double *residual; // (ndatum) those of the group are written
    arena memory;
    lithe_report report;
    lithe_scene *scene;
    lithe_model *model;
    lithe_state *state;
} job;

static int first_line(const lithe_observations *o, int group)
{
    int line = 0;
    while (o->group[line] != group)
        line++;
    return line;
}

// The scene with the user's overrides, the point's values, and what the group sets.
static lithe_status read_scene(job *j)
{
    const study *s = j->f->study;
    const lithe_observations *o = j->f->data;
    int n = 0, most = s->def.nset + j->f->nunknown + o->ncolumn;
    const char **set = arena_new(&j->memory, most + 1, const char *);
    bool whole = set != NULL;
    for (int i = 0; whole && i < s->def.nset; i++)
        set[n++] = s->def.set[i];
    for (int i = 0; whole && i < j->f->nunknown; i++)
        whole = (set[n++] = unknown_override(&j->memory, &j->f->unknown[i], j->value[i]));
    for (int i = 0; whole && i < o->ncolumn; i++)
        if (o->column[i].kind == LITHE_COLUMN_SET)
            whole = (set[n++] = observe_override(&j->memory, o, first_line(o, j->group), i));
    if (!whole)
        return report_no_memory(&j->report, "the scene's values");
    return lithe_scene_read(s->def.scene, n, set, &j->scene, &j->report);
}

static lithe_status compile(job *j)
{
    lithe_def def = *lithe_scene_def(j->scene);
    lithe_body_def *body = arena_new(&j->memory, def.nbody, lithe_body_def);
    if (!body)
        return report_no_memory(&j->report, "the model");
    for (int i = 0; i < def.nbody; i++) {
        body[i] = def.body[i];
        body[i].mesh = j->f->mesh[i];
    }
    def.body = body;
    def.step.mode = LITHE_CONVERGED;
    def.step.tolerance = fmin(def.step.tolerance, STUDY_FORCE);
    // METIS draws from the C library's one sequence of random numbers: two orderings at once would
    // differ from run to run.
    pthread_mutex_lock(&j->f->compiling);
    lithe_status status = lithe_compile(&def, &j->model, &j->report);
    pthread_mutex_unlock(&j->f->compiling);
    LITHE_TRY(status);
    LITHE_TRY(lithe_state_create(j->model, 1, &j->state, &j->report));
    lithe_watch(j->state, j->f->study->def.stop, j->f->study->def.user);
    return LITHE_OK;
}

// What actuator a is told in a line: the scene's command, or what the table says.
static lithe_command_kind order_of(const job *j, int line, int a, double value[3])
{
    const lithe_observations *o = j->f->data;
    lithe_command_kind kind = lithe_actuator_command(j->model, a, value);
    for (int i = 0; i < o->ncolumn; i++) {
        const lithe_column *c = &o->column[i];
        if (c->kind != LITHE_COLUMN_COMMAND || c->thing != a)
            continue;
        kind = c->command;
        value[c->row] = o->value[(size_t)line * (size_t)o->ncolumn + (size_t)i];
    }
    return kind;
}

static lithe_status fail_step(job *j, lithe_status status)
{
    return LITHE_FAIL(&j->report, status, "%s", lithe_state_error(j->state));
}

// Tells every actuator the share of its order.
static lithe_status command(job *j, int line, double share)
{
    for (int a = 0; a < lithe_nactuator(j->model); a++) {
        double value[3];
        lithe_command_kind kind = order_of(j, line, a, value);
        lithe_status status = lithe_command_share(j->model, j->state, a, kind, NULL, value, share);
        if (status != LITHE_OK)
            return fail_step(j, status);
    }
    return LITHE_OK;
}

// From rest, in the steps of the scene, as `lithe run` goes.
static lithe_status settle_from_rest(job *j, int line)
{
    int n = lithe_model_step(j->model)->steps;
    lithe_state_reset(j->model, j->state);
    for (int k = 1; k <= n; k++) {
        LITHE_TRY(command(j, line, (double)k / n));
        lithe_status status = lithe_settle(j->model, j->state);
        if (status != LITHE_OK)
            return fail_step(j, status);
    }
    return LITHE_OK;
}

// From the shape of the line before, which is near; if that leads nowhere, from rest.
static lithe_status settle(job *j, int line)
{
    LITHE_TRY(command(j, line, 1));
    lithe_status status = lithe_settle(j->model, j->state);
    if (status == LITHE_NOT_CONVERGED)
        return settle_from_rest(j, line);
    return status == LITHE_OK ? LITHE_OK : fail_step(j, status);
}

static double measure(const job *j, const lithe_column *c)
{
    if (c->kind == LITHE_COLUMN_EFFECTOR)
        return lithe_row_values(j->state)[lithe_row_of_effector(j->model, c->thing) + c->row];
    double effort_sensor[3];
    return control_sensor_value(j->model, j->state, c->thing, effort_sensor)[c->row];
}

static lithe_status compare(job *j)
{
    const lithe_observations *o = j->f->data;
    int datum = 0;
    for (int line = 0; line < o->nline; line++) {
        bool mine = o->group[line] == j->group;
        if (mine) {
            lithe_status status = settle(j, line);
            if (status != LITHE_OK) {
                lithe_report why = j->report;
                return LITHE_FAIL(&j->report, status, "%.300s:%d: %.700s", o->path, o->number[line],
                                  why.error);
            }
        }
        for (; datum < o->ndatum && o->datum[datum].line == line; datum++) {
            const lithe_datum *d = &o->datum[datum];
            if (mine)
                j->residual[datum] = (measure(j, &o->column[d->column]) - d->value) / d->sigma;
        }
    }
    return LITHE_OK;
}

static lithe_status run(job *j)
{
    LITHE_TRY(read_scene(j));
    LITHE_TRY(compile(j));
    return compare(j);
}

static void close_job(job *j)
{
    lithe_state_free(j->state);
    lithe_model_free(j->model);
    lithe_scene_free(j->scene);
    arena_free(&j->memory);
}

// All jobs of a round.
typedef struct round_jobs {
    forward *f;
    const double *value;
    double *residual;
    bool *exists;
} round_jobs;

static bool is_fatal(lithe_status status)
{
    return status == LITHE_NO_MEMORY || status == LITHE_IO;
}

// Of failures, the gravest and then the earliest is kept.
static void keep_failure(forward *f, int number, lithe_status status, const lithe_report *report)
{
    if (is_fatal(f->status) || (number > f->first_bad && !is_fatal(status)))
        return;
    f->first_bad = number;
    f->status = status;
    f->reason = *report;
}

static void finish(const round_jobs *all, int number, lithe_status status,
                   const lithe_report *report)
{
    forward *f = all->f;
    pthread_mutex_lock(&f->lock);
    if (status != LITHE_OK) {
        all->exists[number / f->data->ngroup] = false;
        keep_failure(f, number, status, report);
    }
    f->done++;
    if (f->done >= f->expected)
        f->expected = f->done + f->done / 4 + 1;
    if (f->study->def.progress)
        f->study->def.progress(f->study->def.user, f->done, f->expected);
    pthread_mutex_unlock(&f->lock);
}

static void work(void *context, int first, int last)
{
    const round_jobs *all = context;
    forward *f = all->f;
    for (int number = first; number < last && !study_is_stopped(f->study); number++) {
        size_t point = (size_t)(number / f->data->ngroup);
        job j = {.f = f,
                 .value = all->value + point * (size_t)f->nunknown,
                 .group = number % f->data->ngroup,
                 .residual = all->residual + point * (size_t)f->data->ndatum,
                 .report = lithe_report_default()};
        lithe_status status = run(&j);
        finish(all, number, status, &j.report);
        close_job(&j);
    }
}

// Without an equilibrium, or with values that a scene refuses, a point has no answer; everything
// else ends the search.
lithe_status forward_evaluate(void *user, int npoint, const double *value, double *residual,
                              bool *exists)
{
    forward *f = user;
    round_jobs all = {f, value, residual, exists};
    for (int i = 0; i < npoint; i++)
        exists[i] = true;
    f->status = LITHE_OK;
    f->first_bad = npoint * f->data->ngroup;
    pool_for(f->pool, npoint * f->data->ngroup, 1, work, &all);
    if (study_is_stopped(f->study))
        return LITHE_NOT_CONVERGED;
    if (is_fatal(f->status))
        return LITHE_FAIL(f->study->report, f->status, "%s", f->reason.error);
    return LITHE_OK;
}

static lithe_status read_meshes(forward *f)
{
    study *s = f->study;
    const lithe_def *def = lithe_scene_def(s->scene);
    lithe_report unheard = lithe_report_default(); // the session has said it all
    f->mesh = arena_new(&s->memory, def->nbody, lithe_mesh *);
    if (!f->mesh)
        return report_no_memory(s->report, "meshes");
    for (int i = 0; i < def->nbody; i++) {
        lithe_status status = lithe_body_mesh(&def->body[i], &f->mesh[i], &unheard);
        if (status != LITHE_OK)
            return LITHE_FAIL(s->report, status, "%s", unheard.error);
    }
    return LITHE_OK;
}

lithe_status forward_open(forward *f, study *s, const lithe_observations *data,
                          const lithe_parameter *all)
{
    int n = s->def.nfind;
    *f = (forward){.study = s, .data = data, .nunknown = n, .unknown = all};
    pthread_mutex_init(&f->lock, NULL);
    pthread_mutex_init(&f->compiling, NULL);
    f->pool = pool_create(s->def.threads);
    lithe_status status = f->pool ? read_meshes(f) : report_no_memory(s->report, "threads");
    f->expected = (1 + EXPECTED_ITERATION * (2 * n + 1)) * data->ngroup;
    if (status != LITHE_OK)
        forward_close(f);
    return status;
}

void forward_close(forward *f)
{
    pool_free(f->pool);
    for (int i = 0; f->mesh && i < lithe_nbody(f->study->model); i++)
        lithe_mesh_free(f->mesh[i]);
    pthread_mutex_destroy(&f->compiling);
    pthread_mutex_destroy(&f->lock);
}
