#include "mesh/surface.h"
#include "mesh/voxels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-12)

// A mesh of cubes and its boundary.
typedef struct body {
    lithe_mesh *m;
    arena memory;
    mesh_boundary b;
    lithe_report report;
} body;

static body make_body(int nx, int ny, int nz, const char *filled)
{
    body it = {.report = lithe_report_default()};
    it.m = voxel_mesh(nx, ny, nz, filled, &it.report);
    if (!it.m)
        fail_msg("%s", it.report.error);
    assert_int_equal(mesh_find_boundary(it.m, it.m->x, &it.memory, &it.b, &it.report), LITHE_OK);
    return it;
}

static void free_body(body *it)
{
    arena_free(&it->memory);
    lithe_mesh_free(it->m);
}

// The triangles of one piece; the caller frees them.
static int *piece_triangles(const mesh_boundary *b, int piece, int *ntri)
{
    int *tri = malloc((size_t)b->ntri * 3 * sizeof *tri);
    *ntri = 0;
    for (int i = 0; i < b->ntri; i++)
        if (b->piece[i] == piece)
            memcpy(tri + 3 * (*ntri)++, b->tri + 3 * i, 3 * sizeof *tri);
    return tri;
}

static double piece_volume(const body *it, int piece)
{
    int ntri;
    int *tri = piece_triangles(&it->b, piece, &ntri);
    double volume = surface_volume(ntri, tri, it->m->x);
    free(tri);
    return volume;
}

static void boundary_of_a_solid_is_closed_and_points_outwards(void **unused)
{
    (void)unused;
    body it = make_body(2, 3, 1, "######");
    bool closed;
    int edge[2];
    assert_int_equal(it.b.ntri, 4 * (2 * 3 + 3 * 1 + 2 * 1));
    assert_int_equal(it.b.npiece, 1);
    assert_int_equal(it.b.ncavity, 0);
    assert_int_equal(surface_is_closed(it.b.ntri, it.b.tri, &closed, edge), LITHE_OK);
    assert_true(closed);
    NEAR(surface_volume(it.b.ntri, it.b.tri, it.m->x), 6);
    free_body(&it);
}

static void every_boundary_triangle_is_a_face_of_the_tetrahedron_behind_it(void **unused)
{
    (void)unused;
    body it = make_body(3, 3, 3, "#############.#############");
    for (int i = 0; i < it.b.ntri; i++) {
        const int *tet = it.m->tet + 4 * it.b.tet[i];
        for (int k = 0; k < 3; k++) {
            int node = it.b.tri[3 * i + k];
            assert_true(tet[0] == node || tet[1] == node || tet[2] == node || tet[3] == node);
        }
    }
    free_body(&it);
}

static void a_void_inside_is_a_cavity_and_the_outside_is_not(void **unused)
{
    (void)unused;
    body it = make_body(3, 3, 3, "#############.#############");
    assert_int_equal(it.b.npiece, 2);
    assert_int_equal(it.b.ncavity, 1);
    NEAR(it.b.volume[0], 1);
    NEAR(piece_volume(&it, it.b.cavity[0]), -1);
    NEAR(piece_volume(&it, 1 - it.b.cavity[0]), 27);
    free_body(&it);
}

static void cavities_are_ordered_by_volume_wherever_the_mesh_stands(void **unused)
{
    (void)unused;
    body it = make_body(6, 3, 3,
                        "##################"
                        "#######.#..#######"
                        "##################");
    assert_int_equal(it.b.ncavity, 2);
    NEAR(it.b.volume[0], 2);
    NEAR(it.b.volume[1], 1);
    arena memory = {0};
    mesh_boundary moved;
    for (int i = 0; i < 3 * it.m->nnode; i++)
        it.m->x[i] += 1000;
    assert_int_equal(mesh_find_boundary(it.m, it.m->x, &memory, &moved, NULL), LITHE_OK);
    assert_true(fabs(moved.volume[0] - 2) < 1e-9);
    arena_free(&memory);
    free_body(&it);
}

static void a_dent_open_to_the_outside_is_no_cavity(void **unused)
{
    (void)unused;
    body it = make_body(3, 3, 2, "#############.####");
    assert_int_equal(it.b.npiece, 1);
    assert_int_equal(it.b.ncavity, 0);
    free_body(&it);
}

static void separate_parts_are_pieces_but_no_cavities(void **unused)
{
    (void)unused;
    body it = make_body(3, 1, 1, "#.#");
    assert_int_equal(it.b.npiece, 2);
    assert_int_equal(it.b.ncavity, 0);
    free_body(&it);
}

