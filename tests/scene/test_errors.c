// Every mistake is reported at its line and column, with what was expected.
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct mistake {
    const char *text;
    const char *error; // how it begins: the location and the cause
    const char *says;  // what else stands in it, the remedy
} mistake;

static void assert_error(const mistake *m, const char *error)
{
    if (strncmp(error, m->error, strlen(m->error)) != 0 || !strstr(error, m->says))
        fail_msg("expected: %s ... %s\n     got: %s\n for:\n%s", m->error, m->says, error, m->text);
}

static void check_text(const mistake *m, int n)
{
    for (int i = 0; i < n; i++) {
        lithe_report report = lithe_report_default();
        lithe_scene *scene = NULL;
        lithe_status status =
            lithe_scene_read_text(m[i].text, strlen(m[i].text), "s.yaml", 0, NULL, &scene, &report);
        if (status != LITHE_INVALID)
            fail_msg("no error for:\n%s", m[i].text);
        assert_null(scene);
        assert_error(&m[i], report.error);
    }
}

#define CHECK(mistakes) check_text(mistakes, (int)(sizeof(mistakes) / sizeof(mistakes)[0]))

#define MATERIALS                                                                                  \
    "units: {length: mm, force: N, pressure: kPa}\n"                                               \
    "materials:\n"                                                                                 \
    "  rubber: {law: corotational, young: 180, poisson: 0.45}\n"
// What follows stands in line 8: more keys of the body, or the next section.
#define BODY                                                                                       \
    MATERIALS "bodies:\n"                                                                          \
              "  robot:\n"                                                                         \
              "    mesh: m.msh\n"                                                                  \
              "    material: rubber\n"
// A material in line 2, at column 6.
#define MATERIAL(keys) "materials:\n  m: {" keys "}\nbodies: {b: {mesh: f, material: m}}\n"

static void yaml_mistakes_are_reported_at_their_location(void **unused)
{
    (void)unused;
    static const mistake mistakes[] = {
        {"", "s.yaml:1:1: there is nothing here", "docs/scene.md"},
        {"# only words\n", "s.yaml:1:1: there is nothing here", ""},
        {"--- \n...\n", "s.yaml:", "nothing is given here; expected a map of units, gravity"},
        {"[1, 2]", "s.yaml:1:1: this is a list, expected a map of units, gravity", ""},
        {"robot", "s.yaml:1:1: 'robot' is a plain value, expected a map", ""},
        {"units:\n\tlength: mm\n", "s.yaml:2:1: a tab", "spaces"},
        {"a: [1, 2\nb: 3\n", "s.yaml:2:", "not YAML"},
        {"a: 'x\n", "s.yaml:2:1: not YAML", "quote"},
        {"a: 1\n b: 2\n", "s.yaml:2:3: not YAML", "check the indentation"},
        {"a: 1\n---\nb: 2\n", "s.yaml:2:1: a second document starts here", "one document"},
        {"a: \xff\xfe\n", "s.yaml:1:4: not UTF-8 text", "save the file as UTF-8"},
        {"a: 1\né: \x01\n", "s.yaml:2:4: not UTF-8 text", "control characters"},
        {"a: \"x\\ny\"\n", "s.yaml:1:4: this text holds a line break", "one line"},
        {"a: \"x\\0y\"\n", "s.yaml:1:4: this text holds a line break", ""},
        {"? [a]\n: b\n", "s.yaml:1:3: a key must be a plain name", ""},
        {"a: &x 1\n", "s.yaml:1:4: anchors such as &x are not allowed", "remove"},
        {"a: *x\n", "s.yaml:1:4: aliases such as *x are not allowed", "repeat the value"},
        {"a: !!str 1\n", "s.yaml:1:4: tags such as tag:yaml.org,2002:str are not allowed", ""},
        {"step: {}\nunits: {}\nstep: {}\n",
         "s.yaml:3:1: the key 'step' is given twice (first in line 1)", "remove one"},
        {"units: {length: mm, length: cm}\n", "s.yaml:1:21: the key 'length' is given twice", ""},
    };
    CHECK(mistakes);
}

