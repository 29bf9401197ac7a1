// Viscoelastic materials: relaxation and creep against closed forms, derivatives, what a state
// saves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cells.h"
#include "robot.h"
#include "step/step.h"

static const lithe_prony_def series[2] = {{0.3, 0.05}, {0.2, 0.8}};

// A bar with two terms; step by step of 10 ms without inertia.
static void begin(robot *r, lithe_law law)
{
    robot_begin(r, false);
    r->material.law = law;
    r->material.nprony = 2;
    memcpy(r->material.prony, series, sizeof series);
    r->def.step.dt = 0.01;
    r->def.step.creep = true;
    r->def.step.tolerance = 1e-12;
}

// Share of the long-term stiffness that is there a time after a sudden strain.
static double kernel(double t)
{
    double rest = 1 - series[0].weight - series[1].weight, sum = 1;
    for (int k = 0; k < 2; k++)
        sum += series[k].weight / rest * exp(-t / series[k].time);
    return sum;
}

// The top is moved, and a piston measures the force: with the strain held, all stresses fade alike.
static void a_held_strain_relaxes_as_the_series_says(void **unused)
{
    (void)unused;
    for (int law = LITHE_COROTATIONAL; law <= LITHE_NEO_HOOKEAN; law++) {
        robot r;
        begin(&r, law);
        add_piston(&r);
        r.def.step.creep = false; // statics: as after a long time
        robot_compile(&r);
        command(&r, 0, LITHE_DISPLACEMENT, 0.004);
        settle(&r);
        double long_term = bar_effort(r.model, r.state, 0);
        robot_end(&r);

        begin(&r, law);
        add_piston(&r);
        robot_compile(&r);
        command(&r, 0, LITHE_DISPLACEMENT, 0.004);
        // a ramp over the first step: each term has faded by b = (1 - exp(-h/tau)) tau/h then
        double rest = 0.5, h = 0.01;
        for (int n = 0; n < 40; n++) {
            settle(&r);
            double want = 1;
            for (int k = 0; k < 2; k++) {
                double t = h / series[k].time;
                want += series[k].weight / rest * (1 - exp(-t)) / t * exp(-n * t);
            }
            double force = bar_effort(r.model, r.state, 0);
            assert_true(fabs(force / long_term / want - 1) < 1e-5);
        }
        robot_end(&r);
    }
}

static double tip_way(const robot *r)
{
    double at[3];
    lithe_effector_value(r->model, r->state, 0, at);
    return at[2] - 0.1;
}

static void pull_top(robot *r)
{
    r->load[0] = lithe_load_def_default();
    r->load[0].name = "pull";
    r->load[0].kind = LITHE_TRACTION;
    r->load[0].body = "bar";
    r->load[0].surface = "top";
    r->load[0].value[2] = 100;
    r->def.nload = 1;
    robot_compile(r);
}

// How far the top is after n steps of dt under a load.
static double pulled(bool creep, double dt, int n)
{
    robot r;
    begin(&r, LITHE_NEO_HOOKEAN);
    r.def.step.dt = dt;
    r.def.step.creep = creep;
    pull_top(&r);
    double before = 0;
    for (int k = 0; k < n; k++) {
        settle(&r);
        assert_true(tip_way(&r) > before - 1e-12);
        before = tip_way(&r);
    }
    robot_end(&r);
    return before;
}

// From the strain of the sudden stiffness to that of the long-term one, over times longer than the
// series' by their ratio.
static void a_held_load_creeps_from_the_sudden_to_the_long_term_strain(void **unused)
{
    (void)unused;
    double sudden = pulled(true, 1e-5, 1), end = pulled(true, 0.2, 100),
           statics = pulled(false, 1, 1);
    assert_true(fabs(statics / sudden / kernel(0) - 1) < 2e-3); // 0.2 % of strain
    assert_true(fabs(end / statics - 1) < 1e-4);
}

