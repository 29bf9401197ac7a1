#include "io/results.h"

#include "base/status.h"
#include "io/file.h"
#include "io/series.h"
#include "step/readout.h"

#include <string.h>

static lithe_status no_memory(lithe_report *report)
{
    return report_no_memory(report, "the results' file names");
}

static lithe_status open_series(results *r, const lithe_model *m, lithe_report *report)
{
    r->series_path = outdir_file(&r->folder, OUTDIR_SERIES);
    if (!r->series_path)
        return no_memory(report);
    LITHE_TRY(file_create(r->series_path, &r->series, report));
    series_head(r->series, m);
    return LITHE_OK;
}

lithe_status results_open(const char *name, const lithe_model *m, results *r, lithe_report *report)
{
    *r = (results){0};
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
    series_line(r->series, m, s, r->nframe);
    r->nframe++;
    return LITHE_OK;
}

static lithe_status write_index(results *r, double dt, lithe_report *report)
{
    const char *path = outdir_file(&r->folder, OUTDIR_INDEX);
    if (!path)
        return no_memory(report);
    FILE *file;
    LITHE_TRY(file_create(path, &file, report));
    series_index(file, r->nframe, dt);
    return file_finish(file, path, report);
}

static lithe_status write_summary(results *r, const char *summary, lithe_report *report)
{
    const char *path = outdir_file(&r->folder, OUTDIR_SUMMARY);
    if (!path)
        return no_memory(report);
    FILE *file;
    LITHE_TRY(file_create(path, &file, report));
    fwrite(summary, 1, strlen(summary), file);
    return file_finish(file, path, report);
}

static lithe_status write_rest(results *r, const lithe_model *m, const char *summary,
                               lithe_report *report)
{
    FILE *series = r->series;
    r->series = NULL;
    LITHE_TRY(file_finish(series, r->series_path, report));
    LITHE_TRY(write_index(r, model_step_def(m)->dt, report));
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
    outdir_discard(&r->folder);
    *r = (results){0};
}
