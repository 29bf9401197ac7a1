// Joints at rest: second derivatives of their rows by differences, and equilibria of a pendulum, of
// a closed four-bar, and of what hangs on something soft, against closed forms.
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
#include "row/link.h"

// ## derivatives

static double draw(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

// A motion of the centre and the rotation of some bodies (1 and 2 as bits), and where it leads.
static void draw_motion(const chain *c, int which, double *motion)
{
    memset(motion, 0, 3 * (size_t)c->s.model->nnode * sizeof *motion);
    for (int k = 0; k < 2; k++) {
        const body *b = &c->s.model->body[k];
        for (int i = 0; i < 3 && (which & (1 << k)); i++) {
            motion[3 * (b->node_adr + b->centre) + i] = 0.1 * draw();
            motion[3 * (b->node_adr + b->nnode - 1) + i] = draw();
        }
    }
}

static double value_along(const chain *c, const row *r, const double *x, const double *motion,
                          double share)
{
    double *at = malloc(3 * (size_t)c->s.model->nnode * sizeof *at);
    memcpy(at, x, 3 * (size_t)c->s.model->nnode * sizeof *at);
    for (int k = 0; k < 2; k++) {
        const body *b = &c->s.model->body[k];
        int centre = 3 * (b->node_adr + b->centre), spin = 3 * (b->node_adr + b->nnode - 1);
        vec_axpy(&at[centre], share, &motion[centre]);
        rotation_advance(&x[spin], share, &motion[spin], &at[spin]);
    }
    double value = row_value(r, at);
    free(at);
    return value;
}

static double times(const chain *c, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 3 * c->s.model->nnode; i++)
        sum += a[i] * b[i];
    return sum;
}

// motion' K motion with the blocks of one body, whose lower half counts.
static double quadratic(const body *b, const double *K, const double *motion)
{
    const int node[2] = {b->centre, b->nnode - 1};
    double sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            int line = b->block[node[i]], column = b->block[node[j]];
            if (line < column)
                continue;
            const double *block = &K[9 * (size_t)sparse_find(&b->pattern, line, column)],
                         *x = &motion[3 * (b->node_adr + node[i])],
                         *y = &motion[3 * (b->node_adr + node[j])];
            double way[3];
            mat_apply(way, block, y);
            sum += (line == column ? 1 : 2) * vec_dot(x, way);
        }
    return sum;
}

static void check_row(const chain *c, const row *r, const double *x)
{
    const lithe_model *m = c->s.model;
    const double h = 1e-4;
    double *motion = calloc(3 * (size_t)m->nnode, sizeof *motion),
           *force = calloc(3 * (size_t)m->nnode, sizeof *force), *K[2],
           *H = calloc(3 * (size_t)r->nnode, sizeof *H);
    for (int which = 1; which < 4; which++) {
        draw_motion(c, which, motion);
        double middle = value_along(c, r, x, motion, 0), back = value_along(c, r, x, motion, -h),
               on = value_along(c, r, x, motion, h), slope = 0;
        row_gradient(r, x, H);
        for (int i = 0; i < r->nnode; i++)
            slope += vec_dot(&H[3 * i], &motion[3 * r->node[i]]);
        near(slope, (on - back) / (2 * h), 1e-7);
        memset(force, 0, 3 * (size_t)m->nnode * sizeof *force);
        row_stiffness_times(r, x, -1, motion, force);
        near(times(c, motion, force), (on - 2 * middle + back) / (h * h), 1e-6);
        for (int k = 0; k < 2; k++)
            K[k] = calloc(9 * (size_t)m->body[k].pattern.nblock, sizeof *K[k]);
        row_stiffness(r, x, -1, false, K);
        if (which < 3)
            near(quadratic(&m->body[which - 1], K[which - 1], motion),
                 (on - 2 * middle + back) / (h * h), 1e-6);
        for (int k = 0; k < 2; k++)
            free(K[k]);
    }
    free(motion);
    free(force);
    free(H);
}

