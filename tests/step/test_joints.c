// Joints between rigid bodies, parts and the world: a double pendulum against its equations, a
// four-bar and Hooke's joint against their closed forms, two halves against the whole.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rotation.h"
#include "base/vec.h"
#include "chain.h"
#include "rigid_truth.h"

// ## the double pendulum

// How far the centre of the lower one is from the truth, of its length.
static double pendulum_off(double dt, double time, double *gap)
{
    chain c;
    start(&c);
    c.s.def.gravity[2] = -g;
    c.s.def.step.dt = dt;
    add_bar(&c, "upper", (double[]){0, 0, 0}, (double[]){l1, 0, 0}, m1);
    add_bar(&c, "lower", (double[]){l1, 0, 0}, (double[]){l1 + l2, 0, 0}, m2);
    add_joint(&c, "shoulder", LITHE_JOINT_HINGE, "upper", NULL, (double[]){0, 0, 0}, along_y);
    add_joint(&c, "elbow", LITHE_JOINT_HINGE, "lower", "upper", (double[]){l1, 0, 0}, along_y);
    compile(&c.s);
    for (int i = 0; i < (int)(time / dt + 0.5); i++) {
        take_step(&c.s);
        *gap = fmax(*gap, widest_gap(&c));
    }
    double at[3];
    pendulum_at(time, at);
    double off = vec_distance(centre_of(&c, 1), at) / l2;
    end(&c.s);
    return off;
}

static void test_a_double_pendulum_is_that_of_its_equations(void **unused)
{
    (void)unused;
    double gap = 0, coarse = pendulum_off(1e-3, 0.3, &gap), fine = pendulum_off(5e-4, 0.3, &gap);
    assert_in_range((int)(100 * coarse / fine), 370, 430);
    near(pendulum_off(1e-4, 0.1, &gap), 0, 1e-6);
    assert_true(gap < 1e-9);
}

// What hangs where it stays has no energy but what rounding leaves.
static void test_a_pendulum_at_rest_gains_nothing(void **unused)
{
    (void)unused;
    for (int scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++)
        for (int far = 0; far < 2; far++) { // at 10 m positions round a hundred times as much
            chain c;
            double x = far ? 10 : 0;
            start(&c);
            c.s.def.gravity[2] = -g;
            c.s.def.dynamics.scheme = scheme;
            c.s.def.step.dt = 1e-2;
            add_bar(&c, "upper", (double[]){x, 0, 0}, (double[]){x, 0, -l1}, m1);
            add_bar(&c, "lower", (double[]){x, 0, -l1}, (double[]){x, 0, -l1 - l2}, m2);
            add_joint(&c, "shoulder", LITHE_JOINT_HINGE, "upper", NULL, (double[]){x, 0, 0},
                      along_y);
            add_joint(&c, "elbow", LITHE_JOINT_HINGE, "lower", "upper", (double[]){x, 0, -l1},
                      along_y);
            compile(&c.s);
            for (int i = 0; i < 300; i++)
                take_step(&c.s);
            end(&c.s);
        }
}

// Let go of level, its last links go round faster than steps of realtime can follow: its joints
// stay closed, and it has never more energy than it began with.
static void test_a_whip_in_realtime_gains_nothing(void **unused)
{
    (void)unused;
    enum { LINKS = 5 };
    static const char *const name[LINKS] = {"one", "two", "three", "four", "five"},
                             *const joint[LINKS] = {"a", "b", "c", "d", "e"};
    chain c;
    const double length = 0.02, weight = 0.01;
    start(&c);
    c.s.def.gravity[2] = -g;
    c.s.def.dynamics.scheme = LITHE_ALPHA;
    c.s.def.step.mode = LITHE_REALTIME;
    c.s.def.step.iterations = 2;
    c.s.def.step.dt = 5e-3;
    for (int i = 0; i < LINKS; i++) {
        double from[3] = {length * i}, to[3] = {length * (i + 1)};
        add_bar(&c, name[i], from, to, weight);
        add_joint(&c, joint[i], LITHE_JOINT_HINGE, name[i], i ? name[i - 1] : NULL, from, along_y);
    }
    compile(&c.s);
    for (int i = 0; i < 1000; i++) {
        take_step(&c.s);
        lithe_energy e = lithe_last_energy(c.s.model, c.s.state);
        assert_true(e.kinetic + e.potential < 1e-2 * weight * g * length * LINKS * LINKS);
        assert_true(widest_gap(&c) < 1e-2 * length * LINKS);
    }
    end(&c.s);
}

// ## loops

static void drive(chain *c, const char *driven, const double axis[3])
{
    c->s.servo = lithe_actuator_def_default(LITHE_SERVO);
    c->s.servo.name = "motor";
    c->s.servo.body = driven;
    c->s.servo.command = LITHE_DISPLACEMENT;
    memcpy(c->s.servo.direction, axis, sizeof c->s.servo.direction);
    c->s.def.actuator = &c->s.servo;
    c->s.def.nactuator = 1;
}

