// Restitution: how rigid bodies bounce off each other and off obstacles.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rigid.h"
#include "sanitized.h"

static const double radius = 0.01;

static void drop_ball(scene *s, double height, double restitution, lithe_scheme scheme, double dt)
{
    begin(s, LITHE_RIGID_SPHERE, radius, 0, 0);
    put_floor(s, 0);
    s->obstacle.restitution = restitution;
    s->body[0].mass = 0.03;
    s->body[0].move[2] = radius + height;
    s->def.dynamics.scheme = scheme;
    s->def.dynamics.spectral_radius = 0.8;
    s->def.step.dt = dt;
}

// The highest that it comes after it has begun to rise.
static double peak(scene *s)
{
    double before = centre(s)[2];
    bool risen = false;
    for (int i = 0; i < 100000; i++) {
        take_step(s);
        double now = centre(s)[2];
        if (risen && now < before)
            return before - radius;
        risen = risen || now > before;
        before = now;
    }
    return NAN;
}

// To e^2 of the height from which it fell, as far as the scheme knows how to fall: implicit Euler
// loses m g^2 h^2 / 2 in every step, h sqrt(g / 2 H) of the height on every way; generalized-alpha
// takes two steps by it at a blow.
static void bounce(lithe_scheme scheme, lithe_mode mode)
{
    const double height = 0.05, dts[] = {4e-4, 1e-3, 4e-3}, es[] = {1, 0.5, 0.8, 0.3};
    for (int i = samples_of(0, 1); i < 3; i++)
        for (int k = 0; k < samples_of(4, 2); k++) {
            scene s;
            double dt = dts[i], e = es[k];
            drop_ball(&s, height, e, scheme, dt);
            s.def.step.mode = mode;
            s.def.step.iterations = 2;
            compile(&s);
            double loss = dt * sqrt(g / (2 * height));
            double off =
                scheme == LITHE_EULER ? 1.2 * loss * (1 + 1 / e) : 2 * loss * loss / (e * e);
            near(peak(&s), e * e * height, (off + 1e-3) * e * e * height + s.model->contact.reach);
            lithe_energy energy = lithe_last_energy(s.model, s.state);
            near(energy.grown_share, 0, 1e-9);
            end(&s);
        }
}

static void test_a_ball_bounces_to_e2_of_its_height(void **unused)
{
    (void)unused;
    for (int mode = LITHE_CONVERGED; mode <= LITHE_REALTIME; mode++) {
        bounce(LITHE_ALPHA, (lithe_mode)mode);
        bounce(LITHE_EULER, (lithe_mode)mode);
    }
}

// Wherever in a step it strikes, and whatever it strikes with: passes of realtime steps go on until
// they have met what was in their way.
static void test_no_pass_ends_in_the_air(void **unused)
{
    (void)unused;
    const double e = 0.6, dt = 1e-3, loss = dt * sqrt(g / (2 * 0.05));
    for (int shape = LITHE_RIGID_BOX; shape <= LITHE_RIGID_CYLINDER; shape++)
        for (int i = 0; i < samples_of(8, 2); i++) {
            scene s;
            double height = 0.05 + 0.000217 * i;
            drop_ball(&s, height, e, LITHE_EULER, dt);
            s.body[0].shape = (lithe_rigid_shape)shape;
            for (int k = 0; k < 3; k++)
                s.body[0].size[k] =
                    shape == LITHE_RIGID_SPHERE || (k == 0 && shape != LITHE_RIGID_BOX)
                        ? radius
                        : 2 * radius;
            s.def.step.mode = LITHE_REALTIME;
            s.def.step.iterations = 1;
            compile(&s);
            double off = 1.2 * loss * (1 + 1 / e) + 1e-3;
            near(peak(&s), e * e * height, off * e * e * height + s.model->contact.reach);
            end(&s);
        }
}

// What lies there stays, and what has bounced comes to lie: no blow is made of weight.
static void test_a_ball_comes_to_rest_and_stays(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        scene s;
        drop_ball(&s, k % 2 ? 5e-3 : 1e-5, 0.5, k < 2 ? LITHE_ALPHA : LITHE_EULER, 2e-3);
        compile(&s);
        for (int i = 0; i < 150; i++)
            take_step(&s);
        double at = centre(&s)[2];
        near(velocity(&s)[2], 0, 1e-6);
        for (int i = 0; i < 50; i++) {
            take_step(&s);
            near(centre(&s)[2], at, 1e-8);
        }
        end(&s);
    }
}