static void test_second_derivatives_of_every_row(void **unused)
{
    (void)unused;
    for (int kind = LITHE_JOINT_FIXED; kind <= LITHE_JOINT_UNIVERSAL; kind++)
        for (int world = 0; world < 2; world++) {
            chain c;
            start(&c);
            add_bar(&c, "one", (double[]){0, 0, 0}, (double[]){0.1, 0, 0.05}, 0.1);
            add_bar(&c, "two", (double[]){0.1, 0, 0.05}, (double[]){0.2, 0, 0}, 0.1);
            lithe_joint_def *j =
                add_joint(&c, "joint", (lithe_joint_kind)kind, "two", world ? NULL : "one",
                          (double[]){0.1, 0.01, 0.05}, (double[]){0, 0.6, 0.8});
            memcpy(j->cross, along_x, sizeof along_x);
            compile(&c.s);
            const lithe_model *m = c.s.model;
            double *x = malloc(3 * (size_t)m->nnode * sizeof *x);
            memcpy(x, c.s.state->now.x, 3 * (size_t)m->nnode * sizeof *x);
            srand(3);
            for (int k = 0; k < 2; k++) // anywhere: rows need not be 0
                for (int i = 0; i < 3; i++) {
                    x[3 * (m->body[k].node_adr + m->body[k].centre) + i] += 0.05 * draw();
                    x[3 * (m->body[k].node_adr + m->body[k].nnode - 1) + i] = draw();
                }
            for (int r = 0; r < m->nact; r++)
                check_row(&c, &m->row[r], x);
            free(x);
            end(&c.s);
        }
}

// ## a pendulum

// Two bars that are held level, and let go: they hang.
static void test_a_double_pendulum_hangs(void **unused)
{
    (void)unused;
    chain c;
    start(&c);
    c.s.def.dynamics.scheme = LITHE_STATIC;
    c.s.def.gravity[2] = -g;
    add_bar(&c, "upper", (double[]){0, 0, 0}, (double[]){0.1, 0, 0}, 0.02);
    add_bar(&c, "lower", (double[]){0.1, 0, 0}, (double[]){0.2, 0, 0}, 0.03);
    add_joint(&c, "shoulder", LITHE_JOINT_HINGE, "upper", NULL, (double[]){0, 0, 0}, along_y);
    add_joint(&c, "elbow", LITHE_JOINT_HINGE, "lower", "upper", (double[]){0.1, 0, 0}, along_y);
    compile(&c.s);
    take_step(&c.s);
    near(centre_of(&c, 0)[2], -0.05, 1e-9);
    near(centre_of(&c, 1)[2], -0.15, 1e-9);
    near(centre_of(&c, 1)[0], 0, 1e-8);
    for (int j = 0; j < 2; j++) {
        lithe_joint_info info;
        assert_int_equal(lithe_joint_get(c.s.model, c.s.state, j, &info), LITHE_OK);
        near(info.force[2], (j ? 0.03 : 0.05) * g, 1e-9);
    }
    assert_true(widest_gap(&c) < 1e-9);
    assert_int_equal(lithe_last_residual(c.s.state).negative, 0);
    end(&c.s);
}

// Five bars, from level to hanging: many passes, since A knows little of what swings.
static void test_a_chain_hangs(void **unused)
{
    (void)unused;
    static const char *const name[] = {"a", "b", "c", "d", "e"};
    static const char *const joint[] = {"1", "2", "3", "4", "5"};
    const double length[] = {0.046, 0.03, 0.07, 0.058, 0.076}, mass_of[] = {40, 51, 88, 59, 81};
    for (int kind = LITHE_JOINT_HINGE; kind <= LITHE_JOINT_BALL; kind++) {
        chain c;
        double x = 0;
        start(&c);
        c.s.def.dynamics.scheme = LITHE_STATIC;
        c.s.def.gravity[2] = -g;
        for (int i = 0; i < 5; x += length[i], i++) {
            add_bar(&c, name[i], (double[]){x, 0, 0}, (double[]){x + length[i], 0, 0},
                    1e-3 * mass_of[i]);
            add_joint(&c, joint[i], kind, name[i], i ? name[i - 1] : NULL, (double[]){x, 0, 0},
                      along_y);
        }
        compile(&c.s);
        take_step(&c.s);
        x = 0;
        for (int i = 0; i < 5; x += length[i], i++) {
            near(centre_of(&c, i)[0], 0, 1e-8);
            near(centre_of(&c, i)[2], -x - 0.5 * length[i], 1e-8);
        }
        assert_true(widest_gap(&c) < 1e-9);
        end(&c.s);
    }
}

// ## a closed four-bar, three of whose rows say what others say

static const double crank = 0.03, coupler = 0.08, rocker = 0.07, base = 0.1;
static const double mass[3] = {0.03, 0.08, 0.07};

// Where its joints are for an angle of the crank: between crank and coupler, coupler and rocker.
static void joints_at(double angle, double A[3], double B[3])
{
    double x = crank * sin(angle), z = crank * cos(angle), d = hypot(base - x, z),
           tilt = atan2(-z, base - x),
           open = acos((coupler * coupler + d * d - rocker * rocker) / (2 * coupler * d));
    memcpy(A, (double[]){x, 0, z}, 3 * sizeof *A);
    memcpy(B, (double[]){x + coupler * cos(tilt + open), 0, z + coupler * sin(tilt + open)},
           3 * sizeof *B);
}

