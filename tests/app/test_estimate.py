"""lithe track --data: the shape of the robot from a table of what it measured."""

import csv
import json
import os
import pathlib
import unittest

import scenes

ARM = str(pathlib.Path(os.environ["LITHE_ROOT"]) / "examples" / "arm" / "robot.yaml")
STRINGS = [f"string-{where}-{k}" for where in ("near", "far") for k in (1, 2, 3)]


def estimate(*more):
    return "estimate={readings: {" + ", ".join([f"{name}: 0.1 mm" for name in STRINGS] + list(more)) + "}}"


class Estimate(scenes.Case):
    def measure(self):
        """What the arm reads on its way to its commands, of the model itself."""
        code, _, err = self.lithe("run", ARM, "--steps", "3", "--out", "run")
        self.assertEqual(code, 0, err)
        with open(self.folder / "run" / "series.csv") as file:
            return [line for line in csv.DictReader(file) if float(line["load"]) == 1]

    def table(self, lines, columns):
        with open(self.folder / "data.csv", "w") as file:
            file.write(",".join(columns) + "\n")
            for line in lines:
                file.write(",".join(str(line[c]) for c in columns) + "\n")

    def test_the_tip_follows_the_strings(self):
        lines = self.measure()
        self.table(lines, [f"{name}_m" for name in STRINGS])
        code, out, err = self.lithe("track", ARM, "--data", "data.csv", "--set", estimate(), "--out", "found", "--json")
        self.assertEqual(code, 0, err)
        found = json.loads(out)
        self.assertEqual((found["lines"], found["not_converged"], found["rank"]), (len(lines), 0, 6))
        self.assertEqual(found["outliers"], {})
        for axis, value, deviation in zip("xyz", found["effectors"]["tip"]["position"], found["effectors"]["tip"]["deviation"]):
            self.assertAlmostEqual(value, float(lines[-1][f"tip.{axis}_m"]), delta=1e-8)
            self.assertTrue(1e-6 < deviation < 1e-3)
        with open(self.folder / "found" / "estimate.csv") as file:
            table = list(csv.DictReader(file))
        self.assertEqual(len(table), len(lines))
        for line, other in zip(table, lines):
            self.assertAlmostEqual(float(line["near-2.pressure_Pa"]), float(other["near-2.pressure_Pa"]), delta=1)
            self.assertEqual(line["outliers"], "")

    def test_a_wrong_string_is_named(self):
        lines = self.measure()[-1:]
        lines[0]["string-far-2_m"] = float(lines[0]["string-far-2_m"]) + 0.005
        columns = [f"{name}_m" for name in STRINGS] + ["tip.x_m", "tip.y_m", "tip.z_m"]
        self.table(lines, columns)
        code, out, err = self.lithe("track", ARM, "--data", "data.csv", "--set", estimate("tip: 0.1 mm"), "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out)["outliers"], {"string-far-2": 1})

    def test_mistakes_are_said(self):
        self.table([{"string-near-1_m": 0.1}], ["string-near-1_m"])
        self.expect_error(2, ["track", ARM, "--data", "data.csv"], "estimate: {readings:")
        self.expect_error(2, ["track", ARM, "--data", "data.csv", "--set", "estimate={readings: {string-far-1: 1 mm}}"],
                          "no column", "string-far-1")
        self.expect_error(2, ["check", ARM, "--set", "estimate={readings: {string-fare-1: 1 mm}}"], "string-fare-1",
                          "did you mean 'string-far-1'")
        self.expect_error(2, ["check", ARM, "--set", "estimate={readings: {string-far-1: 1 N}}"], "is a force", "length")
        self.expect_error(2, ["check", ARM, "--set", "estimate={readings: {string-far-1: 0 mm}}"], "above 0")
        self.expect_error(2, ["check", ARM, "--set", "controller={kp: -1}"], "kp", "above 0")


if __name__ == "__main__":
    unittest.main()
