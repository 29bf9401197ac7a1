// Ropes and rods between rigid bodies: distances that stay, as cables and pistons that are told
// nothing. What a rope catches, and what hangs over an edge.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "rigid.h"

static const double mass = 0.03, radius = 0.01;

typedef struct hung {
    scene s;
    lithe_point_def point[2];
} hung;

// Balls below 0, side by side, each 0.1 m deep.
static void start(hung *h, int nball, lithe_scheme scheme, lithe_mode mode)
{
    memset(h, 0, sizeof *h);
    begin(&h->s, LITHE_RIGID_SPHERE, radius, 0, 0);
    h->s.body[0].mass = mass;
    h->s.body[0].move[2] = -0.1;
    h->s.body[1] = h->s.body[0];
    h->s.body[1].name = "other";
    h->s.body[1].move[0] = 0.1;
    h->s.def.nbody = nball;
    h->s.def.gravity[2] = -g;
    h->s.def.step.dt = 5e-3;
    h->s.def.step.mode = mode;
    h->s.def.dynamics.scheme = scheme;
    h->s.def.dynamics.spectral_radius = 0.8;
}

// From the world to the top of the first ball, and it may be longer than it is drawn.
static void tie(hung *h, lithe_actuator_kind kind, double longer)
{
    h->point[0] = (lithe_point_def){.body = "rigid", .at = {0, 0, -0.1 + radius}};
    h->s.servo = lithe_actuator_def_default(kind);
    h->s.servo.name = "rope";
    h->s.servo.npoint = 1;
    h->s.servo.point = h->point;
    h->s.servo.has_pulled_from = true;
    h->s.servo.command = LITHE_DISPLACEMENT;
    h->s.servo.value[0] = -longer;
    h->s.def.actuator = &h->s.servo;
    h->s.def.nactuator = 1;
}

static double energy_of(const scene *s)
{
    return lithe_last_energy(s->model, s->state).kinetic + mass * g * centre(s)[2];
}

// It falls until the rope is taut, and may then hang or be thrown up, but no higher than it was. In
// realtime the end of the rope, which goes round the ball by a third of a round in ten steps, is
// where one pass leads.
static void test_a_rope_catches_what_falls(void **unused)
{
    (void)unused;
    for (int k = 0; k < 8; k++) {
        const double longer = 0.06, sideways = k < 4 ? 0 : 0.4;
        lithe_mode mode = k / 2 % 2 ? LITHE_REALTIME : LITHE_CONVERGED;
        double gain = mode == LITHE_CONVERGED ? 0.02 : 0.2,
               over = mode == LITHE_CONVERGED ? 1e-8 : 2e-3;
        hung h;
        start(&h, 1, k % 2 ? LITHE_EULER : LITHE_ALPHA, mode);
        tie(&h, LITHE_CABLE, longer);
        h.s.body[0].velocity[0] = sideways;
        compile(&h.s);
        double first = energy_of(&h.s), before = first;
        for (int i = 0; i < 200; i++) {
            take_step(&h.s);
            double now = energy_of(&h.s), pull = 0;
            lithe_displacement(h.s.model, h.s.state, 0, &pull);
            assert_true(now < before + gain * mass * g * longer);
            assert_true(now < first + 1e-6 * mass * g * longer);
            assert_true(pull > -longer - over);
            before = now;
        }
        end(&h.s);
    }
}

// A rod on a ball's centre is a pendulum: as long as it was, and as quick.
static void test_a_rod_is_a_pendulum(void **unused)
{
    (void)unused;
    hung h;
    start(&h, 1, LITHE_ALPHA, LITHE_CONVERGED);
    tie(&h, LITHE_PISTON, 0);
    h.s.servo.npoint = 2;
    h.point[0] = (lithe_point_def){.body = "rigid", .at = {0, 0, -0.1}};
    h.point[1] = (lithe_point_def){.body = NULL, .at = {0, 0, 0}};
    h.s.body[0].velocity[0] = 0.02;
    h.s.def.step.dt = 1e-3;
    compile(&h.s);
    double period = 2 * M_PI * sqrt(0.1 / g), highest = 0, before = 0.02;
    for (int i = 1; highest == 0; i++) { // until it has swung to one side
        take_step(&h.s);
        near(vec_norm(centre(&h.s)), 0.1, 1e-9);
        double now = velocity(&h.s)[0];
        if (now <= 0)
            highest = 1e-3 * (i - now / (now - before));
        before = now;
    }
    near(highest / (period / 4), 1, 2e-3);
    end(&h.s);
}

