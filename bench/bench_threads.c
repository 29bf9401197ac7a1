// How much faster threads factor, by the clock; the bits are the same on any number of them.
//
//     bench_threads [SCENE[@NODES] ...]
//
// Meaningful only where as many cores are free. The table is Markdown.
#include "base/clock.h"
#include "robot.h"
#include "step/phases.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, MAX_RUNS = 200, MIN_RUNS = 5 };
static const double SECONDS = 2;

typedef struct contender {
    pool *threads;
    sparse_factor *factor;
    double time[MAX_RUNS];
} contender;

static void measure(const char *what, int n, const int *threads)
{
    robot r = robot_open(what);
    const body *b = &r.model->body[0];
    arena memory = {0};
    contender *c = must(arena_new(&memory, n, contender));
    step_phases(r.model, r.state, STEP_FORWARD, PHASE_ASSEMBLE, PHASE_ASSEMBLE);
    for (int i = 0; i < n; i++) {
        c[i].threads = must(pool_create(threads[i]));
        sparse_factor_create(b->symbolic, 1, threads[i], &memory, &c[i].factor);
        must(c[i].factor);
    }
    int count = 0;
    double end = clock_now() + SECONDS;
    for (; count < MAX_RUNS && (count < MIN_RUNS || clock_now() < end); count++)
        for (int i = 0; i < n; i++)
            for (int again = 0; again < 2; again++) { // the first fills the caches
                double start = clock_now();
                sparse_factorize(c[i].factor, r.state->tangent.K[0], c[i].threads);
                c[i].time[count] = clock_now() - start;
            }
    printf("| %s | %d", r.name, lithe_nnode(r.model));
    double alone = time_rank(count, c[0].time, 0.5);
    for (int i = 0; i < n; i++)
        printf(" | %.3f", 1e3 * time_rank(count, c[i].time, 0.5));
    for (int i = 1; i < n; i++)
        printf(" | %.2f", alone / time_rank(count, c[i].time, 0.5));
    printf(" |\n");
    fflush(stdout);
    for (int i = 0; i < n; i++)
        pool_free(c[i].threads);
    arena_free(&memory);
    robot_close(&r);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {LITHE_ROOT "/examples/parallel/robot.yaml",
                                        LITHE_ROOT "/examples/parallel/robot.yaml@5000",
                                        LITHE_ROOT "/examples/parallel/robot.yaml@30000"};
    int threads[4], n = 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    for (int t = 1; t <= MOST && t <= cores; t *= 2)
        threads[n++] = t;
    printf("| robot | nodes");
    for (int i = 0; i < n; i++)
        printf(" | %d thread%s ms", threads[i], threads[i] > 1 ? "s" : "");
    for (int i = 1; i < n; i++)
        printf(" | speed-up on %d", threads[i]);
    printf(" |\n|");
    for (int i = 0; i < 1 + 2 * n; i++)
        printf("---|");
    printf("\n");
    for (int i = 1; i < argc; i++)
        measure(argv[i], n, threads);
    for (int i = 0; argc == 1 && i < 3; i++)
        measure(usual[i], n, threads);
    return 0;
}
