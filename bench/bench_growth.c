// How the cost of an inverse step grows: the parallel robot with more and more nodes, one core.
//
//     bench_growth [NODES ...]
//
// The mesh is bench/coarse.msh, refined; rows, task and held nodes are those of the example. The
// last row gives the exponents e of time ~ nodes^e, fitted to all rows. The table is Markdown.
#include "app/pin.h"
#include "base/clock.h"
#include "robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM_UP = 3, MIN_STEPS = 5, MAX_STEPS = 60, MAX_SIZES = 16 };
static const double SECONDS = 3; // for the steps of one size
static const double LONG = 1e-3; // s, a phase that is likely to be interrupted on a busy machine

enum { STEP, ASSEMBLE, FACTOR, FREE, ROWS, CONDENSE, SOLVE, CORRECT, NTIME };
static const char *const NAME[NTIME] = {"step", "assemble", "factor", "free",
                                        "rows", "condense", "solve",  "correct"};

typedef struct growth {
    int nodes;
    double kilobytes; // of model and state, a node
    double gflops;
    double time[NTIME]; // medians, s
} growth;

// Times are those of the clock. What other programs took from the step is taken off its long
// phases, from each the same share.
static void take_step(robot *r, const double *start, int number, double time[NTIME])
{
    double dt = lithe_scene_def(r->scene)->step.dt;
    lithe_status status = lithe_task_apply(r->model, r->state, start, number * dt);
    double begin = clock_now(), cpu = cpu_now();
    if (status == LITHE_OK)
        status = lithe_step(r->model, r->state);
    time[STEP] = cpu_now() - cpu;
    double ours = time[STEP] / (clock_now() - begin);
    if (status != LITHE_OK) {
        fprintf(stderr, "%d nodes: %s\n", lithe_nnode(r->model), lithe_state_error(r->state));
        exit(1);
    }
    lithe_phase_time p = lithe_last_phase_time(r->state);
    const double phase[] = {p.assemble, p.factor, p.free, p.rows, p.condense, p.solve, p.correct};
    for (int i = ASSEMBLE; i < NTIME; i++)
        time[i] = phase[i - ASSEMBLE] * (phase[i - ASSEMBLE] > LONG ? ours : 1);
}

static growth measure(int nodes)
{
    static double time[NTIME][MAX_STEPS];
    robot r = robot_open_mesh(LITHE_ROOT "/examples/parallel/robot.yaml",
                              LITHE_ROOT "/bench/coarse.msh", nodes);
    growth g = {.nodes = lithe_nnode(r.model)};
    double *start = must(calloc((size_t)lithe_nrow(r.model), sizeof *start)), spent[NTIME];
    int n = 0;
    lithe_task_start(r.model, r.state, start);
    double end = clock_now() + SECONDS;
    for (int k = 1; n < MAX_STEPS && (n < MIN_STEPS || clock_now() < end); k++) {
        take_step(&r, start, k, spent);
        for (int i = 0; i < NTIME; i++)
            time[i][n] = spent[i];
        n += k > WARM_UP;
    }
    for (int i = 0; i < NTIME; i++)
        g.time[i] = time_rank(n, time[i], 0.5);
    g.gflops = 1e-9 * lithe_factor_flops(r.model) / g.time[FACTOR];
    g.kilobytes =
        1e-3 * (double)(lithe_model_bytes(r.model) + lithe_state_bytes(r.state)) / g.nodes;
    free(start);
    robot_close(&r);
    return g;
}

// Slope of log(time) over log(nodes), least squares.
static double exponent(int n, const growth *g, int of)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < n; i++) {
        double x = log(g[i].nodes), y = log(g[i].time[of]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void print_head(void)
{
    printf("| nodes");
    for (int i = 0; i < NTIME; i++)
        printf(" | %s ms", NAME[i]);
    printf(" | factor Gflop/s | kB a node |\n|");
    for (int i = 0; i < NTIME + 3; i++)
        printf("---|");
    printf("\n");
}

int main(int argc, char **argv)
{
    static const int usual[] = {500, 1000, 2000, 5000, 10000, 20000, 50000};
    int n = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof *usual);
    growth g[MAX_SIZES];
    pin_to_core();
    print_head();
    for (int k = 0; k < n && k < MAX_SIZES; k++) {
        g[k] = measure(argc > 1 ? atoi(argv[k + 1]) : usual[k]);
        printf("| %d", g[k].nodes);
        for (int i = 0; i < NTIME; i++)
            printf(" | %.3f", 1e3 * g[k].time[i]);
        printf(" | %.1f | %.1f |\n", g[k].gflops, g[k].kilobytes);
        fflush(stdout);
    }
    printf("| exponent");
    for (int i = 0; i < NTIME; i++)
        printf(" | %.2f", exponent(n < MAX_SIZES ? n : MAX_SIZES, g, i));
    printf(" | | |\n");
    return 0;
}
