#include "app/calibration.h"

#include "base/status.h"
#include "io/file.h"
#include "io/number.h"
#include "io/outdir.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A number, or nothing where there is none.
static void write_number(FILE *file, double value)
{
    char text[NUMBER_TEXT];
    fprintf(file, ",%s", isnan(value) ? "" : number_text(value, text));
}

static void write_parameters(FILE *file, const calibration *c)
{
    fputs("path,unit,value,low,high,start,told\n", file);
    for (int k = 0; k < c->found->nparameter; k++) {
        const lithe_parameter *u = &c->found->parameter[k];
        fprintf(file, "%s,%s", u->path, u->unit);
        write_number(file, c->found->parameter[k].value);
        write_number(file, c->found->parameter[k].low);
        write_number(file, c->found->parameter[k].high);
        write_number(file, u->start);
        fprintf(file, ",%d\n", !c->found->parameter[k].open);
    }
}

// Model minus observation, in the units of the columns, with holes where nothing was measured.
static void write_residuals(FILE *file, const calibration *c)
{
    const lithe_observations *o = c->found->data;
    fputs("line", file);
    for (int i = 0; i < o->ncolumn; i++)
        if (lithe_column_is_measured(&o->column[i]))
            fprintf(file, ",%s", o->column[i].name);
    fputc('\n', file);
    for (int line = 0, k = 0; line < o->nline; line++) {
        fprintf(file, "%d", o->number[line]);
        for (int i = 0; i < o->ncolumn; i++) {
            if (!lithe_column_is_measured(&o->column[i]))
                continue;
            bool there = k < o->ndatum && o->datum[k].line == line && o->datum[k].column == i;
            write_number(file,
                         there ? c->found->residual[k] * o->datum[k].sigma / o->column[i].si : NAN);
            k += there;
        }
        fputc('\n', file);
    }
}

// For xargs, which knows quotes: xargs lithe run SCENE < overrides.txt
static void write_overrides(FILE *file, const calibration *c)
{
    char text[NUMBER_TEXT];
    for (int k = 0; k < c->found->nparameter; k++)
        fprintf(file, "--set '%s=%s%s%s'\n", c->found->parameter[k].path,
                number_text(c->found->parameter[k].value, text),
                *c->found->parameter[k].unit ? " " : "", c->found->parameter[k].unit);
}

static lithe_status write_file(const calibration *c, outdir *folder, const char *name,
                               void (*write)(FILE *, const calibration *), const char *text)
{
    lithe_report *report = &c->session->report;
    const char *path = outdir_file(folder, name);
    FILE *file;
    if (!path)
        return report_no_memory(report, "the results' file names");
    LITHE_TRY(file_create(path, &file, report));
    if (write)
        write(file, c);
    else
        fputs(text, file);
    return file_finish(file, path, report);
}

lithe_status calibration_save(const calibration *c, const char *summary)
{
    outdir folder;
    lithe_report *report = &c->session->report;
    LITHE_TRY(outdir_open(c->session->options.out, &folder, report));
    lithe_status status = write_file(c, &folder, OUTDIR_PARAMETERS, write_parameters, NULL);
    if (status == LITHE_OK)
        status = write_file(c, &folder, OUTDIR_RESIDUALS, write_residuals, NULL);
    if (status == LITHE_OK)
        status = write_file(c, &folder, OUTDIR_OVERRIDES, write_overrides, NULL);
    if (status == LITHE_OK)
        status = write_file(c, &folder, OUTDIR_SUMMARY, NULL, summary);
    if (status == LITHE_OK)
        return outdir_commit(&folder, report);
    outdir_discard(&folder);
    return status;
}