// Crank, coupler and rocker, which a servo drives through the crank.
static void test_a_four_bar_is_where_its_triangles_say(void **unused)
{
    (void)unused;
    chain c;
    const double crank = 0.03, coupler = 0.08, rocker = 0.07, base = 0.1;
    double A[3] = {0, 0, crank}, D[3] = {base, 0, 0}, diagonal = hypot(base, crank);
    double bend = acos((coupler * coupler + diagonal * diagonal - rocker * rocker) /
                       (2 * coupler * diagonal)),
           lean = atan2(-crank, base);
    double B[3] = {coupler * cos(lean + bend), 0, crank + coupler * sin(lean + bend)};
    start(&c);
    add_bar(&c, "crank", (double[]){0, 0, 0}, A, 0.03);
    add_bar(&c, "coupler", A, B, 0.08);
    add_bar(&c, "rocker", B, D, 0.07);
    add_joint(&c, "first", LITHE_JOINT_HINGE, "coupler", "crank", A, along_y);
    add_joint(&c, "second", LITHE_JOINT_HINGE, "rocker", "coupler", B, along_y);
    add_joint(&c, "third", LITHE_JOINT_HINGE, "rocker", NULL, D, along_y);
    drive(&c, "crank", along_y);
    c.s.def.step.dt = 1e-2;
    compile(&c.s);
    for (int i = 1; i <= 30; i++) {
        double angle = 0.1 * i, z = crank * cos(angle), x = crank * sin(angle);
        assert_int_equal(tell(&c, angle), LITHE_OK);
        take_step(&c.s);
        double d = hypot(base - x, z), tilt = atan2(-z, base - x),
               open = acos((coupler * coupler + d * d - rocker * rocker) / (2 * coupler * d));
        near(centre_of(&c, 1)[0], x + coupler / 2 * cos(tilt + open), 1e-8);
        near(centre_of(&c, 1)[2], z + coupler / 2 * sin(tilt + open), 1e-8);
        near(centre_of(&c, 1)[1], 0, 1e-9);
    }
    assert_true(widest_gap(&c) < 1e-8);
    end(&c.s);
}

// Hooke's: two shafts at an angle, each in its bearing, with a cross between them.
static void test_a_universal_joint_carries_rotation_as_hookes(void **unused)
{
    (void)unused;
    chain c;
    const double beta = 0.5, out[3] = {cos(beta), 0, sin(beta)};
    start(&c);
    add_bar(&c, "in", (double[]){-0.1, 0, 0}, (double[]){0, 0, 0}, 0.1);
    add_bar(&c, "out", (double[]){0, 0, 0}, (double[]){0.1 * out[0], 0, 0.1 * out[2]}, 0.1);
    lithe_joint_def *j = add_joint(&c, "cross", LITHE_JOINT_UNIVERSAL, "out", "in",
                                   (double[]){0, 0, 0}, (double[]){-sin(beta), 0, cos(beta)});
    memcpy(j->cross, along_y, sizeof along_y);
    add_joint(&c, "bearing", LITHE_JOINT_HINGE, "out", NULL, (double[]){0, 0, 0}, out);
    drive(&c, "in", along_x);
    c.s.def.step.dt = 1e-2;
    compile(&c.s);
    for (int i = 1; i <= 12; i++) {
        double angle = 0.1 * i;
        assert_int_equal(tell(&c, angle), LITHE_OK);
        take_step(&c.s);
        near(tan(vec_dot(rotation_of(&c, 1), out)), tan(angle) * cos(beta), 1e-6);
    }
    end(&c.s);
}

// Hinges about x and about y leave nothing free, and yet a servo is told to go about y.
static void test_what_joints_and_commands_cannot_both_be_is_told(void **unused)
{
    (void)unused;
    for (int mode = LITHE_CONVERGED; mode <= LITHE_REALTIME; mode++)
        for (int told = 0; told < 2; told++) {
            chain c;
            start(&c);
            add_bar(&c, "bar", (double[]){0, 0, 0}, (double[]){0, 0, -0.1}, 0.1);
            add_joint(&c, "upper", LITHE_JOINT_HINGE, "bar", NULL, (double[]){0, 0, 0}, along_y);
            add_joint(&c, "lower", LITHE_JOINT_HINGE, "bar", NULL, (double[]){0, 0, -0.1}, along_x);
            drive(&c, "bar", along_y);
            c.s.def.step.dt = 1e-2;
            c.s.def.step.mode = mode;
            compile(&c.s);
            assert_int_equal(tell(&c, told ? 0.3 : 0), LITHE_OK);
            lithe_status status = lithe_step(c.s.model, c.s.state);
            lithe_apart apart = lithe_last_apart(c.s.model, c.s.state);
            assert_int_equal(status,
                             told && mode == LITHE_CONVERGED ? LITHE_NOT_CONVERGED : LITHE_OK);
            assert_true(told ? apart.gap > apart.allowed : apart.gap < 1e-9);
            if (status != LITHE_OK)
                assert_non_null(strstr(lithe_state_error(c.s.state), "m open, where"));
            if (told)
                assert_string_equal(lithe_joint_name(c.s.model, apart.joint), "lower");
            end(&c.s);
        }
}

