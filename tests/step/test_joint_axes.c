// What joints leave free: springs, dampers, friction and stops against closed forms; motors on
// every axis, more than once around.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rotation.h"
#include "chain.h"

static const double length = 0.1, mass = 0.1;

static lithe_joint_def *add_block(chain *c, lithe_joint_kind kind, const double axis[3])
{
    add_bar(c, "block", (double[]){-length / 2, 0, 0}, (double[]){length / 2, 0, 0}, mass);
    return add_joint(c, "guide", kind, "block", NULL, (double[]){0, 0, 0}, axis);
}

// ## springs and dampers

// m x'' + d x' + k x = 0 from x = 0 with the velocity v
static double vibration(double t, double k, double d, double v)
{
    double decay = d / (2 * mass), w = sqrt(k / mass - decay * decay);
    return v / w * exp(-decay * t) * sin(w * t);
}

static double vibration_off(double dt, lithe_mode mode)
{
    const double k = 40, d = 0.4, v = 0.3;
    chain c;
    start(&c);
    lithe_joint_def *j = add_block(&c, LITHE_JOINT_PRISMATIC, along_x);
    j->travel.stiffness = k;
    j->travel.damping = d;
    c.body[0].velocity[0] = v;
    c.s.def.step.dt = dt;
    c.s.def.step.mode = mode;
    compile(&c.s);
    double off = 0;
    for (int i = 1; i <= (int)(0.5 / dt + 0.5); i++) {
        take_step(&c.s);
        off = fmax(off, fabs(centre_of(&c, 0)[0] - vibration(i * dt, k, d, v)));
    }
    end(&c.s);
    return off;
}

static void test_a_damped_spring_vibrates_as_its_formula(void **unused)
{
    (void)unused;
    for (int mode = LITHE_CONVERGED; mode <= LITHE_REALTIME; mode++) {
        double coarse = vibration_off(2e-3, (lithe_mode)mode),
               fine = vibration_off(1e-3, (lithe_mode)mode);
        assert_true(fine < 2e-4 * 0.015);
        assert_in_range((int)(100 * coarse / fine), 360, 440);
    }
}

// At rest the angle at which the spring's moment is that of the weight.
static void test_a_spring_holds_a_bar_at_rest(void **unused)
{
    (void)unused;
    const double k = 0.08, rest = 0.2, arm = length / 2;
    chain c;
    start(&c);
    c.s.def.dynamics.scheme = LITHE_STATIC;
    c.s.def.gravity[2] = -g;
    add_bar(&c, "bar", (double[]){0, 0, 0}, (double[]){length, 0, 0}, mass);
    lithe_joint_def *j =
        add_joint(&c, "hinge", LITHE_JOINT_HINGE, "bar", NULL, (double[]){0, 0, 0}, along_y);
    j->angle.stiffness = k;
    j->angle.rest = rest;
    compile(&c.s);
    take_step(&c.s);
    double low = 0, high = M_PI / 2; // about +y, downwards is positive
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(mass * g * arm * cos(middle) > k * (middle - rest) ? &low : &high) = middle;
    }
    near(rotation_of(&c, 0)[1], low, 1e-9);
    lithe_joint_info info;
    assert_int_equal(lithe_joint_get(c.s.model, c.s.state, 0, &info), LITHE_OK);
    near(info.moment[1], k * (rest - low), 1e-9);
    near(info.force[2], mass * g, 1e-9);
    end(&c.s);
}

// ## friction

// Sliding on, a block comes to rest after m v^2 / 2F, and stays.
static void test_friction_stops_a_block_and_keeps_it(void **unused)
{
    (void)unused;
    const double force = 0.2, v = 0.5, way = mass * v * v / (2 * force), h = 1e-3;
    for (int scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++) {
        chain c;
        start(&c);
        lithe_joint_def *j = add_block(&c, LITHE_JOINT_PRISMATIC, along_x);
        j->travel.friction = force;
        c.body[0].velocity[0] = v;
        c.s.def.step.dt = h;
        c.s.def.dynamics.scheme = (lithe_scheme)scheme;
        compile(&c.s);
        for (int i = 0; i < 300; i++)
            take_step(&c.s);
        double at = centre_of(&c, 0)[0];
        near(at, way, 1.01 * v * h);
        for (int i = 0; i < 50; i++)
            take_step(&c.s);
        near(centre_of(&c, 0)[0], at, 1e-9);
        end(&c.s);
    }
}

