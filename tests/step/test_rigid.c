// Rigid bodies by themselves: their inertia against sums over points, their tumbling against
// Euler's equations, loads, and what is refused of them.
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
#include "rigid.h"
#include "rigid_truth.h"

// ## mass and inertia

typedef bool inside_function(const double size[3], const double x[3]);

static bool in_box(const double size[3], const double x[3])
{
    return fabs(x[0]) < size[0] / 2 && fabs(x[1]) < size[1] / 2 && fabs(x[2]) < size[2] / 2;
}

static bool in_sphere(const double size[3], const double x[3])
{
    return vec_dot(x, x) < size[0] * size[0];
}

static bool in_cylinder(const double size[3], const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] < size[0] * size[0] && fabs(x[2]) < size[1] / 2;
}

static bool in_capsule(const double size[3], const double x[3])
{
    double z = fmax(fabs(x[2]) - size[1] / 2, 0);
    return x[0] * x[0] + x[1] * x[1] + z * z < size[0] * size[0];
}

// By counting points of a fine grid that are inside.
static void count_points(inside_function *inside, const double size[3], double reach,
                         double density, double *mass, double I[3])
{
    enum { N = 120 };
    double h = 2 * reach / N, dm = density * h * h * h;
    for (int i = 0; i < N * N * N; i++) {
        double x[3] = {-reach + h * (i % N + 0.5), -reach + h * (i / N % N + 0.5),
                       -reach + h * (i / N / N + 0.5)}; // NOLINT(bugprone-integer-division)
        if (!inside(size, x))
            continue;
        *mass += dm;
        for (int axis = 0; axis < 3; axis++)
            I[axis] += dm * (vec_dot(x, x) - x[axis] * x[axis]);
    }
}

static void test_primitives_have_the_inertia_of_their_points(void **unused)
{
    (void)unused;
    static const struct {
        lithe_rigid_shape shape;
        double size[3];
        inside_function *inside;
    } each[] = {{LITHE_RIGID_BOX, {0.03, 0.05, 0.07}, in_box},
                {LITHE_RIGID_SPHERE, {0.04}, in_sphere},
                {LITHE_RIGID_CYLINDER, {0.02, 0.07}, in_cylinder},
                {LITHE_RIGID_CAPSULE, {0.02, 0.03}, in_capsule}};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        scene s;
        double mass = 0, I[3] = {0};
        begin(&s, each[k].shape, each[k].size[0], each[k].size[1], each[k].size[2]);
        compile(&s);
        count_points(each[k].inside, each[k].size, 0.042, 7800, &mass, I);
        const body *b = &s.model->body[0];
        near(b->mass[b->centre] / mass, 1, 0.02);
        for (int i = 0; i < 9; i++)
            near(inertia(&s)[i], i % 4 ? 0 : I[i / 4], 0.02 * I[0]);
        end(&s);
    }
}

// A mesh of tetrahedra, placed askew, against the block that it fills; and its surface alone.
static void test_meshes_have_the_inertia_of_what_they_fill(void **unused)
{
    (void)unused;
    robot r;
    scene s, other;
    robot_begin(&r, false); // 20 x 20 x 100 mm
    begin(&s, LITHE_RIGID_MESH, 0, 0, 0);
    begin(&other, LITHE_RIGID_BOX, 0.02, 0.02, 0.1);
    s.body[0].mesh = r.mesh;
    for (int i = 0; i < 3; i++)
        s.body[0].rotate[i] = other.body[0].rotate[i] = 0.3 + 0.2 * i;
    compile(&s);
    compile(&other);
    const body *a = &s.model->body[0], *b = &other.model->body[0];
    double R[9], up[3] = {0, 0, 0.05};
    mat_from_angles(R, s.body[0].rotate);
    mat_apply(up, R, up);
    for (int i = 0; i < 3; i++)
        near(centre(&s)[i], up[i], 1e-12);
    near(a->mass[a->centre] / b->mass[b->centre], 1, 1e-12);
    for (int i = 0; i < 9; i++)
        near(inertia(&s)[i], inertia(&other)[i], 1e-12 * inertia(&other)[0]);
    end(&s);
    end(&other);
    robot_end(&r);
}

// ## tumbling

