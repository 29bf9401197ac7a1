#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "body/damping.h"
#include "robot.h"

static void moving(robot *r, lithe_scheme scheme, double dt)
{
    r->def.dynamics.scheme = scheme;
    r->def.step.dt = dt;
}

static void go(robot *r)
{
    lithe_status status = lithe_step(r->model, r->state);
    if (status != LITHE_OK)
        print_error("%s\n", lithe_state_error(r->state));
    assert_int_equal(status, LITHE_OK);
}

static lithe_energy energy(const robot *r)
{
    return lithe_last_energy(r->model, r->state);
}

static double total(const robot *r)
{
    lithe_energy e = energy(r);
    return e.kinetic + e.elastic + e.potential;
}

// A body that nothing holds.
static void free_body(robot *r, lithe_scheme scheme, double dt)
{
    robot_begin(r, false);
    r->body.nfix = 0;
    moving(r, scheme, dt);
}

static void a_falling_body_falls_as_galileo_says(void **unused)
{
    (void)unused;
    for (lithe_scheme scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++) {
        robot r;
        double tip[3], dt = 0.01;
        free_body(&r, scheme, dt);
        r.def.gravity[2] = -9.81;
        r.body.velocity[0] = 2;
        robot_compile(&r);
        for (int k = 0; k < 50; k++)
            go(&r);
        lithe_effector_value(r.model, r.state, 0, tip);
        double late = scheme == LITHE_EULER ? 0.5 * 9.81 * 0.5 * dt : 0; // h/2 too fast all the way
        assert_true(fabs(lithe_time(r.state) - 0.5) < 1e-12);
        assert_true(fabs(tip[0] - 1) < 1e-9);
        assert_true(fabs(tip[2] - (0.1 - 0.5 * 9.81 * 0.25 - late)) < 1e-9);
        lithe_energy e = energy(&r);
        assert_true(fabs(e.linear[2] / (-9.81 * 0.5 * 0.04) - 1) < 1e-10);
        assert_true(fabs(e.linear[0] / (2 * 0.04) - 1) < 1e-10);
        robot_end(&r);
    }
}

static void a_body_in_flight_keeps_its_momentum(void **unused)
{
    (void)unused;
    for (lithe_scheme scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++) {
        robot r;
        free_body(&r, scheme, 0.005);
        r.def.dynamics.spectral_radius = 1;
        memcpy(r.body.velocity, (double[]){0.3, -0.2, 0.1}, sizeof r.body.velocity);
        memcpy(r.body.spin, (double[]){3, 5, -2}, sizeof r.body.spin);
        robot_compile(&r);
        lithe_energy before = energy(&r);
        double start = total(&r);
        for (int k = 0; k < 100; k++)
            go(&r);
        lithe_energy after = energy(&r);
        double size = vec_norm(before.linear);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(after.linear[i] - before.linear[i]) < 1e-10 * size);
        // alpha with spectral radius 1 damps nothing; Euler does, and the docs say so
        double lost = 1 - total(&r) / start, rotation = vec_norm(before.angular);
        assert_true(scheme == LITHE_EULER ? lost > 0.01 && lost < 0.05 : fabs(lost) < 2e-4);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(after.angular[i] - before.angular[i]) <
                        (scheme == LITHE_EULER ? 2e-2 : 1e-4) * rotation);
        robot_end(&r);
    }
}

// A coarse bar with a force on its end.
static void coarse_bar(robot *r, lithe_scheme scheme, double rho, double dt)
{
    robot_begin(r, false);
    robot_reshape(r, bar_make(2, 2, 6, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1}));
    moving(r, scheme, dt);
    r->def.dynamics.spectral_radius = rho;
    r->actuator[0] = lithe_actuator_def_default(LITHE_FORCE);
    r->actuator[0].name = "push";
    r->actuator[0].body = "bar";
    r->actuator[0].surface = "top";
    r->actuator[0].has_direction = true;
    r->actuator[0].direction[0] = 1;
    r->def.nactuator = 1;
    robot_compile(r);
}