// On a slope it sticks below the angle at which its weight is as much as friction, and slides
// above.
static void test_friction_holds_up_to_its_force(void **unused)
{
    (void)unused;
    for (int slides = 0; slides < 2; slides++) {
        chain c;
        start(&c);
        lithe_joint_def *j = add_block(&c, LITHE_JOINT_PRISMATIC, along_x);
        j->travel.friction = 0.1;
        c.s.def.gravity[0] = slides ? 1.01 : 0.99;
        c.s.def.dynamics.scheme = LITHE_EULER;
        c.s.def.step.dt = 1e-3;
        compile(&c.s);
        for (int i = 0; i < 200; i++)
            take_step(&c.s);
        double expected = slides ? 0.5 * (1.01 - 0.1 / mass) * 0.2 * 0.2 : 0;
        near(centre_of(&c, 0)[0], expected, slides ? 0.02 * expected : 1e-12);
        end(&c.s);
    }
}

// ## stops

static void test_stops_are_not_passed(void **unused)
{
    (void)unused;
    for (int run = 0; run < 6; run++) {
        chain c;
        bool up = run & 1;
        start(&c);
        lithe_joint_def *j = add_block(&c, LITHE_JOINT_PRISMATIC, along_x);
        j->travel.limit[0] = -0.01;
        j->travel.limit[1] = 0.02;
        c.s.def.gravity[0] = up ? 5 : -5;
        c.s.def.dynamics.scheme = run < 2 ? LITHE_STATIC : run < 4 ? LITHE_EULER : LITHE_ALPHA;
        c.s.def.step.dt = 1e-3;
        compile(&c.s);
        for (int i = 0; i < (run < 2 ? 1 : 200); i++) {
            take_step(&c.s);
            assert_true(centre_of(&c, 0)[0] < 0.02 + 1e-9);
            assert_true(centre_of(&c, 0)[0] > -0.01 - 1e-9);
        }
        near(centre_of(&c, 0)[0], up ? 0.02 : -0.01, 1e-9);
        lithe_joint_info info;
        assert_int_equal(lithe_joint_get(c.s.model, c.s.state, 0, &info), LITHE_OK);
        near(info.force[0], (up ? -5 : 5) * mass, 1e-8);
        near(info.travel, up ? 0.02 : -0.01, 1e-9);
        assert_true(info.at_limit);
        end(&c.s);
    }
}

// What is saved at a stop goes on with the same bits: the next step is damped there, too.
// At rest, one bar leans on its stop, above which its weight alone would be unstable, and torques
// bring the other one to its own: that is met, too.
static void test_a_stop_is_met_where_another_is_leant_on(void **unused)
{
    (void)unused;
    const double stop[2] = {26.4 * M_PI / 180, -6.4 * M_PI / 180}, most[2] = {3.02e-3, -2.78e-3};
    chain c;
    start(&c);
    c.s.def.dynamics.scheme = LITHE_STATIC;
    c.s.def.gravity[2] = -g;
    add_bar(&c, "upper", (double[]){0, 0, 0}, (double[]){0.0757, 0, 0}, 0.041);
    add_bar(&c, "lower", (double[]){0.0757, 0, 0}, (double[]){0.134, 0, 0}, 0.061);
    lithe_joint_def *first =
        add_joint(&c, "first", LITHE_JOINT_HINGE, "upper", NULL, (double[]){0, 0, 0}, along_y);
    first->angle.limit[0] = -0.944;
    first->angle.limit[1] = stop[0];
    lithe_joint_def *second = add_joint(&c, "second", LITHE_JOINT_HINGE, "lower", "upper",
                                        (double[]){0.0757, 0, 0}, along_x);
    second->angle.limit[0] = stop[1];
    second->angle.limit[1] = 0.607;
    second->angle.stiffness = 11.61e-3;
    lithe_actuator_def motor[2];
    for (int i = 0; i < 2; i++) {
        motor[i] = lithe_actuator_def_default(LITHE_MOTOR);
        motor[i].name = i ? "roll" : "pitch";
        motor[i].part = i ? "second" : "first";
    }
    c.s.def.actuator = motor;
    c.s.def.nactuator = 2;
    compile(&c.s);
    for (int k = 1; k <= 10; k++) {
        for (int i = 0; i < 2; i++) {
            double torque = 0.1 * k * most[i];
            assert_int_equal(lithe_command(c.s.model, c.s.state, i, LITHE_EFFORT, &torque),
                             LITHE_OK);
        }
        take_step(&c.s);
    }
    for (int i = 0; i < 2; i++) {
        lithe_joint_info info;
        assert_int_equal(lithe_joint_get(c.s.model, c.s.state, i, &info), LITHE_OK);
        near(info.angle, stop[i], 1e-8);
        assert_true(info.at_limit);
    }
    end(&c.s);
}