static const double tumbling[3] = {0.3, 20,
                                   0.2}; // near the axis about which nothing spins for long

static void begin_tumbling(scene *s, double dt, lithe_scheme scheme, double radius)
{
    begin(s, LITHE_RIGID_BOX, 0.03, 0.02, 0.01);
    memcpy(s->body[0].spin, tumbling, sizeof tumbling);
    s->def.step.dt = dt;
    s->def.step.tolerance = 1e-12;
    s->def.dynamics.scheme = scheme;
    s->def.dynamics.spectral_radius = radius;
    compile(s);
}

// How far from the truth after a time: angle of the rotation between, rad.
static double off_after(double dt, double time, lithe_scheme scheme, double radius)
{
    scene s;
    begin_tumbling(&s, dt, scheme, radius);
    double I[3] = {inertia(&s)[0], inertia(&s)[4], inertia(&s)[8]}, theta[3], between[3];
    for (int i = 0; i < (int)(time / dt + 0.5); i++)
        take_step(&s);
    top truth = top_at(I, tumbling, time);
    rotation_from_quaternion(truth.q, theta);
    rotation_between(&s.state->now.x[3 * (s.model->body[0].nnode - 1)], theta, between);
    end(&s);
    return vec_norm(between);
}

static void test_tumbling_is_that_of_eulers_equations(void **unused)
{
    (void)unused;
    const double time = 1; // three rounds, with a flip
    double coarse = off_after(2e-3, time, LITHE_ALPHA, 1),
           fine = off_after(1e-3, time, LITHE_ALPHA, 1);
    assert_in_range((int)(100 * coarse / fine), 380, 420);
    assert_true(fine < 3e-3);
    coarse = off_after(2e-3, time, LITHE_ALPHA, 0.8);
    fine = off_after(1e-3, time, LITHE_ALPHA, 0.8);
    assert_in_range((int)(100 * coarse / fine), 360, 440);
    coarse = off_after(2e-4, 0.2, LITHE_EULER, 0);
    fine = off_after(1e-4, 0.2, LITHE_EULER, 0);
    assert_in_range((int)(100 * coarse / fine), 180, 220);
}

static void momentum(const scene *s, double out[3])
{
    const body *b = &s->model->body[0];
    body_momentum(b, s->state->now.x, b->nnode - 1, spin(s), out);
}

// 100 rounds
static void test_tumbling_keeps_energy_and_angular_momentum(void **unused)
{
    (void)unused;
    scene s;
    double before[3], now[3], worst = 0, off = 0;
    begin_tumbling(&s, 4e-3, LITHE_ALPHA, 1);
    momentum(&s, before);
    double energy = lithe_last_energy(s.model, s.state).kinetic, flips = 0, side = 1;
    for (int i = 0; i < (int)(100 * 2 * M_PI / 20 / 4e-3); i++) {
        take_step(&s);
        momentum(&s, now);
        worst = fmax(worst, vec_distance(now, before) / vec_norm(before));
        off = fmax(off, fabs(lithe_last_energy(s.model, s.state).kinetic / energy - 1));
        double R[9];
        rotation_matrix(&s.state->now.x[3 * (s.model->body[0].nnode - 1)], R);
        flips += side * R[4] < -0.9;
        side = fabs(R[4]) > 0.9 ? copysign(1, R[4]) : side;
    }
    assert_true(worst < 1e-9);
    assert_true(off < 1e-9);
    assert_true(flips > 10); // it does tumble
    end(&s);
}

// Whatever the scheme, which may take energy.
static void test_angular_momentum_stays_in_every_scheme(void **unused)
{
    (void)unused;
    static const struct {
        lithe_scheme scheme;
        double radius;
    } each[] = {{LITHE_ALPHA, 0.8}, {LITHE_ALPHA, 0}, {LITHE_EULER, 0}};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        scene s;
        double before[3], now[3];
        begin_tumbling(&s, 5e-3, each[k].scheme, each[k].radius);
        momentum(&s, before);
        double energy = lithe_last_energy(s.model, s.state).kinetic;
        for (int i = 0; i < 200; i++)
            take_step(&s);
        momentum(&s, now);
        assert_true(vec_distance(now, before) < 1e-9 * vec_norm(before));
        assert_true(lithe_last_energy(s.model, s.state).kinetic < energy * (1 + 1e-9));
        end(&s);
    }
}

