#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rotation.h"
#include "base/vec.h"
#include "robot.h"
#include "step/warp.h"

#include <time.h>

// Steps of a run; and of one that ends by itself, on a machine whose cores are others', so that new
// factors are seldom.
enum { STEPS = 120, PATIENCE = 20000 };

static void add_four_cables(robot *r)
{
    add_cable_at(r, "east", 0.008, 0);
    add_cable_at(r, "north", 0, 0.008);
    add_cable_at(r, "west", -0.008, 0);
    add_cable_at(r, "south", 0, -0.008);
}

// Hangs under gravity with four cables, its tip wanted in x and y.
static void hanging_robot(robot *r, lithe_mode mode, int factor_age)
{
    robot_begin(r, false);
    r->def.gravity[2] = -9.81;
    r->def.step.mode = mode;
    r->def.step.dt = 0.001;
    r->def.step.factor_age = factor_age;
    add_four_cables(r);
    r->tip.axes = LITHE_X | LITHE_Y;
    robot_compile(r);
}

static void step_towards(robot *r, const double goal[2])
{
    assert_int_equal(lithe_target_effector(r->model, r->state, 0, goal, false), LITHE_OK);
    lithe_status status = lithe_step(r->model, r->state);
    if (status != LITHE_OK)
        print_error("%s\n", lithe_state_error(r->state));
    assert_int_equal(status, LITHE_OK);
}

static void follow_circle(robot *r, int k)
{
    double angle = 2 * M_PI * k / STEPS, radius = 0.01 * fmin(1, k / 40.0);
    step_towards(r, (double[]){radius * cos(angle), radius * sin(angle)});
}