static void key_mistakes_are_reported_at_their_location(void **unused)
{
    (void)unused;
    static const mistake mistakes[] = {
        {BODY "actuator: {}\n",
         "s.yaml:8:1: unknown key 'actuator' in a scene: did you mean 'actuators'?",
         "expected one of units, gravity, materials"},
        {BODY "    densitee: 3\n",
         "s.yaml:8:5: unknown key 'densitee' in a body; expected one of mesh, mesh_unit", ""},
        {MATERIAL("yung: 3"), "s.yaml:2:7: unknown key 'yung' in a material: did you mean 'young'?",
         "from, law, young, poisson, density"},
        {BODY "    fix: {boxx: []}\n",
         "s.yaml:8:11: unknown key 'boxx' in fix: did you mean 'box'?", ""},
        {BODY "step: {Mode: x}\n", "s.yaml:8:8: unknown key 'Mode' in step: did you mean 'mode'?",
         ""},
        {BODY "units:\n", "s.yaml:8:1: the key 'units' is given twice", ""},
        {"materials: {}\n", "s.yaml:1:1: a scene needs the key 'bodies' (map of names)", ""},
        {"materials: {}\nbodies: {}\n", "s.yaml:2:1: there is no body", "needs one or more"},
        {"materials: {}\nbodies: {b: {}}\n",
         "s.yaml:2:10: a body needs one of the keys 'mesh' (the mesh file), 'box', 'ball', "
         "'cylinder', 'members', 'rods', "
         "'shells' and 'rigid_body'",
         ""},
        {"materials: {}\nbodies: {b: {members: {a: {}}}}\n",
         "s.yaml:2:24: a member needs a 'mesh' (the mesh file), 'box', 'ball' or "
         "'cylinder', or a 'rigid_body'",
         ""},
        {"materials: {}\nbodies: {b: {members: {a: {mesh: m.msh, mesh_unit: mm, mass: 1 g}}}}\n",
         "s.yaml:2:56: the mass of a member is for rigid ones; give its material a density", ""},
        {"materials: {}\nbodies: {b: {members: {a: {like: c}}}}\n",
         "s.yaml:2:34: there is no member 'c'; the first defined is 'a'", ""},
        {"materials: {}\nbodies: {b: {rods: {}, attachments: []}}\n",
         "s.yaml:2:24: attachments are between members, and the body has none; add members", ""},
        {"materials: {}\nbodies: {b: {members: {a: {rigid_body: {sphere: 1 mm}}},"
         " attachments: [{member: a, to: d, all: true}]}}\n",
         "s.yaml:2:88: there is no member 'd'; the first defined is 'a'", ""},
        {"materials: {}\nbodies: {b: {members: {a: {rigid_body: {sphere: 1 mm}}},"
         " attachments: [{member: a, to: a, points: 3}]}}\n",
         "s.yaml:2:99: expected one point or more, [[x, y, z], ...]", ""},
        {MATERIAL("law: corotational, poisson: 0.4"),
         "s.yaml:2:3: a material needs the key 'young' (pressure): Young's modulus", ""},
        {BODY "actuators:\n", "s.yaml:8:1: nothing is given here; expected a map of names",
         "leave it out"},
        {BODY "actuators: [a]\n", "s.yaml:8:12: this is a list, expected a map of names", ""},
        {BODY "step: fast\n", "s.yaml:8:7: 'fast' is a plain value, expected a map of mode, dt",
         ""},
        {BODY "actuators: {a: {cable: {through: [{at: [0, 0, 1]}, {world: [0, 0, 2]}]}}}\n",
         "s.yaml:8:35: nothing says which body carries this point", "{world: [x, y, z]}"},
        {BODY "actuators: {a: {cable: {through: [{body: robot, world: [0, 0, 1]}]}}}\n",
         "s.yaml:8:36: a point of the world is on no body", "remove one"},
        {BODY "sensors: {a: {distance: {body: robot, from: {all: true}, to: [0, 0, 1]}}}\n",
         "s.yaml:8:39: a selection is a patch that an actuator pulls on", "at: [x, y, z]"},
        {BODY "    fix: {all: true, axes: [x], play: {waypoints: [{time: 1 s, at: [1, 2, 3]}]}}\n",
         "s.yaml:8:68: a displacement along y, which axes leaves free", "add y to axes"},
        {BODY "effectors: {my tip: {}}\n", "s.yaml:8:13: 'my tip' is not a name",
         "letters, digits, _ and -"},
        {BODY
         "effectors: {aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: {}}\n",
         "s.yaml:8:13: 'aaaaaaaaaa",
         "is not a name; names hold letters, digits, _ and -, 63 at most"},
        {BODY "effectors: {'': {}}\n", "s.yaml:8:13: '' is not a name", ""},
        {BODY "effectors:\n  robot: {point: {body: robot, at: [0, 0, 0]}}\n",
         "s.yaml:9:3: the name 'robot' is used already, at s.yaml:5:3", "names of their own"},
    };
    CHECK(mistakes);
}

