// The small robot of the step's tests. Include cmocka first.
#ifndef TESTS_ROBOT_H
#define TESTS_ROBOT_H

#include "bar.h"
#include "step/state.h"

#include <math.h>
#include <string.h>

// A bar of 20 x 20 x 100 mm, held at its foot, and everything that a test may hang on it.
typedef struct robot {
    bar shape;
    lithe_mesh *mesh;
    lithe_material_def material;
    lithe_fix_def fix[2];
    lithe_surface_def surface[2];
    lithe_body_def body;
    lithe_load_def load[2];
    lithe_actuator_def actuator[8];
    lithe_point_def point[8][2];
    lithe_effector_def tip;
    lithe_point_def tip_point;
    lithe_def def;
    lithe_model *model;
    lithe_state *state;
    lithe_report report;
} robot;

static inline void robot_begin(robot *r, bool hollow)
{
    memset(r, 0, sizeof *r);
    r->report = lithe_report_default();
    r->shape = bar_make(4, 4, 10, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1});
    if (hollow)
        bar_hollow(&r->shape);
    assert_int_equal(lithe_mesh_create(r->shape.nnode, r->shape.x, r->shape.ntet, r->shape.tet,
                                       &r->mesh, &r->report),
                     LITHE_OK);
    r->material = lithe_material_def_default();
    r->material.name = "silicone";
    r->material.young = 1e5;
    r->material.poisson = 0.45;
    r->material.density = 1000;
    r->fix[0] = lithe_fix_def_default();
    r->fix[0].where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1, 1, 1e-6}};
    r->surface[0] = lithe_surface_def_default();
    r->surface[0].name = "top";
    r->surface[0].where = (lithe_selection){.kind = LITHE_PLANE, .a = {0, 0, 0.1}, .b = {0, 0, 1}};
    r->surface[1] = lithe_surface_def_default();
    r->surface[1].name = "side";
    r->surface[1].where = (lithe_selection){.kind = LITHE_PLANE, .a = {0.01, 0, 0}, .b = {1, 0, 0}};
    r->body = lithe_body_def_default();
    r->body.name = "bar";
    r->body.mesh = r->mesh;
    r->body.material = "silicone";
    r->body.nfix = 1;
    r->body.fix = r->fix;
    r->body.nsurface = 2;
    r->body.surface = r->surface;
    r->tip = lithe_effector_def_default(LITHE_POINTS);
    r->tip.name = "tip";
    r->tip_point = (lithe_point_def){"bar", {0, 0, 0.1}};
    r->tip.npoint = 1;
    r->tip.point = &r->tip_point;
    r->def = lithe_def_default();
    r->def.nmaterial = 1;
    r->def.material = &r->material;
    r->def.nbody = 1;
    r->def.body = &r->body;
    r->def.load = r->load;
    r->def.actuator = r->actuator;
    r->def.neffector = 1;
    r->def.effector = &r->tip;
}

// Along the bar at (x, y), pulled from below its foot.
static inline void add_cable_at(robot *r, const char *name, double x, double y)
{
    int k = r->def.nactuator++;
    r->actuator[k] = lithe_actuator_def_default(LITHE_CABLE);
    r->actuator[k].name = name;
    r->point[k][0] = (lithe_point_def){"bar", {x, y, 0.05}};
    r->point[k][1] = (lithe_point_def){"bar", {x, y, 0.095}};
    r->actuator[k].npoint = 2;
    r->actuator[k].point = r->point[k];
    r->actuator[k].has_pulled_from = true;
    memcpy(r->actuator[k].pulled_from, (double[]){x, y, -0.01}, sizeof r->actuator[k].pulled_from);
}

static inline void add_cable(robot *r, const char *name, double x)
{
    add_cable_at(r, name, x, 0);
}

static inline void add_piston(robot *r)
{
    int k = r->def.nactuator++;
    r->actuator[k] = lithe_actuator_def_default(LITHE_PISTON);
    r->actuator[k].name = "piston";
    r->point[k][0] = (lithe_point_def){"bar", {0.009, 0, 0.02}};
    r->point[k][1] = (lithe_point_def){"bar", {0.009, 0, 0.08}};
    r->actuator[k].npoint = 2;
    r->actuator[k].point = r->point[k];
}

static inline void add_cavity(robot *r)
{
    int k = r->def.nactuator++;
    r->actuator[k] = lithe_actuator_def_default(LITHE_CAVITY);
    r->actuator[k].name = "air";
    r->actuator[k].body = "bar";
}

static inline void robot_compile(robot *r)
{
    lithe_status status = lithe_compile(&r->def, &r->model, &r->report);
    if (status != LITHE_OK)
        print_error("%s\n", r->report.error);
    assert_int_equal(status, LITHE_OK);
    assert_int_equal(lithe_state_create(r->model, 1, &r->state, &r->report), LITHE_OK);
}

// Takes another shape, before it is compiled.
static inline void robot_reshape(robot *r, bar shape)
{
    lithe_mesh_free(r->mesh);
    bar_free(&r->shape);
    r->shape = shape;
    assert_int_equal(
        lithe_mesh_create(shape.nnode, shape.x, shape.ntet, shape.tet, &r->mesh, &r->report),
        LITHE_OK);
    r->body.mesh = r->mesh;
}

// A fifth of the nodes, for what is not about the mesh and takes hundreds of steps.
static inline void robot_coarsen(robot *r)
{
    robot_reshape(r, bar_make(2, 2, 5, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1}));
}

static inline void robot_end(robot *r)
{
    lithe_state_free(r->state);
    lithe_model_free(r->model);
    lithe_mesh_free(r->mesh);
    bar_free(&r->shape);
}

static inline void settle(robot *r)
{
    lithe_status status = lithe_step(r->model, r->state);
    if (status != LITHE_OK)
        print_error("%s\n", lithe_state_error(r->state));
    assert_int_equal(status, LITHE_OK);
    assert_true(lithe_last_residual(r->state).force < 1e-8);
}

// Of an actuator that is told one number.
static inline void command(robot *r, int actuator, lithe_command_kind kind, double value)
{
    assert_int_equal(lithe_actuator_rows(r->model, actuator), 1);
    assert_int_equal(lithe_command(r->model, r->state, actuator, kind, &(double){value}), LITHE_OK);
}

#endif
