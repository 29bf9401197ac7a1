"""Rigid bodies and joints that cannot be: a message that says why, and exit status 2. Robots from URDF files."""

import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

LITHE = os.environ["LITHE"]

SCENE = """
units: {{length: mm}}
gravity: [0, 0, -9.81 m/s^2]
bodies:
  arm: {{rigid_body: {{box: [10, 10, 80]{body}}}{mass}, place: {{move: [0, 0, 40]}}}}
  hand: {{rigid_body: {{sphere: 10}}, mass: 10 g, place: {{move: [0, 0, 90]}}}}
joints:
  shoulder: {{kind: hinge, body: arm, at: [0, 0, 0], axis: [0, 1, 0]{angle}}}
  wrist: {{kind: {kind}, body: hand, with: {other}, at: [0, 0, 80]}}
actuators:
  motor: {{{motor}: {{joint: {driven}}}}}
dynamics: {{duration: 10 ms}}
step: {{dt: 1 ms}}
"""

MOVED = """
units: {length: mm}
gravity: [0, 0, -9.81 m/s^2]
bodies:
  plate:
    rigid_body: {box: [100, 60, 4]}
    mass: 100 g
    path: [{time: 0.2 s, move: [0, 0, 20]}, {time: 0.4 s, move: [10, 0, 20], rotate: [0, 10 deg, 30 deg]}]
  puck: {rigid_body: {box: [20, 20, 10]}, mass: 10 g, place: {move: [0, 0, 7.3]}}
effectors:
  corner: {point: {body: plate, at: [50, 30, 2]}}
  middle: {point: {body: puck, at: [0, 0, 7.3]}}
contacts: {friction: 0.6}
dynamics: {scheme: euler}
step: {dt: 5 ms, mode: realtime}
"""

TORN = """
units: {length: mm}
gravity: [0, 0, -9.81 m/s^2]
bodies:
  arm: {rigid_body: {box: [10, 10, 80]}, mass: 50 g}
joints:
  upper: {kind: hinge, body: arm, at: [0, 0, 40], axis: [0, 1, 0]}
  lower: {kind: hinge, body: arm, at: [0, 0, -40], axis: [1, 0, 0]}
actuators:
  motor: {motor: {joint: upper}, command: {angle: 20 deg}}
dynamics: {duration: 0.1 s}
step: {dt: 10 ms}
"""

BEYOND = """
units: {{length: mm}}
gravity: [0, 0, -9.81 m/s^2]
bodies:
  arm: {{rigid_body: {{box: [10, 10, 80]}}, mass: 50 g, place: {{move: [0, 0, 40]}}}}
joints:
  shoulder: {{kind: hinge, body: arm, at: [0, 0, 0], axis: [0, 1, 0], angle: {{limits: [-10 deg, 10 deg]}}}}
actuators: {{motor: {{motor: {{joint: shoulder}}}}}}
effectors: {{tip: {{point: {{body: arm, at: [0, 0, 80]}}, axes: [x]}}}}
task: {{hold: {{effector: tip, at: {at}}}}}
"""

LOOP = """
units: {{length: mm}}
materials: {{silicone: {{law: corotational, young: 200 kPa, poisson: 0.4, density: 1 g/cm^3}}}}
bodies:
  post: {{box: [10, 10, 40], cell: 5, material: silicone, place: {{move: [50, 0, 20]}}, fix: {{plane: {{point: [0, 0, 0], normal: [0, 0, -1]}}}}}}
  crank: {{rigid_body: {{box: [4, 4, 40]}}, mass: 5 g, place: {{move: [0, 0, 20]}}}}
  bar: {{rigid_body: {{box: [50, 4, 4]}}, mass: 5 g, place: {{move: [25, 0, 40]}}}}
joints:
  foot: {{kind: hinge, body: crank, at: [0, 0, 0], axis: [0, 1, 0]}}
  knee: {{kind: hinge, body: bar, with: crank, at: [0, 0, 40], axis: [0, 1, 0]}}
  # one corner of the loop is soft
  close: {{kind: ball, body: bar, with: post, at: [50, 0, {height}]}}
"""

