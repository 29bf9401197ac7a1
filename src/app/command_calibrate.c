#include "app/calibration.h"
#include "app/interrupt.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/say.h"
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

typedef struct task {
    session session;
    progress bar;
    bool begun;
    lithe_calibration *found;
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

static bool stop(void *unused)
{
    (void)unused;
    return interrupt_seen();
}

static void note(void *user, int done, int expected)
{
    task *t = user;
    if (!t->begun)
        t->bar = progress_start("lithe calibrate", expected);
    t->begun = true;
    t->bar.total = expected;
    progress_at(&t->bar, done);
}

static lithe_status search(task *t)
{
    session *s = &t->session;
    lithe_calibrate_def def = lithe_calibrate_def_default();
    LITHE_TRY(check_options(s));
    def.scene = s->options.scene;
    def.nset = s->options.nset;
    def.set = s->options.set;
    def.data = s->options.data;
    def.nfind = s->options.nfind;
    def.find = s->options.find;
    def.threads = s->options.threads;
    def.stop = stop;
    def.progress = note;
    def.user = t;
    lithe_status status = lithe_calibrate(&def, &t->found, &s->report);
    if (t->begun)
        progress_end(&t->bar);
    return status;
}

static void say_bounds(const calibration *c)
{
    for (int k = 0; k < c->found->nparameter; k++)
        if (c->found->parameter[k].at_bound)
            say_notice("'%s' ends at its %s bound, %g %s: the data would have it beyond; widen the "
                       "bound, or doubt the data",
                       c->found->parameter[k].path,
                       c->found->parameter[k].at_bound < 0 ? "lower" : "upper",
                       c->found->parameter[k].value, c->found->parameter[k].unit);
}

static void say_scatter(const calibration *c)
{
    const lithe_calibration *r = c->found;
    if (!r->converged)
        return;
    if (isnan(r->spread) && r->nblind == 0)
        say_notice("there are as many measurements as values to find, so that nothing tells how "
                   "good they are; measure more, or give a column sigma_m");
    else if (r->data->weighted && isfinite(r->chance) && r->spread != 1)
        say_notice("the residuals are %.2g times what their standard deviations say (chance %.1g): "
                   "the model or these are wrong; the intervals are widened by as much",
                   r->spread, r->chance);
}

// Returns whether everything that was asked for was found.
static bool say_verdict(const calibration *c)
{
    char text[CALIBRATION_TEXT];
    if (!c->found->converged)
        say_error("the search did not converge in %d iterations; start nearer, or set bounds",
                  c->found->iteration);
    for (int i = 0; i < c->found->nblind; i++)
        say_error("%s", calibration_blind_text(c, &c->found->blind[i], text));
    say_bounds(c);
    say_scatter(c);
    return c->found->converged && c->found->nblind == 0;
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
    lithe_status status = search(t);
    t->end = (calibration){.session = s, .found = t->found};
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
    lithe_calibration_free(t.found);
    session_close(&t.session);
    return exit_status;
}
