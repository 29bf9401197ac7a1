// Rods that touch: thick segments against shapes, meshes and other rods.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/stage.h"

static void add(scene *s, skin_source source)
{
    int k = s->world.nskin++;
    source.node_adr = s->nnode;
    assert_int_equal(skin_build(&s->skin[k], &source, &s->memory), LITHE_OK);
    assert_int_equal(skin_pose_create(&s->skin[k], &s->memory, &s->pose[k]), LITHE_OK);
    memcpy(&s->x[3 * (size_t)s->nnode], source.x, 3 * (size_t)source.nnode * sizeof *source.x);
    s->nnode += source.nnode;
}

// A straight rod of n segments.
static void add_rod(scene *s, int n, const double from[3], const double to[3], double radius)
{
    double x[3 * 40], r[40];
    int segment[80];
    for (int i = 0; i <= n; i++) {
        r[i] = radius;
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = from[k] + (to[k] - from[k]) * i / n;
        segment[2 * i] = i;
        segment[2 * i + 1] = i + 1;
    }
    add(s, (skin_source){.nnode = n + 1, .x = x, .nsegment = n, .segment = segment, .radius = r});
}

static void detect(scene *s)
{
    for (int k = 0; k < s->world.nskin; k++)
        skin_follow(&s->skin[k], &s->pose[k], s->x, &s->at);
    contact_detect(&s->world, &s->poses, 400, &s->list);
}

// Every gap's gradient against central differences.
static void assert_gradients(scene *s, double tolerance)
{
    enum { MOST = 400 };
    static contact before[MOST];
    static contact_entry entry[6 * MOST];
    const double h = 1e-6;
    detect(s);
    int n = s->list.n;
    assert_true(n > 0);
    memcpy(before, s->list.contact, (size_t)n * sizeof *before);
    memcpy(entry, s->list.entry, (size_t)s->list.nentry * sizeof *entry);
    for (int c = 0; c < n; c++)
        for (int e = 0; e < before[c].n; e++)
            for (int k = 0; k < 3; k++) {
                const contact_entry *at = &entry[before[c].adr + e];
                double *x = &s->x[3 * at->node + k], gap[2];
                for (int side = 0; side < 2; side++) {
                    *x += side ? h : -h;
                    detect(s);
                    const contact *same = scene_find(s, before[c].id);
                    assert_non_null(same);
                    gap[side] = same->gap;
                    *x -= side ? h : -h;
                }
                NEAR((gap[1] - gap[0]) / (2 * h), at->H[k], tolerance);
            }
    detect(s);
}

static void a_rod_lies_on_a_ball_between_its_nodes(void **state)
{
    (void)state;
    scene *s = scene_create();
    add_rod(s, 2, (double[]){-1.3, 0.05, 0.66}, (double[]){0.9, 0.02, 0.64}, 0.1);
    s->shape = (contact_shape){SHAPE_SPHERE, 0.5, {0}};
    s->pair.alarm = 0.06;
    detect(s);
    assert_int_equal(s->list.n, 1);
    const contact *c = &s->list.contact[0];
    assert_int_equal(c->n, 2);
    assert_true(c->gap < 0.06 && c->gap > 0.03 && c->normal[2] > 0.9);
    assert_gradients(s, 1e-7);
    scene_free(s);
}

static void a_rod_across_a_ridge_is_held_by_it(void **state)
{
    (void)state;
    static shell box;
    scene *s = scene_create();
    memset(&box, 0, sizeof box);
    shell_box(&box, 3, (double[]){0, 0, 0}, (double[]){0.2, 0.2, 0.2});
    // slanted, so that one edge of the box is nearest, and no node of the rod is near
    add_rod(s, 1, (double[]){-1, 0.03, 0.9}, (double[]){1.1, 0.01, -0.25}, 0.05);
    add(s, (skin_source){.nnode = box.nnode, .x = box.x, .ntri = box.ntri, .tri = box.tri});
    s->pair = (contact_pair){.first = 0, .second = 1, .alarm = 0.1};
    for (int turn = 0; turn < 2; turn++) {
        assert_gradients(s, 1e-6);
        double sum[3] = {0};
        for (int i = 0; i < s->list.n; i++)
            for (int e = 0; e < s->list.contact[i].n; e++)
                for (int k = 0; k < 3; k++)
                    sum[k] += s->list.entry[s->list.contact[i].adr + e].H[k];
        for (int k = 0; k < 3; k++)
            NEAR(sum[k], 0, 1e-14); // what the one gets the other gives
        assert_true(turn ? s->list.contact[0].normal[2] < 0 : s->list.contact[0].normal[2] > 0);
        s->pair = (contact_pair){.first = 1, .second = 0, .alarm = 0.1};
    }
    scene_free(s);
}

static void crossing_rods_touch_once(void **state)
{
    (void)state;
    scene *s = scene_create();
    add_rod(s, 7, (double[]){-1, 0, 0}, (double[]){1.2, 0, 0.01}, 0.1);
    add_rod(s, 5, (double[]){0.1, -1, 0.22}, (double[]){0, 1.1, 0.24}, 0.1);
    s->pair = (contact_pair){.first = 0, .second = 1, .alarm = 0.04};
    detect(s);
    assert_int_equal(s->list.n, 1);
    assert_int_equal(s->list.contact[0].n, 4);
    NEAR(s->list.contact[0].gap, 0.03, 0.01);
    assert_true(s->list.contact[0].normal[2] < -0.99);
    assert_gradients(s, 1e-7);
    scene_free(s);
}