// Where a force that swells smoothly has brought the tip.
static double tip_after(lithe_scheme scheme, double rho, double dt, double time)
{
    robot r;
    double tip[3];
    coarse_bar(&r, scheme, rho, dt);
    for (int k = 1; k <= (int)lround(time / dt); k++) {
        command(&r, 0, LITHE_EFFORT, 0.05 * pow(sin(1.5 * k * dt / time), 4));
        go(&r);
    }
    lithe_effector_value(r.model, r.state, 0, tip);
    robot_end(&r);
    return tip[0];
}

static void schemes_converge_with_their_order(void **unused)
{
    (void)unused;
    const double time = 0.1;
    const struct {
        lithe_scheme scheme;
        double rho, order;
    } all[] = {{LITHE_EULER, 0, 1}, {LITHE_ALPHA, 1, 2}, {LITHE_ALPHA, 0.5, 2}};
    double fine = tip_after(LITHE_ALPHA, 1, time / 256, time);
    double limit = fine + (fine - tip_after(LITHE_ALPHA, 1, time / 128, time)) / 3;
    for (int k = 0; k < 3; k++) {
        double coarse = tip_after(all[k].scheme, all[k].rho, time / 32, time) - limit;
        double half = tip_after(all[k].scheme, all[k].rho, time / 64, time) - limit;
        double order = log2(coarse / half);
        if (!(fabs(order - all[k].order) < 0.15))
            fail_msg("order %g instead of %g", order, all[k].order);
    }
}

static void an_equilibrium_that_nothing_disturbs_stays(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    moving(&r, LITHE_ALPHA, 0.01);
    r.def.gravity[0] = 9.81;
    add_cable(&r, "cable", 0.008);
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT, 0.005);
    assert_int_equal(lithe_settle(r.model, r.state), LITHE_OK);
    double tip[3], later[3], tension = bar_effort(r.model, r.state, 0);
    lithe_effector_value(r.model, r.state, 0, tip);
    assert_true(lithe_time(r.state) == 0 && tip[0] > 1e-3);
    for (int k = 0; k < 20; k++)
        go(&r);
    lithe_effector_value(r.model, r.state, 0, later);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(later[i] - tip[i]) < 1e-9);
    assert_true(fabs(bar_effort(r.model, r.state, 0) / tension - 1) < 1e-6);
    assert_true(energy(&r).kinetic < 1e-12 * energy(&r).elastic);
    robot_end(&r);
}

// Efforts are forces, not impulses: under damping the motion ends where statics is, with the same
// tension for every dt.
static void efforts_do_not_depend_on_the_step(void **unused)
{
    (void)unused;
    double tension[3];
    for (int k = 0; k < 3; k++) {
        robot r;
        robot_begin(&r, false);
        if (k > 0) {
            moving(&r, LITHE_EULER, k == 1 ? 0.02 : 0.05);
            r.def.dynamics.mass_damping = 10;
        }
        add_cable(&r, "cable", 0.008);
        robot_compile(&r);
        command(&r, 0, LITHE_DISPLACEMENT, 0.01);
        for (int i = 0; i < (k == 0 ? 1 : 150); i++)
            go(&r);
        tension[k] = bar_effort(r.model, r.state, 0);
        robot_end(&r);
    }
    assert_true(fabs(tension[1] / tension[0] - 1) < 1e-6);
    assert_true(fabs(tension[2] / tension[0] - 1) < 1e-6);
}

static void a_load_acts_from_its_beginning_to_its_end(void **unused)
{
    (void)unused;
    robot r;
    free_body(&r, LITHE_EULER, 0.01);
    r.def.nload = 1;
    r.load[0] = lithe_load_def_default();
    r.load[0].name = "kick";
    r.load[0].kind = LITHE_TRACTION;
    r.load[0].body = "bar";
    r.load[0].surface = "top";
    r.load[0].total = true;
    r.load[0].value[2] = 2;
    r.load[0].from = 0.03;
    r.load[0].until = 0.06; // at the ends of the steps at 0.03, 0.04 and 0.05 s
    robot_compile(&r);
    for (int k = 0; k < 10; k++)
        go(&r);
    assert_true(fabs(energy(&r).linear[2] - 2 * 0.03) < 1e-10);
    robot_end(&r);
}