static void test_a_state_saved_at_a_stop_goes_on(void **unused)
{
    (void)unused;
    chain c;
    start(&c);
    c.s.def.dynamics.scheme = LITHE_ALPHA;
    c.s.def.gravity[0] = g;
    add_block(&c, LITHE_JOINT_PRISMATIC, along_x)->travel.limit[1] = 0.02;
    compile(&c.s);
    lithe_state *other = NULL;
    size_t bytes = lithe_state_size(c.s.model, c.s.state);
    void *saved = malloc(bytes);
    assert_non_null(saved);
    assert_int_equal(lithe_state_create(c.s.model, 1, &other, NULL), LITHE_OK);
    for (int i = 0; i < 100; i++) {
        if (i == 90)
            lithe_set_gravity(c.s.model, c.s.state, (double[]){-g, 0, 0});
        lithe_state_save(c.s.model, c.s.state, saved);
        lithe_state_reset(c.s.model, other);
        assert_int_equal(lithe_state_load(c.s.model, other, saved, bytes), LITHE_OK);
        take_step(&c.s);
        assert_int_equal(lithe_step(c.s.model, other), LITHE_OK);
        assert_memory_equal(c.s.state->now.q, other->now.q,
                            (size_t)c.s.model->nq * sizeof *other->now.q);
    }
    assert_true(centre_of(&c, 0)[0] < 0.02);
    free(saved);
    lithe_state_free(other);
    end(&c.s);
}

// The inverse stays within stops without leaning on them.
static void test_the_inverse_keeps_off_stops(void **unused)
{
    (void)unused;
    chain c;
    start(&c);
    c.s.def.dynamics.scheme = LITHE_STATIC;
    lithe_joint_def *j = add_block(&c, LITHE_JOINT_PRISMATIC, along_x);
    j->travel.limit[1] = 0.02;
    c.s.servo = lithe_actuator_def_default(LITHE_LINEAR_MOTOR);
    c.s.servo.name = "motor";
    c.s.servo.part = "guide";
    c.s.def.actuator = &c.s.servo;
    c.s.def.nactuator = 1;
    lithe_effector_def middle = lithe_effector_def_default(LITHE_POINTS);
    lithe_point_def point = {.body = "block"};
    middle.name = "middle";
    middle.point = &point;
    middle.npoint = 1;
    c.s.def.effector = &middle;
    c.s.def.neffector = 1;
    compile(&c.s);
    for (int i = 1; i <= 5; i++) {
        double target[3] = {0.01 * i, 0, 0}, force = 1;
        assert_int_equal(lithe_target_effector(c.s.model, c.s.state, 0, target, false), LITHE_OK);
        take_step(&c.s);
        near(centre_of(&c, 0)[0], fmin(target[0], 0.02), 1e-8);
        lithe_effort(c.s.model, c.s.state, 0, &force);
        near(force, 0, 1e-9);
    }
    end(&c.s);
}

// ## motors

static void add_motor(chain *c, lithe_actuator_kind kind, const double direction[3])
{
    c->s.servo = lithe_actuator_def_default(kind);
    c->s.servo.name = "motor";
    c->s.servo.part = "guide";
    c->s.servo.has_direction = direction != NULL;
    if (direction)
        memcpy(c->s.servo.direction, direction, 3 * sizeof *direction);
    c->s.def.actuator = &c->s.servo;
    c->s.def.nactuator = 1;
}

