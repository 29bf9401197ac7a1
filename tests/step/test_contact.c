#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "robot.h"
#include "sanitized.h"
#include "step/phases.h"
#include "step/step.h"
#include "step/tolerances.h"

static lithe_obstacle_def obstacle[2];

static void add_obstacle(robot *r, lithe_obstacle_def o)
{
    obstacle[r->def.nobstacle] = o;
    r->def.obstacle = obstacle;
    r->def.nobstacle++;
    r->def.contacts.max = 64;
}

static lithe_obstacle_def plane(const char *name, double x, double z, double nx, double nz)
{
    lithe_obstacle_def o = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
    o.name = name;
    memcpy(o.at, (double[]){x, 0, z}, sizeof o.at);
    memcpy(o.normal, (double[]){nx, 0, nz}, sizeof o.normal);
    return o;
}

// A rod along y beside the bar, which it meets when the bar bends.
static lithe_obstacle_def rod(const char *name, double x, double z, double radius)
{
    lithe_obstacle_def o = lithe_obstacle_def_default(LITHE_OBSTACLE_CYLINDER);
    o.name = name;
    memcpy(o.at, (double[]){x, -0.05, z}, sizeof o.at);
    memcpy(o.to, (double[]){x, 0.05, z}, sizeof o.to);
    o.radius = radius;
    return o;
}

// Signorini's law over all contacts; sum: of the forces on the first side. Returns how many push.
static int judge(robot *r, double sum[3])
{
    int nforce = 0;
    memset(sum, 0, 3 * sizeof *sum);
    assert_true(lithe_penetration(r->state) <= CONTACT_TOLERANCE * r->model->size);
    for (int i = 0; i < lithe_ncontact(r->state); i++) {
        lithe_contact c;
        assert_int_equal(lithe_contact_get(r->model, r->state, i, &c), LITHE_OK);
        assert_true(c.gap > 0); // by a little: 5e-9 of the size where something pushes
        assert_true(c.force >= 0);
        double open = c.gap - r->model->contact.held_at;
        assert_true(c.force * open < 1e-11); // J: what is left of a force where there is a gap
        for (int k = 0; k < 3; k++)
            sum[k] += c.force * c.normal[k];
        nforce += c.force > 1e-6;
    }
    return nforce;
}

// Pushed up against a ceiling: E A d / L, once the gap is closed.
static void a_compressed_bar_pushes_back_as_a_spring_does(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 2; trial++) {
        robot r;
        double sum[3], up = trial ? 0.004 : 0.0005, gap = 0.001;
        robot_begin(&r, false);
        r.material.poisson = 0;
        r.fix[0].displacement[2] = up;
        add_obstacle(&r, plane("ceiling", 0, 0.1 + gap, 0, -1));
        robot_compile(&r);
        settle(&r);
        int nforce = judge(&r, sum);
        double expected = trial ? 1e5 * 0.02 * 0.02 * (up - gap) / 0.1 : 0;
        assert_true(fabs(-sum[2] - expected) < 1e-6); // the gap that is held is 5e-10 m
        assert_int_equal(nforce, trial ? 25 : 0);
        assert_true(fabs(sum[0]) < 1e-12);
        robot_end(&r);
    }
}

// A cable bends the bar over a rod; the tip is farther out than it would be, and nothing overlaps.
static void a_bending_bar_rests_on_a_rod(void **unused)
{
    (void)unused;
    double free_tip[3], tip[3], sum[3];
    for (int with = 0; with < 2; with++) {
        robot r;
        robot_begin(&r, false);
        add_cable(&r, "east", 0.008);
        if (with)
            add_obstacle(&r, rod("rod", 0.016, 0.07, 0.005));
        robot_compile(&r);
        command(&r, 0, LITHE_DISPLACEMENT, 0.01);
        settle(&r);
        lithe_effector_value(r.model, r.state, 0, with ? tip : free_tip);
        if (with) {
            assert_true(judge(&r, sum) > 0);
            assert_true(sum[0] < -0.01); // the rod pushes back
            assert_true(fabs(bar_displacement(r.model, r.state, 0) - 0.01) < 1e-10);
        }
        robot_end(&r);
    }
    assert_true(tip[0] < free_tip[0] - 1e-3);
}

