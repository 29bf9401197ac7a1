// Boxes, balls and cylinders that are filled with cells: volume, shapes of cells, where nodes are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "lithe/mesh.h"
#include "mesh/mesh.h"
#include "mesh/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static lithe_body_def solid(lithe_solid kind, double a, double b, double c, double cell)
{
    lithe_body_def d = lithe_body_def_default();
    d.name = "pad";
    d.solid = kind;
    d.size[0] = a;
    d.size[1] = b;
    d.size[2] = c;
    d.cell = cell;
    return d;
}

static lithe_mesh *fill(const lithe_body_def *d)
{
    lithe_mesh *m = NULL;
    lithe_report report = lithe_report_default();
    lithe_status status = lithe_body_mesh(d, &m, &report);
    if (status != LITHE_OK)
        print_error("%s\n", report.error);
    assert_int_equal(status, LITHE_OK);
    return m;
}

static double volume_of(const lithe_body_def *d)
{
    lithe_mesh *m = fill(d);
    lithe_mesh_check *check;
    assert_int_equal(lithe_mesh_examine(m, d->element, NULL, &check, NULL), LITHE_OK);
    double volume = check->volume;
    assert_int_equal(check->npart, 1);
    assert_int_equal(check->npiece, 1);
    assert_int_equal(check->ncavity, 0);
    assert_int_equal(check->nsliver + check->nfold + check->ncoincident + check->norphan, 0);
    lithe_mesh_check_free(check);
    lithe_mesh_free(m);
    return volume;
}

static void a_box_has_its_volume_in_cells_of_any_kind(void **unused)
{
    (void)unused;
    lithe_body_def d = solid(LITHE_SOLID_BOX, 0.06, 0.02, 0.011, 0.004);
    assert_true(fabs(volume_of(&d) / (0.06 * 0.02 * 0.011) - 1) < 1e-12);
    d.element = LITHE_TET10;
    d.mesh_unit = 1e-3; // the mesh is in millimetres then
    assert_true(fabs(volume_of(&d) / (60 * 20 * 11) - 1) < 1e-12);
}

// Corners lie on the surface, so what is missing falls with the square of the cells.
static void what_is_round_comes_to_its_volume_as_cells_become_small(void **unused)
{
    (void)unused;
    const double r = 0.02, h = 0.05;
    const double truth[] = {4 * M_PI / 3 * r * r * r, M_PI * r * r * h};
    for (int k = 0; k < 2; k++) {
        double off[2];
        for (int i = 0; i < 2; i++) {
            lithe_body_def d = solid(k == 0 ? LITHE_SOLID_BALL : LITHE_SOLID_CYLINDER, r, h, 0,
                                     r / (i == 0 ? 6.4 : 12.8));
            off[i] = 1 - volume_of(&d) / truth[k];
        }
        assert_true(off[0] > 0 && off[0] < 0.03);
        assert_true(fabs(off[0] / off[1] - 4) < 0.3);
    }
}

// How far from square a corner of a hexahedron is: 1 is square, 0 flat.
static double worst_corner(const lithe_mesh *m)
{
    static const int next[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                   {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};
    const mesh_cells *hexes = &m->other[MESH_HEX8];
    double worst = 1;
    for (int i = 0; i < 8 * hexes->n; i++) {
        const int *node = &hexes->node[8 * (i / 8)];
        double edge[3][3], size = 1;
        for (int k = 0; k < 3; k++) {
            vec_sub(edge[k], &m->x[3 * node[next[i % 8][k]]], &m->x[3 * node[i % 8]]);
            size *= vec_norm(edge[k]);
        }
        worst = fmin(worst, vec_triple(edge[0], edge[1], edge[2]) / size);
    }
    return worst;
}

static void corners_of_cells_are_sound_at_all_sizes(void **unused)
{
    (void)unused;
    for (int k = LITHE_SOLID_BOX; k <= LITHE_SOLID_CYLINDER; k++)
        for (double cell = 0.003; cell < 0.1; cell *= 1.7) {
            lithe_body_def d = solid((lithe_solid)k, 0.02, 0.03, 0.01, cell);
            lithe_mesh *m = fill(&d);
            assert_true(m->other[MESH_HEX8].n > 0 && m->ntet == 0);
            assert_true(worst_corner(m) > (k == LITHE_SOLID_BOX ? 0.999 : 0.6));
            lithe_mesh_free(m);
        }
}

static void nodes_of_the_surface_are_on_it(void **unused)
{
    (void)unused;
    lithe_body_def d = solid(LITHE_SOLID_CYLINDER, 0.02, 0.05, 0, 0.006);
    d.element = LITHE_TET10;
    for (int ball = 0; ball < 2; ball++) {
        arena memory = {0};
        mesh_boundary skin;
        double r = 0, far = 0;
        d.solid = ball ? LITHE_SOLID_BALL : LITHE_SOLID_CYLINDER;
        lithe_mesh *m = fill(&d);
        assert_int_equal(mesh_find_boundary(m, m->x, &memory, &skin, NULL), LITHE_OK);
        for (int i = 0; i < 3 * skin.ntri; i++) {
            const double *x = &m->x[3 * skin.tri[i]];
            bool end = !ball && fabs(fabs(x[2]) - 0.025) < 1e-15;
            r = hypot(hypot(x[0], x[1]), ball ? x[2] : 0);
            assert_true(end ? r < 0.02 + 1e-15 : fabs(r - 0.02) < 1e-15);
            far = fmax(far, x[0]);
        }
        assert_true(fabs(far - 0.02) < 1e-15); // a node is on the axis
        arena_free(&memory);
        lithe_mesh_free(m);
    }
}

static void a_thousand_cells_or_so_are_the_default(void **unused)
{
    (void)unused;
    for (int k = LITHE_SOLID_BOX; k <= LITHE_SOLID_CYLINDER; k++) {
        lithe_body_def d = solid((lithe_solid)k, 0.02, 0.05, 0.03, 0);
        lithe_mesh *m = fill(&d);
        assert_in_range(m->other[MESH_HEX8].n, 500, 2000);
        lithe_mesh_free(m);
    }
}

// A sheet, a string, a disc, and sizes that nobody can mean.
static void what_is_thin_has_a_few_thousand_cells_too(void **unused)
{
    (void)unused;
    const lithe_body_def thin[] = {
        solid(LITHE_SOLID_BOX, 1, 1, 1e-4, 0),       solid(LITHE_SOLID_BOX, 1e-4, 1e-3, 10, 0),
        solid(LITHE_SOLID_BOX, 1e6, 1e157, 1e-9, 0), solid(LITHE_SOLID_CYLINDER, 1, 1e-4, 0, 0),
        solid(LITHE_SOLID_CYLINDER, 1e-4, 1, 0, 0),  solid(LITHE_SOLID_BALL, 1e-120, 0, 0, 0)};
    for (size_t k = 0; k < sizeof thin / sizeof *thin; k++) {
        lithe_mesh *m = fill(&thin[k]);
        assert_in_range(m->other[MESH_HEX8].n, 200, 4000);
        lithe_mesh_free(m);
    }
}

static void refuse(lithe_body_def d, const char *why)
{
    lithe_mesh *m;
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_body_mesh(&d, &m, &report), LITHE_INVALID);
    assert_null(m);
    assert_non_null(strstr(report.error, why));
}

