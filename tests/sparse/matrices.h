// Matrices of known kinds for the tests of this room.
#ifndef TESTS_SPARSE_MATRICES_H
#define TESTS_SPARSE_MATRICES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sanitized.h"
#include "sparse/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct matrix {
    arena memory;
    sparse_pattern p;
    double *blocks;
} matrix;

typedef struct family {
    const char *name;
    int n;
    void (*join)(sparse_builder *b, int n);
} family;

// The same numbers on every machine, in [-1, 1).
static inline double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*state >> 11) / (double)(1ll << 52) - 1;
}

static inline int random_below(uint64_t *state, int n)
{
    int r = (int)((random_number(state) + 1) / 2 * n);
    return r < n ? r : n - 1;
}

static inline void join_pair(sparse_builder *b, int i, int j)
{
    int pair[2] = {i, j};
    assert_int_equal(sparse_builder_clique(b, 2, pair, NULL), LITHE_OK);
}

static inline void join_nothing(sparse_builder *b, int n)
{
    (void)b;
    (void)n;
}

static inline void join_path(sparse_builder *b, int n)
{
    for (int i = 1; i < n; i++)
        join_pair(b, i, i - 1);
}

static inline void join_star(sparse_builder *b, int n)
{
    for (int i = 1; i < n; i++)
        join_pair(b, 0, i);
}

static inline void join_all(sparse_builder *b, int n)
{
    int *node = malloc((size_t)n * sizeof *node);
    for (int i = 0; i < n; i++)
        node[i] = i;
    assert_int_equal(sparse_builder_clique(b, n, node, NULL), LITHE_OK);
    free(node);
}

static inline void join_square(sparse_builder *b, int n)
{
    int side = (int)lround(sqrt(n));
    for (int i = 0; i < n; i++) {
        if (i % side)
            join_pair(b, i, i - 1);
        if (i >= side)
            join_pair(b, i, i - side);
    }
}

// Boxes of width x height x (what n leaves), every cube joined in full.
static inline void join_box(sparse_builder *b, int n, int width, int height)
{
    int layer = width * height;
    for (int i = 0; i + layer < n; i++) {
        if (i % width == width - 1 || i / width % height == height - 1)
            continue;
        int cube[8];
        for (int k = 0; k < 8; k++)
            cube[k] = i + (k & 1) + (k >> 1 & 1) * width + (k >> 2 & 1) * layer;
        assert_int_equal(sparse_builder_clique(b, 8, cube, NULL), LITHE_OK);
    }
}

static inline void join_cube(sparse_builder *b, int n)
{
    int side = (int)lround(cbrt(n));
    join_box(b, n, side, side);
}

static inline void join_bar(sparse_builder *b, int n)
{
    join_box(b, n, 4, 5);
}

static inline void join_random(sparse_builder *b, int n)
{
    uint64_t state = (uint64_t)n;
    for (int i = 0; i < n; i++) {
        int node[5];
        int count = 2 + random_below(&state, 4);
        for (int k = 0; k < count; k++)
            node[k] = random_below(&state, n + 1) - 1;
        assert_int_equal(sparse_builder_clique(b, count, node, NULL), LITHE_OK);
    }
}

static inline void join_two_parts(sparse_builder *b, int n)
{
    join_box(b, n / 2, 3, 3);
    for (int i = n / 2 + 3; i < n; i++)
        join_pair(b, i, i - 1);
}

static const family families[] = {
    {"one node", 1, join_nothing},
    {"two nodes", 2, join_path},
    {"diagonal", 23, join_nothing},
    {"path", 60, join_path},
    {"star", 70, join_star},
    {"full", 75, join_all},
    {"square", 400, join_square},
    {"cube", 512, join_cube},
    {"bar", 2000, join_bar},
    {"random", 150, join_random},
    {"random, larger", 700, join_random},
    {"two parts", 120, join_two_parts},
};
enum { NFAMILY = sizeof families / sizeof *families };

