// What scenes and programs can say about contact: meshes and rods, paths, pairs.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "robot.h"

static lithe_obstacle_def obstacle[2];
static lithe_pair_def pair[2];

static void add_obstacle(robot *r, lithe_obstacle_def o)
{
    obstacle[r->def.nobstacle++] = o;
    r->def.obstacle = obstacle;
}

static lithe_pair_def *add_pair(robot *r, const char *with)
{
    lithe_pair_def *p = &pair[r->def.contacts.npair++];
    *p = lithe_pair_def_default();
    p->body = "bar";
    p->with = with;
    r->def.contacts.pair = pair;
    return p;
}

// A block beside the upper half of the bar, as a shape.
static lithe_obstacle_def block(void)
{
    lithe_obstacle_def o = lithe_obstacle_def_default(LITHE_OBSTACLE_BOX);
    o.name = "block";
    memcpy(o.at, (double[]){0.03, 0.001, 0.1}, sizeof o.at);
    memcpy(o.size, (double[]){0.03, 0.05, 0.1}, sizeof o.size);
    return o;
}

// The same as a surface of twelve triangles about its middle, in millimetres.
static lithe_mesh *block_mesh(bool inside_out)
{
    static const int quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    double x[24];
    int tri[36], n = 0;
    for (int i = 0; i < 8; i++) {
        x[3 * i] = i & 1 ? 15 : -15;
        x[3 * i + 1] = i & 2 ? 25 : -25;
        x[3 * i + 2] = i & 4 ? 50 : -50;
    }
    for (int q = 0; q < 6; q++)
        for (int half = 0; half < 2; half++)
            for (int k = 0; k < 3; k++) {
                int rotated = inside_out ? 2 - k : k;
                tri[n++] = quad[q][rotated == 0 ? 0 : rotated + half];
            }
    lithe_mesh *made = NULL;
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_mesh_create_surface(8, x, 12, tri, &made, &report), LITHE_OK);
    return made;
}

static void contact_force_sum(robot *r, double sum[3])
{
    memset(sum, 0, 3 * sizeof *sum);
    lithe_overlap o = lithe_last_overlap(r->model, r->state);
    assert_true(o.depth <= 1e-5 * r->model->size);
    for (int i = 0; i < lithe_ncontact(r->state); i++) {
        lithe_contact c;
        assert_int_equal(lithe_contact_get(r->model, r->state, i, &c), LITHE_OK);
        assert_true(c.force >= 0 && c.gap > -1e-6);
        for (int k = 0; k < 3; k++)
            sum[k] += c.force * c.normal[k];
    }
}

static void bend(robot *r, double pull)
{
    command(r, 0, LITHE_DISPLACEMENT, pull);
    settle(r);
}

// Whichever way its triangles are oriented, and wherever its own origin is.
static void a_mesh_holds_the_robot_as_the_shape_does(void **unused)
{
    (void)unused;
    double tip[3][3], sum[3][3];
    for (int kind = 0; kind < 3; kind++) {
        robot r;
        lithe_obstacle_def o = block();
        lithe_mesh *made = kind ? block_mesh(kind == 2) : NULL;
        robot_begin(&r, false);
        add_cable(&r, "east", 0.008);
        if (kind) {
            memcpy(o.move, o.at, sizeof o.move);
            o.kind = LITHE_OBSTACLE_MESH;
            o.mesh = made;
            o.mesh_unit = 1e-3;
        }
        add_obstacle(&r, o);
        robot_compile(&r);
        bend(&r, 0.006);
        lithe_effector_value(r.model, r.state, 0, tip[kind]);
        contact_force_sum(&r, sum[kind]);
        assert_true(sum[kind][0] < -0.01);
        robot_end(&r);
        lithe_mesh_free(made);
    }
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(tip[1][k] - tip[0][k]) < 1e-7);
        assert_true(fabs(sum[1][k] - sum[0][k]) < 1e-5);
        assert_true(fabs(tip[2][k] - tip[1][k]) < 1e-9 && fabs(sum[2][k] - sum[1][k]) < 1e-7);
    }
}

// From its position at time 0 straight to the waypoints; a large step is taken in parts.
static void an_obstacle_follows_its_path(void **unused)
{
    (void)unused;
    robot r;
    double time[2] = {1, 2}, way[12] = {0, 0, 0, -0.012, 0, 0, 0, 0, 0.1, -0.012, 0, 0};
    double before[3], after[3], sum[3];
    robot_begin(&r, false);
    lithe_obstacle_def o = block();
    o.nwaypoint = 2;
    o.waypoint_time = time;
    o.waypoint = way;
    add_obstacle(&r, o);
    robot_compile(&r);
    settle(&r);
    assert_true(lithe_play_duration(r.model) == 2);
    lithe_effector_value(r.model, r.state, 0, before);
    for (int k = 1; k <= 4; k++) {
        assert_int_equal(lithe_play(r.model, r.state, 0.5 * k), LITHE_OK);
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        contact_force_sum(&r, sum);
        assert_true(k == 1 ? sum[0] < 0 : sum[0] < -0.02);
        const contact_frame *at = &r.state->now.contact->frame[0];
        assert_true(fabs(at->at[0] - (0.03 - fmin(0.006 * k, 0.012))) < 1e-15);
        assert_true(fabs(at->R[3] - sin(k > 2 ? 0.05 * (k - 2) : 0)) < 1e-15);
    }
    lithe_effector_value(r.model, r.state, 0, after);
    assert_true(after[0] < before[0] - 0.008);
    robot_end(&r);
}