// Told its displacement, a motor moves the free body along its axis, and nothing else, at rest and
// in motion.
static void drive(lithe_joint_kind joint, lithe_actuator_kind kind, const double axis[3],
                  const double *direction, const double moved[3], const double rotated[3])
{
    for (int scheme = LITHE_STATIC; scheme <= LITHE_ALPHA; scheme++) {
        chain c;
        start(&c);
        lithe_joint_def *j = add_block(&c, joint, axis);
        memcpy(j->cross, along_x, sizeof along_x);
        c.s.def.dynamics.scheme = (lithe_scheme)scheme;
        c.s.def.step.dt = 1e-2;
        add_motor(&c, kind, direction);
        compile(&c.s);
        for (int i = 1; i <= 10; i++) {
            assert_int_equal(tell(&c, 0.03 * i), LITHE_OK);
            take_step(&c.s);
        }
        for (int i = 0; i < 3; i++) {
            near(centre_of(&c, 0)[i], 0.3 * moved[i], 1e-7);
            near(rotation_of(&c, 0)[i], 0.3 * rotated[i], 1e-7);
        }
        end(&c.s);
    }
}

static void test_motors_drive_every_axis(void **unused)
{
    (void)unused;
    const double none[3] = {0}, aslant[3] = {0.6, 0.8, 0}, other[3] = {-0.8, 0.6, 0};
    drive(LITHE_JOINT_HINGE, LITHE_MOTOR, along_y, NULL, none, along_y);
    drive(LITHE_JOINT_PRISMATIC, LITHE_LINEAR_MOTOR, aslant, NULL, aslant, none);
    drive(LITHE_JOINT_CYLINDRICAL, LITHE_LINEAR_MOTOR, aslant, NULL, aslant, none);
    drive(LITHE_JOINT_CYLINDRICAL, LITHE_MOTOR, aslant, NULL, none, aslant);
    drive(LITHE_JOINT_PLANAR, LITHE_LINEAR_MOTOR, along_z, aslant, aslant, none);
    drive(LITHE_JOINT_PLANAR, LITHE_LINEAR_MOTOR, along_z, other, other, none);
    drive(LITHE_JOINT_PLANAR, LITHE_MOTOR, along_z, NULL, none, along_z);
    drive(LITHE_JOINT_UNIVERSAL, LITHE_MOTOR, along_y, along_y, none, along_y);
    drive(LITHE_JOINT_UNIVERSAL, LITHE_MOTOR, along_y, along_x, none, along_x);
}

// Three times around and back, with the torque that the weight asks for; what is saved goes on
// where it was.
static void test_a_motor_goes_round(void **unused)
{
    (void)unused;
    chain c;
    start(&c);
    c.s.def.dynamics.scheme = LITHE_STATIC;
    c.s.def.gravity[2] = -g;
    add_bar(&c, "bar", (double[]){0, 0, 0}, (double[]){length, 0, 0}, mass);
    add_joint(&c, "guide", LITHE_JOINT_HINGE, "bar", NULL, (double[]){0, 0, 0}, along_y);
    add_motor(&c, LITHE_MOTOR, NULL);
    compile(&c.s);
    size_t bytes = lithe_state_size(c.s.model, c.s.state);
    void *saved = malloc(bytes);
    for (int i = 1; i <= 100; i++) {
        double angle = 0.2 * (i <= 80 ? i : 160 - i), found = 0, torque = 0;
        assert_int_equal(tell(&c, angle), LITHE_OK);
        take_step(&c.s);
        lithe_displacement(c.s.model, c.s.state, 0, &found);
        lithe_effort(c.s.model, c.s.state, 0, &torque);
        lithe_joint_info info;
        assert_int_equal(lithe_joint_get(c.s.model, c.s.state, 0, &info), LITHE_OK);
        near(info.angle, angle, 1e-9);
        assert_true(isnan(info.travel) && isnan(info.cross_angle));
        assert_true(lithe_joint_leaves(c.s.model, 0, LITHE_JOINT_ANGLE));
        assert_false(lithe_joint_leaves(c.s.model, 0, LITHE_JOINT_TRAVEL));
        near(found, angle, 1e-9);
        near(torque, -mass * g * length / 2 * cos(angle), 1e-9);
        near(centre_of(&c, 0)[0], length / 2 * cos(angle), 1e-9);
        if (i == 70) {
            lithe_state_save(c.s.model, c.s.state, saved);
            lithe_state_reset(c.s.model, c.s.state);
            assert_int_equal(lithe_state_load(c.s.model, c.s.state, saved, bytes), LITHE_OK);
            lithe_displacement(c.s.model, c.s.state, 0, &found);
            near(found, angle, 1e-9);
        }
    }
    free(saved);
    end(&c.s);
}

