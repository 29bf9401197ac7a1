#include "app/interrupt.h"
#include "app/orders.h"
#include "app/pin.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/say.h"
#include "app/show.h"
#include "app/stopwatch.h"
#include "app/summary.h"
#include "base/memory.h"
#include "base/status.h"
#include "io/json.h"
#include "step/readout.h"

#include <math.h>
#include <stdlib.h>

static const command_line LINE = {
    .name = "bench",
    .usage = "SCENE [NAME.QUANTITY=VALUE ...] [options]",
    .about =
        "Times the step and its phases, in the mode realtime unless --set step.mode says "
        "otherwise.\n"
        "A scene with a task follows it; any other robot is moved to its commands. Some steps to\n"
        "warm up come first and are not counted. On one thread the program stays on one core.\n"
        "\n"
        "A target that is missed is no failure. Ends with 0 when all steps were done, 1 when one "
        "of\n"
        "them failed, 2 on bad input, 3 when memory failed, 130 when interrupted.\n",
    .options = OPTION_STEPS | OPTION_THREADS | OPTION_SET | OPTION_JSON | OPTION_QUIET,
    .takes_commands = true,
};

enum { WARM_UP = 20, STEPS = 200, MOST_STEPS_OF_A_TASK = 2000 };

typedef struct bench {
    session session;
    order *order;  // (nactuator)
    double *start; // of the task (nrow); NULL: the scene has none
    lithe_state *state;
    timing timing;
    int nwarm, nstep;
    int core;            // -1: not pinned
    int newton;          // iterations of all timed steps
    double factor_flops; // of all timed steps
} bench;

// What a scene's task takes to reach its path, and to follow it once.
static void plan_task(bench *b)
{
    const lithe_model *m = b->session.model;
    double dt = model_step_def(m)->dt;
    double once = lithe_task_duration(m) / dt, approach = lithe_task_approach(m, b->start) / dt;
    b->nwarm += (int)fmin(approach, MOST_STEPS_OF_A_TASK);
    if (once >= STEPS)
        b->nstep = (int)fmin(once, MOST_STEPS_OF_A_TASK);
}

static lithe_status prepare(bench *b)
{
    session *s = &b->session;
    b->nwarm = WARM_UP;
    b->nstep = STEPS;
    LITHE_TRY(orders_read(s, &b->order));
    LITHE_TRY(lithe_state_create(s->model, s->options.threads, &b->state, &s->report));
    LITHE_TRY(orders_try(s, b->state, b->order));
    if (lithe_ngoal(s->model) > 0) {
        b->start = arena_new(&s->memory, lithe_nrow(s->model), double);
        if (!b->start)
            return report_no_memory(&s->report, "the task");
        lithe_task_start(s->model, b->state, b->start);
        plan_task(b);
    }
    if (s->options.steps)
        b->nstep = s->options.steps;
    if (!timing_create(&b->timing, b->nstep))
        return report_no_memory(&s->report, "step times; use fewer steps");
    return LITHE_OK;
}

// A task is followed again from the start of its path when it has ended.
static lithe_status aim(bench *b, int step)
{
    session *s = &b->session;
    if (!b->start)
        return orders_give(s, b->state, b->order, fmax(0, (double)step / b->nstep));
    double approach = lithe_task_approach(s->model, b->start);
    double time = (step + b->nwarm) * model_step_def(s->model)->dt;
    double once = lithe_task_duration(s->model);
    if (time > approach && once > 0)
        time = approach + fmod(time - approach, once);
    lithe_status status = lithe_task_apply(s->model, b->state, b->start, time);
    if (status != LITHE_OK)
        return LITHE_FAIL(&s->report, status, "%s", lithe_state_error(b->state));
    return LITHE_OK;
}

// Steps up to number 0 warm up.
static lithe_status step(bench *b, int number)
{
    session *s = &b->session;
    LITHE_TRY(aim(b, number));
    double begin = stopwatch_now();
    lithe_status status = lithe_step(s->model, b->state);
    double spent = stopwatch_now() - begin;
    if (status != LITHE_OK)
        return LITHE_FAIL(&s->report, status, "step %d: %s", number, lithe_state_error(b->state));
    if (number < 1)
        return LITHE_OK;
    int passes = lithe_last_residual(b->state).iteration;
    timing_add(&b->timing, spent, lithe_last_phase_time(b->state));
    b->newton += passes;
    b->factor_flops += passes * model_factor_flops(s->model);
    return LITHE_OK;
}

static lithe_status play(bench *b)
{
    lithe_status status = LITHE_OK;
    progress bar = progress_start("lithe bench", b->nwarm + b->nstep);
    b->core = b->session.options.threads == 1 ? pin_to_core() : -1;
    for (int k = 1 - b->nwarm; k <= b->nstep && status == LITHE_OK && !interrupt_seen(); k++) {
        status = step(b, k);
        progress_at(&bar, b->nwarm + k);
    }
    pin_release();
    progress_end(&bar);
    return status;
}

static double phase_mean(const bench *b, int phase)
{
    return timing_mean(b->timing.phase[phase], b->timing.nstep);
}

static double share(const bench *b, int phase)
{
    return phase_mean(b, phase) / timing_mean(b->timing.step, b->timing.nstep);
}

