#include "sparse/matrices.h"

#include "sparse/factor.h"

#include <cholmod.h>

static void factor_reproduces_the_matrix(void **unused)
{
    (void)unused;
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        size_t n = 3 * (size_t)m.p.n;
        sparse_factor *f = factor_definite(&m, 1);
        double *b = numbers(&m, n, 5), *x = copy(&m, n, b), *Ax = copy(&m, n, b);
        sparse_solve(f, 1, x);
        multiply(&m, 1, x, Ax);
        double scale = largest(9 * (size_t)m.p.nblock, m.blocks) * largest(n, x);
        assert_true(largest_difference(n, Ax, b) <= 1e-13 * scale);
        free_matrix(&m);
    }
}

static cholmod_sparse *scalar_matrix(const matrix *m, cholmod_common *common)
{
    size_t n = 3 * (size_t)m->p.n;
    cholmod_triplet *t =
        cholmod_allocate_triplet(n, n, 9 * (size_t)m->p.nblock, -1, CHOLMOD_REAL, common);
    for (int j = 0; j < m->p.n; j++)
        for (int b = m->p.col_adr[j]; b < m->p.col_adr[j + 1]; b++)
            for (int k = 0; k < 9; k++) {
                int row = 3 * m->p.row[b] + k / 3, col = 3 * j + k % 3;
                if (col > row)
                    continue;
                ((int *)t->i)[t->nnz] = row;
                ((int *)t->j)[t->nnz] = col;
                ((double *)t->x)[t->nnz++] = m->blocks[9 * b + k];
            }
    cholmod_sparse *A = cholmod_triplet_to_sparse(t, t->nnz, common);
    cholmod_free_triplet(&t, common);
    return A;
}

static void solution_agrees_with_cholmod_to_1e_10(void **unused)
{
    (void)unused;
    cholmod_common common;
    cholmod_start(&common);
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        size_t n = 3 * (size_t)m.p.n;
        cholmod_sparse *A = scalar_matrix(&m, &common);
        cholmod_dense *b = cholmod_ones(n, 1, CHOLMOD_REAL, &common);
        cholmod_factor *L = cholmod_analyze(A, &common);
        cholmod_factorize(A, L, &common);
        cholmod_dense *reference = cholmod_solve(CHOLMOD_A, L, b, &common);
        sparse_factor *f = factor_definite(&m, 1);
        sparse_solve(f, 1, b->x);
        assert_true(largest_difference(n, b->x, reference->x) <= 1e-10 * largest(n, reference->x));
        cholmod_free_dense(&reference, &common);
        cholmod_free_dense(&b, &common);
        cholmod_free_factor(&L, &common);
        cholmod_free_sparse(&A, &common);
        free_matrix(&m);
    }
    cholmod_finish(&common);
}

// The Laplacian of a side x side square with its rim held, minus a shift for each of the three
// directions: its eigenvalues are 4 - 2 cos(a) - 2 cos(b) - shift.
static const double shifts[3] = {0.731, 3.207, 6.113};

static int negative_eigenvalues(int side)
{
    int count = 0;
    for (int a = 1; a <= side; a++)
        for (int b = 1; b <= side; b++)
            for (int k = 0; k < 3; k++) {
                double step = acos(-1) / (side + 1);
                count += 4 - 2 * cos(a * step) - 2 * cos(b * step) < shifts[k];
            }
    return count;
}

static void negative_pivots_count_negative_eigenvalues(void **unused)
{
    (void)unused;
    for (int side = 2; side <= 23; side += 7) {
        matrix m;
        build_pattern(&(family){"square", side * side, join_square}, &m);
        for (int j = 0; j < m.p.n; j++)
            for (int b = m.p.col_adr[j]; b < m.p.col_adr[j + 1]; b++)
                for (int k = 0; k < 3; k++)
                    m.blocks[9 * b + 4 * k] = m.p.row[b] == j ? 4 - shifts[k] : -1;
        sparse_report report = sparse_factorize(create_factor(&m, 1), m.blocks, NULL);
        assert_int_equal(report.negative, negative_eigenvalues(side));
        assert_int_equal(report.zero, 0);
        assert_true(report.bad_block >= 0);
        free_matrix(&m);
    }
}

static void indefinite_matrices_are_solved(void **unused)
{
    (void)unused;
    matrix m = build_matrix(&families[9]);
    size_t n = 3 * (size_t)m.p.n;
    for (int j = 0; j < m.p.n; j += 3) // still dominant by rows, so pivots stay away from zero
        for (int k = 0; k < 3; k++)
            m.blocks[9 * m.p.col_adr[j] + 4 * k] *= -1;
    sparse_factor *f = create_factor(&m, 1);
    sparse_report report = sparse_factorize(f, m.blocks, NULL);
    assert_int_equal(report.negative, 3 * ((m.p.n + 2) / 3));
    double *b = numbers(&m, n, 5), *x = copy(&m, n, b), *Ax = copy(&m, n, b);
    sparse_solve(f, 1, x);
    multiply(&m, 1, x, Ax);
    assert_true(largest_difference(n, Ax, b) <= 1e-12 * largest(n, b));
    free_matrix(&m);
}

// Cuts block row i off and puts the same number on its diagonal.
static void isolate(matrix *m, int i, double diagonal)
{
    for (int j = 0; j < m->p.n; j++)
        for (int b = m->p.col_adr[j]; b < m->p.col_adr[j + 1]; b++)
            if (j == i || m->p.row[b] == i)
                memset(m->blocks + 9 * b, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; k++)
        m->blocks[9 * m->p.col_adr[i] + 4 * k] = diagonal;
}

