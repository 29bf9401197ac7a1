#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/stage.h"

// Moves nodes at random a little and compares every gap that is still there with what H says.
static void assert_gradients(scene *s, double h, double tolerance)
{
    unsigned seed = 99;
    static double dx[3 * 40000], keep[3 * 40000];
    static contact_entry entry[24000];
    static contact before[4000];
    scene_detect(s, 4000);
    int n = s->list.n, compared = 0;
    assert_true(n > 0);
    memcpy(before, s->list.contact, (size_t)n * sizeof *before);
    memcpy(entry, s->list.entry, (size_t)s->list.nentry * sizeof *entry);
    memcpy(keep, s->x, sizeof keep);
    for (int i = 0; i < 3 * s->nnode; i++) {
        dx[i] = h * (uniform(&seed) - 0.5);
        s->x[i] += dx[i];
    }
    scene_detect(s, 4000);
    for (int i = 0; i < n; i++) {
        const contact *after = scene_find(s, before[i].id);
        double expected = before[i].gap;
        for (int k = 0; k < before[i].n; k++) {
            const contact_entry *e = &entry[before[i].adr + k];
            expected += vec_dot(e->H, &dx[3 * e->node]);
        }
        if (after) {
            NEAR(after->gap, expected, tolerance);
            compared++;
        }
    }
    assert_true(compared >= n - n / 10);
    memcpy(s->x, keep, sizeof keep);
}

static void gaps_to_a_shape_change_as_their_gradient_says(void **state)
{
    (void)state;
    const contact_shape shapes[] = {{SHAPE_PLANE, 0, {0}},
                                    {SHAPE_SPHERE, 1.0, {0}},
                                    {SHAPE_CAPSULE, 0.6, {0, 0, 1}},
                                    {SHAPE_CYLINDER, 0.8, {0, 0, 1}},
                                    {SHAPE_PIPE, 1.02, {0}}};
    for (int k = 0; k < 5; k++) {
        scene *s = scene_create();
        shell *ball = sphere_of(8, 0, 0, k == 4 ? 0.28 : 1.0, 0.99);
        scene_add(s, ball, false);
        s->shape = shapes[k];
        s->at = pose_turned(k == 0 ? 0 : 0.3, 0, 0, k == 0 ? 0 : k == 4 ? 0 : -0.95);
        s->pair.alarm = 0.15;
        assert_gradients(s, 1e-6, 1e-10);
        free(ball);
        scene_free(s);
    }
}

// H at two shapes a little apart, against the second derivative between them.
static void gradients_to_a_shape_change_as_their_curvature_says(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *block = box_of(1, 0, 0, 0, 1);
    scene_add(s, block, false);
    s->shape = (contact_shape){SHAPE_SPHERE, 0.5, {0}};
    s->at.at[2] = 1.48;
    unsigned seed = 5;
    for (int where = 0; where < 3; where++) { // a face, an edge, a vertex
        s->at.at[0] = where == 0 ? 0.4 : where == 1 ? 0.2 : 1;
        s->at.at[1] = where == 0 ? 0.1 : where == 1 ? 1.2 : 1;
        s->at.at[2] = where == 0 ? 1.48 : where == 1 ? 1.3 : 1.45;
        for (int trial = 0; trial < 5; trial++) {
            double dx[3 * 20], gradient[2][9], H[81];
            contact_entry entry[3];
            for (int i = 0; i < 3 * block->nnode; i++)
                dx[i] = 1e-5 * (uniform(&seed) - 0.5);
            scene_detect(s, 4000);
            int best = -1;
            for (int i = 0; i < s->list.n; i++)
                if (s->list.contact[i].n == 3 - where)
                    best = i;
            assert_true(best >= 0);
            uint64_t id = s->list.contact[best].id;
            int n = s->list.contact[best].n;
            memcpy(entry, &s->list.entry[s->list.contact[best].adr], (size_t)n * sizeof *entry);
            assert_true(contact_curvature(&s->list, best, s->x, H));
            for (int side = 0; side < 2; side++) {
                for (int i = 0; i < 3 * block->nnode; i++)
                    s->x[i] += (side ? -1 : 0.5) * dx[i];
                scene_detect(s, 4000);
                const contact *c = scene_find(s, id);
                assert_non_null(c);
                for (int i = 0; i < 3 * n; i++)
                    gradient[side][i] = s->list.entry[c->adr + i / 3].H[i % 3];
            }
            for (int i = 0; i < 3 * block->nnode; i++)
                s->x[i] += 0.5 * dx[i];
            for (int i = 0; i < 3 * n; i++) {
                double expected = 0;
                for (int j = 0; j < 3 * n; j++)
                    expected += H[3 * n * i + j] * dx[3 * entry[j / 3].node + j % 3];
                NEAR(gradient[0][i] - gradient[1][i], expected, 2e-9);
            }
        }
    }
    free(block);
    scene_free(s);
}