static void pause_for(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

static double size(const robot *r)
{
    return r->model->size;
}

static double distance(const robot *a, const robot *b)
{
    double worst = 0;
    for (int i = 0; i < 3 * lithe_nnode(a->model); i++)
        worst = fmax(worst, fabs(lithe_position(a->state)[i] - lithe_position(b->state)[i]));
    return worst;
}

static void check_same_shape(const robot *a, const robot *b)
{
    double off = distance(a, b) / size(a);
    if (!(off < 1e-9))
        fail_msg("off by %g of the robot's size", off);
}

static void check_same_bits(const robot *a, const robot *b)
{
    assert_memory_equal(lithe_position(a->state), lithe_position(b->state),
                        3 * (size_t)lithe_nnode(a->model) * sizeof(double));
}

static void a_held_target_ends_where_the_synchronous_one_does(void **unused)
{
    (void)unused;
    robot sync, async;
    const double goal[2] = {0.01, -0.006};
    hanging_robot(&sync, LITHE_CONVERGED, 0);
    hanging_robot(&async, LITHE_ASYNCHRONOUS, 0);
    for (int k = 0; k < STEPS; k++)
        follow_circle(&async, k);
    bool settled = false;
    for (int k = 0; k < PATIENCE && (k < 60 || !settled); k++) {
        step_towards(&async, goal);
        pause_for(200000); // as a controller would
        settled = lithe_last_residual(async.state).force < 1e-8;
    }
    step_towards(&sync, goal);
    assert_true(settled);
    check_same_shape(&sync, &async);
    assert_true(lithe_last_async(async.state).factors > 1);
    robot_end(&sync);
    robot_end(&async);
}

static void a_factor_of_any_age_leads_to_the_same_shape(void **unused)
{
    (void)unused;
    robot sync;
    const double goal[2] = {0.01, -0.006};
    hanging_robot(&sync, LITHE_CONVERGED, 0);
    step_towards(&sync, goal);
    for (int age = 1; age <= 16; age *= 4) {
        robot async;
        hanging_robot(&async, LITHE_ASYNCHRONOUS, age);
        for (int k = 0; k < 40 + 12 * age; k++)
            step_towards(&async, goal);
        check_same_shape(&sync, &async);
        assert_int_equal(lithe_last_async(async.state).age, age);
        assert_true(lithe_last_async(async.state).share == 1);
        robot_end(&async);
    }
    robot_end(&sync);
}

// At rest the energy's change is all rounding, and no move is refused for it.
static void a_robot_that_rests_is_left_in_peace(void **unused)
{
    (void)unused;
    for (int age = 1; age <= 16; age++)
        for (double pull = 0.5e-3; pull < 3e-3; pull *= 2) {
            robot r;
            robot_begin(&r, false);
            robot_coarsen(&r);
            r.def.step.mode = LITHE_ASYNCHRONOUS;
            r.def.step.factor_age = age;
            add_cable_at(&r, "east", 0.008, 0);
            robot_compile(&r);
            for (int k = 1; k <= 40; k++) {
                double now = pull * fmin(k / 10.0, 1);
                lithe_command(r.model, r.state, 0, LITHE_DISPLACEMENT, &now);
                if (lithe_step(r.model, r.state) != LITHE_OK)
                    fail_msg("age %d, %g m, step %d: %s", age, pull, k, lithe_state_error(r.state));
            }
            assert_true(lithe_last_async(r.state).share == 1);
            robot_end(&r);
        }
}

static void a_threaded_run_is_repeated_to_the_bit_by_its_ages(void **unused)
{
    (void)unused;
    robot live, again;
    int age[STEPS], oldest = 1;
    hanging_robot(&live, LITHE_ASYNCHRONOUS, 0);
    for (int k = 0; k < STEPS; k++) {
        follow_circle(&live, k);
        age[k] = lithe_last_async(live.state).age;
        oldest = age[k] > oldest ? age[k] : oldest;
    }
    assert_int_equal(oldest, lithe_last_async(live.state).oldest);
    hanging_robot(&again, LITHE_ASYNCHRONOUS, oldest);
    for (int k = 0; k < STEPS; k++) {
        assert_int_equal(lithe_replay_age(again.model, again.state, age[k]), LITHE_OK);
        follow_circle(&again, k);
        assert_int_equal(lithe_last_async(again.state).age, age[k]);
    }
    check_same_bits(&live, &again);
    assert_int_equal(lithe_replay_age(again.model, again.state, oldest + 1), LITHE_INVALID);
    assert_int_equal(lithe_replay_age(live.model, live.state, 1), LITHE_INVALID);
    robot_end(&live);
    robot_end(&again);
}

static void a_replay_is_the_same_on_any_number_of_threads_and_after_reset(void **unused)
{
    (void)unused;
    robot one, many;
    hanging_robot(&one, LITHE_ASYNCHRONOUS, 3);
    hanging_robot(&many, LITHE_ASYNCHRONOUS, 3);
    lithe_state_free(many.state);
    assert_int_equal(lithe_state_create(many.model, 4, &many.state, &many.report), LITHE_OK);
    for (int k = 0; k < 10; k++)
        follow_circle(&many, k + 50);
    lithe_state_reset(many.model, many.state);
    for (int k = 0; k < 40; k++) {
        follow_circle(&one, k);
        follow_circle(&many, k);
    }
    check_same_bits(&one, &many);
    robot_end(&one);
    robot_end(&many);
}

static void a_saved_state_goes_on(void **unused)
{
    (void)unused;
    robot r;
    char *bytes[2];
    hanging_robot(&r, LITHE_ASYNCHRONOUS, 0);
    for (int k = 0; k < 20; k++)
        follow_circle(&r, k);
    size_t n = lithe_state_size(r.model, r.state);
    for (int i = 0; i < 2; i++)
        bytes[i] = calloc(n, 1);
    lithe_state_save(r.model, r.state, bytes[0]);
    for (int k = 20; k < 40; k++)
        follow_circle(&r, k);
    assert_int_equal(lithe_state_load(r.model, r.state, bytes[0], n), LITHE_OK);
    lithe_state_save(r.model, r.state, bytes[1]);
    assert_memory_equal(bytes[0], bytes[1], n);
    for (int k = 20; k < 40; k++)
        follow_circle(&r, k);
    for (int i = 0; i < 2; i++)
        free(bytes[i]);
    robot_end(&r);
}

// Gravity turned on at once throws Newton with an old factor far off: such moves are not taken.
static void moves_that_raise_the_energy_are_refused(void **unused)
{
    (void)unused;
    robot sync, async;
    for (int i = 0; i < 2; i++) {
        robot *r = i ? &async : &sync;
        robot_begin(r, false);
        r->material.young = 2e4;
        r->def.gravity[0] = 9.81;
        r->def.step.mode = i ? LITHE_ASYNCHRONOUS : LITHE_CONVERGED;
        r->def.step.factor_age = i ? 4 : 0;
        add_cable(r, "cable", 0.008);
        robot_compile(r);
    }
    settle(&sync);
    for (int k = 0; k < 150; k++)
        assert_int_equal(lithe_step(async.model, async.state), LITHE_OK);
    assert_true(lithe_last_async(async.state).refused > 0);
    check_same_shape(&sync, &async);
    robot_end(&sync);
    robot_end(&async);
}

// Forward, with everything that changes A or the force besides the shape: supports that move, a
// slider, a modulus, a cavity whose volume is told.
static void add_slider(robot *r)
{
    int k = r->def.nactuator++;
    r->actuator[k] = lithe_actuator_def_default(LITHE_SLIDER);
    r->actuator[k].name = "slider";
    r->actuator[k].body = "bar";
    r->actuator[k].where = (lithe_selection){.kind = LITHE_GROUP, .group = "top"};
    memcpy(r->actuator[k].direction, (double[]){1, 0, 0.3}, sizeof r->actuator[k].direction);
}

static void add_modulus(robot *r)
{
    int k = r->def.nactuator++;
    r->actuator[k] = lithe_actuator_def_default(LITHE_MODULUS);
    r->actuator[k].name = "softness";
    r->actuator[k].body = "bar";
    r->actuator[k].where =
        (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, 0.03}, .b = {1, 1, 0.06}};
    r->actuator[k].value[0] = 1e5;
}