static void value_mistakes_are_reported_at_their_location(void **unused)
{
    (void)unused;
    static const mistake mistakes[] = {
        {"units: {length: kPa}\nmaterials: {}\nbodies: {}\n",
         "s.yaml:1:17: 'kPa' is a unit of pressure, expected a unit of length such as 'mm'", ""},
        {"units: {pressure: kpa}\nmaterials: {}\nbodies: {}\n",
         "s.yaml:1:19: unknown unit 'kpa': did you mean 'kPa'?", ""},
        {MATERIAL("law: corotational, young: 180, poisson: 0.4"),
         "s.yaml:2:33: 180 has no unit; write '180 kPa' or declare units: {pressure: kPa}", ""},
        {MATERIAL("law: corotational, young: 97 mm, poisson: 0.4"),
         "s.yaml:2:33: '97 mm' is a length, expected a pressure such as '180 kPa'", ""},
        {MATERIAL("law: corotational, young: -3 Pa, poisson: 0.4"),
         "s.yaml:2:33: young must be above 0, not '-3 Pa'", ""},
        {MATERIAL("law: corotational, young: .inf, poisson: 0.4"),
         "s.yaml:2:33: '.inf' must be finite here", ""},
        {MATERIAL("law: corotational, young: 3 Pa, poisson: 0.5"),
         "s.yaml:2:48: Poisson's ratio is 0.5; it must lie between -1 and 0.5", "0.45 to 0.499"},
        {MATERIAL("law: corotational, young: 3 Pa, poisson: -1"),
         "s.yaml:2:48: Poisson's ratio is -1; it must lie between -1", ""},
        {MATERIAL("law: corotational, young: 3 Pa, poisson: .nan"),
         "s.yaml:2:48: '.nan' is not a number", ""},
        {MATERIAL("law: corotational, young: 3 Pa, poisson: 0, density: -1 g/l"),
         "s.yaml:2:60: density is -1 kg/m^3; it must not be negative", ""},
        {MATERIAL("law: corrotational, young: 3 Pa, poisson: 0"),
         "s.yaml:2:12: unknown law 'corrotational': did you mean 'corotational'?", ""},
        {MATERIAL("law: corotational, young: [1], poisson: 0"),
         "s.yaml:2:33: this is a list, expected a pressure such as '180 kPa'", ""},
        {BODY "gravity: [0, 0]\n",
         "s.yaml:8:10: this list has 2 items, expected [x, y, z], each an acceleration", ""},
        {BODY "gravity: [0, 0, -9.81]\n", "s.yaml:8:17: -9.81 has no unit; write '-9.81 m/s^2'",
         ""},
        {BODY "gravity: 9.81 m/s^2\n", "s.yaml:8:10: expected [x, y, z]", ""},
        {BODY "gravity: [0, 0, ]\n", "s.yaml:8:10: this list has 2 items", ""},
        {BODY "step: {dt: 0}\n", "s.yaml:8:12: dt must be above 0", ""},
        {BODY "step: {steps: 0}\n", "s.yaml:8:15: steps must be a whole number from 1", ""},
        {BODY "step: {steps: 99999999999999999999}\n", "s.yaml:8:15: steps must be a whole number",
         ""},
        {BODY "step: {iterations: 1.5}\n", "s.yaml:8:20: iterations must be a whole number", ""},
        {BODY "step: {max_iterations: -1}\n", "s.yaml:8:24: max_iterations must be a whole number",
         ""},
        {BODY "step: {tolerance: 1}\n", "s.yaml:8:19: tolerance must be below 1", ""},
        {BODY "step: {tolerance: 0}\n", "s.yaml:8:19: tolerance must be above 0", ""},
        {BODY "step: {mode: realtim}\n",
         "s.yaml:8:14: unknown mode 'realtim': did you mean 'realtime'?", "converged, realtime"},
        {BODY "step: {mode: }\n", "s.yaml:8:8: nothing is given here; expected a word", ""},
    };
    CHECK(mistakes);
}

