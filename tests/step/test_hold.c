// The inverse through contact where the robot's own stiffness is indefinite, or where it rests on
// points of its surface that Newton has kept.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/eigen.h"
#include "robot.h"
#include "step/step.h"

static lithe_obstacle_def obstacle;

// Two cables side by side, and a rod along y that the bar bends over.
static void finger_begin(robot *r, double x, double z, double radius)
{
    robot_begin(r, false);
    add_cable_at(r, "left", 0.008, 0.006);
    add_cable_at(r, "right", 0.008, -0.006);
    obstacle = lithe_obstacle_def_default(LITHE_OBSTACLE_CYLINDER);
    obstacle.name = "rod";
    memcpy(obstacle.at, (double[]){x, -0.05, z}, sizeof obstacle.at);
    memcpy(obstacle.to, (double[]){x, 0.05, z}, sizeof obstacle.to);
    obstacle.radius = radius;
    r->def.obstacle = &obstacle;
    r->def.nobstacle = 1;
    r->def.contacts.max = 64;
}

static void pull(robot *r, const double value[2])
{
    for (int k = 0; k < 2; k++)
        command(r, k, LITHE_DISPLACEMENT, value[k]);
    settle(r);
}

static void aim(robot *r, const double tip[3])
{
    assert_int_equal(lithe_target_effector(r->model, r->state, 0, tip, false), LITHE_OK);
}

// The pass at the present shape, up to its solution.
static void condense(robot *r)
{
    lithe_state *s = r->state;
    inverse_bounds(r->model, s);
    step_aim(r->model, s, 1, s->load);
    touch_renew(r->model, s);
    assert_int_equal(step_assemble(r->model, s), LITHE_OK);
    assert_int_equal(step_factor(r->model, s), LITHE_OK);
    assert_int_equal(step_free(r->model, s), LITHE_OK);
    assert_int_equal(step_rows(r->model, s), LITHE_OK);
    assert_int_equal(step_condense(r->model, s), LITHE_OK);
}

// Where A is positive both ways can be gone: with limits on effort and displacement, and with
// neither, they end in the same efforts, forces and prices.
static void displacements_as_unknowns_lead_where_efforts_do(void **unused)
{
    (void)unused;
    enum { MOST = 64 };
    for (int trial = 0; trial < 3; trial++) {
        robot r;
        double tip[3], effort[2], force[MOST], price[4];
        finger_begin(&r, 0.0171, 0.06, 0.006);
        robot_compile(&r);
        pull(&r, (double[2]){0.012, 0.01});
        lithe_effector_value(r.model, r.state, 0, tip);
        lithe_state *s = r.state;
        aim(&r, (double[3]){tip[0] + 0.003, tip[1] - 0.004, tip[2] - 0.002});
        r.model->row[0].effort_limit[1] = trial == 1 ? s->now.effort[0] + 0.02 : INFINITY;
        r.model->row[1].displacement_limit[1] = trial == 2 ? 0.0102 : INFINITY;
        condense(&r);
        int nc = s->touch.list.n;
        assert_true(nc > 4 && nc <= MOST && touch_pressing(s) > 2);
        assert_int_equal(s->negative, 0);
        assert_int_equal(step_solve(r.model, s), LITHE_OK);
        memcpy(effort, s->target, sizeof effort);
        memcpy(force, s->touch.target, (size_t)nc * sizeof *force);
        memcpy(price, s->task.price, sizeof price);
        assert_int_equal(price[0] != 0, trial == 1);
        assert_int_equal(price[3] != 0, trial == 2);
        s->saddle = true;
        assert_int_equal(step_solve(r.model, s), LITHE_OK);
        for (int k = 0; k < 2; k++)
            assert_true(fabs(s->target[k] - effort[k]) < 1e-9);
        for (int c = 0; c < nc; c++)
            assert_true(fabs(s->touch.target[c] - force[c]) < 1e-9);
        for (int k = 0; k < 4; k++)
            assert_true(fabs(s->task.price[k] - price[k]) <= 1e-6 * fabs(price[k]));
        robot_end(&r);
    }
}

typedef struct bend {
    double x, z, pull[2];
    int negative; // modes of the robot's own stiffness, at least
} bend;