static void robot_with_everything(robot *r, lithe_mode mode)
{
    robot_begin(r, true);
    r->def.gravity[0] = 3;
    r->def.step.mode = mode;
    r->def.step.factor_age = mode == LITHE_ASYNCHRONOUS ? 2 : 0;
    memcpy(r->fix[0].displacement, (double[]){0.001, 0, 0.002}, sizeof r->fix[0].displacement);
    add_cable(r, "cable", 0.008);
    add_cavity(r);
    add_slider(r);
    add_modulus(r);
    r->load[r->def.nload] = lithe_load_def_default();
    r->load[r->def.nload].kind = LITHE_PRESSURE;
    r->load[r->def.nload].name = "side";
    r->load[r->def.nload].body = "bar";
    r->load[r->def.nload].surface = "side";
    r->load[r->def.nload++].pressure = 200;
    robot_compile(r);
}

static void supports_sliders_and_moduli_settle_too(void **unused)
{
    (void)unused;
    robot sync, async;
    robot_with_everything(&sync, LITHE_CONVERGED);
    robot_with_everything(&async, LITHE_ASYNCHRONOUS);
    for (int i = 0; i < 2; i++) {
        robot *r = i ? &async : &sync;
        command(r, 0, LITHE_DISPLACEMENT, 0.004);
        command(r, 1, LITHE_DISPLACEMENT, 1e-6);
        command(r, 2, LITHE_DISPLACEMENT, 0.003);
        command(r, 3, LITHE_EFFORT, 6e4);
    }
    settle(&sync);
    for (int k = 0; k < 60; k++)
        assert_int_equal(lithe_step(async.model, async.state), LITHE_OK);
    check_same_shape(&sync, &async);
    robot_end(&sync);
    robot_end(&async);
}

static void the_inverse_finds_a_slider_too(void **unused)
{
    (void)unused;
    robot r;
    double middle;
    robot_begin(&r, false);
    r.def.gravity[0] = 3;
    r.def.step.mode = LITHE_ASYNCHRONOUS;
    r.def.step.factor_age = 2;
    r.tip_point = (lithe_point_def){"bar", {0, 0, 0.05}};
    r.tip.axes = LITHE_X;
    add_slider(&r);
    robot_compile(&r);
    const double goal = 0.006;
    for (int k = 0; k < 60; k++) {
        assert_int_equal(lithe_target_effector(r.model, r.state, 0, &goal, false), LITHE_OK);
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    }
    lithe_effector_value(r.model, r.state, 0, &middle);
    assert_true(lithe_last_residual(r.state).force < 1e-8);
    assert_true(fabs(middle - goal) < 1e-9);
    assert_true(fabs(r.state->now.effort[0]) > 1e-3); // it had to slide
    robot_end(&r);
}

