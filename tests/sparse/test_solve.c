#include "sparse/matrices.h"

static void several_right_hand_sides_equal_one_at_a_time(void **unused)
{
    (void)unused;
    static const int counts[] = {2, 3, 8, 9, 21};
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        int n = 3 * m.p.n;
        sparse_factor *f = factor_definite(&m, 21);
        for (int c = 0; c < 5; c++) {
            int nrhs = counts[c];
            double *B = numbers(&m, (size_t)n * (size_t)nrhs, 11);
            double *X = copy(&m, (size_t)n * (size_t)nrhs, B);
            double *one = numbers(&m, (size_t)n, 1);
            sparse_solve(f, nrhs, X);
            for (int r = 0; r < nrhs; r++) {
                for (int i = 0; i < n; i++)
                    one[i] = B[i * nrhs + r];
                sparse_solve(f, 1, one);
                for (int i = 0; i < n; i++)
                    assert_true(fabs(one[i] - X[i * nrhs + r]) <= 1e-13);
            }
        }
        free_matrix(&m);
    }
}

static void solution_of_a_right_hand_side_does_not_depend_on_its_neighbours(void **unused)
{
    (void)unused;
    matrix m = build_matrix(&families[8]);
    int n = 3 * m.p.n;
    sparse_factor *f = factor_definite(&m, 12);
    double *B = numbers(&m, (size_t)n * 12, 11), *pair = numbers(&m, (size_t)n * 2, 1);
    for (int i = 0; i < n; i++) {
        pair[2 * i] = B[12 * i + 10];
        pair[2 * i + 1] = B[12 * i + 3];
    }
    sparse_solve(f, 12, B);
    sparse_solve(f, 2, pair);
    for (int i = 0; i < n; i++) {
        assert_true(pair[2 * i] == B[12 * i + 10]);
        assert_true(pair[2 * i + 1] == B[12 * i + 3]);
    }
    free_matrix(&m);
}

// Sum over the unknowns of Y_r D^-1 Z_s.
static double weighted_product(int n, int nrhs, const double *Y, int r, const double *weight,
                               const double *Z, int s)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += Y[i * nrhs + r] * weight[i] * Z[i * nrhs + s];
    return sum;
}

static void forward_products_give_the_compliance(void **unused)
{
    (void)unused;
    enum { NRHS = 5 };
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        int n = 3 * m.p.n;
        size_t count = (size_t)n * NRHS;
        sparse_factor *f = factor_definite(&m, NRHS);
        double *B = numbers(&m, count, 1), *C = numbers(&m, count, 2);
        double *Y = copy(&m, count, B), *Z = copy(&m, count, C), *X = copy(&m, count, C);
        double *ones = numbers(&m, (size_t)n, 1);
        for (int i = 0; i < n; i++)
            ones[i] = 1;
        sparse_forward(f, NRHS, Y);
        sparse_forward(f, NRHS, Z);
        sparse_solve(f, NRHS, X);
        for (int r = 0; r < NRHS; r++)
            for (int s = 0; s < NRHS; s++) {
                double direct = weighted_product(n, NRHS, B, r, ones, X, s);
                double halves = weighted_product(n, NRHS, Y, r, sparse_inverse_pivots(f), Z, s);
                assert_true(fabs(direct - halves) <= 1e-12 * largest(count, X) * n);
            }
        free_matrix(&m);
    }
}

static void backward_after_forward_solves(void **unused)
{
    (void)unused;
    matrix m = build_matrix(&families[8]);
    for (int nrhs = 1; nrhs <= 10; nrhs += 3) {
        size_t count = 3 * (size_t)m.p.n * (size_t)nrhs;
        sparse_factor *f = factor_definite(&m, nrhs);
        double *X = numbers(&m, count, 3), *Y = copy(&m, count, X);
        sparse_solve(f, nrhs, X);
        sparse_forward(f, nrhs, Y);
        sparse_backward(f, nrhs, Y);
        assert_memory_equal(X, Y, count * sizeof *X);
    }
    free_matrix(&m);
}

