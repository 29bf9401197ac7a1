#include "app/accuracy.h"
#include "app/interrupt.h"
#include "app/orders.h"
#include "app/pace.h"
#include "app/pin.h"
#include "app/program.h"
#include "app/progress.h"
#include "app/reduced.h"
#include "app/say.h"
#include "app/show.h"
#include "app/summary.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "io/json.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

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

enum { WARM_UP = 40, STEPS = 200, MOST_STEPS_OF_A_TASK = 2000 };

typedef struct bench {
    session session;
    order *order; // (nactuator)
    lithe_state *state;
    double *start;     // of the task (nrow); NULL: the scene has none
    accuracy accuracy; // of the task
    int napproach;     // steps to the beginning of its path
    int nwarm, nstep;
    timing timing;
    int core;           // -1: not pinned
    int newton;         // iterations of all timed steps
    long preempted;     // times that another program took the core from a timed step
    bool missed;        // a target, in some timed step
    lithe_async before; // the timed steps
    double age;         // of factors, summed over them
    int oldest;
} bench;

static lithe_status prepare(bench *b)
{
    session *s = &b->session;
    LITHE_TRY(orders_read(s, &b->order));
    LITHE_TRY(lithe_state_create(s->model, s->options.threads, &b->state, &s->report));
    interrupt_ends(b->state);
    return orders_try(s, b->state, b->order);
}

static lithe_status step(bench *b)
{
    lithe_status status = lithe_step(b->session.model, b->state);
    if (status != LITHE_OK)
        return LITHE_FAIL(&b->session.report, status, "%s", lithe_state_error(b->state));
    return LITHE_OK;
}

// A task that has ended is followed again from the start of its path.
static lithe_status follow(bench *b, int number)
{
    const lithe_model *m = b->session.model;
    double dt = lithe_model_step(m)->dt, once = lithe_task_duration(m);
    double time = number * dt, approach = b->napproach * dt;
    if (time > approach && once > 0)
        time = approach + fmod(time - approach, once);
    lithe_task_targets(m, b->start, time, b->accuracy.target);
    lithe_status status = lithe_task_apply(m, b->state, b->start, time);
    if (status != LITHE_OK)
        return LITHE_FAIL(&b->session.report, status, "%s", lithe_state_error(b->state));
    return LITHE_OK;
}

// From where the robot is now to the beginning of the path.
static lithe_status approach_path(bench *b)
{
    session *s = &b->session;
    b->start = arena_new(&s->memory, lithe_nrow(s->model), double);
    if (!b->start || !accuracy_create(&b->accuracy, s->model, &s->memory))
        return report_no_memory(&s->report, "the task");
    lithe_task_start(s->model, b->state, b->start);
    int all;
    LITHE_TRY(lithe_task_steps(s->model, b->start, &b->napproach, &all, &s->report));
    if (all - b->napproach > STEPS)
        b->nstep = (int)fmin(all - b->napproach, MOST_STEPS_OF_A_TASK);
    b->nwarm += b->napproach;
    for (int k = 1; k <= b->napproach && !interrupt_seen(); k++) {
        LITHE_TRY(follow(b, k));
        LITHE_TRY(step(b));
    }
    return LITHE_OK;
}

// Before a task the starting commands are settled, as lithe track does; other robots hang still.
static lithe_status warm_up(bench *b)
{
    session *s = &b->session;
    bool has_task = lithe_ngoal(s->model) > 0;
    b->nwarm = WARM_UP;
    b->nstep = STEPS;
    for (int k = 1; k <= WARM_UP && !interrupt_seen(); k++) {
        LITHE_TRY(orders_give(s, b->state, b->order, has_task ? fmin(2.0 * k / WARM_UP, 1) : 0));
        LITHE_TRY(step(b));
    }
    return has_task ? approach_path(b) : LITHE_OK;
}

static lithe_status aim(bench *b, int number)
{
    return b->start ? follow(b, b->napproach + number)
                    : orders_give(&b->session, b->state, b->order, (double)number / b->nstep);
}