// The deepest of many points of the skin.
static double sample_depth(const robot *r)
{
    enum { N = 40 };
    const proximity_world *world = &r->model->contact.world;
    const contact_surface *k = &world->surface[1]; // after the obstacle's
    double least = 0;
    for (int t = 0; t < k->ntri; t++)
        for (int i = 0; i <= N; i++)
            for (int j = 0; i + j <= N; j++) {
                double w[3] = {(double)i / N, (double)j / N, (double)(N - i - j) / N};
                double q[3] = {0}, n[3];
                for (int c = 0; c < 3; c++)
                    for (int axis = 0; axis < 3; axis++)
                        q[axis] +=
                            w[c] * r->state->now.contact->positions
                                       .x[3 * (world->vertex_adr[1] + k->tri[3 * t + c]) + axis];
                double d = shape_distance(&world->shape[0], &r->state->now.contact->frame[0], q, n);
                least = fmin(least, d);
            }
    return -least;
}

// Far over the rod, where contacts slide over edges and the bar's own stiffness is indefinite: one
// shape, however many steps lead there, and no point of the surface is in the rod.
static void a_bar_bent_far_over_a_rod_has_one_shape(void **unused)
{
    (void)unused;
    double tip[3][3];
    static const int steps[3] = {1, 3, 8};
    int ways = samples_of(3, 1);
    for (int way = 0; way < ways; way++) {
        robot r;
        robot_begin(&r, false);
        add_cable(&r, "east", 0.008);
        add_obstacle(&r, rod("rod", 0.0171, 0.063, 0.006));
        robot_compile(&r);
        for (int k = 1; k <= steps[way]; k++) {
            command(&r, 0, LITHE_DISPLACEMENT, 0.024 * k / steps[way]);
            settle(&r);
        }
        assert_true(sample_depth(&r) < CONTACT_TOLERANCE * r.model->size);
        assert_int_equal(lithe_last_residual(r.state).negative, 0);
        lithe_effector_value(r.model, r.state, 0, tip[way]);
        robot_end(&r);
    }
    for (int way = 1; way < ways; way++)
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabs(tip[way][axis] - tip[0][axis]) < 1e-7);
}

static void a_moved_obstacle_takes_the_robot_with_it(void **unused)
{
    (void)unused;
    robot r;
    double sum[3], before[3], after[3];
    robot_begin(&r, false);
    add_obstacle(&r, rod("post", 0.0152, 0.095, 0.005));
    robot_compile(&r);
    settle(&r);
    assert_int_equal(judge(&r, sum), 0);
    lithe_effector_value(r.model, r.state, 0, before);
    for (int k = 1; k <= 5; k++) {
        assert_int_equal(
            lithe_move_obstacle(r.model, r.state, 0, (double[3]){0}, (double[3]){-0.001 * k, 0, 0}),
            LITHE_OK);
        settle(&r);
        assert_true(judge(&r, sum) > 0);
        assert_true(sum[0] < 0);
    }
    lithe_effector_value(r.model, r.state, 0, after);
    assert_true(after[0] < before[0] - 0.003);
    robot_end(&r);
}

