#include "sparse/matrices.h"

#include "sparse/factor.h"

static const family large_cube = {"cube, larger", 1728, join_cube};

// Everything that a factorization answers, in one array of 7 n numbers; n unknowns.
static double *answers(matrix *m, sparse_factor *f, pool *threads)
{
    size_t n = 3 * (size_t)m->p.n;
    double *all = numbers(m, 7 * n, 9);
    sparse_factorize(f, m->blocks, threads);
    memcpy(all, sparse_inverse_pivots(f), n * sizeof *all);
    sparse_solve(f, 1, all + n);
    sparse_solve(f, 5, all + 2 * n);
    return all;
}

static void every_number_of_threads_gives_the_same_bits(void **unused)
{
    (void)unused;
    const family *kinds[] = {&families[5], &families[8], &families[10], &families[11], &large_cube};
    for (int k = 0; k < 5; k++) {
        matrix m = build_matrix(kinds[k]);
        size_t bytes = 21 * (size_t)m.p.n * sizeof(double);
        sparse_factor *f = create_factor(&m, 5);
        double *alone = answers(&m, f, NULL);
        for (int nthread = 1; nthread <= 4; nthread *= 2) {
            pool *threads = pool_create(nthread);
            assert_non_null(threads);
            for (int again = 0; again < 5; again++)
                assert_memory_equal(answers(&m, f, threads), alone, bytes);
            pool_free(threads);
        }
        free_matrix(&m);
    }
}

static void large_problems_are_shared_out(void **unused)
{
    (void)unused;
    matrix m = build_matrix(&families[8]);
    sparse_factor *f = create_factor(&m, 1);
    assert_true(f->sym->ntask > 4);
    free_matrix(&m);
}

static void a_second_analysis_gives_the_same_bits(void **unused)
{
    (void)unused;
    matrix m = build_matrix(&large_cube);
    double *first = answers(&m, create_factor(&m, 5), NULL);
    srand(12345);
    double *second = answers(&m, create_factor(&m, 5), NULL);
    assert_memory_equal(first, second, 21 * (size_t)m.p.n * sizeof(double));
    free_matrix(&m);
}

static void instruction_sets_agree_to_roundoff(void **unused)
{
    (void)unused;
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        size_t count = 21 * (size_t)m.p.n;
        sparse_factor *f = create_factor(&m, 5);
        sparse_factor_use(f, PANEL_PORTABLE);
        double *portable = answers(&m, f, NULL);
        for (panel_isa isa = PANEL_AVX2; isa < PANEL_NISA; isa++) {
            if (!panel_kernels_for(isa))
                continue;
            sparse_factor_use(f, isa);
            double *other = answers(&m, f, NULL);
            assert_true(largest_difference(count, portable, other) <=
                        1e-13 * largest(count, portable));
        }
        free_matrix(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(large_problems_are_shared_out),
        cmocka_unit_test(a_second_analysis_gives_the_same_bits),
        cmocka_unit_test(instruction_sets_agree_to_roundoff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
