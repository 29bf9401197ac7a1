"""Contact as the program tells of it: pairs in the JSON, contacts.csv, forces in the frames; obstacles on their paths."""

import csv
import json
import unittest

import scenes
from test_results import arrays

POST = "obstacles={post: {capsule: {from: [25, -30, 60], to: [25, 50, 60], radius: 4}}}"


class Contact(scenes.Case):
    def go(self, command, *words, status=0):
        code, text, err = self.lithe(command, "scene.yaml", "--json", "--out", "out", "--set", *words)
        self.assertEqual(code, status, err)
        return json.loads(text)

    def lines(self):
        with open(self.folder / "out" / "contacts.csv") as file:
            return list(csv.DictReader(file))

    def last(self):
        return [line for line in self.lines() if line["step"] == self.lines()[-1]["step"]]

    def check_sums(self, pair):
        """Lines of the last step, nodal forces of the last frame and the summary tell the same."""
        total = [0.0] * 3
        for line in self.last():
            self.assertEqual((line["first"], line["second"]), (pair["first"], pair["second"]))
            self.assertGreater(float(line["gap_m"]), -1e-6)
            for k, axis in enumerate("xyz"):
                total[k] += float(line["force_N"]) * float(line[f"normal.{axis}"])
        frame = sorted((self.folder / "out").glob("*.vtu"))[-1]
        nodal = arrays(frame)["contact_force"]
        for k in range(3):
            self.assertAlmostEqual(total[k], pair["force"][k], delta=1e-12)
            self.assertAlmostEqual(sum(nodal[k::3]), pair["force"][k], delta=1e-3 * abs(pair["force"][0]))

    def test_a_run_tells_who_presses_whom(self):
        found = self.go("run", POST, "east.pull=8mm")
        (pair,) = found["contacts"]["pairs"]
        self.assertEqual((pair["first"], pair["second"]), ("bar", "post"))
        self.assertEqual(pair["active"], found["contacts"]["active"])
        self.assertGreater(pair["active"], 0)
        self.assertLess(pair["force"][0], -1e-3)
        self.assertLess(abs(pair["gap"]), 1e-6)
        self.check_sums(pair)

    def test_a_track_tells_it_too(self):
        code, text, err = self.lithe("run", "scene.yaml", "--json", "--set", POST, "east.pull=8mm")
        tip = json.loads(text)["effectors"]["tip"]["position"]
        at = ", ".join(f"{1e3 * x:.9f}" for x in tip)
        found = self.go("track", POST, "--set", "task={hold: {effector: tip, at: [" + at + "]}}")
        (pair,) = found["contacts"]["pairs"]
        self.assertGreater(pair["active"], 0)
        self.assertAlmostEqual(found["actuators"]["east"]["displacement"], 8e-3, delta=8e-6)
        self.check_sums(pair)

    def test_a_scene_without_contact_has_no_table(self):
        code, _, err = self.lithe("run", "scene.yaml", "--quiet", "--out", "out")
        self.assertEqual(code, 0, err)
        self.assertFalse((self.folder / "out" / "contacts.csv").exists())

    def test_an_obstacle_moves_along_its_path(self):
        path = POST[:-2] + ", path: [{time: 20 ms, move: [-6, 0, 0]}, {time: 40 ms}]}}"
        found = self.go("run", path)
        pressing = {}
        for line in self.lines():
            step = int(line["step"])
            pressing[step] = pressing.get(step, 0) + float(line["force_N"])
        self.assertEqual(found["steps"], 4)
        self.assertEqual(pressing.get(0, 0), 0)
        self.assertGreater(pressing[2], pressing[1])
        self.assertGreater(pressing[2], pressing.get(3, 0))
        self.assertEqual(pressing.get(4, 0), 0)

    def overlaps(self):
        with open(self.folder / "out" / "series.csv") as file:
            return [float(line["overlap_m"]) for line in csv.DictReader(file)]

    def test_a_realtime_run_tells_its_deepest_overlap(self):
        found = self.go("run", POST, "--set", "step.mode=realtime", "--set", "step.iterations=1", "east.pull=10mm")["contacts"]
        self.assertEqual(found["over"], 0)
        self.assertGreater(found["deepest"]["depth"], 0)
        self.assertLessEqual(found["deepest"]["depth"], found["allowed"])
        self.assertEqual((found["deepest"]["first"], found["deepest"]["second"]), ("bar", "post"))
        overlaps = self.overlaps()
        self.assertEqual(found["deepest"]["depth"], max(overlaps))
        self.assertEqual(found["deepest"]["step"], overlaps.index(max(overlaps)))
        self.assertAlmostEqual(max(overlaps), -min(float(line["gap_m"]) for line in self.lines()), delta=1e-15)

    def test_what_a_realtime_run_cannot_hold_it_says_by_name(self):
        few = ["--set", "contacts.max=2", "--set", "step.mode=realtime", "east.pull=10mm"]
        code, text, err = self.lithe("run", "scene.yaml", "--json", "--set", POST, *few)
        found = json.loads(text)["contacts"]
        self.assertEqual(code, 0)
        self.assertGreater(found["over"], 0)
        self.assertGreater(found["merged"], 0)
        self.assertGreater(found["deepest"]["depth"], found["allowed"])
        self.assertIn("'bar' and 'post' overlap by", err)
        self.assertIn("contacts.max", err)

    def test_a_pair_that_is_off_does_not_touch(self):
        off = "contacts={pairs: [{body: bar, with: post, off: true}]}"
        found = self.go("run", POST, "--set", off, "east.pull=8mm")
        self.assertEqual(found["contacts"]["active"], 0)
        self.assertEqual(found["contacts"]["pairs"][0]["force"], [0, 0, 0])
        self.assertIsNone(found["contacts"]["pairs"][0]["gap"])


if __name__ == "__main__":
    unittest.main()