SOUND = {"body": "", "mass": ", mass: 50 g", "angle": "", "kind": "ball", "other": "arm", "motor": "motor", "driven": "shoulder"}


class Rigid(unittest.TestCase):
    def run_scene(self, **changed):
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, "robot.yaml")
            scene.write_text(SCENE.format(**{**SOUND, **changed}), encoding="utf-8")
            return subprocess.run([LITHE, "run", str(scene), "--quiet"], capture_output=True, text=True, timeout=60)

    def test_a_sound_one_runs(self):
        done = self.run_scene()
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_loop_that_cannot_close_is_refused(self):
        """A joint has one point at rest, which both of its sides carry; a soft side that is elsewhere cannot."""
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, "robot.yaml")
            for height, status in ((40, 0), (60, 2)):
                scene.write_text(LOOP.format(height=height), encoding="utf-8")
                done = subprocess.run([LITHE, "check", str(scene)], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn("robot.yaml:12:3: joint 'close': the point", done.stderr)
            self.assertIn("20 mm outside body 'post'", done.stderr)
            self.assertIn("check units and place", done.stderr)

    def test_joints_that_a_motor_tears_open_are_told(self):
        """Hinges about two axes leave nothing free: in realtime a notice, else an error, and no words about energy."""
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, "robot.yaml")
            scene.write_text(TORN, encoding="utf-8")
            words = [LITHE, "run", str(scene), "--set", "dynamics.duration=0.05 s"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"joint '\w+' is 0\.\d+ m open")
            done = subprocess.run([*words, "--set", "step.mode=realtime"], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, r"joint '\w+' was open by [\d.]+ mm in step \d; 5 steps left joints open by more than 0\.8\d* mm")
            done = subprocess.run([*words, "--set", "step.mode=realtime", "--set", "actuators.motor.command.angle=0"], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_target_beyond_a_stop_names_the_joint(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, "robot.yaml")
            for at, status in ((10, 0), (30, 1)):
                scene.write_text(BEYOND.format(at=at), encoding="utf-8")
                done = subprocess.run([LITHE, "track", str(scene), "--quiet"], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn("16.11 mm away; joint 'shoulder' is at its stop", done.stderr)

    def test_what_is_soft_hangs_by_a_ball_in_realtime_too(self):
        """A first pass of realtime, which knows little of how it swings, does not turn it inside out."""
        text = """
units: {length: mm}
gravity: [0, 0.3 m/s^2, -9.81 m/s^2]
materials: {rubber: {law: neo-hookean, young: 400 kPa, poisson: 0.4, density: 1 g/cm^3}}
bodies:
  bar: {box: [20, 20, 60], cell: 10, material: rubber, place: {move: [0, 0, -35]}, rigid: {top: {box: [[-11, -11, -20], [11, 11, 0]]}}}
joints:
  hook: {kind: ball, body: bar, part: top, at: [2, -1, 3]}
effectors: {centre: {mass_centre: {body: bar}}}
step: {dt: 2 ms, steps: 200}
"""
        found = []
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, "robot.yaml")
            scene.write_text(text, encoding="utf-8")
            for words in ([], ["--set", "step.mode=realtime", "--set", "step.iterations=2"]):
                done = subprocess.run([LITHE, "run", str(scene), "--quiet", "--json", *words], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 0, done.stderr)
                found.append(json.loads(done.stdout)["effectors"]["centre"]["position"])
        for a, b in zip(*found):
            self.assertLess(abs(a - b), 1e-8)
        # below the hook, along the weight
        self.assertLess(abs(found[0][0] - 2e-3), 1e-7)
        self.assertLess(abs((found[0][1] + 1e-3) / (found[0][2] - 3e-3) + 0.3 / 9.81), 1e-6)

    def test_bodies_that_overlap_at_rest_are_told(self):
        """Of a joint it is said why no step could take them apart; a pair that is off may overlap."""
        links = "units: {length: mm}\nbodies:\n  one: {rigid_body: {box: [100, 20, 20]}, mass: 100 g, place: {move: [50, 0, 0]}}\n" \
                "  two: {rigid_body: {box: [100, 20, 20]}, mass: 100 g, place: {move: [140, 0, 0]}}\n"
        joints = "joints:\n  near: {kind: hinge, body: one, at: [0, 0, 0], axis: [0, 1, 0]}\n  far: {kind: hinge, body: two, with: one, at: [95, 0, 0], axis: [0, 1, 0]}\n"
        off = "contacts: {pairs: [{body: one, with: two, off: true}]}\n"
        expected = {
            links + joints + "contacts: {}\n": r"'one' and 'two' overlap by 10 mm at rest, at \(0\.\S+, \S+, \S+\) m, and joint 'far' keeps them from parting",
            links + "contacts: {}\n": r"'one' and 'two' overlap by 10 mm at rest, .* no step may find how to take them apart",
            links + joints + off: None,
            links + joints: None,
        }
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, "robot.yaml")
            for text, said in expected.items():
                scene.write_text(text + "dynamics: {}\nstep: {dt: 2 ms}\n", encoding="utf-8")
                done = subprocess.run([LITHE, "check", str(scene)], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 0, done.stderr)
                if said:
                    self.assertRegex(done.stderr, said)
                    self.assertIn(off.strip(), done.stderr)
                else:
                    self.assertEqual(done.stderr, "")

    def test_a_plate_goes_along_its_path_and_takes_a_puck_along(self):
        tilt, spin, (x, y, z) = math.radians(10), math.radians(30), (0.05, 0.03, 0.002)
        x, z = math.cos(tilt) * x + math.sin(tilt) * z, math.cos(tilt) * z - math.sin(tilt) * x
        x, y = math.cos(spin) * x - math.sin(spin) * y, math.sin(spin) * x + math.cos(spin) * y
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, "robot.yaml")
            scene.write_text(MOVED, encoding="utf-8")
            done = subprocess.run([LITHE, "run", str(scene), "--quiet", "--json"], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)["effectors"]
            for a, b in zip(found["corner"]["position"], (x + 0.01, y, z + 0.02)):
                self.assertLess(abs(a - b), 1e-8)
            self.assertGreater(found["middle"]["position"][2], 0.025)
            scene.write_text(MOVED.replace("    mass: 100 g", "    mass: 100 g\n    fix: {all: true}"), encoding="utf-8")
            done = subprocess.run([LITHE, "run", str(scene), "--quiet"], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2)
            self.assertIn("has a path, and is fixed", done.stderr)

    def test_what_cannot_be_is_refused(self):
        refused = {
            "joins 'hand' with itself": {"other": "hand"},
            "has no mass, and what moves needs one": {"mass": ""},
            "no body can have this inertia": {"body": ", inertia: [1 kg.mm^2, 1 kg.mm^2, 3 kg.mm^2]"},
            "an inertia of 0 is that of no body": {"body": ", inertia: [0, 0, 0 kg.mm^2]"},
            "a hinge joint needs an axis": {"kind": "hinge"},
            "there is no body 'nobody'": {"other": "nobody"},
            "it is at 0 at rest, beyond them": {"angle": ", angle: {limits: [10 deg, 20 deg]}"},
            "leaves no travel free": {"angle": ", travel: {stiffness: 1 N/m}"},
            "give its stiffness too": {"angle": ", angle: {rest: 10 deg}"},
            "must not be negative": {"angle": ", angle: {damping: -1 N.m.s/rad}"},
            "a rotary stiffness such as": {"angle": ", angle: {stiffness: 1 N/m}"},
            "leaves no such angle free": {"driven": "wrist"},
            "leaves no such travel free": {"motor": "linear_motor"},
        }
        for said, changed in refused.items():
            with self.subTest(said=said):
                done = self.run_scene(**changed)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertIn("robot.yaml:", done.stderr)