// ## loads

// A force beside the centre accelerates both ways.
static void test_a_force_acts_at_its_point(void **unused)
{
    (void)unused;
    scene s;
    begin(&s, LITHE_RIGID_BOX, 0.03, 0.02, 0.01);
    s.load = lithe_load_def_default();
    s.load.name = "push";
    s.load.body = "rigid";
    memcpy(s.load.at, (double[]){0.1, 0, 0}, sizeof s.load.at); // outside: it carries any point
    s.load.value[1] = 1e-3;
    s.def.load = &s.load;
    s.def.nload = 1;
    s.def.step.dt = 1e-4;
    compile(&s);
    const body *b = &s.model->body[0];
    for (int i = 0; i < 10; i++)
        take_step(&s);
    near(velocity(&s)[1], 1e-3 / b->mass[b->centre] * 1e-3, 1e-9);
    near(spin(&s)[2] / (1e-3 * 0.1 / inertia(&s)[8] * 1e-3), 1, 1e-6);
    end(&s);
}

// A cube that hangs at a corner swings as I + m l^2 says, the same about every level axis.
static void test_its_box_is_that_of_its_skin(void **unused)
{
    (void)unused;
    scene s;
    lithe_body_info info;
    begin(&s, LITHE_RIGID_BOX, 0.08, 0.08, 0.04);
    s.body[0].mass = 1;
    memcpy(s.body[0].centre, (double[]){0, 0, -0.02}, sizeof s.body[0].centre);
    memcpy(s.body[0].inertia, (double[]){1e-3, 1e-3, 1e-3}, sizeof s.body[0].inertia);
    compile(&s);
    assert_int_equal(lithe_body_get(s.model, 0, &info), LITHE_OK);
    for (int i = 0; i < 3; i++) {
        near(info.lower[i], i < 2 ? -0.04 : -0.02, 1e-12);
        near(info.upper[i], i < 2 ? 0.04 : 0.02, 1e-12);
    }
    end(&s);
}

static void test_gravity_of_its_own_moves_it_alone(void **unused)
{
    (void)unused;
    scene s;
    begin(&s, LITHE_RIGID_BOX, 0.02, 0.03, 0.04);
    s.body[1] = s.body[0];
    s.body[1].name = "other";
    s.body[1].move[0] = 0.1;
    s.def.nbody = 2;
    s.def.gravity[2] = -g;
    compile(&s);
    int other = s.model->body[1].centre + s.model->body[1].node_adr;
    assert_int_equal(lithe_set_body_gravity(s.model, s.state, 2, (double[]){0, 0, 0}),
                     LITHE_INVALID);
    assert_int_equal(lithe_set_body_gravity(s.model, s.state, 0, (double[]){2, 0, g}), LITHE_OK);
    for (int k = 0; k < 100; k++)
        take_step(&s);
    // What is told acts from the end of the step on, so the first one has half of it.
    const double t = 0.1, late = 0.5 * t * s.def.step.dt, near_by = 1e-5;
    const double *x = &s.state->now.x[3 * other], *rest = &s.model->X[3 * other];
    near(centre(&s)[0], 2 * (0.5 * t * t - late), near_by);
    near(centre(&s)[2], -g * late, near_by);
    near(x[0] - rest[0], 0, 1e-12);
    near(x[2] - rest[2], -0.5 * g * t * t, 1e-12);
    end(&s);
}

static void test_it_swings_about_a_node_that_is_held(void **unused)
{
    (void)unused;
    scene s;
    const double a = 0.05, little = 1e-3;
    begin(&s, LITHE_RIGID_BOX, a, a, a);
    s.fix[0] = lithe_fix_def_default();
    s.fix[0].where = (lithe_selection){.kind = LITHE_NEAREST, .a = {a, a, a}};
    s.body[0].fix = s.fix;
    s.body[0].nfix = 1;
    for (int i = 0; i < 3; i++)
        s.def.gravity[i] = -g / sqrt(3) + (i == 0 ? little : i == 1 ? -little : 0);
    compile(&s);
    double far = centre(&s)[0], start = far, time = 0;
    for (bool back = false; !back && time < 1; time += 1e-3) {
        take_step(&s);
        back = centre(&s)[0] < far;
        far = fmax(far, centre(&s)[0]);
    }
    double period = 2 * M_PI * sqrt((a * a / 6 + 0.75 * a * a) / (g * sqrt(0.75) * a));
    assert_true(far > start);
    near(2 * (time - 1e-3) / period, 1, 5e-3);
    end(&s);
}

