#include "mesh/samples.h"
#include "mesh/surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static sample samples[NSAMPLE];

static void assert_group(const mesh *m, const char *name, int dim, int nmember, const int *member)
{
    const mesh_group *g = mesh_find_group(m, name, dim);
    if (!g)
        fail_msg("no group '%s' of dimension %d", name, dim);
    assert_int_equal(g->nmember, nmember);
    assert_memory_equal(g->member, member, (size_t)nmember * sizeof *member);
}

static void assert_is_sample(const mesh *m)
{
    assert_int_equal(m->nnode, NNODE);
    assert_int_equal(m->ntet, NTET);
    assert_int_equal(m->ntri, 1);
    assert_int_equal(m->nflipped, 0);
    assert_memory_equal(m->x, sample_x, sizeof sample_x);
    assert_memory_equal(m->tet, sample_tet, sizeof sample_tet);
    assert_memory_equal(m->tri, sample_tri, sizeof sample_tri);
}

static void every_format_and_byte_order_gives_the_same_mesh(void **unused)
{
    (void)unused;
    for (int i = 0; i < NSAMPLE; i++) {
        mesh m = {0};
        lithe_report report = lithe_report_default();
        mesh_source source = {samples[i].name, samples[i].file.data, samples[i].file.size};
        assert_in_range(source.size, 1, sizeof samples[i].file.data);
        if (samples[i].read(&source, &m, &report) != LITHE_OK)
            fail_msg("%d: %s", i, report.error);
        assert_is_sample(&m);
        assert_int_equal(report.nnotice, 0);
        bool msh = samples[i].read == read_msh;
        assert_group(&m, msh ? "base" : "my label=3", 2, 1, (int[]){0});
        assert_group(&m, msh ? "soft part" : "my label=4", 3, 2, (int[]){0, 1});
        assert_group(&m, msh ? "12" : "my label=12", 0, 1, (int[]){4});
        if (msh)
            assert_group(&m, "5", 3, 1, (int[]){1});
        assert_int_equal(m.ngroup, msh ? 4 : 3);
        arena_free(&m.memory);
    }
}

static void every_named_solid_of_an_stl_is_a_group(void **unused)
{
    (void)unused;
    static const char text[] =
        "solid left hand\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
        "0\nendloop\nendfacet\nendsolid left hand\n"
        "SOLID\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX -0 0 0\nVERTEX 1 0 0\nVERTEX 0 -1 "
        "0\nENDLOOP\nENDFACET\nfacet normal 0 0 1 outer loop vertex 1 0 0 vertex 1 0 0 vertex 0 0 "
        "0 endloop endfacet\nENDSOLID";
    mesh m = {0};
    lithe_report report = lithe_report_default();
    mesh_source source = {"hands.stl", text, sizeof text - 1};
    assert_int_equal(read_stl(&source, &m, &report), LITHE_OK);
    assert_int_equal(m.nnode, 4);
    assert_int_equal(m.ntri, 2);
    assert_int_equal(m.ngroup, 1);
    assert_int_equal(report.nnotice, 1); // the facet with two corners at one position
    assert_group(&m, "left hand", 2, 1, (int[]){0});
    arena_free(&m.memory);
}