// A robot that is rotated as a whole: so is every node that is not held.
static void the_rotation_of_every_node_is_found(void **unused)
{
    (void)unused;
    robot r;
    double R[9];
    hanging_robot(&r, LITHE_REALTIME, 0);
    int n = lithe_nnode(r.model);
    const double *X = r.model->X;
    double *x = malloc(3 * (size_t)n * sizeof *x), *warp = malloc(9 * (size_t)n * sizeof *warp);
    rotation_matrix((double[]){0.4, -0.7, 0.3}, R);
    for (int i = 0; i < n; i++)
        mat_apply(&x[3 * i], R, &X[3 * i]);
    assert_true(warp_is_due(r.model, X, x));
    assert_false(warp_is_due(r.model, x, x));
    warp_find(r.model, X, x, warp);
    for (int i = 0; i < 9 * n; i++) {
        bool held = r.model->body[0].held[i / 9];
        assert_true(fabs(warp[i] - (held ? i % 9 % 4 == 0 : R[i % 9])) < 1e-12);
    }
    free(x);
    free(warp);
    robot_end(&r);
}

static void instruction_sets_agree_on_rotations(void **unused)
{
    (void)unused;
    robot r;
    hanging_robot(&r, LITHE_REALTIME, 0);
    for (int k = 0; k < 20; k++)
        follow_circle(&r, k);
    const element_family *f = &r.model->body[0].family[0];
    int n = lithe_nnode(r.model);
    double *S[3] = {NULL};
    for (int v = 0; v < 3; v++) {
        const warp_kernels *kernels = warp_variant(v);
        S[v] = calloc(9 * (size_t)n, sizeof *S[v]);
        if (!kernels)
            continue;
        kernels->spread(f->n, f->kind->nnode, f->node, r.model->X, lithe_position(r.state), S[v]);
        kernels->rotate(n, S[v]);
        for (int i = 0; i < 9 * n; i++)
            assert_true(fabs(S[v][i] - S[0][i]) < 1e-12);
    }
    for (int v = 0; v < 3; v++)
        free(S[v]);
    robot_end(&r);
}

static void the_compliance_is_that_of_the_present_shape(void **unused)
{
    (void)unused;
    enum { ROWS = 6, DRIVEN = 4 };
    robot sync, async;
    double W[2][ROWS * DRIVEN];
    hanging_robot(&sync, LITHE_REALTIME, 0);
    hanging_robot(&async, LITHE_ASYNCHRONOUS, 0);
    for (int k = 0; k < STEPS; k++)
        follow_circle(&async, k);
    memcpy(sync.state->now.x, async.state->now.x,
           3 * (size_t)lithe_nnode(sync.model) * sizeof(double));
    memcpy(sync.state->now.effort, async.state->now.effort, DRIVEN * sizeof(double));
    sync.state->load = 1;
    sync.state->aim_load = 1;
    memcpy(sync.state->now.H, async.state->now.H,
           3 * (size_t)sync.model->row_adr[ROWS] * sizeof(double));
    assert_int_equal(lithe_nrow(sync.model), ROWS);
    assert_int_equal(lithe_compliance(sync.model, sync.state, W[0]), LITHE_OK);
    assert_int_equal(lithe_compliance(async.model, async.state, W[1]), LITHE_OK);
    assert_memory_equal(W[0], W[1], sizeof W[0]);
    robot_end(&sync);
    robot_end(&async);
}

// A bar between a cable and a rod that it is pulled onto.
static void robot_by_a_rod(robot *r, lithe_mode mode, int factor_age)
{
    static lithe_obstacle_def rod;
    rod = lithe_obstacle_def_default(LITHE_OBSTACLE_CYLINDER);
    rod.name = "rod";
    memcpy(rod.at, (double[]){0.016, -0.05, 0.06}, sizeof rod.at);
    memcpy(rod.to, (double[]){0.016, 0.05, 0.06}, sizeof rod.to);
    rod.radius = 0.005;
    robot_begin(r, false);
    r->def.step.mode = mode;
    r->def.step.factor_age = factor_age;
    add_cable(r, "east", 0.008);
    add_cable(r, "west", -0.008);
    r->def.nobstacle = 1;
    r->def.obstacle = &rod;
    robot_compile(r);
}