static void a_pair_is_switched_off_and_on_between_steps(void **unused)
{
    (void)unused;
    robot r;
    double tip[3][3], sum[3];
    robot_begin(&r, false);
    add_cable(&r, "east", 0.008);
    add_obstacle(&r, block());
    robot_compile(&r);
    int number = lithe_find_pair(r.model, "block", "bar");
    assert_int_equal(number, 0);
    assert_string_equal(lithe_pair_name(r.model, number, 0), "bar");
    assert_string_equal(lithe_pair_name(r.model, number, 1), "block");
    for (int k = 0; k < 3; k++) {
        if (k == 2)
            bend(&r, 0); // it is switched on where they are apart
        assert_int_equal(lithe_switch_pair(r.model, r.state, number, k != 1), LITHE_OK);
        bend(&r, 0.006);
        contact_force_sum(&r, sum);
        assert_true(k == 1 ? sum[0] == 0 : sum[0] < -0.01);
        lithe_effector_value(r.model, r.state, 0, tip[k]);
    }
    assert_true(tip[1][0] > tip[0][0] + 1e-3);
    assert_true(fabs(tip[2][0] - tip[0][0]) < 1e-7);
    assert_int_equal(lithe_switch_pair(r.model, r.state, 1, true), LITHE_INVALID);
    robot_end(&r);
}

// `pairs` of the scene: off from the start, parts of the surface, nothing but what is named.
static void pairs_replace_what_would_be_looked_for(void **unused)
{
    (void)unused;
    static const char *const surface[] = {NULL, NULL, "side", "west"};
    for (int kind = 0; kind < 4; kind++) {
        robot r;
        double sum[3];
        robot_begin(&r, false);
        add_cable(&r, "east", 0.008);
        add_obstacle(&r, block());
        r.surface[0].name = "west";
        r.surface[0].where =
            (lithe_selection){.kind = LITHE_PLANE, .a = {-0.01, 0, 0}, .b = {-1, 0, 0}};
        lithe_pair_def *p = add_pair(&r, "block");
        p->off = kind == 1;
        p->surface = surface[kind];
        robot_compile(&r);
        assert_int_equal(lithe_npair(r.model), 1);
        bend(&r, 0.006);
        contact_force_sum(&r, sum);
        assert_true(kind == 1 || kind == 3 ? sum[0] == 0 : sum[0] < -0.01);
        robot_end(&r);
    }
    robot r;
    robot_begin(&r, false);
    add_obstacle(&r, block());
    r.def.contacts.only_named = true;
    robot_compile(&r);
    assert_int_equal(lithe_npair(r.model), 0);
    robot_end(&r);
}

static void a_pair_that_is_not_there_is_named(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_obstacle(&r, block());
    add_pair(&r, "blok");
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "did you mean 'block'?"));
    robot_end(&r);
}

// A wire over a post: the rod gives way by what beam theory says.
static void a_rod_is_bent_by_a_post_as_beams_are(void **unused)
{
    (void)unused;
    const double young = 1e6, length = 0.1, radius = 1e-3, push = 2e-3;
    lithe_def def = lithe_def_default();
    lithe_material_def material = lithe_material_def_default();
    lithe_body_def wire = lithe_body_def_default();
    lithe_rod_def rod = lithe_rod_def_default();
    lithe_fix_def fix = lithe_fix_def_default();
    lithe_report report = lithe_report_default();
    lithe_obstacle_def post = lithe_obstacle_def_default(LITHE_OBSTACLE_CAPSULE);
    double point[6] = {0, 0, 0, length, 0, 0}, none[3] = {0};
    material.name = rod.material = "rubber";
    material.young = young;
    material.poisson = 0.3;
    wire.name = "wire";
    wire.nrod = wire.nfix = 1;
    wire.rod = &rod;
    wire.fix = &fix;
    fix.where.kind = LITHE_NEAREST;
    rod.name = "rod";
    rod.npoint = 2;
    rod.point = point;
    rod.elements = 10;
    rod.size[0] = radius;
    post.name = "post";
    post.radius = 3e-3;
    memcpy(post.at, (double[]){0.093, -0.02, -post.radius - radius}, sizeof post.at);
    memcpy(post.to, (double[]){0.093, 0.02, -post.radius - radius}, sizeof post.to);
    def.nmaterial = def.nbody = def.nobstacle = 1;
    def.material = &material;
    def.body = &wire;
    def.obstacle = &post;
    lithe_model *m = NULL;
    lithe_state *s = NULL;
    assert_int_equal(lithe_compile(&def, &m, &report), LITHE_OK);
    assert_int_equal(lithe_state_create(m, 1, &s, &report), LITHE_OK);
    for (int k = 1; k <= 2; k++) {
        assert_int_equal(lithe_move_obstacle(m, s, 0, none, (double[3]){0, 0, 0.5 * k * push}),
                         LITHE_OK);
        assert_int_equal(lithe_step(m, s), LITHE_OK);
    }
    double force = 0, inertia = 3.14159265 * pow(radius, 4) / 4;
    for (int i = 0; i < lithe_ncontact(s); i++) {
        lithe_contact c;
        lithe_contact_get(m, s, i, &c);
        force += c.force * c.normal[2];
    }
    double expected = 3 * young * inertia * push / pow(0.093, 3);
    assert_true(fabs(force / expected - 1) < 0.01);
    lithe_state_free(s);
    lithe_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_holds_the_robot_as_the_shape_does),
        cmocka_unit_test(an_obstacle_follows_its_path),
        cmocka_unit_test(a_pair_is_switched_off_and_on_between_steps),
        cmocka_unit_test(pairs_replace_what_would_be_looked_for),
        cmocka_unit_test(a_pair_that_is_not_there_is_named),
        cmocka_unit_test(a_rod_is_bent_by_a_post_as_beams_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