// Linearity: a few unit loads solved apart, and their sum with a dense load minus that dense load.
static void sparse_right_hand_sides_equal_dense_ones(void **unused)
{
    (void)unused;
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        int n = 3 * m.p.n;
        for (int nrhs = 1; nrhs <= 9; nrhs += 4) {
            size_t count = (size_t)n * (size_t)nrhs;
            sparse_factor *f = factor_definite(&m, nrhs);
            double *dense = numbers(&m, count, 3), *both = copy(&m, count, dense);
            double *lone = arena_new(&m.memory, count, double);
            for (int r = 0; r < nrhs; r++) {
                int i = (31 * r + 5) % n;
                lone[i * nrhs + r] = 1;
                both[i * nrhs + r] += 1;
            }
            sparse_forward(f, nrhs, lone);
            sparse_forward(f, nrhs, dense);
            sparse_forward(f, nrhs, both);
            for (size_t i = 0; i < count; i++)
                both[i] -= dense[i];
            assert_true(largest_difference(count, both, lone) <= 1e-13 * largest(count, dense));
        }
        free_matrix(&m);
    }
}

// Every number outside the spans is zero, and of a lone load some spans are missing.
static void reach_holds_all_that_is_not_zero(void **unused)
{
    (void)unused;
    int skipped = 0;
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        int n = 3 * m.p.n, at = 0;
        sparse_factor *f = factor_definite(&m, 1);
        double *y = arena_new(&m.memory, n, double);
        sparse_span *span = arena_new(&m.memory, m.p.n, sparse_span);
        y[n / 2] = 1;
        sparse_forward(f, 1, y);
        int nspan = sparse_reach(f, span);
        for (int j = 0; j <= nspan; j++) {
            int first = j < nspan ? span[j].first : n;
            assert_true(first >= at && first <= n);
            skipped += first - at;
            for (; at < first; at++)
                assert_true(y[at] == 0);
            at = j < nspan ? span[j].last : n;
        }
        free_matrix(&m);
    }
    assert_true(skipped > 0);
}

static void a_few_block_rows_give_the_same_bits(void **unused)
{
    (void)unused;
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        for (int nrhs = 1; nrhs <= 9; nrhs += 4) {
            size_t width = 3 * (size_t)nrhs, count = (size_t)m.p.n * width;
            sparse_factor *f = factor_definite(&m, nrhs);
            double *some = numbers(&m, 2 * width, 5), *all = arena_new(&m.memory, count, double);
            double *few = numbers(&m, count, 6); // what must not be read
            sparse_span *span = arena_new(&m.memory, m.p.n, sparse_span);
            int row[2] = {m.p.n / 3, m.p.n - 1};
            for (int i = 0; i < 2; i++) {
                memcpy(all + (size_t)row[i] * width, some + (size_t)i * width, width * sizeof *all);
                memcpy(few + (size_t)row[i] * width, some + (size_t)i * width, width * sizeof *few);
            }
            sparse_forward(f, nrhs, all);
            sparse_forward_few(f, nrhs, 2, row, few);
            int nspan = sparse_reach(f, span);
            assert_true(nspan > 0);
            for (int j = 0; j < nspan; j++) {
                size_t at = (size_t)span[j].first * (size_t)nrhs;
                size_t n = (size_t)(span[j].last - span[j].first) * (size_t)nrhs;
                assert_memory_equal(all + at, few + at, n * sizeof *all);
            }
        }
        free_matrix(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_right_hand_sides_equal_one_at_a_time),
        cmocka_unit_test(solution_of_a_right_hand_side_does_not_depend_on_its_neighbours),
        cmocka_unit_test(reach_holds_all_that_is_not_zero),
        cmocka_unit_test(a_few_block_rows_give_the_same_bits),
        cmocka_unit_test(forward_products_give_the_compliance),
        cmocka_unit_test(backward_after_forward_solves),
        cmocka_unit_test(sparse_right_hand_sides_equal_dense_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
