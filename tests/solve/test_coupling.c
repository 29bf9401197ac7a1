#include "solve/coupling.h"
#include "solve/dense.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 90, P = 51 }; // coordinates of A, those of them that are coupled

static double uniform(void)
{
    static uint64_t seed = 11;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// Symmetric, with so many eigenvalues below 0: L D L'.
static void random_matrix(int n, int negative, double *A)
{
    double L[N * N];
    for (int i = 0; i < n * n; i++)
        L[i] = i / n == i % n ? 1 : i % n < i / n ? uniform() / sqrt(n) : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0;
            for (int k = 0; k < n; k++)
                A[i * n + j] += L[i * n + k] * (k < negative ? -1 : 1) * L[j * n + k];
        }
}

static int negative_of(int n, const double *A)
{
    double copy[N * N], scratch[DENSE_BLOCK * N];
    memcpy(copy, A, (size_t)(n * n) * sizeof *copy);
    return dense_ldl(n, copy, scratch);
}

// Of two bodies that do not meet.
static int side_of(int i)
{
    return i < P / 3 || i >= P + (N - P) / 2;
}

static void take_apart(double *A)
{
    for (int i = 0; i < N * N; i++)
        if (side_of(i / N) != side_of(i % N))
            A[i] = 0;
}

// Upper halves of blocks of the inverse of A, one after the other.
static void put_blocks(const double *inverse, coupling *c)
{
    for (int k = 0; k < c->npart; k++) {
        int first = c->part[k], size = c->part[k + 1] - first;
        double *S = coupling_part(c, k);
        for (int i = 0; i < size * size; i++)
            S[i] = inverse[(first + i / size) * N + first + i % size];
    }
}

// Against a dense solve of A + P K P', and the count of its eigenvalues.
static void check(int below, int coupled_below, bool slant, int npart, bool count)
{
    static const int part[2][3] = {{0, P}, {0, P / 3, P}};
    double A[N * N], K[P * P], sum[N * N], copy[N * N], inverse[N * N] = {0}, r[N], x[N], y[N];
    arena memory = {0};
    coupling c;
    assert_true(coupling_create(&memory, P, &c));
    random_matrix(N, below, A);
    random_matrix(P, coupled_below, K);
    c.n = P;
    c.symmetric = !slant;
    c.npart = npart;
    c.part = part[npart - 1];
    if (npart > 1)
        take_apart(A);
    memcpy(copy, A, sizeof A);
    for (int i = 0; i < N; i++)
        inverse[i * N + i] = 1;
    assert_true(dense_solve(N, N, copy, inverse));
    memcpy(sum, A, sizeof A);
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++) {
            c.K[i * P + j] = 3 * K[i * P + j];
            c.slant[i * P + j] = slant ? uniform() : 0;
            sum[i * N + j] += c.K[i * P + j];
        }
    put_blocks(inverse, &c);
    int expected = negative_of(N, sum) - negative_of(N, A);
    for (int i = 0; i < P * P; i++)
        sum[i / P * N + i % P] += c.slant[i];
    const int unknown = 77;
    c.negative = unknown;
    assert_true(coupling_factor(&c, count));
    assert_int_equal(c.negative, count || !slant ? expected : unknown);
    for (int i = 0; i < N; i++)
        y[i] = r[i] = uniform();
    assert_true(dense_solve(N, 1, sum, y));
    double t[P] = {0};
    for (int i = 0; i < P; i++)
        for (int j = 0; j < N; j++)
            t[i] += inverse[i * N + j] * r[j];
    coupling_apply(&c, t);
    for (int i = 0; i < N; i++) {
        x[i] = 0;
        for (int j = 0; j < N; j++)
            x[i] += inverse[i * N + j] * (r[j] - (j < P ? t[j] : 0));
        assert_true(fabs(x[i] - y[i]) < 1e-9 * (1 + fabs(y[i])));
    }
    arena_free(&memory);
}

static void it_solves_with_what_is_added_and_counts_its_eigenvalues(void **state)
{
    (void)state;
    for (int below = 0; below < 3; below++)
        for (int other = 0; other < 3; other++)
            for (int trial = 0; trial < 20; trial++)
                check(below, other, trial % 2, 1 + trial / 10, trial % 4 < 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_solves_with_what_is_added_and_counts_its_eigenvalues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