// A hollow bar swinging on its foot with a cable and air.
static void swinging(robot *r, lithe_mode mode)
{
    robot_begin(r, true);
    moving(r, LITHE_ALPHA, 0.01);
    r->def.step.iterations = 2;
    r->def.step.mode = mode;
    r->def.dynamics.mass_damping = 0.3;
    r->def.dynamics.stiffness_damping = 1e-3;
    r->def.gravity[0] = 3;
    r->body.velocity[1] = 0.2;
    add_cable(r, "cable", 0.008);
    add_cavity(r);
    robot_compile(r);
    command(r, 0, LITHE_EFFORT, 0.2);
    command(r, 1, LITHE_EFFORT, 1e3);
}

// v' D v: what damping takes now, W.
static double damping_power(const robot *r)
{
    const body *b = &r->model->body[0];
    const step_motion *motion = &r->state->motion;
    size_t n = 3 * (size_t)b->nnode;
    double *force = calloc(n, sizeof *force), power = 0;
    body_mass_times(b, b->X, r->def.dynamics.mass_damping, motion->velocity, force);
    if (motion->damping)
        body_damping_times(b, &motion->damping[0], r->def.dynamics.stiffness_damping,
                           motion->velocity, force);
    for (size_t i = 0; i < n; i++)
        power += force[i] * motion->velocity[i];
    free(force);
    return power;
}

static void damping_takes_the_energy_that_is_lost(void **unused)
{
    (void)unused;
    const double by[2][2] = {{0.8, 0}, {0, 4e-4}}, dt = 0.001;
    for (int k = 0; k < 2; k++) {
        robot r;
        coarse_bar(&r, LITHE_ALPHA, 1, dt);
        lithe_state_free(r.state);
        lithe_model_free(r.model);
        r.def.dynamics.mass_damping = by[k][0];
        r.def.dynamics.stiffness_damping = by[k][1];
        robot_compile(&r);
        command(&r, 0, LITHE_EFFORT, 0.01);
        assert_int_equal(lithe_settle(r.model, r.state), LITHE_OK);
        command(&r, 0, LITHE_EFFORT, 0);
        for (int i = 0; i < 100; i++)
            go(&r);
        double start = total(&r), taken = -0.5 * dt * damping_power(&r);
        for (int i = 0; i < 800; i++) {
            taken += dt * damping_power(&r);
            go(&r);
        }
        double lost = start - total(&r);
        taken += 0.5 * dt * damping_power(&r);
        assert_true(lost > 0.2 * start);
        assert_true(fabs(taken / lost - 1) < 0.01);
        if (k == 0) // kinetic energy is half of all: exp(-a t)
            assert_true(fabs(log(start / total(&r)) / (0.8 * 0.8) - 1) < 0.04);
        robot_end(&r);
    }
}

static void *save(const robot *r, size_t *bytes)
{
    *bytes = lithe_state_size(r->model, r->state);
    void *buffer = malloc(*bytes);
    assert_non_null(buffer);
    lithe_state_save(r->model, r->state, buffer);
    return buffer;
}

static void threads_and_a_saved_state_give_the_same_bits(void **unused)
{
    (void)unused;
    for (lithe_mode mode = LITHE_CONVERGED; mode <= LITHE_REALTIME; mode++) {
        robot r;
        size_t bytes;
        swinging(&r, mode);
        for (int k = 0; k < 5; k++)
            go(&r);
        void *middle = save(&r, &bytes);
        for (int k = 0; k < 5; k++)
            go(&r);
        void *end = save(&r, &bytes);
        for (int threads = 1; threads <= 4; threads *= 2) {
            lithe_state_free(r.state);
            assert_int_equal(lithe_state_create(r.model, threads, &r.state, &r.report), LITHE_OK);
            assert_int_equal(lithe_state_load(r.model, r.state, middle, bytes), LITHE_OK);
            for (int k = 0; k < 5; k++)
                go(&r);
            void *again = save(&r, &bytes);
            assert_memory_equal(end, again, bytes);
            free(again);
        }
        free(middle);
        free(end);
        robot_end(&r);
    }
}

