// How long factoring takes, ours and CHOLMOD's supernodal one, each on one thread.
//
//     bench_factor [MESH...]
//
// Without meshes: long bars of tetrahedra, as robots are.
#include "base/clock.h"
#include "mesh/mesh.h"
#include "sparse/sparse.h"

#include <cholmod.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 41, SLOW_REPEATS = 5 };
static const double SLOW = 0.2; // s

// Only OpenBLAS has it; another BLAS is asked through OMP_NUM_THREADS.
extern void openblas_set_num_threads(int) __attribute__((weak));

typedef struct problem {
    arena memory;
    int nnode, ntet;
    int *tet;
    sparse_pattern pattern;
    double *blocks;
} problem;

typedef struct result {
    double ours, cholmod; // s
    double solve_one, solve_eight, analyze;
    double flops, nonzeros;
    double difference; // of the two solutions, relative
} result;

static void *must(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

static void must_work(lithe_status status)
{
    if (status != LITHE_OK) {
        fprintf(stderr, "%s\n", lithe_status_name(status));
        exit(3);
    }
}

// A box of cubes, each cut into the six tetrahedra around one diagonal.
static void make_bar(problem *p, const int size[3])
{
    static const int path[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int stride[3] = {1, size[0], size[0] * size[1]};
    p->nnode = size[0] * size[1] * size[2];
    p->tet = must(arena_new(&p->memory, 24 * (size_t)p->nnode, int));
    for (int node = 0; node < p->nnode; node++) {
        if (node % size[0] == size[0] - 1 || node / stride[1] % size[1] == size[1] - 1 ||
            node / stride[2] == size[2] - 1)
            continue;
        for (int t = 0; t < 6; t++, p->ntet++) {
            int *tet = p->tet + 4 * (size_t)p->ntet;
            tet[0] = node;
            for (int k = 0; k < 3; k++)
                tet[k + 1] = tet[k] + stride[path[t][k]];
        }
    }
}

static void read_mesh(problem *p, const char *path)
{
    lithe_report report = lithe_report_default();
    lithe_mesh *m = NULL;
    if (lithe_mesh_read(path, &m, &report) != LITHE_OK) {
        fprintf(stderr, "%s\n", report.error);
        exit(2);
    }
    p->nnode = m->nnode;
    p->ntet = m->ntet;
    p->tet = must(arena_new(&p->memory, 4 * (size_t)m->ntet, int));
    for (int i = 0; i < 4 * m->ntet; i++)
        p->tet[i] = m->tet[i];
    lithe_mesh_free(m);
}

// Springs between neighbours that resist in all directions, on soft ground: positive definite.
static void fill_blocks(problem *p)
{
    const sparse_pattern *a = &p->pattern;
    p->blocks = must(arena_new(&p->memory, 9 * (size_t)a->nblock, double));
    for (int j = 0; j < a->n; j++) {
        double *diagonal = p->blocks + 9 * (size_t)a->col_adr[j];
        for (int b = a->col_adr[j] + 1; b < a->col_adr[j + 1]; b++) {
            double axis[3] = {sin(a->row[b] + 2 * j), cos(3 * a->row[b] + j), sin(5 * j + 1)};
            double *other = p->blocks + 9 * (size_t)a->col_adr[a->row[b]];
            for (int k = 0; k < 9; k++) {
                double stiffness = axis[k / 3] * axis[k % 3] + 0.1 * (k % 4 == 0);
                p->blocks[9 * (size_t)b + (size_t)k] = -stiffness;
                diagonal[k] += stiffness;
                other[k] += stiffness;
            }
        }
        for (int k = 0; k < 3; k++)
            diagonal[4 * k] += 1e-3;
    }
}

static void assemble(problem *p)
{
    sparse_builder *b = must(sparse_builder_create(p->nnode));
    for (int t = 0; t < p->ntet; t++)
        must_work(sparse_builder_clique(b, 4, p->tet + 4 * (size_t)t));
    must_work(sparse_builder_finish(b, &p->memory, &p->pattern));
    sparse_builder_free(b);
    fill_blocks(p);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct job {
    void (*run)(struct job *job);
    sparse_factor *factor;
    const double *blocks;
    int n, nrhs;
    double *B;
    cholmod_sparse *A;
    cholmod_factor *L;
    cholmod_common *common;
} job;

// Median of repeated runs after two that warm up.
static double median_time(job *j)
{
    double time[REPEATS];
    int repeats = REPEATS;
    for (int i = -2; i < repeats; i++) {
        double start = clock_now();
        j->run(j);
        double spent = clock_now() - start;
        if (i < 0 && spent > SLOW)
            repeats = SLOW_REPEATS;
        if (i >= 0)
            time[i] = spent;
    }
    qsort(time, (size_t)repeats, sizeof *time, by_value);
    return time[repeats / 2];
}

static void factor_ours(job *j)
{
    sparse_factorize(j->factor, j->blocks, NULL);
}

static void solve_ours(job *j)
{
    for (int i = 0; i < j->n * j->nrhs; i++)
        j->B[i] = (i / j->nrhs) % 7;
    sparse_solve(j->factor, j->nrhs, j->B);
}

static void factor_cholmod(job *j)
{
    cholmod_factorize(j->A, j->L, j->common);
}

static cholmod_sparse *scalar_matrix(const problem *p, cholmod_common *common)
{
    const sparse_pattern *a = &p->pattern;
    size_t n = 3 * (size_t)a->n, entries = 9 * (size_t)a->nblock;
    cholmod_triplet *t = must(cholmod_allocate_triplet(n, n, entries, -1, CHOLMOD_REAL, common));
    int *row = t->i, *col = t->j;
    double *value = t->x;
    for (int j = 0; j < a->n; j++)
        for (int b = a->col_adr[j]; b < a->col_adr[j + 1]; b++)
            for (int k = 0; k < 9; k++) {
                if (b == a->col_adr[j] && k % 3 > k / 3)
                    continue;
                row[t->nnz] = 3 * a->row[b] + k / 3;
                col[t->nnz] = 3 * j + k % 3;
                value[t->nnz++] = p->blocks[9 * (size_t)b + (size_t)k];
            }
    cholmod_sparse *A = must(cholmod_triplet_to_sparse(t, entries, common));
    cholmod_free_triplet(&t, common);
    return A;
}

static double compare_solutions(job *j)
{
    cholmod_dense *b =
        must(cholmod_allocate_dense((size_t)j->n, 1, (size_t)j->n, CHOLMOD_REAL, j->common));
    double error = 0, size = 0, *rhs = b->x;
    for (int i = 0; i < j->n; i++)
        rhs[i] = i % 7;
    j->nrhs = 1;
    solve_ours(j);
    cholmod_dense *x = must(cholmod_solve(CHOLMOD_A, j->L, b, j->common));
    for (int i = 0; i < j->n; i++) {
        error = fmax(error, fabs(j->B[i] - ((double *)x->x)[i]));
        size = fmax(size, fabs(j->B[i]));
    }
    cholmod_free_dense(&x, j->common);
    cholmod_free_dense(&b, j->common);
    return error / size;
}

static void measure_cholmod(const problem *p, job *j, result *r)
{
    cholmod_common common;
    cholmod_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    j->common = &common;
    j->A = scalar_matrix(p, &common);
    j->L = must(cholmod_analyze(j->A, &common));
    j->run = factor_cholmod;
    r->cholmod = median_time(j);
    r->difference = compare_solutions(j);
    cholmod_free_factor(&j->L, &common);
    cholmod_free_sparse(&j->A, &common);
    cholmod_finish(&common);
}

static result measure(problem *p)
{
    result r = {0};
    sparse_symbolic *sym;
    job j = {.run = factor_ours, .blocks = p->blocks, .n = 3 * p->nnode};
    double start = clock_now();
    must_work(sparse_analyze(&p->pattern, &p->memory, &sym));
    r.analyze = clock_now() - start;
    must_work(sparse_factor_create(sym, 8, &p->memory, &j.factor));
    j.B = must(arena_new(&p->memory, 8 * (size_t)j.n, double));
    r.flops = sparse_flops(sym);
    r.nonzeros = (double)sparse_nonzeros(sym);
    r.ours = median_time(&j);
    j.run = solve_ours;
    j.nrhs = 1;
    r.solve_one = median_time(&j);
    j.nrhs = 8;
    r.solve_eight = median_time(&j);
    measure_cholmod(p, &j, &r);
    return r;
}

static void print_row(const char *name, problem *p)
{
    assemble(p);
    result r = measure(p);
    printf("%-12s %6d %9.0f %9.2f %9.3f %8.2f %11.3f %6.2f %10.3f %10.3f %10.1f %9.1e\n", name,
           p->nnode, r.nonzeros, r.flops * 1e-6, r.ours * 1e3, r.flops / r.ours * 1e-9,
           r.cholmod * 1e3, r.cholmod / r.ours, r.solve_one * 1e3, r.solve_eight * 1e3,
           r.analyze * 1e3, r.difference);
    arena_free(&p->memory);
}

int main(int argc, char **argv)
{
    static const int bar[][3] = {{5, 5, 20}, {5, 8, 40}, {8, 10, 63}, {16, 25, 50}};
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    printf("%-12s %6s %9s %9s %9s %8s %11s %6s %10s %10s %10s %9s\n", "mesh", "nodes", "nnz(L)",
           "Mflop", "ours ms", "Gflop/s", "CHOLMOD ms", "ratio", "1 rhs ms", "8 rhs ms",
           "analyze ms", "differ");
    for (int i = 1; i < argc; i++) {
        problem p = {0};
        read_mesh(&p, argv[i]);
        print_row("file", &p);
    }
    for (int i = 0; argc == 1 && i < 4; i++) {
        char name[40];
        problem p = {0};
        make_bar(&p, bar[i]);
        snprintf(name, sizeof name, "%dx%dx%d", bar[i][0], bar[i][1], bar[i][2]);
        print_row(name, &p);
    }
    return 0;
}