// A servo rotates all of it: the torque is what its inertia takes.
static void test_a_servo_rotates_it(void **unused)
{
    (void)unused;
    scene s;
    begin(&s, LITHE_RIGID_BOX, 0.03, 0.02, 0.01);
    s.servo = lithe_actuator_def_default(LITHE_SERVO);
    s.servo.name = "motor";
    s.servo.body = "rigid";
    memcpy(s.servo.direction, (double[]){0, 0, 1}, sizeof s.servo.direction);
    memcpy(s.servo.through, (double[]){0.02, 0, 0}, sizeof s.servo.through);
    s.servo.command = LITHE_EFFORT;
    s.servo.value[0] = 1e-4;
    s.def.actuator = &s.servo;
    s.def.nactuator = 1;
    s.def.step.dt = 1e-3;
    compile(&s);
    const body *b = &s.model->body[0];
    for (int i = 0; i < 100; i++)
        take_step(&s);
    double I = inertia(&s)[8] + b->mass[b->centre] * 0.02 * 0.02;
    near(spin(&s)[2] / (1e-4 / I * 0.1), 1, 1e-3);
    end(&s);
}

// ## refusals

static void test_what_cannot_be_is_refused(void **unused)
{
    (void)unused;
    scene s;
    begin(&s, LITHE_RIGID_BOX, 0.03, 0.02, 0.01);
    s.body[0].material = NULL;
    refuse(&s, "has no mass");
    s.body[0].mass = 1;
    memcpy(s.body[0].inertia, (double[]){1, 1, 3}, sizeof s.body[0].inertia);
    refuse(&s, "no body can have this inertia");
    memcpy(s.body[0].inertia, (double[]){1, 1, 0}, sizeof s.body[0].inertia);
    refuse(&s, "no body can have this inertia");
    memcpy(s.body[0].inertia, (double[]){1, 1, -1}, sizeof s.body[0].inertia);
    refuse(&s, "no body can have this inertia");
    memcpy(s.body[0].inertia, (double[]){1, 1, 1}, sizeof s.body[0].inertia);
    s.body[0].products[0] = 2;
    refuse(&s, "no body can have this inertia");
    s.body[0].products[0] = 0;
    s.body[0].mass = 0;
    refuse(&s, "an inertia and no mass");
    memset(s.body[0].inertia, 0, sizeof s.body[0].inertia);
    s.body[0].mass = 1;
    s.body[0].centre[0] = s.body[0].centre[1] = s.body[0].centre[2] = 0;
    refuse(&s, "give both, or none");
    s.body[0].centre[0] = NAN;
    s.body[0].size[1] = 0;
    refuse(&s, "lengths above 0");
    s.body[0].size[1] = 0.02;
    s.body[0].shape = LITHE_RIGID_MESH;
    refuse(&s, "give it a mesh");
    s.body[0].shape = LITHE_RIGID_BOX;
    s.def.dynamics.scheme = LITHE_STATIC;
    refuse(&s, "nothing holds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_primitives_have_the_inertia_of_their_points),
        cmocka_unit_test(test_meshes_have_the_inertia_of_what_they_fill),
        cmocka_unit_test(test_tumbling_is_that_of_eulers_equations),
        cmocka_unit_test(test_tumbling_keeps_energy_and_angular_momentum),
        cmocka_unit_test(test_angular_momentum_stays_in_every_scheme),
        cmocka_unit_test(test_a_force_acts_at_its_point),
        cmocka_unit_test(test_its_box_is_that_of_its_skin),
        cmocka_unit_test(test_gravity_of_its_own_moves_it_alone),
        cmocka_unit_test(test_it_swings_about_a_node_that_is_held),
        cmocka_unit_test(test_a_servo_rotates_it),
        cmocka_unit_test(test_what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