static void gaps_between_skins_change_as_their_gradient_says(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *lower = sphere_of(7, 0, 0, 0, 1), *upper = sphere_of(5, 0.3, 0.2, 1.95, 1);
    scene_add(s, lower, false);
    scene_add(s, upper, false);
    s->pair.second = 1;
    assert_gradients(s, 1e-6, 1e-9);
    // forces on the two sides are opposite, and their moments too
    for (int i = 0; i < s->list.n; i++) {
        const contact *c = &s->list.contact[i];
        double force[3] = {0, 0, 0};
        for (int k = 0; k < c->n; k++)
            vec_axpy(force, 1, s->list.entry[c->adr + k].H);
        NEAR(vec_norm(force), 0, 1e-12);
    }
    free(lower);
    free(upper);
    scene_free(s);
}

static void every_vertex_below_a_plane_is_found_and_none_above_the_alarm(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *ball = sphere_of(12, 0, 0, 0.95, 1);
    scene_add(s, ball, false);
    s->shape = (contact_shape){SHAPE_PLANE, 0, {0}};
    s->pair.alarm = 0.02;
    scene_detect(s, 4000);
    int expected = 0;
    double least = INFINITY, gap = INFINITY;
    for (int i = 0; i < ball->nnode; i++) {
        expected += ball->x[3 * i + 2] <= 0.02;
        least = fmin(least, ball->x[3 * i + 2]);
    }
    assert_int_equal(s->list.n, expected);
    for (int i = 0; i < s->list.n; i++)
        gap = fmin(gap, s->list.contact[i].gap);
    NEAR(gap, least, 1e-15);
    free(ball);
    scene_free(s);
}

static void a_small_ball_on_a_large_face_is_one_contact(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *block = box_of(1, 0, 0, 0, 1); // two triangles a side
    scene_add(s, block, false);
    s->shape = (contact_shape){SHAPE_SPHERE, 0.1, {0}};
    s->at.at[0] = 0.3;
    s->at.at[1] = 0.1;
    s->at.at[2] = 1.08;
    scene_detect(s, 4000);
    assert_int_equal(s->list.n, 1);
    NEAR(s->list.contact[0].gap, -0.02, 1e-9);
    NEAR(s->list.contact[0].normal[2], -1, 1e-6);
    double z = 0, weight = 0;
    for (int k = 0; k < s->list.contact[0].n; k++) {
        weight += s->list.entry[k].weight;
        z += s->list.entry[k].weight * s->x[3 * s->list.entry[k].node];
    }
    NEAR(weight, 1, 1e-12);
    NEAR(z, 0.3, 1e-6);
    // on the edge between two triangles it is still one
    s->at.at[1] = 0.3;
    scene_detect(s, 4000);
    assert_int_equal(s->list.n, 1);
    // the corner of a box does the same
    s->shape = (contact_shape){SHAPE_BOX, 0, {0.1, 0.1, 0.1}};
    s->at = pose_turned(0.7, 0.3, 0.1, 1.12);
    s->pair.alarm = 0.03;
    scene_detect(s, 4000);
    assert_int_equal(s->list.n, 1);
    free(block);
    scene_free(s);
}

