#include "app/calibration.h"
#include "app/interrupt.h"
#include "app/misfit.h"
#include "app/observe.h"
#include "app/program.h"
#include "app/say.h"
#include "app/unknown.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const command_line LINE = {
    .name = "calibrate",
    .usage = "SCENE --data FILE --find PATH[=START][:LOW..HIGH] [options]",
    .about =
        "Finds values of the scene, such as Young's moduli, from observed positions under known\n"
        "loads and commands. FILE is a table with a line for every observation; its columns are\n"
        "commands (north.pull_mm), keys of the scene that differ from line to line\n"
        "(set:loads.weight.force.value.2_N), what was measured (tip.x_mm) and, where it is\n"
        "known, the standard deviation of that (sigma_mm).\n"
        "\n"
        "PATH is a key of the scene (materials.skin.young). The search starts at START, or at the\n"
        "scene's value, and stays between LOW and HIGH.\n"
        "\n"
        "Ends with 0 when every value was found, 1 when one cannot be told from the data or the\n"
        "search did not converge, 2 on bad input, 3 when memory or disk failed, 130 when\n"
        "interrupted.\n",
    .options = OPTION_OUT | OPTION_THREADS | OPTION_SET | OPTION_DATA | OPTION_FIND | OPTION_JSON |
               OPTION_QUIET,
};

// Error of a row of an equilibrium at the forward model's tolerance, relative to the robot's size.
static const double ROW_NOISE = 1e-10;

typedef struct task {
    session session;
    observations data;
    unknown *unknown;
    calibrate_unknown *searched;
    calibration end;
} task;

static lithe_status check_options(session *s)
{
    if (!s->options.data)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "there are no observations; name their table: --data FILE");
    if (s->options.nfind == 0)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "there is nothing to find; name a key of the scene: --find "
                          "materials.NAME.young");
    return LITHE_OK;
}

static lithe_status prepare(task *t)
{
    session *s = &t->session;
    LITHE_TRY(check_options(s));
    LITHE_TRY(unknowns_read(s, &t->unknown));
    LITHE_TRY(observe_read(s, false, &t->data));
    t->searched = arena_new(&s->memory, s->options.nfind, calibrate_unknown);
    if (!t->searched)
        return report_no_memory(&s->report, "what is to be found");
    for (int i = 0; i < s->options.nfind; i++)
        t->searched[i] = unknown_to_find(s, &t->unknown[i]);
    return LITHE_OK;
}

// Of a residual, which is a row's value over its standard deviation: the largest there is.
static double find_noise(const task *t)
{
    double largest = 0;
    for (int i = 0; i < t->data.ndatum; i++) {
        const observe_datum *d = &t->data.datum[i];
        bool is_length = t->data.column[d->column].dimension == QUANTITY_LENGTH;
        double size = is_length ? unknown_robot_size(t->session.model) : fabs(d->value);
        largest = fmax(largest, ROW_NOISE * size / d->sigma);
    }
    return largest;
}

static lithe_status search(task *t)
{
    session *s = &t->session;
    forward f;
    calibrate_problem p = {.nunknown = s->options.nfind,
                           .ndatum = t->data.ndatum,
                           .unknown = t->searched,
                           .weighted = t->data.weighted,
                           .noise = find_noise(t),
                           .evaluate = forward_evaluate,
                           .user = &f};
    LITHE_TRY(forward_open(&f, s, &t->data, t->unknown));
    lithe_status status = calibrate_solve(&p, &s->memory, &t->end.result, &s->report);
    if (status == LITHE_NOT_CONVERGED) {
        lithe_report what = s->report;
        LITHE_FAIL(&s->report, status, "%.300s: %.700s", what.error, f.reason.error);
    }
    // Where the first point of a search has values that the scene refuses, they are the user's.
    if (status == LITHE_NOT_CONVERGED && t->end.result.nevaluation == 1)
        status = f.status == LITHE_INVALID ? LITHE_INVALID : status;
    forward_close(&f);
    return status;
}

static void say_bounds(const calibration *c)
{
    for (int k = 0; k < c->nunknown; k++)
        if (c->result.at_bound[k])
            say_notice("'%s' ends at its %s bound, %g %s: the data would have it beyond; widen the "
                       "bound, or doubt the data",
                       c->unknown[k].path, c->result.at_bound[k] < 0 ? "lower" : "upper",
                       c->result.value[k], c->unknown[k].unit);
}

static void say_scatter(const calibration *c)
{
    const calibrate_result *r = &c->result;
    if (!r->converged)
        return;
    if (isnan(r->spread) && r->nblind == 0)
        say_notice("there are as many measurements as values to find, so that nothing tells how "
                   "good they are; measure more, or give a column sigma_m");
    else if (c->data->weighted && isfinite(r->chance) && r->spread != 1)
        say_notice("the residuals are %.2g times what their standard deviations say (chance %.1g): "
                   "the model or these are wrong; the intervals are widened by as much",
                   r->spread, r->chance);
}

// Returns whether everything that was asked for was found.
static bool say_verdict(const calibration *c)
{
    char text[CALIBRATION_TEXT];
    if (!c->result.converged)
        say_error("the search did not converge in %d iterations; start nearer, or set bounds",
                  c->result.iteration);
    for (int i = 0; i < c->result.nblind; i++)
        say_error("%s", calibration_blind_text(c, &c->result.blind[i], text));
    say_bounds(c);
    say_scatter(c);
    return c->result.converged && c->result.nblind == 0;
}

static int finish(task *t)
{
    session *s = &t->session;
    calibration *c = &t->end;
    char *text = calibration_json(c);
    if (!text)
        return say_failure(report_no_memory(&s->report, "the summary"), &s->report);
    int exit_status = say_verdict(c) ? EXIT_DONE : EXIT_NOT_CONVERGED;
    lithe_status status = s->options.out ? calibration_save(c, text) : LITHE_OK;
    if (status != LITHE_OK)
        exit_status = say_failure(status, &s->report);
    else if (s->options.json)
        fputs(text, stdout);
    else if (!s->options.quiet)
        calibration_print(c);
    free(text);
    return status == LITHE_OK ? say_flush_output(exit_status) : exit_status;
}

static int run_task(task *t)
{
    session *s = &t->session;
    lithe_status status = prepare(t);
    t->end.session = s;
    t->end.data = &t->data;
    t->end.unknown = t->unknown;
    t->end.searched = t->searched;
    t->end.nunknown = s->options.nfind;
    if (status == LITHE_OK)
        status = search(t);
    if (interrupt_seen()) {
        say_notice("interrupted%s", s->options.out ? "; no results were written" : "");
        return EXIT_INTERRUPTED;
    }
    return status == LITHE_OK ? finish(t) : say_failure(status, &s->report);
}

int command_calibrate(int argc, char **argv)
{
    task t = {0};
    int exit_status;
    interrupt_watch();
    if (session_open(&t.session, &LINE, argc, argv, &exit_status))
        exit_status = run_task(&t);
    session_close(&t.session);
    return exit_status;
}