// Two wheels in mesh, more than once around: the second goes back by a half.
static void test_wheels_in_mesh_keep_their_ratio(void **unused)
{
    (void)unused;
    const double ratio = -0.5;
    for (int scheme = LITHE_STATIC; scheme <= LITHE_ALPHA; scheme++) {
        chain c;
        start(&c);
        c.s.def.dynamics.scheme = (lithe_scheme)scheme;
        c.s.def.step.dt = 1e-2;
        add_bar(&c, "block", (double[]){0, 0, 0}, (double[]){0.05, 0, 0}, mass);
        add_bar(&c, "second", (double[]){0, 0, 0.1}, (double[]){0.1, 0, 0.1}, mass);
        add_joint(&c, "guide", LITHE_JOINT_HINGE, "block", NULL, (double[]){0, 0, 0}, along_y);
        lithe_joint_def *j = add_joint(&c, "follower", LITHE_JOINT_HINGE, "second", NULL,
                                       (double[]){0, 0, 0.1}, along_y);
        j->mimic = "guide";
        j->ratio = ratio;
        add_motor(&c, LITHE_MOTOR, NULL);
        c.s.def.gravity[2] = -g;
        compile(&c.s);
        for (int i = 1; i <= 100; i++) {
            assert_int_equal(tell(&c, 0.1 * i), LITHE_OK);
            take_step(&c.s);
            near(centre_of(&c, 0)[0], 0.025 * cos(0.1 * i), 1e-7);
            near(centre_of(&c, 1)[0], 0.05 * cos(ratio * 0.1 * i), 1e-7);
            near(centre_of(&c, 1)[2], 0.1 - 0.05 * sin(ratio * 0.1 * i), 1e-7);
        }
        double torque = 0, angle = 10;
        lithe_effort(c.s.model, c.s.state, 0, &torque);
        if (scheme == LITHE_STATIC) // both weights, the second's by the ratio
            near(torque, -mass * g * (0.025 * cos(angle) + ratio * 0.05 * cos(ratio * angle)),
                 1e-8);
        end(&c.s);
    }
}

static void test_what_no_axis_can_have_is_refused(void **unused)
{
    (void)unused;
    chain c;
    start(&c);
    lithe_joint_def *j = add_block(&c, LITHE_JOINT_UNIVERSAL, along_y);
    memcpy(j->cross, along_x, sizeof along_x);
    add_motor(&c, LITHE_MOTOR, NULL);
    refuse(&c.s, "say which");
    add_motor(&c, LITHE_MOTOR, along_z);
    refuse(&c.s, "no such angle");
    add_motor(&c, LITHE_LINEAR_MOTOR, NULL);
    refuse(&c.s, "no such travel");
    c.s.def.nactuator = 0;
    j->angle.damping = -1;
    refuse(&c.s, "not negative");
    j->angle.damping = 0;
    j->angle.limit[0] = 0.1;
    refuse(&c.s, "beyond them");
    j->angle.limit[0] = 0;
    j->mimic = "guide";
    refuse(&c.s, "that is itself");
    j->mimic = "nothing";
    refuse(&c.s, "no such joint");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_damped_spring_vibrates_as_its_formula),
        cmocka_unit_test(test_a_spring_holds_a_bar_at_rest),
        cmocka_unit_test(test_friction_stops_a_block_and_keeps_it),
        cmocka_unit_test(test_friction_holds_up_to_its_force),
        cmocka_unit_test(test_stops_are_not_passed),
        cmocka_unit_test(test_a_stop_is_met_where_another_is_leant_on),
        cmocka_unit_test(test_a_state_saved_at_a_stop_goes_on),
        cmocka_unit_test(test_the_inverse_keeps_off_stops),
        cmocka_unit_test(test_motors_drive_every_axis),
        cmocka_unit_test(test_a_motor_goes_round),
        cmocka_unit_test(test_wheels_in_mesh_keep_their_ratio),
        cmocka_unit_test(test_what_no_axis_can_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
