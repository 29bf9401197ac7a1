#include "app/estimation.h"

#include "app/interrupt.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/say.h"
#include "base/status.h"
#include "io/file.h"
#include "io/json.h"
#include "io/number.h"
#include "io/outdir.h"
#include "io/series.h"
#include "lithe/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct estimation {
    session *session;
    lithe_observations *data;
    lithe_estimator *estimator;
    int nnumber;
    double *reading;   // (nnumber)
    int *column;       // of the table that each number stands in; -1: in none (nnumber)
    int *nout;         // lines in which it was not believed (nnumber)
    int nfailed;       // lines that no shape fits
    double *value;     // what every row measures or gives, after the last line (nrow)
    double *deviation; // of those (nrow)
    double *square;    // scratch: a covariance
    lithe_fit fit;     // of the last line
    FILE *file;        // NULL: none
} estimation;

// The numbers of a reading stand together; which of them is number i?
static int component(const lithe_estimator *e, int number)
{
    int first = number;
    while (first > 0 &&
           strcmp(lithe_estimator_name(e, first - 1), lithe_estimator_name(e, number)) == 0)
        first--;
    return number - first;
}

static lithe_status match_columns(estimation *t)
{
    const lithe_model *m = t->session->model;
    int found = 0;
    for (int i = 0; i < t->nnumber; i++) {
        const char *name = lithe_estimator_name(t->estimator, i);
        t->column[i] = -1;
        for (int c = 0; c < t->data->ncolumn; c++) {
            const lithe_column *o = &t->data->column[c];
            const char *of = o->kind == LITHE_COLUMN_EFFECTOR ? lithe_effector_name(m, o->thing)
                             : o->kind == LITHE_COLUMN_SENSOR ? lithe_sensor_name(m, o->thing)
                                                              : "";
            if (strcmp(of, name) == 0 && o->row == component(t->estimator, i))
                t->column[i] = c;
        }
        found += t->column[i] >= 0;
    }
    if (found > 0)
        return LITHE_OK;
    return LITHE_FAIL(&t->session->report, LITHE_INVALID,
                      "%s: no column is one of the scene's readings, such as '%s'", t->data->path,
                      lithe_estimator_name(t->estimator, 0));
}

static lithe_status prepare(estimation *t)
{
    session *s = t->session;
    const lithe_estimate_def *def = &lithe_scene_def(s->scene)->estimate;
    if (def->nreading == 0)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "%s: nothing says how well the robot measures; add estimate: {readings: "
                          "{SENSOR: NOISE}}",
                          s->options.scene);
    LITHE_TRY(lithe_observations_read(s->scene, s->options.data, true, &t->data, &s->report));
    LITHE_TRY(lithe_estimator_create(s->model, def, s->options.threads, &t->estimator, &s->report));
    interrupt_ends(lithe_estimator_state(t->estimator));
    t->nnumber = lithe_estimator_nnumber(t->estimator);
    size_t rows = (size_t)lithe_nrow(s->model);
    t->reading = arena_new(&s->memory, t->nnumber, double);
    t->column = arena_new(&s->memory, t->nnumber, int);
    t->nout = arena_new(&s->memory, t->nnumber, int);
    t->value = arena_new(&s->memory, rows, double);
    t->deviation = arena_new(&s->memory, rows, double);
    t->square = arena_new(&s->memory, rows * rows, double);
    if (!t->reading || !t->column || !t->nout || !t->value || !t->deviation || !t->square)
        return report_no_memory(&s->report, "the estimate");
    return match_columns(t);
}

// Commands of a line.
static lithe_status give_commands(estimation *t, int line)
{
    session *s = t->session;
    for (int a = 0; a < lithe_nactuator(s->model); a++) {
        double value[3];
        lithe_command_kind kind = lithe_actuator_command(s->model, a, value);
        bool given = false;
        for (int c = 0; c < t->data->ncolumn; c++) {
            const lithe_column *o = &t->data->column[c];
            double found = t->data->value[(size_t)line * (size_t)t->data->ncolumn + (size_t)c];
            if (o->kind != LITHE_COLUMN_COMMAND || o->thing != a || o->command != kind ||
                isnan(found))
                continue;
            value[o->row] = found;
            given = true;
        }
        if (given && lithe_estimator_tell(t->estimator, a, kind, value) != LITHE_OK)
            return LITHE_FAIL(&s->report, LITHE_INVALID, "%s: line %d: %s", t->data->path,
                              t->data->number[line],
                              lithe_state_error(lithe_estimator_state(t->estimator)));
    }
    return LITHE_OK;
}

