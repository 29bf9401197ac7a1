// Rods and shells in the step: what they do under loads, against closed forms.
#include "lithe/lithe.h"

#include "base/turn.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A straight rod along x from the origin, clamped there.
typedef struct rod_robot {
    lithe_def def;
    lithe_material_def material;
    lithe_body_def body;
    lithe_fix_def fix;
    lithe_rod_def rod;
    double point[12];
    lithe_load_def load[2];
    lithe_actuator_def actuator[2];
    lithe_effector_def effector[2];
    lithe_model *model;
    lithe_state *state;
    lithe_report report;
} rod_robot;

static const double young = 1e6, length = 0.1, radius = 1e-3;

static void rod_begin(rod_robot *r, int elements)
{
    memset(r, 0, sizeof *r);
    r->def = lithe_def_default();
    r->def.step.steps = 1;
    r->material = lithe_material_def_default();
    r->material.name = "rubber";
    r->material.young = young;
    r->material.poisson = 0.3;
    r->material.density = 1000;
    r->body = lithe_body_def_default();
    r->body.name = "wire";
    r->body.material = "rubber";
    r->fix = lithe_fix_def_default();
    r->fix.where.kind = LITHE_NEAREST;
    r->rod = lithe_rod_def_default();
    r->rod.name = "rod";
    r->rod.npoint = 2;
    r->rod.point = r->point;
    r->point[3] = length;
    r->rod.elements = elements;
    r->rod.size[0] = radius;
    r->body.nfix = 1;
    r->body.fix = &r->fix;
    r->body.nrod = 1;
    r->body.rod = &r->rod;
    r->def.nmaterial = 1;
    r->def.material = &r->material;
    r->def.nbody = 1;
    r->def.body = &r->body;
    r->def.load = r->load;
    r->def.actuator = r->actuator;
    r->def.effector = r->effector;
    for (int i = 0; i < 2; i++) {
        r->load[i] = lithe_load_def_default();
        r->load[i].name = i ? "second" : "first";
        r->load[i].body = "wire";
        r->load[i].at[0] = length;
    }
    r->report = lithe_report_default();
}

static void rod_compile(rod_robot *r)
{
    if (lithe_compile(&r->def, &r->model, &r->report) != LITHE_OK)
        fail_msg("%s", r->report.error);
    assert_int_equal(lithe_state_create(r->model, 1, &r->state, &r->report), LITHE_OK);
}

static void rod_settle(rod_robot *r)
{
    if (lithe_step(r->model, r->state) != LITHE_OK)
        fail_msg("%s", lithe_state_error(r->state));
}

static void rod_end(rod_robot *r)
{
    lithe_state_free(r->state);
    lithe_model_free(r->model);
}

static const double *tip(const rod_robot *r)
{
    return lithe_position(r->state) + 3 * (lithe_nnode(r->model) - 1);
}

static double bending(void)
{
    return young * 0.25 * M_PI * radius * radius * radius * radius;
}

static void a_moment_rolls_a_rod_up_to_a_circle(void **unused)
{
    (void)unused;
    rod_robot r;
    rod_begin(&r, 20);
    r.def.nload = 1;
    r.load[0].kind = LITHE_MOMENT;
    r.load[0].value[2] = 2 * M_PI * bending() / length;
    rod_compile(&r);
    rod_settle(&r);
    assert_true(vec_norm(tip(&r)) < 1e-8 * length);
    const double *x = lithe_position(r.state) + 3 * 10; // opposite: the polygon's diameter
    assert_true(fabs(x[1] / (length / 20 / sin(M_PI / 20)) - 1) < 1e-8);
    assert_int_equal(lithe_ndof(r.model), 20 * 6);
    rod_end(&r);
}

static void a_small_force_bends_a_rod_as_timoshenko_says(void **unused)
{
    (void)unused;
    for (int elements = 1; elements <= 8; elements *= 8) {
        rod_robot r;
        rod_begin(&r, elements);
        r.def.nload = 1;
        r.load[0].value[1] = 1e-8;
        rod_compile(&r);
        rod_settle(&r);
        double shear = young / 2.6 * M_PI * radius * radius * 6 * 1.3 / (7 + 6 * 0.3);
        double w = 1e-8 * (length * length * length / (3 * bending()) + length / shear);
        assert_true(fabs(tip(&r)[1] / w - 1) < 1e-6);
        rod_end(&r);
    }
}

static void a_rod_sags_and_stretches_under_its_weight(void **unused)
{
    (void)unused;
    rod_robot r;
    rod_begin(&r, 40);
    r.def.gravity[0] = 9.81; // hangs along x
    rod_compile(&r);
    rod_settle(&r);
    double stretch = 0.5 * 1000 * 9.81 * length * length / young;
    assert_true(fabs((tip(&r)[0] - length) / stretch - 1) < 1e-3);
    rod_end(&r);
}

static void a_held_rotation_turns_the_rod_with_it(void **unused)
{
    (void)unused;
    rod_robot r;
    rod_begin(&r, 10);
    r.fix.turn[1] = -M_PI / 2; // from x up to z
    rod_compile(&r);
    rod_settle(&r);
    assert_true(fabs(tip(&r)[2] - length) < 1e-9);
    assert_true(fabs(tip(&r)[0]) < 1e-9);
    const double *turn = lithe_turn(r.state) + 3 * (lithe_nnode(r.model) - 1);
    assert_true(fabs(turn[1] + M_PI / 2) < 1e-7);
    rod_end(&r);
}

static void a_pinned_rod_may_turn_and_is_refused_if_nothing_else_holds_it(void **unused)
{
    (void)unused;
    rod_robot r;
    rod_begin(&r, 4);
    r.fix.turns = 0;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "rigid body"));
}

