// Surfaces: how faces are cut, and what is beside what.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/world.h"

static double area_of(const contact_surface *s, int t, double n[3])
{
    const int *v = &s->tri[3 * t];
    double a[3], b[3];
    vec_sub(a, &s->rest[3 * v[1]], &s->rest[3 * v[0]]);
    vec_sub(b, &s->rest[3 * v[2]], &s->rest[3 * v[0]]);
    vec_cross(n, a, b);
    return 0.5 * vec_norm(n);
}

// Share of every node in an even pressure, handed over by the vertices.
static void hand_over(const contact_surface *s, double *share)
{
    for (int t = 0; t < s->ntri; t++) {
        double n[3], area = area_of(s, t, n);
        for (int i = 0; i < 3; i++) {
            int v = s->tri[3 * t + i];
            for (int e = s->entry_adr[v]; e < s->entry_adr[v + 1]; e++)
                share[s->entry[e].node] += area / 3 * s->entry[e].weight;
        }
    }
}

static void a_crate_is_closed_and_looks_outwards(void **state)
{
    (void)state;
    dice d = {1};
    double centre[3] = {0, 0, 0}, volume = 0, n[3];
    crate *c = crate_create(&d, 4, centre, 1, 0);
    stage *s = stage_create();
    stage_crate(s, c, false, -1);
    const contact_surface *own = &s->surface[0];
    assert_true(own->closed);
    assert_int_equal(own->nvertex - own->nedge + own->ntri, 2); // Euler
    for (int t = 0; t < own->ntri; t++) {
        area_of(own, t, n);
        volume += vec_dot(n, &own->rest[3 * own->tri[3 * t]]) / 6;
    }
    assert_true(fabs(volume - 8) < 1e-12);
    int vertices = 0, edges = 0;
    for (int i = 0; i < own->ncell; i++) {
        vertices += own->cell[i].nvertex;
        edges += own->cell[i].nedge;
    }
    assert_int_equal(vertices, own->nvertex);
    assert_int_equal(edges, own->nedge);
    free(c);
    stage_free(s);
}

// The same crate as a rigid obstacle has the edges and corners of a cube.
static void a_rigid_crate_has_only_the_edges_of_a_cube(void **state)
{
    (void)state;
    dice d = {1};
    double centre[3] = {0, 0, 0};
    crate *c = crate_create(&d, 3, centre, 1, 0);
    stage *s = stage_create();
    stage_crate(s, c, true, 0);
    int vertices = 0, edges = 0;
    for (int i = 0; i < s->surface[0].ncell; i++) {
        vertices += s->surface[0].cell[i].nvertex;
        edges += s->surface[0].cell[i].nedge;
    }
    assert_int_equal(edges, 36);
    assert_int_equal(vertices, 8 + 12 * 2);
    free(c);
    stage_free(s);
}

static void a_box_is_a_closed_surface_of_its_size(void **state)
{
    (void)state;
    stage *s = stage_create();
    int surface;
    contact_shape box = {.kind = SHAPE_BOX, .half = {1, 2, 3}};
    stage_obstacle(s, box, stage_still, &surface);
    const contact_surface *own = &s->surface[surface];
    double volume = 0, n[3];
    for (int t = 0; t < own->ntri; t++) {
        area_of(own, t, n);
        volume += vec_dot(n, &own->rest[3 * own->tri[3 * t]]) / 6;
    }
    assert_true(own->closed && fabs(volume - 48) < 1e-12);
    int edges = 0;
    for (int i = 0; i < own->ncell; i++)
        edges += own->cell[i].nedge;
    assert_int_equal(edges, 12);
    stage_free(s);
}

// A face of four, cut however finely, hands an even pressure to its nodes in quarters.
static void faces_of_hexahedra_hand_over_as_their_shape_functions_do(void **state)
{
    (void)state;
    double x[12] = {0, 0, 0, 3, 0.5, 0, 4, 2.5, 0, 1, 2, 0}; // a parallelogram
    int face[6] = {0, 1, 2, 3, -1, -1};
    for (int pieces = 0; pieces < 5; pieces++) {
        stage *s = stage_create();
        double share[4] = {0};
        surface_source from = {.nnode = 4, .x = x, .nface = 1, .face = face, .pieces = pieces};
        stage_add(s, from, false);
        hand_over(&s->surface[0], share);
        double all = share[0] + share[1] + share[2] + share[3];
        for (int i = 0; i < 4; i++)
            assert_true(fabs(share[i] - 0.25 * all) < 1e-12 * all);
        stage_free(s);
    }
}

// One of six hands nothing to its corners in the limit.
static void finer_cuts_of_quadratic_faces_come_to_their_shape_functions(void **state)
{
    (void)state;
    double x[18] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, before = 2;
    int face[6] = {0, 1, 2, 3, 4, 5};
    for (int pieces = 1; pieces <= 8; pieces *= 2) {
        stage *s = stage_create();
        double share[6] = {0};
        surface_source from = {.nnode = 6, .x = x, .nface = 1, .face = face, .pieces = pieces};
        stage_add(s, from, false);
        hand_over(&s->surface[0], share);
        double corners = (fabs(share[0]) + fabs(share[1]) + fabs(share[2])) / 2; // of the area
        assert_true(corners < before);
        before = corners / (pieces > 1 ? 3.9 : 1); // quadratic
        assert_int_equal(s->surface[0].ntri, pieces * pieces);
        stage_free(s);
    }
}

