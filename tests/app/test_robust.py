"""lithe robust: bounds, gains, and the measured error of a Jacobian."""

import json
import os
import pathlib
import unittest
import xml.etree.ElementTree as xml

import scenes

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
PARALLEL = str(ROOT / "examples" / "parallel" / "robot.yaml")
GAINS = ["--set", "controller={kp: 0.14, ki: 0.0003}"]


class Robust(scenes.Case):
    def robust(self, *words, status=0):
        code, out, err = self.lithe("robust", PARALLEL, "--json", *words)
        self.assertEqual(code, status, err)
        return json.loads(out)

    def test_the_bound_of_the_papers_gains(self):
        found = self.robust(*GAINS, "--gamma", "0.98")
        self.assertAlmostEqual(found["largest_gamma"], 0.98687, delta=1e-5)
        self.assertTrue(found["certificate"]["holds"])
        self.assertLess(found["certificate"]["Q_largest"], 0)
        self.assertNotIn("measured", found)

    def test_gains_are_found(self):
        found = self.robust("--gamma", "0.95", "--settle", "60")
        self.assertGreaterEqual(found["largest_gamma"], 0.95)
        self.assertLessEqual(found["settling_steps"], 60)

    def test_the_error_against_a_stiffer_robot_is_measured_and_drawn(self):
        found = self.robust(*GAINS, "--against", "materials.silicone.young=216 kPa", "--poses", "3", "--out", "r")
        self.assertEqual(found["measured"]["poses"], 3)
        self.assertGreater(found["measured"]["gamma"], 1e-4)
        self.assertLess(found["measured"]["gamma"], 0.1)
        for name in ("gains.svg", "workspace.svg"):
            xml.parse(self.folder / "r" / name)
        lines = (self.folder / "r" / "poses.csv").read_text().splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual(lines[0].split(",")[0:5], ["pose", "north", "west", "south", "east"])
        # the same folder again
        self.robust(*GAINS, "--out", "r")

    def test_mistakes_are_said(self):
        self.expect_error(2, ["robust", PARALLEL], "no controller", "controller: {kp: 0.14, ki: 0.0003}")
        self.expect_error(2, ["robust", PARALLEL, *GAINS, "--gamma", "0.99"], "0.98687", "smaller gamma")
        self.expect_error(2, ["robust", PARALLEL, *GAINS, "--gamma", "2"], "between 0 and 1")
        self.expect_error(2, ["robust", PARALLEL, "--set", "controller={kp: 3}"], "unstable")
        self.expect_error(
            2,
            ["robust", PARALLEL, *GAINS, "--against", "actuators.north.limits={pull: [0, .inf]}", "--set",
             "actuators.north.limits={pull: [0, .inf]}"],
            "north", "limits",
        )


if __name__ == "__main__":
    unittest.main()