static void two_iterations_a_step_are_near_the_converged_motion(void **unused)
{
    (void)unused;
    double tip[2][3];
    for (lithe_mode mode = LITHE_CONVERGED; mode <= LITHE_REALTIME; mode++) {
        robot r;
        swinging(&r, mode);
        for (int k = 0; k < 30; k++)
            go(&r);
        lithe_effector_value(r.model, r.state, 0, tip[mode]);
        robot_end(&r);
    }
    for (int i = 0; i < 3; i++)
        assert_true(fabs(tip[0][i] - tip[1][i]) < 1e-4);
    assert_true(fabs(tip[0][0]) > 5e-3);
}

static void fast_vibrations_are_damped_more_where_contacts_are(void **unused)
{
    (void)unused;
    const double expected[2] = {0.8, 0.5};
    for (int contacts = 0; contacts < 2; contacts++) {
        robot r;
        lithe_obstacle_def plane = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
        plane.name = "floor";
        plane.at[2] = -1;
        plane.normal[2] = 1;
        robot_begin(&r, false);
        moving(&r, LITHE_ALPHA, 0.01);
        r.def.nobstacle = contacts;
        r.def.obstacle = &plane;
        robot_compile(&r);
        assert_true(lithe_model_dynamics(r.model)->spectral_radius == expected[contacts]);
        robot_end(&r);
    }
}

static void refused(robot *r, const char *why)
{
    assert_int_equal(lithe_compile(&r->def, &r->model, &r->report), LITHE_INVALID);
    if (!strstr(r->report.error, why))
        fail_msg("%s", r->report.error);
}

static void what_cannot_move_is_refused_with_a_remedy(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    moving(&r, LITHE_ALPHA, 0.01);
    r.material.density = 0;
    refused(&r, "give its material a density");
    r.material.density = 1000;
    r.def.dynamics.spectral_radius = 1.5;
    refused(&r, "between 0 and 1");
    r.def.dynamics.spectral_radius = 1;
    r.def.dynamics.from_equilibrium = true;
    r.body.nfix = 0;
    refused(&r, "nothing holds");
    refused(&r, "leave out dynamics.start");
    r.def.dynamics.scheme = LITHE_STATIC;
    r.body.nfix = 1;
    r.body.spin[2] = 1;
    refused(&r, "add a section dynamics");
    robot_end(&r);
}

// A bar that hangs by an edge and falls from the side, in steps that are long for its waves.
static void hang(robot *r, double rho, double dt)
{
    robot_begin(r, false);
    robot_reshape(r, bar_make(2, 2, 6, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1}));
    r->fix[0].where = (lithe_selection){
        .kind = LITHE_BOX, .a = {-0.011, -0.011, -1e-6}, .b = {-0.009, 0.011, 1e-6}};
    moving(r, LITHE_ALPHA, dt);
    r->def.dynamics.spectral_radius = rho;
    r->def.gravity[0] = 9.81;
    robot_compile(r);
}

// The trapezoidal rule lets it run away; a little damping of what is too quick for the steps does
// not.
static void energy_from_nowhere_is_no_success(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        robot r;
        lithe_status status = LITHE_OK;
        int step = 0;
        hang(&r, k ? 0.5 : 1, 0.02);
        for (; step < 200 && status == LITHE_OK; step++)
            status = lithe_step(r.model, r.state);
        lithe_energy e = energy(&r);
        assert_int_equal(status, k ? LITHE_OK : LITHE_NOT_CONVERGED);
        assert_true(k ? step == 200 && e.grown_share < 0.05 : e.grown_share > 0.5);
        assert_true(k || strstr(lithe_state_error(r.state), "energy has grown by"));
        robot_end(&r);
    }
}

// What a force that pushes puts in is no growth.
static void work_that_is_done_is_no_growth(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        robot r;
        coarse_bar(&r, k % 2 ? LITHE_ALPHA : LITHE_EULER, 0.8, 0.002);
        for (int step = 1; step <= 100; step++) {
            command(&r, 0, LITHE_EFFORT, 0.05 * sin(0.06 * step));
            go(&r);
        }
        lithe_energy e = energy(&r);
        assert_true(e.work > 1e-6 && e.grown_share < 0.02);
        robot_end(&r);
    }
}

