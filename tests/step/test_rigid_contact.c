// Rigid bodies in contact: rolling, sliding, sticking, resting on what is soft.
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

// What slides begins to roll, at what its inertia leaves of its speed.
static void roll(lithe_rigid_shape shape, double radius, double length, const double I[3],
                 double share)
{
    scene s;
    const double v = 0.5;
    begin(&s, shape, radius, length, 0);
    put_floor(&s, 0.3);
    s.body[0].mass = 0.03;
    s.body[0].rotate[0] = M_PI / 2;
    s.body[0].move[2] = 1.002 * radius;
    s.body[0].velocity[0] = v;
    for (int i = 0; i < 3; i++)
        s.body[0].inertia[i] = I ? I[i] : 0;
    s.def.step.dt = 2e-3;
    compile(&s);
    for (int i = 0; i < 60; i++)
        take_step(&s);
    near(velocity(&s)[0] / (share * v), 1, 1e-3);
    near(spin(&s)[1] * radius / velocity(&s)[0], 1, 1e-3);
    near(velocity(&s)[1], 0, 1e-6 * v);
    end(&s);
}

static void test_a_ball_rolls_at_5_7_of_its_speed(void **unused)
{
    (void)unused;
    roll(LITHE_RIGID_SPHERE, 0.01, 0, NULL, 5.0 / 7);
}

// … and what has the inertia of a cylinder at 2/3.
static void test_a_roller_rolls_at_2_3_of_its_speed(void **unused)
{
    (void)unused;
    const double m = 0.03, r = 0.01, h = 0.04, across = m * (r * r / 4 + h * h / 12);
    roll(LITHE_RIGID_CAPSULE, r, h, (double[]){across, across, m * r * r / 2}, 2.0 / 3);
}

// A cylinder is a prism of so many sides that it begins to roll as one does, and rolls on.
static void test_a_cylinder_rolls_at_2_3_of_its_speed(void **unused)
{
    (void)unused;
    for (int scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++) {
        scene s;
        begin(&s, LITHE_RIGID_CYLINDER, 0.01, 0.04, 0);
        put_floor(&s, 0.3);
        s.def.dynamics.scheme = (lithe_scheme)scheme;
        s.def.dynamics.spectral_radius = 0.8;
        s.body[0].mass = 0.03;
        s.body[0].rotate[0] = M_PI / 2;
        s.body[0].move[2] = 0.01002;
        s.body[0].velocity[0] = 0.5;
        compile(&s);
        for (int i = 0; i < 60; i++)
            take_step(&s);
        near(velocity(&s)[0] / (2.0 / 3 * 0.5), 1, 1e-3);
        for (int i = 60; i < 400; i++)
            take_step(&s);
        near(velocity(&s)[0] / (2.0 / 3 * 0.5), 1, 1e-2);
        near(velocity(&s)[1], 0, 1e-6);
        end(&s);
    }
}

// Nothing acts on the nodes of its skin, and the step leaves them behind; once it has ended they
// are where the body is, and move with it.
static void test_a_skin_follows(void **unused)
{
    (void)unused;
    scene s;
    begin(&s, LITHE_RIGID_SPHERE, 0.01, 0, 0);
    put_floor(&s, 0.3);
    s.body[0].mass = 0.03;
    s.body[0].move[2] = 0.01002;
    s.body[0].velocity[0] = 0.5;
    compile(&s);
    const body *b = &s.model->body[0];
    assert_true(b->carry->nbusy < b->nnode / 10);
    for (int i = 0; i < 20; i++)
        take_step(&s);
    const double *x = lithe_position(s.state), *v = s.state->motion.velocity;
    double R[9];
    rotation_matrix(&s.state->now.x[3 * (b->nnode - 1)], R);
    for (int i = 0; i < body_nposition(b); i++) {
        double own[3], arm[3], moved[3];
        vec_sub(own, &b->X[3 * i], &b->X[3 * b->centre]);
        mat_apply(arm, R, own);
        vec_cross(moved, spin(&s), arm);
        for (int axis = 0; axis < 3; axis++) {
            near(x[3 * i + axis], centre(&s)[axis] + arm[axis], 1e-15);
            near(v[3 * i + axis], velocity(&s)[axis] + moved[axis], 1e-12);
        }
    }
    end(&s);
}

