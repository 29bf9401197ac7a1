"""lithe calibrate: values of a scene from observations, how sure they are, and what cannot be told."""

import csv
import json
import os
import random
import resource
import signal
import time
import unittest

import scenes

# A bar of three materials that hangs from its end at z = 0.
HANGING = """\
units: {length: mm, force: N, pressure: kPa}
gravity: [0, 0, 9.81 m/s^2]
materials:
  near: {law: corotational, young: 10 kPa, poisson: 0.4, density: 1 g/cm^3}
  middle: {law: corotational, young: 10 kPa, poisson: 0.4, density: 1 g/cm^3}
  far: {law: corotational, young: 10000 Pa, poisson: 0.4, density: 1 g/cm^3}
bodies:
  bar:
    mesh: bar.vtk
    material: near
    regions:
      - {box: [[-1, -1, 4], [5, 5, 8]], material: middle}
      - {box: [[-1, -1, 8], [5, 5, 13]], material: far}
    fix: {box: [[-1, -1, -1], [5, 5, 0.1]]}
loads:
  weight: {force: {body: bar, at: [1, 1, 12], value: [0, 0, 0]}}
actuators:
  push: {force: {body: bar, at: [1, 1, 12]}}
effectors:
  a: {point: {body: bar, at: [1, 1, 4]}}
  b: {point: {body: bar, at: [1, 1, 8]}}
  tip: {point: {body: bar, at: [1, 1, 12]}}
step: {steps: 2}
"""
TRUE = {"materials.near.young": 1.0, "materials.middle.young": 5.0, "materials.far.young": 2.0}
UNIT = {"materials.near.young": 1.0, "materials.middle.young": 1.0, "materials.far.young": 1e3}
LOADS = [(0, 0), (1e-5, 0), (0, 1e-4), (-1e-5, 2e-4), (2e-5, 1e-4)]  # N, along x and z
POINTS = [f"{name}.{axis}_m" for name in ("a", "b", "tip") for axis in "xyz"]
SETS = ["set:loads.weight.force.value.0_N", "set:loads.weight.force.value.2_N"]
FIND = [word for path in TRUE for word in ("--find", path)]


class Calibrate(scenes.Case):
    def setUp(self):
        super().setUp()
        self.write("bar.vtk", scenes.vtk(*scenes.bar(cells=(1, 1, 6), size=2.0)))
        self.write("scene.yaml", HANGING)

    def settle(self, *words):
        code, out, err = self.lithe("run", "scene.yaml", "--json", *words)
        self.assertEqual(code, 0, err)
        return json.loads(out)["effectors"]

    def observe(self, true=TRUE, loads=LOADS):
        """Lines of a table: what was set, and where the points then are."""
        lines = []
        for x, z in loads:
            words = [f"{path}={value} kPa" for path, value in true.items()]
            words.append(f"loads.weight.force.value=[{x}, 0, {z}]")
            found = self.settle(*(word for pair in words for word in ("--set", pair)))
            lines.append([x, z] + [p for n in ("a", "b", "tip") for p in found[n]["position"]])
        return lines

    def table(self, head, lines, name="data.csv"):
        with open(self.folder / name, "w", newline="") as file:
            csv.writer(file).writerows([head, *lines])

    def calibrate(self, *words, status=0, **options):
        words = ["calibrate", "scene.yaml", "--data", "data.csv", "--json", *words]
        code, out, err = self.lithe(*words, timeout=200, **options)
        self.assertEqual(code, status, err)
        self.said = err
        return json.loads(out)

    def refuse(self, *mentions, words=FIND):
        self.expect_error(2, ["calibrate", "scene.yaml", "--data", "data.csv", *words], *mentions)