// Two voids that meet in one edge of the grid: four triangles of the boundary share it.
static void cavities_that_meet_along_an_edge_stay_apart(void **unused)
{
    (void)unused;
    body it = make_body(4, 4, 3,
                        "################"
                        "#####.####.#####"
                        "################");
    assert_int_equal(it.b.npiece, 3);
    assert_int_equal(it.b.ncavity, 2);
    NEAR(it.b.volume[0], 1);
    NEAR(it.b.volume[1], 1);
    free_body(&it);
}

static void parts_that_meet_along_an_edge_enclose_nothing(void **unused)
{
    (void)unused;
    body it = make_body(2, 2, 1, "#..#");
    assert_int_equal(it.b.ncavity, 0);
    double volume = 0;
    for (int i = 0; i < it.b.npiece; i++)
        volume += piece_volume(&it, i);
    NEAR(volume, 2);
    free_body(&it);
}

static void a_face_of_three_tetrahedra_is_refused(void **unused)
{
    (void)unused;
    const double x[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 1, 2}};
    const int tet[3][4] = {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}};
    lithe_mesh *m;
    arena memory = {0};
    mesh_boundary b;
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_mesh_create(6, x[0], 3, tet[0], &m, &report), LITHE_OK);
    assert_int_equal(mesh_find_boundary(m, m->x, &memory, &b, &report), LITHE_INVALID);
    assert_non_null(strstr(report.error, "tetrahedra 0, 1 and 2"));
    arena_free(&memory);
    lithe_mesh_free(m);
}

// The corner node at the origin is pushed through the rest: its tetrahedra are flipped, so that
// they overlap their neighbours, and their outer triangles would point inwards.
static void a_mesh_that_folds_over_itself_has_boundaries_of_one_direction(void **unused)
{
    (void)unused;
    body it = make_body(3, 3, 3, "###########################");
    double moved[64 * 3];
    lithe_mesh *folded;
    arena memory = {0};
    mesh_boundary b;
    bool closed;
    int edge[2];
    memcpy(moved, it.m->x, sizeof moved);
    moved[0] = moved[1] = moved[2] = 1.2;
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_mesh_create(64, moved, it.m->ntet, it.m->tet, &folded, &report),
                     LITHE_OK);
    assert_true(folded->nflipped > 0);
    report.nnotice = 0;
    assert_int_equal(mesh_find_boundary(folded, folded->x, &memory, &b, &report), LITHE_OK);
    assert_int_equal(report.nnotice, 1);
    assert_int_equal(b.npiece, 1);
    assert_int_equal(surface_is_closed(b.ntri, b.tri, &closed, edge), LITHE_OK);
    assert_true(closed);
    double volume = surface_volume(b.ntri, b.tri, folded->x);
    assert_true(volume > 20 && volume < 27);
    arena_free(&memory);
    lithe_mesh_free(folded);
    free_body(&it);
}

static void keep_notice(void *user, const char *text)
{
    snprintf(user, 400, "%s", text);
}

// Two pairs of tetrahedra that overlap: by a common face, and round a common edge alone.
static void a_fold_is_told_by_what_there_is_of_it(void **unused)
{
    (void)unused;
    static const double x[][3] = {{0, 0, 0},   {0, 0, 1},    {1, 0, 0},      {0, 1, 0},
                                  {1, 0.5, 0}, {-0.5, 1, 0}, {0.2, 0.2, 0.5}};
    static const int tet[2][8] = {{0, 2, 3, 1, 0, 2, 3, 6}, {0, 2, 3, 1, 0, 4, 5, 1}};
    static const char *const said[] = {"at 1 inner face both", "boundary triangles had to be"};
    for (int i = 0; i < 2; i++) {
        char notice[400] = "";
        lithe_mesh *m;
        arena memory = {0};
        mesh_boundary b;
        lithe_report report = lithe_report_default();
        report.on_notice = keep_notice;
        report.user = notice;
        assert_int_equal(lithe_mesh_create(7, x[0], 2, tet[i], &m, NULL), LITHE_OK);
        assert_int_equal(mesh_find_boundary(m, m->x, &memory, &b, &report), LITHE_OK);
        assert_non_null(strstr(notice, said[i]));
        assert_null(strstr(notice, " 0 "));
        arena_free(&memory);
        lithe_mesh_free(m);
    }
}

