// Rods and shells in the step: what they do under loads, against closed forms.
#include "lithe/lithe.h"

#include "base/rotation.h"
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

static void a_held_rotation_rotates_the_rod_with_it(void **unused)
{
    (void)unused;
    rod_robot r;
    rod_begin(&r, 10);
    r.fix.rotation[1] = -M_PI / 2; // from x up to z
    rod_compile(&r);
    rod_settle(&r);
    assert_true(fabs(tip(&r)[2] - length) < 1e-9);
    assert_true(fabs(tip(&r)[0]) < 1e-9);
    const double *rotation = lithe_rotation(r.state) + 3 * (lithe_nnode(r.model) - 1);
    assert_true(fabs(rotation[1] + M_PI / 2) < 1e-7);
    rod_end(&r);
}

static void a_pinned_rod_may_rotate_and_is_refused_if_nothing_else_holds_it(void **unused)
{
    (void)unused;
    rod_robot r;
    rod_begin(&r, 4);
    r.fix.rotations = 0;
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
    r.effector[0] = lithe_effector_def_default(LITHE_ROTATION);
    r.effector[0].name = "tip";
    r.effector[0].body = "wire";
    r.effector[0].where.kind = LITHE_NEAREST;
    r.effector[0].where.a[0] = length;
    r.def.neffector = 1;
    rod_compile(&r);
    rod_settle(&r);
    double rotation[3], pull;
    lithe_effector_value(r.model, r.state, 0, rotation);
    lithe_displacement(r.model, r.state, 0, &pull);
    // Each element between guides: cable piece l = L - 2 d sin(phi/2) with the rod's chord L, so
    // the moment about its ends is T d cos(phi/2)
    double phi = rotation[2] / 20, L = length / 20;
    double moment = tension * aside * cos(0.5 * phi);
    double squeeze = tension / (young * M_PI * radius * radius);
    assert_true(fabs(phi / (moment * L / bending()) - 1) < 1e-9);
    assert_true(rotation[2] > 0.4); // it bends towards the cable, far
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
    const double *rotation = lithe_rotation(r.state) + 3 * (lithe_nnode(r.model) - 1);
    double twist = young / 2.6 * 0.5 * M_PI * radius * radius * radius * radius / length;
    // the couple's arm shrinks with the cosine
    assert_true(fabs(rotation[0] * twist / (1e-7 * cos(rotation[0])) - 1) < 1e-9);
    assert_true(fabs(rotation[0]) > 0.01);
    rod_end(&r);
}

