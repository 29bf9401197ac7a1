#include "cells.h"
#include "mesh/care.h"
#include "mesh/read.h"
#include "mesh/tolerances.h"
#include "mesh/voxels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct look {
    lithe_mesh *m;
    mesh_skeleton skeleton;
    arena memory;
    mesh_boundary boundary;
    mesh_care care;
} look;

static look look_at(lithe_mesh *m)
{
    look l = {.m = m};
    assert_int_equal(skeleton_create(m, SKELETON_AS_IT_IS, &l.skeleton), LITHE_OK);
    const lithe_mesh *tets = l.skeleton.mesh;
    assert_int_equal(mesh_find_boundary(tets, m->x, &l.memory, &l.boundary, NULL), LITHE_OK);
    assert_int_equal(mesh_examine(&l.skeleton, m->x, &l.boundary, &l.memory, &l.care), LITHE_OK);
    return l;
}

static look take_look(int nnode, const double *x, int ntet, const int *tet)
{
    lithe_mesh *m;
    lithe_report report = lithe_report_default();
    if (lithe_mesh_create(nnode, x, ntet, tet, &m, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    return look_at(m);
}

static void end_look(look *l)
{
    skeleton_free(&l->skeleton);
    lithe_mesh_free(l->m);
    arena_free(&l->memory);
}

static const double corner_x[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

static void a_regular_tetrahedron_has_quality_one_and_a_flat_one_is_a_sliver(void **unused)
{
    (void)unused;
    const double regular[][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    assert_true(fabs(fabs(care_quality(regular[0], (int[]){0, 1, 2, 3})) - 1) < 1e-12);
    const double flat[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 0.01}};
    look l = take_look(4, flat[0], 1, (int[]){0, 1, 2, 3});
    assert_int_equal(l.care.nsliver, 1);
    assert_int_equal(l.care.cell_problem[0], CARE_SLIVER);
    assert_int_equal(l.care.histogram[0], 1);
    end_look(&l);
}

static void nodes_at_one_position_are_told_with_their_first(void **unused)
{
    (void)unused;
    double x[10][3];
    memcpy(x, corner_x, sizeof corner_x);
    memcpy(x[5], corner_x, sizeof corner_x);
    x[5][0] += 5; // a copy of four nodes beside the first five, the other one moved
    x[7][2] += 1e-7;
    look l = take_look(10, x[0], 2, (int[]){0, 1, 2, 3, 6, 7, 8, 9});
    assert_int_equal(l.care.ncoincident, 4);
    assert_int_equal(l.care.twin[7], 2);
    assert_int_equal(l.care.twin[9], 4);
    assert_int_equal(l.care.twin[5], 5);
    assert_int_equal(l.care.node_problem[2], CARE_COINCIDENT);
    assert_int_equal(l.care.node_problem[0], 0);
    assert_int_equal(l.care.npart, 2);
    assert_int_equal(l.care.nloose, 1);
    end_look(&l);
}

static void nodes_just_out_of_reach_stay_apart(void **unused)
{
    (void)unused;
    double x[6][3];
    memcpy(x, corner_x, sizeof corner_x);
    memcpy(x[5], corner_x[4], sizeof x[5]);
    x[5][0] += 2 * MESH_SAME_POSITION * sqrt(3);
    look l = take_look(6, x[0], 2, (int[]){0, 1, 2, 3, 1, 2, 3, 4});
    assert_int_equal(l.care.ncoincident, 0);
    assert_int_equal(l.care.norphan, 1);
    assert_int_equal(l.care.node_problem[5], CARE_ORPHAN);
    end_look(&l);
}

static void tetrahedra_on_one_side_of_their_face_are_folded(void **unused)
{
    (void)unused;
    const double x[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.2, 0.5}};
    look l = take_look(5, x[0], 2, (int[]){0, 1, 2, 3, 0, 1, 2, 4});
    assert_int_equal(l.care.nfold, 2);
    end_look(&l);
}

static void layers_of_a_plate_are_counted(void **unused)
{
    (void)unused;
    static const char full[] = "####################################"
                               "####################################"
                               "####################################";
    for (int n = 1; n <= 3; n++) {
        look l = look_at(voxel_mesh(6, 6, n, full, NULL));
        const care_walls *w = &l.care.walls;
        double sides = 4 * 6 * n; // these are six apart
        assert_true(fabs(w->thinnest[n - 1] - n) < 1e-9);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(w->area[i] - (i == n - 1 ? 72 : 0) - (i == 2 ? sides : 0)) < 1e-9);
        for (int e = 0; e < l.m->ntet; e++)
            assert_int_equal(l.care.cell_problem[e] & CARE_THIN & (n == 1 ? 0 : -1), 0);
        assert_true((w->node[0] >= 0) == (n == 1));
        end_look(&l);
    }
}

// A bar of cubes, and one node that no element has.
static lithe_mesh *make_cubes(int nx, int ny, int nz)
{
    lithe_mesh *m;
    bar b = bar_make(nx, ny, nz, (double[]){0, 0, 0}, (double[]){nx, ny, nz});
    double *x = realloc(b.x, 3 * ((size_t)b.nnode + 1) * sizeof *x);
    assert_non_null(x);
    x[3 * b.nnode] = x[3 * b.nnode + 1] = x[3 * b.nnode + 2] = 9;
    assert_int_equal(lithe_mesh_create(b.nnode + 1, x, b.ntet, b.tet, &m, NULL), LITHE_OK);
    assert_true(take_cells_whole(&b, false, m));
    b.x = x;
    bar_free(&b);
    return m;
}

static void hexahedra_are_looked_at_as_such(void **unused)
{
    (void)unused;
    look l = look_at(make_cubes(3, 3, 2));
    assert_int_equal(l.skeleton.ncell, 18);
    assert_int_equal(l.care.norphan, 1);
    assert_int_equal(l.care.npart, 1);
    assert_int_equal(l.care.nsliver + l.care.nfold + l.care.nstray + l.care.ncoincident, 0);
    int sum = 0;
    for (int i = 0; i < CARE_NBIN; i++)
        sum += l.care.histogram[i];
    assert_int_equal(sum, 18);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(l.care.edge[i] - 1) < 1e-12);
    assert_true(fabs(l.care.walls.area[1] - 18) < 1e-9); // two cubes thick from top to bottom
    assert_true(fabs(l.care.walls.thinnest[1] - 2) < 1e-9);
    end_look(&l);
}

