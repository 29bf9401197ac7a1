"""Soft boxes, balls and cylinders without a mesh file: they stretch, rest on a floor and are members like any mesh; what cannot be is refused."""

import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

LITHE = os.environ["LITHE"]

HEAD = """
units: {length: mm, pressure: kPa, force: N}
materials:
  silicone: {law: corotational, young: 100, poisson: 0, density: 1 g/cm^3}
"""

PULLED = HEAD + """
bodies:
  bar: {%s, material: silicone, fix: {plane: {point: [0, 0, -20], normal: [0, 0, -1]}}, surfaces: {end: {plane: {point: [0, 0, 20], normal: [0, 0, 1]}}}}
loads:
  pull: {traction: {body: bar, surface: end, value: [0, 0, 1 Pa]}}
effectors:
  end: {point: {body: bar, at: [0, 0, 20]}}
"""

RESTS = HEAD + """
gravity: [0, 0, -9.81 m/s^2]
bodies:
  pad: {%s, material: silicone, place: {move: [0, 0, 10.1]}, velocity: [0, 0, -10 mm/s]}
obstacles: {floor: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}}
contacts: {friction: 0.5}
effectors: {middle: {barycentre: {body: pad}}}
dynamics: {scheme: euler, mass_damping: 40 s^-1}
step: {dt: 10 ms, steps: 40}
"""

LEG = HEAD + """
bodies:
  leg:
    material: silicone
    %smembers:
      shin: {box: [10, 10, 40], cell: 5}
      foot: {cylinder: {radius: 8, length: 10}, cell: 4, place: {move: [0, 0, 24]}}
      horn: {rigid_body: {box: [20, 20, 4]}, mass: 5 g, place: {move: [0, 0, -22]}}
    attachments:
      - {member: shin, to: horn, plane: {point: [0, 0, -20], normal: [0, 0, -1]}}
      - {member: shin, to: foot, overlap: true}
    fix: {group: horn}
    surfaces: {end: {plane: {point: [0, 0, 29], normal: [0, 0, 1]}}}
loads:
  pull: {traction: {body: leg, surface: end, total: [0, 0, 0.01]}}
effectors:
  end: {point: {body: leg, at: [0, 0, 29]}}
"""


CORNERS = [(x, y, z) for z in (-20, 20) for y in (-6, 6) for x in (-5, 5)]
SIDES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def surface(nside):
    """A box of 10 x 12 x 40 as STL, or as many sides of it."""
    facets = [corners for a, b, c, d in SIDES[:nside] for corners in ((a, b, c), (a, c, d))]
    lines = ["facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % CORNERS[i] for i in corners) + "endloop\nendfacet\n" for corners in facets]
    return "solid part\n" + "".join(lines) + "endsolid part\n"


class Solids(unittest.TestCase):
    def run_scene(self, text, status=0):
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, "robot.yaml")
            pathlib.Path(folder, "part.stl").write_text(surface(6), encoding="utf-8")
            pathlib.Path(folder, "open.stl").write_text(surface(5), encoding="utf-8")
            scene.write_text(text, encoding="utf-8")
            done = subprocess.run([LITHE, "run", str(scene), "--quiet", "--out", folder + "/out"], capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, status, done.stderr)
            return done.stderr if status else json.loads(pathlib.Path(folder, "out", "summary.json").read_text(encoding="utf-8"))

    def test_boxes_and_cylinders_stretch_by_stress_over_modulus(self):
        for what in ("box: [10, 12, 40], cell: 5", "mesh: part.stl, cell: 5", "mesh: part.stl, cell: 5, element: tet10", "cylinder: {radius: 10, length: 40}, cell: 6", "cylinder: {radius: 10, length: 40}, cell: 6, element: tet10"):
            with self.subTest(what):
                z = self.run_scene(PULLED % what)["effectors"]["end"]["position"][2]
                self.assertAlmostEqual((z - 0.02) / (0.04 * 1 / 1e5), 1, delta=1e-4)

    def test_each_falls_and_rests_on_a_floor(self):
        for what, height in (("box: [20, 20, 20], cell: 7", 0.0102), ("ball: 10, cell: 5", 0.0102), ("cylinder: {radius: 10, length: 20}, cell: 7", 0.0102)):
            with self.subTest(what):
                summary = self.run_scene(RESTS % what)
                z = summary["effectors"]["middle"]["position"][2]
                self.assertTrue(0.9 * height < z < height, z)

    def test_they_are_members_that_follow_each_other(self):
        for element in ("", "element: tet10\n    ", "element: tet4-averaged\n    "):
            with self.subTest(element):
                z = self.run_scene(LEG % element)["effectors"]["end"]["position"][2] - 0.029
                bars = 0.01 / 1e5 * (0.04 / 1e-4 + 0.009 / (math.pi * 8e-3**2))  # one on the other, each pulled evenly
                self.assertTrue(bars < z < 1.15 * bars, z / bars)

    def test_what_cannot_be_is_refused_where_it_stands(self):
        for what, why in (
            ("box: [10, 0, 40]", ":7:3: body 'bar' is a solid whose sizes"),
            ("ball: -3", "must be above 0"),
            ("ball: 10, cell: 0.001", "give it a larger cell"),
            ("ball: 10, box: [1, 2, 3]", ":7:"),
            ("mesh: part.stl", "or with a grid by 'cell: 5 mm' beside it"),
            ("mesh: open.stl, cell: 5", "open.stl' is not closed: the edge from (5, "),
            ("mesh: part.stl, cell: 0.01", "give it a larger cell"),
            ("mesh: part.stl, rigid_body: {mesh: true}, cell: 5", "a cell is for what is filled here"),
            ("ball: 10, rigid_body: {sphere: 10}", "leave one of them out"),
            ("members: {a: {ball: 10, rigid_body: {sphere: 10}, mass: 1 g}}", "member 'a' is a box, ball or cylinder that is filled here"),
            ("rods: {r: {points: [[0, 0, 0], [0, 0, 9]], circle: 1}}, cell: 3", "a cell is for what is filled here"),
        ):
            with self.subTest(what):
                said = self.run_scene(PULLED % what, 2)
                self.assertIn(why, said)
                self.assertIn("robot.yaml:", said)


if __name__ == "__main__":
    unittest.main()
