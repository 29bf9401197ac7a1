#include "sparse/matrices.h"

static void pattern_equals_brute_force(void **unused)
{
    (void)unused;
    enum { N = 40 };
    bool joined[N][N] = {{false}};
    uint64_t state = 3;
    matrix m = {0};
    sparse_builder *b = sparse_builder_create(N);
    for (int c = 0; c < 60; c++) {
        int node[4];
        for (int k = 0; k < 4; k++)
            node[k] = random_below(&state, N + 4) - 4; // a few negative, some twice
        assert_int_equal(sparse_builder_clique(b, 4, node, NULL), LITHE_OK);
        for (int k = 0; k < 16; k++)
            if (node[k / 4] >= 0 && node[k % 4] >= 0)
                joined[node[k / 4]][node[k % 4]] = true;
    }
    assert_int_equal(sparse_builder_finish(b, &m.memory, &m.p), LITHE_OK);
    sparse_builder_free(b);
    int next = 0;
    for (int j = 0; j < N; j++) {
        assert_int_equal(m.p.col_adr[j], next);
        for (int i = j; i < N; i++) {
            bool there = joined[i][j] || i == j;
            assert_int_equal(sparse_find(&m.p, i, j), there ? next : -1);
            if (there)
                assert_int_equal(m.p.row[next++], i);
        }
    }
    assert_int_equal(m.p.nblock, next);
    assert_int_equal(m.p.col_adr[N], next);
    free_matrix(&m);
}

static void pattern_without_nodes_is_empty(void **unused)
{
    (void)unused;
    matrix m;
    build_pattern(&(family){"empty", 0, join_nothing}, &m);
    assert_int_equal(m.p.nblock, 0);
    sparse_factor *f = create_factor(&m, 1);
    assert_int_equal(sparse_factorize(f, m.blocks, NULL).bad_block, -1);
    free_matrix(&m);
}

static void builder_can_finish_and_go_on(void **unused)
{
    (void)unused;
    arena memory = {0};
    sparse_pattern first, second;
    sparse_builder *b = sparse_builder_create(3);
    join_pair(b, 0, 2);
    assert_int_equal(sparse_builder_finish(b, &memory, &first), LITHE_OK);
    join_pair(b, 1, 2);
    assert_int_equal(sparse_builder_finish(b, &memory, &second), LITHE_OK);
    assert_int_equal(first.nblock, 4);
    assert_int_equal(second.nblock, 5);
    assert_int_equal(sparse_find(&first, 2, 1), -1);
    assert_int_equal(sparse_find(&second, 2, 1), 3);
    sparse_builder_free(b);
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pattern_equals_brute_force),
        cmocka_unit_test(pattern_without_nodes_is_empty),
        cmocka_unit_test(builder_can_finish_and_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