class Recovery(Calibrate):
    def test_three_moduli_are_recovered_from_exact_data(self):
        self.table(SETS + POINTS, self.observe())
        found = self.calibrate(*FIND)
        self.assertIs(found["converged"], True)
        self.assertEqual(found["cannot_be_told"], [])
        self.assertEqual(found["measurements"], 45)
        for path, value in TRUE.items():
            self.assertAlmostEqual(found["parameters"][path]["value_si"] / (1e3 * value), 1, delta=1e-6)
        self.assertLess(found["residual"]["rms"], 1e-9)
        self.assertEqual(found["parameters"]["materials.far.young"]["unit"], "Pa")

    def test_rounded_data_under_gravity_alone_are_enough(self):
        lines = [[round(x, 7) for x in line] for line in self.observe(loads=[(0, 0)])]
        self.table(SETS + POINTS, lines)
        found = self.calibrate(*FIND)
        for path, value in TRUE.items():
            self.assertAlmostEqual(found["parameters"][path]["value_si"] / (1e3 * value), 1, delta=5e-3)

    def test_intervals_hold_the_truth_most_of_the_time(self):
        exact = self.observe()
        sigma = 2e-6
        inside = tried = 0
        for case in range(2 if scenes.SANITIZED else 8):
            draw = random.Random(case)
            lines = [line[:2] + [x + draw.gauss(0, sigma) for x in line[2:]] for line in exact]
            weighted = case % 2
            if weighted:
                lines = [line + [sigma * 1e6] for line in lines]
            self.table(SETS + POINTS + ["sigma_um"] * weighted, lines)
            found = self.calibrate(*FIND)
            self.assertEqual(found["residual"]["chance"] is not None, bool(weighted))
            self.assertAlmostEqual(found["residual"]["rms"], sigma, delta=0.5 * sigma)
            for path, value in TRUE.items():
                low, high = found["parameters"][path]["interval"]
                inside += low <= value * UNIT[path] <= high
                tried += 1
                self.assertLess(high / low, 1.2)
        self.assertGreaterEqual(inside, 0.88 * tried, f"{inside} of {tried}")

    def test_threads_do_not_change_a_bit(self):
        self.table(SETS + POINTS, self.observe(loads=LOADS[:3]))
        one, two = (self.calibrate(*FIND, "--threads", n) for n in ("1", "2"))
        for key in ("parameters", "residual", "iterations", "singular_values"):
            self.assertEqual(one[key], two[key])

    def test_columns_may_have_other_units_and_holes(self):
        lines = self.observe()
        head = SETS + [name.replace("_m", "_mm") for name in POINTS] + ["time_s"]
        lines = [line[:2] + [1e3 * x for x in line[2:]] + [7] for line in lines]
        lines[1][4] = lines[2][10] = ""
        self.table(head, lines)
        found = self.calibrate(*FIND)
        self.assertEqual(found["measurements"], 43)
        self.assertAlmostEqual(found["parameters"]["materials.near.young"]["value"], 1, delta=1e-5)
        self.assertEqual(len(found["observations"][1]["residual"]), 8)
        self.assertIn("tip.z_mm", found["observations"][1]["residual"])

    def test_commands_of_actuators_are_followed(self):
        lines = []
        for x, z in LOADS:
            tip = self.settle("--set", "materials.far.young=2 kPa", f"push.force=[{x}, 0, {z}]")["tip"]
            lines.append([x, 0, z] + tip["position"])
        self.table(["push.force.x_N", "push.force.y_N", "push.force.z_N"] + POINTS[6:], lines)
        found = self.calibrate("--find", "materials.far.young=3 kPa")
        far = found["parameters"]["materials.far.young"]
        self.assertAlmostEqual(far["value"], 2, delta=1e-6)
        self.assertEqual((far["unit"], far["start"]), ("kPa", 3))

    def test_the_series_of_a_run_can_be_data(self):
        self.write("scene.yaml", scenes.SCENE)
        self.write("bar.vtk", scenes.vtk(*scenes.bar()))
        code, _, err = self.lithe("run", "scene.yaml", "east.tension=2N", "--out", "run")
        self.assertEqual(code, 0, err)
        with open(self.folder / "run" / "series.csv") as file:
            lines = list(csv.reader(file))
        drop = lines[0].index("east.pull_m")
        self.table(lines[0][:drop] + lines[0][drop + 1:], [x[:drop] + x[drop + 1:] for x in lines[1:]])
        found = self.calibrate("--find", "materials.silicone.young=50kPa")
        self.assertEqual(len(found["observations"]), 4)  # the shape at rest carries no load
        self.assertAlmostEqual(found["parameters"]["materials.silicone.young"]["value"], 200, delta=1e-3)

    def test_numbers_and_bare_lengths_are_found_too(self):
        at = ["--set", "materials.far.poisson=0.3", "--set", "loads.weight.force.at.0=1.5"]
        lines = []
        for x, z in LOADS:
            load = f"loads.weight.force.value=[{x}, 0, {z}]"
            found = self.settle(*at, "--set", load)
            lines.append([x, z] + [p for n in ("a", "b", "tip") for p in found[n]["position"]])
        self.table(SETS + POINTS, lines)
        found = self.calibrate("--find", "materials.far.poisson:0.1..0.49", "--find",
                               "loads.weight.force.at.0")["parameters"]
        self.assertAlmostEqual(found["materials.far.poisson"]["value"], 0.3, delta=1e-5)
        self.assertAlmostEqual(found["loads.weight.force.at.0"]["value"], 1.5, delta=1e-4)
        self.assertEqual(found["loads.weight.force.at.0"]["unit"], "mm")