// A box that is turned a little over a rod: ridges, faces and corners. What is found is as deep as
// any of many points of the surface.
static void no_point_of_a_surface_is_deeper_than_what_is_found(void **state)
{
    (void)state;
    for (int trial = 0; trial < 60; trial++) {
        scene *s = scene_create();
        shell *b = box_of(2, 0, 0, 0, 0.5);
        double turn[3] = {0.7 * sin(trial), 0.02 * cos(3 * trial), 0.5 * sin(7 * trial)}, R[9];
        mat_from_angles(R, turn);
        for (int i = 0; i < b->nnode; i++) {
            double old[3];
            memcpy(old, &b->x[3 * i], sizeof old);
            mat_apply(&b->x[3 * i], R, old);
        }
        scene_add(s, b, false);
        static const shape_kind kind[] = {SHAPE_CYLINDER, SHAPE_CAPSULE, SHAPE_SPHERE};
        s->shape = (contact_shape){kind[trial % 3], 0.3, {0, 0, 2}};
        double height = 0;
        for (int i = 0; i < b->nnode; i++)
            height = fmin(height, b->x[3 * i + 2]);
        s->at = (contact_frame){{0, 0, 1, 1, 0, 0, 0, 1, 0}, {0.1, 0.05, height - 0.299}};
        scene_detect(s, 4000);
        double found = INFINITY, deepest = INFINITY;
        for (int i = 0; i < s->list.n; i++)
            found = fmin(found, s->list.contact[i].gap);
        for (int t = 0; t < s->skin[0].ntri; t++)
            for (int i = 0; i <= 60; i++)
                for (int j = 0; i + j <= 60; j++) {
                    double w[3] = {i / 60.0, j / 60.0, (60 - i - j) / 60.0}, q[3] = {0}, n[3];
                    for (int k = 0; k < 3; k++)
                        vec_axpy(q, w[k], &s->pose[0].x[3 * s->skin[0].tri[3 * t + k]]);
                    double d = shape_distance(&s->shape, &s->at, q, n);
                    deepest = fmin(deepest, d);
                }
        if (deepest < 0.1)
            assert_true(found <= deepest + 1e-9);
        free(b);
        scene_free(s);
    }
}

static void crossed_edges_touch_where_no_vertex_does(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *lower = box_of(1, 0, 0, 0, 1), *upper = box_of(1, 0, 0, 0, 1);
    // two long bars, each on its edge, crossed
    for (int i = 0; i < lower->nnode; i++) {
        double *p = &lower->x[3 * i], *q = &upper->x[3 * i];
        double y = p[1], z = p[2];
        p[0] *= 10;
        p[1] = (y + z) / sqrt(2);
        p[2] = (z - y) / sqrt(2);
        double a = q[0], b = q[2];
        q[1] *= 10;
        q[0] = (a + b) / sqrt(2);
        q[2] = (b - a) / sqrt(2) + 2 * sqrt(2) + 0.01;
    }
    scene_add(s, lower, false);
    scene_add(s, upper, false);
    s->pair.second = 1;
    scene_detect(s, 4000);
    assert_int_equal(s->list.n, 1);
    NEAR(s->list.contact[0].gap, 0.01, 1e-12);
    NEAR(fabs(s->list.contact[0].normal[2]), 1, 1e-12);
    for (int i = 0; i < upper->nnode; i++)
        s->x[3 * (lower->nnode + i) + 2] -= 0.03; // now they overlap
    scene_detect(s, 4000);
    assert_int_equal(s->list.n, 1);
    NEAR(s->list.contact[0].gap, -0.02, 1e-12);
    assert_gradients(s, 1e-6, 1e-10);
    free(lower);
    free(upper);
    scene_free(s);
}

static void deep_inside_a_closed_mesh_the_nearest_way_out_is_found(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *ball = sphere_of(6, 0, 0, 1.3, 0.5), *block = box_of(4, 0, 0, 0, 1);
    scene_add(s, ball, false);
    scene_add(s, block, true);
    s->pair.second = 1;
    scene_detect(s, 4000);
    double deepest = 0;
    for (int i = 0; i < s->list.n; i++) {
        deepest = fmin(deepest, s->list.contact[i].gap);
        bool of_ball = s->list.entry[s->list.contact[i].adr].weight == 1;
        if (s->list.contact[i].gap < -0.1) // a vertex of the block sees a slanted facet of the ball
            NEAR(s->list.contact[i].normal[2], 1, of_ball ? 1e-6 : 0.05);
    }
    NEAR(deepest, -0.2, 1e-9);
    free(ball);
    free(block);
    scene_free(s);
}

