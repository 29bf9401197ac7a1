// What a scene says arrives in the definitions, in SI.
#include "scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static lithe_scene *read_set(const char *text, const char *path, int nset, const char *const *set)
{
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    if (lithe_scene_read_text(text, strlen(text), path, nset, set, &scene, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    return scene;
}

static lithe_scene *read_scene_text(const char *text)
{
    return read_set(text, "robot.yaml", 0, NULL);
}

static void assert_triple(const double value[3], double x, double y, double z)
{
    assert_true(value[0] == x && value[1] == y && value[2] == z);
}

static const char design[] =
    "units: {length: mm, force: N, pressure: kPa}\n"
    "gravity: [0 m/s^2, 0 m/s^2, -9.81 m/s^2]\n"
    "materials:\n"
    "  silicone: {law: corotational, young: 180 kPa, poisson: 0.45, density: 1.27 g/cm^3}\n"
    "bodies:\n"
    "  robot:\n"
    "    mesh: diamond.msh\n"
    "    place: {rotate: [90 deg, 0 deg, 0 deg], move: [0, 0, 35]}\n"
    "    material: silicone\n"
    "    fix: {box: [[-15, -15, -40], [15, 15, 10]]}\n"
    "actuators:\n"
    "  north:\n"
    "    cable: {body: robot, through: [[0, 97, 45]], pulled_from: [0, 10, 30]}\n"
    "    limits: {pull: [0, 20], tension: [0, .inf]}\n"
    "    command: {pull: 0}            # forward: the given value; inverse: where it starts\n"
    "effectors:\n"
    "  tip: {point: {body: robot, at: [0, 0, 125]}}\n"
    "step: {mode: realtime, dt: 10 ms}\n";

static void the_design_example_has_its_bodies(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_set(design, "examples/robot.yaml", 0, NULL);
    const lithe_def *def = lithe_scene_def(scene);
    assert_triple(def->gravity, 0, 0, -9.81);
    assert_int_equal(def->nmaterial, 1);
    assert_string_equal(def->material[0].name, "silicone");
    assert_string_equal(def->material[0].location, "examples/robot.yaml:4:3");
    assert_int_equal(def->material[0].law, LITHE_COROTATIONAL);
    assert_true(def->material[0].young == 180e3);
    assert_true(def->material[0].poisson == 0.45);
    assert_true(def->material[0].density == 1270);
    assert_int_equal(def->nbody, 1);
    const lithe_body_def *body = &def->body[0];
    assert_string_equal(body->name, "robot");
    assert_string_equal(body->location, "examples/robot.yaml:6:3");
    assert_string_equal(body->mesh_file, "examples/diamond.msh");
    assert_string_equal(body->material, "silicone");
    assert_true(body->mesh_unit == 0.001);
    assert_triple(body->rotate, acos(-1) / 2, 0, 0);
    assert_triple(body->move, 0, 0, 0.035);
    assert_true(body->mass == 0);
    assert_int_equal(body->nfix, 1);
    assert_string_equal(body->fix[0].location, "examples/robot.yaml:10:5");
    assert_int_equal(body->fix[0].where.kind, LITHE_BOX);
    assert_triple(body->fix[0].where.a, -0.015, -0.015, -0.04);
    assert_triple(body->fix[0].where.b, 0.015, 0.015, 0.01);
    assert_int_equal(body->fix[0].axes, LITHE_XYZ);
    lithe_scene_free(scene);
}

static void the_design_example_has_its_rows(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_scene_text(design);
    const lithe_def *def = lithe_scene_def(scene);
    assert_int_equal(def->nactuator, 1);
    const lithe_actuator_def *north = &def->actuator[0];
    assert_string_equal(north->name, "north");
    assert_string_equal(north->location, "robot.yaml:12:3");
    assert_int_equal(north->kind, LITHE_CABLE);
    assert_int_equal(north->npoint, 1);
    assert_string_equal(north->point[0].body, "robot");
    assert_triple(north->point[0].at, 0, 0.097, 0.045);
    assert_true(north->has_pulled_from && !north->has_tied_to);
    assert_triple(north->pulled_from, 0, 0.01, 0.03);
    assert_true(north->displacement_limit[0] == 0 && north->displacement_limit[1] == 0.02);
    assert_true(north->effort_limit[0] == 0 && north->effort_limit[1] == INFINITY);
    assert_int_equal(north->command, LITHE_DISPLACEMENT);
    assert_true(north->value[0] == 0);
    assert_int_equal(def->neffector, 1);
    assert_string_equal(def->effector[0].name, "tip");
    assert_string_equal(def->effector[0].point[0].body, "robot");
    assert_triple(def->effector[0].point[0].at, 0, 0, 0.125);
    assert_int_equal(def->step.mode, LITHE_REALTIME);
    assert_true(def->step.dt == 0.01);
    assert_int_equal(def->nload, 0);
    lithe_scene_free(scene);
}

#define HEAD                                                                                       \
    "units: {length: mm, force: N, pressure: kPa}\n"                                               \
    "materials:\n"                                                                                 \
    "  soft: {law: corotational, young: 180, poisson: 0.45}\n"                                     \
    "  hard: {law: corotational, young: 2 GPa, poisson: 0.3, density: 1200 kg/m^3}\n"              \
    "bodies:\n"                                                                                    \
    "  robot:\n"                                                                                   \
    "    mesh: robot.msh\n"                                                                        \
    "    material: soft\n"

static void what_is_not_said_has_its_default(void **unused)
{
    (void)unused;
    lithe_scene *scene =
        read_scene_text(HEAD "actuators:\n"
                             "  a: {cable: {body: robot, through: [[0, 0, 1], [0, 0, 2]]}}\n"
                             "  b: {piston: {body: robot, from: [0, 0, 1], to: [0, 0, 2]}}\n"
                             "  c: {cavity: {body: robot}}\n");
    const lithe_def *def = lithe_scene_def(scene);
    assert_triple(def->gravity, 0, 0, 0);
    assert_true(def->material[0].density == 0);
    assert_triple(def->body[0].rotate, 0, 0, 0);
    assert_int_equal(def->body[0].nfix, 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(def->actuator[i].command, LITHE_EFFORT);
        assert_true(def->actuator[i].value[0] == 0);
        assert_true(def->actuator[i].effort_limit[0] == (i == 0 ? 0 : -INFINITY));
        assert_true(def->actuator[i].effort_limit[1] == INFINITY);
        assert_true(def->actuator[i].displacement_limit[0] == -INFINITY);
        assert_true(def->actuator[i].displacement_limit[1] == INFINITY);
    }
    assert_null(def->actuator[2].cavity);
    assert_int_equal(def->step.mode, LITHE_CONVERGED);
    assert_true(def->step.dt == 0.01 && def->step.tolerance == 1e-10);
    assert_int_equal(def->step.steps, 10);
    assert_int_equal(def->step.iterations, 1);
    assert_int_equal(def->step.max_iteration, 50);
    lithe_scene_free(scene);
}

static void every_selection_is_read(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_scene_text(
        HEAD "    mesh_unit: cm\n"
             "    mass: 0.5 kg\n"
             "    fix:\n"
             "      - {sphere: {center: [1, 2, 3], radius: 4}, axes: [x, z]}\n"
             "      - {plane: {point: [1, 2, 3], normal: [0, 0, -1]}}\n"
             "      - {nearest: [1, 2, 3], displacement: [0, 1 cm, 0]}\n"
             "      - {group: base plate}\n"
             "      - {all: true, axes: [y]}\n"
             "    regions:\n"
             "      - {box: [[-.inf, 0, 0], [.inf, 1, 1]], material: hard}\n"
             "    surfaces: {top: {group: top}, front: {all: true}}\n"
             "    cavities: {one: {number: 2}, two: {inside: [1, 2, 3]}, three: {group: g}}\n");
    const lithe_body_def *body = &lithe_scene_def(scene)->body[0];
    const lithe_fix_def *fix = body->fix;
    assert_true(body->mesh_unit == 0.01 && body->mass == 0.5);
    assert_int_equal(body->nfix, 5);
    assert_int_equal(fix[0].where.kind, LITHE_SPHERE);
    assert_triple(fix[0].where.a, 0.001, 0.002, 0.003);
    assert_true(fix[0].where.radius == 0.004);
    assert_int_equal(fix[0].axes, LITHE_X | LITHE_Z);
    assert_string_equal(fix[1].location, "robot.yaml:13:9");
    assert_int_equal(fix[1].where.kind, LITHE_PLANE);
    assert_triple(fix[1].where.b, 0, 0, -1);
    assert_int_equal(fix[2].where.kind, LITHE_NEAREST);
    assert_triple(fix[2].displacement, 0, 0.01, 0);
    assert_int_equal(fix[3].where.kind, LITHE_GROUP);
    assert_string_equal(fix[3].where.group, "base plate");
    assert_int_equal(fix[4].where.kind, LITHE_ALL);
    assert_int_equal(fix[4].axes, LITHE_Y);
    assert_int_equal(body->nregion, 1);
    assert_string_equal(body->region[0].material, "hard");
    assert_true(body->region[0].where.a[0] == -INFINITY);
    assert_int_equal(body->nsurface, 2);
    assert_string_equal(body->surface[1].name, "front");
    assert_int_equal(body->ncavity, 3);
    assert_int_equal(body->cavity[0].number, 2);
    assert_int_equal(body->cavity[1].pick, LITHE_CAVITY_INSIDE);
    assert_triple(body->cavity[1].inside, 0.001, 0.002, 0.003);
    assert_int_equal(body->cavity[2].pick, LITHE_CAVITY_GROUP);
    lithe_scene_free(scene);
}

static void every_load_and_actuator_is_read(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_scene_text(
        HEAD "    cavities: {chamber: {number: 1}}\n"
             "  gripper: {mesh: /tmp/g.vtk, mesh_unit: m, material: hard}\n"
             "loads:\n"
             "  push: {force: {body: robot, at: [1, 2, 3], value: [1, 0, -2 mN]}}\n"
             "  wind: {traction: {body: gripper, surface: front, value: [1, 2, 3]}}\n"
             "  weight: {traction: {body: robot, surface: top, total: [0, 0, -5]}}\n"
             "  water: {pressure: {body: robot, surface: top, value: 1 bar}}\n"
             "actuators:\n"
             "  tendon:\n"
             "    cable: {through: [{body: robot, at: [1, 2, 3]}, {body: gripper, at: [4, 5, 6]}], "
             "tied_to: [7, 8, 9]}\n"
             "    command: {tension: 3}\n"
             "  rod:\n"
             "    piston: {body: robot, from: [1, 2, 3], to: {body: gripper, at: [0, 0, 0]}}\n"
             "    limits: {stroke: [-5, 5], force: [-10, 10]}\n"
             "    command: {stroke: -5}\n"
             "  air:\n"
             "    cavity: {body: robot, cavity: chamber}\n"
             "    limits: {volume: [-.inf, 20 ml], pressure: [-5, 50]}\n"
             "    command: {pressure: 10}\n");
    const lithe_def *def = lithe_scene_def(scene);
    assert_string_equal(def->body[1].mesh_file, "/tmp/g.vtk");
    assert_int_equal(def->nload, 4);
    assert_triple(def->load[0].value, 1, 0, -0.002);
    assert_int_equal(def->load[1].kind, LITHE_TRACTION);
    assert_triple(def->load[1].value, 1000, 2000, 3000);
    assert_string_equal(def->load[1].surface, "front");
    assert_true(!def->load[1].total && def->load[2].total);
    assert_triple(def->load[2].value, 0, 0, -5);
    assert_int_equal(def->load[3].kind, LITHE_PRESSURE);
    assert_true(def->load[3].pressure == 1e5);
    const lithe_actuator_def *a = def->actuator;
    assert_string_equal(a[0].point[1].body, "gripper");
    assert_triple(a[0].tied_to, 0.007, 0.008, 0.009);
    assert_int_equal(a[0].command, LITHE_EFFORT);
    assert_true(a[0].value[0] == 3);
    assert_int_equal(a[1].npoint, 2);
    assert_string_equal(a[1].point[0].body, "robot");
    assert_string_equal(a[1].point[1].body, "gripper");
    assert_true(a[1].value[0] == -0.005 && a[1].effort_limit[0] == -10);
    assert_string_equal(a[2].cavity, "chamber");
    assert_true(a[2].displacement_limit[1] == 20e-6 && a[2].value[0] == 10e3);
    lithe_scene_free(scene);
}

static void points_of_lines_and_plays_of_fixes_are_read(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_scene_text(
        HEAD
        "    fix: {all: true, displacement: [1, 0, 0], play: {waypoints: [{time: 1 s, at: [2, 3, "
        "4]}]}}\n"
        "  ball:\n"
        "    rigid_body: {sphere: 3}\n"
        "    fix: {all: true, axes: [z], play: {sine: {amplitude: [0, 0, 5], period: 2 s}}}\n"
        "actuators:\n"
        "  tendon:\n"
        "    cable: {body: robot, pulled_from: {body: ball, at: [1, 2, 3]}, tied_to: {world: "
        "[7, 8, 9]}, through: [[4, 5, 6], {group: tip}]}\n"
        "  rod: {piston: {body: robot, from: {sphere: {center: [0, 0, 0], radius: 1}}, to: "
        "{world: [1, 1, 1]}}}\n"
        "sensors:\n"
        "  laser: {distance: {body: robot, from: {world: [0, 0, 9]}, to: [1, 2, 3]}}\n");
    const lithe_def *def = lithe_scene_def(scene);
    const lithe_fix_def *fix = def->body[0].fix;
    assert_int_equal(fix->nwaypoint, 1);
    assert_triple(fix->waypoint, 0.002, 0.003, 0.004);
    assert_true(fix->waypoint_time[0] == 1);
    assert_triple(def->body[1].fix->amplitude, 0, 0, 0.005);
    assert_true(def->body[1].fix->period == 2);
    const lithe_actuator_def *a = def->actuator;
    assert_int_equal(a[0].npoint, 4);
    assert_true(!a[0].has_pulled_from && !a[0].has_tied_to);
    assert_string_equal(a[0].point[0].body, "ball");
    assert_triple(a[0].point[0].at, 0.001, 0.002, 0.003);
    assert_string_equal(a[0].point[1].body, "robot");
    assert_string_equal(a[0].point[2].body, "robot");
    assert_true(!a[0].patch[0] && !a[0].patch[1] && !a[0].patch[3]);
    assert_string_equal(a[0].patch[2]->group, "tip");
    assert_null(a[0].point[3].body);
    assert_triple(a[0].point[3].at, 0.007, 0.008, 0.009);
    assert_int_equal(a[1].patch[0]->kind, LITHE_SPHERE);
    assert_null(a[1].point[1].body);
    assert_null(def->sensor[0].point[0].body);
    lithe_scene_free(scene);
}

static void directions_of_a_pair_are_in_the_frame_of_its_body(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_scene_text(
        HEAD "    frame: own\n"
             "    place: {rotate: [0, 0, 90 deg]}\n"
             "obstacles: {floor: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}}\n"
             "contacts: {pairs: [{body: robot, with: floor, friction: 0.1, friction_across: 0.5, "
             "along: [1, 0, 0]}, {body: robot, with: floor, friction: 0.1, friction_across: 0.5, "
             "along: [1, 0, 0], frame: world}]}\n");
    const double *along = lithe_scene_def(scene)->contacts.pair[0].along;
    assert_true(fabs(along[0]) < 1e-15 && fabs(along[1] - 1) < 1e-15 && along[2] == 0);
    along = lithe_scene_def(scene)->contacts.pair[1].along;
    assert_true(along[0] == 1 && along[1] == 0 && along[2] == 0);
    lithe_scene_free(scene);
}

static void overrides_replace_and_add(void **unused)
{
    (void)unused;
    const char *const set[] = {"materials.silicone.young=200 kPa",
                               "bodies.robot.fix=[{all: true}, {group: b}]",
                               "bodies.robot.fix.1.axes=[x, z]",
                               "bodies.robot.fix.2={nearest: [0, 0, 1]}",
                               "effectors.side.point={body: robot, at: [1, 0, 0]}",
                               "step.steps=3",
                               "actuators.north.cable.through.0.2=50"};
    lithe_scene *scene = read_set(design, "robot.yaml", 7, set);
    const lithe_def *def = lithe_scene_def(scene);
    assert_true(def->material[0].young == 200e3);
    assert_int_equal(def->body[0].nfix, 3);
    assert_int_equal(def->body[0].fix[1].axes, LITHE_X | LITHE_Z);
    assert_int_equal(def->body[0].fix[2].where.kind, LITHE_NEAREST);
    assert_string_equal(def->body[0].fix[2].location, "--set bodies.robot.fix.2");
    assert_int_equal(def->neffector, 2);
    assert_string_equal(def->effector[1].name, "side");
    assert_int_equal(def->step.steps, 3);
    assert_triple(def->actuator[0].point[0].at, 0, 0.097, 0.05);
    lithe_scene_free(scene);
}

static void count_notice(void *user, const char *text)
{
    assert_non_null(strstr(text, "' is called '"));
    ++*(int *)user;
}

static void old_keys_are_read_with_a_notice_that_names_the_new_one(void **unused)
{
    (void)unused;
    static const char *const set[] = {
        "contacts={alarm: 3, pairs: [{body: robot, with: robot, alarm: 2}]}",
        "bodies.robot.fix.turns=true", "bodies.robot.fix.turn=[1 rad, 0 rad, 0 rad]"};
    int count = 0;
    lithe_report report = lithe_report_default();
    report.on_notice = count_notice;
    report.user = &count;
    lithe_scene *scene = NULL;
    assert_int_equal(
        lithe_scene_read_text(design, sizeof design - 1, "robot.yaml", 3, set, &scene, &report),
        LITHE_OK);
    const lithe_def *def = lithe_scene_def(scene);
    assert_int_equal(count, 4);
    assert_true(def->contacts.detection_distance == 0.003);
    assert_true(def->contacts.pair[0].detection_distance == 0.002);
    assert_int_equal(def->body[0].fix[0].rotations, LITHE_XYZ);
    assert_true(def->body[0].fix[0].rotation[0] == 1);
    lithe_scene_free(scene);
    static const char *const both[] = {"contacts={alarm: 3, detection_distance: 3}"};
    assert_int_equal(
        lithe_scene_read_text(design, sizeof design - 1, "robot.yaml", 1, both, &scene, &report),
        LITHE_INVALID);
    assert_non_null(strstr(report.error, "'alarm' is the old name of 'detection_distance'"));
}

static void a_file_reads_like_its_text(void **unused)
{
    (void)unused;
    char path[] = "/tmp/lithe_scene_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, design, sizeof design - 1), sizeof design - 1);
    close(fd);
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    assert_int_equal(lithe_scene_read(path, 0, NULL, &scene, &report), LITHE_OK);
    assert_string_equal(lithe_scene_def(scene)->body[0].mesh_file, "/tmp/diamond.msh");
    lithe_scene_free(scene);
    unlink(path);
    assert_int_equal(lithe_scene_read(path, 0, NULL, &scene, &report), LITHE_INVALID);
    assert_null(scene);
    assert_non_null(strstr(report.error, "No such file"));
    assert_int_equal(lithe_scene_read("/tmp", 0, NULL, &scene, &report), LITHE_INVALID);
    assert_non_null(strstr(report.error, "directory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_design_example_has_its_bodies),
        cmocka_unit_test(the_design_example_has_its_rows),
        cmocka_unit_test(what_is_not_said_has_its_default),
        cmocka_unit_test(every_selection_is_read),
        cmocka_unit_test(every_load_and_actuator_is_read),
        cmocka_unit_test(points_of_lines_and_plays_of_fixes_are_read),
        cmocka_unit_test(directions_of_a_pair_are_in_the_frame_of_its_body),
        cmocka_unit_test(overrides_replace_and_add),
        cmocka_unit_test(old_keys_are_read_with_a_notice_that_names_the_new_one),
        cmocka_unit_test(a_file_reads_like_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