static void an_open_surface_names_an_edge_of_its_rim(void **unused)
{
    (void)unused;
    const int tri[3][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}};
    bool closed;
    int edge[2];
    assert_int_equal(surface_is_closed(3, tri[0], &closed, edge), LITHE_OK);
    assert_false(closed);
    assert_true(edge[0] >= 1 && edge[1] >= 1 && edge[0] != edge[1]);
    assert_int_equal(surface_is_closed(0, tri[0], &closed, edge), LITHE_OK);
    assert_false(closed);
}

static void a_surface_with_one_triangle_flipped_is_not_closed(void **unused)
{
    (void)unused;
    const int tri[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 3, 2}};
    bool closed;
    int edge[2];
    assert_int_equal(surface_is_closed(4, tri[0], &closed, edge), LITHE_OK);
    assert_false(closed);
}

static void winding_tells_inside_from_outside_for_either_direction(void **unused)
{
    (void)unused;
    body it = make_body(3, 3, 3, "#############.#############");
    int ntri;
    int *hole = piece_triangles(&it.b, it.b.cavity[0], &ntri);
    assert_true(surface_encloses(ntri, hole, it.m->x, (double[]){1.5, 1.5, 1.5}));
    assert_true(surface_encloses(ntri, hole, it.m->x, (double[]){1.01, 1.99, 1.01}));
    assert_false(surface_encloses(ntri, hole, it.m->x, (double[]){0.5, 1.5, 1.5}));
    assert_false(surface_encloses(ntri, hole, it.m->x, (double[]){-7, 1.5, 1.5}));
    free(hole);
    int *skin = piece_triangles(&it.b, 1 - it.b.cavity[0], &ntri);
    assert_true(surface_encloses(ntri, skin, it.m->x, (double[]){0.1, 0.1, 2.9}));
    assert_false(surface_encloses(ntri, skin, it.m->x, (double[]){0.1, 0.1, 3.1}));
    free(skin);
    free_body(&it);
}

static int allowed;

static void *failing_alloc(size_t bytes)
{
    return allowed-- > 0 ? malloc(bytes) : NULL;
}

static void no_memory_for_a_boundary_is_reported(void **unused)
{
    (void)unused;
    body it = make_body(3, 3, 3, "#############.#############");
    lithe_status status = LITHE_NO_MEMORY;
    for (int k = 0; status != LITHE_OK; k++) {
        arena memory = {0};
        mesh_boundary b;
        lithe_report report = lithe_report_default();
        allowed = k;
        lithe_set_allocator(failing_alloc, free);
        status = mesh_find_boundary(it.m, it.m->x, &memory, &b, &report);
        lithe_set_allocator(NULL, NULL);
        assert_true(status == LITHE_OK || status == LITHE_NO_MEMORY);
        assert_true(status == LITHE_OK || strstr(report.error, "out of memory"));
        arena_free(&memory);
        assert_true(k < 50);
    }
    bool closed;
    int edge[2];
    allowed = 0;
    lithe_set_allocator(failing_alloc, free);
    assert_int_equal(surface_is_closed(it.b.ntri, it.b.tri, &closed, edge), LITHE_NO_MEMORY);
    lithe_set_allocator(NULL, NULL);
    free_body(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boundary_of_a_solid_is_closed_and_points_outwards),
        cmocka_unit_test(every_boundary_triangle_is_a_face_of_the_tetrahedron_behind_it),
        cmocka_unit_test(a_void_inside_is_a_cavity_and_the_outside_is_not),
        cmocka_unit_test(cavities_are_ordered_by_volume_wherever_the_mesh_stands),
        cmocka_unit_test(a_dent_open_to_the_outside_is_no_cavity),
        cmocka_unit_test(separate_parts_are_pieces_but_no_cavities),
        cmocka_unit_test(cavities_that_meet_along_an_edge_stay_apart),
        cmocka_unit_test(parts_that_meet_along_an_edge_enclose_nothing),
        cmocka_unit_test(a_face_of_three_tetrahedra_is_refused),
        cmocka_unit_test(a_mesh_that_folds_over_itself_has_boundaries_of_one_direction),
        cmocka_unit_test(a_fold_is_told_by_what_there_is_of_it),
        cmocka_unit_test(an_open_surface_names_an_edge_of_its_rim),
        cmocka_unit_test(a_surface_with_one_triangle_flipped_is_not_closed),
        cmocka_unit_test(winding_tells_inside_from_outside_for_either_direction),
        cmocka_unit_test(no_memory_for_a_boundary_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
