#include "io/results.h"

#include "base/status.h"
#include "io/file.h"
#include "io/series.h"

#include <string.h>

static lithe_status no_memory(lithe_report *report)
{
    return report_no_memory(report, "the results' file names");
}

static lithe_status create(results *r, const char *name, const char **path, FILE **file,
                           lithe_report *report)
{
    *path = outdir_file(&r->folder, name);
    if (!*path)
        return no_memory(report);
    return file_create(*path, file, report);
}

static lithe_status open_series(results *r, const lithe_model *m, lithe_report *report)
{
    LITHE_TRY(create(r, OUTDIR_SERIES, &r->series_path, &r->series, report));
    series_head(r->series, m, r->target);
    if (lithe_npair(m) > 0) {
        LITHE_TRY(create(r, OUTDIR_CONTACTS, &r->contacts_path, &r->contacts, report));
        series_contacts_head(r->contacts);
    }
    if (!r->target)
        return LITHE_OK;
    LITHE_TRY(create(r, OUTDIR_ACTUATION, &r->actuation_path, &r->actuation, report));
    series_actuation_head(r->actuation, m);
    return LITHE_OK;
}

lithe_status results_open(const char *name, const lithe_model *m, const double *target, results *r,
                          lithe_report *report)
{
    *r = (results){.target = target};
    LITHE_TRY(outdir_open(name, &r->folder, report));
    lithe_status status = open_series(r, m, report);
    if (status != LITHE_OK)
        results_discard(r);
    return status;
}

lithe_status results_add(results *r, const lithe_model *m, const lithe_state *s,
                         lithe_report *report)
{
    char name[64];
    snprintf(name, sizeof name, OUTDIR_FRAME, r->nframe);
    const char *path = outdir_file(&r->folder, name);
    if (!path)
        return no_memory(report);
    LITHE_TRY(lithe_write_vtu(m, s, path, report));
    series_line(r->series, m, s, r->first + r->nframe, r->target);
    if (r->actuation)
        series_actuation_line(r->actuation, m, s, r->first + r->nframe);
    if (r->contacts)
        series_contacts_lines(r->contacts, m, s, r->first + r->nframe);
    r->nframe++;
    return LITHE_OK;
}

static lithe_status write_index(results *r, double dt, lithe_report *report)
{
    const char *path = NULL;
    FILE *file = NULL;
    LITHE_TRY(create(r, OUTDIR_INDEX, &path, &file, report));
    series_index(file, r->nframe, dt);
    return file_finish(file, path, report);
}

static lithe_status write_summary(results *r, const char *summary, lithe_report *report)
{
    const char *path = NULL;
    FILE *file = NULL;
    LITHE_TRY(create(r, OUTDIR_SUMMARY, &path, &file, report));
    fwrite(summary, 1, strlen(summary), file);
    return file_finish(file, path, report);
}

static lithe_status write_matrix(results *r, const char *name, const lithe_model *m, int first,
                                 lithe_command_kind kind, const double *value, lithe_report *report)
{
    const char *path = NULL;
    FILE *file = NULL;
    LITHE_TRY(create(r, name, &path, &file, report));
    series_matrix(file, m, first, kind, value);
    return file_finish(file, path, report);
}

lithe_status results_add_matrices(results *r, const lithe_model *m, const double *W,
                                  const double *J, lithe_report *report)
{
    LITHE_TRY(write_matrix(r, OUTDIR_COMPLIANCE, m, 0, LITHE_EFFORT, W, report));
    if (!J)
        return LITHE_OK;
    return write_matrix(r, OUTDIR_JACOBIAN, m, lithe_ndriven(m), LITHE_DISPLACEMENT, J, report);
}

static lithe_status finish_series(results *r, lithe_report *report)
{
    FILE *series = r->series, *actuation = r->actuation, *contacts = r->contacts;
    r->series = NULL;
    LITHE_TRY(file_finish(series, r->series_path, report));
    r->contacts = NULL;
    if (contacts)
        LITHE_TRY(file_finish(contacts, r->contacts_path, report));
    r->actuation = NULL;
    return actuation ? file_finish(actuation, r->actuation_path, report) : LITHE_OK;
}

static lithe_status write_rest(results *r, const lithe_model *m, const char *summary,
                               lithe_report *report)
{
    LITHE_TRY(finish_series(r, report));
    LITHE_TRY(write_index(r, lithe_model_step(m)->dt, report));
    return write_summary(r, summary, report);
}

lithe_status results_commit(results *r, const lithe_model *m, const char *summary,
                            lithe_report *report)
{
    lithe_status status = write_rest(r, m, summary, report);
    if (status == LITHE_OK)
        return outdir_commit(&r->folder, report);
    results_discard(r);
    return status;
}

void results_discard(results *r)
{
    if (r->series)
        fclose(r->series);
    if (r->actuation)
        fclose(r->actuation);
    if (r->contacts)
        fclose(r->contacts);
    outdir_discard(&r->folder);
    *r = (results){0};
}