// Along a line, without weight: momentum stays, and the speed towards each other is e times as much
// away from each other.
static void test_two_balls_part_with_e_of_their_speed(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++)
        for (double e = 0; e <= 1; e += 0.5) {
            scene s;
            begin(&s, LITHE_RIGID_SPHERE, radius, 0, 0);
            s.body[0].mass = 0.03;
            s.body[0].velocity[0] = 1;
            s.body[1] = s.body[0];
            s.body[1].name = "other";
            s.body[1].mass = 0.01;
            s.body[1].move[0] = 0.05;
            s.body[1].velocity[0] = -0.5;
            s.def.nbody = 2;
            s.def.contacts.location = "here";
            s.def.contacts.restitution = e;
            s.def.dynamics.scheme = k ? LITHE_EULER : LITHE_ALPHA;
            s.def.step.dt = 1e-3;
            compile(&s);
            for (int i = 0; i < 60; i++)
                take_step(&s);
            const body *b = &s.model->body[1];
            double other = s.state->motion.velocity[3 * (b->node_adr + b->centre)];
            near(0.03 * velocity(&s)[0] + 0.01 * other, 0.025, 1e-9);
            if (e > 0) // what does not bounce is still let go by its barrier
                near(other - velocity(&s)[0], 1.5 * e, 1e-6);
            lithe_energy energy = lithe_last_energy(s.model, s.state);
            near(energy.grown_share, 0, 1e-9);
            end(&s);
        }
}

// A bat gives a ball that rests (1 + e) times its own speed, and the account knows its work.
static void test_a_moving_obstacle_bats_a_ball(void **unused)
{
    (void)unused;
    const double v = 0.8, e = 0.6;
    scene s;
    drop_ball(&s, 0.01, e, LITHE_ALPHA, 1e-3);
    s.def.gravity[2] = 0;
    compile(&s);
    for (int i = 0; i < 40; i++) {
        double move[3] = {0, 0, v * 1e-3 * (i + 1)}, still[3] = {0};
        if (i < 20)
            assert_int_equal(lithe_move_obstacle(s.model, s.state, 0, still, move), LITHE_OK);
        take_step(&s);
    }
    near(velocity(&s)[2], (1 + e) * v, 1e-3);
    lithe_energy energy = lithe_last_energy(s.model, s.state);
    near(energy.work / energy.kinetic, 2 / (1 + e), 2e-3); // impulse times the bat's speed
    near(energy.grown_share, 0, 1e-9);
    end(&s);
}

// Aslant, while it slips all through the blow: friction takes mu (1 + e) v_n off its speed along
// the floor and gives it 5/2 of that as spin.
static void test_friction_acts_through_all_of_a_blow(void **unused)
{
    (void)unused;
    const double mu = 0.1, e = 0.7, v = 1;
    scene s;
    drop_ball(&s, 0.0104, e, LITHE_ALPHA, 1e-3);
    s.obstacle.friction = mu;
    s.def.gravity[2] = 0;
    s.body[0].velocity[0] = 2;
    s.body[0].velocity[2] = -v;
    compile(&s);
    for (int i = 0; i < 20; i++)
        take_step(&s);
    near(velocity(&s)[2], e * v, 1e-3);
    near(2 - velocity(&s)[0], mu * (1 + e) * v, 2e-3);
    near(radius * spin(&s)[1], 2.5 * mu * (1 + e) * v, 5e-3);
    end(&s);
}