static void read_out(estimation *t)
{
    const lithe_model *m = t->session->model;
    lithe_state *state = lithe_estimator_state(t->estimator);
    for (int a = 0; a < lithe_nactuator(m); a++) {
        int n = lithe_actuator_rows(m, a), row = lithe_row_of_actuator(m, a);
        lithe_effort(m, state, a, &t->value[row]);
        lithe_covariance_actuator(t->estimator, a, t->square);
        for (int i = 0; i < n; i++)
            t->deviation[row + i] = sqrt(t->square[i * n + i]);
    }
    for (int e = 0; e < lithe_neffector(m); e++) {
        int n = lithe_effector_rows(m, e), row = lithe_row_of_effector(m, e);
        lithe_effector_value(m, state, e, &t->value[row]);
        lithe_covariance_effector(t->estimator, e, t->square);
        for (int i = 0; i < n; i++)
            t->deviation[row + i] = sqrt(t->square[i * n + i]);
    }
}

static int shown_rows(const lithe_model *m)
{
    int n = lithe_ndriven(m);
    for (int e = 0; e < lithe_neffector(m); e++)
        n += lithe_effector_rows(m, e);
    return n;
}

static void write_head(const estimation *t)
{
    const lithe_model *m = t->session->model;
    char column[LITHE_ROW_NAME];
    fputs("line,converged", t->file);
    for (int r = 0; r < shown_rows(m); r++)
        fprintf(t->file, ",%s,deviation.%s", lithe_row_name(m, r, LITHE_EFFORT, column), column);
    fputs(",cost,chance,rank,outliers\n", t->file);
}

static void write_number(FILE *file, double value)
{
    char text[NUMBER_TEXT];
    fprintf(file, ",%s", isfinite(value) ? number_text(value, text) : isinf(value) ? "inf" : "");
}

static void write_line(const estimation *t, int line, bool converged)
{
    fprintf(t->file, "%d,%d", t->data->number[line], converged);
    for (int r = 0; r < shown_rows(t->session->model); r++) {
        write_number(t->file, t->value[r]);
        write_number(t->file, t->deviation[r]);
    }
    write_number(t->file, t->fit.cost);
    write_number(t->file, t->fit.chance);
    fprintf(t->file, ",%d,", t->fit.rank);
    bool first = true;
    for (int i = 0; i < t->nnumber; i++)
        if (isfinite(t->reading[i]) && !lithe_estimator_believed(t->estimator, i)) {
            fprintf(t->file, "%s%s", first ? "" : " ", lithe_estimator_name(t->estimator, i));
            first = false;
        }
    fputc('\n', t->file);
}

static lithe_status estimate_line(estimation *t, int line)
{
    session *s = t->session;
    LITHE_TRY(give_commands(t, line));
    for (int i = 0; i < t->nnumber; i++)
        t->reading[i] =
            t->column[i] < 0
                ? NAN
                : t->data->value[(size_t)line * (size_t)t->data->ncolumn + (size_t)t->column[i]];
    lithe_status status = lithe_estimate(t->estimator, t->reading, &t->fit);
    if (status != LITHE_OK && status != LITHE_NOT_CONVERGED)
        return LITHE_FAIL(&s->report, status, "%s",
                          lithe_state_error(lithe_estimator_state(t->estimator)));
    if (interrupt_seen())
        return LITHE_OK;
    if (status != LITHE_OK) {
        t->nfailed++;
        say_error("%s: line %d: %s", t->data->path, t->data->number[line],
                  lithe_state_error(lithe_estimator_state(t->estimator)));
    }
    read_out(t);
    for (int i = 0; i < t->nnumber; i++)
        t->nout[i] += isfinite(t->reading[i]) && !lithe_estimator_believed(t->estimator, i) ? 1 : 0;
    if (t->file)
        write_line(t, line, status == LITHE_OK);
    return LITHE_OK;
}

static int nline(const estimation *t)
{
    return t->data ? t->data->nline : 0;
}

static lithe_status play(estimation *t)
{
    lithe_status status = LITHE_OK;
    progress bar = progress_start("lithe track", nline(t));
    if (t->file)
        write_head(t);
    for (int line = 0; line < nline(t) && status == LITHE_OK && !interrupt_seen(); line++) {
        status = estimate_line(t, line);
        progress_at(&bar, line + 1);
    }
    progress_end(&bar);
    return status;
}