// Two cables, pulled so that the bar lies on a rod: given only the tip, the inverse finds the
// pulls.
static void the_inverse_recovers_pulls_through_contact(void **unused)
{
    (void)unused;
    robot r;
    double tip[3], pull[2] = {0.012, 0.003}, sum[3];
    robot_begin(&r, false);
    add_cable(&r, "east", 0.008);
    add_cable(&r, "west", -0.008);
    add_obstacle(&r, rod("rod", 0.016, 0.06, 0.005));
    robot_compile(&r);
    for (int k = 0; k < 2; k++)
        command(&r, k, LITHE_DISPLACEMENT, pull[k]);
    settle(&r);
    assert_true(judge(&r, sum) > 0 && sum[0] < -0.01);
    lithe_effector_value(r.model, r.state, 0, tip);
    lithe_state_reset(r.model, r.state);
    assert_int_equal(lithe_target_effector(r.model, r.state, 0, tip, false), LITHE_OK);
    settle(&r);
    assert_true(judge(&r, sum) > 0);
    for (int k = 0; k < 2; k++)
        assert_true(fabs(bar_displacement(r.model, r.state, k) - pull[k]) < 1e-3 * pull[k]);
    robot_end(&r);
}

// A post bends the bar to the east, and the cable there gets shorter than its limit, which no
// tension can undo.
static void a_limit_that_contact_makes_impossible_is_named(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_cable(&r, "east", 0.008);
    r.actuator[0].displacement_limit[0] = -0.1;
    r.actuator[0].displacement_limit[1] = 2e-4;
    add_obstacle(&r, rod("post", -0.0152, 0.095, 0.005));
    robot_compile(&r);
    lithe_move_obstacle(r.model, r.state, 0, (double[3]){0}, (double[3]){0.005, 0, 0});
    lithe_target_effector(r.model, r.state, 0, (double[3]){0, 0, 0.1}, false);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_NOT_CONVERGED);
    assert_non_null(strstr(lithe_state_error(r.state), "displacement of 'east'"));
    robot_end(&r);
}

// Another body on top of the first, whose head, at z = head, is moved by so much. Returns its mesh.
static lithe_mesh *put_under(robot *r, const bar *upper, double head, const double way[3])
{
    static lithe_body_def both[2];
    static lithe_fix_def fix;
    lithe_mesh *other;
    both[0] = both[1] = r->body;
    fix = lithe_fix_def_default();
    assert_int_equal(
        lithe_mesh_create(upper->nnode, upper->x, upper->ntet, upper->tet, &other, &r->report),
        LITHE_OK);
    fix.where = (lithe_selection){.kind = LITHE_PLANE, .a = {0, 0, head}, .b = {0, 0, 1}};
    memcpy(fix.displacement, way, sizeof fix.displacement);
    both[1].name = "upper";
    both[1].mesh = other;
    both[1].fix = &fix;
    both[1].nsurface = 0;
    r->def.nbody = 2;
    r->def.body = both;
    r->def.contacts.location = "test";
    robot_compile(r);
    return other;
}

// Another bar on top of the first, of other cells, held at its head and pushed down: two springs in
// a row. What the one gets the other gives. In realtime surfaces that have settled stay apart by up
// to an eighth of the barrier's reach, and the springs are pushed by as much more.
static void check_springs_in_a_row(lithe_mode mode, int steps, double slack)
{
    robot r;
    double gap = 0.0005, down = 0.0012, pull[2][3] = {{0}};
    robot_begin(&r, false);
    r.material.poisson = 0;
    r.def.step.mode = mode;
    bar upper =
        bar_make(3, 3, 6, (double[]){-0.01, -0.01, 0.1 + gap}, (double[]){0.01, 0.01, 0.15 + gap});
    lithe_mesh *other = put_under(&r, &upper, 0.15, (double[]){0, 0, -down});
    for (int k = 0; k < steps; k++)
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    assert_true(lithe_last_residual(r.state).force < 1e-4);
    for (int i = 0; i < r.model->nnode; i++)
        for (int k = 0; k < 3; k++)
            pull[i >= r.model->body[1].node_adr][k] += r.state->now.pull[3 * i + k];
    double spring = 1e5 * 0.02 * 0.02 / 0.15, expected = spring * (down - gap);
    assert_true(-pull[0][2] > 0.98 * expected); // facets do not match
    assert_true(-pull[0][2] < 1.02 * expected + slack * spring * r.model->contact.reach);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(pull[0][k] + pull[1][k]) < 1e-10 * expected);
    double sum[3];
    assert_true(mode == LITHE_REALTIME || judge(&r, sum) > 0);
    robot_end(&r);
    lithe_mesh_free(other);
    bar_free(&upper);
}

