// The check of overlaps, against depths that are known and against samples.
#include "contact/check.h"
#include "contact/check_shape.h"
#include "contact/grid.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static const double ROUNDING = 1e-9, SMALL = 1e-6;

// Up to two surfaces and a shape.
typedef struct stage {
    arena memory;
    int nsurface, nnode;
    check_source source[2];
    double *x; // of all nodes (4000 x 3)
    bool *held;
    contact_shape shape;
    contact_frame at;
    check_pair pair;
} stage;

static stage *stage_create(void)
{
    stage *s = calloc(1, sizeof *s);
    s->x = calloc(3 * 20000, sizeof *s->x);
    s->held = calloc(20000, sizeof *s->held);
    s->at = *pose_identity();
    s->pair = (check_pair){.first = 0, .second = -1};
    return s;
}

static void stage_free(stage *s)
{
    arena_free(&s->memory);
    free(s->x);
    free(s->held);
    free(s);
}

static check_source *add(stage *s, int nvertex, const double *x, double radius)
{
    check_source *out = &s->source[s->nsurface++];
    int *node = arena_new(&s->memory, nvertex, int);
    double *rest = arena_new(&s->memory, 3 * nvertex, double);
    double *thick = arena_new(&s->memory, nvertex, double);
    for (int i = 0; i < nvertex; i++) {
        node[i] = s->nnode + i;
        thick[i] = radius;
    }
    memcpy(rest, x, 3 * (size_t)nvertex * sizeof *x);
    memcpy(&s->x[3 * s->nnode], x, 3 * (size_t)nvertex * sizeof *x);
    s->nnode += nvertex;
    *out = (check_source){
        .nvertex = nvertex, .node = node, .rest = rest, .radius = thick, .frame = -1};
    return out;
}

static check_source *add_shell(stage *s, const shell *from, double radius)
{
    check_source *out = add(s, from->nnode, from->x, radius);
    int *tri = arena_new(&s->memory, 3 * from->ntri, int);
    memcpy(tri, from->tri, 3 * (size_t)from->ntri * sizeof *tri);
    out->ntri = from->ntri;
    out->tri = tri;
    s->pair.second = s->nsurface > 1 ? 1 : -1;
    return out;
}

static check_source *add_rod(stage *s, int n, const double *x, double radius)
{
    check_source *out = add(s, n, x, radius);
    int *segment = arena_new(&s->memory, 2 * n, int);
    for (int i = 0; i + 1 < n; i++) {
        segment[2 * i] = i;
        segment[2 * i + 1] = i + 1;
    }
    out->nsegment = n - 1;
    out->segment = segment;
    s->pair.second = s->nsurface > 1 ? 1 : -1;
    return out;
}

static check_source *add_box(stage *s, int n, const double at[3], const double half[3])
{
    shell *b = calloc(1, sizeof *b);
    shell_box(b, n, at, half);
    check_source *out = add_shell(s, b, 0);
    free(b);
    return out;
}

static void rotation(stage *s, int k, const contact_frame *f)
{
    for (int i = 0; i < s->source[k].nvertex; i++) {
        double *x = &s->x[3 * s->source[k].node[i]], y[3];
        mat_apply(y, f->R, x);
        memcpy(x, y, sizeof y);
        vec_axpy(x, 1, f->at);
    }
}

static check_depth look(stage *s)
{
    check_world_def def = {s->nsurface, s->source, 1, &s->shape, 1, &s->pair, s->held};
    check_world *world;
    check_work *work;
    assert_int_equal(check_world_build(&def, &s->memory, &world), LITHE_OK);
    assert_int_equal(check_work_create(world, &s->memory, &work), LITHE_OK);
    check_positions at = {s->x, &s->at, NULL};
    check_depth d = check_overlap(world, work, &at, false, ROUNDING, SMALL);
    bool off = true;
    assert_true((d.pair == 0) == (d.depth > 0));
    check_positions none = {s->x, &s->at, &off};
    assert_true(check_overlap(world, work, &none, false, ROUNDING, SMALL).pair == -1);
    assert_true(check_overlap(world, work, &at, true, ROUNDING, SMALL).pair == -1);
    return d;
}