static void body_mistakes_are_reported_at_their_location(void **unused)
{
    (void)unused;
    static const mistake mistakes[] = {
        {"materials: {m: {law: corotational, young: 3 Pa, poisson: 0}}\nbodies: {b: {mesh: f, "
         "material: m}}\n",
         "s.yaml:2:20: nothing says the unit of the mesh's coordinates", "mesh_unit: mm"},
        {MATERIALS "bodies: {b: {mesh: f, material: ruber}}\n",
         "s.yaml:4:33: there is no material 'ruber': did you mean 'rubber'?", ""},
        {MATERIALS "bodies: {b: {mesh: f, material: steel}}\n",
         "s.yaml:4:33: there is no material 'steel'; the first defined is 'rubber'", ""},
        {BODY "    mass: 0\n", "s.yaml:8:11: mass must be above 0", ""},
        {BODY "    mass: 3\n", "s.yaml:8:11: 3 has no unit; write '3 g'", ""},
        {BODY "    place: {rotate: [1, 2, 3]}\n", "s.yaml:8:22: 1 has no unit; write '1 deg'", ""},
        {BODY "    place: {move: [1 deg, 2, 3]}\n",
         "s.yaml:8:20: '1 deg' is an angle, expected a length", ""},
        {BODY "    fix: {}\n",
         "s.yaml:8:5: fix needs one of box, sphere, plane, group, nearest, all", ""},
        {BODY "    fix: {all: true, group: g}\n", "s.yaml:8:22: fix takes only one of box,",
         "'all' is given already"},
        {BODY "    fix: {all: false}\n", "s.yaml:8:16: expected all: true", ""},
        {BODY "    fix: {box: [0, 0, 0]}\n",
         "s.yaml:8:16: this list has 3 items, expected two opposite corners", ""},
        {BODY "    fix: {sphere: {center: [0, 0, 0], radius: -1}}\n",
         "s.yaml:8:47: radius must be above 0", ""},
        {BODY "    fix: {plane: {point: [0, 0, 0], normal: [0, 0, 0]}}\n",
         "s.yaml:8:45: the normal must not be zero", ""},
        {BODY "    fix: {plane: {point: [0, 0, 0], normal: [1 mm, 0, 0]}}\n",
         "s.yaml:8:46: '1 mm' is a length, expected a number without a unit", ""},
        {BODY "    fix: {all: true, axes: x}\n", "s.yaml:8:28: expected a list of axes", ""},
        {BODY "    fix: {all: true, axes: [x, X]}\n",
         "s.yaml:8:32: unknown axis 'X': did you mean 'x'?", ""},
        {BODY "    fix: {all: true, axes: [x, x]}\n", "s.yaml:8:32: the axis x is given twice", ""},
        {BODY "    fix: {all: true, axes: [x], displacement: [0, 1, 0]}\n",
         "s.yaml:8:47: a displacement along y, which axes leaves free", "add y to axes"},
        {BODY "    regions: {all: true}\n", "s.yaml:8:14: expected a list of regions", ""},
        {BODY "    regions: [{all: true}]\n", "s.yaml:8:15: a region needs the key 'material'", ""},
        {BODY "    regions: [{nearest: [0, 0, 0], material: rubber}]\n",
         "s.yaml:8:16: nearest picks a single node", "use box"},
        {BODY "    regions: [{all: true, material: rubbr}]\n",
         "s.yaml:8:37: there is no material 'rubbr': did you mean 'rubber'?", ""},
        {BODY "    surfaces: {top: {nearest: [0, 0, 0]}}\n",
         "s.yaml:8:22: nearest picks a single node", ""},
        {BODY "    surfaces: {top: {group: a}, top: {group: b}}\n",
         "s.yaml:8:33: the key 'top' is given twice", ""},
        {BODY "    cavities: {c: {}}\n",
         "s.yaml:8:16: a cavity of a body needs one of number, inside, group", ""},
        {BODY "    cavities: {c: {number: 0}}\n",
         "s.yaml:8:28: number must be a whole number from 1", ""},
    };
    CHECK(mistakes);
}

#define CABLE "cable: {body: robot, through: [[0, 0, 1]], pulled_from: [0, 0, 2]}"

