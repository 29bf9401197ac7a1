// What overlaps is found with its depth and the way out, against winding numbers and search.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/penetration.h"
#include "contact/world.h"

static int look(stage *s, penetration_list *list, double below, double deep)
{
    int n;
    proximity_positions_at(&s->world, &s->positions, s->x, s->frame);
    assert_int_equal(penetration_reserve(&s->world, list, 1), LITHE_OK);
    while ((n = penetration_find(&s->world, &s->positions, NULL, below, deep, list)) > list->max)
        assert_int_equal(penetration_reserve(&s->world, list, n), LITHE_OK);
    return n;
}

// How often a closed surface goes round a point, by solid angles.
static double winding(const stage *s, int surface, const double p[3])
{
    const contact_surface *own = &s->surface[surface];
    double sum = 0;
    for (int t = 0; t < own->ntri; t++) {
        double e[3][3], length[3], c[3];
        for (int i = 0; i < 3; i++) {
            vec_sub(e[i], &s->positions.x[3 * (s->world.vertex_adr[surface] + own->tri[3 * t + i])],
                    p);
            length[i] = vec_norm(e[i]);
        }
        vec_cross(c, e[1], e[2]);
        sum += atan2(vec_dot(e[0], c),
                     length[0] * length[1] * length[2] + vec_dot(e[0], e[1]) * length[2] +
                         vec_dot(e[1], e[2]) * length[0] + vec_dot(e[2], e[0]) * length[1]);
    }
    return sum / (2 * M_PI);
}

static double nearest(const stage *s, int surface, const double p[3])
{
    const contact_surface *own = &s->surface[surface];
    double least = INFINITY;
    for (int t = 0; t < own->ntri; t++) {
        const double *x[4] = {p};
        for (int i = 0; i < 3; i++)
            x[1 + i] = &s->positions.x[3 * (s->world.vertex_adr[surface] + own->tri[3 * t + i])];
        least = fmin(least, brute_distance(1, 3, x));
    }
    return least;
}

static void vertices_inside_are_found_with_their_depth(void **state)
{
    (void)state;
    dice d = {1};
    int inside = 0;
    penetration_list list = {0};
    for (int c = 0; c < 12; c++) {
        double at[3], origin[3] = {0, 0, 0};
        dice_vector(&d, 1.2, at);
        crate *one = crate_create(&d, 2, origin, 1, 0.1), *two = crate_create(&d, 3, at, 0.8, 0.1);
        stage *s = stage_create();
        stage_crate(s, one, false, -1);
        stage_crate(s, two, false, -1);
        stage_match(s, (proximity_match){.first = c % 2, .second = !(c % 2)});
        stage_ready(s);
        int n = look(s, &list, 0, 10), expected = 0;
        for (int k = 0; k < 2; k++)
            for (int v = 0; v < s->surface[k].nvertex; v++) {
                int at_all = s->world.vertex_adr[k] + v, found = -1;
                const double *p = &s->positions.x[3 * at_all];
                for (int i = 0; i < n; i++)
                    if (list.item[i].pair.kind == PAIR_VERTEX_FACE &&
                        list.item[i].pair.vertex[0] == at_all)
                        found = i;
                bool in = winding(s, !k, p) > 0.5;
                assert_int_equal(found >= 0, in);
                expected += in;
                if (in)
                    assert_true(fabs(list.item[found].distance + nearest(s, !k, p)) < 1e-7);
                // along its normal, by its depth, it comes to the surface
                double q[3];
                memcpy(q, p, sizeof q);
                if (in) {
                    vec_axpy(q, -1.001 * list.item[found].distance + 1e-6, list.item[found].normal);
                    assert_true(winding(s, !k, q) < 0.5 ||
                                nearest(s, !k, q) < -list.item[found].distance);
                }
            }
        inside += expected;
        penetration_list_free(&list);
        free(one);
        free(two);
        stage_free(s);
    }
    assert_true(inside > 20);
}

// Two ridges across each other, no vertex inside of anything.
static void edges_through_each_other_are_found(void **state)
{
    (void)state;
    const double h = 0.03, half = 0.5, top = sqrt(0.5);
    stage *s = stage_create();
    penetration_list list = {0};
    double angle[2][3] = {{M_PI / 4, 0, 0}, {0, M_PI / 4, 0}};
    dice d = {1};
    double origin[3] = {0, 0, 0};
    crate *c = crate_create(&d, 1, origin, half, 0);
    for (int k = 0; k < 2; k++) { // ridges along x below, along y above
        double R[9], lift[3] = {0, 0, k ? 2 * top - h : 0};
        double x[24];
        mat_from_angles(R, angle[k]);
        for (int i = 0; i < 8; i++) {
            mat_apply(&x[3 * i], R, &c->x[3 * i]);
            vec_axpy(&x[3 * i], 1, lift);
        }
        stage_add(s, (surface_source){.nnode = 8, .x = x, .ntri = 12, .tri = c->tri}, false);
    }
    stage_match(s, (proximity_match){.first = 0, .second = 1});
    stage_ready(s);
    int n = look(s, &list, 0, 0.2), edges = 0;
    for (int i = 0; i < n; i++) {
        const penetration *p = &list.item[i];
        if (p->pair.kind != PAIR_EDGE_EDGE)
            continue;
        edges++;
        assert_true(fabs(p->distance + h) < 1e-9);
        double up = p->pair.surface[0] == 1 ? 1 : -1; // the second body has to go up
        assert_true(fabs(p->normal[2] - up) < 1e-9);
    }
    assert_int_equal(edges, 1);
    for (int i = 0; i < 8; i++) // apart by as much, nothing overlaps
        s->x[3 * (8 + i) + 2] += h + 1e-9;
    assert_int_equal(look(s, &list, 0, 0.2), 0);
    penetration_list_free(&list);
    free(c);
    stage_free(s);
}

