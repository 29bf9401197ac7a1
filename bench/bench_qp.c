// How long the small solvers take for a robot with 16 actuators, limits on every effort and every
// displacement, and a point to steer: the targets of 1000 neighbouring steps, each solved cold (no
// guess) and warm (from the step before).
#include "base/arena.h"
#include "base/clock.h"
#include "solve/hierarchy.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 16, TASK = 3, STEPS = 1000, REPEAT = 5 };

typedef struct robot {
    double J[TASK * N], W[N * N], Q[N * N]; // m/N
    double e[TASK], c[N];
    double lo[N], hi[N], blo[N], bhi[N];
} robot;

static double uniform(void)
{
    static uint64_t seed = 5;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// Efforts of 0 to 20 N, displacements within 20 mm, compliances of about 1 mm/N.
static void make_robot(robot *r)
{
    double B[N * N];
    for (int k = 0; k < N * N; k++)
        B[k] = uniform();
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = i == j ? 4 : 0;
            for (int k = 0; k < N; k++)
                sum += B[k * N + i] * B[k * N + j];
            r->W[i * N + j] = 2e-4 * sum;
        }
        r->lo[i] = 0;
        r->hi[i] = 20;
        r->blo[i] = -0.02;
        r->bhi[i] = 0.02;
    }
    for (int k = 0; k < TASK * N; k++)
        r->J[k] = 1e-3 * uniform();
}

// The target goes round a circle that is partly out of reach; epsilon as in the thesis.
static void aim(robot *r, int step)
{
    double angle = 6.283185307 * step / STEPS;
    double target[TASK] = {0.02 * cos(angle), 0.02 * sin(angle), 0.01};
    double norm_task = 0, norm_tie = 0;
    for (int i = 0; i < N; i++) {
        r->c[i] = 0;
        for (int k = 0; k < TASK; k++)
            r->c[i] -= r->J[k * N + i] * target[k];
        double row_task = 0, row_tie = 0;
        for (int j = 0; j < N; j++) {
            r->Q[i * N + j] = 0;
            for (int k = 0; k < TASK; k++)
                r->Q[i * N + j] += r->J[k * N + i] * r->J[k * N + j];
            row_task += fabs(r->Q[i * N + j]);
            row_tie += fabs(r->W[i * N + j]);
        }
        norm_task = fmax(norm_task, row_task);
        norm_tie = fmax(norm_tie, row_tie);
    }
    for (int k = 0; k < N * N; k++)
        r->Q[k] += 2e-3 * norm_task / norm_tie * r->W[k];
    for (int k = 0; k < TASK; k++)
        r->e[k] = -target[k];
}

typedef struct solvers {
    qp_work *qp;
    hierarchy_work *hierarchy;
    int active[2 * N];
} solvers;

typedef struct mode {
    const char *name;
    int warm;
    hierarchy_mode hierarchy;
    int is_hierarchy;
} mode;

static int solve_once(solvers *s, const robot *r, const mode *m, int *iteration)
{
    if (!m->is_hierarchy) {
        qp_problem p = {.n = N,
                        .m = N,
                        .Q = r->Q,
                        .c = r->c,
                        .lo = r->lo,
                        .hi = r->hi,
                        .A = r->W,
                        .blo = r->blo,
                        .bhi = r->bhi};
        qp_solution out;
        if (!m->warm)
            memset(s->active, 0, sizeof s->active);
        qp_solve(s->qp, &p, s->active, &out);
        *iteration = out.iteration;
        return out.status == QP_SOLVED;
    }
    hierarchy_level level = {TASK, r->J, r->e, NULL};
    hierarchy_problem p = {.n = N,
                           .m = N,
                           .nlevel = 1,
                           .level = &level,
                           .lo = r->lo,
                           .hi = r->hi,
                           .A = r->W,
                           .blo = r->blo,
                           .bhi = r->bhi,
                           .R = r->W,
                           .mode = m->hierarchy};
    hierarchy_solution out;
    if (!m->warm)
        hierarchy_forget(s->hierarchy);
    hierarchy_solve(s->hierarchy, &p, &out);
    *iteration = out.iteration;
    return out.status == QP_SOLVED;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(solvers *s, robot *r, const mode *m)
{
    static double micro[STEPS * REPEAT];
    int count = 0, solved = 0, total = 0;
    for (int repeat = 0; repeat < REPEAT; repeat++)
        for (int step = 0; step < STEPS; step++) {
            int iteration;
            aim(r, step);
            double start = clock_now();
            solved += solve_once(s, r, m, &iteration);
            micro[count++] = 1e6 * (clock_now() - start);
            total += iteration;
        }
    qsort(micro, (size_t)count, sizeof *micro, compare);
    printf("%-28s %9.2f %9.2f %9.2f %8.1f%%\n", m->name, micro[count / 2], micro[count * 99 / 100],
           (double)total / count, 100.0 * solved / count);
}

int main(void)
{
    static robot r;
    arena a = {0};
    solvers s = {.qp = qp_create(&a, N, N), .hierarchy = hierarchy_create(&a, N, N, 1, TASK)};
    if (!s.qp || !s.hierarchy)
        return 3;
    make_robot(&r);
    static const mode modes[] = {
        {.name = "QP, cold"},
        {.name = "QP, warm", .warm = 1},
        {.name = "hierarchy, mixed, cold", .is_hierarchy = 1, .hierarchy = HIERARCHY_MIXED},
        {.name = "hierarchy, mixed, warm", 1, HIERARCHY_MIXED, 1},
        {.name = "hierarchy, strict, cold", 0, HIERARCHY_STRICT, 1},
        {.name = "hierarchy, strict, warm", 1, HIERARCHY_STRICT, 1},
    };
    printf("%-28s %9s %9s %9s %9s\n", "16 actuators, 32 limits", "median us", "p99 us", "changes",
           "solved");
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
        measure(&s, &r, &modes[k]);
    arena_free(&a);
    return 0;
}