static void row_mistakes_are_reported_at_their_location(void **unused)
{
    (void)unused;
    static const mistake mistakes[] = {
        {BODY "effectors: {tip: {point: {body: robt, at: [0, 0, 0]}}}\n",
         "s.yaml:8:33: there is no body 'robt': did you mean 'robot'?", ""},
        {BODY "effectors: {tip: {point: {body: robot}}}\n",
         "s.yaml:8:19: a point needs the key 'at' (3 lengths)", ""},
        {BODY "loads: {l: {}}\n", "s.yaml:8:9: a load needs one of force, traction, pressure", ""},
        {BODY "loads: {l: {force: {body: robot, at: [0, 0, 0], value: [1, 2, 3 kPa]}}}\n",
         "s.yaml:8:63: '3 kPa' is a pressure, expected a force", ""},
        {BODY "loads: {l: {traction: {body: robot, surface: top}}}\n",
         "s.yaml:8:13: a traction needs one of value, total", ""},
        {BODY "loads: {l: {pressure: {body: robot, surface: top, value: [1, 2, 3]}}}\n",
         "s.yaml:8:58: this is a list, expected a pressure", ""},
        {BODY "actuators: {a: {limits: {}}}\n",
         "s.yaml:8:13: an actuator needs one of cable, piston, cavity", ""},
        {BODY "actuators: {a: {" CABLE ", cavity: {body: robot}}}\n",
         "s.yaml:8:85: an actuator takes only one of cable, piston, cavity",
         "'cable' is given already"},
        {BODY "actuators: {a: {cable: {body: robot, through: [[0, 0, 1]]}}}\n",
         "s.yaml:8:17: a cable needs two points or more", "pulled_from"},
        {BODY "actuators: {a: {cable: {body: robot, through: []}}}\n",
         "s.yaml:8:47: expected a list of points", ""},
        {BODY "actuators: {a: {cable: {body: robot, through: [0, 0, 1]}}}\n",
         "s.yaml:8:47: expected a list of points", "also for a single one"},
        {BODY "actuators: {a: {cable: {through: [[0, 0, 1]], tied_to: [0, 0, 0]}}}\n",
         "s.yaml:8:35: nothing says which body carries this point", "add body: NAME"},
        {BODY "actuators: {a: {piston: {body: robot, from: [0, 0, 1]}}}\n",
         "s.yaml:8:17: a piston needs the key 'to' (point)", ""},
        {BODY "actuators: {a: {piston: {body: robot, from: 3, to: 4}}}\n",
         "s.yaml:8:45: expected a point, [x, y, z]", ""},
        {BODY "actuators: {a: {cavity: {body: robot, cavity: c}}}\n",
         "s.yaml:8:47: there is no cavity of that body 'c'; none is defined", ""},
        {BODY "    cavities: {left: {number: 1}}\nactuators: {a: {cavity: {body: robot, cavity: "
              "lef}}}\n",
         "s.yaml:9:47: there is no cavity of that body 'lef': did you mean 'left'?", ""},
        {BODY "actuators:\n  a:\n    " CABLE "\n    limits: {volume: [0, 1]}\n",
         "s.yaml:11:14: unknown key 'volume' in the limits of a cable; expected one of pull, "
         "tension",
         ""},
        {BODY "actuators:\n  a:\n    " CABLE "\n    limits: {pul: [0, 1]}\n",
         "s.yaml:11:14: unknown key 'pul' in the limits of a cable: did you mean 'pull'?", ""},
        {BODY "actuators:\n  a:\n    " CABLE "\n    limits: {pull: [2, 1]}\n",
         "s.yaml:11:20: the lowest pull, '2', is above the highest, '1'", "swap"},
        {BODY "actuators:\n  a:\n    " CABLE "\n    limits: {pull: 2}\n",
         "s.yaml:11:20: expected [lowest, highest]", ""},
        {BODY "actuators:\n  a:\n    " CABLE "\n    command: {}\n",
         "s.yaml:11:5: the command of a cable needs one of pull, tension", ""},
        {BODY "actuators:\n  a:\n    " CABLE "\n    command: {pull: 1, tension: 1}\n",
         "s.yaml:11:24: the command of a cable takes only one of pull, tension", ""},
        {BODY "actuators:\n  a:\n    " CABLE "\n    command: {tension: -1}\n",
         "s.yaml:11:24: tension -1 N is outside the limits of 'a', [0, inf] N", "change one"},
        {BODY "actuators:\n  a:\n    " CABLE "\n    command: {pull: .inf}\n",
         "s.yaml:11:21: '.inf' must be finite", ""},
        {BODY "actuators:\n  a:\n    " CABLE "\n    limits: {tension: [1, 2]}\n",
         "s.yaml:9:3: without a command, tension 0 N is outside the limits of 'a', [1, 2] N", ""},
    };
    CHECK(mistakes);
}

