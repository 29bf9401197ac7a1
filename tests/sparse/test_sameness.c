#include "sparse/matrices.h"

#include "sparse/factor.h"

static const family large_cube = {"cube, larger", 1728, join_cube};

// Everything that a factorization answers, in one array of 7 n numbers; n unknowns.
static double *answers(matrix *m, sparse_factor *f, pool *threads)
{
    size_t n = 3 * (size_t)m->p.n;
    double *all = numbers(m, 7 * n, 9);
    sparse_factorize(f, m->blocks, threads);
    sparse_lend(f, threads);
    memcpy(all, sparse_inverse_pivots(f), n * sizeof *all);
    sparse_solve(f, 1, all + n);
    sparse_solve(f, 5, all + 2 * n);
    sparse_lend(f, NULL);
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
        for (int nthread = 1; nthread <= 8; nthread *= 2) {
            pool *threads = pool_create(nthread);
            assert_non_null(threads);
            for (int again = 0; again < samples_of(5, 1); again++)
                assert_memory_equal(answers(&m, f, threads), alone, bytes);
            pool_free(threads);
        }
        free_matrix(&m);
    }
}

static void a_right_hand_side_goes_along_to_the_bit(void **unused)
{
    (void)unused;
    for (int k = 0; k <= NFAMILY; k++) {
        matrix m = build_matrix(k < NFAMILY ? &families[k] : &large_cube);
        size_t n = 3 * (size_t)m.p.n;
        sparse_factor *f = create_factor(&m, 5);
        double *B = numbers(&m, n, 7), *after = copy(&m, n, B);
        for (size_t i = 0; i < n / 2; i++) // fronts that it does not reach
            B[i] = after[i] = 0;
        sparse_factorize(f, m.blocks, NULL);
        double *pivots = copy(&m, n, sparse_inverse_pivots(f));
        sparse_forward(f, 1, after);
        for (int nthread = 1; nthread <= 4; nthread *= 2) {
            pool *threads = pool_create(nthread);
            assert_non_null(threads);
            double *along = copy(&m, n, B);
            sparse_factorize_along(f, m.blocks, threads, along);
            assert_memory_equal(along, after, n * sizeof *after);
            assert_memory_equal(sparse_inverse_pivots(f), pivots, n * sizeof *pivots);
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

// A front's children are done in its own task, or in one that its task waits for.
static void tasks_wait_for_those_below(void **unused)
{
    (void)unused;
    for (int k = 0; k <= NFAMILY; k++) {
        matrix m = build_matrix(k < NFAMILY ? &families[k] : &large_cube);
        const sparse_symbolic *sym = create_factor(&m, 1)->sym;
        int last = sym->ntask - 1, nwait = 0, nabove = 0;
        for (int f = 0; f < sym->nfront; f++) {
            int own = sym->front[f].task, parent = sym->front[f].parent;
            int above = parent < 0 ? last : sym->front[parent].task;
            assert_true(above == own || above == sym->task[own].above);
        }
        for (int t = 0; t < last; t++) {
            assert_true(sym->task[t].above > t);
            assert_true((sym->task[t].nwait == 0) == (t < sym->nleaf));
            nwait += sym->task[t].nwait;
            nabove += sym->task[t].above < last;
        }
        assert_int_equal(nwait, nabove);
        for (int i = 1; i < sym->nleaf; i++)
            assert_true(sym->task[sym->leaf[i]].way <= sym->task[sym->leaf[i - 1]].way);
        free_matrix(&m);
    }
}

// No thread begins with more than its part of the work and one way to the top.
static void work_is_shared_out_evenly(void **unused)
{
    (void)unused;
    enum { THREADS = 4 };
    matrix m = build_matrix(&large_cube);
    const sparse_symbolic *sym;
    sparse_factor *f = create_factor(&m, 1);
    double load[THREADS] = {0}, all = 0, most = 0, largest = 0;
    sym = f->sym;
    factor_begin(f, THREADS);
    for (int t = 0; t < sym->nleaf; t++) {
        load[f->owner[t]] += sym->task[t].cost;
        all += sym->task[t].cost;
        largest = fmax(largest, sym->task[t].way);
    }
    for (int i = 0; i < THREADS; i++)
        most = fmax(most, load[i]);
    assert_true(most <= all / THREADS + largest);
    assert_int_equal(f->queue_adr[THREADS], sym->nleaf);
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

// The panel is rounded, the products are single, and both only as much as that.
static void single_precision_agrees_on_every_instruction_set(void **unused)
{
    (void)unused;
    for (int k = 0; k < NFAMILY; k++) {
        matrix m = build_matrix(&families[k]);
        size_t n = 3 * (size_t)m.p.n;
        sparse_factor *f = factor_definite(&m, 5);
        assert_int_equal(sparse_single_create(f, &m.memory), LITHE_OK);
        for (int nrhs = 1; nrhs <= 5; nrhs += 4) {
            double *exact = numbers(&m, n * (size_t)nrhs, 11);
            double *B = copy(&m, n * (size_t)nrhs, exact);
            sparse_factorize(f, m.blocks, NULL);
            sparse_solve(f, nrhs, exact);
            sparse_round(f);
            for (panel_isa isa = PANEL_PORTABLE; isa < PANEL_NISA; isa++) {
                double *X = copy(&m, n * (size_t)nrhs, B);
                if (!panel_kernels_for(isa))
                    continue;
                sparse_factor_use(f, isa);
                sparse_solve(f, nrhs, X);
                double off = largest_difference(n * (size_t)nrhs, X, exact);
                assert_true(off <= 1e-5 * largest(n * (size_t)nrhs, exact));
                assert_true(off > 0);
            }
        }
        free_matrix(&m);
    }
}

static void a_new_factorization_is_exact_again(void **unused)
{
    (void)unused;
    matrix m = build_matrix(&families[8]);
    size_t n = 3 * (size_t)m.p.n;
    sparse_factor *f = factor_definite(&m, 1);
    double *B = numbers(&m, n, 11), *exact = copy(&m, n, B), *again = copy(&m, n, B);
    sparse_solve(f, 1, exact);
    assert_int_equal(sparse_single_create(f, &m.memory), LITHE_OK);
    sparse_round(f);
    sparse_factorize(f, m.blocks, NULL);
    sparse_solve(f, 1, again);
    assert_memory_equal(exact, again, n * sizeof *exact);
    free_matrix(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(a_right_hand_side_goes_along_to_the_bit),
        cmocka_unit_test(large_problems_are_shared_out),
        cmocka_unit_test(tasks_wait_for_those_below),
        cmocka_unit_test(work_is_shared_out_evenly),
        cmocka_unit_test(a_second_analysis_gives_the_same_bits),
        cmocka_unit_test(instruction_sets_agree_to_roundoff),
        cmocka_unit_test(single_precision_agrees_on_every_instruction_set),
        cmocka_unit_test(a_new_factorization_is_exact_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
