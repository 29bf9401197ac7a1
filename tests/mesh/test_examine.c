// A mesh looked at through the public header: numbers that are known beforehand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bar.h"
#include "lithe/mesh.h"

#include <math.h>
#include <string.h>

static void a_hollow_bar_is_told(void **unused)
{
    (void)unused;
    bar shape = bar_make(4, 4, 6, (double[]){0, 0, 0}, (double[]){4, 4, 6});
    bar_hollow(&shape);
    lithe_report report = lithe_report_default();
    lithe_mesh *mesh;
    lithe_mesh_check *check;
    bool mixed;
    assert_int_equal(lithe_mesh_create(shape.nnode, shape.x, shape.ntet, shape.tet, &mesh, &report),
                     LITHE_OK);
    assert_int_equal(lithe_mesh_get(mesh).nnode, shape.nnode);
    assert_null(lithe_mesh_group(mesh, 0));
    assert_null(lithe_mesh_odd(mesh, &mixed));
    assert_int_equal(lithe_mesh_examine(mesh, LITHE_AS_MESHED, NULL, &check, &report), LITHE_OK);
    assert_int_equal(check->ncell, shape.ntet);
    assert_true(check->linear && check->cell[0] == 10 && check->cell_start[1] == 4);
    double cavity = 2 * 2 * 4, whole = 4 * 4 * 6; // the material lies between
    assert_true(fabs(check->volume - (whole - cavity)) < 1e-9);
    assert_true(check->ncavity == 1 && fabs(check->cavity_volume[0] - cavity) < 1e-9);
    assert_int_equal(check->nboundary, 2 * (2 * 16 + 4 * 24) + 2 * (2 * 4 + 4 * 8));
    assert_int_equal(check->npiece, 2);
    assert_int_equal(check->npart, 1);
    assert_true(fabs(check->edge[0] - 1) < 1e-12 && fabs(check->edge[2] - sqrt(3)) < 1e-12);
    int orphans = 0, marked = 0;
    for (int i = 0; i < check->nnode; i++)
        marked += (check->node_problem[i] & LITHE_MESH_ORPHAN) != 0;
    for (int i = 0; i < shape.nnode; i++) {
        bool used = false;
        for (int k = 0; k < 4 * shape.ntet && !used; k++)
            used = shape.tet[k] == i;
        orphans += !used;
    }
    assert_true(marked == orphans && check->norphan == orphans);
    lithe_mesh_check_free(check);
    lithe_mesh_check_free(NULL);
    lithe_mesh_free(mesh);
    bar_free(&shape);
}

static void surfaces_that_are_open_are_told(void **unused)
{
    (void)unused;
    static const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int tri[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    lithe_report report = lithe_report_default();
    for (int n = 3; n <= 4; n++) {
        lithe_mesh *mesh;
        bool closed;
        int edge[2];
        double volume;
        assert_int_equal(lithe_mesh_create_surface(4, x, n, tri, &mesh, &report), LITHE_OK);
        assert_int_equal(lithe_mesh_closed(mesh, &closed, edge, &volume), LITHE_OK);
        assert_true(closed == (n == 4));
        if (closed)
            assert_true(fabs(volume - 1.0 / 6) < 1e-15);
        else // of the triangle that is missing
            assert_true((edge[0] == 0 || edge[0] == 3 || edge[0] == 2) && edge[1] != 1);
        lithe_mesh_free(mesh);
    }
}

static void a_surface_has_no_cells(void **unused)
{
    (void)unused;
    static const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const int tri[] = {0, 1, 2};
    lithe_report report = lithe_report_default();
    lithe_mesh *mesh;
    lithe_mesh_check *check;
    assert_int_equal(lithe_mesh_create_surface(3, x, 1, tri, &mesh, &report), LITHE_OK);
    assert_int_equal(lithe_mesh_examine(mesh, LITHE_AS_MESHED, NULL, &check, &report), LITHE_OK);
    assert_int_equal(check->ncell, 0);
    assert_true(check->edge[0] == 0 && check->edge[2] == 0 && check->volume == 0);
    lithe_mesh_check_free(check);
    lithe_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hollow_bar_is_told),
        cmocka_unit_test(surfaces_that_are_open_are_told),
        cmocka_unit_test(a_surface_has_no_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
