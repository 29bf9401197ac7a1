"""Published robots settle: under gravity, under every corner of their commands, told efforts or displacements alike.

The meshes are not ours to copy; they are read from shared/meshes beside the repository, and without them the tests are
skipped. Routes and held ends that nobody published are chosen here and described where they stand.
"""

import itertools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

LITHE = os.environ["LITHE"]
SANITIZED = "sanitize" in os.path.basename(os.environ.get("LITHE_BUILD", ""))
MESHES = pathlib.Path(os.environ["LITHE_ROOT"]).parent / "shared" / "meshes"

DIAMOND = f"""\
units: {{length: mm, force: N, pressure: kPa, mass: kg}}
gravity: [0, 0, -9.81 m/s^2]
materials: {{silicone: {{law: corotational, young: 180, poisson: 0.45}}}}
bodies:
  robot:
    mesh: {MESHES}/diamond.vtu
    place: {{rotate: [90 deg, 0, 0], move: [0, 0, 35]}}
    material: silicone
    mass: 0.5
    fix: {{box: [[-15, -15, -40], [15, 15, 10]]}}
actuators:
  north: {{cable: {{body: robot, through: [[0, 97, 45]], pulled_from: [0, 10, 30]}}, limits: {{pull: [0, 20]}}}}
  west: {{cable: {{body: robot, through: [[-97, 0, 45]], pulled_from: [-10, 0, 30]}}, limits: {{pull: [0, 20]}}}}
  south: {{cable: {{body: robot, through: [[0, -97, 45]], pulled_from: [0, -10, 30]}}, limits: {{pull: [0, 20]}}}}
  east: {{cable: {{body: robot, through: [[97, 0, 45]], pulled_from: [10, 0, 30]}}, limits: {{pull: [0, 20]}}}}
effectors:
  tip: {{point: {{body: robot, at: [0, 0, 125]}}}}
"""

# The finger points along -x and is held at its end at x = 0. The cable runs along its upper side (y up), the side that
# closes when it is pulled.
FINGER = f"""\
units: {{length: mm, force: N, pressure: kPa, mass: kg}}
gravity: [0, -9.81 m/s^2, 0]
materials: {{silicone: {{law: corotational, young: 600, poisson: 0.45}}}}
bodies:
  finger:
    mesh: {MESHES}/finger.vtk
    material: silicone
    mass: 0.075
    fix: {{box: [[-15, 0, 0], [5, 10, 15]]}}
actuators:
  tendon:
    cable:
      body: finger
      through: [[-20, 12, 7.5], [-45, 12, 7.5], [-70, 12, 7.5], [-95, 10, 7.5]]
      pulled_from: [0, 12, 7.5]
effectors:
  tip: {{point: {{body: finger, at: [-102, 7, 7.5]}}}}
"""


def trunk_cable(side, z_end):
    """From the thick end up one side, at 0.7 of the trunk's radius, which falls from 13 mm to 5 mm in 195 mm."""
    x, y = side
    points = [[round(0.7 * (13 - 8 * z / 195) * w, 3) for w in (x, y)] + [z] for z in range(20, z_end + 1, 40)]
    return f"{{cable: {{body: trunk, through: {points}, pulled_from: [{9.1 * x}, {9.1 * y}, -5]}}}}"


SIDES = {"east": (1, 0), "north": (0, 1), "west": (-1, 0), "south": (0, -1)}

# Held at its thick end, z = 0, where the radius is 13 mm (5 mm at the other), and lying along z across gravity. Four
# long cables end near the tip, four short ones at half the length.
TRUNK = f"""\
units: {{length: mm, force: N, pressure: kPa, mass: kg}}
gravity: [0, -9.81 m/s^2, 0]
materials: {{silicone: {{law: corotational, young: 450, poisson: 0.45}}}}
bodies:
  trunk:
    mesh: {MESHES}/trunk.vtk
    material: silicone
    mass: 0.042
    fix: {{box: [[-20, -20, -1], [20, 20, 5]]}}
actuators:
""" + "".join(f"  {length}-{name}: {trunk_cable(side, end)}\n"
              for length, end in (("long", 180), ("short", 100)) for name, side in SIDES.items()) + """\
effectors:
  tip: {point: {body: trunk, at: [0, 0, 190]}}
"""

SPRINGY = f"""\
units: {{length: cm, force: N, pressure: kPa, mass: kg}}
gravity: [0, 0, -9.81 m/s^2]
materials: {{silicone: {{law: corotational, young: 500, poisson: 0.3}}}}
bodies:
  springy:
    mesh: {MESHES}/springy.vtk
    mesh_unit: cm
    material: silicone
    mass: 0.03
    fix: {{box: [[-2, -2, 0], [2, 2, 0.5]]}}
actuators:
  air: {{cavity: {{body: springy}}}}
effectors:
  tip: {{point: {{body: springy, at: [0, 0, 4.99]}}}}
"""