static void what_flies_through_a_thin_wall_in_one_step_is_caught(void **state)
{
    (void)state;
    for (int mesh = 0; mesh < 2; mesh++) {
        scene *s = scene_create();
        shell *ball = sphere_of(4, 0, 0, 3, 0.2), *wall = box_of(2, 0, 0, 0, 1);
        for (int i = 0; i < wall->nnode; i++)
            wall->x[3 * i + 2] *= 0.02;
        scene_add(s, ball, false);
        if (mesh) {
            scene_add(s, wall, true);
            s->pair.second = 1;
        }
        s->shape = (contact_shape){SHAPE_BOX, 0, {1, 1, 0.02}};
        contact_frame before = s->at;
        s->poses.before = s->before;
        s->poses.shape_before = &before;
        for (int i = 0; i < ball->nnode; i++)
            s->x[3 * i + 2] -= 5; // far behind it
        scene_detect(s, 4000);
        int caught = 0;
        for (int i = 0; i < s->list.n; i++) {
            NEAR(s->list.contact[i].normal[2], 1, 1e-6);
            assert_true(s->list.contact[i].gap < -1.5);
            caught++;
        }
        assert_true(caught >= ball->nnode / 3);
        free(ball);
        free(wall);
        scene_free(s);
    }
}

// A clip: two blades above each other, joined on one side.
static shell *clip_of(double slit, double blade)
{
    shell *s = calloc(1, sizeof *s);
    enum { N = 12 };
    double z[4] = {-blade - slit / 2, -slit / 2, slit / 2, blade + slit / 2};
    for (int k = 0; k < 4; k++) {
        double p[3] = {0, 0, z[k]}, u[3] = {1, 0, 0}, v[3] = {0, 0.3, 0};
        if (k % 2 == 0)
            shell_patch(s, N, p, v, u); // normals down
        else
            shell_patch(s, N, p, u, v);
    }
    return s;
}

static void a_slit_closes_but_a_wall_is_not_two_surfaces(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *clip = clip_of(0.05, 0.02);
    scene_add(s, clip, false);
    s->pair = (contact_pair){.first = 0, .second = 0, .self = true, .alarm = 0.06};
    scene_detect(s, 4000);
    assert_true(s->list.n >= 169);
    for (int i = 0; i < s->list.n; i++)
        NEAR(s->list.contact[i].gap, 0.05, 1e-12); // across the slit, not through the blades
    for (int i = 0; i < clip->nnode; i++)
        s->x[3 * i + 2] *= clip->x[3 * i + 2] * clip->x[3 * i + 2] < 1e-3 ? -0.2 : 1;
    scene_detect(s, 4000);
    for (int i = 0; i < s->list.n; i++)
        NEAR(s->list.contact[i].gap, -0.01, 1e-12); // the inner surfaces have passed each other
    free(clip);
    scene_free(s);
}

static void ids_persist_while_the_same_features_meet(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *ball = sphere_of(8, 0, 0, 1, 1);
    scene_add(s, ball, false);
    s->shape = (contact_shape){SHAPE_SPHERE, 3, {0}};
    s->at.at[2] = -3;
    scene_detect(s, 4000);
    static uint64_t id[4000];
    int n = s->list.n;
    for (int i = 0; i < n; i++) {
        id[i] = s->list.contact[i].id;
        for (int j = 0; j < i; j++)
            assert_true(id[i] != id[j]);
    }
    for (int i = 0; i < ball->nnode; i++)
        s->x[3 * i] += 0.001;
    scene_detect(s, 4000);
    int same = 0;
    for (int i = 0; i < n; i++)
        same += scene_find(s, id[i]) != NULL;
    assert_true(same >= n - 4);
    free(ball);
    scene_free(s);
}