static double height_energy(double angle)
{
    double A[3], B[3];
    joints_at(angle, A, B);
    return g * (mass[0] * A[2] / 2 + mass[1] * (A[2] + B[2]) / 2 + mass[2] * B[2] / 2);
}

static void make_four_bar(chain *c)
{
    double A[3], B[3], D[3] = {base, 0, 0}, zero[3] = {0};
    joints_at(0, A, B);
    start(c);
    c->s.def.dynamics.scheme = LITHE_STATIC;
    c->s.def.gravity[2] = -g;
    c->s.def.step.dt = 1e-2;
    add_bar(c, "crank", zero, A, mass[0]);
    add_bar(c, "coupler", A, B, mass[1]);
    add_bar(c, "rocker", B, D, mass[2]);
    add_joint(c, "base", LITHE_JOINT_HINGE, "crank", NULL, zero, along_y);
    add_joint(c, "first", LITHE_JOINT_HINGE, "coupler", "crank", A, along_y);
    add_joint(c, "second", LITHE_JOINT_HINGE, "rocker", "coupler", B, along_y);
    add_joint(c, "third", LITHE_JOINT_HINGE, "rocker", NULL, D, along_y);
    c->s.servo = lithe_actuator_def_default(LITHE_MOTOR);
    c->s.servo.name = "motor";
    c->s.servo.part = "base";
    c->s.servo.command = LITHE_DISPLACEMENT;
    c->s.def.actuator = &c->s.servo;
    c->s.def.nactuator = 1;
}

// Its torque is what lifting the bars takes.
static void test_a_four_bar_is_held_by_the_torque_of_its_weights(void **unused)
{
    (void)unused;
    for (int realtime = 0; realtime < 2; realtime++) {
        chain c;
        make_four_bar(&c);
        c.s.def.step.mode = realtime ? LITHE_REALTIME : LITHE_CONVERGED;
        compile(&c.s);
        for (int i = 0; i <= 24; i++) {
            double angle = 0.1 * i, A[3], B[3], torque = 0, h = 1e-5;
            assert_int_equal(tell(&c, angle), LITHE_OK);
            for (int k = 0; k < (realtime ? 6 : 1); k++)
                take_step(&c.s);
            joints_at(angle, A, B);
            for (int axis = 0; axis < 3; axis++)
                near(centre_of(&c, 1)[axis], 0.5 * (A[axis] + B[axis]), 1e-8);
            lithe_effort(c.s.model, c.s.state, 0, &torque);
            near(torque, (height_energy(angle + h) - height_energy(angle - h)) / (2 * h), 1e-7);
        }
        assert_true(widest_gap(&c) < 1e-8);
        end(&c.s);
    }
}

// The inverse finds the angle at which the rocker's end is where it shall be, at rest and in
// motion, in either mode.
static void test_the_inverse_goes_round_a_loop(void **unused)
{
    (void)unused;
    for (int run = 0; run < 4; run++) {
        chain c;
        double A[3], B[3], found = 0;
        make_four_bar(&c);
        joints_at(0, A, B);
        lithe_effector_def end_of = lithe_effector_def_default(LITHE_POINTS);
        lithe_point_def point = {.body = "rocker", .at = {B[0], B[1], B[2]}};
        end_of.name = "end";
        end_of.point = &point;
        end_of.npoint = 1;
        c.s.def.effector = &end_of;
        c.s.def.neffector = 1;
        c.s.def.step.mode = run & 1 ? LITHE_REALTIME : LITHE_CONVERGED;
        c.s.def.dynamics.scheme = run & 2 ? LITHE_EULER : LITHE_STATIC;
        compile(&c.s);
        for (int i = 1; i <= 20; i++) {
            joints_at(0.04 * i, A, B); // the rocker turns back at 0.9
            assert_int_equal(lithe_target_effector(c.s.model, c.s.state, 0, B, false), LITHE_OK);
            take_step(&c.s);
        }
        for (int i = 0; i < 3; i++)
            take_step(&c.s);
        lithe_displacement(c.s.model, c.s.state, 0, &found);
        near(found, 0.8, 1e-6);
        assert_true(widest_gap(&c) < 1e-7);
        end(&c.s);
    }
}

