// Many states of one model: what they take, and how much faster two threads step them than one.
//
//     bench_states [SCENE [STATES]]        the parallel robot, a hundred states
//
// Every state is told something else. The states are dealt to threads of the program; each state
// computes on one. Results must not depend on who computed them: both runs end in the same bits.
#include "base/pool.h"
#include "robot.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4 };

typedef struct crowd {
    const lithe_model *model;
    int n;
    lithe_state **state;
} crowd;

static void step_some(void *context, int first, int last)
{
    const crowd *c = context;
    for (int i = first; i < last; i++) {
        lithe_state_reset(c->model, c->state[i]);
        for (int k = 1; k <= STEPS; k++) {
            double share = (double)k / STEPS * (double)(i + 1) / c->n;
            for (int a = 0; a < lithe_nactuator(c->model); a++) {
                double effort[2], displacement[2], value[3] = {0};
                lithe_actuator_limits(c->model, a, effort, displacement);
                for (int r = 0; r < 3; r++)
                    value[r] = displacement[1] < 1 ? share * displacement[1] * (a % 2) : 0;
                lithe_command(c->model, c->state[i], a, LITHE_DISPLACEMENT, value);
            }
            if (lithe_step(c->model, c->state[i]) != LITHE_OK) {
                fprintf(stderr, "bench_states: %s\n", lithe_state_error(c->state[i]));
                exit(1);
            }
        }
    }
}

static unsigned long long hash_positions(const crowd *c)
{
    unsigned long long h = 14695981039346656037u;
    for (int i = 0; i < c->n; i++) {
        const unsigned char *byte = (const unsigned char *)lithe_position(c->state[i]);
        for (size_t k = 0; k < 3 * (size_t)lithe_nnode(c->model) * sizeof(double); k++)
            h = (h ^ byte[k]) * 1099511628211u;
    }
    return h;
}

static double run(crowd *c, int threads, unsigned long long *hash)
{
    pool *p = must(pool_create(threads));
    double start = clock_now();
    pool_for(p, c->n, 1, step_some, c);
    double taken = clock_now() - start;
    pool_free(p);
    *hash = hash_positions(c);
    return taken;
}

int main(int argc, char **argv)
{
    robot r = robot_open(argc > 1 ? argv[1] : LITHE_ROOT "/examples/parallel/robot.yaml");
    crowd c = {r.model, argc > 2 ? atoi(argv[2]) : 100, NULL};
    unsigned long long one, two;
    c.state = must(calloc((size_t)c.n, sizeof *c.state));
    lithe_report report = lithe_report_default();
    for (int i = 0; i < c.n; i++)
        if (lithe_state_create(r.model, 1, &c.state[i], &report) != LITHE_OK) {
            fprintf(stderr, "bench_states: %s\n", report.error);
            return 1;
        }
    double nodes = lithe_nnode(r.model), kB = 1e-3 / nodes;
    run(&c, 1, &one); // to warm up
    double alone = run(&c, 1, &one), together = run(&c, 2, &two);
    printf("| robot | states | model kB/node | state kB/node | all MB | one thread s | two s | "
           "ratio | "
           "same bits |\n|---|---|---|---|---|---|---|---|---|\n");
    printf("| %s | %d | %.2f | %.2f | %.0f | %.2f | %.2f | %.2f | %s |\n", r.name, c.n,
           kB * (double)lithe_model_bytes(r.model), kB * (double)lithe_state_bytes(c.state[0]),
           1e-6 *
               ((double)lithe_model_bytes(r.model) + c.n * (double)lithe_state_bytes(c.state[0])),
           alone, together, alone / together, one == two ? "yes" : "NO");
    for (int i = 0; i < c.n; i++)
        lithe_state_free(c.state[i]);
    free(c.state);
    robot_close(&r);
    return one == two ? 0 : 1;
}