static void two_bars_push_each_other_like_springs_in_a_row(void **unused)
{
    (void)unused;
    check_springs_in_a_row(LITHE_CONVERGED, 1, 0);
}

static void two_bars_push_each_other_in_realtime_too(void **unused)
{
    (void)unused;
    check_springs_in_a_row(LITHE_REALTIME, 10, 0.125);
}

// How much of surface `a`'s vertices is inside of surface `b`, by winding numbers: 0 where none is.
static int inside(const robot *r, int a, int b)
{
    const proximity_world *world = &r->model->contact.world;
    const contact_surface *other = &world->surface[b];
    const double *x = r->state->now.contact->positions.x;
    int n = 0;
    for (int v = 0; v < world->surface[a].nvertex; v++)
        n += surface_encloses(other->ntri, other->tri, &x[3 * world->vertex_adr[b]],
                              &x[3 * (world->vertex_adr[a] + v)]);
    return n;
}

// A bar of other cells, rotated, is pushed on the first and dragged over its facets. Whatever the
// number of steps, vertices of neither are in the other.
static void a_bar_slides_over_another_and_no_vertex_is_in_it(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    bar upper = bar_make(3, 2, 4, (double[]){-0.015, -0.01, 0}, (double[]){0.015, 0.01, 0.03});
    for (int i = 0; i < upper.nnode; i++) { // round below, and rotated by 0.4
        double *p = &upper.x[3 * i], x = p[0], y = p[1];
        p[0] = 0.9 * x - 0.4 * y;
        p[1] = 0.4 * x + 0.9 * y;
        p[2] += 0.1001 + (1 - p[2] / 0.03) * 10 * (x * x + y * y);
    }
    lithe_mesh *other = put_under(&r, &upper, 0.1301, (double[]){0.004, 0.001, -0.003});
    double sum[3];
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    assert_true(judge(&r, sum) > 3);
    assert_int_equal(inside(&r, 0, 1) + inside(&r, 1, 0), 0);
    assert_in_range(r.state->last.iteration, 1, 40);
    robot_end(&r);
    lithe_mesh_free(other);
    bar_free(&upper);
}

// Where forces bend what couples two bodies until the tangent is indefinite, it goes without its
// curvature; elements stay as they are, and the way is down.
static void what_couples_two_bodies_goes_without_curvature(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    r.def.step.mode = LITHE_REALTIME;
    bar upper =
        bar_make(4, 4, 2, (double[]){-0.012, -0.008, 0.1002}, (double[]){0.02, 0.011, 0.12});
    for (int i = 0; i < upper.nnode; i++) {
        double *p = &upper.x[3 * i], x = p[0], y = p[1];
        p[0] = 0.9 * x - 0.4 * y;
        p[1] = 0.4 * x + 0.9 * y;
    }
    lithe_mesh *other = put_under(&r, &upper, 0.1199, (double[]){0.002, 0.001, -0.003});
    for (int k = 0; k < 3; k++)
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    const step_finding *found = &r.state->tangent.found;
    for (int k = 0; k < 2; k++) {
        r.state->contact.unit = k == 0 ? 1 : 1e4;
        r.state->contact.whole = true; // directions along surfaces count, too
        point_evaluate(r.model, r.state, &r.state->now);
        assert_int_equal(step_linearize(r.model, r.state, STEP_FORWARD, false), LITHE_OK);
        assert_true(found->use == TANGENT_GOOD && found->flat == (k == 1));
        assert_true(found->flat == (found->negative > 0));
        assert_int_equal(step_phases(r.model, r.state, STEP_FORWARD, PHASE_FREE, PHASE_CORRECT),
                         LITHE_OK);
        const step_point *now = &r.state->now;
        double down = 0;
        for (int i = 0; i < 3 * r.model->nnode; i++)
            down += (now->external[i] + now->pull[i] - now->internal[i]) * r.state->pass.dx[i];
        assert_true(down > 0);
    }
    robot_end(&r);
    lithe_mesh_free(other);
    bar_free(&upper);
}

