// The controller once more, on what was heard: it must send the same bits.
#include "app/driving.h"
#include "app/program.h"
#include "app/say.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

static const double *line_of(const driving_table *t, size_t i)
{
    return t->line + i * t->width;
}

// The asynchronous mode has the factors that its thread had made by then; their ages were recorded.
lithe_status driving_replay_ages(driving *d)
{
    session *s = &d->session;
    const lithe_step_def *step = lithe_model_step(s->model);
    size_t lines = 0, width = 0;
    if (step->mode != LITHE_ASYNCHRONOUS || step->factor_age > 0)
        return LITHE_OK;
    if (!replay_table_size(s->from, "wire/sent", &lines, &width) || width < SENT_VALUE)
        return LITHE_OK; // said when the log is read
    driving_log log = {.sent.width = width};
    double oldest = 1;
    double *all = arena_new(&s->memory, lines * width + 1, double);
    if (!all)
        return report_no_memory(&s->report, "the recording");
    LITHE_TRY(replay_table(s->from, "wire/sent", lines * width, all, &s->report));
    log.sent.line = all;
    for (size_t i = 0; i < lines; i++)
        oldest =
            line_of(&log.sent, i)[SENT_AGE] > oldest ? line_of(&log.sent, i)[SENT_AGE] : oldest;
    const char **set = arena_new(&s->memory, s->options.nset + 1, const char *);
    const char *age = arena_format(&s->memory, "step.factor_age=%d", (int)oldest);
    if (!set || !age)
        return report_no_memory(&s->report, "the recording");
    for (int i = 0; i < s->options.nset; i++)
        set[i] = s->options.set[i];
    set[s->options.nset] = age;
    lithe_model_free(s->model);
    lithe_scene_free(s->scene);
    s->model = NULL;
    s->scene = NULL;
    return replay_model(s->from, s->options.nset + 1, set, &s->scene, &s->model, &s->report);
}

static bool always(void *unused)
{
    (void)unused;
    return true;
}

static void hear(driving *d, const double *line, size_t width)
{
    wire_message m = {.number = (long)line[HEARD_NUMBER],
                      .time = (int64_t)line[HEARD_STAMP],
                      .echo = (long)line[HEARD_ECHO],
                      .echo_time = (int64_t)line[HEARD_ECHO_STAMP]};
    memcpy(m.value, line + HEARD_VALUE, (width - HEARD_VALUE) * sizeof *line);
    lithe_reading r = driving_reading(&m);
    int kind = (int)line[HEARD_KIND];
    if (kind == DRIVING_READING)
        lithe_driver_hear(d->driver, line[HEARD_TIME], &r);
    else if (kind == DRIVING_LOST)
        lithe_driver_lose(d->driver, "the connection is lost");
    else if (kind == DRIVING_CUT)
        lithe_watch(lithe_driver_state(d->driver), always, NULL);
    else
        lithe_driver_stop(d->driver, "stopped");
}

static bool same(const driving *d, const double *line, const lithe_order *order)
{
    double number = order->send ? (double)order->number : -1;
    size_t bytes = (size_t)lithe_driver_nout(d->driver) * sizeof *line;
    return line[SENT_NUMBER] == number && line[SENT_MODE] == (double)order->mode &&
           (!order->send || memcmp(line + SENT_VALUE, order->value, bytes) == 0);
}

static lithe_status cycle(driving *d, const double *line, lithe_order *order)
{
    session *s = &d->session;
    lithe_state *state = lithe_driver_state(d->driver);
    if (lithe_model_step(s->model)->mode == LITHE_ASYNCHRONOUS &&
        lithe_replay_age(s->model, state, (int)line[SENT_AGE]) != LITHE_OK)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "%s", lithe_state_error(state));
    lithe_driver_cycle(d->driver, line[SENT_TIME], order); // what failed then fails again
    lithe_watch(state, NULL, NULL);
    return LITHE_OK;
}

// Cycles until the first that differs.
static lithe_status repeat(driving *d, size_t *n)
{
    const driving_table *heard = &d->log.heard, *sent = &d->log.sent;
    size_t next = 0;
    for (*n = 0; *n < sent->n; ++*n) {
        const double *line = line_of(sent, *n);
        lithe_order order = {0};
        while (next < heard->n && line_of(heard, next)[HEARD_CYCLE] <= line[SENT_CYCLE])
            hear(d, line_of(heard, next++), heard->width);
        LITHE_TRY(cycle(d, line, &order));
        if (!same(d, line, &order))
            return LITHE_OK;
    }
    return LITHE_OK;
}

int driving_replay(driving *d)
{
    session *s = &d->session;
    size_t n = 0;
    lithe_status status = driving_log_read(&d->log, s->from, &s->report);
    if (status == LITHE_OK)
        status = repeat(d, &n);
    if (status != LITHE_OK)
        return say_failure(status, &s->report);
    bool all = n == d->log.sent.n;
    if (!all)
        say_error("cycle %zu of %zu sends something else than was recorded, at %.3f s", n,
                  d->log.sent.n, line_of(&d->log.sent, n)[SENT_TIME]);
    if (s->options.json)
        printf("{\"scene\": null, \"version\": \"%s\", \"cycles\": %zu, \"same\": %s}\n",
               lithe_version(), n, all ? "true" : "false");
    else if (all && !s->options.quiet)
        printf("replay: %zu cycles, the same bits in every order\n", n);
    return say_flush_output(all ? EXIT_DONE : EXIT_NOT_CONVERGED);
}