static void write_group(json *j, const estimation *t, const char *name, int row, int n,
                        const char *what)
{
    json_begin_object(j, name);
    json_numbers(j, what, n, &t->value[row]);
    json_numbers(j, "deviation", n, &t->deviation[row]);
    json_end_object(j);
}

static void write_json(FILE *file, const estimation *t)
{
    const lithe_model *m = t->session->model;
    json j = {.out = file};
    json_begin_object(&j, NULL);
    json_string(&j, "scene", t->session->options.scene);
    json_string(&j, "version", LITHE_VERSION);
    json_integer(&j, "lines", nline(t));
    json_integer(&j, "not_converged", t->nfailed);
    json_integer(&j, "unknowns", t->fit.nunknown);
    json_integer(&j, "rank", t->fit.rank);
    json_begin_object(&j, "outliers");
    for (int i = 0; i < t->nnumber; i++)
        if (component(t->estimator, i) == 0 && t->nout[i] > 0)
            json_integer(&j, lithe_estimator_name(t->estimator, i), t->nout[i]);
    json_end_object(&j);
    json_begin_object(&j, "effectors");
    for (int e = 0; e < lithe_neffector(m); e++)
        write_group(&j, t, lithe_effector_name(m, e), lithe_row_of_effector(m, e),
                    lithe_effector_rows(m, e), "position");
    json_end_object(&j);
    json_begin_object(&j, "actuators");
    for (int a = 0; a < lithe_nactuator(m); a++)
        write_group(&j, t, lithe_actuator_name(m, a), lithe_row_of_actuator(m, a),
                    lithe_actuator_rows(m, a), "effort");
    json_end_object(&j);
    json_end_object(&j);
    fputc('\n', file);
}

static void print(const estimation *t)
{
    const lithe_model *m = t->session->model;
    char column[LITHE_ROW_NAME];
    printf("%d lines of %s, %d unknowns of which %d combinations are told; after the last line:\n",
           nline(t), t->session->options.data, t->fit.nunknown, t->fit.rank);
    for (int r = 0; r < shown_rows(m) && t->value && t->deviation; r++)
        printf("  %-24s %12.6g, standard deviation %.2g\n",
               lithe_row_name(m, r, LITHE_EFFORT, column), t->value[r], t->deviation[r]);
    for (int i = 0; i < t->nnumber; i++)
        if (t->nout[i] > 0)
            printf("not believed: %s, in %d lines\n", lithe_estimator_name(t->estimator, i),
                   t->nout[i]);
}

// All lines, into a folder or not.
static lithe_status save_and_play(estimation *t)
{
    session *s = t->session;
    outdir folder;
    FILE *file = NULL;
    if (!s->options.out)
        return play(t);
    LITHE_TRY(outdir_open(s->options.out, &folder, &s->report));
    const char *table = outdir_file(&folder, OUTDIR_ESTIMATE);
    const char *summary = outdir_file(&folder, OUTDIR_SUMMARY);
    lithe_status status = table && summary ? file_create(table, &t->file, &s->report)
                                           : report_no_memory(&s->report, "file names");
    if (status == LITHE_OK) {
        status = play(t);
        lithe_status end = file_finish(t->file, table, &s->report);
        status = status == LITHE_OK ? end : status;
    }
    bool whole = status == LITHE_OK && !interrupt_seen();
    if (whole)
        status = file_create(summary, &file, &s->report);
    if (file && status == LITHE_OK) {
        write_json(file, t);
        status = file_finish(file, summary, &s->report);
    }
    if (whole && status == LITHE_OK)
        return outdir_commit(&folder, &s->report);
    outdir_discard(&folder);
    return status;
}

int estimation_run(session *s)
{
    estimation t = {.session = s};
    lithe_status status = prepare(&t);
    if (status == LITHE_OK)
        status = save_and_play(&t);
    int exit_status = EXIT_INTERRUPTED;
    if (status != LITHE_OK && !interrupt_seen())
        exit_status = say_failure(status, &s->report);
    else if (!interrupt_seen()) {
        if (s->options.json)
            write_json(stdout, &t);
        else if (!s->options.quiet)
            print(&t);
        exit_status = say_flush_output(t.nfailed ? EXIT_NOT_CONVERGED : EXIT_DONE);
    }
    lithe_observations_free(t.data);
    lithe_estimator_free(t.estimator);
    return exit_status;
}
