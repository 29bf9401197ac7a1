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

// ## Selections of selections, against sets of what their parts mean

enum { NODES, TRIANGLES, CELLS, WHATS };

typedef struct sample {
    lithe_mesh *m;
    mesh_boundary boundary;
    arena memory;
    int n[WHATS];
} sample;

static int pick(const sample *s, int what, const lithe_selection *where, int *out)
{
    return what == NODES       ? select_nodes(s->m, s->m->x, where, out)
           : what == TRIANGLES ? select_triangles(s->m, &s->boundary, s->m->x, where, out)
                               : pick_cells(s->m, s->m->x, where, out);
}

static void flags_of(const sample *s, int what, const lithe_selection *where, bool *in)
{
    int out[MOST], n = pick(s, what, where, out);
    assert_true(n >= 0);
    memset(in, 0, (size_t)s->n[what] * sizeof *in);
    for (int i = 0; i < n; i++)
        in[out[i]] = true;
}

static void selections_intersect_unite_and_subtract(void **unused)
{
    (void)unused;
    sample s = {.m = voxel_mesh(4, 3, 2, "########################", NULL)};
    int all[MOST];
    lithe_selection everything = {.kind = LITHE_ALL};
    assert_int_equal(mesh_find_boundary(s.m, s.m->x, &s.memory, &s.boundary, NULL), LITHE_OK);
    for (int what = 0; what < WHATS; what++)
        s.n[what] = pick(&s, what, &everything, all);
    lithe_selection part[3] = {{.kind = LITHE_BOX, .a = {0, 0, 0}, .b = {2.5, 3, 1}},
                               {.kind = LITHE_SPHERE, .a = {2, 1, 1}, .radius = 1.5},
                               {.kind = LITHE_PLANE, .a = {1, 1, 1}, .b = {1, 1, 0}}};
    lithe_selection none = {.kind = LITHE_NONE_OF, .npart = 1, .part = &part[2]};
    lithe_selection pair[2] = {part[0], none};
    lithe_selection made[4] = {{.kind = LITHE_ALL_OF, .npart = 3, .part = part},
                               {.kind = LITHE_ANY_OF, .npart = 3, .part = part},
                               {.kind = LITHE_NONE_OF, .npart = 3, .part = part},
                               {.kind = LITHE_ALL_OF, .npart = 2, .part = pair}};
    for (int what = 0; what < WHATS; what++) {
        bool in[3][MOST], found[MOST];
        int some = 0;
        for (int p = 0; p < 3; p++)
            flags_of(&s, what, &part[p], in[p]);
        for (int k = 0; k < 4; k++) {
            flags_of(&s, what, &made[k], found);
            for (int i = 0; i < s.n[what]; i++) {
                bool a = in[0][i], b = in[1][i], c = in[2][i];
                bool expected[4] = {a && b && c, a || b || c, !a && !b && !c, a && !c};
                assert_int_equal(found[i], expected[k]);
                some += expected[k];
            }
        }
        assert_true(some > 0);
    }
    arena_free(&s.memory);
    lithe_mesh_free(s.m);
}

// Rotated by a right angle about z, a long box takes what one across takes.
static void a_box_may_lie_aslant(void **unused)
{
    (void)unused;
    lithe_mesh *m = voxel_mesh(3, 3, 3, "###########################", NULL);
    int out[MOST], other[MOST];
    lithe_selection box = {.kind = LITHE_BOX, .a = {1, 0, 1}, .b = {2, 3, 2}};
    lithe_selection lain = {.kind = LITHE_ORIENTED_BOX,
                            .a = {1.5, 1.5, 1.5},
                            .b = {3, 1, 1},
                            .rotate = {0, 0, M_PI / 2}};
    int n = select_nodes(m, m->x, &box, out);
    assert_int_equal(n, 16);
    assert_int_equal(select_nodes(m, m->x, &lain, other), n);
    assert_memory_equal(out, other, (size_t)n * sizeof *out);
    lithe_selection corners = {
        .kind = LITHE_BOX, .a = {0, -2, 1}, .b = {INFINITY, -1, 2}, .rotate = {0, 0, M_PI / 2}};
    // its first axis is y, its second -x
    assert_int_equal(select_nodes(m, m->x, &corners, other), n);
    assert_memory_equal(out, other, (size_t)n * sizeof *out);
    lithe_selection diagonal = {.kind = LITHE_ORIENTED_BOX,
                                .a = {1.5, 1.5, 0},
                                .b = {5, 0.2, 0.2},
                                .rotate = {0, 0, M_PI / 4}};
    assert_int_equal(select_nodes(m, m->x, &diagonal, out), 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(out[i], 5 * i);
    lithe_mesh_free(m);
}

static void groups_are_parts_of_selections(void **unused)
{
    (void)unused;
    lithe_mesh *m = NULL;
    int out[MOST], whole[MOST];
    assert_int_equal(lithe_mesh_read(BOX, &m, NULL), LITHE_OK);
    lithe_selection unknown = {.kind = LITHE_GROUP, .group = "nothing"};
    lithe_selection of = {.kind = LITHE_NONE_OF, .npart = 1, .part = &unknown};
    assert_int_equal(select_nodes(m, m->x, &of, out), -1);
    for (int g = 0; g < m->ngroup; g++) {
        lithe_selection group = {.kind = LITHE_GROUP, .group = m->group[g].name};
        lithe_selection not = {.kind = LITHE_NONE_OF, .npart = 1, .part = &group};
        int n = select_nodes(m, m->x, &group, whole);
        assert_int_equal(select_nodes(m, m->x, &not, out), m->nnode - n);
    }
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
        cmocka_unit_test(selections_intersect_unite_and_subtract),
        cmocka_unit_test(a_box_may_lie_aslant),
        cmocka_unit_test(groups_are_parts_of_selections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
