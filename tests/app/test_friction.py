"""Friction in scenes: a block on a ramp, and the inverse, which refuses it."""

import csv
import json
import math
import os
import pathlib
import re
import unittest

import scenes

CAPSTAN = str(pathlib.Path(os.environ["LITHE_ROOT"]) / "examples" / "capstan" / "robot.yaml")
BLOCK = """\
units: {length: mm}
gravity: [%.9f m/s^2, 0, -%.9f m/s^2]
materials:
  silicone: {law: corotational, young: 200 kPa, poisson: 0.4, density: 1 g/cm^3}
bodies:
  block: {mesh: block.vtk, material: silicone}
obstacles:
  ramp: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.3}
effectors:
  middle: {mass_centre: {body: block}}
dynamics: {scheme: euler, stiffness_damping: 2 ms, duration: 0.3 s}
step: {dt: 2 ms}
"""


# A bar that two cables bend over a post that it rubs on; the left one is pulled less and goes slack.
BENT = """\
units: {length: mm, force: N, pressure: kPa}
gravity: [-9.81 m/s^2, 0, 0]
materials: {soft: {law: neo-hookean, young: 182 kPa, poisson: 0.41, density: 1.04 g/cm^3}}
bodies: {bar: {mesh: bent.vtk, material: soft, fix: {plane: {point: [0, 0, 0], normal: [0, 0, -1]}}}}
actuators:
  left: {cable: {body: bar, through: [THROUGH_2], pulled_from: [1, 2, -1]}, command: {pull: LESS}}
  right: {cable: {body: bar, through: [THROUGH_11], pulled_from: [1, 11, -1]}, command: {pull: MORE}}
obstacles: {post: {capsule: {from: [-11.75, -15.8, 64.6], to: [-8.8, 26.9, 81.2], radius: 5.44}, friction: MU}}
step: {mode: converged, steps: 10}
"""


class Friction(scenes.Case):
    def slide(self, ratio):
        """Way down a ramp of tan = ratio * friction, and what Coulomb says it is after 0.3 s from rest."""
        angle = math.atan(0.3 * ratio)
        self.write("block.vtk", scenes.vtk(*scenes.bar((2, 2, 2))))
        self.write("scene.yaml", BLOCK % (9.81 * math.sin(angle), 9.81 * math.cos(angle)))
        code, out, err = self.lithe("run", "scene.yaml", "--json")
        self.assertEqual(code, 0, err)
        way = json.loads(out)["effectors"]["middle"]["position"][0] - 0.01
        return way, 0.5 * 9.81 * (math.sin(angle) - 0.3 * math.cos(angle)) * 0.3**2

    def test_a_block_sticks_to_a_ramp_just_below_the_limit_and_slides_just_above(self):
        sheared = self.slide(0.98)[0]  # it leans a little, and stays
        self.assertLess(sheared, 1e-4)
        way, coulomb = self.slide(1.05)
        self.assertAlmostEqual(way - sheared, coulomb, delta=0.1 * coulomb)  # it lands first

    def test_a_cable_goes_slack_where_a_bar_slips(self):
        nodes, tets = scenes.bar((2, 3, 12), 1.0)
        self.write("bent.vtk", scenes.vtk([(4.5 * x, 13 / 3 * y, 87.25 / 12 * z) for x, y, z in nodes], tets))
        text = BENT
        for y in (2, 11):
            text = text.replace(f"THROUGH_{y}]", ", ".join(f"[1, {y}, {87.25 * k / 12:.3f}]" for k in range(1, 12)) + "]")
        for less, more, mu in ((5, 10.77, 0.249), (4, 9, 0.4)):
            self.write("bent.yaml", text.replace("LESS", str(less)).replace("MORE", str(more)).replace("MU", str(mu)))
            code, out, err = self.lithe("run", "bent.yaml", "--out", "out")
            self.assertEqual(code, 0, err)
            self.assertLess(int(re.search(r"(\d+) Newton iterations", out)[1]), 500)
            with open(self.folder / "out" / "series.csv") as file:
                lines = list(csv.DictReader(file))
            self.assertTrue(any(float(line["left.tension_N"]) == 0 and float(line["right.tension_N"]) > 0.1 for line in lines))

    def test_a_thread_round_a_post_is_pulled_and_let_go_as_eytelwein_says(self):
        code, _, err = self.lithe("run", CAPSTAN, "--quiet", "--out", "out")
        self.assertEqual(code, 0, err)
        with open(self.folder / "out" / "series.csv") as file:
            force = [float(line["winch.force_N"]) for line in csv.DictReader(file)]
        self.assertAlmostEqual(max(force) / 0.1, math.exp(0.2 * math.pi), delta=0.01)
        self.assertAlmostEqual(force[-1] / 0.1, math.exp(-0.2 * math.pi), delta=0.005)

    def test_the_inverse_refuses_friction_and_says_where_it_stands(self):
        text = scenes.SCENE + (
            "obstacles:\n"
            "  post:\n"
            "    sphere: {center: [40, 10, 60], radius: 4}\n"
            "    friction: 0.2\n"
            "task: {hold: {effector: tip, at: [15, 10, 88]}}\n"
        )
        self.write("scene.yaml", text)
        line = 1 + text.splitlines().index("  post:")
        self.expect_error(2, ["track", "scene.yaml"], f"scene.yaml:{line}:", "friction")


if __name__ == "__main__":
    unittest.main()