static void check_apart(const robot *r)
{
    lithe_overlap found = lithe_last_overlap(r->model, r->state);
    assert_true(found.depth <= found.allowed);
}

// Whether it is at rest, and in asynchronous steps its cables within 1 um of the pulls given (NULL:
// any), for which it may wait for factors: their thread gets the time that a controller would give.
static bool ended(const robot *r, const double *pull)
{
    bool there = true;
    if (r->def.step.mode != LITHE_ASYNCHRONOUS)
        return true;
    pause_for(200000);
    for (int i = 0; pull && i < 2; i++)
        there &= fabs(bar_displacement(r->model, r->state, i) - pull[i]) < 1e-6;
    return there && lithe_last_residual(r->state).force < 1e-8;
}

// Pulls in some steps, then comes to rest.
static void pull_onto_rod(robot *r)
{
    for (int k = 1; k <= 50 || (k <= PATIENCE && !ended(r, NULL)); k++) {
        double share = fmin(1, k / 20.0);
        for (int i = 0; i < 2; i++)
            assert_int_equal(lithe_command(r->model, r->state, i, LITHE_DISPLACEMENT,
                                           (double[]){(i ? 0.003 : 0.012) * share}),
                             LITHE_OK);
        assert_int_equal(lithe_step(r->model, r->state), LITHE_OK);
        check_apart(r);
    }
    assert_true(lithe_ncontact(r->state) > 0);
}

// The same from rest by the tip, in asynchronous steps until the cables end where they should.
static void lead_onto_rod(robot *r, const double tip[3], const double *pull)
{
    lithe_state_reset(r->model, r->state);
    for (int k = 1; k <= 60 || (k <= PATIENCE && !ended(r, pull)); k++) {
        double goal[3], share = fmin(1, k / 20.0);
        for (int i = 0; i < 3; i++)
            goal[i] = share * tip[i] + (1 - share) * (i == 2 ? 0.1 : 0);
        step_towards(r, goal);
        check_apart(r);
    }
}

// Contacts stand beside the factor as they are, whatever its age: it rests where a realtime robot
// rests, pulled there or led there by its tip. The inverse keeps the barrier's whole reach, so that
// its pulls are those that were told but for some of that.
static void contacts_end_where_the_synchronous_ones_do(void **unused)
{
    (void)unused;
    robot sync, async;
    double tip[3], led[2];
    robot_by_a_rod(&sync, LITHE_REALTIME, 0);
    pull_onto_rod(&sync);
    lithe_effector_value(sync.model, sync.state, 0, tip);
    lead_onto_rod(&sync, tip, NULL);
    for (int i = 0; i < 2; i++) {
        led[i] = bar_displacement(sync.model, sync.state, i);
        assert_true(fabs(led[i] - (i ? 0.003 : 0.012)) < sync.model->contact.reach);
    }
    lithe_state_reset(sync.model, sync.state);
    pull_onto_rod(&sync);
    for (int age = 0; age <= 8; age += 4) { // 0: that of the thread
        robot_by_a_rod(&async, LITHE_ASYNCHRONOUS, age);
        pull_onto_rod(&async);
        assert_true(distance(&sync, &async) < 1e-7 * size(&sync));
        lead_onto_rod(&async, tip, led);
        assert_true(ended(&async, led));
        robot_end(&async);
    }
    robot_end(&sync);
}

static void contacts_are_repeated_to_the_bit_by_their_ages(void **unused)
{
    (void)unused;
    robot live, again;
    robot_by_a_rod(&live, LITHE_ASYNCHRONOUS, 0);
    robot_by_a_rod(&again, LITHE_ASYNCHRONOUS, 64);
    for (int k = 1; k <= 40; k++) {
        double pull[1] = {0.012 * fmin(1, k / 30.0)};
        lithe_command(live.model, live.state, 0, LITHE_DISPLACEMENT, pull);
        lithe_command(again.model, again.state, 0, LITHE_DISPLACEMENT, pull);
        assert_int_equal(lithe_step(live.model, live.state), LITHE_OK);
        int age = lithe_last_async(live.state).age;
        assert_int_equal(lithe_replay_age(again.model, again.state, age), LITHE_OK);
        assert_int_equal(lithe_step(again.model, again.state), LITHE_OK);
        check_same_bits(&live, &again);
    }
    assert_true(lithe_ncontact(live.state) > 0);
    robot_end(&live);
    robot_end(&again);
}