static void wrench_of(const scene *s, double pressure, double wrench[6])
{
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int i = 0; i < s->list.n; i++) {
        const contact *c = &s->list.contact[i];
        for (int k = 0; k < c->n; k++) {
            const contact_entry *e = &s->list.entry[c->adr + k];
            double moment[3];
            vec_cross(moment, &s->x[3 * e->node], e->H);
            vec_axpy(wrench, pressure * c->area, e->H);
            vec_axpy(wrench + 3, pressure * c->area, moment);
        }
    }
}

static void fewer_rows_keep_the_wrench_of_an_even_pressure(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *block = box_of(8, 0.2, 0.1, 0.49, 0.5);
    scene_add(s, block, false);
    s->shape = (contact_shape){SHAPE_PLANE, 0, {0}};
    scene_detect(s, 4000);
    double all[6], few[6];
    wrench_of(s, 1e3, all);
    assert_int_equal(s->list.n, 81);
    for (int most = 1; most <= 40; most += 13) {
        scene_detect(s, most);
        assert_int_equal(s->list.n, most);
        assert_int_equal(s->list.merged, 81 - most);
        assert_int_equal(s->list.lost, 0);
        wrench_of(s, 1e3, few);
        for (int i = 0; i < 6; i++)
            NEAR(few[i], all[i], 1e-9);
    }
    free(block);
    scene_free(s);
}

static void a_pair_that_is_switched_off_gives_nothing(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *ball = sphere_of(6, 0, 0, 0.9, 1);
    scene_add(s, ball, false);
    s->shape = (contact_shape){SHAPE_PLANE, 0, {0}};
    bool off = true;
    s->poses.off = &off;
    scene_detect(s, 4000);
    assert_int_equal(s->list.n, 0);
    free(ball);
    scene_free(s);
}

static void the_tree_finds_what_looking_at_every_triangle_finds(void **state)
{
    (void)state;
    scene *s = scene_create();
    shell *ball = sphere_of(10, 0, 0, 0, 1);
    scene_add(s, ball, false);
    unsigned seed = 31;
    for (int i = 0; i < 500; i++) {
        double p[3], least = INFINITY;
        for (int k = 0; k < 3; k++)
            p[k] = 3 * uniform(&seed) - 1.5;
        skin_point found = skin_nearest(&s->skin[0], &s->pose[0], p, 10);
        for (int t = 0; t < ball->ntri; t++) {
            const double *c[3];
            double w[3], q[3] = {0, 0, 0};
            for (int k = 0; k < 3; k++)
                c[k] = &s->pose[0].x[3 * s->skin[0].tri[3 * t + k]];
            nearest_on_triangle(p, c, w);
            for (int k = 0; k < 3; k++)
                vec_axpy(q, w[k], c[k]);
            least = fmin(least, vec_distance(p, q));
        }
        NEAR(fabs(found.distance), least, 1e-14);
        if (fabs(vec_norm(p) - 1) > 0.05)
            assert_true((found.distance > 0) == (vec_norm(p) > 1));
        skin_point none = skin_nearest(&s->skin[0], &s->pose[0], p, 0.5 * least);
        assert_int_equal(none.tri, -1);
    }
    free(ball);
    scene_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_to_a_shape_change_as_their_gradient_says),
        cmocka_unit_test(gradients_to_a_shape_change_as_their_curvature_says),
        cmocka_unit_test(gaps_between_skins_change_as_their_gradient_says),
        cmocka_unit_test(every_vertex_below_a_plane_is_found_and_none_above_the_alarm),
        cmocka_unit_test(a_small_ball_on_a_large_face_is_one_contact),
        cmocka_unit_test(no_point_of_a_surface_is_deeper_than_what_is_found),
        cmocka_unit_test(crossed_edges_touch_where_no_vertex_does),
        cmocka_unit_test(deep_inside_a_closed_mesh_the_nearest_way_out_is_found),
        cmocka_unit_test(what_flies_through_a_thin_wall_in_one_step_is_caught),
        cmocka_unit_test(a_slit_closes_but_a_wall_is_not_two_surfaces),
        cmocka_unit_test(ids_persist_while_the_same_features_meet),
        cmocka_unit_test(fewer_rows_keep_the_wrench_of_an_even_pressure),
        cmocka_unit_test(a_pair_that_is_switched_off_gives_nothing),
        cmocka_unit_test(the_tree_finds_what_looking_at_every_triangle_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
