// Actuators, effectors, sensors and tasks of the inverse: what a scene says arrives, and every
// mistake is told at its location.
#include "scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// What follows stands in line 5.
#define HEAD                                                                                       \
    "units: {length: mm, force: N, pressure: kPa, angle: deg}\n"                                   \
    "materials: {m: {law: corotational, young: 180, poisson: 0.4}}\n"                              \
    "bodies:\n"                                                                                    \
    "  b: {mesh: b.msh, material: m, cavities: {left: {number: 1}}}\n"
#define TIP "effectors: {tip: {point: {body: b, at: [0, 0, 1]}}}\n"
// The task stands in line 9.
#define ROBOT                                                                                      \
    HEAD TIP "sensors: {string: {string: {body: b, through: [[0, 0, 0], [0, 0, 9]]}}}\n"           \
             "actuators: {air: {cavity: {body: b, cavity: left}}}\n"                               \
             "step: {dt: 10 ms}\n"

static lithe_scene *read_text_at(const char *text, const char *path)
{
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    if (lithe_scene_read_text(text, strlen(text), path, 0, NULL, &scene, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    return scene;
}

static lithe_scene *read_it(const char *text)
{
    return read_text_at(text, "s.yaml");
}

static void assert_triple(const double value[3], double x, double y, double z)
{
    if (!(value[0] == x && value[1] == y && value[2] == z))
        fail_msg("(%g, %g, %g)", value[0], value[1], value[2]);
}

static void every_kind_of_actuator_is_read(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_it(
        HEAD "actuators:\n"
             "  rope: {cable: {body: b, through: [[0, 0, 1]], tied_to: [0, 0, 2], compliance: 0.5 "
             "mm/N}, limits: {pull_rate: 5 mm/s, tension_rate: 2 N/s}, given: true}\n"
             "  rod: {piston: {body: b, from: [0, 0, 0], to: [0, 0, 1], compliance: 1 m/kN}, "
             "limits: {stroke_rate: 1 m/s, force_rate: 3 N/s}}\n"
             "  oil: {liquid: {body: b, cavity: left, density: 0.9 g/cm^3, reference: [1, 2, 3]}, "
             "limits: {pressure: [0, 5], pressure_rate: 1 kPa/s, volume_rate: 2 ml/s}, command: "
             "{pressure: 2}}\n"
             "  push: {force: {body: b, at: [4, 5, 6]}, limits: {displacement: [-1, 1], "
             "displacement_rate: 4 mm/s}, command: {force: [1, 2, 3]}}\n"
             "  wind: {force: {body: b, surface: skin, direction: [0, 2, 0]}, limits: {force: [-1, "
             "1], force_rate: 5 N/s}, command: {displacement: 7}, given: false}\n"
             "  rail: {slider: {body: b, sphere: {center: [0, 0, 0], radius: 2}, direction: [1, 0, "
             "0]}, limits: {travel: [-3, 3], travel_rate: 9 mm/s}, command: {travel: 1}}\n"
             "  soft: {modulus: {body: b}, limits: {young: [1, .inf]}, command: {young: 10}}\n"
             "  part: {modulus: {body: b, group: half}, command: {young: 10}}\n");
    const lithe_actuator_def *a = lithe_scene_def(scene)->actuator;
    assert_int_equal(lithe_scene_def(scene)->nactuator, 8);
    assert_true(a[0].compliance == 0.0005 && a[0].given && !a[1].given);
    assert_true(a[0].displacement_rate == 0.005 && a[0].effort_rate == 2);
    assert_true(a[1].compliance == 0.001);
    assert_true(a[1].displacement_rate == 1 && a[1].effort_rate == 3);
    assert_int_equal(a[2].kind, LITHE_LIQUID);
    assert_string_equal(a[2].cavity, "left");
    assert_true(a[2].density == 900 && a[2].value[0] == 2000 && a[2].effort_limit[1] == 5000);
    assert_true(a[2].effort_rate == 1000 && a[2].displacement_rate == 2e-6);
    assert_triple(a[2].reference, 0.001, 0.002, 0.003);
    assert_int_equal(a[3].kind, LITHE_FORCE);
    assert_true(!a[3].has_direction && !a[3].surface && a[3].npoint == 1);
    assert_triple(a[3].point[0].at, 0.004, 0.005, 0.006);
    assert_triple(a[3].value, 1, 2, 3);
    assert_true(a[3].displacement_limit[1] == 0.001 && a[3].displacement_rate == 0.004);
    assert_true(isinf(a[3].effort_rate));
    assert_string_equal(a[4].surface, "skin");
    assert_true(a[4].has_direction && a[4].command == LITHE_DISPLACEMENT);
    assert_true(a[4].value[0] == 0.007 && a[4].effort_rate == 5 && !a[4].given);
    assert_int_equal(a[5].kind, LITHE_SLIDER);
    assert_int_equal(a[5].where.kind, LITHE_SPHERE);
    assert_true(a[5].command == LITHE_DISPLACEMENT && a[5].value[0] == 0.001);
    assert_true(a[5].displacement_rate == 0.009 && a[5].displacement_limit[0] == -0.003);
    assert_int_equal(a[6].kind, LITHE_MODULUS);
    assert_int_equal(a[6].where.kind, LITHE_ALL);
    assert_true(a[6].value[0] == 10000 && a[6].effort_limit[0] == 1000);
    assert_int_equal(a[7].where.kind, LITHE_GROUP);
    lithe_scene_free(scene);
}

static void every_kind_of_effector_is_read(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_it(
        HEAD "effectors:\n"
             "  tip: {point: {body: b, at: [0, 0, 1]}, axes: [x, z], weight: 2, priority: 3, load: "
             "[0, 0, -1]}\n"
             "  all: {points: {body: b, at: [[0, 0, 1], {body: b, at: [0, 0, 2]}]}, direction: [0, "
             "1, 1]}\n"
             "  mean: {barycentre: {body: b}}\n"
             "  some: {barycentre: {body: b, box: [[0, 0, 0], [1, 1, 1]]}}\n"
             "  mass: {mass_centre: {body: b}}\n"
             "  turn: {orientation: {body: b, group: top}, axes: [y]}\n"
             "  room: {volume: {body: b, cavity: left}}\n"
             "  way: {length: {body: b, through: [[0, 0, 1], [0, 0, 2], [0, 0, 3]]}}\n");
    static const lithe_effector_kind kind[] = {
        LITHE_POINTS,      LITHE_POINTS,   LITHE_BARYCENTRE, LITHE_BARYCENTRE,
        LITHE_MASS_CENTRE, LITHE_ROTATION, LITHE_VOLUME,     LITHE_LENGTH};
    const lithe_effector_def *e = lithe_scene_def(scene)->effector;
    for (int i = 0; i < 8; i++)
        assert_int_equal(e[i].kind, kind[i]);
    assert_int_equal(e[0].axes, LITHE_X | LITHE_Z);
    assert_true(e[0].weight == 2 && e[0].priority == 3);
    assert_triple(e[0].load, 0, 0, -1);
    assert_int_equal(e[1].npoint, 2);
    assert_true(e[1].has_direction && e[1].point[1].at[2] == 0.002);
    assert_int_equal(e[2].where.kind, LITHE_ALL);
    assert_int_equal(e[3].where.kind, LITHE_BOX);
    assert_int_equal(e[5].where.kind, LITHE_GROUP);
    assert_int_equal(e[5].axes, LITHE_Y);
    assert_string_equal(e[6].cavity, "left");
    assert_int_equal(e[7].npoint, 3);
    assert_true(e[7].weight == 1 && e[7].priority == 1);
    lithe_scene_free(scene);
}

static void every_kind_of_sensor_is_read(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_it(HEAD "actuators:\n"
                                      "  air: {cavity: {body: b}}\n"
                                      "  rod: {piston: {body: b, from: [0, 0, 0], to: [0, 0, 1]}}\n"
                                      "sensors:\n"
                                      "  s: {string: {body: b, through: [[0, 0, 1], [0, 0, 2]]}}\n"
                                      "  p: {position: {body: b, at: [0, 0, 1]}}\n"
                                      "  v: {volume: {body: b}}\n"
                                      "  g: {pressure: {actuator: air}}\n"
                                      "  f: {force: {actuator: rod}}\n");
    static const lithe_sensor_kind kind[] = {LITHE_STRING, LITHE_POSITION, LITHE_SENSOR_VOLUME,
                                             LITHE_SENSOR_EFFORT, LITHE_SENSOR_EFFORT};
    const lithe_sensor_def *k = lithe_scene_def(scene)->sensor;
    assert_int_equal(lithe_scene_def(scene)->nsensor, 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(k[i].kind, kind[i]);
    assert_int_equal(k[0].npoint, 2);
    assert_string_equal(k[3].actuator, "air");
    assert_string_equal(k[0].location, "s.yaml:9:3");
    lithe_scene_free(scene);
}

static void the_method_is_read(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_it(HEAD "step: {method: seidel, epsilon: 1e-4, relaxation: 0.5}\n");
    const lithe_step_def *step = &lithe_scene_def(scene)->step;
    assert_int_equal(step->method, LITHE_SEIDEL);
    assert_true(step->epsilon == 1e-4 && step->relaxation == 0.5);
    lithe_scene_free(scene);
}

static void every_path_is_read(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_it(
        HEAD
        "effectors:\n"
        "  a: {point: {body: b, at: [0, 0, 1]}}\n"
        "  c: {point: {body: b, at: [0, 0, 1]}}\n"
        "  d: {point: {body: b, at: [0, 0, 1]}}\n"
        "  e: {points: {body: b, at: [[0, 0, 1], [0, 0, 2]]}, axes: [x, y]}\n"
        "  f: {orientation: {body: b, group: top}, axes: [z]}\n"
        "step: {dt: 10 ms}\n"
        "task:\n"
        "  follow:\n"
        "    - {effector: a, circle: {center: [1, 2, 3], radius: 4, normal: [0, 0, 1], period: "
        "4 s, turns: 2}}\n"
        "    - {effector: c, line: {from: [1, 2, 3], to: [4, 5, 6], time: 2 s}}\n"
        "    - {effector: d, polygon: {corners: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], period: 3 "
        "s}}\n"
        "    - {effector: e, waypoints: [{time: 0, at: [1, 2, 3, 4]}, {time: 1 s, at: [[5, 6], "
        "[7, 8]]}]}\n"
        "  hold: {effector: f, at: 180}\n"
        "  approach: 50 mm/s\n"
        "  settle: 7\n");
    const lithe_task_def *task = &lithe_scene_def(scene)->task;
    const lithe_goal_def *g = task->goal;
    assert_int_equal(task->ngoal, 5);
    assert_true(task->approach == 0.05 && task->settle == 7);
    assert_string_equal(task->location, "s.yaml:12:1");
    assert_string_equal(g[0].location, "s.yaml:14:7");
    assert_int_equal(g[0].path, LITHE_CIRCLE);
    assert_triple(g[0].centre, 0.001, 0.002, 0.003);
    assert_true(g[0].radius == 0.004 && g[0].period == 4 && g[0].turns == 2);
    assert_int_equal(g[1].path, LITHE_LINE);
    assert_true(g[1].npoint == 2 && g[1].time[0] == 0 && g[1].time[1] == 2);
    assert_triple(&g[1].point[3], 0.004, 0.005, 0.006);
    assert_int_equal(g[2].path, LITHE_POLYGON);
    assert_true(g[2].npoint == 3 && g[2].period == 3 && g[2].turns == 1);
    assert_true(g[3].npoint == 2 && g[3].point[3] == 0.004 && g[3].point[7] == 0.008);
    assert_int_equal(g[4].path, LITHE_STAY);
    assert_true(fabs(g[4].point[0] - acos(-1)) < 1e-15 && !g[4].kept);
    lithe_scene_free(scene);
}

static void sensors_are_held_and_kept(void **unused)
{
    (void)unused;
    lithe_scene *scene = read_it(ROBOT "task:\n"
                                       "  hold: [{effector: tip, at: [1, 2, 3]}]\n"
                                       "  keep: {sensor: string, at: 12}\n");
    const lithe_task_def *task = &lithe_scene_def(scene)->task;
    assert_int_equal(task->ngoal, 2);
    assert_true(!task->goal[0].kept && task->goal[1].kept);
    assert_string_equal(task->goal[1].sensor, "string");
    assert_null(task->goal[1].effector);
    assert_true(task->goal[1].point[0] == 0.012);
    assert_true(isinf(task->approach) && task->settle == -1);
    lithe_scene_free(scene);
}

typedef struct mistake {
    const char *text;
    const char *error; // how it begins
    const char *says;  // what else stands in it
} mistake;

static void check(const mistake *m, int n)
{
    for (int i = 0; i < n; i++) {
        lithe_report report = lithe_report_default();
        lithe_scene *scene = NULL;
        if (lithe_scene_read_text(m[i].text, strlen(m[i].text), "s.yaml", 0, NULL, &scene,
                                  &report) != LITHE_INVALID)
            fail_msg("no error for:\n%s", m[i].text);
        if (strncmp(report.error, m[i].error, strlen(m[i].error)) != 0 ||
            !strstr(report.error, m[i].says))
            fail_msg("expected: %s ... %s\n     got: %s", m[i].error, m[i].says, report.error);
    }
}

#define CHECK(mistakes) check(mistakes, (int)(sizeof(mistakes) / sizeof(mistakes)[0]))
#define A(words)        HEAD "actuators: {a: {" words "}}\n"
#define E(words)        HEAD "effectors: {e: {" words "}}\n"

static void actuator_mistakes_are_told_at_their_location(void **unused)
{
    (void)unused;
    static const mistake mistakes[] = {
        {A("cable: {body: b, through: [[0, 0, 1]], tied_to: [0, 0, 2], compliance: -1 mm/N}"),
         "s.yaml:5:88: compliance must not be negative", ""},
        {A("cable: {body: b, through: [[0, 0, 1]], tied_to: [0, 0, 2], compliance: 1}"),
         "s.yaml:5:88: 1 has no unit; write '1 mm/N'", ""},
        {A("liquid: {body: b, reference: [0, 0, 0]}"),
         "s.yaml:5:17: a liquid needs the key 'density'", ""},
        {A("liquid: {body: b, density: 0, reference: [0, 0, 0]}"),
         "s.yaml:5:44: density must be above 0", ""},
        {A("force: {body: b}"), "s.yaml:5:17: a force needs one of at, surface", ""},
        {A("force: {body: b, at: [0, 0, 0], surface: s}"), "s.yaml:5:49: a force takes only one",
         ""},
        {A("force: {body: b, at: [0, 0, 0], direction: [0, 0, 0]}"),
         "s.yaml:5:60: the direction must not be zero", ""},
        {A("force: {body: b, at: [0, 0, 0]}, command: {force: 3}"),
         "s.yaml:5:67: expected [x, y, z], each a force", ""},
        {A("force: {body: b, at: [0, 0, 0]}, limits: {force: [-1, 1]}, command: {force: [0, 0, "
           "3]}"),
         "s.yaml:5:93: force 3 N is outside the limits", ""},
        {A("slider: {body: b, direction: [0, 0, 1]}"), "s.yaml:5:17: a slider needs one of box",
         ""},
        {A("slider: {body: b, all: true}"), "s.yaml:5:17: a slider needs the key 'direction'", ""},
        {A("slider: {body: b, all: true, direction: [0, 0, 1]}, limits: {force: [0, 1]}"),
         "s.yaml:5:78: unknown key 'force' in the limits of a slider", "travel"},
        {A("modulus: {body: b}"), "s.yaml:5:13: a modulus needs a Young's modulus above 0",
         "command: {young: 10 kPa}"},
        {A("modulus: {body: b, nearest: [0, 0, 0]}, command: {young: 1}"),
         "s.yaml:5:36: nearest picks a single node", ""},
        {A("modulus: {body: b, group: a, all: true}, command: {young: 1}"),
         "s.yaml:5:46: a modulus takes only one of", ""},
        {A("cavity: {body: b}, limits: {pressure_rate: 0}"),
         "s.yaml:5:60: pressure_rate must be "
         "above 0",
         ""},
        {A("cavity: {body: b}, limits: {pressure_rate: 3 kPa}"),
         "s.yaml:5:60: '3 kPa' is a pressure, expected a pressure rate", ""},
        {A("cavity: {body: b}, limits: {pressure: [2, 1]}"),
         "s.yaml:5:55: the lowest pressure, '2', is above the highest, '1'", ""},
        {A("cavity: {body: b}, given: yes"), "s.yaml:5:43: unknown given 'yes'", "false, true"},
    };
    CHECK(mistakes);
}

static void measure_mistakes_are_told_at_their_location(void **unused)
{
    (void)unused;
    static const mistake mistakes[] = {
        {E(""), "s.yaml:5:13: an effector needs one of point, points, barycentre", ""},
        {E("volume: {body: b}, axes: [x]"), "s.yaml:5:36: a volume or a length is one number",
         "remove axes"},
        {E("orientation: {body: b, all: true}, direction: [0, 0, 1]"),
         "s.yaml:5:52: only positions are measured along a direction", ""},
        {E("mass_centre: {body: b}, axes: [x], direction: [0, 0, 1]"),
         "s.yaml:5:52: axes say already what counts", "remove direction"},
        {E("mass_centre: {body: b}, load: [0, 0, 1]"), "s.yaml:5:41: a load hangs on points only",
         ""},
        {E("mass_centre: {body: b}, priority: 9"), "s.yaml:5:51: priorities are 1 to 8", ""},
        {E("mass_centre: {body: b}, weight: 0"), "s.yaml:5:49: weight must be above 0", ""},
        {E("mass_centre: {body: b, group: g}"), "s.yaml:5:40: unknown key 'group'", ""},
        {E("orientation: {body: b}"), "s.yaml:5:17: an orientation needs one of box", ""},
        {E("length: {body: b, through: [[0, 0, 1]]}"), "s.yaml:5:17: a line needs two points", ""},
        {E("points: {body: b, at: [0, 0, 1]}"), "s.yaml:5:39: expected a list of points", ""},
        {HEAD "sensors: {s: {}}\n", "s.yaml:5:11: a sensor needs one of string, position", ""},
        {HEAD "sensors: {s: {pressure: {actuator: air}}}\n",
         "s.yaml:5:36: there is no actuator 'air'; none is defined", ""},
        {HEAD "actuators: {air: {cavity: {body: b}}}\nsensors: {s: {force: {actuator: air}}}\n",
         "s.yaml:6:33: 'air' has no force; measure its pressure instead", ""},
        {HEAD "effectors: {s: {mass_centre: {body: b}}}\nsensors: {s: {volume: {body: b}}}\n",
         "s.yaml:6:11: the name 's' is used already, at s.yaml:5:13", "sensors"},
        {HEAD "step: {method: simplex}\n", "s.yaml:5:16: unknown method 'simplex'", "hierarchy"},
        {HEAD "step: {relaxation: 1.5}\n", "s.yaml:5:20: relaxation must be at most 1", ""},
        {HEAD "step: {epsilon: 0}\n", "s.yaml:5:17: epsilon must be above 0", ""},
    };
    CHECK(mistakes);
}

#define T(words) ROBOT "task: {" words "}\n"
#define F(words) ROBOT "task: {follow: {effector: tip, " words "}}\n"

static void task_mistakes_are_told_at_their_location(void **unused)
{
    (void)unused;
    static const mistake mistakes[] = {
        {T(""), "s.yaml:9:1: a task needs follow, hold or keep", ""},
        {T("folow: {}"), "s.yaml:9:8: unknown key 'folow' in a task: did you mean 'follow'?", ""},
        {T("follow: []"), "s.yaml:9:1: a task needs follow, hold or keep", ""},
        {T("hold: {at: [1, 2, 3]}"), "s.yaml:9:8: a target belongs to an effector or a sensor",
         "effector: tip"},
        {T("hold: {effector: tip, sensor: string, at: 3}"), "s.yaml:9:8: a target belongs",
         "only one of them"},
        {T("hold: {effector: tipp, at: [1, 2, 3]}"),
         "s.yaml:9:25: there is no effector 'tipp': did you mean 'tip'?", ""},
        {T("hold: {sensor: strin, at: 3}"),
         "s.yaml:9:23: there is no sensor 'strin': did you mean 'string'?", ""},
        {T("hold: {effector: tip}"), "s.yaml:9:8: what is held needs the key 'at'", ""},
        {T("hold: {effector: tip, at: 3}"), "s.yaml:9:34: 'tip' has 3 numbers; expected a list",
         ""},
        {T("hold: {effector: tip, at: [1, 2]}"), "s.yaml:9:34: 'tip' has 3 numbers", ""},
        {T("hold: {effector: tip, at: [1, 2, 3, 4]}"), "s.yaml:9:34: 'tip' has 3 numbers", ""},
        {T("hold: {effector: tip, at: [1, 2, {}]}"), "s.yaml:9:41: this is a map", ""},
        {T("hold: {effector: tip, at: [1, 2, 3 N]}"), "s.yaml:9:41: '3 N' is a force", ""},
        {T("hold: {effector: tip, at: [1, 2, .nan]}"), "s.yaml:9:41: '.nan' is not a number", ""},
        {T("hold: {sensor: string, at: [1, 2]}"),
         "s.yaml:9:35: 'string' has 1 number; expected a "
         "length",
         ""},
        {T("hold: {effector: tip, at: [1, 2, 3]}, approach: 0"),
         "s.yaml:9:56: approach must be above 0", ""},
        {T("hold: {effector: tip, at: [1, 2, 3]}, approach: 5"),
         "s.yaml:9:56: 5 has no unit; write '5 mm/s'", ""},
        {T("hold: {effector: tip, at: [1, 2, 3]}, settle: 0"), "s.yaml:9:54: settle must be", ""},
        {HEAD TIP "task: {follow: {effector: tip, line: {from: [0, 0, 0], to: [1, 1, 1], time: 1 "
                  "s}}}\n",
         "s.yaml:6:8: nothing says the time from step to step", "dt: 10 ms"},
        {HEAD "actuators: {air: {cavity: {body: b}}}\nsensors: {g: {pressure: {actuator: "
              "air}}}\ntask: {hold: {sensor: g, at: 1}}\n",
         "s.yaml:7:23: 'g' reads an actuator and can have no target", "given: true"},
    };
    CHECK(mistakes);
}

static void path_mistakes_are_told_at_their_location(void **unused)
{
    (void)unused;
    static const mistake mistakes[] = {
        {F(""), "s.yaml:9:8: what is followed needs one of circle, line, polygon", ""},
        {F("circle: {}, line: {}"), "s.yaml:9:44: what is followed takes only one of", ""},
        {F("circle: {center: [0, 0, 0], radius: 1, normal: [0, 0, 0], period: 1 s}"),
         "s.yaml:9:79: the normal must not be zero", ""},
        {F("circle: {center: [0, 0, 0], radius: 0, normal: [0, 0, 1], period: 1 s}"),
         "s.yaml:9:68: radius must be above 0", ""},
        {F("circle: {center: [0, 0, 0], radius: 1, normal: [0, 0, 1], period: 0}"),
         "s.yaml:9:98: period must be above 0", ""},
        {F("circle: {center: [0, 0, 0], radius: 1, normal: [0, 0, 1], period: 1}"),
         "s.yaml:9:98: 1 has no unit; write '1 ms'", ""},
        {F("circle: {center: [0, 0, 0], radius: 1, normal: [0, 0, 1], period: 1 s, turns: 0}"),
         "s.yaml:9:110: turns must be above 0", ""},
        {F("line: {from: [0, 0, 0], to: [1, 1, 1], time: 0}"), "s.yaml:9:77: time must be above 0",
         ""},
        {F("polygon: {corners: [[0, 0, 0]], period: 1 s}"), "s.yaml:9:51: expected two corners",
         ""},
        {F("polygon: {corners: [[0, 0, 0], [0, 0, 0]], period: 1 s}"),
         "s.yaml:9:51: the corners are all in one place", ""},
        {F("waypoints: []"), "s.yaml:9:43: expected a list of waypoints", ""},
        {F("waypoints: [{time: 0, at: [0, 0, 0]}]"), "s.yaml:9:32: the path takes no time", "hold"},
        {F("waypoints: [{time: 1 s, at: [0, 0, 0]}, {time: 1 s, at: [0, 0, 0]}]"),
         "s.yaml:9:79: times must rise", "1 s"},
        {F("waypoints: [{time: -1 s, at: [0, 0, 0]}]"), "s.yaml:9:51: times must rise", ""},
        {F("waypoints: [{time: 1 s, at: [0, 0]}]"), "s.yaml:9:60: 'tip' has 3 numbers", ""},
        {F("waypoints: [{time: 1 s}]"),
         "s.yaml:9:44: a waypoint needs the key 'at' (value or list)", ""},
        {ROBOT "task: {follow: {sensor: string, circle: {center: [0, 0, 0], radius: 1, normal: [0, "
               "0, 1], period: 1 s}}}\n",
         "s.yaml:9:33: a circle needs the x, y and z of one point, but 'string' has 1 number",
         "waypoints or csv"},
        {F("csv: /nowhere/at/all.csv"), "/nowhere/at/all.csv: cannot open the table", "check"},
        {F("csv: /dev/zero"), "/dev/zero: a table must be a plain file", ""},
    };
    CHECK(mistakes);
}

// A folder of its own for tables beside a scene.
typedef struct folder {
    char path[64], scene[96], table[96];
} folder;

static void make_folder(folder *f)
{
    snprintf(f->path, sizeof f->path, "/tmp/lithe-test-XXXXXX");
    assert_non_null(mkdtemp(f->path));
    snprintf(f->scene, sizeof f->scene, "%s/s.yaml", f->path);
    snprintf(f->table, sizeof f->table, "%s/t.csv", f->path);
}

static void write_table(const folder *f, const char *text)
{
    FILE *file = fopen(f->table, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_folder(const folder *f)
{
    unlink(f->table);
    rmdir(f->path);
}

static void tables_are_read_from_beside_the_scene(void **unused)
{
    (void)unused;
    static const char *const same[] = {
        "time_s,tip.x_m,tip.y_m,tip.z_m\n0,1,2,3\n0.5,4,5e-1,-6\n",
        "\xef\xbb\xbftime_s, tip.x_m ,tip.y_m,\ttip.z_m\r\n 0 ,1,2,3\r\n0.5,4,0.5,-6\r\n\r\n\n",
        "tip.z_m,step,string_m,target.tip.x_m,tip.y_m,time_s,tip.x_m,air.pressure_Pa\n"
        "3,0,,nan,2,0,1,x\n-6,,,,.5,.5,+4,",
    };
    folder f;
    make_folder(&f);
    for (int i = 0; i < 3; i++) {
        write_table(&f, same[i]);
        lithe_scene *scene = read_text_at(F("csv: t.csv"), f.scene);
        const lithe_goal_def *g = lithe_scene_def(scene)->task.goal;
        assert_int_equal(g->path, LITHE_WAYPOINTS);
        assert_int_equal(g->npoint, 2);
        assert_true(g->time[0] == 0 && g->time[1] == 0.5);
        assert_triple(&g->point[0], 1, 2, 3);
        assert_triple(&g->point[3], 4, 0.5, -6);
        lithe_scene_free(scene);
    }
    remove_folder(&f);
}

static void mistakes_in_tables_are_told_at_their_location(void **unused)
{
    (void)unused;
#define COLUMNS "time_s,tip.x_m,tip.y_m,tip.z_m\n"
    static const char *const mistakes[][2] = {
        {"", ":1:1: the first line must name the columns"},
        {"\n1,2\n", ":1:1: the first line must name the columns"},
        {COLUMNS, ":1:1: there is no line of values"},
        {COLUMNS "0,1,,3\n", ":2:3: a value is missing"},
        {COLUMNS "0,1,nan,3\n", ":2:3: 'nan' is not a finite number"},
        {COLUMNS "0,1,inf,3\n", ":2:3: 'inf' is not a finite number"},
        {COLUMNS "0,1,0x1p3,3\n", ":2:3: '0x1p3' is not a finite number"},
        {COLUMNS "0,1,1e999,3\n", ":2:3: '1e999' is not a finite number"},
        {COLUMNS "0,1,2 mm,3\n", ":2:3: '2 mm' is not a finite number"},
        {COLUMNS "0,1,2,3\n1,1,2\n", ":3:4: this line has 3 values, but there are 4 columns"},
        {COLUMNS "0,1,2,3,4\n", ":2:5: this line has 5 values"},
        {COLUMNS "0,1,2,3\n\n1,1,2,3\n", ":3:1: this line is empty, but more follow"},
        {COLUMNS "0,1,2,3\n1,1,2,3\n0.5,1,2,3\n", ":4:1: times must rise: 0.5 s follows 1 s"},
        {COLUMNS "0,1,2,3\n0,1,2,3\n", ":3:1: times must rise"},
        {COLUMNS "-1,1,2,3\n", ":2:1: times begin at 0"},
        {"tip.x_m,tip.y_m,tip.z_m\n", ":1:1: the column 'time_s' is missing"},
        {"time_s,tip.x_m,tip.y_m\n0,1,2\n", ":1:1: the column 'tip.z_m' is missing"},
        {"time_s,tip.x_m,tip.y_m,tip.z_m,tip.x_m\n", ":1:5: the column 'tip.x_m' is there twice"},
        {"time_s,time_s\n", ":1:2: the column 'time_s' is there twice"},
        {"time_s,tip.x_mm,tip.y_m,tip.z_m\n",
         ":1:2: unknown column 'tip.x_mm': did you mean 'tip.x_m'?"},
        {"time_s,weather\n", ":1:2: unknown column 'weather'; columns are called as"},
        {COLUMNS "0,1,2,3\n", "s.yaml:9:37: the path takes no time"},
    };
    folder f;
    make_folder(&f);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        lithe_report report = lithe_report_default();
        lithe_scene *scene = NULL;
        const char *text = F("csv: t.csv");
        write_table(&f, mistakes[i][0]);
        assert_int_equal(
            lithe_scene_read_text(text, strlen(text), f.scene, 0, NULL, &scene, &report),
            LITHE_INVALID);
        if (!strstr(report.error, mistakes[i][1]))
            fail_msg("expected: %s\n     got: %s", mistakes[i][1], report.error);
    }
    remove_folder(&f);
}

static int allocations_left, live;

static void *scarce_alloc(size_t bytes)
{
    if (allocations_left-- <= 0)
        return NULL;
    live++;
    return malloc(bytes);
}

static void counted_free(void *memory)
{
    live--;
    free(memory);
}

static void the_kth_failing_allocation_of_a_table_is_reported(void **unused)
{
    (void)unused;
    const char *text = F("csv: t.csv");
    lithe_status status = LITHE_NO_MEMORY;
    folder f;
    int k = 0;
    make_folder(&f);
    FILE *file = fopen(f.table, "wb");
    assert_non_null(file);
    fputs("time_s,tip.x_m,tip.y_m,tip.z_m\n", file);
    for (int i = 0; i < 5000; i++) // more than one chunk of memory
        fprintf(file, "%d,1,2,3\n", i);
    fclose(file);
    lithe_set_allocator(scarce_alloc, counted_free);
    for (; status != LITHE_OK && k < 1000; k++) {
        lithe_report report = lithe_report_default();
        lithe_scene *scene = NULL;
        allocations_left = k;
        live = 0;
        status = lithe_scene_read_text(text, strlen(text), f.scene, 0, NULL, &scene, &report);
        assert_true(status == LITHE_OK || status == LITHE_NO_MEMORY);
        assert_true(status == LITHE_OK || strstr(report.error, "out of memory"));
        lithe_scene_free(scene);
        assert_int_equal(live, 0);
    }
    lithe_set_allocator(NULL, NULL);
    assert_int_equal(status, LITHE_OK);
    assert_true(k > 5);
    remove_folder(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_actuator_is_read),
        cmocka_unit_test(every_kind_of_effector_is_read),
        cmocka_unit_test(every_kind_of_sensor_is_read),
        cmocka_unit_test(the_method_is_read),
        cmocka_unit_test(every_path_is_read),
        cmocka_unit_test(sensors_are_held_and_kept),
        cmocka_unit_test(actuator_mistakes_are_told_at_their_location),
        cmocka_unit_test(measure_mistakes_are_told_at_their_location),
        cmocka_unit_test(task_mistakes_are_told_at_their_location),
        cmocka_unit_test(path_mistakes_are_told_at_their_location),
        cmocka_unit_test(tables_are_read_from_beside_the_scene),
        cmocka_unit_test(mistakes_in_tables_are_told_at_their_location),
        cmocka_unit_test(the_kth_failing_allocation_of_a_table_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
