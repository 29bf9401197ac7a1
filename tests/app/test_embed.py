"""The programs of examples/c, which see the public header and the shared library alone, against `lithe` itself."""

import csv
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import scenes

PROGRAMS = pathlib.Path(os.environ["LITHE_BUILD"]) / "tests"


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=240, cwd=scenes.ROOT)


class Track(unittest.TestCase):
    """examples/c/track.c finds what `lithe track` finds, to the last bit."""

    def compare(self, scene, status):
        done = run(PROGRAMS / "example_track", scene)
        with tempfile.TemporaryDirectory(prefix="lithe-embed-") as folder:
            out = pathlib.Path(folder) / "out"
            program = run(scenes.LITHE, "track", scene, "--out", out, "--quiet")
            summary = json.loads((out / "summary.json").read_text())
            series = list(csv.DictReader((out / "series.csv").open()))[1:]  # without where it begins
        self.assertEqual((done.returncode, program.returncode), (status, status), done.stderr)
        lines = list(csv.reader(done.stdout.splitlines()))
        self.assertEqual(len(lines) - 1, len(series))
        for line, wanted in zip(lines[1:], series):
            self.assertEqual(float(line[0]), float(wanted["time_s"]))
            self.check_line(lines[0], line, wanted)
        for name, effector in summary["effectors"].items():
            if effector.get("error_rms") is None:
                continue
            rms, most = re.search(rf"^{name}: error_rms (\S+), error_max (\S+)$", done.stderr, re.MULTILINE).groups()
            self.assertEqual((float(rms), float(most)), (effector["error_rms"], effector["error_max"]))

    def check_line(self, head, line, wanted):
        """Every number of the line is the series' one of the same name."""
        for name, value in zip(head[1:], line[1:], strict=True):
            self.assertEqual(float(value), float(wanted[name]), name)
        self.assertGreater(len(line), 3)

    @unittest.skipIf(scenes.SANITIZED, "it is the other scene that is compared there")
    def test_converged(self):
        self.compare("examples/finger/robot.yaml", 0)

    def test_realtime(self):
        self.compare("examples/catheter/robot.yaml", 0)

    @unittest.skipIf(scenes.SANITIZED, "it is the other scene that is compared there")
    def test_targets_that_are_missed(self):
        self.compare("examples/lever/robot.yaml", run(scenes.LITHE, "track", "examples/lever/robot.yaml").returncode)

    def test_a_scene_that_is_not_there(self):
        done = run(PROGRAMS / "example_track", "nothing.yaml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing.yaml", done.stderr)


class Vary(unittest.TestCase):
    """examples/c/vary.c: what a change must do is known without computing it."""

    @classmethod
    def setUpClass(cls):
        cls.done = run(PROGRAMS / "example_vary")
        cls.rows = [re.match(r"(.*?) +tension +(\S+) N +pull +(\S+) mm +tip +(\S+) mm +limit costs +(\S+)", line)
                    for line in cls.done.stdout.splitlines()]
        cls.rows = [(row[1], *(float(text) for text in row.groups()[1:])) for row in cls.rows]

    def test_all_steps_are_done(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))
        self.assertEqual(len(self.rows), 10)

    def test_one_shape_takes_as_much_as_the_material_is_stiff(self):
        for year, row in enumerate(self.rows[:5]):
            self.assertAlmostEqual(row[1] / self.rows[0][1], 1 - 0.1 * year, places=5)
            self.assertEqual(row[2:4], (self.rows[0][2], 20.0))

    def test_a_weight_takes_more(self):
        tension = [row[1] for row in self.rows[4:7]]
        self.assertEqual(tension, sorted(tension))
        self.assertEqual([row[3] for row in self.rows[4:7]], 3 * [20.0])

    def test_limits_hold_and_tell_what_they_cost(self):
        for limit, row in zip((0.3, 0.25, 0.2), self.rows[7:]):
            self.assertEqual(row[1], limit)
        (_, more, _, near, first), (_, less, _, far, second) = self.rows[8:10]
        cost = [0.5 * (0.02 - 1e-3 * tip) ** 2 for tip in (near, far)]
        self.assertAlmostEqual((cost[1] - cost[0]) / (more - less), 0.5 * (first + second), delta=0.02 * first)


if __name__ == "__main__":
    unittest.main()