// Neighbours share the vertices on their common side, so that no gap opens.
static void finely_cut_faces_of_neighbours_fit(void **state)
{
    (void)state;
    dice d = {5};
    double centre[3] = {0, 0, 0};
    crate *c = crate_create(&d, 2, centre, 1, 0.1);
    for (int pieces = 1; pieces < 5; pieces++) {
        stage *s = stage_create();
        surface_source from = {
            .nnode = c->nnode, .x = c->x, .nface = c->nface, .face = c->face, .pieces = pieces};
        stage_add(s, from, false);
        const contact_surface *own = &s->surface[0];
        assert_true(own->closed);
        int ntri = 0, nedge = 0; // of the first of both cuts of every face
        for (int t = 0; t < own->ntri; t++)
            ntri += !own->second[t];
        for (int e = 0; e < own->nedge; e++)
            nedge += own->edge[4 * e + 2] >= 0;
        assert_int_equal(own->nvertex - nedge + ntri, 2);
        assert_int_equal(own->ntri, 2 * ntri);
        for (int v = 0; v < own->nvertex; v++) {
            double sum = 0;
            for (int e = own->entry_adr[v]; e < own->entry_adr[v + 1]; e++)
                sum += own->entry[e].weight;
            assert_true(fabs(sum - 1) < 1e-14);
        }
        stage_free(s);
    }
    free(c);
}

static void vertices_follow_nodes_and_frames(void **state)
{
    (void)state;
    dice d = {6};
    double centre[3] = {0, 0, 0}, angle[3] = {0.3, -0.2, 0.9};
    crate *c = crate_create(&d, 2, centre, 1, 0.1);
    stage *s = stage_create();
    int rigid;
    contact_frame at = {.at = {1, 2, 3}};
    mat_from_angles(at.R, angle);
    stage_obstacle(s, (contact_shape){.kind = SHAPE_BOX, .half = {1, 1, 1}}, at, &rigid);
    surface_source from = {.nnode = c->nnode, .x = c->x, .nface = c->nface, .face = c->face};
    int soft = stage_add(s, from, false);
    stage_ready(s);
    for (int i = 0; i < 3 * s->nnode; i++) // a linear map is followed exactly
        s->x[i] = 2 * c->x[i] + (i % 3 == 1 ? c->x[i - 1] : 0);
    proximity_positions_at(&s->world, &s->positions, s->x, s->frame);
    for (int v = 0; v < s->surface[soft].nvertex; v++) {
        const double *r = &s->surface[soft].rest[3 * v];
        const double *p = &s->positions.x[3 * (s->world.vertex_adr[soft] + v)];
        assert_true(fabs(p[0] - 2 * r[0]) + fabs(p[1] - 2 * r[1] - r[0]) < 1e-12);
    }
    for (int v = 0; v < 8; v++) {
        double q[3];
        mat_apply(q, at.R, &s->surface[rigid].rest[3 * v]);
        vec_axpy(q, 1, at.at);
        assert_true(vec_distance(q, &s->positions.x[3 * (s->world.vertex_adr[rigid] + v)]) < 1e-14);
    }
    free(c);
    stage_free(s);
}

// A rod is beside itself up to half of the narrowest circle, not only where segments meet.
static void thick_rods_know_what_is_beside(void **state)
{
    (void)state;
    enum { N = 41 };
    double x[3 * N] = {0}, radius[N];
    int segment[2 * N];
    for (int i = 0; i < N; i++) {
        x[3 * i] = 0.1 * i;
        radius[i] = 0.25; // half a circle is 0.785: seven segments
        segment[2 * i] = i;
        segment[2 * i + 1] = i + 1;
    }
    stage *s = stage_create();
    surface_source from = {
        .nnode = N, .x = x, .nsegment = N - 1, .segment = segment, .radius = radius};
    stage_add(s, from, false);
    const contact_surface *own = &s->surface[0];
    assert_int_equal(own->beside_adr[21] - own->beside_adr[20], 15);
    stage_match(s, (proximity_match){.first = 0, .second = 0, .self = true});
    stage_ready(s);
    assert_int_equal(stage_find(s, 0.1), 0);
    for (int i = 0; i < N; i++) { // bent to a ring of radius 0.7 it meets its own end
        double angle = 0.1 * i / 0.7;
        s->x[3 * i] = 0.7 * sin(angle);
        s->x[3 * i + 1] = 0.7 * cos(angle);
    }
    assert_true(stage_find(s, 0.1) > 0);
    stage_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crate_is_closed_and_looks_outwards),
        cmocka_unit_test(a_rigid_crate_has_only_the_edges_of_a_cube),
        cmocka_unit_test(a_box_is_a_closed_surface_of_its_size),
        cmocka_unit_test(faces_of_hexahedra_hand_over_as_their_shape_functions_do),
        cmocka_unit_test(finer_cuts_of_quadratic_faces_come_to_their_shape_functions),
        cmocka_unit_test(finely_cut_faces_of_neighbours_fit),
        cmocka_unit_test(vertices_follow_nodes_and_frames),
        cmocka_unit_test(thick_rods_know_what_is_beside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