// A cable along the rod, aside of it, bends it to an arc: tension times distance is the moment.
static void a_cable_aside_of_a_rod_bends_it_to_an_arc(void **unused)
{
    (void)unused;
    enum { GUIDES = 21 };
    const double aside = 4e-3, tension = 0.004;
    rod_robot r;
    lithe_point_def guide[GUIDES];
    rod_begin(&r, 20);
    for (int i = 0; i < GUIDES; i++)
        guide[i] = (lithe_point_def){"wire", {length * i / (GUIDES - 1), aside, 0}};
    r.actuator[0] = lithe_actuator_def_default(LITHE_CABLE);
    r.actuator[0].name = "tendon";
    r.actuator[0].npoint = GUIDES;
    r.actuator[0].point = guide;
    r.actuator[0].value[0] = tension;
    r.def.nactuator = 1;
    r.effector[0] = lithe_effector_def_default(LITHE_TURN);
    r.effector[0].name = "tip";
    r.effector[0].body = "wire";
    r.effector[0].where.kind = LITHE_NEAREST;
    r.effector[0].where.a[0] = length;
    r.def.neffector = 1;
    rod_compile(&r);
    rod_settle(&r);
    double turn[3], pull;
    lithe_effector_value(r.model, r.state, 0, turn);
    lithe_displacement(r.model, r.state, 0, &pull);
    // Each element between guides: cable piece l = L - 2 d sin(phi/2) with the rod's chord L, so
    // the moment about its ends is T d cos(phi/2)
    double phi = turn[2] / 20, L = length / 20;
    double moment = tension * aside * cos(0.5 * phi);
    double squeeze = tension / (young * M_PI * radius * radius);
    assert_true(fabs(phi / (moment * L / bending()) - 1) < 1e-9);
    assert_true(turn[2] > 0.4); // it bends towards the cable, far
    double piece = L * (1 - squeeze) - 2 * aside * sin(0.5 * phi);
    assert_true(fabs(pull / (length - 20 * piece) - 1) < 1e-9);
    rod_end(&r);
}

static void a_force_on_an_arm_twists(void **unused)
{
    (void)unused;
    rod_robot r;
    rod_begin(&r, 10);
    r.def.nload = 2;
    for (int i = 0; i < 2; i++) { // a couple about x
        r.load[i].at[1] = i ? -5e-3 : 5e-3;
        r.load[i].value[2] = i ? -1e-5 : 1e-5;
    }
    rod_compile(&r);
    rod_settle(&r);
    const double *turn = lithe_turn(r.state) + 3 * (lithe_nnode(r.model) - 1);
    double twist = young / 2.6 * 0.5 * M_PI * radius * radius * radius * radius / length;
    // the couple's arm shrinks with the cosine
    assert_true(fabs(turn[0] * twist / (1e-7 * cos(turn[0])) - 1) < 1e-9);
    assert_true(fabs(turn[0]) > 0.01);
    rod_end(&r);
}

static void two_rods_that_meet_are_one_frame(void **unused)
{
    (void)unused;
    rod_robot r;
    lithe_rod_def rod[2];
    double second[6] = {length, 0, 0, length, length, 0};
    rod_begin(&r, 6);
    rod[0] = rod[1] = r.rod;
    rod[1].name = "upright";
    rod[1].point = second;
    r.body.nrod = 2;
    r.body.rod = rod;
    r.def.nload = 1;
    r.load[0].at[1] = length;
    r.load[0].value[2] = 1e-7;
    rod_compile(&r);
    assert_int_equal(lithe_nnode(r.model), 13); // the corner is one node
    rod_settle(&r);
    // an L: bending of both legs and twist of the first, by energy
    double l3 = length * length * length, twist = bending() * 2 / 2.6;
    double w = 1e-7 * (l3 / (3 * bending()) + l3 / (3 * bending()) + l3 / twist);
    assert_true(fabs(tip(&r)[2] / w - 1) < 2e-3);
    rod_end(&r);
}

static void a_curved_rod_is_at_rest_as_it_was_drawn(void **unused)
{
    (void)unused;
    rod_robot r;
    rod_begin(&r, 30);
    double arc[15];
    for (int i = 0; i < 5; i++) {
        double a = i * M_PI / 8;
        double at[3] = {0.1 * sin(a), 0.1 * (1 - cos(a)), 0};
        memcpy(&arc[3 * i], at, sizeof at);
    }
    r.rod.npoint = 5;
    r.rod.point = arc;
    r.rod.smooth = true;
    rod_compile(&r);
    rod_settle(&r);
    const double *x = lithe_position(r.state), centre[3] = {0, 0.1, 0};
    for (int i = 0; i < lithe_nnode(r.model); i++) {
        assert_true(vec_distance(&x[3 * i], lithe_rest(r.model) + 3 * i) < 1e-15);
        assert_true(fabs(vec_distance(&x[3 * i], centre) - 0.1) < 3e-4);
    }
    rod_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moment_rolls_a_rod_up_to_a_circle),
        cmocka_unit_test(a_small_force_bends_a_rod_as_timoshenko_says),
        cmocka_unit_test(a_rod_sags_and_stretches_under_its_weight),
        cmocka_unit_test(a_held_rotation_turns_the_rod_with_it),
        cmocka_unit_test(a_pinned_rod_may_turn_and_is_refused_if_nothing_else_holds_it),
        cmocka_unit_test(a_cable_aside_of_a_rod_bends_it_to_an_arc),
        cmocka_unit_test(a_force_on_an_arm_twists),
        cmocka_unit_test(two_rods_that_meet_are_one_frame),
        cmocka_unit_test(a_curved_rod_is_at_rest_as_it_was_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
