// Masses, lumped and consistent.
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cells.h"
#include "robot.h"
#include "step/vibration.h"

static const lithe_element elements[] = {LITHE_TET4, LITHE_TET4_AVERAGED, LITHE_TET10, LITHE_HEX8};
enum { NELEMENT = 4 };

// A bar of 10 x 10 x 100 mm and 10.7 g.
static void make(robot *r, int across, int along, lithe_element element, lithe_mass mass, bool free)
{
    robot_begin(r, false);
    robot_reshape(r, bar_make(across, across, along, (double[]){-0.005, -0.005, 0},
                              (double[]){0.005, 0.005, 0.1}));
    if (element == LITHE_HEX8)
        assert_true(take_cells_whole(&r->shape, false, r->mesh));
    r->body.element = element;
    r->body.nfix = free ? 0 : 1;
    r->body.nsurface = 0;
    r->material.young = 1e6;
    r->material.poisson = 0;
    r->material.density = 1070;
    r->def.dynamics.scheme = LITHE_ALPHA;
    r->def.dynamics.mass = mass;
}

static void nothing_bends_in_free_fall(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2 * NELEMENT; k++) {
        robot r;
        make(&r, 1, 4, elements[k / 2], (lithe_mass)(k % 2), true);
        r.def.gravity[0] = 9.81;
        robot_compile(&r);
        for (int i = 0; i < 5; i++)
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        lithe_energy e = lithe_last_energy(r.model, r.state);
        assert_true(e.kinetic > 1e-4);
        assert_true(e.elastic < 1e-15 * e.kinetic);
        assert_true(fabs(e.kinetic + e.potential) < 1e-10 * e.kinetic);
        robot_end(&r);
    }
}

// m v, and the energy of a body that rotates, m (a^2 + b^2) / 24 omega^2: consistent masses have it
// exactly on any mesh.
static void consistent_masses_rotate_as_the_body_does(void **unused)
{
    (void)unused;
    double mass = 0.0107, rotating = mass * (1e-4 + 1e-2) / 24 * 4;
    for (int k = 0; k < NELEMENT; k++) {
        robot r;
        make(&r, 1, 3, elements[k], LITHE_CONSISTENT, true);
        r.body.velocity[1] = 3;
        r.body.spin[0] = 2;
        robot_compile(&r);
        lithe_energy e = lithe_last_energy(r.model, r.state);
        assert_true(fabs(e.linear[1] - 3 * mass) < 1e-12 * mass);
        assert_true(fabs(e.kinetic - 4.5 * mass - rotating) < 1e-12 * mass);
        assert_true(fabs(e.angular[0] - (rotating - 0.05 * 3 * mass)) < 1e-12 * mass);
        robot_end(&r);
    }
}

// Of the slowest vibration, Hz.
static double frequency(robot *r)
{
    const body *b = &r->model->body[0];
    double *u = calloc(3 * (size_t)b->nnode, sizeof *u);
    for (int i = 0; i < b->nnode; i++)
        u[3 * i] = b->X[3 * i + 2] * b->X[3 * i + 2];
    double found = vibration(r->model, r->state, 30, u) / (2 * M_PI);
    free(u);
    return found;
}

// 4.907 Hz: Timoshenko's beam. Lumps are slower than consistent masses.
static void a_cantilever_swings_at_its_frequency_with_both_masses(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        double found[2];
        for (int mass = 0; mass < 2; mass++) {
            robot r;
            make(&r, 1, 20, k ? LITHE_HEX8 : LITHE_TET10, (lithe_mass)mass, false);
            robot_compile(&r);
            found[mass] = frequency(&r);
            assert_true(fabs(found[mass] / 4.907 - 1) < 0.01);
            robot_end(&r);
        }
        assert_true(found[LITHE_LUMPED] < found[LITHE_CONSISTENT]);
    }
}

// Let go while bent, with nothing that damps.
static void energy_is_kept_with_consistent_masses(void **unused)
{
    (void)unused;
    robot r;
    make(&r, 1, 8, LITHE_HEX8, LITHE_CONSISTENT, false);
    r.def.nload = 1;
    r.load[0] = lithe_load_def_default();
    r.load[0].name = "push";
    r.load[0].kind = LITHE_POINT_FORCE;
    r.load[0].body = "bar";
    memcpy(r.load[0].at, (double[]){0, 0, 0.1}, sizeof r.load[0].at);
    r.load[0].value[0] = 0.01;
    r.load[0].until = 0;
    r.def.dynamics.spectral_radius = 1;
    r.def.step.dt = 0.005;
    robot_compile(&r);
    assert_int_equal(lithe_settle(r.model, r.state), LITHE_OK);
    double start = lithe_last_energy(r.model, r.state).elastic;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        lithe_energy e = lithe_last_energy(r.model, r.state);
        assert_true(fabs((e.kinetic + e.elastic) / start - 1) < 0.01);
    }
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_bends_in_free_fall),
        cmocka_unit_test(consistent_masses_rotate_as_the_body_does),
        cmocka_unit_test(a_cantilever_swings_at_its_frequency_with_both_masses),
        cmocka_unit_test(energy_is_kept_with_consistent_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