// Outstretched, no motor moves the end along the arm; and of a target the first steps know the
// direction at best. Passes of realtime steps would tear joints apart there.
static void test_an_arm_that_is_outstretched_reaches(void **unused)
{
    (void)unused;
    const double target[3] = {0.12, 0, 0.09}, straight[3] = {0.2, 0, 0};
    for (int run = 0; run < 4; run++) {
        chain c;
        lithe_actuator_def motor[2];
        lithe_effector_def end_of = lithe_effector_def_default(LITHE_POINTS);
        lithe_point_def point = {.body = "fore", .at = {0.2, 0, 0}};
        bool passes = run & 1;
        start(&c);
        c.s.def.dynamics.scheme = LITHE_STATIC;
        c.s.def.gravity[2] = run & 2 ? 0 : -g;
        c.s.def.step.dt = 1e-2;
        c.s.def.step.mode = passes ? LITHE_REALTIME : LITHE_CONVERGED;
        c.s.def.step.iterations = 2;
        add_bar(&c, "upper", (double[]){0, 0, 0}, (double[]){0.1, 0, 0}, 0.1);
        add_bar(&c, "fore", (double[]){0.1, 0, 0}, straight, 0.1);
        add_joint(&c, "shoulder", LITHE_JOINT_HINGE, "upper", NULL, (double[]){0, 0, 0}, along_y);
        add_joint(&c, "elbow", LITHE_JOINT_HINGE, "fore", "upper", (double[]){0.1, 0, 0}, along_y);
        for (int i = 0; i < 2; i++) {
            motor[i] = lithe_actuator_def_default(LITHE_MOTOR);
            motor[i].name = i ? "second" : "first";
            motor[i].part = i ? "elbow" : "shoulder";
        }
        end_of.name = "end";
        end_of.point = &point;
        end_of.npoint = 1;
        c.s.def.actuator = motor;
        c.s.def.nactuator = 2;
        c.s.def.effector = &end_of;
        c.s.def.neffector = 1;
        compile(&c.s);
        for (int i = 1; i <= (passes ? 60 : 1); i++) {
            double at[3], share = passes ? fmin(0.02 * i, 1) : 1;
            for (int axis = 0; axis < 3; axis++)
                at[axis] = straight[axis] + share * (target[axis] - straight[axis]);
            assert_int_equal(lithe_target_effector(c.s.model, c.s.state, 0, at, false), LITHE_OK);
            take_step(&c.s);
            assert_true(widest_gap(&c) < 0.01);
        }
        const double *found = lithe_row_values(c.s.state) + c.s.model->nact;
        for (int axis = 0; axis < 3; axis++)
            near(found[axis], target[axis], 1e-7);
        end(&c.s);
    }
}

// ## what is soft

// A weight that hangs by a ball bends a bar as the same force does.
static void test_a_weight_on_a_soft_bar_is_a_force(void **unused)
{
    (void)unused;
    double at[2][3];
    for (int hung = 0; hung < 2; hung++) {
        robot r;
        chain c;
        robot_begin(&r, false);
        start(&c);
        c.body[c.s.def.nbody++] = r.body;
        c.s.def.material = &r.material;
        c.s.def.dynamics.scheme = LITHE_STATIC;
        c.s.def.gravity[0] = g; // across the bar, which has no weight
        r.material.density = 0;
        lithe_load_def load = lithe_load_def_default();
        lithe_point_def point = {.body = "bar", .at = {0, 0, 0.1}};
        if (hung) {
            add_bar(&c, "weight", (double[]){0, 0, 0.1}, (double[]){0.04, 0, 0.1}, 0.002);
            add_joint(&c, "hook", LITHE_JOINT_BALL, "weight", "bar", point.at, along_z);
        } else {
            load.name = "pull";
            load.body = "bar";
            memcpy(load.at, point.at, sizeof load.at);
            load.value[0] = 0.002 * g;
            c.s.def.load = &load;
            c.s.def.nload = 1;
        }
        lithe_effector_def tip = lithe_effector_def_default(LITHE_POINTS);
        tip.name = "tip";
        tip.point = &point;
        tip.npoint = 1;
        c.s.def.effector = &tip;
        c.s.def.neffector = 1;
        compile(&c.s);
        take_step(&c.s);
        assert_int_equal(lithe_effector_value(c.s.model, c.s.state, 0, at[hung]), LITHE_OK);
        if (hung)
            near(centre_of(&c, 1)[0] - at[1][0], 0.02, 1e-9);
        end(&c.s);
        robot_end(&r);
    }
    assert_true(at[0][0] > 1e-3);
    for (int i = 0; i < 3; i++)
        near(at[1][i], at[0][i], 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_second_derivatives_of_every_row),
        cmocka_unit_test(test_a_double_pendulum_hangs),
        cmocka_unit_test(test_a_chain_hangs),
        cmocka_unit_test(test_a_four_bar_is_held_by_the_torque_of_its_weights),
        cmocka_unit_test(test_the_inverse_goes_round_a_loop),
        cmocka_unit_test(test_an_arm_that_is_outstretched_reaches),
        cmocka_unit_test(test_a_weight_on_a_soft_bar_is_a_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