class Verdict(Calibrate):
    def test_only_a_ratio_is_known_under_gravity_alone(self):
        alone = ["--set", "bodies.bar.regions=[{all: true, material: near}]"]
        found = self.settle(*alone, "--set", "materials.near.young=1 kPa")
        self.table(POINTS, [[p for n in ("a", "b", "tip") for p in found[n]["position"]]])
        words = ["--find", "materials.near.young=2kPa", "--find", "materials.near.density"]
        found = self.calibrate(*alone, *words, status=1)
        self.assertIn("'materials.near.young' and 'materials.near.density' cannot be told apart: only "
                      "their ratio is known", self.said)
        self.assertIn("rises by 10 % and 'materials.near.density' rises by 10 %", self.said)
        for name in ("young", "density"):
            parameter = found["parameters"][f"materials.near.{name}"]
            self.assertIsNone(parameter["interval"])
            self.assertIs(parameter["told"], False)
        self.assertEqual(found["cannot_be_told"][0]["parameters"],
                         ["materials.near.young", "materials.near.density"])
        self.assertIs(found["converged"], True)
        ratio = (found["parameters"]["materials.near.young"]["value_si"]
                 / found["parameters"]["materials.near.density"]["value_si"])
        self.assertAlmostEqual(ratio, 1, delta=1e-5)

    def test_a_product_with_a_linear_value_is_named(self):
        self.table(POINTS, [line[2:] for line in self.observe(loads=[(0, 0)])])
        true = [f"--set={path}={value} kPa" for path, value in TRUE.items()]
        true += [f"--set=materials.{name}.density=0" for name in ("middle", "far")]
        found = self.calibrate(*true, "--find", "materials.near.density", "--find",
                               "gravity.2=8 m/s^2", status=1)
        self.assertEqual(len(found["cannot_be_told"]), 1)
        self.assertRegex(self.said, r"density' falls by \S+ % and 'gravity.2' rises by \S+ m/s\^2")

    def test_pulls_alone_do_not_tell_a_modulus(self):
        self.write("scene.yaml", scenes.SCENE)
        self.write("bar.vtk", scenes.vtk(*scenes.bar()))
        tip = self.settle("east.pull=5mm")["tip"]["position"]
        self.table(["east.pull_mm", "tip.x_m", "tip.y_m", "tip.z_m"], [[5, *tip]])
        found = self.calibrate("--find", "materials.silicone.young", status=1)
        self.assertIn("'materials.silicone.young' cannot be told from these data", self.said)
        self.assertIsNone(found["parameters"]["materials.silicone.young"]["interval"])

    def test_a_bound_that_holds_is_said_and_shown(self):
        self.table(SETS + POINTS, self.observe())
        words = ["--find", "materials.near.young=4kPa:1.02kPa..", *FIND[2:]]
        found = self.calibrate(*words)
        near = found["parameters"]["materials.near.young"]
        self.assertEqual((near["value"], near["at_bound"], near["interval"]), (1.02, "low", None))
        self.assertIn("ends at its lower bound", self.said)

    def test_scatter_beyond_sigma_is_said(self):
        draw = random.Random(1)
        lines = [line[:2] + [x + draw.gauss(0, 2e-6) for x in line[2:]] + [0.1] for line in self.observe()]
        self.table(SETS + POINTS + ["sigma_um"], lines)
        found = self.calibrate(*FIND)
        self.assertIn("times what their standard deviations say", self.said)
        self.assertLess(found["residual"]["chance"], 1e-6)

    def test_one_measurement_for_one_value_has_no_interval(self):
        z = self.observe(loads=[(0, 0)])[0][-1]
        self.table(["tip.z_m"], [[z]])
        true = [f"--set={path}={value} kPa" for path, value in TRUE.items()]
        found = self.calibrate(*true, "--find", "materials.far.young=3kPa")
        self.assertAlmostEqual(found["parameters"]["materials.far.young"]["value"], 2, delta=1e-5)
        self.assertIsNone(found["parameters"]["materials.far.young"]["interval"])
        self.assertIn("as many measurements as values", self.said)

    def test_no_equilibrium_at_the_start_is_status_1(self):
        self.table(SETS + POINTS, self.observe(loads=LOADS[:1]))
        words = ["calibrate", "scene.yaml", "--data", "data.csv", *FIND]
        words += ["--set", "step.max_iterations=1", "--set", "step.tolerance=1e-14"]
        self.expect_error(1, words, "at the start", "data.csv:2")


