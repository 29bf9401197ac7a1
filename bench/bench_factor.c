// How long factoring takes: ours, and every way CHOLMOD has, on one core in turn, with the rate at
// which OpenBLAS multiplies matrices in the same run.
//
//     bench_factor [SCENE[@NODES] ...]
//
// SCENE@NODES is the scene with its body refined to so many nodes. Without scenes: the parallel
// robot as it is, with 5000 and with 30000 nodes. Tables are Markdown.
#include "app/pin.h"
#include "cholmod_ways.h"
#include "robot.h"
#include "step/phases.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 40, MIN_ROUNDS = 3, RUNS = 5, MAX_RUNS = RUNS * (ROUNDS + 2), GEMM = 384 };
static const double SECONDS = 5; // of one robot
// What takes less runs several times in a turn, and the first run is not counted: whoever had the
// turn before has emptied the caches, and a controller factors again and again.
static const double SHORT = 0.05;
// Faster than its scalar loops ever are: where even this would be behind, simplicial is not tried.
static const double SIMPLICIAL_FLOPS = 5e9;

enum { OURS, CHOLMOD, SOLVE_ONE = CHOLMOD + CHOLMOD_WAYS, SOLVE_EIGHT, MULTIPLY, NJOB };

typedef struct measurement {
    const sparse_pattern *p;
    const double *blocks;
    sparse_factor *factor;
    cholmod_ways cholmod;
    int n; // scalars
    double *b, *x, *eight;
    double *gemm; // three matrices
    bool skipped[NJOB];
    int nrun[NJOB];
    double time[NJOB][MAX_RUNS];
} measurement;

static void must_factor(bool good, const char *whose)
{
    if (good)
        return;
    fprintf(stderr, "%s: the matrix is not positive definite\n", whose);
    exit(1);
}

static void multiply(measurement *m)
{
    double *A = m->gemm, *B = A + GEMM * GEMM, *C = B + GEMM * GEMM;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, GEMM, GEMM, GEMM, 1, A, GEMM, B, GEMM, 0,
                C, GEMM);
}

static void run_job(measurement *m, int job)
{
    switch (job) {
    case OURS: {
        sparse_report report = sparse_factorize(m->factor, m->blocks, NULL);
        must_factor(report.negative + report.zero == 0, "Lithe");
        return;
    }
    case SOLVE_ONE: sparse_solve(m->factor, 1, m->x); return;
    case SOLVE_EIGHT: sparse_solve(m->factor, 8, m->eight); return;
    case MULTIPLY: multiply(m); return;
    default: must_factor(cholmod_ways_factor(&m->cholmod, job - CHOLMOD), "CHOLMOD");
    }
}

static void fill_right_hand_sides(measurement *m)
{
    for (int i = 0; i < m->n; i++)
        m->x[i] = m->b[i] = i % 7 - 3;
    for (int i = 0; i < 8 * m->n; i++)
        m->eight[i] = i / 8 % 7 - 3;
}

static double time_run(measurement *m, int job)
{
    fill_right_hand_sides(m);
    double start = cpu_now();
    run_job(m, job);
    return cpu_now() - start;
}

static void take_round(measurement *m, int job)
{
    if (m->skipped[job])
        return;
    double first = time_run(m, job);
    for (int i = 1; i < RUNS && first < SHORT; i++)
        m->time[job][m->nrun[job]++] = time_run(m, job);
    if (first >= SHORT)
        m->time[job][m->nrun[job]++] = first;
}

static double best(const measurement *m, int job)
{
    double least = INFINITY;
    for (int i = 0; i < m->nrun[job]; i++)
        least = fmin(least, m->time[job][i]);
    return least;
}

// Ways that cannot be the fastest are left out after a first run.
static void choose_ways(measurement *m)
{
    double fastest = INFINITY;
    for (int way = 0; way < CHOLMOD_WAYS; way++) {
        int job = CHOLMOD + way;
        m->skipped[job] =
            way >= 2 && cholmod_ways_flops(&m->cholmod, way) / SIMPLICIAL_FLOPS > fastest;
        take_round(m, job); // whose first run allocates
        take_round(m, job);
        fastest = fmin(fastest, best(m, job));
    }
    for (int job = CHOLMOD; job < CHOLMOD + CHOLMOD_WAYS; job++)
        m->skipped[job] = m->skipped[job] || best(m, job) > 2 * fastest;
}

static void take_rounds(measurement *m)
{
    choose_ways(m);
    double end = cpu_now() + SECONDS;
    for (int i = 0; i < ROUNDS && (i < MIN_ROUNDS || cpu_now() < end); i++)
        for (int job = 0; job < NJOB; job++)
            take_round(m, job);
}

static double largest(int n, const double *v)
{
    double size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(v[i]));
    return size;
}

// r -= A x, and the sums of |A| over its rows.
static void apply(const measurement *m, const double *x, double *r, double *sum)
{
    const sparse_pattern *p = m->p;
    for (int j = 0; j < p->n; j++)
        for (int a = p->col_adr[j]; a < p->col_adr[j + 1]; a++)
            for (int k = 0; k < 9; k++) {
                int i = 3 * p->row[a] + k / 3, c = 3 * j + k % 3;
                double v = m->blocks[9 * (size_t)a + (size_t)k];
                bool diagonal = p->row[a] == j;
                if (diagonal && c > i)
                    continue;
                r[i] -= v * x[c];
                sum[i] += fabs(v);
                if (i != c) {
                    r[c] -= v * x[i];
                    sum[c] += fabs(v);
                }
            }
}