static double squeeze(robot *r, const void *saved, size_t bytes, double first, double second,
                      const double target[3])
{
    double tip[3];
    assert_int_equal(lithe_state_load(r->model, r->state, saved, bytes), LITHE_OK);
    lithe_forget_targets(r->model, r->state);
    command(r, 0, LITHE_EFFORT, first);
    command(r, 1, LITHE_EFFORT, second);
    go(r);
    lithe_effector_value(r->model, r->state, 0, tip);
    return vec_distance(tip, target);
}

// Nothing but inertia resists in a step of 1 ms, so efforts are huge; and the last ones are too
// much for another step.
static void the_inverse_of_a_free_body_finds_its_blows(void **unused)
{
    (void)unused;
    robot r;
    double tip[3], effort[2], now[3];
    free_body(&r, LITHE_ALPHA, 0.001);
    r.def.gravity[2] = -9.81;
    add_cable(&r, "left", 0.008);
    add_cable(&r, "right", -0.008);
    robot_compile(&r);
    lithe_effector_value(r.model, r.state, 0, tip);
    size_t bytes;
    void *start = save(&r, &bytes);
    for (int k = 0; k < 4; k++) {
        double target[3] = {tip[0] + 0.01 * (k + 1), tip[1], tip[2]};
        lithe_target_effector(r.model, r.state, 0, target, false);
        go(&r);
        assert_true(lithe_last_residual(r.state).iteration < 200);
        if (k > 0)
            continue;
        lithe_effort(r.model, r.state, 0, &effort[0]);
        lithe_effort(r.model, r.state, 1, &effort[1]);
        lithe_effector_value(r.model, r.state, 0, now);
        assert_true(effort[0] > 10 && vec_distance(now, target) < vec_distance(tip, target));
        void *found = save(&r, &bytes);
        for (int i = 0; i < 4; i++) { // no efforts around are better
            double change = i % 2 ? 1.05 : 0.95;
            double left = effort[0] * (i < 2 ? change : 1),
                   right = effort[1] * (i < 2 ? 1 : change);
            assert_true(squeeze(&r, start, bytes, left, right, target) > vec_distance(now, target));
        }
        assert_int_equal(lithe_state_load(r.model, r.state, found, bytes), LITHE_OK);
        free(found);
    }
    free(start);
    robot_end(&r);
}

// Roundoff is no energy: nothing moves, and nothing can be done about it.
static void a_body_at_rest_does_not_grow(void **unused)
{
    (void)unused;
    robot r;
    double tip[3];
    free_body(&r, LITHE_ALPHA, 0.01);
    add_cable(&r, "left", 0.008);
    add_cable(&r, "right", -0.008);
    robot_compile(&r);
    lithe_effector_value(r.model, r.state, 0, tip);
    for (int k = 0; k < 8; k++) {
        tip[2] += 0.01; // cables only pull
        lithe_target_effector(r.model, r.state, 0, tip, false);
        go(&r);
    }
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_falling_body_falls_as_galileo_says),
        cmocka_unit_test(a_body_in_flight_keeps_its_momentum),
        cmocka_unit_test(schemes_converge_with_their_order),
        cmocka_unit_test(an_equilibrium_that_nothing_disturbs_stays),
        cmocka_unit_test(efforts_do_not_depend_on_the_step),
        cmocka_unit_test(a_load_acts_from_its_beginning_to_its_end),
        cmocka_unit_test(damping_takes_the_energy_that_is_lost),
        cmocka_unit_test(the_inverse_of_a_free_body_finds_its_blows),
        cmocka_unit_test(a_body_at_rest_does_not_grow),
        cmocka_unit_test(energy_from_nowhere_is_no_success),
        cmocka_unit_test(work_that_is_done_is_no_growth),
        cmocka_unit_test(threads_and_a_saved_state_give_the_same_bits),
        cmocka_unit_test(two_iterations_a_step_are_near_the_converged_motion),
        cmocka_unit_test(fast_vibrations_are_damped_more_where_contacts_are),
        cmocka_unit_test(what_cannot_move_is_refused_with_a_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