// In realtime steps the linear model obeys the law, and the shape follows within a few steps.
static void realtime_steps_come_to_rest_on_a_rod(void **unused)
{
    (void)unused;
    robot r;
    double depth = 0;
    robot_begin(&r, false);
    add_cable(&r, "east", 0.008);
    add_obstacle(&r, rod("rod", 0.016, 0.07, 0.005));
    r.def.step.mode = LITHE_REALTIME;
    robot_compile(&r);
    for (int k = 0; k < 60; k++) {
        command(&r, 0, LITHE_DISPLACEMENT, fmin(0.01, 0.0005 * k));
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        depth = 0;
        for (int i = 0; i < lithe_ncontact(r.state); i++) {
            lithe_contact c;
            lithe_contact_get(r.model, r.state, i, &c);
            depth = fmax(depth, -c.gap);
        }
        assert_true(depth < 2e-4);
    }
    assert_true(depth < 1e-9);
    assert_true(lithe_last_residual(r.state).force < 1e-8);
    robot_end(&r);
}

enum { PATH_POINTS = 20 };

static void put_over_rod(robot *r, lithe_mode mode, lithe_scheme scheme)
{
    robot_begin(r, false);
    add_cable(r, "east", 0.008);
    add_cable(r, "west", -0.008);
    add_obstacle(r, rod("rod", 0.016, 0.06, 0.005));
    r->def.step.mode = mode;
    r->def.step.dt = 0.01;
    r->def.dynamics.scheme = scheme;
    r->material.density = 1000;
    robot_compile(r);
}

// Where the tip goes as both cables are pulled.
static void find_path(double path[PATH_POINTS][3])
{
    const double pull[2] = {0.012, 0.003};
    robot r;
    put_over_rod(&r, LITHE_CONVERGED, LITHE_STATIC);
    for (int k = 0; k < PATH_POINTS; k++) {
        for (int i = 0; i < 2; i++)
            command(&r, i, LITHE_DISPLACEMENT, pull[i] * (k + 1) / PATH_POINTS);
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        lithe_effector_value(r.model, r.state, 0, path[k]);
    }
    assert_true(lithe_ncontact(r.state) > 0);
    robot_end(&r);
}

// How far from its end the tip is that follows the path, over the robot's size.
static double miss_path(lithe_mode mode, lithe_scheme scheme, double path[PATH_POINTS][3])
{
    int steps = samples_of(10, 4);
    robot r;
    double tip[3], miss = 0;
    put_over_rod(&r, mode, scheme);
    for (int k = 0; k < PATH_POINTS; k++) {
        lithe_target_effector(r.model, r.state, 0, path[k], false);
        for (int i = 0; i < steps; i++)
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    }
    lithe_effector_value(r.model, r.state, 0, tip);
    assert_true(lithe_ncontact(r.state) > 0);
    for (int i = 0; i < 3; i++)
        miss = fmax(miss, fabs(tip[i] - path[PATH_POINTS - 1][i]) / r.model->size);
    robot_end(&r);
    return miss;
}

// What is in contact keeps so little from what it meets that a path along it can be followed, at
// rest and in motion.
static void realtime_steps_follow_a_path_over_a_rod(void **unused)
{
    (void)unused;
    double path[PATH_POINTS][3];
    find_path(path);
    assert_true(miss_path(LITHE_REALTIME, LITHE_STATIC, path) < 1e-4);
    assert_true(miss_path(LITHE_REALTIME, LITHE_EULER, path) < 2e-3);
}