// Some steps with a cable, so that there is something to remember.
static void wander(robot *r, int n)
{
    for (int k = 0; k < n; k++) {
        command(r, 0, LITHE_DISPLACEMENT, 0.004 + 0.002 * k);
        settle(r);
    }
}

static void force_and_stiffness_with_memory_are_derivatives(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 4; trial++) {
        robot r;
        begin(&r, trial % 2 ? LITHE_NEO_HOOKEAN : LITHE_COROTATIONAL);
        if (trial >= 2) { // hexahedra, whose bending is beside their law
            assert_true(take_cells_whole(&r.shape, false, r.mesh));
            r.body.element = LITHE_HEX8;
        }
        add_cable(&r, "cable", 0.008);
        robot_compile(&r);
        wander(&r, 3);
        step_relax_begin(r.model, r.state, 0.01);
        const body *b = &r.model->body[0];
        size_t n = 3 * (size_t)b->nnode;
        double *x = malloc(n * sizeof *x), *f = malloc(n * sizeof *f), *way = malloc(n * sizeof *f);
        double *product = calloc(n, sizeof *product), *plus = malloc(n * sizeof *plus);
        double *minus = malloc(n * sizeof *minus);
        double *blocks = malloc(9 * (size_t)b->pattern.nblock * sizeof *blocks);
        const body_work *work = &r.state->tangent.work[0];
        uint64_t seed = 7;
        for (size_t i = 0; i < n; i++) {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            way[i] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
            x[i] = r.state->now.x[i];
        }
        body_elastic(b, work, x, NULL, ELEMENT_EXACT, NULL, f, blocks);
        body_stiffness_times(b, work, way, product);
        const double h = 1e-7;
        for (size_t i = 0; i < n; i++)
            x[i] = r.state->now.x[i] + h * way[i];
        double up = body_elastic(b, work, x, NULL, ELEMENT_FORCE_ONLY, NULL, plus, NULL);
        for (size_t i = 0; i < n; i++)
            x[i] = r.state->now.x[i] - h * way[i];
        double down = body_elastic(b, work, x, NULL, ELEMENT_FORCE_ONLY, NULL, minus, NULL);
        double slope = 0, size = 0, top = 0;
        for (size_t i = 0; i < n; i++) {
            slope += f[i] * way[i];
            size += fabs(f[i] * way[i]);
            top = fmax(top, fabs(product[i]));
        }
        assert_true(fabs((up - down) / (2 * h) - slope) < 1e-6 * size);
        for (size_t i = 0; i < n; i++)
            assert_true(fabs((plus[i] - minus[i]) / (2 * h) - product[i]) < 1e-6 * top);
        free(x), free(f), free(way), free(product), free(plus), free(minus), free(blocks);
        robot_end(&r);
    }
}

static void a_saved_state_remembers_and_a_reset_one_forgets(void **unused)
{
    (void)unused;
    robot r;
    begin(&r, LITHE_NEO_HOOKEAN);
    add_cable(&r, "cable", 0.008);
    robot_compile(&r);
    wander(&r, 3);
    size_t bytes = lithe_state_size(r.model, r.state);
    void *saved = malloc(bytes);
    lithe_state_save(r.model, r.state, saved);
    settle(&r);
    double first = bar_effort(r.model, r.state, 0);
    settle(&r);
    assert_true(bar_effort(r.model, r.state, 0) < first); // it goes on relaxing
    assert_int_equal(lithe_state_load(r.model, r.state, saved, bytes), LITHE_OK);
    settle(&r);
    assert_true(bar_effort(r.model, r.state, 0) == first);
    free(saved);
    lithe_state_reset(r.model, r.state);
    wander(&r, 3);
    settle(&r);
    assert_true(fabs(bar_effort(r.model, r.state, 0) / first - 1) < 1e-9);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_strain_relaxes_as_the_series_says),
        cmocka_unit_test(a_held_load_creeps_from_the_sudden_to_the_long_term_strain),
        cmocka_unit_test(force_and_stiffness_with_memory_are_derivatives),
        cmocka_unit_test(a_saved_state_remembers_and_a_reset_one_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