static inline void build_pattern(const family *kind, matrix *m)
{
    memset(m, 0, sizeof *m);
    sparse_builder *b = sparse_builder_create(kind->n);
    assert_non_null(b);
    kind->join(b, kind->n);
    assert_int_equal(sparse_builder_finish(b, &m->memory, &m->p), LITHE_OK);
    sparse_builder_free(b);
    m->blocks = arena_new(&m->memory, 9 * (size_t)m->p.nblock, double);
    assert_non_null(m->blocks);
}

// Random and diagonally dominant, hence positive definite.
static inline matrix build_matrix(const family *kind)
{
    matrix m;
    build_pattern(kind, &m);
    uint64_t state = 7;
    for (int j = 0; j < m.p.n; j++)
        for (int b = m.p.col_adr[j]; b < m.p.col_adr[j + 1]; b++)
            for (int k = 0; k < 9; k++) {
                double value = random_number(&state);
                int i = m.p.row[b];
                m.blocks[9 * b + k] += value;
                m.blocks[9 * m.p.col_adr[j] + 4 * (k % 3)] += fabs(value) + 0.1;
                m.blocks[9 * m.p.col_adr[i] + 4 * (k / 3)] += fabs(value) + 0.1;
            }
    return m;
}

static inline void free_matrix(matrix *m)
{
    arena_free(&m->memory);
}

// Y = A X for nrhs columns; reads what the factorization reads.
static inline void multiply(const matrix *m, int nrhs, const double *X, double *Y)
{
    memset(Y, 0, 3 * (size_t)m->p.n * (size_t)nrhs * sizeof *Y);
    for (int j = 0; j < m->p.n; j++)
        for (int b = m->p.col_adr[j]; b < m->p.col_adr[j + 1]; b++)
            for (int k = 0; k < 9; k++) {
                int row = 3 * m->p.row[b] + k / 3, col = 3 * j + k % 3;
                if (col > row)
                    continue;
                for (int r = 0; r < nrhs; r++) {
                    Y[row * nrhs + r] += m->blocks[9 * b + k] * X[col * nrhs + r];
                    if (row != col)
                        Y[col * nrhs + r] += m->blocks[9 * b + k] * X[row * nrhs + r];
                }
            }
}

static inline double largest(size_t n, const double *x)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fabs(x[i]) > most || isnan(x[i]) ? fabs(x[i]) : most;
    return most;
}

static inline double largest_difference(size_t n, const double *x, const double *y)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i] - y[i]) <= most))
            most = fabs(x[i] - y[i]);
    return most;
}

static inline double *numbers(matrix *m, size_t count, uint64_t seed)
{
    double *x = arena_new(&m->memory, count, double);
    assert_non_null(x);
    for (size_t i = 0; i < count; i++)
        x[i] = random_number(&seed);
    return x;
}

static inline double *copy(matrix *m, size_t count, const double *from)
{
    double *x = arena_new(&m->memory, count, double);
    assert_non_null(x);
    memcpy(x, from, count * sizeof *x);
    return x;
}

static inline sparse_factor *create_factor(matrix *m, int max_rhs)
{
    sparse_symbolic *sym = NULL;
    sparse_factor *f = NULL;
    assert_int_equal(sparse_analyze(&m->p, &m->memory, &sym), LITHE_OK);
    assert_int_equal(sparse_factor_create(sym, max_rhs, 8, &m->memory, &f), LITHE_OK);
    return f;
}

static inline sparse_factor *factor_definite(matrix *m, int max_rhs)
{
    sparse_factor *f = create_factor(m, max_rhs);
    sparse_report report = sparse_factorize(f, m->blocks, NULL);
    assert_int_equal(report.negative, 0);
    assert_int_equal(report.zero, 0);
    assert_int_equal(report.bad_block, -1);
    return f;
}

#endif