static double gflops(const bench *b)
{
    double seconds = phase_mean(b, TIMING_FACTOR) * b->timing.nstep;
    return 1e-9 * b->factor_flops / seconds;
}

static void write_spread(json *j, const bench *b, const char *key, const double *time)
{
    int n = b->timing.nstep;
    json_begin_object(j, key);
    json_number(j, "mean", 1e3 * timing_mean(time, n));
    json_number(j, "median", 1e3 * timing_rank(time, n, 0.5));
    json_number(j, "p99", 1e3 * timing_rank(time, n, 0.99));
    json_number(j, "max", 1e3 * timing_rank(time, n, 1));
}

static void write_bench(json *j, const bench *b)
{
    json_begin_object(j, "bench");
    json_string(j, "motion", b->start ? "task" : "commands");
    json_integer(j, "warm_up", b->nwarm);
    if (b->core < 0)
        json_null(j, "core");
    else
        json_integer(j, "core", b->core);
    json_number(j, "factor_gflops", gflops(b));
    json_number(j, "factor_flops", model_factor_flops(b->session.model));
    json_integer(j, "model_bytes", (long)model_bytes(b->session.model));
    json_integer(j, "state_bytes", (long)state_bytes(b->state));
    json_begin_object(j, "phases_ms");
    for (int i = 0; i < TIMING_NPHASE; i++) {
        write_spread(j, b, TIMING_PHASE[i], b->timing.phase[i]);
        json_number(j, "share", share(b, i));
        json_end_object(j);
    }
    json_end_object(j);
    json_end_object(j);
}

static void print_line(const bench *b, const char *name, const double *time)
{
    int n = b->timing.nstep;
    printf("  %-10s %10.3f %10.3f %10.3f %10.3f", name, 1e3 * timing_rank(time, n, 0.5),
           1e3 * timing_rank(time, n, 0.99), 1e3 * timing_rank(time, n, 1),
           1e3 * timing_mean(time, n));
}

static void print_text(const bench *b)
{
    const lithe_model *m = b->session.model;
    printf("%s: %d steps after %d to warm up, %s", b->session.options.scene, b->timing.nstep,
           b->nwarm, b->start ? "following its task" : "moving to its commands");
    if (b->core >= 0)
        printf(", on core %d\n", b->core);
    else
        printf(", on %d thread%s\n", b->session.options.threads,
               b->session.options.threads == 1 ? "" : "s");
    printf("  model      %d nodes, %d elements, %d degrees of freedom, %d rows\n", lithe_nnode(m),
           lithe_nelement(m), lithe_ndof(m), lithe_nrow(m));
    printf("  memory     %.1f MiB model, %.1f MiB state\n", (double)model_bytes(m) / MEMORY_MIB,
           (double)state_bytes(b->state) / MEMORY_MIB);
    printf("  factor     %.1f Mflop, %.2f Gflop/s\n", 1e-6 * model_factor_flops(m), gflops(b));
    printf("  %-10s %10s %10s %10s %10s %8s\n", "ms", "median", "p99", "max", "mean", "share");
    print_line(b, "step", b->timing.step);
    printf("\n");
    for (int i = 0; i < TIMING_NPHASE; i++) {
        print_line(b, TIMING_PHASE[i], b->timing.phase[i]);
        printf(" %6.1f %%\n", 100 * share(b, i));
    }
}

static int finish(bench *b)
{
    session *s = &b->session;
    timing_sort(&b->timing);
    summary end = {.scene = s->options.scene,
                   .def = lithe_scene_def(s->scene),
                   .model = s->model,
                   .state = b->state,
                   .steps = b->timing.nstep,
                   .threads = s->options.threads,
                   .newton = b->newton,
                   .converged = true,
                   .timing = &b->timing};
    if (s->options.json) {
        json j = {.out = stdout};
        json_begin_object(&j, NULL);
        summary_write(&j, &end);
        write_bench(&j, b);
        json_end_object(&j);
    } else if (!s->options.quiet) {
        print_text(b);
    }
    return say_flush_output(EXIT_DONE);
}

static int run_session(bench *b)
{
    lithe_status status = prepare(b);
    if (status == LITHE_OK)
        status = play(b);
    if (interrupt_seen()) {
        say_notice("interrupted");
        return EXIT_INTERRUPTED;
    }
    return status == LITHE_OK ? finish(b) : say_failure(status, &b->session.report);
}

// The mode comes before what the user sets, who has the last word.
static char **with_mode(int argc, char **argv)
{
    static char set[] = "--set", mode[] = "step.mode=realtime";
    char **words = malloc(((size_t)argc + 2) * sizeof *words);
    if (!words)
        return NULL;
    words[0] = set;
    words[1] = mode;
    for (int i = 0; i < argc; i++)
        words[i + 2] = argv[i];
    return words;
}

int command_bench(int argc, char **argv)
{
    bench b = {0};
    char **words = with_mode(argc, argv);
    int exit_status = EXIT_MACHINE_FAILED;
    interrupt_watch();
    if (!words)
        say_error("out of memory for the command line");
    else if (session_open(&b.session, &LINE, argc + 2, words, &exit_status))
        exit_status = run_session(&b);
    timing_free(&b.timing);
    lithe_state_free(b.state);
    session_close(&b.session);
    free(words);
    return exit_status;
}