// A moment, and a force on an arm, which rotates: set while it runs, and defined so.
static void forces_on_arms_and_moments_can_be_set(void **unused)
{
    (void)unused;
    const double value[2][3] = {{2e-6, -3e-6, 1e-6}, {-1e-6, 4e-6, 8e-6}};
    rod_robot r[2];
    for (int k = 0; k < 2; k++) {
        rod_begin(&r[k], 10);
        r[k].def.nload = 2;
        r[k].load[0].kind = LITHE_MOMENT;
        r[k].load[1].at[1] = 5e-3;
        for (int i = 0; i < 2; i++)
            if (k == 0)
                r[k].load[i].value[2] = 1e-6;
            else
                memcpy(r[k].load[i].value, value[i], sizeof value[i]);
        rod_compile(&r[k]);
        rod_settle(&r[k]);
    }
    size_t n = 3 * (size_t)lithe_nnode(r[0].model);
    double moved = vec_distance(tip(&r[0]), tip(&r[1]));
    for (int i = 0; i < 2; i++)
        assert_int_equal(lithe_set_load(r[0].model, r[0].state, i, value[i]), LITHE_OK);
    rod_settle(&r[0]);
    assert_true(moved > 1e-2 * length);
    for (size_t i = 0; i < n; i++) {
        assert_true(fabs(lithe_position(r[0].state)[i] - lithe_position(r[1].state)[i]) <
                    1e-8 * length);
        assert_true(fabs(lithe_rotation(r[0].state)[i] - lithe_rotation(r[1].state)[i]) < 1e-7);
    }
    rod_end(&r[0]);
    rod_end(&r[1]);
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

// A strip along x, clamped at x = 0, of two triangles a square; its mesh.
static lithe_mesh *strip(int n, double width)
{
    enum { MOST = 64 };
    double x[6 * MOST] = {0};
    int tri[6 * MOST];
    lithe_mesh *mesh = NULL;
    lithe_report report = lithe_report_default();
    for (int i = 0; i <= n; i++)
        for (int side = 0; side < 2; side++) {
            x[3 * (2 * i + side)] = length * i / n;
            x[3 * (2 * i + side) + 1] = (side - 0.5) * width;
        }
    for (int i = 0; i < n; i++) {
        int corner[6] = {2 * i, 2 * i + 2, 2 * i + 3, 2 * i, 2 * i + 3, 2 * i + 1};
        memcpy(&tri[6 * i], corner, sizeof corner);
    }
    assert_int_equal(lithe_mesh_create_surface(2 * n + 2, x, 2 * n, tri, &mesh, &report), LITHE_OK);
    return mesh;
}

static void shell_begin(rod_robot *r, lithe_shell_def *shell, lithe_mesh *mesh)
{
    rod_begin(r, 1);
    *shell = lithe_shell_def_default();
    shell->name = "wall";
    shell->mesh = mesh;
    shell->thickness = 1e-3;
    r->body.nrod = 0;
    r->body.nshell = 1;
    r->body.shell = shell;
    r->material.poisson = 0;
    r->fix.where.kind = LITHE_BOX;
    r->fix.where.b[0] = 1e-6;
    r->fix.where.a[1] = -1;
    r->fix.where.b[1] = 1;
}

static void a_moment_rolls_a_strip_up_to_a_circle(void **unused)
{
    (void)unused;
    rod_robot r;
    lithe_shell_def shell;
    lithe_mesh *mesh = strip(40, 5e-3);
    shell_begin(&r, &shell, mesh);
    // in the plane of x and z: a moment of fixed direction may rotate a strip out of it
    lithe_fix_def fix[2] = {r.fix, lithe_fix_def_default()};
    fix[1].axes = LITHE_Y;
    fix[1].rotations = LITHE_X | LITHE_Z;
    r.body.nfix = 2;
    r.body.fix = fix;
    double EI = young * 5e-3 * 1e-9 / 12;
    r.def.nload = 2;
    for (int i = 0; i < 2; i++) {
        r.load[i].kind = LITHE_MOMENT;
        r.load[i].at[1] = i ? 2.5e-3 : -2.5e-3;
        r.load[i].value[1] = -M_PI * EI / length;
    }
    rod_compile(&r);
    rod_settle(&r);
    assert_true(hypot(tip(&r)[0], tip(&r)[2]) < 0.01 * length);
    rod_end(&r);
    lithe_mesh_free(mesh);
}

static void a_strip_bends_under_a_small_force_as_a_beam(void **unused)
{
    (void)unused;
    rod_robot r;
    lithe_shell_def shell;
    lithe_mesh *mesh = strip(20, 5e-3);
    shell_begin(&r, &shell, mesh);
    r.def.nload = 1;
    r.load[0].value[2] = 1e-8;
    rod_compile(&r);
    rod_settle(&r);
    double w = 1e-8 * length * length * length / (3 * young * 5e-3 * 1e-9 / 12);
    assert_true(fabs(tip(&r)[2] / w - 1) < 2e-3);
    rod_end(&r);
    lithe_mesh_free(mesh);
}

// Eight corners of a cube cut into 12 triangles: air in a box of shells.
static void a_closed_shell_is_a_cavity(void **unused)
{
    (void)unused;
    static const int tri[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double x[24];
    for (int i = 0; i < 24; i++)
        x[i] = i / 3 >> (i % 3) & 1 ? 0.1 : 0;
    rod_robot r;
    lithe_shell_def shell;
    lithe_mesh *mesh = NULL;
    lithe_cavity_def cavity = lithe_cavity_def_default();
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_mesh_create_surface(8, x, 12, tri, &mesh, &report), LITHE_OK);
    shell_begin(&r, &shell, mesh);
    cavity.name = "air";
    cavity.pick = LITHE_CAVITY_GROUP;
    cavity.group = "wall";
    r.body.ncavity = 1;
    r.body.cavity = &cavity;
    r.actuator[0] = lithe_actuator_def_default(LITHE_CAVITY);
    r.actuator[0].name = "pump";
    r.actuator[0].body = "wire";
    r.actuator[0].cavity = "air";
    r.actuator[0].command = LITHE_DISPLACEMENT;
    r.actuator[0].value[0] = 1e-5; // 1 % of its volume
    r.def.nactuator = 1;
    rod_compile(&r);
    rod_settle(&r);
    double volume, pressure;
    lithe_displacement(r.model, r.state, 0, &volume);
    lithe_effort(r.model, r.state, 0, &pressure);
    assert_true(fabs(volume - 1e-5) < 1e-12);
    assert_true(pressure > 0);
    rod_end(&r);
    lithe_mesh_free(mesh);
}

// A bar of 1 x 1 x 5 cubes along x, 10 mm each, cut into six tetrahedra each.
static lithe_mesh *bar(void)
{
    static const int path[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                   {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
    double x[3 * 24];
    int tet[4 * 30], n = 0;
    lithe_mesh *mesh = NULL;
    lithe_report report = lithe_report_default();
    for (int i = 0; i < 24; i++) {
        double at[3] = {0.01 * (i / 4), 0.01 * (i & 1) - 0.005, 0.01 * (i >> 1 & 1) - 0.005};
        memcpy(&x[3 * i], at, sizeof at);
    }
    for (int cell = 0; cell < 5; cell++)
        for (int t = 0; t < 6; t++)
            for (int a = 0; a < 4; a++)
                tet[n++] = 4 * cell + (path[t][a] >> 2 << 2) + (path[t][a] & 3);
    assert_int_equal(lithe_mesh_create(24, x, 30, tet, &mesh, &report), LITHE_OK);
    return mesh;
}

static void bar_begin(rod_robot *r, lithe_mesh *mesh)
{
    rod_begin(r, 1);
    r->body.mesh = mesh;
    r->body.nrod = 0;
    r->fix.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1e-6, 1, 1}};
    r->def.nload = 1;
    r->load[0].at[0] = 0.05;
}

static double bar_tip(rod_robot *r, int axis)
{
    const double *x = lithe_position(r->state), *X = lithe_rest(r->model);
    double sum = 0;
    for (int i = 20; i < 24; i++)
        sum += 0.25 * (x[3 * i + axis] - X[3 * i + axis]);
    return sum;
}

// Against stretch a thread along the bar works beside it: their stiffnesses add up. Against push it
// does nothing.
static void a_thread_stiffens_a_body_along_it_and_goes_slack(void **unused)
{
    (void)unused;
    double stretch[2][2];
    for (int with = 0; with < 2; with++)
        for (int pull = 0; pull < 2; pull++) {
            rod_robot r;
            lithe_mesh *mesh = bar();
            lithe_material_def material[2];
            lithe_thread_def thread = lithe_thread_def_default();
            double point[6] = {0, 0, 0, 0.05, 0, 0};
            bar_begin(&r, mesh);
            material[0] = material[1] = r.material;
            material[1].name = "kevlar";
            material[1].young = 1e9;
            r.def.material = material;
            r.def.nmaterial = 2;
            thread.name = "thread";
            thread.material = "kevlar";
            thread.npoint = 2;
            thread.point = point;
            thread.radius = 1e-3;
            r.body.nthread = with;
            r.body.thread = &thread;
            r.load[0].value[0] = pull ? 0.1 : -0.1;
            rod_compile(&r);
            rod_settle(&r);
            stretch[with][pull] = bar_tip(&r, 0);
            rod_end(&r);
            lithe_mesh_free(mesh);
        }
    assert_true(stretch[0][1] > 4e-5);
    assert_true(stretch[1][1] < 0.2 * stretch[0][1]);
    assert_true(fabs(stretch[1][0] - stretch[0][0]) < 1e-9 * 0.05); // slack
}

// A rod glued along the bar carries nearly all of the bending if it is far stiffer, and the forces
// at the clamps add up.
static void check_glued(lithe_element element)
{
    rod_robot r;
    lithe_mesh *mesh = bar();
    lithe_material_def material[2];
    bar_begin(&r, mesh);
    material[0] = material[1] = r.material;
    material[1].name = "steel";
    material[1].young = 1e12;
    r.def.material = material;
    r.def.nmaterial = 2;
    r.body.nrod = 1;
    r.rod.material = "steel";
    r.rod.elements = 10;
    r.point[3] = 0.05;
    r.load[0].value[2] = 20;
    r.body.element = element;
    rod_compile(&r);
    assert_int_equal(lithe_nelement(r.model), 30 + 10 + 11);
    rod_settle(&r);
    double EI = 1e12 * 0.25 * M_PI * 1e-12, L = 0.05;
    double alone = 20 * L * L * L / (3 * EI);
    const double *x = lithe_position(r.state) + 3 * (lithe_nnode(r.model) - 1);
    assert_true(x[2] < alone && x[2] > 0.8 * alone);
    // the rod's nodes are where the bar is
    assert_true(fabs(x[2] - bar_tip(&r, 2)) < 0.01 * alone);
    rod_end(&r);
    lithe_mesh_free(mesh);
}

static void a_rod_that_misses_the_mesh_is_told_by_how_much(void **unused)
{
    (void)unused;
    rod_robot r;
    lithe_mesh *mesh = bar();
    bar_begin(&r, mesh);
    r.body.nrod = 1;
    r.point[3] = 0.05;
    r.point[1] = r.point[4] = 0.02;
    r.fix.where.b[1] = 0.015;
    r.def.nload = 0;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    if (!strstr(r.report.error, "'rod' does not reach into the mesh") ||
        !strstr(r.report.error, "misses it by 15 mm"))
        fail_msg("%s", r.report.error);
    r.point[0] = 0.01;
    r.point[1] = r.point[4] = 0;
    r.rod.glued = false;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "leave out glued: false"));
    lithe_mesh_free(mesh);
}