URDF = """<?xml version="1.0"?>
<robot name="arm">
  <link name="world"/>
  <link name="upper">
    <inertial><origin xyz="0.01 0 0.1"/><mass value="0.5"/><inertia ixx="0.002" iyy="0.002" izz="0.0002"/></inertial>
    <collision><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.02" length="0.2"/></geometry></collision>
  </link>
  <link name="fore">
    <inertial><origin xyz="0 0.02 0.08" rpy="0 0 0.3"/><mass value="0.3"/><inertia ixx="0.001" iyy="0.0008" izz="0.0005"/></inertial>
    <collision><origin xyz="0 0 0.08" rpy="0.1 0.2 0.3"/><geometry><box size="0.03 0.02 0.16"/></geometry></collision>
  </link>
  <link name="hand">
    <inertial><origin xyz="0 0 0.02"/><mass value="0.1"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="1e-6"/></inertial>
    <collision><origin xyz="0 0 0.02"/><geometry>{geometry}</geometry></collision>{more}
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute"><parent link="world"/><child link="upper"/><origin xyz="0 0 0.05"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="1"/></joint>
  <joint name="elbow" type="continuous"><parent link="{parent}"/><child link="fore"/><origin xyz="0 0 0.2" rpy="0 0.5 0"/>
    <axis xyz="0 1 0"/><dynamics damping="0.01"/></joint>
  <joint name="wrist" type="{kind}"><parent link="fore"/><child link="hand"/><origin xyz="0 0 0.16"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.03" effort="5" velocity="1"/></joint>
  <joint name="flange" type="fixed"><parent link="hand"/><child link="tool"/><origin xyz="0 0 0.03"/></joint>
</robot>
"""

