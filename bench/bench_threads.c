// How much faster threads take the inverse step, by the clock; the bits are the same on any number
// of them, which is checked.
//
//     bench_threads [SCENE[@NODES] ...]
//
// Meaningful only where as many cores are free. The table is Markdown.
#include "base/clock.h"
#include "robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, COUNTS = 4, ROUNDS = 4, MAX_STEPS = 100, MIN_STEPS = 3, WARM_UP = 4 };
static const double SECONDS = 0.5; // for the steps of one number of threads in one round

enum { STEP, ASSEMBLE, FACTOR, FREE, ROWS, SOLVE, CORRECT, NTIME };
static const char *const NAME[NTIME] = {"step", "assemble", "factor", "free",
                                        "rows", "solve",    "correct"};

typedef struct contender {
    int threads, n;
    double time[NTIME][ROUNDS * MAX_STEPS];
    double *x; // where the robot was after the first steps (nnode x 3)
    bool same; // … as on one thread
} contender;

static void take_step(const robot *r, lithe_state *s, const double *start, int number,
                      double time[NTIME])
{
    double dt = lithe_scene_def(r->scene)->step.dt;
    lithe_status status = lithe_task_apply(r->model, s, start, number * dt);
    double begin = clock_now();
    if (status == LITHE_OK)
        status = lithe_step(r->model, s);
    double end = clock_now();
    if (status != LITHE_OK) {
        fprintf(stderr, "%s: %s\n", r->name, lithe_state_error(s));
        exit(1);
    }
    lithe_phase_time p = lithe_last_phase_time(s);
    const double found[NTIME] = {end - begin, p.assemble, p.factor, p.free,
                                 p.rows,      p.solve,    p.correct};
    memcpy(time, found, sizeof found);
}

static void follow(const robot *r, contender *c, const double *first)
{
    lithe_report report = lithe_report_default();
    lithe_state *s = NULL;
    lithe_state_create(r->model, c->threads, &s, &report);
    must(s);
    double *start = must(calloc((size_t)lithe_nrow(r->model), sizeof *start));
    size_t size = 3 * (size_t)lithe_nnode(r->model) * sizeof(double);
    lithe_task_start(r->model, s, start);
    double end = clock_now() + SECONDS, time[NTIME];
    for (int k = 1, n = 0; n < MAX_STEPS && (n < MIN_STEPS || clock_now() < end); k++) {
        take_step(r, s, start, k, time);
        if (k == WARM_UP + MIN_STEPS) {
            memcpy(c->x, s->now.x, size);
            c->same = memcmp(c->x, first, size) == 0;
        }
        if (k <= WARM_UP)
            continue;
        for (int i = 0; i < NTIME; i++)
            c->time[i][c->n] = time[i];
        c->n++;
        n++;
    }
    free(start);
    lithe_state_free(s);
}

static void print(const robot *r, contender *c, double alone, double alone_best)
{
    double step = time_rank(c->n, c->time[STEP], 0.5), best = time_rank(c->n, c->time[STEP], 0);
    printf("| %s | %d | %d | %.3f | %.2f | %.3f | %.2f", r->name, lithe_nnode(r->model), c->threads,
           1e3 * step, alone / step, 1e3 * best, alone_best / best);
    for (int i = ASSEMBLE; i < NTIME; i++)
        printf(" | %.3f", 1e3 * time_rank(c->n, c->time[i], 0.5));
    printf(" | %s |\n", c->same ? "yes" : "NO");
    fflush(stdout);
}

// Numbers of threads take turns, each with a state of its own: one that waits keeps no core busy.
static bool measure(const char *what, int n, const int *threads)
{
    robot r = robot_open(what);
    contender *c = must(calloc((size_t)n, sizeof *c));
    bool same = true;
    for (int i = 0; i < n; i++) {
        c[i].threads = threads[i];
        c[i].x = must(calloc(3 * (size_t)lithe_nnode(r.model), sizeof *c[i].x));
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++)
            follow(&r, &c[i], c[0].x);
    double alone = time_rank(c[0].n, c[0].time[STEP], 0.5),
           best = time_rank(c[0].n, c[0].time[STEP], 0);
    for (int i = 0; i < n; i++) {
        print(&r, &c[i], alone, best);
        same = same && c[i].same;
        free(c[i].x);
    }
    free(c);
    robot_close(&r);
    return same;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {LITHE_ROOT "/examples/parallel/robot.yaml",
                                        LITHE_ROOT "/examples/parallel/robot.yaml@5000",
                                        LITHE_ROOT "/examples/parallel/robot.yaml@30000"};
    int threads[COUNTS], n = 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    bool same = true;
    for (int t = 1; t <= MOST && t <= cores; t *= 2)
        threads[n++] = t;
    printf("| robot | nodes | threads | step ms | speed-up | best ms | speed-up");
    for (int i = ASSEMBLE; i < NTIME; i++)
        printf(" | %s ms", NAME[i]);
    printf(" | same bits |\n|");
    for (int i = 0; i < NTIME + 7; i++)
        printf("---|");
    printf("\n");
    for (int i = 1; i < argc; i++)
        same = measure(argv[i], n, threads) && same;
    for (int i = 0; argc == 1 && i < 3; i++)
        same = measure(usual[i], n, threads) && same;
    return same ? 0 : 1;
}