// The rod comes to the bar and goes on; so does the bar.
static void obstacles_push_in_asynchronous_steps(void **unused)
{
    (void)unused;
    robot r;
    double tip[3];
    robot_by_a_rod(&r, LITHE_ASYNCHRONOUS, 4);
    for (int k = 1; k <= 40; k++) {
        double way[3] = {-0.0003 * fmin(k, 30), 0, 0};
        assert_int_equal(lithe_move_obstacle(r.model, r.state, 0, (double[3]){0}, way), LITHE_OK);
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        check_apart(&r);
    }
    lithe_effector_value(r.model, r.state, 0, tip);
    assert_true(tip[0] < -0.008 && lithe_penetration(r.state) == 0);
    robot_end(&r);
}

static void the_compliance_knows_contacts(void **unused)
{
    (void)unused;
    robot both[2];
    double W[2][5 * 2] = {{0}};
    for (int k = 0; k < 2; k++) {
        robot_by_a_rod(&both[k], k ? LITHE_ASYNCHRONOUS : LITHE_REALTIME, k ? 4 : 0);
        pull_onto_rod(&both[k]);
        assert_int_equal(lithe_compliance(both[k].model, both[k].state, W[k]), LITHE_OK);
        robot_end(&both[k]);
    }
    for (int i = 0; i < 10; i++)
        assert_true(fabs(W[0][i] - W[1][i]) < 1e-4 * fabs(W[0][0]));
}

static void missed_deadlines_and_times_are_counted(void **unused)
{
    (void)unused;
    for (int late = 0; late < 2; late++) {
        robot r;
        robot_begin(&r, false);
        r.def.step.mode = LITHE_ASYNCHRONOUS;
        r.def.step.deadline = late ? 1e-9 : 1e3;
        add_four_cables(&r);
        r.tip.axes = LITHE_X | LITHE_Y;
        robot_compile(&r);
        for (int k = 0; k < 20; k++)
            follow_circle(&r, k);
        lithe_async a = lithe_last_async(r.state);
        assert_int_equal(a.steps, 20);
        assert_int_equal(a.missed, late ? 20 : 0);
        assert_true(a.seconds > 0 && a.seconds <= a.longest && a.jitter < a.longest);
        assert_true(a.factors >= 1 && a.factor_seconds > 0);
        assert_true(a.age >= 0 && a.age <= a.oldest && a.oldest < 20);
        robot_end(&r);
    }
}

static void other_modes_have_nothing_to_report(void **unused)
{
    (void)unused;
    robot r;
    hanging_robot(&r, LITHE_REALTIME, 0);
    follow_circle(&r, 1);
    assert_int_equal(lithe_last_async(r.state).steps, 0);
    assert_int_equal(lithe_replay_age(r.model, r.state, 0), LITHE_INVALID);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_target_ends_where_the_synchronous_one_does),
        cmocka_unit_test(a_factor_of_any_age_leads_to_the_same_shape),
        cmocka_unit_test(a_robot_that_rests_is_left_in_peace),
        cmocka_unit_test(a_threaded_run_is_repeated_to_the_bit_by_its_ages),
        cmocka_unit_test(a_replay_is_the_same_on_any_number_of_threads_and_after_reset),
        cmocka_unit_test(a_saved_state_goes_on),
        cmocka_unit_test(moves_that_raise_the_energy_are_refused),
        cmocka_unit_test(supports_sliders_and_moduli_settle_too),
        cmocka_unit_test(the_inverse_finds_a_slider_too),
        cmocka_unit_test(the_rotation_of_every_node_is_found),
        cmocka_unit_test(instruction_sets_agree_on_rotations),
        cmocka_unit_test(the_compliance_is_that_of_the_present_shape),
        cmocka_unit_test(contacts_end_where_the_synchronous_ones_do),
        cmocka_unit_test(contacts_are_repeated_to_the_bit_by_their_ages),
        cmocka_unit_test(obstacles_push_in_asynchronous_steps),
        cmocka_unit_test(the_compliance_knows_contacts),
        cmocka_unit_test(missed_deadlines_and_times_are_counted),
        cmocka_unit_test(other_modes_have_nothing_to_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