// A bar on a hinge at its end strikes a ball that stands still: its joint takes part in the blow.
static void test_a_bar_on_a_hinge_bounces_off_a_post(void **unused)
{
    (void)unused;
    const double length = 0.1, w = 5, e = 0.5;
    scene s;
    lithe_joint_def joint = lithe_joint_def_default();
    begin(&s, LITHE_RIGID_BOX, length, 0.01, 0.01);
    s.body[0].mass = 0.05;
    s.body[0].move[0] = length / 2;
    s.body[0].velocity[1] = w * length / 2;
    s.body[0].spin[2] = w;
    s.obstacle = lithe_obstacle_def_default(LITHE_OBSTACLE_SPHERE);
    s.obstacle.name = "post";
    s.obstacle.radius = 0.01;
    memcpy(s.obstacle.at, (double[]){0.07, 0.025, 0}, sizeof s.obstacle.at);
    s.obstacle.restitution = e;
    s.def.obstacle = &s.obstacle;
    s.def.nobstacle = 1;
    joint.name = "hinge";
    joint.kind = LITHE_JOINT_HINGE;
    joint.body = "rigid";
    joint.axis[2] = 1;
    s.def.njoint = 1;
    s.def.joint = &joint;
    s.def.dynamics.spectral_radius = 0.8;
    compile(&s);
    for (int i = 0; i < 60; i++)
        take_step(&s);
    near(spin(&s)[2] / (-e * w), 1, 1e-2);
    near(velocity(&s)[1] / (spin(&s)[2] * length / 2), 1, 1e-2);
    lithe_energy energy = lithe_last_energy(s.model, s.state);
    near(energy.grown_share, 0, 1e-3);
    end(&s);
}

// A box that tumbles on a rough floor and on another one, each with a restitution of its own.
static void test_bounces_never_add_energy(void **unused)
{
    (void)unused;
    for (int k = 0; k < samples_of(6, 2); k++) {
        scene s;
        lithe_pair_def pair = lithe_pair_def_default();
        begin(&s, LITHE_RIGID_BOX, 0.04, 0.03, 0.02);
        put_floor(&s, k % 3 * 0.4);
        s.obstacle.restitution = 1;
        s.body[0].mass = 0.05;
        s.body[0].move[2] = 0.04;
        s.body[1] = s.body[0];
        s.body[1].name = "other";
        s.body[1].mass = 0.01;
        s.body[1].move[2] = 0.11;
        s.body[0].spin[0] = 3 + k;
        s.body[0].spin[1] = -7;
        s.body[0].velocity[0] = 0.1 * k;
        pair.body = "rigid";
        pair.with = "other";
        pair.restitution = 0.4;
        s.def.nbody = 2;
        s.def.contacts.pair = &pair;
        s.def.contacts.npair = 1;
        s.def.dynamics.scheme = k % 2 ? LITHE_EULER : LITHE_ALPHA;
        s.def.dynamics.spectral_radius = 0.8;
        s.def.step.dt = 1e-3;
        compile(&s);
        for (int i = 0; i < samples_of(400, 200); i++)
            take_step(&s);
        lithe_energy energy = lithe_last_energy(s.model, s.state);
        near(energy.grown_share, 0, 2e-3);
        end(&s);
    }
}

// A state that is saved while something bounces goes on with the same bits.
static void test_a_saved_bounce_goes_on_as_it_was(void **unused)
{
    (void)unused;
    scene s;
    drop_ball(&s, 2e-3, 0.8, LITHE_ALPHA, 2e-3);
    compile(&s);
    size_t bytes = lithe_state_size(s.model, s.state);
    void *kept = malloc(bytes);
    lithe_state *other = NULL;
    assert_non_null(kept);
    assert_int_equal(lithe_state_create(s.model, 1, &other, &s.report), LITHE_OK);
    for (int i = 0; i < 60; i++) {
        lithe_state_save(s.model, s.state, kept);
        lithe_state_reset(s.model, other);
        assert_int_equal(lithe_state_load(s.model, other, kept, bytes), LITHE_OK);
        take_step(&s);
        assert_int_equal(lithe_step(s.model, other), LITHE_OK);
        assert_memory_equal(s.state->now.q, other->now.q, (size_t)s.model->nq * sizeof(double));
        assert_memory_equal(s.state->motion.velocity, other->motion.velocity,
                            3 * (size_t)s.model->nnode * sizeof(double));
    }
    free(kept);
    lithe_state_free(other);
    end(&s);
}

static long left;

static void *allocate_some(size_t bytes)
{
    return left-- > 0 ? malloc(bytes) : NULL;
}