// A motor at the elbow of a free pair of bars: what it does to the one it undoes at the other.
static void test_a_motor_drives_both_sides(void **unused)
{
    (void)unused;
    for (int kind = LITHE_EFFORT; kind <= LITHE_DISPLACEMENT; kind++) {
        chain c;
        start(&c);
        add_bar(&c, "left", (double[]){-0.1, 0, 0}, (double[]){0, 0, 0}, 0.1);
        add_bar(&c, "right", (double[]){0, 0, 0}, (double[]){0.1, 0, 0}, 0.1);
        add_joint(&c, "elbow", LITHE_JOINT_HINGE, "right", "left", (double[]){0, 0, 0}, along_y);
        c.s.servo = lithe_actuator_def_default(LITHE_MOTOR);
        c.s.servo.name = "motor";
        c.s.servo.part = "elbow";
        c.s.servo.command = (lithe_command_kind)kind;
        c.s.servo.value[0] = kind == LITHE_EFFORT ? 1e-3 : 0;
        c.s.def.actuator = &c.s.servo;
        c.s.def.nactuator = 1;
        compile(&c.s);
        const double angle = 0.02;
        for (int i = 1; i <= 50; i++) {
            double value = kind == LITHE_EFFORT ? 1e-3 : angle * i;
            assert_int_equal(
                lithe_command(c.s.model, c.s.state, 0, (lithe_command_kind)kind, &value), LITHE_OK);
            take_step(&c.s);
        }
        double found = 0, half[2];
        lithe_displacement(c.s.model, c.s.state, 0, &found);
        for (int k = 0; k < 2; k++)
            half[k] = rotation_of(&c, k)[1];
        near(found, half[1] - half[0], 1e-9);
        near(half[1], -half[0], 1e-9);
        if (kind == LITHE_DISPLACEMENT)
            near(found, 50 * angle, 1e-9);
        else // each bar is pushed at its end across its length as well: I + m a^2 about the elbow
            assert_true(half[1] > 0.01);
        near(centre_of(&c, 0)[0] + centre_of(&c, 1)[0], 0, 1e-9);
        lithe_energy e = lithe_last_energy(c.s.model, c.s.state);
        near(vec_norm(e.angular), 0, 1e-9);
        end(&c.s);
    }
}

// ## the others

// Two halves that are fixed to each other tumble as the whole does.
static void test_what_is_fixed_is_one(void **unused)
{
    (void)unused;
    chain c;
    scene whole;
    const double spin_at_start[3] = {3, 20, 5};
    begin(&whole, LITHE_RIGID_BOX, 0.01, 0.02, 0.1);
    whole.body[0].mass = 0.1;
    whole.def.dynamics.spectral_radius = 0.8;
    memcpy(whole.body[0].spin, spin_at_start, sizeof spin_at_start);
    compile(&whole);
    start(&c);
    for (int k = 0; k < 2; k++) {
        lithe_body_def *b = add_bar(&c, k ? "high" : "low", (double[]){0, 0, k ? 0 : -0.05},
                                    (double[]){0, 0, k ? 0.05 : 0}, 0.05);
        memcpy(b->spin, spin_at_start, sizeof spin_at_start);
        vec_cross(b->velocity, spin_at_start, (double[]){0, 0, k ? 0.025 : -0.025});
    }
    add_joint(&c, "weld", LITHE_JOINT_FIXED, "high", "low", (double[]){0, 0, 0}, along_z);
    compile(&c.s);
    for (int i = 0; i < 100; i++) {
        take_step(&c.s);
        take_step(&whole);
    }
    double between[3], middle[3];
    rotation_between(rotation_of(&c, 0), rotation_of(&c, 1), between);
    near(vec_norm(between), 0, 1e-8);
    rotation_between(rotation_of(&c, 0), &whole.state->now.x[3 * (whole.model->nnode - 1)],
                     between);
    near(vec_norm(between), 0, 3e-3); // the halves' centres go along chords: of second order
    for (int i = 0; i < 3; i++)
        middle[i] = 0.5 * (centre_of(&c, 0)[i] + centre_of(&c, 1)[i]);
    near(vec_norm(middle), 0, 1e-9);
    end(&c.s);
    end(&whole);
}