static void the_inverse_in_motion_follows_a_path_over_a_rod(void **unused)
{
    (void)unused;
    double path[PATH_POINTS][3];
    find_path(path);
    assert_true(miss_path(LITHE_CONVERGED, LITHE_EULER, path) < 2e-3);
}

// Two rods that are told to close on the bar farther than it can give way do not get there; how
// deep they would be in it is told.
static void realtime_steps_tell_how_far_obstacles_are_behind(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_obstacle(&r, rod("east", 0.016, 0.06, 0.005));
    add_obstacle(&r, rod("west", -0.016, 0.06, 0.005));
    r.def.step.mode = LITHE_REALTIME;
    robot_compile(&r);
    for (int side = 0; side < 2; side++)
        lithe_move_obstacle(r.model, r.state, side, (double[3]){0},
                            (double[3]){side ? 0.012 : -0.012, 0, 0});
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    assert_true(lithe_penetration(r.state) > 0.001);
    robot_end(&r);
}

static void a_saved_state_goes_on_with_the_same_contacts(void **unused)
{
    (void)unused;
    static unsigned char bytes[1 << 18];
    robot r;
    double x[2][3];
    robot_begin(&r, false);
    add_cable(&r, "east", 0.008);
    add_obstacle(&r, rod("rod", 0.016, 0.07, 0.005));
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT, 0.01);
    settle(&r);
    assert_true(lithe_state_size(r.model, r.state) < sizeof bytes);
    lithe_state_save(r.model, r.state, bytes);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(lithe_state_load(r.model, r.state, bytes, sizeof bytes), LITHE_OK);
        command(&r, 0, LITHE_DISPLACEMENT, 0.012);
        settle(&r);
        lithe_effector_value(r.model, r.state, 0, x[k]);
        lithe_state_reset(r.model, r.state);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    robot_end(&r);
}

// What is safe is measured from the shape at hand: one that a step goes back to, too, before it is
// evaluated again.
static void a_shape_that_is_gone_back_to_is_where_ways_begin(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_obstacle(&r, rod("rod", 0.016, 0.07, 0.005));
    robot_compile(&r);
    settle(&r);
    const proximity_positions *at = &r.state->now.contact->positions;
    double before = at->x[3 * (size_t)at->nvertex - 3];
    step_save(r.model, r.state);
    for (int i = 0; i < r.model->nq; i++)
        r.state->now.q[i] += 0.001;
    step_positions(r.model, &r.state->now);
    point_evaluate(r.model, r.state, &r.state->now);
    assert_true(at->x[3 * (size_t)at->nvertex - 3] > before + 0.0005);
    step_restore(r.model, r.state);
    assert_true(at->x[3 * (size_t)at->nvertex - 3] == before);
    robot_end(&r);
}

// The scheme of the first paper ends on the target too, and obeys the contacts.
static void sweeps_reach_the_target_through_contact(void **unused)
{
    (void)unused;
    robot r;
    double tip[3], end[3], miss = 0;
    robot_begin(&r, false);
    robot_coarsen(&r);
    add_cable(&r, "east", 0.008);
    add_cable(&r, "west", -0.008);
    add_obstacle(&r, rod("rod", 0.016, 0.06, 0.005));
    r.def.step.mode = LITHE_REALTIME;
    r.def.step.method = LITHE_SEIDEL;
    robot_compile(&r);
    for (int k = 1; k <= 60; k++) {
        double share = fmin(1, k / 40.0);
        command(&r, 0, LITHE_DISPLACEMENT,
                0.004 * share); // more, and it slips off the rod sideways
        command(&r, 1, LITHE_DISPLACEMENT, 0.001 * share);
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    }
    lithe_effector_value(r.model, r.state, 0, tip);
    lithe_state_reset(r.model, r.state);
    lithe_target_effector(r.model, r.state, 0, tip, false);
    for (int k = 0; k < 800; k++)
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    lithe_effector_value(r.model, r.state, 0, end);
    for (int k = 0; k < 3; k++)
        miss = fmax(miss, fabs(end[k] - tip[k]));
    assert_true(miss < 1e-4);
    for (int i = 0; i < lithe_ncontact(r.state); i++) {
        lithe_contact c;
        lithe_contact_get(r.model, r.state, i, &c);
        assert_true(c.force >= 0 && c.gap > -1e-5);
    }
    robot_end(&r);
}

