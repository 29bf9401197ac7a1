// How long the inverse with contacts takes: a robot with 4 actuators and 21 contacts, one with 8
// and 76, as the tower and the trunk of the thesis [coevoet2019, table 4.4]. The target goes round,
// so that contacts open and close; every step is solved cold (from zero efforts) and warm (from the
// step before). The contacts alone are as the forward problem has them. The table is Markdown;
// times are those that the thread computed.
#include "app/pin.h"
#include "base/arena.h"
#include "robot.h"
#include "solve/box.h"
#include "solve/qpcc.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8, TASK = 3, NC = 76, ROWS = N + TASK + NC, DOFS = 200, STEPS = 400 };

typedef struct loaded {
    int n, nc;
    double W[ROWS * ROWS];
    double J[TASK * N], Jc[TASK * NC], e[TASK], lo[N], hi[N], A[N * N], Ac[N * NC], blo[N], bhi[N];
    double W_ca[NC * N], W_cc[NC * NC], gap[NC], x[N], lambda[NC];
} loaded;

static double uniform(void)
{
    static uint64_t seed = 9;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// Compliances of about 1 mm/N. A row is a wave over the body, so that neighbouring contacts move
// alike, as on a surface.
static void make_robot(loaded *r, int n, int nc)
{
    static double H[ROWS * DOFS];
    int rows = n + TASK + nc;
    r->n = n;
    r->nc = nc;
    for (int i = 0; i < rows; i++) {
        double at = i < n + TASK ? uniform() : 2.0 * (i - n - TASK) / nc - 1;
        double phase = i < n + TASK ? 3 * uniform() : i % 2 ? 0 : 1.6;
        for (int k = 0; k < DOFS; k++)
            H[i * DOFS + k] = cos(0.5 * k * at + phase) / (1 + 0.2 * k) + 0.02 * uniform();
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            double sum = 0;
            for (int k = 0; k < DOFS; k++)
                sum += H[i * DOFS + k] * H[j * DOFS + k];
            r->W[i * rows + j] = 1e-3 * sum;
        }
    for (int i = 0; i < n; i++) {
        r->lo[i] = 0;
        r->hi[i] = 30;
        r->blo[i] = -0.05;
        r->bhi[i] = 0.05;
        memcpy(r->A + i * n, r->W + i * rows, (size_t)n * sizeof *r->A);
        memcpy(r->Ac + i * nc, r->W + i * rows + n + TASK, (size_t)nc * sizeof *r->A);
    }
    for (int i = 0; i < TASK; i++) {
        memcpy(r->J + i * n, r->W + (n + i) * rows, (size_t)n * sizeof *r->A);
        memcpy(r->Jc + i * nc, r->W + (n + i) * rows + n + TASK, (size_t)nc * sizeof *r->A);
    }
    for (int c = 0; c < nc; c++) {
        r->gap[c] = 2e-3 * uniform() + 1e-3;
        memcpy(r->W_ca + c * n, r->W + (n + TASK + c) * rows, (size_t)n * sizeof *r->A);
        memcpy(r->W_cc + c * nc, r->W + (n + TASK + c) * rows + n + TASK,
               (size_t)nc * sizeof *r->A);
    }
}

static void print_times(const loaded *r, const char *name, double *ms)
{
    double median = time_rank(STEPS, ms, 0.5), p99 = time_rank(STEPS, ms, 0.99);
    printf("| %d + %d | %s | %.4f | %.4f", r->n, r->nc, name, median, p99);
}

static void measure(qpcc_work *w, loaded *r, hierarchy_mode mode, int warm, const char *name)
{
    static double ms[STEPS];
    int pivots = 0, pieces = 0, active = 0, solved = 0;
    double residual = 0;
    memset(r->x, 0, sizeof r->x);
    memset(r->lambda, 0, sizeof r->lambda);
    for (int step = 0; step < STEPS; step++) {
        double angle = 6.283185307 * step / STEPS;
        qpcc_level level = {TASK, r->J, r->Jc, r->e, NULL};
        qpcc_problem p = {.n = r->n,
                          .nlimit = r->n,
                          .ncontact = r->nc,
                          .nlevel = 1,
                          .level = &level,
                          .lo = r->lo,
                          .hi = r->hi,
                          .A = r->A,
                          .Ac = r->Ac,
                          .blo = r->blo,
                          .bhi = r->bhi,
                          .W_ca = r->W_ca,
                          .W_cc = r->W_cc,
                          .gap = r->gap,
                          .R = r->A,
                          .mode = mode,
                          .start = warm ? r->x : NULL,
                          .lambda_start = warm ? r->lambda : NULL};
        qpcc_solution s;
        r->e[0] = -0.02 * cos(angle);
        r->e[1] = -0.02 * sin(angle);
        r->e[2] = 0.01;
        double start = cpu_now();
        qpcc_solve(w, &p, &s);
        ms[step] = 1e3 * (cpu_now() - start);
        pivots += s.pivot;
        pieces += s.piece_count;
        solved += s.status == QPCC_SOLVED && s.proof <= QPCC_LOCAL;
        for (int c = 0; c < r->nc; c++)
            active += s.active[c];
        residual = fmax(residual, fmax(s.signorini, fmax(s.primal, s.dual)));
        memcpy(r->x, s.x, (size_t)r->n * sizeof *r->x);
        memcpy(r->lambda, s.lambda, (size_t)r->nc * sizeof *r->lambda);
    }
    print_times(r, name, ms);
    printf(" | %.1f | %.1f | %.1f | %.1f %% | %.0e |\n", (double)active / STEPS,
           (double)pivots / STEPS, (double)pieces / STEPS, 100.0 * solved / STEPS, residual);
}

static void measure_contacts(arena *a, loaded *r)
{
    static double ms[STEPS], lo[NC], hi[NC], lambda[NC], q[NC];
    box_work *work = box_create(a, NC);
    if (!work)
        return;
    for (int c = 0; c < NC; c++)
        hi[c] = INFINITY;
    for (int step = 0; step < STEPS; step++) {
        for (int c = 0; c < r->nc; c++) {
            q[c] = r->gap[c] - 2e-3 + 1e-3 * uniform();
            lambda[c] = 0;
        }
        double start = cpu_now();
        box_solve(work, r->nc, r->W_cc, q, lo, hi, lambda);
        ms[step] = 1e3 * (cpu_now() - start);
    }
    print_times(r, "contacts alone, cold", ms);
    printf(" | | | | | |\n");
}

int main(void)
{
    static loaded r;
    static const int size[2][2] = {{4, 21}, {8, 76}};
    arena a = {0};
    qpcc_work *w = qpcc_create(&a, (qpcc_size){N, N, NC, 1, TASK, false});
    if (!w)
        return 3;
    pin_to_core();
    printf(
        "| actuators + contacts | solved | median ms | p99 ms | active | pivots | pieces | proved "
        "| residual |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < 2; k++) {
        make_robot(&r, size[k][0], size[k][1]);
        measure(w, &r, HIERARCHY_STRICT, 0, "strict, cold");
        measure(w, &r, HIERARCHY_STRICT, 1, "strict, warm");
        measure(w, &r, HIERARCHY_MIXED, 0, "mixed, cold");
        measure(w, &r, HIERARCHY_MIXED, 1, "mixed, warm");
        measure_contacts(&a, &r);
    }
    arena_free(&a);
    return 0;
}
