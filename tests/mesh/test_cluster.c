#include "bar.h"
#include "mesh/cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void check(const mesh *m, const int *label, double mean)
{
    arena memory = {0};
    int n;
    mesh_cluster *cluster;
    bool *seen = calloc((size_t)m->ntet, sizeof *seen);
    assert_int_equal(cluster_tets(m, label, &memory, &n, &cluster), LITHE_OK);
    for (int k = 0; k < n; k++) {
        assert_in_range(cluster[k].n, 1, CLUSTER_MOST);
        for (int i = 0; i < cluster[k].n; i++) {
            int tet = cluster[k].tet[i];
            assert_false(seen[tet]);
            seen[tet] = true;
            assert_int_equal(label[tet], label[cluster[k].tet[0]]);
        }
    }
    for (int t = 0; t < m->ntet; t++)
        assert_true(seen[t]);
    assert_true(m->ntet >= mean * n);
    free(seen);
    arena_free(&memory);
}

static void every_tetrahedron_is_in_one_cluster_of_its_label(void **unused)
{
    (void)unused;
    bar b = bar_make(7, 5, 6, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    lithe_mesh *m;
    assert_int_equal(lithe_mesh_create(b.nnode, b.x, b.ntet, b.tet, &m, NULL), LITHE_OK);
    int *label = calloc((size_t)b.ntet, sizeof *label);
    check(m, label, 5.5);
    for (int t = 0; t < b.ntet; t++)
        label[t] = t > b.ntet / 3;
    check(m, label, 5);
    for (int t = 0; t < b.ntet; t++)
        label[t] = t; // nobody may be together
    check(m, label, 1);
    free(label);
    lithe_mesh_free(m);
    bar_free(&b);
}

// Two neighbours have three nodes in common, six around an edge have eight altogether.
static void clusters_have_few_nodes(void **unused)
{
    (void)unused;
    bar b = bar_make(6, 6, 6, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    arena memory = {0};
    lithe_mesh *m;
    int n, corners = 0;
    mesh_cluster *cluster;
    int *label = calloc((size_t)b.ntet, sizeof *label);
    bool *seen = calloc((size_t)b.nnode, sizeof *seen);
    assert_int_equal(lithe_mesh_create(b.nnode, b.x, b.ntet, b.tet, &m, NULL), LITHE_OK);
    assert_int_equal(cluster_tets(m, label, &memory, &n, &cluster), LITHE_OK);
    for (int k = 0; k < n; k++) {
        memset(seen, 0, (size_t)b.nnode * sizeof *seen);
        for (int i = 0; i < 4 * cluster[k].n; i++) {
            bool *node = &seen[m->tet[4 * cluster[k].tet[i / 4] + i % 4]];
            corners += !*node;
            *node = true;
        }
    }
    assert_true(corners < 8.6 * n);
    free(label);
    free(seen);
    arena_free(&memory);
    lithe_mesh_free(m);
    bar_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tetrahedron_is_in_one_cluster_of_its_label),
        cmocka_unit_test(clusters_have_few_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