// The bar, pushed in from its foot, meets a wall askew and slides along it: what is in contact
// rotates the direction of insertion [coevoet2019, figure 4.1]. Against differences of equilibria.
static void the_jacobian_knows_contacts(void **unused)
{
    (void)unused;
    robot r;
    double J[3], before[3], after[3], h = 1e-6;
    robot_begin(&r, false);
    r.actuator[0] = lithe_actuator_def_default(LITHE_SLIDER);
    r.actuator[0].name = "insertion";
    r.actuator[0].body = "bar";
    r.actuator[0].where = r.fix[0].where;
    memcpy(r.actuator[0].direction, (double[]){0, 0, 1}, sizeof r.actuator[0].direction);
    r.body.nfix = 0;
    r.def.nactuator = 1;
    add_obstacle(&r, plane("wall", 0, 0.112, -0.6, -0.8));
    robot_compile(&r);
    for (int in_contact = 0; in_contact < 2; in_contact++) {
        double travel = in_contact ? 0.008 : 0.001;
        command(&r, 0, LITHE_DISPLACEMENT, travel);
        settle(&r);
        assert_int_equal(lithe_jacobian(r.model, r.state, J), LITHE_OK);
        command(&r, 0, LITHE_DISPLACEMENT, travel - h);
        settle(&r);
        lithe_effector_value(r.model, r.state, 0, before);
        command(&r, 0, LITHE_DISPLACEMENT, travel + h);
        settle(&r);
        lithe_effector_value(r.model, r.state, 0, after);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(J[i] - (after[i] - before[i]) / (2 * h)) < 1e-3);
        assert_true(in_contact ? J[0] < -1 && J[2] < 0.95 : fabs(J[0]) + fabs(J[2] - 1) < 1e-6);
    }
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compressed_bar_pushes_back_as_a_spring_does),
        cmocka_unit_test(a_bending_bar_rests_on_a_rod),
        cmocka_unit_test(a_bar_bent_far_over_a_rod_has_one_shape),
        cmocka_unit_test(the_inverse_recovers_pulls_through_contact),
        cmocka_unit_test(a_limit_that_contact_makes_impossible_is_named),
        cmocka_unit_test(a_moved_obstacle_takes_the_robot_with_it),
        cmocka_unit_test(two_bars_push_each_other_like_springs_in_a_row),
        cmocka_unit_test(two_bars_push_each_other_in_realtime_too),
        cmocka_unit_test(a_bar_slides_over_another_and_no_vertex_is_in_it),
        cmocka_unit_test(what_couples_two_bodies_goes_without_curvature),
        cmocka_unit_test(realtime_steps_come_to_rest_on_a_rod),
        cmocka_unit_test(a_shape_that_is_gone_back_to_is_where_ways_begin),
        cmocka_unit_test(sweeps_reach_the_target_through_contact),
        cmocka_unit_test(the_jacobian_knows_contacts),
        cmocka_unit_test(realtime_steps_follow_a_path_over_a_rod),
        cmocka_unit_test(the_inverse_in_motion_follows_a_path_over_a_rod),
        cmocka_unit_test(realtime_steps_tell_how_far_obstacles_are_behind),
        cmocka_unit_test(a_saved_state_goes_on_with_the_same_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