// |b - A x| / (|A| |x| + |b|), largest entries and largest row sum.
static double backward_error(measurement *m, const double *x)
{
    double *r = m->eight, *sum = r + m->n;
    memcpy(r, m->b, (size_t)m->n * sizeof *r);
    memset(sum, 0, (size_t)m->n * sizeof *sum);
    apply(m, x, r, sum);
    return largest(m->n, r) / (largest(m->n, sum) * largest(m->n, x) + largest(m->n, m->b));
}

static int fastest_way(measurement *m, double *time)
{
    int fastest = 0;
    *time = INFINITY;
    for (int way = 0; way < CHOLMOD_WAYS; way++) {
        int job = CHOLMOD + way;
        if (m->skipped[job])
            continue;
        double median = time_rank(m->nrun[job], m->time[job], 0.5);
        if (median < *time) {
            *time = median;
            fastest = way;
        }
    }
    return fastest;
}

static void print_row(const robot *r, measurement *m, double analyze)
{
    double time, *x = m->eight + 2 * (size_t)m->n;
    int way = fastest_way(m, &time);
    fill_right_hand_sides(m);
    run_job(m, OURS);
    cholmod_ways_solve(&m->cholmod, way, m->b, x);
    sparse_solve(m->factor, 1, m->x);
    double ours = time_rank(m->nrun[OURS], m->time[OURS], 0.5);
    double gemm = time_rank(m->nrun[MULTIPLY], m->time[MULTIPLY], 0.5);
    double flops = sparse_flops(r->model->body[0].symbolic);
    double bytes = 8.0 * (double)sparse_nonzeros(r->model->body[0].symbolic);
    double error = backward_error(m, m->x);
    double one = time_rank(m->nrun[SOLVE_ONE], m->time[SOLVE_ONE], 0.5);
    double eight = time_rank(m->nrun[SOLVE_EIGHT], m->time[SOLVE_EIGHT], 0.5);
    printf("| %s | %d | %.1f | %.3f | %.3f | %.1f | %.1f", r->name, lithe_nnode(r->model),
           1e-6 * flops, 1e3 * ours, 1e3 * best(m, OURS), 1e-9 * flops / ours,
           2e-9 * GEMM * GEMM * GEMM / gemm);
    for (int job = CHOLMOD; job < CHOLMOD + CHOLMOD_WAYS; job++)
        if (m->nrun[job] > 0)
            printf(" | %.3f", 1e3 * time_rank(m->nrun[job], m->time[job], 0.5));
        else
            printf(" | –");
    printf(" | %.2f | %.1e | %.3f | %.1f | %.3f | %.0f |\n", time / ours, error, 1e3 * one,
           2e-9 * bytes / one, 1e3 * eight, 1e3 * analyze);
    fflush(stdout);
}

static double analyze_time(const sparse_pattern *p)
{
    arena memory = {0};
    sparse_symbolic *again;
    double start = cpu_now();
    must_factor(sparse_analyze(p, &memory, &again) == LITHE_OK, "analysis");
    double spent = cpu_now() - start;
    arena_free(&memory);
    return spent;
}

static void measure(const char *what)
{
    robot r = robot_open(what);
    const body *b = &r.model->body[0];
    arena memory = {0};
    measurement *m = must(calloc(1, sizeof *m));
    must_factor(step_phases(r.model, r.state, STEP_FORWARD, PHASE_ASSEMBLE, PHASE_ASSEMBLE) ==
                    LITHE_OK,
                "assembly");
    *m = (measurement){.p = &b->pattern, .blocks = r.state->tangent.K[0], .n = 3 * b->nrow};
    must_factor(sparse_factor_create(b->symbolic, 8, 1, &memory, &m->factor) == LITHE_OK, "memory");
    m->b = must(arena_new(&memory, m->n, double));
    m->x = must(arena_new(&memory, m->n, double));
    m->eight = must(arena_new(&memory, 8 * (size_t)m->n, double));
    m->gemm = must(arena_new(&memory, 3 * GEMM * GEMM, double));
    for (int i = 0; i < 2 * GEMM * GEMM; i++)
        m->gemm[i] = sin(i);
    cholmod_ways_open(&m->cholmod, m->p, m->blocks);
    take_rounds(m);
    print_row(&r, m, analyze_time(m->p));
    cholmod_ways_close(&m->cholmod);
    arena_free(&memory);
    free(m);
    robot_close(&r);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {LITHE_ROOT "/examples/parallel/robot.yaml",
                                        LITHE_ROOT "/examples/parallel/robot.yaml@5000",
                                        LITHE_ROOT "/examples/parallel/robot.yaml@30000"};
    openblas_set_num_threads(1);
    pin_to_core();
    printf("| robot | nodes | Mflop | ours ms | best ms | Gflop/s | dgemm Gflop/s");
    for (int way = 0; way < CHOLMOD_WAYS; way++)
        printf(" | %s ms", CHOLMOD_WAY_NAME[way]);
    printf(" | ratio | error | solve ms | GB/s | 8 solves ms | analyze ms |\n|---");
    for (int i = 0; i < 12 + CHOLMOD_WAYS; i++)
        printf("|---");
    printf("|\n");
    for (int i = 1; i < argc; i++)
        measure(argv[i]);
    for (int i = 0; argc == 1 && i < 3; i++)
        measure(usual[i]);
    return 0;
}