static void triangles_of_the_file_are_compared_with_the_boundary(void **unused)
{
    (void)unused;
    static const char text[] =
        "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n"
        "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\nCELLS 6 26\n4 0 1 2 3\n4 1 2 3 4\n3 0 2 1\n3 0 1 2\n"
        "3 1 2 3\n3 0 1 4\nCELL_TYPES 6\n10 10 5 5 5 5\n";
    static const int expected[] = {SURFACE_OUTWARD, SURFACE_INWARD, SURFACE_INSIDE, SURFACE_STRAY};
    mesh m = {0};
    arena memory = {0};
    mesh_boundary b;
    mesh_care care;
    int way[4];
    mesh_source source = {"faces.vtk", text, sizeof text - 1};
    assert_int_equal(read_vtk(&source, &m, NULL), LITHE_OK);
    assert_int_equal(mesh_find_boundary(&m, m.x, &memory, &b, NULL), LITHE_OK);
    assert_int_equal(surface_compare(&m, &b, way), LITHE_OK);
    assert_memory_equal(way, expected, sizeof expected);
    mesh_skeleton skeleton;
    assert_int_equal(skeleton_create(&m, SKELETON_AS_IT_IS, &skeleton), LITHE_OK);
    assert_int_equal(mesh_examine(&skeleton, m.x, &b, &memory, &care), LITHE_OK);
    skeleton_free(&skeleton);
    assert_int_equal(care.ninward, 1);
    assert_int_equal(care.nstray, 1);
    assert_int_equal(care.tri_problem[3], CARE_STRAY);
    arena_free(&memory);
    arena_free(&m.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_regular_tetrahedron_has_quality_one_and_a_flat_one_is_a_sliver),
        cmocka_unit_test(nodes_at_one_position_are_told_with_their_first),
        cmocka_unit_test(nodes_just_out_of_reach_stay_apart),
        cmocka_unit_test(tetrahedra_on_one_side_of_their_face_are_folded),
        cmocka_unit_test(layers_of_a_plate_are_counted),
        cmocka_unit_test(hexahedra_are_looked_at_as_such),
        cmocka_unit_test(triangles_of_the_file_are_compared_with_the_boundary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
