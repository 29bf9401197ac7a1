#include "sparse/matrices.h"

static struct {
    int allocations; // so far
    int refused;     // the number of the one that fails; -1: none
    int living;
} memory_log;

static void *logged_allocate(size_t bytes)
{
    if (memory_log.allocations++ == memory_log.refused)
        return NULL;
    memory_log.living++;
    return malloc(bytes);
}

static void logged_release(void *memory)
{
    memory_log.living--;
    free(memory);
}

static lithe_status build_all(const family *kind, arena *memory)
{
    sparse_pattern p;
    sparse_symbolic *sym;
    sparse_factor *f;
    sparse_builder *b = sparse_builder_create(kind->n);
    if (!b)
        return LITHE_NO_MEMORY;
    lithe_status status = LITHE_OK;
    for (int i = 1; i < kind->n && status == LITHE_OK; i++) {
        int node[3] = {i, i / 2, i / 3};
        status = sparse_builder_clique(b, 3, node, NULL);
    }
    if (status == LITHE_OK)
        status = sparse_builder_finish(b, memory, &p);
    sparse_builder_free(b);
    LITHE_TRY(status);
    LITHE_TRY(sparse_analyze(&p, memory, &sym));
    return sparse_factor_create(sym, 9, 2, memory, &f);
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **unused)
{
    (void)unused;
    static const int sizes[] = {1, 5, 300, 3000};
    lithe_set_allocator(logged_allocate, logged_release);
    for (int k = 0; k < 4; k++) {
        lithe_status status = LITHE_NO_MEMORY;
        for (int refused = 0; status != LITHE_OK; refused++) {
            arena memory = {0};
            memory_log.allocations = 0;
            memory_log.refused = refused;
            status = build_all(&(family){"tree", sizes[k], NULL}, &memory);
            assert_true(status == LITHE_OK || status == LITHE_NO_MEMORY);
            assert_true(status == LITHE_OK || memory_log.allocations > refused);
            arena_free(&memory);
            assert_int_equal(memory_log.living, 0);
            assert_true(refused < 10000);
        }
    }
    memory_log.refused = -1;
    lithe_set_allocator(NULL, NULL);
}

static void factoring_and_solving_allocate_nothing(void **unused)
{
    (void)unused;
    memory_log.refused = -1;
    lithe_set_allocator(logged_allocate, logged_release);
    matrix m = build_matrix(&families[8]);
    sparse_factor *f = create_factor(&m, 9);
    pool *threads = pool_create(2);
    double *B = numbers(&m, 27 * (size_t)m.p.n, 5);
    memory_log.allocations = 0;
    for (int again = 0; again < 3; again++) {
        sparse_factorize(f, m.blocks, threads);
        sparse_solve(f, 1, B);
        sparse_solve(f, 9, B);
        sparse_forward(f, 4, B);
        sparse_backward(f, 4, B);
    }
    assert_int_equal(memory_log.allocations, 0);
    pool_free(threads);
    free_matrix(&m);
    assert_int_equal(memory_log.living, 0);
    lithe_set_allocator(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(factoring_and_solving_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