// Flush faces, in contact or overlapping a little: vertices know it, both ways.
static void flush_faces_overlap_by_as_much_as_they_do(void **state)
{
    (void)state;
    dice d = {3};
    for (int k = 0; k < 4; k++) {
        static const double depth[4] = {0, 1e-9, 1e-6, 1e-3};
        double at[3] = {1.8 - depth[k], 0.1, 0.05}, origin[3] = {0, 0, 0};
        crate *one = crate_create(&d, 4, origin, 1, 0), *two = crate_create(&d, 3, at, 0.8, 0);
        stage *s = stage_create();
        penetration_list list = {0};
        stage_crate(s, one, false, -1);
        stage_crate(s, two, false, -1);
        stage_match(s, (proximity_match){.first = 0, .second = 1});
        stage_ready(s);
        int n = look(s, &list, 1e-12, 0.01), vertices = 0;
        for (int i = 0; i < n; i++) {
            const penetration *p = &list.item[i];
            assert_true(fabs(p->distance + depth[k]) < 1e-12);
            double way = p->pair.surface[0] == 0 ? -1 : 1; // the first body has to go back
            assert_true(fabs(p->normal[0] - way) < 1e-6);
            vertices += p->pair.kind == PAIR_VERTEX_FACE;
        }
        assert_true(vertices >= 16 + 9); // all of the smaller, the inner ones of the larger
        free(one);
        free(two);
        penetration_list_free(&list);
        stage_free(s);
    }
}

static void depth_in_round_obstacles_is_that_of_their_distance(void **state)
{
    (void)state;
    const contact_shape shape[5] = {{.kind = SHAPE_SPHERE, .radius = 1},
                                    {.kind = SHAPE_CAPSULE, .radius = 1, .half = {0, 0, 2}},
                                    {.kind = SHAPE_PLANE},
                                    {.kind = SHAPE_PIPE, .radius = 2},
                                    {.kind = SHAPE_CYLINDER, .radius = 1, .half = {0, 0, 3}}};
    const double at[5][3] = {{0.9, 0, 0}, {0, 0.8, 1}, {5, 5, -0.1}, {2.1, 0, 7}, {0.9, 0, 0.5}};
    const double depth[5] = {0.1, 0.2, 0.1, 0.1, 0.1};
    for (int k = 0; k < 5; k++) {
        stage *s = stage_create();
        penetration_list list = {0};
        int surface, own = k < 2;
        stage_obstacle(s, shape[k], stage_still, &surface);
        // a small triangle, one corner deeper than the others
        double x[9];
        int tri[3] = {0, 1, 2};
        for (int i = 0; i < 9; i++)
            x[i] = at[k][i % 3];
        double out[3] = {k == 1 || k == 2 ? 0 : k == 3 ? -1 : 1, k == 1, k == 2};
        vec_axpy(&x[3], 0.05, out);
        vec_axpy(&x[6], 0.05, out);
        x[5] += k == 2 ? 0 : 0.01;
        x[6] += k == 2 ? 0.01 : 0;
        stage_add(s, (surface_source){.nnode = 3, .x = x, .ntri = 1, .tri = tri}, false);
        stage_match(
            s, (proximity_match){.first = 1, .second = own ? surface : -1, .shape = own ? -1 : 0});
        stage_ready(s);
        int n = look(s, &list, 0, 1);
        double deepest = 0;
        for (int i = 0; i < n; i++)
            deepest = fmin(deepest, list.item[i].distance);
        assert_true(n > 0 && fabs(deepest + depth[k]) < 1e-9);
        penetration_list_free(&list);
        stage_free(s);
    }
}

// A thin plate is not inside of itself.
static void the_other_side_of_a_wall_is_no_overlap(void **state)
{
    (void)state;
    dice d = {5};
    double origin[3] = {0, 0, 0};
    crate *one = crate_create(&d, 4, origin, 1, 0);
    for (int i = 0; i < one->nnode; i++)
        one->x[3 * i + 2] *= 0.01;
    stage *s = stage_create();
    penetration_list list = {0};
    stage_crate(s, one, false, -1);
    stage_match(s, (proximity_match){.first = 0, .second = 0, .self = true});
    stage_ready(s);
    assert_int_equal(look(s, &list, 0, 0.1), 0);
    penetration_list_free(&list);
    free(one);
    stage_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_inside_are_found_with_their_depth),
        cmocka_unit_test(edges_through_each_other_are_found),
        cmocka_unit_test(flush_faces_overlap_by_as_much_as_they_do),
        cmocka_unit_test(depth_in_round_obstacles_is_that_of_their_distance),
        cmocka_unit_test(the_other_side_of_a_wall_is_no_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
