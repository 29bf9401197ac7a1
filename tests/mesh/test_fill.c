// Grids of hexahedra in closed surfaces, judged by solid angles and closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "mesh/fill.h"
#include "mesh/primitive.h"
#include "mesh/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Several closed surfaces as one.
typedef struct hull {
    double x[3 * 3000];
    int tri[3 * 6000];
    lithe_mesh m;
} hull;

static hull *hull_new(void)
{
    hull *h = calloc(1, sizeof *h);
    assert_non_null(h);
    h->m.x = h->x;
    h->m.tri = h->tri;
    return h;
}

static void add(hull *h, lithe_mesh *from, const double angles[3], const double move[3],
                bool inward)
{
    double R[9];
    mat_from_angles(R, angles);
    assert_true(h->m.nnode + from->nnode <= 3000 && h->m.ntri + from->ntri <= 6000);
    for (int t = 0; t < from->ntri; t++, h->m.ntri++)
        for (int a = 0; a < 3; a++)
            h->tri[3 * h->m.ntri + a] = h->m.nnode + from->tri[3 * t + (inward ? 2 - a : a)];
    for (int i = 0; i < from->nnode; i++, h->m.nnode++) {
        mat_apply(&h->x[3 * h->m.nnode], R, &from->x[3 * i]);
        vec_axpy(&h->x[3 * h->m.nnode], 1, move);
    }
    lithe_mesh_free(from);
}

static lithe_mesh *box(double a, double b, double c)
{
    lithe_mesh *m = NULL;
    assert_int_equal(primitive_box((double[]){a, b, c}, &m), LITHE_OK);
    return m;
}

static const double zero[3];

static int count(const hull *h, double edge, int *ndropped)
{
    lithe_mesh *m = NULL;
    fill_grid g = fill_span(&h->m, edge);
    assert_int_equal(fill_create(&h->m, &g, &m, ndropped), LITHE_OK);
    int n = m->other[MESH_HEX8].n;
    lithe_mesh_free(m);
    return n;
}

static void a_box_is_filled_exactly(void **unused)
{
    (void)unused;
    hull *h = hull_new();
    lithe_mesh *m = NULL;
    int ndropped;
    add(h, box(6, 4, 3), zero, (double[]){1, 2, 3}, false);
    fill_grid g = fill_span(&h->m, 1.1);
    assert_int_equal(fill_create(&h->m, &g, &m, &ndropped), LITHE_OK);
    assert_int_equal(m->other[MESH_HEX8].n, 5 * 4 * 3);
    assert_int_equal(m->nnode, 6 * 5 * 4);
    assert_int_equal(ndropped, 0);
    const double centre[3] = {1, 2, 3}, half[3] = {3, 2, 1.5};
    for (int i = 0; i < 3 * m->nnode; i++) // and not beyond
        assert_true(fabs(m->x[i] - centre[i % 3]) < half[i % 3] + 1e-12);
    lithe_mesh_free(m);
    free(h);
}

// Every cell of the grid, by the solid angle of the surface seen from its centre.
static void judge(const hull *h, double edge)
{
    lithe_mesh *m = NULL;
    int ndropped, expected = 0;
    fill_grid g = fill_span(&h->m, edge);
    assert_int_equal(fill_create(&h->m, &g, &m, &ndropped), LITHE_OK);
    const mesh_cells *hexes = &m->other[MESH_HEX8];
    for (int i = 0; i < g.n[0] * g.n[1] * g.n[2]; i++) {
        const int at[3] = {i % g.n[0], i / g.n[0] % g.n[1], i / (g.n[0] * g.n[1])};
        double centre[3];
        for (int axis = 0; axis < 3; axis++)
            centre[axis] = g.origin[axis] + (at[axis] + 0.5) * g.cell[axis];
        expected += surface_encloses(h->m.ntri, h->m.tri, h->m.x, centre);
    }
    assert_int_equal(hexes->n + ndropped, expected);
    for (int e = 0; e < hexes->n; e++) {
        double centre[3] = {0};
        for (int a = 0; a < 8; a++)
            vec_axpy(centre, 0.125, &m->x[3 * hexes->node[8 * e + a]]);
        assert_true(surface_encloses(h->m.ntri, h->m.tri, h->m.x, centre));
    }
    lithe_mesh_free(m);
}

static void cells_are_those_whose_centre_is_inside(void **unused)
{
    (void)unused;
    const double aslant[3] = {0.3, -0.7, 1.1};
    hull *h = hull_new();
    lithe_mesh *m = NULL;
    assert_int_equal(primitive_cylinder(1, 3, &m), LITHE_OK);
    add(h, m, aslant, zero, false);
    judge(h, 0.23);
    assert_int_equal(primitive_ball(0.5, &m), LITHE_OK); // a void
    add(h, m, zero, zero, true);
    judge(h, 0.23);
    add(h, box(1, 1, 2), zero, (double[]){0, 0, 5}, false); // a part that stands alone
    judge(h, 0.23);
    free(h);
}

static void the_volume_of_a_ball_is_met(void **unused)
{
    (void)unused;
    hull *h = hull_new();
    lithe_mesh *m = NULL;
    int ndropped;
    assert_int_equal(primitive_ball(1, &m), LITHE_OK);
    add(h, m, zero, zero, false);
    double truth = surface_volume(h->m.ntri, h->m.tri, h->m.x);
    for (int n = 10; n <= 40; n *= 2) {
        fill_grid g = fill_span(&h->m, 2.0 / n);
        double volume = count(h, 2.0 / n, &ndropped) * g.cell[0] * g.cell[1] * g.cell[2];
        assert_true(fabs(volume / truth - 1) < 0.5 / n); // of its skin, a sixth of a cell thick
    }
    free(h);
}

static void surfaces_inside_out_and_overlapping_are_filled_once(void **unused)
{
    (void)unused;
    hull *h = hull_new();
    int ndropped;
    add(h, box(4, 2, 2), zero, (double[]){0, 0, 0}, true);
    assert_int_equal(count(h, 1, &ndropped), 16);
    add(h, box(4, 2, 2), zero, (double[]){2, 0, 0}, true);
    assert_int_equal(count(h, 1, &ndropped), 24);
    assert_int_equal(ndropped, 0);
    free(h);
}

static void what_hangs_by_an_edge_or_a_corner_is_left_out(void **unused)
{
    (void)unused;
    hull *h = hull_new();
    int ndropped;
    add(h, box(2, 2, 2), zero, (double[]){0, 0, 0}, false);
    add(h, box(1, 1, 2), zero, (double[]){1.5, 1.5, 0}, false);     // by an edge
    add(h, box(1, 1, 1), zero, (double[]){-1.5, -1.5, 1.5}, false); // by a corner
    assert_int_equal(count(h, 1, &ndropped), 8);
    assert_int_equal(ndropped, 3);
    add(h, box(2, 1, 1), zero, (double[]){5, 0, 0}, false); // stands alone, and stays
    assert_int_equal(count(h, 1, &ndropped), 10);
    free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_filled_exactly),
        cmocka_unit_test(cells_are_those_whose_centre_is_inside),
        cmocka_unit_test(the_volume_of_a_ball_is_met),
        cmocka_unit_test(surfaces_inside_out_and_overlapping_are_filled_once),
        cmocka_unit_test(what_hangs_by_an_edge_or_a_corner_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
