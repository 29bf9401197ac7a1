// Calibration from a file of the scene and one of observations to the values that fit best.
#include "base/defaults.h"
#include "base/memory.h"
#include "base/status.h"
#include "study/misfit.h"
#include "study/tolerances.h"

#include <math.h>
#include <string.h>

typedef struct own_calibration {
    lithe_calibration out;
    lithe_observations data;
    study study;
    lithe_scene *scene;
    lithe_model *model;
    lithe_report unheard; // of scene and model, whose notices are not for whoever calibrates
} own_calibration;

static lithe_status load(own_calibration *c)
{
    const lithe_calibrate_def *d = &c->study.def;
    c->unheard = lithe_report_default();
    lithe_status status = lithe_scene_read(d->scene, d->nset, d->set, &c->scene, &c->unheard);
    if (status == LITHE_OK)
        status = lithe_compile(lithe_scene_def(c->scene), &c->model, &c->unheard);
    if (status != LITHE_OK)
        return LITHE_FAIL(c->study.report, status, "%s", c->unheard.error);
    c->study.scene = c->scene;
    c->study.model = c->model;
    return LITHE_OK;
}

static lithe_status prepare(own_calibration *c)
{
    study *s = &c->study;
    if (!s->def.scene || !s->def.data || s->def.nfind < 1 || s->def.threads < 1)
        return LITHE_FAIL(s->report, LITHE_INVALID,
                          "a calibration needs a scene, a table of data, something to find and a "
                          "thread or more");
    LITHE_TRY(load(c));
    LITHE_TRY(unknowns_read(s, &c->out.parameter));
    c->out.nparameter = s->def.nfind;
    LITHE_TRY(observe_read(s, false, &c->data));
    c->out.data = &c->data;
    return LITHE_OK;
}

// Of a residual, which is a row's value over its standard deviation: the largest there is.
static double find_noise(const own_calibration *c)
{
    double largest = 0, robot = unknown_robot_size(c->model);
    for (int i = 0; i < c->data.ndatum; i++) {
        const lithe_datum *d = &c->data.datum[i];
        bool is_length = c->data.column[d->column].dimension == QUANTITY_LENGTH;
        double size = is_length ? robot : fabs(d->value);
        largest = fmax(largest, STUDY_ROW_NOISE * size / d->sigma);
    }
    return largest;
}

static lithe_status show(own_calibration *c, const calibrate_result *r)
{
    lithe_calibration *out = &c->out;
    lithe_blind *blind = arena_new(&c->study.memory, r->nblind, lithe_blind);
    if (!blind)
        return report_no_memory(c->study.report, "what was found");
    for (int i = 0; i < r->nblind; i++)
        blind[i] = (lithe_blind){r->blind[i].change, r->blind[i].member, r->blind[i].effect,
                                 r->blind[i].numerical};
    for (int k = 0; k < out->nparameter; k++) {
        out->parameter[k].value = r->value[k];
        out->parameter[k].low = r->low[k];
        out->parameter[k].high = r->high[k];
        out->parameter[k].open = r->open[k];
        out->parameter[k].at_bound = r->at_bound[k];
    }
    out->converged = r->converged;
    out->iteration = r->iteration;
    out->nevaluation = r->nevaluation;
    out->residual = r->residual;
    out->singular = r->singular;
    out->nblind = r->nblind;
    out->blind = blind;
    out->dof = r->dof;
    out->spread = r->spread;
    out->quantile = r->quantile;
    out->chance = r->chance;
    return LITHE_OK;
}

// Where the first point of a search has values that the scene refuses, they are the user's.
static lithe_status explain(const forward *f, const calibrate_result *r, lithe_report *report)
{
    lithe_report what = *report;
    lithe_status status =
        r->nevaluation == 1 && f->status == LITHE_INVALID ? LITHE_INVALID : LITHE_NOT_CONVERGED;
    return LITHE_FAIL(report, status, "%.300s: %.700s", what.error, f->reason.error);
}

static lithe_status search(own_calibration *c)
{
    study *s = &c->study;
    forward f;
    calibrate_result found = {0};
    calibrate_unknown *searched = arena_new(&s->memory, s->def.nfind, calibrate_unknown);
    if (!searched)
        return report_no_memory(s->report, "what is to be found");
    for (int i = 0; i < s->def.nfind; i++)
        searched[i] = unknown_to_find(&c->out.parameter[i]);
    calibrate_problem p = {.nunknown = s->def.nfind,
                           .ndatum = c->data.ndatum,
                           .unknown = searched,
                           .weighted = c->data.weighted,
                           .noise = find_noise(c),
                           .evaluate = forward_evaluate,
                           .user = &f};
    LITHE_TRY(forward_open(&f, s, &c->data, c->out.parameter));
    lithe_status status = calibrate_solve(&p, &s->memory, &found, s->report);
    if (status == LITHE_NOT_CONVERGED)
        status = explain(&f, &found, s->report);
    forward_close(&f);
    return status == LITHE_OK ? show(c, &found) : status;
}

lithe_status lithe_calibrate(const lithe_calibrate_def *def, lithe_calibration **calibration,
                             lithe_report *report)
{
    *calibration = NULL;
    own_calibration *c = memory_alloc(sizeof *c);
    if (!c)
        return report_no_memory(report, "the calibration");
    memset(c, 0, sizeof *c);
    c->study.report = report;
    lithe_status status = def_take(LITHE_DEF_CALIBRATE, def, &c->study.def, report);
    if (status == LITHE_OK)
        status = prepare(c);
    if (status == LITHE_OK)
        status = search(c);
    if (status == LITHE_OK)
        *calibration = &c->out;
    else
        lithe_calibration_free(&c->out);
    return status;
}

void lithe_calibration_free(lithe_calibration *calibration)
{
    own_calibration *c = (own_calibration *)calibration; // its first member
    if (!c)
        return;
    lithe_model_free(c->model);
    lithe_scene_free(c->scene);
    arena_free(&c->study.memory);
    memory_free(c);
}