ROBOT = """
gravity: [0, 0, -9.81 m/s^2]
urdf: {file: arm.urdf}
actuators:
  one: {motor: {joint: shoulder}, command: {angle: 0.4 rad}}
  two: {motor: {joint: elbow}, command: {angle: 0.7 rad}}
  three: {linear_motor: {joint: wrist}, command: {travel: 10 mm}}
effectors:
  end: {point: {body: hand, at: [HAND]}}
step: {dt: 10 ms}
"""


class Urdf(unittest.TestCase):
    def run_robot(self, scene=ROBOT, words=(), **changed):
        text = {"geometry": '<sphere radius="0.02"/>', "more": "", "parent": "upper", "kind": "prismatic", **changed}
        at = ", ".join(f"{v!r} m" for v in self.pose(0, 0, 0)[2])
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "arm.urdf").write_text(URDF.format(**text), encoding="utf-8")
            path = pathlib.Path(folder, "robot.yaml")
            path.write_text(scene.replace("HAND", at), encoding="utf-8")
            return subprocess.run([LITHE, "run", str(path), "--quiet", "--json", *words], capture_output=True, text=True, timeout=60)

    @staticmethod
    def pose(one, two, travel):
        """Centres of mass of the three links, for rotations about y."""
        def rotate(angle, p):
            c, s = math.cos(angle), math.sin(angle)
            return (c * p[0] + s * p[2], p[1], c * p[2] - s * p[0])

        def add(*points):
            return tuple(map(sum, zip(*points)))

        shoulder, bend = (0, 0, 0.05), 0.5
        elbow = add(shoulder, rotate(one, (0, 0, 0.2)))
        return (add(shoulder, rotate(one, (0.01, 0, 0.1))), add(elbow, rotate(one + bend + two, (0, 0.02, 0.08))),
                add(elbow, rotate(one + bend + two, (0, 0, 0.16 + travel + 0.02))))

    def test_links_are_where_the_angles_say_and_weigh_what_they_weigh(self):
        done = self.run_robot()
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        q = [0.4, 0.7, 0.01]
        for a, b in zip(found["effectors"]["end"]["position"], self.pose(*q)[2]):
            self.assertLess(abs(a - b), 1e-8)

        def height(q):
            return 9.81 * sum(m * p[2] for m, p in zip((0.5, 0.3, 0.1), self.pose(*q)))

        for i, name in enumerate(("one", "two", "three")):
            up, down = ([v + (h if k == i else 0) for k, v in enumerate(q)] for h in (1e-6, -1e-6))
            lift = (height(up) - height(down)) / 2e-6
            self.assertLess(abs(found["actuators"][name]["effort"] - lift), 1e-6)

    def test_a_mimic_moves_as_its_joint_does(self):
        scene = ROBOT.replace("  three: {linear_motor: {joint: wrist}, command: {travel: 10 mm}}\n", "")
        text = URDF.replace("<parent link=\"fore\"/>", "<parent link=\"fore\"/><mimic joint=\"elbow\" multiplier=\"0.02\"/>")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "arm.urdf").write_text(
                text.format(geometry='<sphere radius="0.02"/>', more="", parent="upper", kind="prismatic"), encoding="utf-8")
            path = pathlib.Path(folder, "robot.yaml")
            at = ", ".join(f"{v!r} m" for v in self.pose(0, 0, 0)[2])
            path.write_text(scene.replace("HAND", at), encoding="utf-8")
            done = subprocess.run([LITHE, "run", str(path), "--quiet", "--json"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        for a, b in zip(json.loads(done.stdout)["effectors"]["end"]["position"], self.pose(0.4, 0.7, 0.014)[2]):
            self.assertLess(abs(a - b), 1e-8)

    def test_what_is_not_read_is_told(self):
        more = "<sensor/></link><transmission name='drive'/><link name='spare'><visual/>"
        joint = "<parent link=\"fore\"/><safety_controller/>"
        with tempfile.TemporaryDirectory() as folder:
            text = URDF.replace("<parent link=\"fore\"/>", joint)
            text = text.replace("</robot>", "<joint name='more' type='fixed'><parent link='hand'/><child link='spare'/></joint></robot>")
            pathlib.Path(folder, "arm.urdf").write_text(
                text.format(geometry='<sphere radius="0.02"/>', more=more, parent="upper", kind="prismatic"), encoding="utf-8")
            path = pathlib.Path(folder, "robot.yaml")
            path.write_text("urdf: {file: arm.urdf}\n", encoding="utf-8")
            done = subprocess.run([LITHE, "check", str(path)], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("arm.urdf: <transmission>, <sensor>, <safety_controller>: not read", done.stderr)
            self.assertNotIn("visual", done.stderr)

    def test_a_recording_goes_on_without_the_files(self):
        with tempfile.TemporaryDirectory() as folder:
            record = folder + "/run.h5"
            self.assertEqual(self.run_robot(words=("--record", record)).returncode, 0)
            done = subprocess.run([LITHE, "run", "--from", record, "one.angle=0.5rad", "--quiet", "--json"], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_cannot_be_is_refused(self):
        refused = {
            "hand.stl: cannot be opened": {"geometry": '<mesh filename="package://arm/hand.stl"/>'},
            "the scale of a mesh": {"geometry": '<mesh filename="hand.stl" scale="1 2 1"/>'},
            "must be a box with its size": {"geometry": "<cone/>"},
            "radius of <sphere> must be 1 number": {"geometry": '<sphere radius="big"/>'},
            "more than one <collision>": {"more": "<collision><geometry><sphere radius='1'/></geometry></collision>"},
            "is none": {"parent": "nothing"},
            "joins 'fore' with itself": {"parent": "fore"},
            "must be revolute": {"kind": "helical"},
            "mismatched tag": {"more": "</robot>"},
        }
        for said, changed in refused.items():
            with self.subTest(said=said):
                done = self.run_robot(**changed)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertIn("arm.urdf:", done.stderr)


FINGERS = """
units: {{length: mm}}
gravity: [0, 0, 0]
materials: {{silicone: {{law: corotational, young: 600 kPa, poisson: 0.45, density: 1 g/cm^3}}}}
bodies:
  one:
    mesh: {mesh}
    material: silicone
    fix: {where}
    surfaces: {{side: {{plane: {{point: [0, 0, 15], normal: [0, 0, 1]}}}}}}
    regions: [{{material: silicone, sphere: {{center: [50, 0, 8], radius: 20}}}}]
    {frame}
  two: {{like: one, place: {{rotate: [20 deg, -35 deg, 50 deg], move: [30, 200, -10]}}}}
step: {{dt: 10 ms}}
"""


class Frames(unittest.TestCase):
    def check(self, where, frame):
        mesh = pathlib.Path(os.environ["LITHE_ROOT"], "examples", "finger", "robot.msh")
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, "robot.yaml")
            scene.write_text(FINGERS.format(mesh=mesh, where=where, frame=frame), encoding="utf-8")
            return subprocess.run([LITHE, "check", str(scene)], capture_output=True, text=True, timeout=60)

    def test_a_copy_that_stands_elsewhere_is_held_where_the_first_is(self):
        box, ball = "{box: [[-.inf, -8, -1], [10, 8, 16]]}", "{sphere: {center: [0, 0, 0], radius: 4}}"
        for where in (box, f"{{all_of: [{box}, {{none_of: [{ball}]}}]}}", "{nearest: [5, 0, 5]}",
                      "{plane: {point: [10, 0, 0], normal: [-1, 0, 0]}}",
                      "{oriented_box: {center: [5, 0, 5], size: [10, 20, 20], rotate: [0, 5 deg, 0]}}"):
            with self.subTest(where=where):
                done = self.check(where, "frame: own")
                free = [line.split(",")[-1] for line in done.stdout.splitlines() if "free degrees of freedom" in line]
                if where.startswith("{nearest"):  # one node does not hold it
                    self.assertEqual(done.returncode, 2)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(len(free), 2)
                self.assertEqual(free[0], free[1])
        self.assertEqual(self.check(box, "").returncode, 2)  # in the world the box is elsewhere


# A link with two chambers and all that a body may have, and on it all that may be on one; and the same at another place.
COPIED = """
units: {{length: mm, pressure: kPa, force: N}}
materials:
  woven: {{law: orthotropic, moduli: [600, 300, 200], ratios: [0.3, 0.3, 0.3], shears: [120, 110, 90], fibre: [1, 0.5, 0.2], across: [0, 1, 0], density: 1 g/cm^3}}
  silicone: {{law: corotational, young: 600 kPa, poisson: 0.4, density: 1 g/cm^3}}
  cord: {{law: corotational, young: 0.2 GPa, poisson: 0.3, density: 1 g/cm^3}}
bodies:
  one:
    mesh: {mesh}
    material: woven
    frame: own
    fix: {{box: [[-1, -.inf, -.inf], [0.1, .inf, .inf]]}}
    regions: [{{material: silicone, box: [[50, -.inf, -.inf], [60, .inf, .inf]]}}]
    surfaces: {{top: {{plane: {{point: [0, 0, 15], normal: [0, 0, 1]}}}}}}
    cavities: {{left: {{inside: [30, 7, 5]}}}}
    rods: {{spine: {{points: [[10, 0, 0], [60, 0, 0]], elements: 4, material: cord, rectangle: {{along: 1, across: 0.5}}, axis: [0, 0, 1]}}}}
    springs: {{stay: {{from: [60, 0, 15], tied_to: [60, 20, 40], stiffness: 0.1 N/mm, rest: 20}}}}
    threads: {{line: {{points: [[1, -13, 13], [59, -13, 13]], radius: 0.2, material: cord, slack: false}}}}
  two: {{like: one, place: {{rotate: [{rotate}], move: [{move}]}}}}
  arm:
    material: silicone
    frame: own
    place: {{move: [0, -100, 0]}}
    members:
      link: {{mesh: {mesh}}}
      plate: {{rigid_body: {{box: [4, 40, 30]}}, mass: 20 g, place: {{rotate: [0, 0, 10 deg], move: [62, 0, 0]}}}}
    attachments: [{{member: link, to: plate, box: [[59.9, -.inf, -.inf], [60.1, .inf, .inf]]}}]
    fix: {{box: [[-1, -.inf, -.inf], [0.1, .inf, .inf]]}}
  arm2: {{like: arm, place: {{rotate: [{rotate}], move: [{arm}]}}}}
  grip: {{rigid_body: {{box: [6, 4, 2]}}, frame: own, place: {{move: [0, 0, 60]}}, mass: 1 g}}
  grip2: {{like: grip, place: {{rotate: [{rotate}], move: [{grip}]}}}}
joints:
  wrist: {{kind: hinge, body: grip, at: [3, 1, 0], axis: [0, 1, 1], angle: {{stiffness: 1 N.mm/rad}}}}
  wrist2: {{like: wrist, body: grip2}}
loads:
  push: {{force: {{body: one, at: [60, 10, 10], value: [0, 0.05, 0.1]}}}}
  push2: {{like: push, body: two}}
  wind: {{traction: {{body: one, surface: top, total: [0.05, 0, -0.1]}}}}
  wind2: {{like: wind, body: two}}
  lean: {{force: {{body: grip, at: [-3, 2, 1], value: [0, 0, 0.1]}}}}
  lean2: {{like: lean, body: grip2}}
  twist: {{force: {{body: arm, at: [62, 20, 0], value: [0, 0.05, 0.1]}}}}
  twist2: {{like: twist, body: arm2}}
actuators:
  air: {{cavity: {{body: one, cavity: left}}, command: {{pressure: 10}}}}
  air2: {{like: air, body: two}}
  pull: {{cable: {{body: one, through: [[30, -13, 0], [60, -13, 0]], pulled_from: [-10, -20, 5]}}, command: {{tension: 0.3}}}}
  pull2: {{like: pull, body: two}}
  tug: {{cable: {{body: one, pulled_from: [70, 0, 40], through: [{{box: [[59, -.inf, 5], [60, .inf, .inf]]}}]}}, command: {{tension: 0.2}}}}
  tug2: {{like: tug, body: two}}
  nudge: {{force: {{body: one, at: [60, 0, -15], direction: [0, 1, 1]}}, command: {{displacement: 2}}}}
  nudge2: {{like: nudge, body: two}}
effectors:
  tip: {{point: {{body: one, at: [60, 0, 0]}}}}
  tip2: {{like: tip, body: two}}
  across: {{point: {{body: one, at: [60, 0, 0]}}, direction: [0, 1, 0]}}
  across2: {{like: across, body: two}}
  patch: {{barycentre: {{body: one, box: [[55, -.inf, 0], [60, .inf, .inf]]}}}}
  patch2: {{like: patch, body: two}}
  plate: {{point: {{body: arm, at: [62, 18, 10]}}}}
  plate2: {{like: plate, body: arm2}}
  held: {{point: {{body: grip, at: [3, 2, 1]}}}}
  held2: {{like: held, body: grip2}}
sensors:
  string: {{string: {{body: one, through: [[5, 13, 13], [60, 13, 13]]}}}}
  string2: {{like: string, body: two}}
  reach: {{distance: {{body: one, from: [1, 0, 15], to: [60, 0, 15]}}}}
  reach2: {{like: reach, body: two}}
step: {{steps: 2}}
"""


class Copies(unittest.TestCase):
    ROTATE, MOVE, GRIP, ARM = (20, -90, 50), (30, 200, -10), (5, -200, 3), (500, 0, 0)

    def matrix(self):
        def product(a, b):
            return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
        (cx, sx), (cy, sy), (cz, sz) = ((math.cos(math.radians(a)), math.sin(math.radians(a))) for a in self.ROTATE)
        x, y, z = [[1, 0, 0], [0, cx, -sx], [0, sx, cx]], [[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]], [[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]]
        return product(z, product(y, x))

    def scene(self, folder, change=lambda text: text):
        mesh = pathlib.Path(os.environ["LITHE_ROOT"], "examples", "snake", "link.msh")
        path = pathlib.Path(folder, "robot.yaml")
        text = COPIED.format(mesh=mesh, rotate=", ".join(f"{a} deg" for a in self.ROTATE), move=", ".join(map(str, self.MOVE)), grip=", ".join(map(str, self.GRIP)),
                             arm=", ".join(map(str, self.ARM)))
        path.write_text(change(text), encoding="utf-8")
        return str(path)

    def test_a_copy_elsewhere_does_what_the_first_does(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([LITHE, "run", self.scene(folder), "--quiet", "--json"], capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        for name in ("air", "pull", "tug", "nudge"):
            one, two = (found["actuators"][n] for n in (name, name + "2"))
            for key in ("effort", "displacement"):
                self.assertLess(abs(one[key] - two[key]), 1e-7 * abs(one[key]), (name, key))
                self.assertNotEqual(one[key], 0)
        for name in ("string", "reach"):
            one, two = (found["sensors"][n]["value"] for n in (name, name + "2"))
            self.assertLess(abs(one - two), 1e-9)
        R = self.matrix()
        for name, base, moved in (("tip", (0, 0, 0), self.MOVE), ("patch", (0, 0, 0), self.MOVE), ("held", (0, 0, 60), self.GRIP),
                                  ("plate", (0, -100, 0), self.ARM)):
            one, two = (found["effectors"][n]["position"] for n in (name, name + "2"))
            there = [sum(R[i][k] * (one[k] - 1e-3 * base[k]) for k in range(3)) + 1e-3 * moved[i] for i in range(3)]
            for a, b in zip(there, two):
                self.assertLess(abs(a - b), 1e-8, name)
        one, two = (found["effectors"][n]["position"] for n in ("across", "across2"))
        along = sum(R[k][1] * 1e-3 * self.MOVE[k] for k in range(3))
        self.assertLess(abs(two - along - one), 1e-8)
        angle = found["joints"]
        self.assertLess(abs(angle["wrist"]["angle"] - angle["wrist2"]["angle"]), 1e-8)
        self.assertGreater(abs(angle["wrist"]["angle"]), 0.05)

    def test_what_is_like_others_is_checked(self):
        refused = {
            "is like itself, by way of others": lambda text: text.replace("pull: {cable", "pull: {like: pull2, cable"),
            "there is no actuator 'pul': did you mean 'pull'?": lambda text: text.replace("like: pull,", "like: pul,"),
            "there is no body 'twoo'": lambda text: text.replace("like: pull, body: two", "like: pull, body: twoo"),
            "body stands here beside like": lambda text: text.replace("pull: {cable", "pull: {body: one, cable"),
            "unknown frame 'mine'": lambda text: text.replace("like: pull,", "frame: mine, like: pull,"),
            "names no body that this one could be on instead": lambda text: text.replace("step:", "  gauge: {force: {actuator: pull}}\n  gauge2: {like: gauge, body: two}\nstep:"),
        }
        for said, change in refused.items():
            with self.subTest(said=said), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([LITHE, "check", self.scene(folder, change)], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