class Output(Calibrate):
    def setUp(self):
        super().setUp()
        self.table(SETS + POINTS, self.observe(loads=LOADS[:2]))

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_the_folder_holds_parameters_residuals_and_overrides(self):
        found = self.calibrate(*FIND, "--out", "out")
        self.assertEqual(sorted(os.listdir(self.folder / "out")),
                         ["overrides.txt", "parameters.csv", "residuals.csv", "summary.json"])
        self.assertEqual(json.loads((self.folder / "out/summary.json").read_text()), found)
        rows = self.rows("out/parameters.csv")
        self.assertEqual([row["path"] for row in rows], list(TRUE))
        self.assertAlmostEqual(float(rows[2]["value"]), 2000, delta=1e-3)
        rows = self.rows("out/residuals.csv")
        self.assertEqual([row["line"] for row in rows], ["2", "3"])
        self.assertEqual(list(rows[0])[1:], POINTS)
        lines = (self.folder / "out/overrides.txt").read_text().splitlines()
        self.assertRegex(lines[0], r"^--set 'materials.near.young=\S+ kPa'$")
        sets = [line.split("'")[1] for line in lines]
        tip = self.settle(*(word for one in sets for word in ("--set", one)))["tip"]["position"]
        for got, expected in zip(tip, self.observe(loads=LOADS[:1])[0][-3:]):
            self.assertAlmostEqual(got, expected, places=9)

    def test_results_replace_older_ones_but_nothing_else(self):
        self.calibrate(*FIND, "--out", "out")
        self.calibrate(*FIND, "--out", "out")
        self.write("out/mine.txt", "mine")
        self.refuse("mine.txt", words=[*FIND, "--out", "out"])

    def test_text_sums_it_up(self):
        code, out, _ = self.lithe("calibrate", "scene.yaml", "--data", "data.csv", *FIND)
        self.assertEqual(code, 0)
        for words in ("3 values from 18 measurements in 2 observations, converged",
                      "materials.near.young", "1 kPa  (", "residual"):
            self.assertIn(words, out)

    def test_quiet_says_nothing(self):
        words = ["calibrate", "scene.yaml", "--data", "data.csv", *FIND, "--quiet"]
        self.assertEqual(self.lithe(*words), (0, "", ""))

    def test_an_interrupt_leaves_nothing_behind(self):
        self.table(SETS + POINTS, self.observe(loads=LOADS[:2]) * 2000)
        # 36 times the elements: minutes of work, so the interrupt never comes too late
        self.write("bar.vtk", scenes.vtk(*scenes.bar(cells=(6, 6, 36), size=1 / 3)))
        before = self.files()
        words = ["calibrate", "scene.yaml", "--data", "data.csv", *FIND, "--out", "out"]
        with self.start(*words) as process:
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, ""), err)
        self.assertIn("interrupted", err)
        self.assertEqual(self.files(), before)

    @unittest.skipIf(scenes.SANITIZED, "sanitizers need more memory than this allows")
    def test_too_little_memory_is_said(self):
        words = ["calibrate", "scene.yaml", "--data", "data.csv", *FIND, "--out", "out"]
        self.write("bar.vtk", scenes.vtk(*scenes.bar(cells=(12, 12, 72), size=1 / 6)))
        for megabytes in (40, 80):
            limits = [(resource.RLIMIT_AS, megabytes << 20)]
            self.expect_error(3, words, "out of memory", limits=limits)
        self.assertNotIn("out", self.files())