static const double UNIT[3] = {1, 1, 1};

static double depth_of_boxes(int n, int m, const double at[3], const double half[3])
{
    stage *s = stage_create();
    add_box(s, n, (double[3]){0, 0, 0}, UNIT);
    add_box(s, m, at, half);
    double d = look(s).depth;
    stage_free(s);
    return d;
}

static void surfaces_in_mere_contact_do_not_overlap(void **unused)
{
    (void)unused;
    for (int n = 1; n <= 4; n++)
        for (int k = -1; k <= 1; k++) {
            double off = 2 + 1e-12 * k;
            assert_true(depth_of_boxes(n, 3, (double[3]){off, 0, 0}, UNIT) == 0);
            assert_true(depth_of_boxes(n, n, (double[3]){0.3, off, 0.1}, UNIT) == 0);
            assert_true(depth_of_boxes(n, 2, (double[3]){off, off, 0}, UNIT) == 0);
            assert_true(depth_of_boxes(n, 2, (double[3]){off, off, off}, UNIT) == 0);
        }
    assert_true(depth_of_boxes(2, 2, (double[3]){2.5, 0, 0}, UNIT) == 0);
}

static void boxes_overlap_by_as_much_as_they_were_moved(void **unused)
{
    (void)unused;
    for (int n = 1; n <= 4; n++)
        for (double d = 0.4; d > 1e-5; d /= 8) {
            NEAR(depth_of_boxes(n, 3, (double[3]){2 - d, 0.3, 0.2}, UNIT), d, 0.006 * d);
            NEAR(depth_of_boxes(n, n, (double[3]){0, 0, 2 - d}, UNIT), d, 0.006 * d); // aligned
        }
    NEAR(depth_of_boxes(2, 2, (double[3]){1, 0, 0}, UNIT), 1, 0.006);
}

static void a_box_inside_of_another_is_as_deep_as_it_is(void **unused)
{
    (void)unused;
    NEAR(depth_of_boxes(2, 1, (double[3]){0, 0, 0}, (double[3]){0.1, 0.1, 0.1}), 0.9, 1e-9);
    NEAR(depth_of_boxes(1, 3, (double[3]){0.5, 0, 0}, (double[3]){0.1, 0.1, 0.1}), 0.6, 1e-9);
}