static void objects_and_groups_of_an_obj_name_its_faces(void **unused)
{
    (void)unused;
    static const char text[] =
        "# a comment\r\nmtllib a.mtl\nv 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv 0 1 0\n"
        "vn 0 0 1\no left hand\ng palm back\nusemtl skin\nf 1//1 2//1 3//1 4//1\n"
        "g default\nv 0 0 1\nf -5/1/1 -4 -1\nf 1 1 2\no\ng\ns off\nf 3 4 5";
    static const int expected[][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 4}, {2, 3, 4}};
    mesh m = {0};
    lithe_report report = lithe_report_default();
    mesh_source source = {"hand.obj", text, sizeof text - 1};
    if (read_obj(&source, &m, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    assert_int_equal(m.nnode, 5);
    assert_int_equal(m.ntri, 4);
    assert_memory_equal(m.tri, expected, sizeof expected);
    assert_int_equal(report.nnotice, 1); // the face that uses a vertex twice
    assert_int_equal(m.ngroup, 3);
    assert_group(&m, "left hand", 2, 3, (int[]){0, 1, 2});
    assert_group(&m, "palm", 2, 2, (int[]){0, 1});
    assert_group(&m, "back", 2, 2, (int[]){0, 1});
    arena_free(&m.memory);
}

static void volumes_of_other_kinds_are_kept_after_the_tetrahedra(void **unused)
{
    (void)unused;
    static const char text[] =
        "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 double\n"
        "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1 0 0 2\n"
        "CELLS 3 20\n8 0 1 2 3 4 5 6 7\n4 4 5 6 8\n5 4 5 7 6 8\nCELL_TYPES 3\n11 10 14\n"
        "CELL_DATA 3\nSCALARS part int\nLOOKUP_TABLE default\n1 1 2\n";
    static const int voxel[8] = {0, 1, 3, 2, 4, 5, 7, 6};
    mesh m = {0};
    lithe_report report = lithe_report_default();
    mesh_source source = {"mixed.vtk", text, sizeof text - 1};
    if (read_vtk(&source, &m, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    assert_int_equal(m.ntet, 1);
    assert_int_equal(mesh_find_other(&m), MESH_HEX8);
    assert_int_equal(m.other[MESH_PYRAMID5].n, 1);
    assert_memory_equal(m.other[MESH_HEX8].node, voxel, sizeof voxel);
    assert_group(&m, "part=1", 3, 2, (int[]){0, 1});
    assert_group(&m, "part=2", 3, 1, (int[]){2});
    arena_free(&m.memory);
}

static void quadrangles_polygons_and_strips_become_triangles(void **unused)
{
    (void)unused;
    static const char text[] =
        "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n"
        "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1\n"
        "CELLS 5 26\n4 0 1 2 3\n4 0 1 3 2\n5 0 1 2 3 4\n4 0 1 3 2\n4 0 1 3 4\n"
        "CELL_TYPES 5\n9 8 7 6 10\n";
    static const int expected[][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}, {0, 1, 2},
                                      {0, 2, 3}, {0, 3, 4}, {0, 1, 3}, {1, 2, 3}};
    mesh m = {0};
    lithe_report report = lithe_report_default();
    mesh_source source = {"faces.vtk", text, sizeof text - 1};
    if (read_vtk(&source, &m, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    assert_int_equal(m.ntri, 9);
    assert_memory_equal(m.tri, expected, sizeof expected);
    arena_free(&m.memory);
}

static void members_of_a_group_ascend_and_appear_once(void **unused)
{
    (void)unused;
    static const char text[] =
        "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
        "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 3 11\n2 3 2\n2 2 0\n4 0 1 2 3\nCELL_TYPES 3\n3 3 10\n"
        "CELL_DATA 3\nFIELD labels 1\nwire 1 3 unsigned_char\n7 7 0\n";
    mesh m = {0};
    lithe_report report = lithe_report_default();
    mesh_source source = {"wire.vtk", text, sizeof text - 1};
    if (read_vtk(&source, &m, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    assert_group(&m, "wire=7", 0, 3, (int[]){0, 2, 3});
    assert_group(&m, "wire=0", 3, 1, (int[]){0});
    arena_free(&m.memory);
}

static void keep_notice(void *user, const char *text)
{
    snprintf(user, 200, "%s", text);
}

static void tetrahedra_inside_out_are_flipped_and_told(void **unused)
{
    (void)unused;
    const int tet[2][4] = {{0, 1, 2, 3}, {1, 2, 4, 3}};
    lithe_mesh *m;
    lithe_report report = lithe_report_default();
    char notice[200];
    report.on_notice = keep_notice;
    report.user = notice;
    assert_int_equal(lithe_mesh_create(NNODE, sample_x[0], 2, tet[0], &m, &report), LITHE_OK);
    assert_int_equal(m->nflipped, 1);
    assert_memory_equal(m->tet, sample_tet, sizeof sample_tet);
    assert_string_equal(
        notice, "lithe_mesh_create: 1 of 2 tetrahedra were inside out and have been turned round");
    lithe_mesh_free(m);
}

static void nodes_of_no_tetrahedron_stay_and_are_told(void **unused)
{
    (void)unused;
    lithe_mesh *m;
    lithe_report report = lithe_report_default();
    char notice[200];
    report.on_notice = keep_notice;
    report.user = notice;
    assert_int_equal(lithe_mesh_create(NNODE, sample_x[0], 1, sample_tet[1], &m, &report),
                     LITHE_OK);
    assert_int_equal(m->nnode, NNODE);
    assert_string_equal(notice, "lithe_mesh_create: 1 of 5 nodes belong to no tetrahedron");
    lithe_mesh_free(m);
}

typedef struct robot {
    const char *file;
    int nnode, ntet, ncavity;
    double volume;
} robot;

// Counts from the README beside the files. The cavity of the springy is that of its consistently
// flipped surface, 5.426 cm^3: the mesh folds over itself, so the directions that its tetrahedra
// give contradict each other, and summed as they are they give a volume that depends on the origin.
static void published_robots_have_their_nodes_tetrahedra_and_cavities(void **unused)
{
    (void)unused;
    static const robot robots[] = {{"diamond.vtu", 1628, 4147, 0, 0},
                                   {"finger.vtk", 158, 389, 0, 0},
                                   {"trunk.vtk", 709, 1972, 0, 0},
                                   {"springy.vtk", 1532, 5992, 1, 5.4264604}};
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        char path[500];
        snprintf(path, sizeof path, "%s/../shared/meshes/%s", LITHE_ROOT, robots[i].file);
        FILE *file = fopen(path, "rb");
        if (!file) {
            print_message("%s is not there: skipped\n", path);
            skip();
        }
        fclose(file);
        lithe_mesh *m;
        lithe_report report = lithe_report_default();
        mesh_boundary b;
        arena memory = {0};
        assert_int_equal(lithe_mesh_read(path, &m, &report), LITHE_OK);
        assert_int_equal(m->nnode, robots[i].nnode);
        assert_int_equal(m->ntet, robots[i].ntet);
        assert_int_equal(mesh_find_boundary(m, m->x, &memory, &b, &report), LITHE_OK);
        assert_int_equal(b.ncavity, robots[i].ncavity);
        if (b.ncavity)
            assert_true(fabs(b.volume[0] / robots[i].volume - 1) < 1e-6);
        arena_free(&memory);
        lithe_mesh_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_and_byte_order_gives_the_same_mesh),
        cmocka_unit_test(every_named_solid_of_an_stl_is_a_group),
        cmocka_unit_test(objects_and_groups_of_an_obj_name_its_faces),
        cmocka_unit_test(volumes_of_other_kinds_are_kept_after_the_tetrahedra),
        cmocka_unit_test(quadrangles_polygons_and_strips_become_triangles),
        cmocka_unit_test(members_of_a_group_ascend_and_appear_once),
        cmocka_unit_test(tetrahedra_inside_out_are_flipped_and_told),
        cmocka_unit_test(nodes_of_no_tetrahedron_stay_and_are_told),
        cmocka_unit_test(published_robots_have_their_nodes_tetrahedra_and_cavities),
    };
    write_samples(samples);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
