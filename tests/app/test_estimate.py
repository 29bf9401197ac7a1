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

    def test_commands_are_worth_a_reading(self):
        """Five strings do not tell six pressures; what the chambers are told, and how well they obey, does."""
        lines = self.measure()
        told = [f"{name}.pressure_Pa" for name in ("near-1", "near-2", "near-3", "far-1", "far-2", "far-3")]
        few = "estimate={readings: {" + ", ".join(f"{name}: 0.1 mm" for name in STRINGS[:5]) + "}"
        self.table(lines, [f"{name}_m" for name in STRINGS[:5]] + told)
        code, out, err = self.lithe("track", ARM, "--data", "data.csv", "--set", few + "}", "--json")
        self.assertEqual((code, json.loads(out)["rank"]), (0, 5), err)
        spread = ", unknowns: {" + ", ".join(f"{name.split('.')[0]}: 1 kPa" for name in told) + "}"
        alone = 1
        for memory in ("}", ", memory: .inf}"):
            code, out, err = self.lithe("track", ARM, "--data", "data.csv", "--set", few + spread + memory, "--json")
            self.assertEqual(code, 0, err)
            found = json.loads(out)
            self.assertEqual(found["rank"], 6)
            tip = found["effectors"]["tip"]
            for axis, value in zip("xyz", tip["position"]):
                self.assertAlmostEqual(value, float(lines[-1][f"tip.{axis}_m"]), delta=1e-7)
            self.assertLess(max(tip["deviation"]), alone)
            alone = 0.9 * max(tip["deviation"])  # with a memory of three lines it is surer

    def test_readings_of_all_kinds_tell_a_modulus_and_a_force(self):
        """Lengths, an orientation and pressures, each in its unit; the rubber is 10 % stiffer than thought, and 1 N pulls."""
        things = ["--set", "effectors.facing={orientation: {body: robot, group: tip}}"]
        for where in ("near", "far"):
            for k in (1, 2, 3):
                things += ["--set", f"sensors.gauge-{where}-{k}={{pressure: {{actuator: {where}-{k}}}}}"]
        rubber = "actuators.stiff={modulus: {body: robot}, command: {young: %g MPa}, given: true}"
        push = "actuators.push={force: {body: robot, at: [206, 0, 0]}, given: true, command: {force: [0, 0, %g]}}"
        code, _, err = self.lithe("run", ARM, *things, "--set", rubber % 1.65, "--set", push % -1, "--out", "run")
        self.assertEqual(code, 0, err)
        with open(self.folder / "run" / "series.csv") as file:
            line = list(csv.DictReader(file))[-1]
        columns = [c for c in line if c.startswith(("string", "facing", "gauge"))]
        self.assertEqual(len(columns), 15)
        self.table([line], columns)
        noise = ", ".join([f"{name}: 0.01 mm" for name in STRINGS] + ["facing: 0.1 mrad"] +
                          [f"gauge-{name[7:]}: 10 Pa" for name in STRINGS])
        section = f"estimate={{readings: {{{noise}}}, unknowns: {{stiff: 1, push: .inf}}}}"
        found = ["track", ARM, *things, "--set", rubber % 1.5, "--set", push % 0, "--data", "data.csv", "--set", section]
        code, out, err = self.lithe(*found, "--json")
        self.assertEqual(code, 0, err)
        found_json = json.loads(out)
        self.assertEqual((found_json["rank"], found_json["outliers"]), (10, {}))
        self.assertAlmostEqual(found_json["actuators"]["stiff"]["effort"][0], 1.65e6, delta=1e4)
        for value, real in zip(found_json["actuators"]["push"]["effort"], (0, 0, -1)):
            self.assertAlmostEqual(value, real, delta=0.02)
        for column, words in (("sigma_m", "estimate: {readings:"), ("set:materials.rubber.young_MPa", "--set")):
            self.table([dict(line, **{column: 1})], columns + [column])
            self.expect_error(2, found, column, words)

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
        self.expect_error(2, ["check", ARM, "--set", "estimate={readings: {string-far-1: 1 mm}, memory: -1}"], "memory")
        self.expect_error(2, ["check", ARM, "--set", "controller={kp: -1}"], "kp", "above 0")


if __name__ == "__main__":
    unittest.main()