static void contact_mistakes_are_reported_at_their_location(void **unused)
{
    (void)unused;
    static const mistake mistakes[] = {
        {BODY "obstacles:\n  o: {mesh: {scale: 2}}\n", "s.yaml:9:7: a mesh needs the key 'file'",
         ""},
        {BODY "obstacles:\n  o: {mesh: {file: a.stl, scale: 0}}\n", "s.yaml:9:34: ", "above 0"},
        {BODY "obstacles:\n  o: {path: [{time: 1 s}]}\n",
         "s.yaml:9:3: an obstacle needs one of plane", ""},
        {BODY "obstacles:\n  o: {sphere: {center: [0, 0, 0], radius: 1}, path: {time: 1 s}}\n",
         "s.yaml:9:", "expected a list of waypoints"},
        {BODY "obstacles:\n  o:\n    sphere: {center: [0, 0, 0], radius: 1}\n"
              "    path: [{time: 2 s}, {time: 1 s}]\n",
         "s.yaml:11:32: times must not fall", ""},
        {BODY "obstacles: {robot: {sphere: {center: [0, 0, 0], radius: 1}}}\n",
         "s.yaml:8:13: the name 'robot' is used already, at s.yaml:5:3", ""},
        {BODY "contacts: {pairs: {body: robot, with: robot}}\n",
         "s.yaml:8:19: ", "expected a list of pairs"},
        {BODY "contacts: {pairs: [{body: robot}]}\n", "s.yaml:8:20: a pair needs the key 'with'",
         ""},
        {BODY "contacts: {pairs: [{body: robt, with: robot}]}\n",
         "s.yaml:8:27: there is no body 'robt': did you mean 'robot'?", ""},
        {BODY "contacts: {pairs: [{body: robot, with: robot, patch: 1}]}\n",
         "s.yaml:8:47: patch is of contact by: volume", ""},
        {BODY "contacts: {pairs: [{body: robot, with: robot, by: area}]}\n",
         "s.yaml:8:51: ", "volume"},
    };
    CHECK(mistakes);
}

static void override_mistakes_are_reported_at_their_location(void **unused)
{
    (void)unused;
    static const char text[] = BODY "    fix: [{all: true}]\n";
    static const mistake mistakes[] = {
        {"materials.rubber.yung=3",
         "--set materials.rubber.yung: unknown key 'yung' in a material: did you mean 'young'?",
         ""},
        {"materials.ruber.young=3", "--set materials.ruber.young: a material needs the key 'law'",
         ""},
        {"bodies.robot.mass=97mm", "--set bodies.robot.mass: '97mm' is a length, expected a mass",
         ""},
        {"bodies.robot.fix.0.axes=[q]", "--set bodies.robot.fix.0.axes: unknown axis 'q'", ""},
        {"bodies.robot.fix.2={all: true}",
         "--set bodies.robot.fix.2: there is no item 2: this list has 1 items", ""},
        {"bodies.robot.fix.99999999999999={}",
         "--set bodies.robot.fix.99999999999999: there is no item", ""},
        {"bodies.robot.fix.axes=[x]",
         "--set bodies.robot.fix.axes: 'axes' is not the number of a list item", "items 0 to 0"},
        {"bodies.robot.mesh.file=a",
         "--set bodies.robot.mesh.file: 'file' is looked for inside 'm.msh'", ""},
        {"bodies.robot.mesh=", "--set bodies.robot.mesh: there is nothing here", ""},
        {"bodies..mesh=3", "--set bodies..mesh: the path has an empty part", "key.key=value"},
        {"bodies", "--set bodies: expected path=value", "materials.skin.young=200kPa"},
        {"=3", "--set =3: expected path=value", ""},
        {"step={mode: realtime", "--set step: not YAML", ""},
        {"step={dt: 1 s, dt: 2 s}", "--set step: the key 'dt' is given twice", ""},
        {"step.steps=*a", "--set step.steps: aliases such as *a", ""},
        {"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1", "--set a.a.a.a",
         "more than 32 parts"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        lithe_report report = lithe_report_default();
        lithe_scene *scene = NULL;
        assert_int_equal(lithe_scene_read_text(text, sizeof text - 1, "s.yaml", 1,
                                               &mistakes[i].text, &scene, &report),
                         LITHE_INVALID);
        assert_error(&mistakes[i], report.error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yaml_mistakes_are_reported_at_their_location),
        cmocka_unit_test(key_mistakes_are_reported_at_their_location),
        cmocka_unit_test(value_mistakes_are_reported_at_their_location),
        cmocka_unit_test(body_mistakes_are_reported_at_their_location),
        cmocka_unit_test(row_mistakes_are_reported_at_their_location),
        cmocka_unit_test(contact_mistakes_are_reported_at_their_location),
        cmocka_unit_test(override_mistakes_are_reported_at_their_location),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