static void test_memory_may_run_out_anywhere(void **unused)
{
    (void)unused;
    scene s;
    drop_ball(&s, 1e-3, 0.8, LITHE_ALPHA, 2e-3);
    s.def.contacts.max = 1;
    lithe_status status = LITHE_NO_MEMORY;
    for (long k = 0; status != LITHE_OK && k < 10000; k += k < 600 ? 37 : 1) {
        left = k;
        lithe_set_allocator(allocate_some, free);
        s.model = NULL;
        s.state = NULL;
        status = lithe_compile(&s.def, &s.model, NULL);
        if (status == LITHE_OK)
            status = lithe_state_create(s.model, 1, &s.state, NULL);
        for (int i = 0; i < 20 && status == LITHE_OK; i++)
            status = lithe_step(s.model, s.state);
        assert_true(status == LITHE_OK || status == LITHE_NO_MEMORY);
        end(&s);
        lithe_set_allocator(NULL, NULL);
    }
    assert_int_equal(status, LITHE_OK);
}

// How soft ones bounce is their material's business.
static void test_soft_bodies_know_no_restitution(void **unused)
{
    (void)unused;
    double speed[2];
    for (int k = 0; k < 2; k++) {
        robot r;
        scene s;
        robot_begin(&r, false);
        begin(&s, LITHE_RIGID_SPHERE, radius, 0, 0);
        s.body[0].move[0] = s.body[0].move[2] = 0.5; // far away
        s.body[0].mass = 0.01;
        s.body[1] = r.body;
        s.body[1].nfix = s.body[1].nsurface = 0;
        s.body[1].move[2] = 1e-3;
        s.def.nbody = 2;
        lithe_material_def both[2] = {s.material, r.material};
        s.def.material = both;
        s.def.nmaterial = 2;
        put_floor(&s, 0);
        s.obstacle.restitution = k;
        s.def.step.dt = 2e-3;
        compile(&s);
        for (int i = 0; i < 20; i++)
            take_step(&s);
        const body *b = &s.model->body[1];
        speed[k] = s.state->motion.velocity[3 * b->node_adr + 2];
        end(&s);
        robot_end(&r);
    }
    assert_true(speed[0] == speed[1]);
}

static void test_what_no_blow_can_have_is_refused(void **unused)
{
    (void)unused;
    scene s;
    robot r;
    lithe_pair_def pair = lithe_pair_def_default();
    drop_ball(&s, 0.01, 1.01, LITHE_ALPHA, 1e-3);
    refuse(&s, "a restitution of 1.01: it is from 0, no bounce, to 1");
    s.obstacle.restitution = NAN;
    s.def.contacts.restitution = NAN;
    refuse(&s, "from 0, no bounce, to 1");
    s.def.contacts.restitution = 0;
    robot_begin(&r, false);
    s.body[1] = r.body;
    s.body[1].nsurface = 0;
    s.def.nbody = 2;
    lithe_material_def both[2] = {s.material, r.material};
    s.def.material = both;
    s.def.nmaterial = 2;
    pair.body = "rigid";
    pair.with = r.body.name;
    pair.restitution = 0.5;
    s.def.contacts.pair = &pair;
    s.def.contacts.npair = 1;
    refuse(&s, "is not rigid, and a restitution is of rigid bodies");
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_bounces_to_e2_of_its_height),
        cmocka_unit_test(test_no_pass_ends_in_the_air),
        cmocka_unit_test(test_a_ball_comes_to_rest_and_stays),
        cmocka_unit_test(test_two_balls_part_with_e_of_their_speed),
        cmocka_unit_test(test_a_moving_obstacle_bats_a_ball),
        cmocka_unit_test(test_friction_acts_through_all_of_a_blow),
        cmocka_unit_test(test_a_bar_on_a_hinge_bounces_off_a_post),
        cmocka_unit_test(test_bounces_never_add_energy),
        cmocka_unit_test(test_a_saved_bounce_goes_on_as_it_was),
        cmocka_unit_test(test_memory_may_run_out_anywhere),
        cmocka_unit_test(test_soft_bodies_know_no_restitution),
        cmocka_unit_test(test_what_no_blow_can_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
