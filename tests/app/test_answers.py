"""Answers: what ends with 0 is made of numbers, and says what it met."""

import json
import unittest

import scenes


# A lever that is pressed onto the edge of a block: which pairs meet changes.
EDGE = """
units: {length: mm}
materials: {silicone: {law: corotational, young: 200 kPa, poisson: 0.4, density: 1 g/cm^3}}
bodies:
  post: {box: [20, 20, 90], cell: 10, material: silicone, place: {rotate: [20 deg, 0, 90 deg], move: [60, 0, 40]}, fix: {plane: {point: [0, 0, 0], normal: [0, 0, -1]}}}
  crank: {rigid_body: {box: [8, 8, 30]}, mass: 20 g, place: {move: [60, 0, 15]}}
joints: {pivot: {kind: hinge, body: crank, at: [60, 0, 0], axis: [0, 1, 0]}}
actuators: {motor: {motor: {joint: pivot}, command: {angle: 5 deg}}}
effectors: {tip: {point: {body: crank, at: [60, 0, 30]}}}
contacts: {friction: 0}
step: {steps: 2}
"""


class Answers(scenes.Case):
    def test_points_too_far_to_measure_are_refused(self):
        for size in ("1e160", "1e308"):
            for mode in ("converged", "realtime", "asynchronous"):
                words = ["--set", f"actuators.east.cable.pulled_from=[18, 10, -{size}]", "--set", f"step.mode={mode}"]
                self.expect_error(2, ["run", "scene.yaml", "east.pull=5mm", *words], "'east'", "not a number")

    def test_absurd_loads_are_no_answer(self):
        for load in ("1e200 N", "1e300 N"):
            for words in ([], ["--set", "step.mode=realtime"], ["--set", "dynamics={scheme: euler}"]):
                push = ["--set", "loads={push: {force: {body: bar, at: [10, 10, 90], value: [%s, 0 N, 0 N]}}}" % load]
                code, out, err = self.lithe("run", "scene.yaml", "--json", *push, *words)
                self.assertEqual(code, 1, err)
                self.assertNotIn("nan", out)

    def test_masses_that_overflow_are_refused(self):
        rods = "bodies.bar.rods={mast: {points: [[10, 10, 50], [10, 10, 150]], elements: 2, circle: %s}}"
        for words in (["--set", rods % "1e80 m"], ["--set", rods % "1e77 m"], ["--set", "materials.silicone.density=1e200 kg/m^3"]):
            self.expect_error(2, ["run", "scene.yaml", "--set", "dynamics={scheme: alpha}", *words], "masses", "too large")

    def test_sizes_that_overflow_are_refused(self):
        """At rest too, where no masses are squared; volume and mass were no numbers, and the scene sound."""
        for body in ("threads={far: {radius: 1e308 mm, points: [[1, 1, 1e308], [19, 13, 51]]}}",
                     "rods={mast: {points: [[10, 10, 50], [10, 10, 150]], elements: 2, circle: 1e90 m}}"):
            self.expect_error(2, ["check", "scene.yaml", "--set", f"bodies.bar.{body}"], "'bar'", "too large")

    def test_more_contacts_than_matrices_can_hold_are_refused(self):
        for most in ("10001", "1000000000", "99999999999999999999"):
            self.expect_error(2, ["check", "scene.yaml", "--set", f"contacts={{max: {most}, self: [bar]}}"], "max", "10000")

    def test_the_floor_is_told_where_it_is_what_was_met(self):
        def run(tolerance):
            code, out, err = self.lithe("run", "scene.yaml", "east.pull=15mm", "--json", "--set", f"step.tolerance={tolerance}")
            self.assertEqual(code, 0, err)
            return json.loads(out)["residual"]

        below, above = run("1e-8"), run("1e-15")
        self.assertEqual(below["floor"], 0)
        self.assertLess(below["force"], 1e-8)
        self.assertGreater(above["force"], 1e-15)
        self.assertLessEqual(above["force"], above["floor"])
        self.assertLess(above["floor"], 1e-11)
        out = self.lithe("run", "scene.yaml", "east.pull=15mm", "--set", "step.tolerance=1e-15")[1]
        self.assertIn("above step.tolerance 1e-15, but not above the", out)

    def test_the_floor_of_contacts_that_change_is_told_too(self):
        (self.folder / "edge.yaml").write_text(EDGE)
        for angle in (3, 7, 9):
            code, out, err = self.lithe("run", "edge.yaml", "--json", "--set", f"actuators.motor.command.angle={angle} deg", "--set", "step.tolerance=1e-12")
            self.assertEqual(code, 0, err)
            found = json.loads(out)["residual"]
            self.assertGreater(found["force"], 1e-12)  # or this scene shows nothing any more
            self.assertLessEqual(found["force"], found["floor"])


if __name__ == "__main__":
    unittest.main()