// Near a joint of the other rod the nearest point is a node, which two segments share.
static void a_node_between_two_segments_is_one_contact(void **state)
{
    (void)state;
    scene *s = scene_create();
    add_rod(s, 1, (double[]){-1, 0, 0}, (double[]){1, 0, 0}, 0.1);
    double x[9] = {0, -1, 0.8, 0, 0, 0.23, 0, 1, 0.8}, radius[3] = {0.1, 0.1, 0.1};
    int segment[4] = {0, 1, 1, 2};
    add(s, (skin_source){.nnode = 3, .x = x, .nsegment = 2, .segment = segment, .radius = radius});
    s->pair = (contact_pair){.first = 0, .second = 1, .alarm = 0.04};
    detect(s);
    assert_int_equal(s->list.n, 1);
    NEAR(s->list.contact[0].gap, 0.03, 1e-12);
    scene_free(s);
}

static void a_hollow_mesh_keeps_a_rod_inside(void **state)
{
    (void)state;
    static shell ball;
    scene *s = scene_create();
    memset(&ball, 0, sizeof ball);
    shell_sphere(&ball, 8, (double[]){0, 0, 0}, 1);
    for (int t = 0; t < ball.ntri; t++) { // normals inwards: solid is outside
        int b = ball.tri[3 * t + 1];
        ball.tri[3 * t + 1] = ball.tri[3 * t + 2];
        ball.tri[3 * t + 2] = b;
    }
    add_rod(s, 4, (double[]){-0.2, 0, 0}, (double[]){0.93, 0, 0}, 0.1);
    add(s, (skin_source){.nnode = ball.nnode, .x = ball.x, .ntri = ball.ntri, .tri = ball.tri});
    s->pair = (contact_pair){.first = 0, .second = 1, .alarm = 0.05};
    detect(s);
    assert_true(s->list.n >= 1);
    for (int i = 0; i < s->list.n; i++) {
        assert_true(s->list.contact[i].gap >= s->list.contact[0].gap - 1e-12);
        assert_true(s->list.contact[i].normal[0] < -0.9);
        for (int j = 0; j < i; j++)
            assert_true(s->list.contact[i].id != s->list.contact[j].id);
    }
    assert_true(s->list.contact[0].gap < -0.02 && s->list.contact[0].gap > -0.06);
    scene_free(s);
}

// Where three walls meet, each of them holds the end of the rod.
static void in_a_corner_every_wall_holds(void **state)
{
    (void)state;
    static shell box;
    scene *s = scene_create();
    memset(&box, 0, sizeof box);
    shell_box(&box, 4, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    for (int t = 0; t < box.ntri; t++) {
        int b = box.tri[3 * t + 1];
        box.tri[3 * t + 1] = box.tri[3 * t + 2];
        box.tri[3 * t + 2] = b;
    }
    add_rod(s, 2, (double[]){0, 0, 0}, (double[]){0.87, 0.88, 0.89}, 0.1);
    add(s, (skin_source){.nnode = box.nnode, .x = box.x, .ntri = box.ntri, .tri = box.tri});
    s->pair = (contact_pair){.first = 0, .second = 1, .alarm = 0.05};
    detect(s);
    assert_int_equal(s->list.n, 3);
    double sum[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            sum[k] += s->list.contact[i].gap * s->list.contact[i].normal[k];
    for (int k = 0; k < 3; k++)
        NEAR(sum[k], -(0.03 - 0.01 * k), 1e-12);
    assert_gradients(s, 1e-7);
    scene_free(s);
}

static void an_obstacles_mesh_follows_its_frame(void **state)
{
    (void)state;
    static shell box;
    scene *s = scene_create();
    memset(&box, 0, sizeof box);
    shell_box(&box, 2, (double[]){0, 0, 0}, (double[]){0.5, 0.5, 0.5});
    skin_source source = {
        .nnode = box.nnode, .x = box.x, .node_adr = -1, .ntri = box.ntri, .tri = box.tri};
    assert_int_equal(skin_build(&s->skin[0], &source, &s->memory), LITHE_OK);
    assert_int_equal(skin_pose_create(&s->skin[0], &s->memory, &s->pose[0]), LITHE_OK);
    s->at = pose_turned(0.3, 1, 2, 3);
    skin_follow(&s->skin[0], &s->pose[0], NULL, &s->at);
    for (int v = 0; v < s->skin[0].nvertex; v++)
        for (int k = 0; k < 3; k++) {
            const double *q = &s->skin[0].rest[3 * v];
            double p = s->at.at[k];
            for (int l = 0; l < 3; l++)
                p += s->at.R[3 * k + l] * q[l];
            NEAR(s->pose[0].x[3 * v + k], p, 1e-15);
        }
    scene_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_lies_on_a_ball_between_its_nodes),
        cmocka_unit_test(a_rod_across_a_ridge_is_held_by_it),
        cmocka_unit_test(crossing_rods_touch_once),
        cmocka_unit_test(a_node_between_two_segments_is_one_contact),
        cmocka_unit_test(a_hollow_mesh_keeps_a_rod_inside),
        cmocka_unit_test(in_a_corner_every_wall_holds),
        cmocka_unit_test(an_obstacles_mesh_follows_its_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
