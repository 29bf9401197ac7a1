// What elements are chosen by: samples, and what forces move there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/vec.h"
#include "robot.h"
#include "solve/dense.h"
#include "step/state.h"
#include "study/reduce_moved.h"

enum { MODES = 7, SAMPLES = 100 };

static void corners_are_among_the_samples_that_elements_are_chosen_by(void **unused)
{
    (void)unused;
    int number[SAMPLES], out[SAMPLES];
    double found[SAMPLES];
    reducing r = {
        .ncorner = 8, .width = 1, .train = {.n = SAMPLES, .number = number, .found = found}};
    for (int i = 0; i < SAMPLES; i++)
        found[i] = i != 3 && i % 7 != 5; // the others have no equilibrium
    int n = reduce_choose(&r, 20, out), corners = 0;
    assert_int_equal(n, 20);
    for (int i = 0; i < n; i++) {
        assert_true(found[out[i]] == 1 && (i == 0 || out[i] > out[i - 1]));
        corners += out[i] < 8;
    }
    assert_int_equal(corners, 6);
    assert_true(out[n - 1] > 90);
    assert_int_equal(reduce_choose(&r, SAMPLES, out), SAMPLES - 1 - 14);
    r.ncorner = 16; // which would leave no room for others
    assert_int_equal(reduce_choose(&r, 20, out), 20);
    assert_true(out[3] > 15);
}

// A bar that moves by a few modes, with two cables and a chamber.
static void begin(robot *r, double *mode)
{
    robot_begin(r, true);
    r->material.law = LITHE_NEO_HOOKEAN;
    add_cable(r, "left", -0.008);
    add_cable_at(r, "right", 0.002, 0.008);
    add_cavity(r);
    for (int i = 0; i < r->shape.nnode; i++)
        for (int k = 0; k < MODES; k++) {
            double up = r->shape.x[3 * i + 2] / 0.1;
            for (int axis = 0; axis < 3; axis++)
                mode[(3 * i + axis) * MODES + k] =
                    up * sin(1.3 * k + axis + up * (1 + k % 4) + 20 * k * r->shape.x[3 * i]);
        }
    r->body.nmode = MODES;
    r->body.mode = mode;
}

static void go(robot *r, double gravity)
{
    double g[3] = {gravity, 0.5 * gravity, -0.3 * gravity};
    command(r, 0, LITHE_DISPLACEMENT, 0.002);
    command(r, 1, LITHE_DISPLACEMENT, 0.002);
    command(r, 2, LITHE_EFFORT, 500);
    assert_int_equal(lithe_set_gravity(r->model, r->state, g), LITHE_OK);
    settle(r);
}

// A^-1 of the modes where the robot is.
static void invert(robot *r, double *inverse)
{
    lithe_state *s = r->state;
    const body *b = &r->model->body[0];
    double A[MODES * MODES];
    body_loading loads = state_loading(s);
    s->tangent.found.clamped = false;
    s->tangent.is_ahead = false;
    tangent_elements(r->model, &s->now, &loads, &s->tangent);
    tangent_efforts(r->model, &s->now, &s->tangent);
    b->space->assemble(b, s->now.q, s->now.J, NULL, &s->tangent.of[0]);
    for (int i = 0; i < MODES; i++)
        for (int j = 0; j <= i; j++)
            A[MODES * i + j] = A[MODES * j + i] =
                s->tangent.of[0].A[i * s->tangent.of[0].stride + j];
    memset(inverse, 0, sizeof A);
    for (int i = 0; i < MODES; i++)
        inverse[MODES * i + i] = 1;
    assert_true(dense_solve(MODES, MODES, A, inverse));
}

// As differences of equilibria under a force that is small say, while cables keep their pull.
static void effectors_are_moved_as_differences_say_while_cables_hold(void **unused)
{
    (void)unused;
    const double h = 1e-3, g[3] = {h, 0.5 * h, -0.3 * h};
    robot r;
    robot_begin(&r, true);
    double *mode = calloc(3 * (size_t)r.shape.nnode * MODES, sizeof *mode), inverse[MODES * MODES];
    double *H = calloc(3 * (size_t)r.shape.nnode, sizeof *H), out[2][(3 + MODES) * MODES];
    robot_end(&r);
    begin(&r, mode);
    robot_compile(&r);
    const lithe_model *m = r.model;
    const reduction_range hold[] = {
        {.kind = LITHE_DISPLACEMENT}, {.kind = LITHE_DISPLACEMENT}, {.kind = LITHE_EFFORT}};
    const reduction_range push[] = {
        {.kind = LITHE_EFFORT}, {.kind = LITHE_EFFORT}, {.kind = LITHE_EFFORT}};
    double tip[2][3], force[MODES] = {0};
    arena scratch = {0};
    assert_int_equal(reduce_nled(m), 3);
    go(&r, 0);
    assert_true(r.state->now.effort[0] > 0 && r.state->now.effort[1] > 0);
    invert(&r, inverse);
    for (int side = 0; side < 2; side++) {
        const moved_sample k = {.m = m,
                                .range = side ? push : hold,
                                .n = MODES,
                                .Phi = mode,
                                .inverse = inverse,
                                .x = r.state->now.x,
                                .effort = r.state->now.effort,
                                .H = H};
        assert_true(reduce_moved(&k, &scratch, out[side]));
    }
    for (int i = 0; i < 3 * m->nnode; i++)
        for (int j = 0; j < MODES; j++)
            force[j] += mode[i * MODES + j] * m->body[0].weigh[i / 3] * g[i % 3];
    for (int side = 0; side < 2; side++) {
        go(&r, side ? h : -h);
        lithe_effector_value(m, r.state, 0, tip[side]);
    }
    double held[3], freely[3], way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = (tip[1][i] - tip[0][i]) / 2;
        held[i] = dense_dot(MODES, &out[0][i * MODES], force) - way[i];
        freely[i] = dense_dot(MODES, &out[1][i * MODES], force) - way[i];
    }
    assert_true(vec_norm(held) < 1e-4 * vec_norm(way));
    assert_true(vec_norm(freely) > 0.1 * vec_norm(way));
    arena_free(&scratch);
    free(mode), free(H);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_are_among_the_samples_that_elements_are_chosen_by),
        cmocka_unit_test(effectors_are_moved_as_differences_say_while_cables_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
