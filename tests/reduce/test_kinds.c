// Every law, element and kind of actuator that can be reduced is: the tip is where the whole
// robot's is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/vec.h"
#include "cells.h"
#include "lithe/reduce.h"
#include "material/kind.h"
#include "robot.h"

static const double TOLERANCE = 2e-4; // m

static const lithe_material_def LAWS[] = {
    {.law = LITHE_COROTATIONAL},
    {.law = LITHE_ST_VENANT_KIRCHHOFF},
    {.law = LITHE_NEO_HOOKEAN},
    {.law = LITHE_MOONEY_RIVLIN, .ncoefficient = 2, .coefficient = {1e4, 6e3}},
    {.law = LITHE_YEOH, .ncoefficient = 3, .coefficient = {1.5e4, -1e3, 500}},
    {.law = LITHE_OGDEN,
     .ncoefficient = 2,
     .coefficient = {3e4, -2e3},
     .nexponent = 2,
     .exponent = {1.6, -2}},
    {.law = LITHE_ORTHOTROPIC,
     .moduli = {2e5, 1e5, 1e5},
     .ratios = {0.3, 0.3, 0.35},
     .shears = {4e4, 4e4, 4e4},
     .fibre = {0, 0, 1},
     .across = {1, 0, 0}},
    {.law = LITHE_GENT, .locking = 20},
};

static void take_law(robot *r, const lithe_material_def *law)
{
    lithe_material_def *m = &r->material;
    m->law = law->law;
    m->ncoefficient = law->ncoefficient;
    m->nexponent = law->nexponent;
    m->locking = law->locking;
    memcpy(m->coefficient, law->coefficient, sizeof m->coefficient);
    memcpy(m->exponent, law->exponent, sizeof m->exponent);
    memcpy(m->moduli, law->moduli, sizeof m->moduli);
    memcpy(m->ratios, law->ratios, sizeof m->ratios);
    memcpy(m->shears, law->shears, sizeof m->shears);
    memcpy(m->fibre, law->fibre, sizeof m->fibre);
    memcpy(m->across, law->across, sizeof m->across);
    m->poisson = 0.4;
    if (law->law == LITHE_ORTHOTROPIC)
        m->young = m->poisson = 0;
}

static void add_limited_cable(robot *r)
{
    int k = r->def.nactuator;
    add_cable(r, "cable", -0.008);
    r->actuator[k].command = LITHE_DISPLACEMENT;
    r->actuator[k].displacement_limit[0] = 0;
    r->actuator[k].displacement_limit[1] = 0.008;
}

static void go(robot *r, double share)
{
    for (int a = 0; a < r->def.nactuator; a++) {
        const lithe_actuator_def *of = &r->actuator[a];
        bool pushes = of->command == LITHE_EFFORT;
        const double *range = pushes ? of->effort_limit : of->displacement_limit;
        command(r, a, of->command, range[0] + share * (range[1] - range[0]));
    }
    settle(r);
}

// At commands between those that it was made of.
static void check_tips(robot *whole, robot *few, const char *what)
{
    lithe_reduce_def how = lithe_reduce_def_default();
    lithe_reduction *made = NULL;
    how.tolerance = TOLERANCE;
    how.nsample = 6;
    if (lithe_reduce(&few->def, &how, &made, &few->report) != LITHE_OK)
        fail_msg("%s: %s", what, few->report.error);
    few->def.reduction.given = made;
    robot_compile(whole);
    robot_compile(few);
    assert_true(lithe_reduction_get(made).nelement < lithe_nelement(whole->model));
    for (int k = 1; k <= 2; k++) {
        double tip[2][3];
        go(whole, 0.43 * k);
        go(few, 0.43 * k);
        lithe_effector_value(whole->model, whole->state, 0, tip[0]);
        lithe_effector_value(few->model, few->state, 0, tip[1]);
        if (vec_distance(tip[0], whole->tip_point.at) < 5 * TOLERANCE ||
            vec_distance(tip[0], tip[1]) > TOLERANCE)
            fail_msg("%s: moved %g mm, %g mm apart", what,
                     1e3 * vec_distance(tip[0], whole->tip_point.at),
                     1e3 * vec_distance(tip[0], tip[1]));
    }
    robot_end(whole);
    robot_end(few);
    lithe_reduction_free(made);
}

static void begin(robot *r)
{
    robot_begin(r, false);
    robot_coarsen(r);
}

static void every_law(void **unused)
{
    (void)unused;
    assert_int_equal(sizeof LAWS / sizeof *LAWS, LAW_KINDS);
    for (size_t k = 0; k < sizeof LAWS / sizeof *LAWS; k++) {
        robot two[2];
        for (int i = 0; i < 2; i++) {
            begin(&two[i]);
            take_law(&two[i], &LAWS[k]);
            add_limited_cable(&two[i]);
        }
        char what[16];
        snprintf(what, sizeof what, "law %d", (int)LAWS[k].law);
        check_tips(&two[0], &two[1], what);
    }
}

static void every_element(void **unused)
{
    (void)unused;
    static const lithe_element element[] = {LITHE_TET10, LITHE_HEX8};
    for (int k = 0; k < 2; k++) {
        robot two[2];
        for (int i = 0; i < 2; i++) {
            begin(&two[i]);
            if (element[k] == LITHE_HEX8)
                assert_true(take_cells_whole(&two[i].shape, false, two[i].mesh));
            two[i].body.element = element[k];
            add_limited_cable(&two[i]);
        }
        check_tips(&two[0], &two[1], k == 0 ? "tet10" : "hex8");
    }
}

// A piston that pushes, a force on the top, and the modulus of a part of the bar, which its weight
// bends.
static void every_actuator(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        robot two[2];
        for (int i = 0; i < 2; i++) {
            robot *r = &two[i];
            lithe_actuator_def *a = &r->actuator[0];
            begin(r);
            if (k == 0)
                add_piston(r);
            else {
                r->def.nactuator = 1;
                *a = lithe_actuator_def_default(k == 1 ? LITHE_FORCE : LITHE_MODULUS);
                a->name = "it";
                a->body = "bar";
            }
            if (k == 1) {
                r->point[0][0] = (lithe_point_def){"bar", {0, 0, 0.1}};
                a->npoint = 1;
                a->point = r->point[0];
                a->has_direction = true;
                memcpy(a->direction, (double[]){1, 0, 0.2}, sizeof a->direction);
            }
            if (k == 2) {
                a->where =
                    (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, 0.03}, .b = {1, 1, 0.07}};
                a->value[0] = 1e5;
                r->def.gravity[0] = 4;
            }
            a->command = LITHE_EFFORT;
            a->effort_limit[0] = k == 2 ? 4e4 : 0;
            a->effort_limit[1] = k == 0 ? 2 : k == 1 ? 0.5 : 2e5;
        }
        check_tips(&two[0], &two[1], k == 0 ? "piston" : k == 1 ? "force" : "modulus");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law),
        cmocka_unit_test(every_element),
        cmocka_unit_test(every_actuator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