static void a_glued_rod_carries_a_soft_body(void **unused)
{
    (void)unused;
    check_glued(LITHE_TET4);
    check_glued(LITHE_TET10);
}

static void a_spring_ties_a_body_to_the_world(void **unused)
{
    (void)unused;
    rod_robot r;
    lithe_spring_def spring = lithe_spring_def_default();
    rod_begin(&r, 10);
    spring.name = "spring";
    spring.from[0] = length;
    spring.tied = true;
    spring.to[0] = length;
    spring.to[2] = 0.05;
    spring.stiffness = 1e3; // far stiffer than the rod
    r.body.nspring = 1;
    r.body.spring = &spring;
    r.def.nload = 1;
    r.load[0].value[2] = -1e-3;
    rod_compile(&r);
    rod_settle(&r);
    double rod = 3 * bending() / (length * length * length);
    assert_true(fabs(tip(&r)[2] / (-1e-3 / (1e3 + rod)) - 1) < 1e-4);
    rod_end(&r);
}

static int left; // requests that are granted

static void *grudging(size_t bytes)
{
    return left-- > 0 ? malloc(bytes) : NULL;
}

// The k-th request is refused, for k = 0, 1, 2, … until all goes well.
static void running_out_of_memory_is_said_at_every_request(void **unused)
{
    (void)unused;
    rod_robot r;
    lithe_thread_def thread = lithe_thread_def_default();
    double point[6] = {0, 0, 0, 0.05, 0, 0};
    lithe_mesh *mesh = bar();
    bar_begin(&r, mesh);
    r.body.nrod = 1;
    r.point[3] = 0.05;
    thread.name = "thread";
    thread.npoint = 2;
    thread.point = point;
    thread.radius = 1e-3;
    r.body.nthread = 1;
    r.body.thread = &thread;
    lithe_set_allocator(grudging, free);
    lithe_status status = LITHE_NO_MEMORY;
    for (int k = 0; status != LITHE_OK; k++) {
        assert_true(k < 100000);
        left = k;
        status = lithe_compile(&r.def, &r.model, &r.report);
        if (status == LITHE_OK)
            status = lithe_state_create(r.model, 1, &r.state, &r.report);
        assert_true(status == LITHE_OK || status == LITHE_NO_MEMORY);
        lithe_state_free(r.state);
        lithe_model_free(r.model);
    }
    lithe_set_allocator(malloc, free);
    lithe_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moment_rolls_a_rod_up_to_a_circle),
        cmocka_unit_test(a_small_force_bends_a_rod_as_timoshenko_says),
        cmocka_unit_test(forces_on_arms_and_moments_can_be_set),
        cmocka_unit_test(a_rod_sags_and_stretches_under_its_weight),
        cmocka_unit_test(a_held_rotation_rotates_the_rod_with_it),
        cmocka_unit_test(a_pinned_rod_may_rotate_and_is_refused_if_nothing_else_holds_it),
        cmocka_unit_test(a_cable_aside_of_a_rod_bends_it_to_an_arc),
        cmocka_unit_test(a_force_on_an_arm_twists),
        cmocka_unit_test(two_rods_that_meet_are_one_frame),
        cmocka_unit_test(a_curved_rod_is_at_rest_as_it_was_drawn),
        cmocka_unit_test(a_moment_rolls_a_strip_up_to_a_circle),
        cmocka_unit_test(a_strip_bends_under_a_small_force_as_a_beam),
        cmocka_unit_test(a_closed_shell_is_a_cavity),
        cmocka_unit_test(a_thread_stiffens_a_body_along_it_and_goes_slack),
        cmocka_unit_test(a_rod_that_misses_the_mesh_is_told_by_how_much),
        cmocka_unit_test(a_glued_rod_carries_a_soft_body),
        cmocka_unit_test(a_spring_ties_a_body_to_the_world),
        cmocka_unit_test(running_out_of_memory_is_said_at_every_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