// Two square bars, one on the other, edge across edge: no vertex is inside of anything.
static void edges_that_cross_overlap(void **unused)
{
    (void)unused;
    const double d = 0.02, h = sqrt(0.5), rotated[9] = {1, 0, 0, 0, h, -h, 0, h, h};
    stage *s = stage_create();
    contact_frame one = {.at = {0, 0, -sqrt(2) * 0.5}}, other = {.at = {0, 0, sqrt(2) * 0.5 - d}};
    add_box(s, 1, (double[3]){0, 0, 0}, (double[3]){3, 0.5, 0.5});
    add_box(s, 1, (double[3]){0, 0, 0}, (double[3]){3, 0.5, 0.5});
    memcpy(one.R, rotated, sizeof rotated);
    double across[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    mat_mul(other.R, across, rotated);
    rotation(s, 0, &one);
    rotation(s, 1, &other);
    check_depth found = look(s);
    NEAR(found.depth, d * h, 0.01 * d); // the way out through a face of the other
    NEAR(found.at[0], 0, d);
    NEAR(found.at[1], 0, d);
    for (int i = 0; i < 8; i++)
        s->x[3 * (s->source[1].node[0] + i) + 2] += 1.001 * d;
    assert_true(look(s).depth == 0);
    stage_free(s);
}

// Winding and distance of a point, over all triangles.
static double sampled(const stage *s, int k, const double p[3])
{
    double sum = 0, least = INFINITY, weight[3];
    const check_source *b = &s->source[k];
    for (int t = 0; t < b->ntri; t++) {
        check_item tri = {.n = 3};
        for (int i = 0; i < 3; i++)
            tri.x[i] = &s->x[3 * b->node[b->tri[3 * t + i]]];
        sum += check_solid_angle(p, &tri);
        least = fmin(least, check_point_distance(p, &tri, weight));
    }
    return sum > 0.5 ? least : 0;
}

static double sampled_in(const stage *s, int a, int b, int n)
{
    double most = 0;
    for (int t = 0; t < s->source[a].ntri; t++)
        for (int i = 0; i <= n; i++)
            for (int j = 0; i + j <= n; j++) {
                double w[3] = {(double)i / n, (double)j / n, (double)(n - i - j) / n}, p[3] = {0};
                for (int k = 0; k < 3; k++)
                    vec_axpy(p, w[k], &s->x[3 * s->source[a].node[s->source[a].tri[3 * t + k]]]);
                most = fmax(most, sampled(s, b, p));
            }
    return most;
}

static void no_sample_is_deeper_and_none_is_far_from_what_is_told(void **unused)
{
    (void)unused;
    unsigned seed = 3;
    int deep = 0, apart = 0, n = samples_of(40, 10);
    shell *b = calloc(1, sizeof *b);
    for (int trial = 0; trial < n; trial++) {
        stage *s = stage_create();
        for (int k = 0; k < 2; k++) {
            double half[3] = {0.3 + uniform(&seed), 0.3 + uniform(&seed), 0.3 + uniform(&seed)};
            memset(b, 0, sizeof *b);
            if (trial % 3 == k)
                shell_sphere(b, 2 + trial % 3, (double[3]){0, 0, 0}, half[0]);
            else
                shell_box(b, 1 + trial % 3, (double[3]){0, 0, 0}, half);
            add_shell(s, b, 0);
            contact_frame f = pose_rotated(6 * uniform(&seed), 1.2 * k * uniform(&seed),
                                           1.2 * k * uniform(&seed), 1.2 * k * uniform(&seed));
            rotation(s, k, &f);
        }
        double rough = fmax(sampled_in(s, 0, 1, 8), sampled_in(s, 1, 0, 8));
        double found = look(s).depth;
        assert_true(found >= 0.99 * rough);
        assert_true(found <= rough + 0.1);
        deep += rough > 0.05;
        apart += rough == 0 && found == 0;
        stage_free(s);
    }
    assert_true(deep > n / 4 && apart > n / 20); // of both there were enough
    free(b);
}

static const contact_shape SHAPES[] = {
    {SHAPE_PLANE, 0, {0}},
    {SHAPE_SPHERE, 0.7, {0}},
    {SHAPE_CAPSULE, 0.4, {0, 0, 0.6}},
    {SHAPE_BOX, 0, {0.5, 0.8, 0.3}},
    {SHAPE_CYLINDER, 0.6, {0, 0, 0.5}},
    {SHAPE_CONE, 0.6, {0, 0, 0.5}},
    {SHAPE_PIPE, 1.1, {0}},
};
enum { NSHAPE = sizeof SHAPES / sizeof *SHAPES };

// Largest of radius - distance over a fine grid of an item.
static double sampled_depth(const contact_shape *s, const check_item *item, int n, double *edge)
{
    double most = -INFINITY;
    *edge = 0;
    for (int i = 0; i < item->n; i++)
        *edge = fmax(*edge, vec_distance(item->x[i], item->x[(i + 1) % item->n]));
    for (int i = 0; i <= n; i++)
        for (int j = 0; i + j <= n; j++) {
            double w[3] = {(double)i / n, (double)(n - i - j) / n, (double)j / n}, p[3] = {0},
                   r = 0;
            if (item->n == 2 && j > 0)
                continue;
            for (int k = 0; k < item->n; k++) {
                vec_axpy(p, w[k], item->x[k]);
                r += w[k] * item->radius[k];
            }
            most = fmax(most, r - check_shape_distance(s, p));
        }
    return most;
}

static void shapes_are_tried_on_whole_triangles_and_segments(void **unused)
{
    (void)unused;
    unsigned seed = 5;
    for (int k = 0; k < NSHAPE; k++)
        for (int trial = 0; trial < 300; trial++) {
            double x[3][3], edge, at[3];
            check_item item = {.n = trial % 3 ? 3 : 2, .x = {x[0], x[1], x[2]}};
            bool thick = trial % 3 != 1;
            for (int i = 0; i < 9; i++)
                x[i / 3][i % 3] = 3 * uniform(&seed) - 1.5;
            for (int i = 0; i < 3; i++)
                item.radius[i] = thick ? 0.1 * uniform(&seed) : 0;
            double rough = sampled_depth(&SHAPES[k], &item, 60, &edge);
            double depth = check_shape_depth(&SHAPES[k], &item, 0, at);
            assert_true(depth >= fmax(rough, 0) - 1e-9);
            assert_true(depth <= fmax(rough, 0) + 1.2 * edge / 60);
            if (depth > 1e-6 && !thick) // it is where it is told to be
                NEAR(-check_shape_distance(&SHAPES[k], at), depth, 1e-6);
        }
}

// The edge of a box, the rim of a cylinder and the tip of a cone, in the middle of a large face.
static void sharp_edges_of_shapes_are_found_in_bodies(void **unused)
{
    (void)unused;
    const double d = 0.03, h = sqrt(0.5);
    stage *s = stage_create();
    add_box(s, 1, (double[3]){0, 0, 0}, UNIT);
    s->shape = (contact_shape){SHAPE_BOX, 0, {0.4, 0.4, 0.2}};
    s->at = (contact_frame){{h, 0, h, 0, 1, 0, -h, 0, h}, {0.1, 0, 1 + 0.6 * h - d}};
    NEAR(look(s).depth, d, 0.006 * d);
    s->at.at[2] += 1.001 * d;
    assert_true(look(s).depth == 0);
    s->shape = (contact_shape){SHAPE_CYLINDER, 0.4, {0, 0, 0.2}};
    s->at.at[2] -= 1.001 * d;
    NEAR(look(s).depth, d, 0.006 * d);
    s->shape = (contact_shape){SHAPE_CONE, 0.2, {0, 0, 0.3}}; // tip down
    s->at = (contact_frame){{1, 0, 0, 0, -1, 0, 0, 0, -1}, {0.1, 0, 1.3 - d}};
    NEAR(look(s).depth, d, 0.006 * d);
    s->at.at[2] += 1.001 * d;
    assert_true(look(s).depth == 0);
    stage_free(s);
}

static void a_shape_that_is_swallowed_overlaps(void **unused)
{
    (void)unused;
    for (int k = 1; k < NSHAPE - 1; k++) {
        stage *s = stage_create();
        add_box(s, 2, (double[3]){0, 0, 0}, (double[3]){9, 9, 9});
        s->shape = SHAPES[k];
        s->at.at[0] = 1;
        assert_true(look(s).depth >= 7);
        s->at.at[0] = 30;
        assert_true(look(s).depth == 0);
        stage_free(s);
    }
}

static void faces_that_are_held_as_a_whole_are_left_out(void **unused)
{
    (void)unused;
    stage *s = stage_create();
    add_box(s, 2, (double[3]){0, 0, 0}, UNIT);
    s->shape = (contact_shape){SHAPE_PLANE, 0, {0}};
    s->at.at[2] = -0.9;
    NEAR(look(s).depth, 0.1, 1e-9);
    for (int i = 0; i < s->nnode; i++)
        s->held[i] = s->x[3 * i + 2] < -0.5;
    NEAR(look(s).depth, 0.1, 1e-9); // sides reach down as well
    for (int i = 0; i < s->nnode; i++)
        s->held[i] = s->x[3 * i + 2] < 0.5;
    assert_true(look(s).depth == 0);
    stage_free(s);
}

// A bar bent to a ring until its ends meet, and further.
static double depth_of_ring(double share, int n)
{
    stage *s = stage_create();
    add_box(s, n, (double[3]){0, 0, 0}, (double[3]){1, 0.1, 0.1});
    s->pair.self = true;
    s->pair.second = 0;
    for (int i = 0; i < s->nnode; i++) {
        double *x = &s->x[3 * i], angle = 3.14159265358979323846 * share * x[0], r = 1 + x[2];
        x[0] = r * sin(angle);
        x[2] = r * cos(angle);
    }
    double d = look(s).depth;
    stage_free(s);
    return d;
}

static void a_ring_overlaps_itself_once_its_ends_have_met(void **unused)
{
    (void)unused;
    assert_true(depth_of_ring(0, 12) == 0); // flat: whatever was together at rest
    for (int n = 8; n <= samples_of(16, 8); n += 4) {
        assert_true(depth_of_ring(0.6, n) == 0);
        assert_true(depth_of_ring(0.99, n) == 0);
        for (double over = 0.0016; over > 0.0001; over /= 2) {
            double way = 2 * 3.14159265358979323846 * over, d = depth_of_ring(1 + over, n);
            assert_true(d > 0.9 * way && d < 1.2 * way);
        }
    }
}

static void a_hollow_surface_is_solid_outside(void **unused)
{
    (void)unused;
    stage *s = stage_create();
    add_box(s, 2, (double[3]){0.5, 0, 0}, (double[3]){0.2, 0.2, 0.2});
    check_source *wall = add_box(s, 2, (double[3]){0, 0, 0}, UNIT);
    for (int t = 0; t < wall->ntri; t++) {
        int *tri = (int *)&wall->tri[3 * t], first = tri[0];
        tri[0] = tri[1];
        tri[1] = first;
    }
    assert_true(look(s).depth == 0);
    for (int i = 0; i < s->source[0].nvertex; i++)
        s->x[3 * i] += 0.35;
    NEAR(look(s).depth, 0.05, 1e-4);
    for (int i = 0; i < s->source[0].nvertex; i++)
        s->x[3 * i] += 3;
    assert_true(look(s).depth > 3); // through it altogether
    stage_free(s);
}

static void a_surface_that_is_open_has_a_behind(void **unused)
{
    (void)unused;
    shell *b = calloc(1, sizeof *b);
    stage *s = stage_create();
    shell_patch(b, 3, (double[3]){-2, -2, 0}, (double[3]){4, 0, 0}, (double[3]){0, 4, 0});
    add_box(s, 2, (double[3]){0, 0, 0}, (double[3]){0.5, 0.5, 0.5});
    add_shell(s, b, 0);
    free(b);
    for (int i = 0; i < s->source[0].nvertex; i++)
        s->x[3 * i + 2] += 0.5;
    assert_true(look(s).depth == 0);
    for (int i = 0; i < s->source[0].nvertex; i++)
        s->x[3 * i + 2] -= 0.1;
    NEAR(look(s).depth, 0.1, 1e-4);
    stage_free(s);
}

static void rods_are_as_thick_as_they_are(void **unused)
{
    (void)unused;
    stage *s = stage_create();
    add_rod(s, 3, (double[]){-1, 0, 0, 0.1, 0, 0, 1, 0, 0}, 0.05);
    add_rod(s, 2, (double[]){0, -1, 0.1, 0, 1, 0.1}, 0.03);
    assert_true(look(s).depth == 0);
    for (int i = 9; i < 15; i++)
        s->x[i] -= i % 3 == 2 ? 0.03 : 0;
    NEAR(look(s).depth, 0.01, 1e-12);
    stage_free(s);

    s = stage_create();
    add_rod(s, 2, (double[]){-0.4, 0, 1.04, 0.4, 0, 1.04}, 0.05);
    add_box(s, 1, (double[3]){0, 0, 0}, UNIT);
    NEAR(look(s).depth, 0.01, 1e-12);
    for (int i = 0; i < 2; i++)
        s->x[3 * i + 2] -= 0.14;
    NEAR(look(s).depth, 0.15, 1e-3); // its middle is inside
    stage_free(s);

    s = stage_create();
    add_rod(s, 2, (double[]){-1, 0, 0.74, 1, 0, 0.74}, 0.05);
    for (int k = 0; k < 2; k++) {
        s->shape = k ? (contact_shape){SHAPE_BOX, 0, {0.2, 0.2, 0.7}} : SHAPES[1];
        NEAR(look(s).depth, 0.01, 1e-9);
        s->x[2] = s->x[5] = 0.76;
        assert_true(look(s).depth == 0);
        s->x[2] = s->x[5] = 0.74;
    }
    stage_free(s);
}

// Neighbours of a rod are together at rest; what comes round is not.
static void a_rod_overlaps_itself_where_it_comes_round(void **unused)
{
    (void)unused;
    enum { N = 40 };
    for (int k = 0; k < 2; k++) {
        double x[3 * N];
        stage *s = stage_create();
        for (int i = 0; i < N; i++) {
            x[3 * i] = 0.01 * i;
            x[3 * i + 1] = x[3 * i + 2] = 0;
        }
        add_rod(s, N, x, 0.015);
        s->pair.self = true;
        s->pair.second = 0;
        assert_true(look(s).depth == 0);
        for (int i = 0; i < N; i++) { // two turns, one 20 or 40 mm above the other
            double angle = 4 * 3.14159265358979323846 * i / N;
            s->x[3 * i] = 0.05 * cos(angle);
            s->x[3 * i + 1] = 0.05 * sin(angle);
            s->x[3 * i + 2] = (k ? 0.04 : 0.02) * 2 * i / N;
        }
        double d = look(s).depth;
        assert_true(k ? d == 0 : d > 0.009 && d < 0.0125);
        stage_free(s);
    }
}

static void plates_are_as_thick_as_they_are(void **unused)
{
    (void)unused;
    shell *b = calloc(1, sizeof *b);
    stage *s = stage_create();
    for (int k = 0; k < 2; k++) {
        memset(b, 0, sizeof *b);
        shell_patch(b, 2 + k, (double[3]){0.3 * k, 0, 0.11 * k}, (double[3]){1, 0, 0},
                    (double[3]){0, 1, 0});
        add_shell(s, b, 0.05);
    }
    assert_true(look(s).depth == 0);
    for (int i = 0; i < s->source[1].nvertex; i++)
        s->x[3 * s->source[1].node[i] + 2] -= 0.03;
    NEAR(look(s).depth, 0.02, 1e-12);
    stage_free(s);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_in_mere_contact_do_not_overlap),
        cmocka_unit_test(boxes_overlap_by_as_much_as_they_were_moved),
        cmocka_unit_test(a_box_inside_of_another_is_as_deep_as_it_is),
        cmocka_unit_test(edges_that_cross_overlap),
        cmocka_unit_test(no_sample_is_deeper_and_none_is_far_from_what_is_told),
        cmocka_unit_test(shapes_are_tried_on_whole_triangles_and_segments),
        cmocka_unit_test(sharp_edges_of_shapes_are_found_in_bodies),
        cmocka_unit_test(a_shape_that_is_swallowed_overlaps),
        cmocka_unit_test(faces_that_are_held_as_a_whole_are_left_out),
        cmocka_unit_test(a_ring_overlaps_itself_once_its_ends_have_met),
        cmocka_unit_test(a_hollow_surface_is_solid_outside),
        cmocka_unit_test(a_surface_that_is_open_has_a_behind),
        cmocka_unit_test(rods_are_as_thick_as_they_are),
        cmocka_unit_test(a_rod_overlaps_itself_where_it_comes_round),
        cmocka_unit_test(plates_are_as_thick_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