static void what_cannot_be_filled_is_refused(void **unused)
{
    (void)unused;
    refuse(solid(LITHE_SOLID_BOX, 0.1, 0, 0.1, 0), "above 0");
    refuse(solid(LITHE_SOLID_BALL, NAN, 0, 0, 0), "above 0");
    refuse(solid(LITHE_SOLID_CYLINDER, 0.1, INFINITY, 0, 0), "above 0");
    refuse(solid(LITHE_SOLID_BALL, 0.1, 0, 0, -1), "above 0");
    refuse(solid((lithe_solid)7, 0.1, 0.1, 0.1, 0), "above 0");
    refuse(solid(LITHE_SOLID_BOX, 1, 1, 1, 1e-6), "larger cell");
    refuse(solid(LITHE_SOLID_BALL, 1, 0, 0, 1e-300), "larger cell");
}

// ## memory

static long until_refusal, outstanding;

static void *refusing_allocate(size_t bytes)
{
    if (until_refusal-- == 0)
        return NULL;
    outstanding++;
    return malloc(bytes);
}

static void refusing_release(void *memory)
{
    outstanding--;
    free(memory);
}

static void refuse_each(const lithe_body_def *d)
{
    lithe_status status = LITHE_NO_MEMORY;
    lithe_set_allocator(refusing_allocate, refusing_release);
    for (long k = 0; status != LITHE_OK; k++) {
        lithe_mesh *m = NULL;
        lithe_report report = lithe_report_default();
        until_refusal = k;
        outstanding = 0;
        status = lithe_body_mesh(d, &m, &report);
        assert_true(status == LITHE_OK || (status == LITHE_NO_MEMORY && !m && report.error[0]));
        lithe_mesh_free(m);
        assert_int_equal(outstanding, 0);
        assert_true(k < 1000 && (k > 0 || status != LITHE_OK));
    }
    lithe_set_allocator(NULL, NULL);
}

static void every_refused_request_is_reported_and_leaks_nothing(void **unused)
{
    (void)unused;
    lithe_body_def d = solid(LITHE_SOLID_BALL, 0.02, 0, 0, 0.02);
    d.element = LITHE_TET10;
    refuse_each(&d);
    d = solid(LITHE_SOLID_NONE, 0, 0, 0, 0.3);
    d.mesh_file = LITHE_ROOT "/tests/mesh/data/gmsh/box_stl_text.stl";
    refuse_each(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_its_volume_in_cells_of_any_kind),
        cmocka_unit_test(what_is_round_comes_to_its_volume_as_cells_become_small),
        cmocka_unit_test(corners_of_cells_are_sound_at_all_sizes),
        cmocka_unit_test(nodes_of_the_surface_are_on_it),
        cmocka_unit_test(a_thousand_cells_or_so_are_the_default),
        cmocka_unit_test(what_is_thin_has_a_few_thousand_cells_too),
        cmocka_unit_test(what_cannot_be_filled_is_refused),
        cmocka_unit_test(every_refused_request_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