static int first_eliminated(const sparse_factor *f, int i, int j)
{
    for (int k = 0; k < f->sym->n; k++)
        if (f->sym->order[k] == i || f->sym->order[k] == j)
            return f->sym->order[k];
    return -1;
}

static void bad_block_is_the_first_that_fails(void **unused)
{
    (void)unused;
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        int zero = m.p.n / 3, negative = m.p.n - 1;
        sparse_factor *f = create_factor(&m, 1);
        isolate(&m, zero, 0);
        sparse_report report = sparse_factorize(f, m.blocks, NULL);
        assert_int_equal(report.zero, 3);
        assert_int_equal(report.negative, 0);
        assert_int_equal(report.bad_block, zero);
        if (negative != zero) {
            isolate(&m, negative, -1);
            report = sparse_factorize(f, m.blocks, NULL);
            assert_int_equal(report.zero, 3);
            assert_int_equal(report.negative, 3);
            assert_int_equal(report.bad_block, first_eliminated(f, zero, negative));
        }
        free_matrix(&m);
    }
}

static void singular_factor_has_no_infinities(void **unused)
{
    (void)unused;
    matrix m;
    build_pattern(&families[6], &m);
    for (int j = 0; j < m.p.n; j++)
        for (int b = m.p.col_adr[j] + 1; b < m.p.col_adr[j + 1]; b++)
            for (int k = 0; k < 3; k++) { // springs without ground: three rigid motions
                m.blocks[9 * b + 4 * k] = -1;
                m.blocks[9 * m.p.col_adr[j] + 4 * k] += 1;
                m.blocks[9 * m.p.col_adr[m.p.row[b]] + 4 * k] += 1;
            }
    sparse_factor *f = create_factor(&m, 1);
    sparse_report report = sparse_factorize(f, m.blocks, NULL);
    assert_int_equal(report.zero, 3);
    assert_int_equal(report.bad_block, f->sym->order[m.p.n - 1]);
    double *x = numbers(&m, 3 * (size_t)m.p.n, 5);
    sparse_solve(f, 1, x);
    assert_true(isfinite(largest(3 * (size_t)m.p.n, x)));
    memset(m.blocks, 0, 9 * (size_t)m.p.nblock * sizeof(double));
    assert_int_equal(sparse_factorize(f, m.blocks, NULL).zero, 3 * m.p.n);
    free_matrix(&m);
}

static void numbers_that_are_not_finite_count_as_zero_pivots(void **unused)
{
    (void)unused;
    matrix m = build_matrix(&families[7]);
    sparse_factor *f = create_factor(&m, 1);
    const int stride = samples_of(97, 691);
    for (int b = 0; b < m.p.nblock; b += stride) {
        double kept = m.blocks[9 * b];
        const double bad[3] = {NAN, INFINITY, -INFINITY};
        for (int k = 0; k < 3; k++) {
            m.blocks[9 * b] = bad[k];
            assert_true(sparse_factorize(f, m.blocks, NULL).zero > 0);
        }
        m.blocks[9 * b] = kept;
    }
    assert_int_equal(sparse_factorize(f, m.blocks, NULL).zero, 0);
    free_matrix(&m);
}

static void upper_triangles_of_diagonal_blocks_are_not_read(void **unused)
{
    (void)unused;
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        size_t n = 3 * (size_t)m.p.n;
        double *x = numbers(&m, n, 5), *y = copy(&m, n, x);
        sparse_factor *f = factor_definite(&m, 1);
        sparse_solve(f, 1, x);
        for (int j = 0; j < m.p.n; j++) {
            double *diagonal = m.blocks + 9 * m.p.col_adr[j];
            diagonal[1] = diagonal[2] = diagonal[5] = NAN;
        }
        assert_int_equal(sparse_factorize(f, m.blocks, NULL).zero, 0);
        sparse_solve(f, 1, y);
        assert_memory_equal(x, y, n * sizeof *x);
        free_matrix(&m);
    }
}

static void analysis_counts_a_full_matrix_in_closed_form(void **unused)
{
    (void)unused;
    matrix m;
    sparse_symbolic *sym;
    build_pattern(&families[5], &m);
    size_t n = 3 * (size_t)m.p.n;
    assert_int_equal(sparse_analyze(&m.p, &m.memory, &sym), LITHE_OK);
    assert_int_equal(sparse_nonzeros(sym), n * (n + 1) / 2);
    size_t squares = n * (n + 1) * (2 * n + 1) / 6; // 1 + 4 + ... + n^2
    assert_true(sparse_flops(sym) == (double)squares);
    free_matrix(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_reproduces_the_matrix),
        cmocka_unit_test(solution_agrees_with_cholmod_to_1e_10),
        cmocka_unit_test(negative_pivots_count_negative_eigenvalues),
        cmocka_unit_test(indefinite_matrices_are_solved),
        cmocka_unit_test(bad_block_is_the_first_that_fails),
        cmocka_unit_test(singular_factor_has_no_infinities),
        cmocka_unit_test(numbers_that_are_not_finite_count_as_zero_pivots),
        cmocka_unit_test(upper_triangles_of_diagonal_blocks_are_not_read),
        cmocka_unit_test(analysis_counts_a_full_matrix_in_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