// What a joint leaves free moves as if nothing were there, and nothing else moves.
static void slide(lithe_joint_kind kind, const double axis[3], const double expected[3],
                  const double spin_about[3])
{
    chain c;
    start(&c);
    memcpy(c.s.def.gravity, (double[]){1, 2, -9}, sizeof c.s.def.gravity);
    lithe_body_def *b = add_bar(&c, "bar", (double[]){0, 0, 0}, (double[]){0.05, 0, 0.05}, 0.1);
    memcpy(b->spin, spin_about, sizeof b->spin);
    double first[3] = {0.025, 0, 0.025};
    add_joint(&c, "guide", kind, "bar", NULL, first, axis);
    compile(&c.s);
    for (int i = 0; i < 100; i++)
        take_step(&c.s);
    for (int i = 0; i < 3; i++)
        near(centre_of(&c, 0)[i] - first[i], 0.5 * 0.01 * expected[i], 2e-5);
    for (int i = 0; i < 3; i++)
        near(rotation_of(&c, 0)[i], 0.1 * spin_about[i], 1e-6);
    assert_true(widest_gap(&c) < 1e-10);
    end(&c.s);
}

static void test_guides_leave_what_they_say(void **unused)
{
    (void)unused;
    const double s = sqrt(0.5), axis[3] = {s, 0, s}, none[3] = {0}, about[3] = {5 * s, 0, 5 * s};
    const double fall[3] = {1, 2, -9}, along = vec_dot(fall, axis);
    double travel[3], across[3];
    for (int i = 0; i < 3; i++) {
        travel[i] = along * axis[i];
        across[i] = fall[i] - travel[i];
    }
    slide(LITHE_JOINT_PRISMATIC, axis, travel, none);
    slide(LITHE_JOINT_CYLINDRICAL, axis, travel, about);
    slide(LITHE_JOINT_PLANAR, axis, across, about);
    slide(LITHE_JOINT_FIXED, axis, none, none);
}

// A weight that hangs from a soft bar by a ball joint is borne by it.
static void test_a_ball_joins_what_is_soft(void **unused)
{
    (void)unused;
    robot r;
    chain c;
    robot_begin(&r, false);
    start(&c);
    c.body[c.s.def.nbody++] = r.body;
    add_bar(&c, "weight", (double[]){0, 0, 0.14}, (double[]){0, 0, 0.1}, 0.02);
    add_joint(&c, "hook", LITHE_JOINT_BALL, "weight", "bar", (double[]){0, 0, 0.1}, along_z);
    c.s.def.material = &r.material;
    c.s.def.gravity[2] = g; // the bar's tip is below
    c.s.def.step.dt = 1e-2;
    c.s.def.dynamics.scheme = LITHE_EULER;
    c.s.def.dynamics.mass_damping = 20;
    compile(&c.s);
    for (int i = 0; i < 100; i++)
        take_step(&c.s);
    lithe_joint_info info;
    assert_int_equal(lithe_joint_get(c.s.model, c.s.state, 0, &info), LITHE_OK);
    near(info.force[2] / (-0.02 * g), 1, 1e-3);
    near(vec_norm(info.moment), 0, 1e-12);
    end(&c.s);
    robot_end(&r);
}

static void test_joints_that_cannot_be_are_refused(void **unused)
{
    (void)unused;
    chain c;
    start(&c);
    add_bar(&c, "bar", (double[]){0, 0, 0}, (double[]){0, 0, 0.1}, 0.1);
    lithe_joint_def *j =
        add_joint(&c, "joint", LITHE_JOINT_HINGE, "bar", "bar", (double[]){0, 0, 0}, along_y);
    refuse(&c.s, "with itself");
    j->with = "nobody";
    refuse(&c.s, "there is no body");
    j->with = NULL;
    j->part = "knob";
    refuse(&c.s, "has no rigid part");
    j->part = NULL;
    j->axis[1] = 0;
    refuse(&c.s, "joint");
    j->kind = LITHE_JOINT_UNIVERSAL;
    j->axis[1] = j->cross[1] = 1;
    refuse(&c.s, "normal to each other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_double_pendulum_is_that_of_its_equations),
        cmocka_unit_test(test_a_pendulum_at_rest_gains_nothing),
        cmocka_unit_test(test_a_whip_in_realtime_gains_nothing),
        cmocka_unit_test(test_a_four_bar_is_where_its_triangles_say),
        cmocka_unit_test(test_a_universal_joint_carries_rotation_as_hookes),
        cmocka_unit_test(test_what_joints_and_commands_cannot_both_be_is_told),
        cmocka_unit_test(test_a_motor_drives_both_sides),
        cmocka_unit_test(test_what_is_fixed_is_one),
        cmocka_unit_test(test_guides_leave_what_they_say),
        cmocka_unit_test(test_a_ball_joins_what_is_soft),
        cmocka_unit_test(test_joints_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
