#include "app/interrupt.h"
#include "app/options.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/say.h"
#include "base/status.h"
#include "io/json.h"
#include "lithe/reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const command_line LINE = {
    .name = "reduce",
    .usage = "SCENE [options]",
    .about =
        "Makes the reduced model that the scene's section `reduction` names: solves the whole one\n"
        "at samples of its actuators' range, finds the few shapes and elements that stand for it,\n"
        "and checks them by samples that they were not made of, until the largest error at an\n"
        "effector is below the section's tolerance. What is found is kept in FILE.journal as it\n"
        "comes, so that a run that was ended goes on there.\n"
        "\n"
        "Ends with 0 when the tolerance holds, 1 when it does not (the best is written), 2 on bad\n"
        "input, 3 when memory or disk failed, 130 when interrupted.\n",
    .options = OPTION_THREADS | OPTION_SET | OPTION_JSON | OPTION_QUIET,
};

enum { PATH_MOST = 4096 };

typedef struct task {
    options options;
    lithe_report report;
    lithe_scene *scene;
    progress bar;
    const char *doing;
    char journal[PATH_MOST];
    lithe_reduction *made;
} task;

static bool note(void *user, const char *what, int done, int total)
{
    task *t = user;
    if (!t->doing || strcmp(t->doing, what) != 0) {
        if (t->doing)
            progress_end(&t->bar);
        t->bar = progress_start("lithe reduce", total > 0 ? total : 1);
        t->doing = what;
    }
    if (total > 0)
        progress_at(&t->bar, done);
    return !interrupt_seen();
}

static lithe_status make(task *t)
{
    const lithe_def *def = lithe_scene_def(t->scene);
    const lithe_reduction_def *wanted = &def->reduction;
    lithe_reduce_def how = lithe_reduce_def_default();
    if (!wanted->file)
        return LITHE_FAIL(&t->report, LITHE_INVALID,
                          "the scene does not say where its reduced model is to be: add reduction: "
                          "{file: robot.h5}, or --set reduction.file=robot.h5");
    if (snprintf(t->journal, sizeof t->journal, "%s.journal", wanted->file) >= PATH_MOST)
        return LITHE_FAIL(&t->report, LITHE_INVALID, "the name of the file is too long");
    how.tolerance = wanted->tolerance;
    how.nsample = wanted->nsample;
    how.seed = wanted->seed > 0 ? (unsigned)wanted->seed : how.seed;
    how.threads = t->options.threads;
    how.journal = t->journal;
    how.progress = note;
    how.user = t;
    lithe_status status = lithe_reduce(def, &how, &t->made, &t->report);
    if (t->doing)
        progress_end(&t->bar);
    return status;
}

static void print_json(const char *file, const lithe_reduction *made, bool met)
{
    lithe_reduction_info info = lithe_reduction_get(made), *i = &info;
    lithe_reduction_patch patch = lithe_reduction_get_patch(made);
    json j = {.out = stdout};
    json_begin_object(&j, NULL);
    json_string(&j, "file", file);
    json_bool(&j, "met", met);
    json_number(&j, "tolerance", i->tolerance);
    json_number(&j, "error", i->error);
    json_number(&j, "error_mean", i->error_mean);
    json_integer(&j, "modes", i->nmode);
    json_integer(&j, "patch_modes", patch.nshape);
    json_integer(&j, "patch_nodes", patch.nnode);
    json_integer(&j, "elements", i->nelement);
    json_integer(&j, "whole_nodes", i->nnode);
    json_integer(&j, "whole_elements", i->nelement_whole);
    json_integer(&j, "samples", i->nsample);
    json_integer(&j, "checks", i->ncheck);
    json_end_object(&j);
    putchar('\n');
}

static void print_text(const char *file, const lithe_reduction *made)
{
    lithe_reduction_info info = lithe_reduction_get(made), *i = &info;
    lithe_reduction_patch patch = lithe_reduction_get_patch(made);
    printf("%s\n  whole      %d nodes, %d elements\n  reduced    %d coordinates, %d elements\n",
           file, i->nnode, i->nelement_whole, i->nmode, i->nelement);
    if (patch.nnode > 0)
        printf("  patch      %d nodes, %d of the coordinates\n", patch.nnode, patch.nshape);
    printf("  made of    %d samples, checked by %d others\n", i->nsample, i->ncheck);
    printf("  error      %.3g mm at most, %.3g mm in the mean; %.3g mm were allowed\n",
           1e3 * i->error, 1e3 * i->error_mean, 1e3 * i->tolerance);
}

// What was made is written, whether it is good enough or only the best there is.
static int finish(task *t, lithe_status status)
{
    const char *file = lithe_scene_def(t->scene)->reduction.file;
    if (status != LITHE_OK)
        say_error("%s", t->report.error);
    lithe_status written = lithe_reduction_write(t->made, file, &t->report);
    if (written != LITHE_OK)
        return say_failure(written, &t->report);
    remove(t->journal);
    if (t->options.json)
        print_json(file, t->made, status == LITHE_OK);
    else if (!t->options.quiet)
        print_text(file, t->made);
    return say_flush_output(status == LITHE_OK ? EXIT_DONE : EXIT_NOT_CONVERGED);
}

static int run_task(task *t)
{
    t->report = lithe_report_default();
    lithe_status status =
        lithe_scene_read(t->options.scene, t->options.nset, t->options.set, &t->scene, &t->report);
    if (status == LITHE_OK)
        status = make(t);
    if (interrupt_seen()) {
        say_notice("interrupted; the same command goes on from what is in %s", t->journal);
        return EXIT_INTERRUPTED;
    }
    return t->made && (status == LITHE_OK || status == LITHE_NOT_CONVERGED)
               ? finish(t, status)
               : say_failure(status, &t->report);
}

int command_reduce(int argc, char **argv)
{
    task t = {0};
    int exit_status;
    interrupt_watch();
    if (options_parse(&LINE, argc, argv, &t.options, &exit_status))
        exit_status = run_task(&t);
    lithe_reduction_free(t.made);
    lithe_scene_free(t.scene);
    options_free(&t.options);
    return exit_status;
}