static long preemptions(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static void note_accuracy(bench *b)
{
    double share;
    accuracy_add(&b->accuracy, b->state, true);
    b->missed = b->missed || (accuracy_worst(&b->accuracy, &share) >= 0 && share > 1);
}

static void note_age(bench *b)
{
    int age = lithe_last_async(b->state).age;
    b->age += age;
    b->oldest = age > b->oldest ? age : b->oldest;
}

static lithe_status measure(bench *b)
{
    progress bar = progress_start("lithe bench", b->nstep);
    lithe_status status = LITHE_OK;
    pace clock = pace_start(b->session.model);
    b->preempted = -preemptions();
    b->before = lithe_last_async(b->state);
    for (int k = 1; k <= b->nstep && status == LITHE_OK && !interrupt_seen(); k++) {
        status = aim(b, k);
        pace_wait(&clock);
        double begin = clock_now();
        if (status == LITHE_OK)
            status = step(b);
        double spent = clock_now() - begin;
        int newton = lithe_last_residual(b->state).iteration;
        timing_add(&b->timing, spent, lithe_last_phase_time(b->state), newton == 0);
        b->newton += newton;
        if (b->start)
            note_accuracy(b);
        note_age(b);
        progress_at(&bar, k);
    }
    b->preempted += preemptions();
    progress_end(&bar);
    return status;
}

static lithe_status play(bench *b)
{
    session *s = &b->session;
    b->core = s->options.threads == 1 ? pin_to_core() : -1;
    lithe_status status = warm_up(b);
    if (s->options.steps)
        b->nstep = s->options.steps;
    if (status == LITHE_OK && !timing_create(&b->timing, b->nstep))
        status = report_no_memory(&s->report, "step times; use fewer steps");
    if (status == LITHE_OK)
        status = measure(b);
    pin_release();
    return status;
}

static double phase_mean(const bench *b, int phase)
{
    return timing_mean(b->timing.phase[phase], b->timing.ntimed);
}

static double share(const bench *b, int phase)
{
    return phase_mean(b, phase) / timing_mean(b->timing.step, b->timing.ntimed);
}

static bool asynchronous(const bench *b)
{
    return lithe_model_step(b->session.model)->mode == LITHE_ASYNCHRONOUS;
}

// Of the median step, which other programs disturb least; asynchronous: of the last factor, its
// assembly included.
static double gflops(const bench *b)
{
    double passes = (double)b->newton / b->timing.ntimed;
    double seconds = timing_rank(b->timing.phase[TIMING_FACTOR], b->timing.ntimed, 0.5);
    if (asynchronous(b))
        return 1e-9 * lithe_factor_flops(b->session.model) /
               lithe_last_async(b->state).factor_seconds;
    return 1e-9 * passes * lithe_factor_flops(b->session.model) / seconds;
}

static void write_spread(json *j, const bench *b, const char *key, const double *time)
{
    int n = b->timing.ntimed;
    json_begin_object(j, key);
    json_number(j, "mean", 1e3 * timing_mean(time, n));
    json_number(j, "median", 1e3 * timing_rank(time, n, 0.5));
    json_number(j, "p99", 1e3 * timing_rank(time, n, 0.99));
    json_number(j, "max", 1e3 * timing_rank(time, n, 1));
}

static double jitter(const bench *b)
{
    int n = b->timing.ntimed;
    double mean = timing_mean(b->timing.step, n), sum = 0;
    for (int i = 0; i < n; i++)
        sum += (b->timing.step[i] - mean) * (b->timing.step[i] - mean);
    return n > 0 ? sqrt(sum / n) : 0;
}

static void write_async(json *j, const bench *b)
{
    lithe_async now = lithe_last_async(b->state);
    json_begin_object(j, "async");
    json_number(j, "deadline_ms", 1e3 * lithe_model_step(b->session.model)->deadline);
    json_integer(j, "missed", now.missed - b->before.missed);
    json_integer(j, "refused", now.refused - b->before.refused);
    json_number(j, "jitter_ms", 1e3 * jitter(b));
    json_integer(j, "factors", now.factors - b->before.factors);
    json_number(j, "factor_ms", 1e3 * now.factor_seconds);
    json_number(j, "age", b->age / b->timing.nstep);
    json_integer(j, "oldest", b->oldest);
    json_end_object(j);
}

static void write_bench(json *j, const bench *b)
{
    json_begin_object(j, "bench");
    json_string(j, "motion", b->start ? "task" : "commands");
    json_integer(j, "warm_up", b->nwarm);
    if (b->core < 0) {
        json_null(j, "core");
        json_null(j, "preempted");
    } else {
        json_integer(j, "core", b->core);
        json_integer(j, "preempted", b->preempted);
    }
    json_number(j, "factor_gflops", gflops(b));
    json_number(j, "factor_flops", lithe_factor_flops(b->session.model));
    json_integer(j, "model_bytes", (long)lithe_model_bytes(b->session.model));
    json_integer(j, "state_bytes", (long)lithe_state_bytes(b->state));
    if (asynchronous(b))
        write_async(j, b);
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
    int n = b->timing.ntimed;
    printf("  %-10s %10.3f %10.3f %10.3f %10.3f", name, 1e3 * timing_rank(time, n, 0.5),
           1e3 * timing_rank(time, n, 0.99), 1e3 * timing_rank(time, n, 1),
           1e3 * timing_mean(time, n));
}

static void print_async(const bench *b)
{
    lithe_async now = lithe_last_async(b->state);
    long missed = now.missed - b->before.missed;
    printf("  deadline   %.3f ms: missed by %ld steps (%.2f %%), jitter %.3f ms\n",
           1e3 * lithe_model_step(b->session.model)->deadline, missed,
           100.0 * (double)missed / b->timing.nstep, 1e3 * jitter(b));
    printf("  age        of the factor %.1f steps, %d at most; %ld factors, the last in %.3f ms; "
           "%ld moves refused\n",
           b->age / b->timing.nstep, b->oldest, now.factors - b->before.factors,
           1e3 * now.factor_seconds, now.refused - b->before.refused);
}

static void print_text(const bench *b)
{
    const lithe_model *m = b->session.model;
    printf("%s: %d steps after %d to warm up, %s", b->session.options.scene, b->timing.nstep,
           b->nwarm, b->start ? "following its task" : "moving to its commands");
    printf("\n");
    printf("  model      %d nodes, %d elements, %d degrees of freedom, %d rows\n", lithe_nnode(m),
           lithe_nelement(m), lithe_ndof(m), lithe_nrow(m));
    reduced_print(m, b->state);
    printf("  memory     %.1f MiB model, %.1f MiB state\n",
           (double)lithe_model_bytes(m) / MEMORY_MIB,
           (double)lithe_state_bytes(b->state) / MEMORY_MIB);
    if (b->core >= 0)
        printf("  machine    core %d, taken away by other programs %ld times\n", b->core,
               b->preempted);
    else
        printf("  machine    %d threads\n", b->session.options.threads);
    printf("  factor     %.1f Mflop, %.2f Gflop/s\n", 1e-6 * lithe_factor_flops(m), gflops(b));
    if (asynchronous(b))
        print_async(b);
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
                   .timing = &b->timing,
                   .accuracy = b->start ? &b->accuracy : NULL,
                   .reached = !b->missed};
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