// A rope over two edges, with a ball of 30 g and one of 20 g: Atwood's machine. What gives way by
// its own stretches by that times its tension.
static void test_a_rope_over_edges_is_atwoods(void **unused)
{
    (void)unused;
    const double light = 0.02, a = g * (mass - light) / (mass + light);
    for (int k = 0; k < 2; k++) {
        const double give = k ? 1e-3 : 0;
        hung h;
        start(&h, 2, k ? LITHE_EULER : LITHE_ALPHA, LITHE_CONVERGED);
        lithe_point_def line[4] = {{"rigid", {0, 0, -0.1}},
                                   {NULL, {0, 0, 0}},
                                   {NULL, {0.1, 0, 0}},
                                   {"other", {0.1, 0, -0.1}}};
        tie(&h, LITHE_CABLE, 0);
        h.s.servo.has_pulled_from = false;
        h.s.servo.npoint = 4;
        h.s.servo.point = line;
        h.s.servo.compliance = give;
        h.s.body[1].mass = light;
        compile(&h.s);
        for (int i = 0; i < 20; i++)
            take_step(&h.s);
        const double *x = h.s.state->now.x;
        const body *other = &h.s.model->body[1];
        double fallen = -0.1 - centre(&h.s)[2],
               risen = x[3 * (other->node_adr + other->centre) + 2] + 0.1, tension = 0;
        lithe_effort(h.s.model, h.s.state, 0, &tension);
        near(fallen - risen, give * tension, 1e-9);
        if (k == 0) {
            near(fallen, 0.5 * a * 0.1 * 0.1, 0.03 * fallen);
            near(tension, light * (g + a), 0.01 * tension);
        }
        end(&h.s);
    }
}

// A lamp on two ropes of different lengths, one of which is pulled in by 20 mm: their tensions
// carry its weight, and their lines and that of the weight meet in a point.
static void test_what_hangs_on_ropes_is_in_balance(void **unused)
{
    (void)unused;
    const double pin[2][3] = {{-0.08, 0, 0}, {0.05, 0, 0}}, eye[2] = {-0.03, 0.03};
    hung h;
    start(&h, 1, LITHE_STATIC, LITHE_CONVERGED);
    h.s.body[0].shape = LITHE_RIGID_BOX;
    memcpy(h.s.body[0].size, (double[]){0.06, 0.02, 0.01}, sizeof h.s.body[0].size);
    lithe_actuator_def rope[2];
    lithe_effector_def seen[2];
    lithe_point_def point[2];
    for (int i = 0; i < 2; i++) {
        point[i] = (lithe_point_def){"rigid", {eye[i], 0, -0.095}};
        tie(&h, LITHE_CABLE, 0);
        rope[i] = h.s.servo;
        rope[i].name = i ? "right" : "left";
        rope[i].point = &point[i];
        memcpy(rope[i].pulled_from, pin[i], sizeof pin[i]);
        rope[i].value[0] = i ? 0.02 : 0;
        seen[i] = lithe_effector_def_default(LITHE_POINTS);
        seen[i].name = i ? "right eye" : "left eye";
        seen[i].npoint = 1;
        seen[i].point = &point[i];
    }
    h.s.def.actuator = rope;
    h.s.def.nactuator = 2;
    h.s.def.effector = seen;
    h.s.def.neffector = 2;
    compile(&h.s);
    take_step(&h.s);
    double force[3] = {0, 0, -mass * g}, moment[3] = {0};
    for (int i = 0; i < 2; i++) {
        double tension = 0, at[3], to[3], arm[3], of[3];
        lithe_effort(h.s.model, h.s.state, i, &tension);
        lithe_effector_value(h.s.model, h.s.state, i, at);
        double length = hypot(eye[i] - pin[i][0], 0.095) - (i ? 0.02 : 0);
        near(vec_distance(at, pin[i]), length, 1e-9);
        assert_true(tension > 0);
        vec_sub(to, pin[i], at);
        vec_scale(to, tension / length);
        vec_sub(arm, at, centre(&h.s));
        vec_axpy(force, 1, to);
        vec_cross(of, arm, to);
        vec_axpy(moment, 1, of);
    }
    near(vec_norm(force), 0, 1e-7 * mass * g);
    near(vec_norm(moment), 0, 1e-7 * mass * g * 0.1);
    end(&h.s);
    for (int i = 0; i < 2; i++)
        rope[i].command = LITHE_EFFORT;
    refuse(&h.s, "nothing holds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rope_catches_what_falls),
        cmocka_unit_test(test_a_rod_is_a_pendulum),
        cmocka_unit_test(test_a_rope_over_edges_is_atwoods),
        cmocka_unit_test(test_what_hangs_on_ropes_is_in_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
