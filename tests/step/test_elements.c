// Bodies of other elements than tet4, from definition to equilibrium.
#include "cells.h"
#include "step/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct robot {
    bar shape;
    lithe_mesh *mesh;
    lithe_material_def material;
    lithe_fix_def fix;
    lithe_body_def body;
    lithe_point_def at;
    lithe_effector_def tip;
    lithe_def def;
    lithe_model *model;
    lithe_state *state;
} robot;

static const double point[3] = {0.93, 0.061, 0.033};

// A bar of 1 m that its weight bends; its tip is a point inside an element.
static void robot_make(robot *r, lithe_element element, lithe_law law, double poisson)
{
    memset(r, 0, sizeof *r);
    r->shape = bar_make(10, 1, 1, (double[]){0, 0, 0}, (double[]){1, 0.1, 0.1});
    assert_int_equal(
        lithe_mesh_create(r->shape.nnode, r->shape.x, r->shape.ntet, r->shape.tet, &r->mesh, NULL),
        LITHE_OK);
    if (element == LITHE_HEX8)
        assert_true(take_cells_whole(&r->shape, false, r->mesh));
    r->material = lithe_material_def_default();
    r->material.name = "stuff";
    r->material.law = law;
    r->material.young = 1e6;
    r->material.poisson = poisson;
    r->material.density = 1000;
    r->fix = lithe_fix_def_default();
    r->fix.where = (lithe_selection){.kind = LITHE_PLANE, .b = {-1, 0, 0}};
    r->body = lithe_body_def_default();
    r->body.name = "bar";
    r->body.mesh = r->mesh;
    r->body.element = element;
    r->body.material = "stuff";
    r->body.nfix = 1;
    r->body.fix = &r->fix;
    r->tip = lithe_effector_def_default(LITHE_POINTS);
    r->tip.name = "tip";
    r->at = (lithe_point_def){.body = "bar"};
    memcpy(r->at.at, point, sizeof point);
    r->tip.npoint = 1;
    r->tip.point = &r->at;
    r->def = lithe_def_default();
    r->def.gravity[2] = -9.81;
    r->def.nmaterial = r->def.nbody = r->def.neffector = 1;
    r->def.material = &r->material;
    r->def.body = &r->body;
    r->def.effector = &r->tip;
    lithe_report report = lithe_report_default();
    if (lithe_compile(&r->def, &r->model, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    assert_int_equal(lithe_state_create(r->model, 1, &r->state, NULL), LITHE_OK);
}

static void robot_free(robot *r)
{
    lithe_state_free(r->state);
    lithe_model_free(r->model);
    lithe_mesh_free(r->mesh);
    bar_free(&r->shape);
}

static void points_are_where_they_were_put_in_every_element(void **unused)
{
    (void)unused;
    static const lithe_element element[] = {LITHE_TET4, LITHE_TET10, LITHE_HEX8};
    for (int k = 0; k < 3; k++) {
        robot r;
        double value[3];
        robot_make(&r, element[k], LITHE_COROTATIONAL, 0.3);
        lithe_effector_value(r.model, r.state, 0, value);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(value[i] - point[i]) < 1e-12);
        robot_free(&r);
    }
}

static void every_element_weighs_the_same(void **unused)
{
    (void)unused;
    static const lithe_element element[] = {LITHE_TET4, LITHE_TET10, LITHE_HEX8};
    static const int nnode[] = {44, 189, 44}, nelement[] = {60, 60, 10};
    for (int k = 0; k < 3; k++) {
        robot r;
        double mass = 0, weight = 0;
        robot_make(&r, element[k], LITHE_COROTATIONAL, 0.3);
        const body *b = &r.model->body[0];
        assert_int_equal(lithe_nnode(r.model), nnode[k]);
        assert_int_equal(lithe_nelement(r.model), nelement[k]);
        for (int i = 0; i < b->nnode; i++) {
            mass += b->mass[i];
            weight += b->dead[3 * i + 2];
        }
        assert_true(fabs(mass - 10) < 1e-11);
        assert_true(fabs(weight + 98.1) < 1e-10);
        robot_free(&r);
    }
}

// Linear tetrahedra, one across, are ten times too stiff here; the others agree.
static void quadratic_tetrahedra_and_hexahedra_bend_alike(void **unused)
{
    (void)unused;
    static const lithe_law law[] = {LITHE_COROTATIONAL, LITHE_NEO_HOOKEAN};
    for (int k = 0; k < 4; k++) {
        double tip[2][3];
        for (int i = 0; i < 2; i++) {
            robot r;
            robot_make(&r, i ? LITHE_HEX8 : LITHE_TET10, law[k / 2], k % 2 ? 0.499 : 0.3);
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
            lithe_effector_value(r.model, r.state, 0, tip[i]);
            robot_free(&r);
        }
        assert_true(tip[0][2] < -0.4);
        assert_true(fabs(tip[0][2] - tip[1][2]) < 0.03);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_where_they_were_put_in_every_element),
        cmocka_unit_test(every_element_weighs_the_same),
        cmocka_unit_test(quadratic_tetrahedra_and_hexahedra_bend_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