static void test_a_box_sticks_and_slides_on_a_slope(void **unused)
{
    (void)unused;
    const double mu = 0.4;
    for (int side = -1; side <= 1; side += 2) {
        scene s;
        double slope = atan(mu) + side * 0.02;
        begin(&s, LITHE_RIGID_BOX, 0.03, 0.02, 0.01);
        put_floor(&s, mu);
        s.body[0].move[2] = 0.0051;
        s.def.gravity[0] = g * sin(slope);
        s.def.gravity[2] = -g * cos(slope);
        s.def.step.dt = 5e-3;
        compile(&s);
        for (int i = 0; i < 20; i++)
            take_step(&s);
        double before = velocity(&s)[0];
        for (int i = 0; i < 20; i++)
            take_step(&s);
        double faster = (velocity(&s)[0] - before) / 0.1;
        double expected = side > 0 ? g * (sin(slope) - mu * cos(slope)) : 0;
        near(faster, expected, 1e-3 * g);
        if (side < 0)
            near(velocity(&s)[0], 0, 1e-6);
        end(&s);
    }
}

// A heavy ball comes to rest on a soft bar, which bears its weight.
static void test_a_ball_rests_on_a_soft_bar(void **unused)
{
    (void)unused;
    robot r;
    scene s;
    robot_begin(&r, false);
    robot_reshape(&r,
                  bar_make(3, 3, 2, (double[]){-0.015, -0.015, 0}, (double[]){0.015, 0.015, 0.02}));
    begin(&s, LITHE_RIGID_SPHERE, 0.01, 0, 0);
    s.body[0].move[2] = 0.0301;
    s.body[1] = r.body;
    s.body[1].nsurface = 0;
    s.def.nbody = 2;
    lithe_material_def both[2] = {s.material, r.material};
    s.def.material = both;
    s.def.nmaterial = 2;
    s.def.gravity[2] = -g;
    s.def.contacts.location = "here";
    s.def.contacts.friction = 0.5;
    s.def.dynamics.scheme = LITHE_EULER;
    s.def.dynamics.mass_damping = 20;
    s.def.step.dt = 1e-2;
    compile(&s);
    for (int i = 0; i < 60; i++)
        take_step(&s);
    double force[3] = {0}, weight = g * s.model->body[0].mass[s.model->body[0].centre];
    for (int i = 0; i < lithe_ncontact(s.state); i++) {
        lithe_contact c;
        lithe_contact_get(s.model, s.state, i, &c);
        for (int axis = 0; axis < 3; axis++)
            force[axis] += c.force * c.normal[axis] + c.friction[axis];
    }
    near(fabs(force[2]) / weight, 1, 1e-3);
    assert_true(centre(&s)[2] < 0.03 && centre(&s)[2] > 0.025);
    end(&s);
    robot_end(&r);
}

// What falls on what falls: contacts that give back what they have taken do not make energy.
static void test_a_stack_settles_without_energy_from_nowhere(void **unused)
{
    (void)unused;
    enum { BOXES = 4 };
    static const char *const name[BOXES] = {"a", "b", "c", "d"};
    const double high = 0.02, gap = 3e-4;
    lithe_body_def box[BOXES];
    scene s;
    begin(&s, LITHE_RIGID_BOX, 0.04, 0.04, high);
    put_floor(&s, 0.5);
    for (int i = 0; i < BOXES; i++) {
        box[i] = s.body[0];
        box[i].name = name[i];
        box[i].mass = 0.02;
        box[i].move[2] = gap + high / 2 + i * (high + gap);
    }
    s.def.body = box;
    s.def.nbody = BOXES;
    s.def.contacts.friction = 0.5;
    s.def.step.dt = 5e-3;
    compile(&s);
    for (int i = 0; i < 25; i++)
        take_step(&s);
    lithe_energy e = lithe_last_energy(s.model, s.state);
    near(e.grown_share, 0, 0.01);
    for (int i = 0; i < BOXES; i++) {
        const body *b = &s.model->body[i];
        const double *at = &s.state->now.x[3 * (b->node_adr + b->centre)];
        near(at[0], 0, 1e-6);
        near(at[2], high / 2 + i * high, (i + 1) * gap);
    }
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_rolls_at_5_7_of_its_speed),
        cmocka_unit_test(test_a_cylinder_rolls_at_2_3_of_its_speed),
        cmocka_unit_test(test_a_skin_follows),
        cmocka_unit_test(test_a_roller_rolls_at_2_3_of_its_speed),
        cmocka_unit_test(test_a_box_sticks_and_slides_on_a_slope),
        cmocka_unit_test(test_a_ball_rests_on_a_soft_bar),
        cmocka_unit_test(test_a_stack_settles_without_energy_from_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