// Given the tip alone, from rest, the pulls come back.
static void pulls_are_recovered_where_the_stiffness_is_indefinite(void **unused)
{
    (void)unused;
    static const bend trial[] = {{0.0171, 0.060, {0.024, 0.0192}, 1},
                                 {0.0171, 0.065, {0.02, 0.016}, 1},
                                 {0.0171, 0.070, {0.024, 0.024}, 2},
                                 {0.0171, 0.075, {0.02, 0.016}, 1}};
    for (size_t i = 0; i < sizeof trial / sizeof *trial; i++) {
        robot r;
        double tip[3];
        finger_begin(&r, trial[i].x, trial[i].z, 0.006);
        robot_compile(&r);
        pull(&r, trial[i].pull);
        assert_true(r.state->negative >= trial[i].negative);
        lithe_effector_value(r.model, r.state, 0, tip);
        lithe_state_reset(r.model, r.state);
        aim(&r, tip);
        settle(&r);
        assert_int_equal(lithe_last_residual(r.state).negative, 0); // all of them are held
        for (int k = 0; k < 2; k++)
            assert_true(fabs(bar_displacement(r.model, r.state, k) / trial[i].pull[k] - 1) < 1e-5);
        robot_end(&r);
    }
}

// An equilibrium that rests on points that were kept is one for the inverse too: with the tip where
// it is as the target nothing moves.
static void the_inverse_stays_where_kept_points_carry_it(void **unused)
{
    (void)unused;
    robot r;
    double tip[3], motion = 0;
    int kept = 0;
    finger_begin(&r, 0.0171, 0.0569, 0.006);
    robot_compile(&r);
    pull(&r, (double[2]){0.021, 0.021});
    lithe_state *s = r.state;
    for (int c = 0; c < s->touch.list.n; c++)
        kept += s->touch.kept[c] && s->now.press[c] > 0;
    assert_true(kept > 0);
    lithe_effector_value(r.model, s, 0, tip);
    aim(&r, tip);
    condense(&r);
    assert_int_equal(step_solve(r.model, s), LITHE_OK);
    assert_int_equal(step_correct(r.model, s), LITHE_OK);
    for (int i = 0; i < 3 * r.model->nnode; i++)
        motion = fmax(motion, fabs(s->dx[i]) / r.model->size);
    assert_true(motion < 1e-8);
    robot_end(&r);
}

// What the tie-breaker weighs must be a form that is symmetric and never negative. A slider moves
// the cables' displacements, which pay nothing back.
static void a_slider_has_no_weight_in_the_tie_breaker(void **unused)
{
    (void)unused;
    robot r;
    double tip[3], Q[9], value[3], vector[9], largest = 0;
    finger_begin(&r, 0.0171, 0.06, 0.006);
    lithe_actuator_def *slider = &r.actuator[r.def.nactuator++];
    *slider = lithe_actuator_def_default(LITHE_SLIDER);
    slider->name = "base";
    slider->body = "bar";
    slider->where = r.fix[0].where;
    slider->direction[0] = 1;
    r.body.nfix = 0;
    robot_compile(&r);
    pull(&r, (double[2]){0.012, 0.01});
    lithe_effector_value(r.model, r.state, 0, tip);
    aim(&r, tip);
    condense(&r);
    lithe_state *s = r.state;
    assert_true(fabs(s->W[2]) > 1e-3); // cable "left" is pulled as the base moves
    const double *R = inverse_weights(r.model, s);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            assert_true(R[3 * i + j] == R[3 * j + i]);
            assert_true((i < 2 && j < 2 ? s->W[3 * i + j] : 0) == R[3 * i + j]);
            Q[3 * i + j] = R[3 * i + j];
        }
    eigen_symmetric(3, Q, value, vector);
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, value[k]);
    for (int k = 0; k < 3; k++)
        assert_true(value[k] >= -1e-14 * largest);
    assert_int_equal(step_solve(r.model, s), LITHE_OK);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(displacements_as_unknowns_lead_where_efforts_do),
        cmocka_unit_test(pulls_are_recovered_where_the_stiffness_is_indefinite),
        cmocka_unit_test(the_inverse_stays_where_kept_points_carry_it),
        cmocka_unit_test(a_slider_has_no_weight_in_the_tie_breaker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