@unittest.skipUnless(MESHES.is_dir(), f"{MESHES} is not there")
class Reference(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lithe-reference-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def settle(self, scene, *commands):
        """The last equilibrium, reached in one step from rest."""
        path = self.folder / "scene.yaml"
        path.write_text(scene)
        words = [LITHE, "run", str(path), *commands, "--steps", "1", "--json", "--quiet"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, f"{commands}: {done.stderr}")
        found = json.loads(done.stdout)
        self.assertIs(found["converged"], True)
        self.assertLess(found["residual"]["force"], 1e-8, commands)
        self.assertLess(found["residual"]["task"], 1e-8, commands)
        return found

    def check_effort(self, scene, given, quantity, unit):
        """Commands that lead to `given`, as efforts, lead there again."""
        efforts = {name: rows["effort"] for name, rows in given["actuators"].items()}
        again = self.settle(scene, *(f"{name}.{quantity}={effort!r} {unit}" for name, effort in efforts.items()))
        self.check_same(given, again)

    def check_same(self, one, two, smallest=1e-3):
        """The tip to 1e-6 of 0.1 m, rows to 1e-6 of the largest one, or of the smallest (m, N) that counts."""
        tips = (found["effectors"]["tip"]["position"] for found in (one, two))
        for a, b in zip(*tips):
            self.assertLess(abs(a - b), 1e-6 * 0.1)
        for key in ("displacement", "effort"):
            values = [[rows[key] for rows in found["actuators"].values()] for found in (one, two)]
            scale = max(*map(abs, values[0]), smallest)
            for a, b in zip(*values):
                self.assertLess(abs(a - b), 1e-6 * scale, key)

    def test_diamond_sags_and_settles(self):
        tip = self.settle(DIAMOND)["effectors"]["tip"]["position"]
        self.assertLess(tip[2], 0.120)
        self.assertGreater(tip[2], 0.080)

    def test_diamond_settles_at_every_corner_of_its_commands(self):
        names = ("north", "west", "south", "east")
        for pulls in list(itertools.product((0, 20), repeat=4))[:: 5 if SANITIZED else 1]:
            with self.subTest(pulls=pulls):
                commands = [f"{name}.pull={pull}mm" for name, pull in zip(names, pulls)]
                found = self.settle(DIAMOND, *commands)
                for name, pull in zip(names, pulls):
                    row = found["actuators"][name]
                    self.assertGreaterEqual(row["effort"], 0)
                    slack = row["effort"] == 0 and row["displacement"] > pull / 1000
                    self.assertTrue(slack or abs(row["displacement"] - pull / 1000) < 1e-9, row)
                self.check_effort(DIAMOND, found, "tension", "N")

    def test_diamond_and_one_state_take_less_than_8_kB_a_node(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder) / "scene.yaml"
            scene.write_text(DIAMOND)
            done = subprocess.run([LITHE, "bench", scene, "--steps", "1", "--json"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertLess(found["bench"]["model_bytes"] + found["bench"]["state_bytes"], 8000 * found["nodes"])

    def test_diamond_leans_away_from_the_cable_that_lifts_its_leg(self):
        for name, axis, sign in (("north", 1, -1), ("south", 1, 1), ("east", 0, -1), ("west", 0, 1)):
            with self.subTest(name=name):
                found = self.settle(DIAMOND, f"{name}.pull=20mm")
                self.assertGreater(sign * found["effectors"]["tip"]["position"][axis], 0.02)
                self.check_effort(DIAMOND, found, "tension", "N")

    def test_finger_droops_and_its_cable_bends_it(self):
        hanging = self.settle(FINGER)["effectors"]["tip"]["position"]
        self.assertLess(hanging[1], 0.007)
        found = self.settle(FINGER, "tendon.pull=10mm")
        self.assertGreater(found["effectors"]["tip"]["position"][1], hanging[1] + 0.01)
        self.check_effort(FINGER, found, "tension", "N")

    def test_trunk_droops_and_its_cables_bend_it(self):
        hanging = self.settle(TRUNK)["effectors"]["tip"]["position"]
        self.assertLess(hanging[1], -0.005)
        for name, pull in (("long-north", 10), ("short-north", 5), ("long-east", 10)):
            with self.subTest(name=name):
                found = self.settle(TRUNK, f"{name}.pull={pull}mm")
                tip = found["effectors"]["tip"]["position"]
                axis = 0 if name.endswith("east") else 1
                self.assertGreater(tip[axis], hanging[axis] + 0.01)
                self.check_effort(TRUNK, found, "tension", "N")

    def test_trunk_stands_where_only_the_cable_length_holds_it(self):
        """At 10 mm the short cable's tension alone would let the trunk go: the tangent has a negative pivot."""
        found = self.settle(TRUNK, "short-north.pull=10mm")
        self.assertAlmostEqual(found["actuators"]["short-north"]["displacement"], 0.01, delta=1e-9)

    def test_springy_breathes(self):
        hanging = self.settle(SPRINGY)["effectors"]["tip"]["position"]
        found = self.settle(SPRINGY, "air.pressure=5kPa")
        tip = found["effectors"]["tip"]["position"]
        self.assertGreater(tip[2], hanging[2] + 0.0005)
        self.assertLess(max(abs(tip[0]), abs(tip[1])), 0.0005)  # it is round
        volume = found["actuators"]["air"]["displacement"]
        self.assertGreater(volume, 0)
        self.check_same(found, self.settle(SPRINGY, f"air.volume={volume!r} m^3"), 0)


if __name__ == "__main__":
    unittest.main()