class Refusal(Calibrate):
    def setUp(self):
        super().setUp()
        self.line = [0, 0] + [1e-3] * 9

    def test_what_is_to_be_found(self):
        self.table(SETS + POINTS, [self.line])
        for word, *mentions in (
            ("", "PATH"),
            ("=3", "PATH"),
            ("materials.near.young=", "PATH"),
            ("materials.near.young:3", "PATH"),
            ("materials.nar.young", "materials.nar.young", "no such value"),
            ("materials.nar.young=3kPa", "nar"),
            ("materials.near", "map", "materials.near."),
            ("loads.weight.force.value", "list", "value.0"),
            ("materials.near.law", "corotational", "not a number"),
            ("materials.near.young=soft", "soft"),
            ("materials.near.young=3 mm", "3 mm", "length"),
            ("materials.near.young=-3 kPa", "young"),
            ("materials.near.young=nan", "nan"),
            ("materials.near.young:20kPa..30kPa", "not between"),
            ("materials.near.young:20kPa..3kPa", "not between"),
            ("materials.near.young:1mm..30kPa", "1mm"),
            ("step.steps", "gradually"),
            ("bodies.bar.mesh", "not a number"),
        ):
            with self.subTest(word):
                self.refuse("--find", *mentions, words=["--find", word])
        self.refuse("twice", words=["--find", "materials.near.young", "--find", "materials.near.young=3kPa"])
        self.refuse("nothing to find", words=[])
        self.expect_error(2, ["calibrate", "scene.yaml", *FIND], "--data")
        self.expect_error(2, ["calibrate", *FIND], "SCENE")

    def test_names_of_columns(self):
        for head, *mentions in (
            (["tip.u_m"], ":1:1", "did you mean 'tip.x_m'"),
            (["xyzzy"], ":1:1", "unknown column"),
            (["tip.x_m", "tip.x_mm"], ":1:2", "twice"),
            (["tip.x_N"], ":1:1", "unit of force"),
            (["tip.x"], ":1:1", "no unit", "tip.x_m"),
            (["tip.x_furlong"], ":1:1", "furlong"),
            (["tip.x_m", "push.force.x_N"], ":1:2", "x, y and z"),
            (["tip.x_m", "sigma_foo"], ":1:2", "sigma_foo"),
            (["tip.x_m", "sigma_N"], None),
            (["set:gravity.2_m/s^2"], "observed"),
            (["tip.x_m", "set:materials.near.young_kPa"], ":1:2", "to be found"),
        ):
            with self.subTest(head):
                self.table(head, [[1] * len(head)])
                if mentions[0] is not None:
                    self.refuse("data.csv", *mentions)

    def test_two_commands_for_one_actuator(self):
        self.write("scene.yaml", scenes.SCENE)
        self.write("bar.vtk", scenes.vtk(*scenes.bar()))
        self.table(["east.pull_m", "east.tension_N", "tip.x_m"], [[0, 0, 0]])
        self.refuse(":1:2", "same actuator", words=["--find", "materials.silicone.young"])

    def test_values(self):
        head = [*SETS, *POINTS]
        for change, *mentions in (
            ({3: "nan"}, ":2:4", "'nan'"),
            ({3: "inf"}, ":2:4", "finite"),
            ({3: "0x10"}, ":2:4"),
            ({3: "1e999"}, ":2:4"),
            ({3: "1 mm"}, ":2:4", "1 mm"),
            ({0: ""}, ":2:1", "missing"),
            ({i: "" for i in range(2, 11)}, ":2", "observes nothing"),
        ):
            with self.subTest(change):
                self.table(head, [[change.get(i, x) for i, x in enumerate(self.line)]])
                self.refuse("data.csv", *mentions)
        self.table(head, [self.line[:-1]])
        self.refuse("data.csv:2", "10 values", "11 columns")
        self.table(head, [])
        self.refuse("no observation")
        self.table(head + ["sigma_m"], [self.line + [0]])
        self.refuse("data.csv:2:12", "above 0")
        self.table(["push.force.x_N", "push.force.y_N", "push.force.z_N", "tip.x_m"], [[0, 9, 0, 0]])
        self.refuse(":2:2", "limits", words=[*FIND, "--set", "actuators.push.limits.force=[-1, 1]"])

    def test_files(self):
        self.refuse("data.csv", "No such file")
        self.write("data.csv", "")
        self.refuse("data.csv:1", "first line")
        self.write("data.csv", "\n1\n")
        self.refuse("data.csv:1", "first line")
        self.write("data.csv", b"tip.x_m\n\x00\n")
        self.refuse("not a text")
        self.write("data.csv", "tip.x_m\n1e-3\n\n1e-3\n")
        self.refuse("data.csv:3", "empty")
        self.write("data.csv", "tip.x_m\n" + "1e-3\n" * 20000)
        self.refuse("more than 10000")
        self.write("data.csv", ",".join(["time_s"] * 2) + "\n")
        self.refuse(":1:2", "twice")

    def test_set_columns_that_the_scene_refuses(self):
        self.table(["set:loads.weight.force.at.0_N", "tip.x_m"], [[1, 1e-3]])
        self.refuse("force", "loads.weight.force.at.0")
        self.table(["set:loads.wait.force.value.0_N", "tip.x_m"], [[1, 1e-3]])
        self.refuse("wait")


if __name__ == "__main__":
    unittest.main()
