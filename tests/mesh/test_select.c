#include "mesh/read.h"
#include "mesh/select.h"
#include "mesh/voxels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int pick_cells(const lithe_mesh *m, const double *x, const lithe_selection *where, int *out)
{
    mesh_skeleton cells;
    if (skeleton_create(m, SKELETON_AS_IT_IS, &cells) != LITHE_OK)
        return -2;
    int n = select_cells(&cells, x, where, out);
    skeleton_free(&cells);
    return n;
}

#define BOX LITHE_ROOT "/tests/mesh/data/gmsh/box_msh41_text.msh"

enum { MOST = 1000 };

static void box_faces_count_as_inside_after_unit_conversion(void **unused)
{
    (void)unused;
    lithe_mesh *m = voxel_mesh(3, 3, 3, "###########################", NULL);
    int out[MOST];
    for (int i = 0; i < 3 * m->nnode; i++)
        m->x[i] *= 0.001 * 0.1; // 0.3 of a millimetre is not the double 3e-4 * ...
    lithe_selection slab = {.kind = LITHE_BOX, .a = {3e-4, 3e-4, 1e-4}, .b = {0, 0, 2e-4}};
    assert_int_equal(select_nodes(m, m->x, &slab, out), 32);
    assert_int_equal(out[0], 16);
    assert_int_equal(out[31], 47);
    slab.b[2] = 1.99e-4;
    assert_int_equal(select_nodes(m, m->x, &slab, out), 16);
    lithe_mesh_free(m);
}

static void plane_takes_the_side_of_its_normal_and_itself(void **unused)
{
    (void)unused;
    lithe_mesh *m = voxel_mesh(2, 1, 1, "##", NULL);
    int out[MOST];
    lithe_selection plane = {.kind = LITHE_PLANE, .a = {1, 7, 7}, .b = {5, 0, 0}};
    assert_int_equal(select_nodes(m, m->x, &plane, out), 8);
    plane.b[0] = -1;
    plane.a[0] = 0.5;
    assert_int_equal(select_nodes(m, m->x, &plane, out), 4);
    lithe_mesh_free(m);
}

static void sphere_takes_what_is_within_its_radius(void **unused)
{
    (void)unused;
    lithe_mesh *m = voxel_mesh(2, 2, 2, "########", NULL);
    int out[MOST];
    lithe_selection sphere = {.kind = LITHE_SPHERE, .a = {1, 1, 1}, .radius = 1};
    assert_int_equal(select_nodes(m, m->x, &sphere, out), 7);
    sphere.radius = 0.99;
    assert_int_equal(select_nodes(m, m->x, &sphere, out), 1);
    assert_int_equal(out[0], 13);
    lithe_selection all = {.kind = LITHE_ALL};
    assert_int_equal(select_nodes(m, m->x, &all, out), 27);
    lithe_mesh_free(m);
}

static void nearest_is_one_node_that_belongs_to_the_body(void **unused)
{
    (void)unused;
    lithe_mesh *m = voxel_mesh(2, 1, 1, "#.", NULL); // nodes at x = 2 belong to nothing
    int out[MOST];
    lithe_selection nearest = {.kind = LITHE_NEAREST, .a = {2, 0.9, 0.2}};
    assert_int_equal(select_nodes(m, m->x, &nearest, out), 1);
    assert_true(m->x[3 * out[0]] == 1 && m->x[3 * out[0] + 1] == 1 && m->x[3 * out[0] + 2] == 0);
    lithe_mesh_free(m);
}

static void triangles_need_all_their_nodes_inside(void **unused)
{
    (void)unused;
    lithe_mesh *m = voxel_mesh(2, 2, 2, "########", NULL);
    arena memory = {0};
    mesh_boundary b;
    int out[MOST];
    assert_int_equal(mesh_find_boundary(m, m->x, &memory, &b, NULL), LITHE_OK);
    lithe_selection top = {.kind = LITHE_PLANE, .a = {0, 0, 2}, .b = {0, 0, 1}};
    assert_int_equal(select_triangles(m, &b, m->x, &top, out), 8);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            assert_true(m->x[3 * b.tri[3 * out[i] + k] + 2] == 2);
    arena_free(&memory);
    lithe_mesh_free(m);
}

static void tetrahedra_are_selected_by_their_centroid(void **unused)
{
    (void)unused;
    lithe_mesh *m = voxel_mesh(2, 1, 1, "##", NULL);
    int out[MOST];
    lithe_selection half = {.kind = LITHE_BOX, .a = {0, 0, 0}, .b = {1, 1, 1}};
    assert_int_equal(pick_cells(m, m->x, &half, out), 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(out[i], i);
    lithe_mesh_free(m);
}

static void groups_select_nodes_triangles_and_tetrahedra(void **unused)
{
    (void)unused;
    lithe_mesh *m;
    lithe_report report = lithe_report_default();
    arena memory = {0};
    mesh_boundary b;
    int out[MOST];
    assert_int_equal(lithe_mesh_read(BOX, &m, &report), LITHE_OK);
    assert_int_equal(mesh_find_boundary(m, m->x, &memory, &b, &report), LITHE_OK);
    lithe_selection where = {.kind = LITHE_GROUP, .group = "inner void"};
    assert_int_equal(select_triangles(m, &b, m->x, &where, out), 24);
    for (int i = 0; i < 24; i++) {
        assert_int_equal(b.piece[out[i]], b.cavity[0]);
        assert_true(i == 0 || out[i - 1] < out[i]);
    }
    assert_int_equal(select_nodes(m, m->x, &where, out), 14);
    assert_int_equal(pick_cells(m, m->x, &where, out), -1);
    where.group = "floor";
    assert_int_equal(select_triangles(m, &b, m->x, &where, out), 4);
    assert_int_equal(select_nodes(m, m->x, &where, out), 5);
    where.group = "front edge";
    assert_int_equal(select_nodes(m, m->x, &where, out), 2);
    where.group = "body";
    assert_int_equal(pick_cells(m, m->x, &where, out), 72);
    assert_int_equal(select_nodes(m, m->x, &where, out), 28);
    where.group = "nobody";
    assert_int_equal(select_nodes(m, m->x, &where, out), -1);
    assert_int_equal(select_triangles(m, &b, m->x, &where, out), -1);
    assert_int_equal(pick_cells(m, m->x, &where, out), -1);
    arena_free(&memory);
    lithe_mesh_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_faces_count_as_inside_after_unit_conversion),
        cmocka_unit_test(plane_takes_the_side_of_its_normal_and_itself),
        cmocka_unit_test(sphere_takes_what_is_within_its_radius),
        cmocka_unit_test(nearest_is_one_node_that_belongs_to_the_body),
        cmocka_unit_test(triangles_need_all_their_nodes_inside),
        cmocka_unit_test(tetrahedra_are_selected_by_their_centroid),
        cmocka_unit_test(groups_select_nodes_triangles_and_tetrahedra),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
