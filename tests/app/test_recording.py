"""Recordings: what is in them, and that a run goes on from one with the same bits."""

import json
import math
import os
import unittest

import scenes

try:
    import h5py
except ImportError:  # CTest runs this by /usr/bin/python3, Debian's, which has it
    h5py = None

TASK = """\
task:
  follow: {effector: tip, circle: {center: [14, 10, 88], radius: 2, normal: [0, 0, 1], period: 0.2 s}}
  approach: 100 mm/s
"""


def dump(path):
    """Every table of a recording with its type, attributes and numbers."""
    out = {}

    def plain(v):
        return [plain(w) for w in v] if hasattr(v, "__len__") and not isinstance(v, (str, bytes)) else v.decode() if isinstance(v, bytes) else v

    def visit(name, item):
        if isinstance(item, h5py.Dataset):
            out[name] = {"shape": list(item.shape), "type": str(item.dtype), "compression": item.compression,
                         "attrs": {k: plain(v) for k, v in item.attrs.items()}}
            if item.dtype.kind in "fiu" and item.size < 100000:
                out[name]["data"] = item[()].tobytes()

    with h5py.File(path) as file:
        file.visititems(visit)
        out["attrs"] = {k: v.decode() if isinstance(v, bytes) else float(v) for k, v in file.attrs.items()}
        out["text"] = bytes(file["scene/text"][()]).decode()
    return out


class Recording(scenes.Case):
    def run_well(self, *words):
        code, out, err = self.lithe(*words)
        self.assertEqual(code, 0, err)
        return out

    def dump(self, name):
        if h5py is None:
            self.skipTest("python3-h5py is not installed")
        return dump(self.folder / name)

    def last(self, out):
        found = json.loads(out)
        return found["actuators"], found["effectors"], found["residual"]

    def test_h5py_reads_every_table_with_its_columns(self):
        self.run_well("run", "scene.yaml", "east.pull=5mm", "--record", "a.h5")
        found = self.dump("a.h5")
        self.assertEqual(found["attrs"]["format"], "lithe recording")
        self.assertEqual(found["text"], scenes.SCENE)
        self.assertEqual(found["steps/position"]["type"], "float32")
        self.assertEqual(found["steps/position"]["shape"][0], 5)
        self.assertEqual(found["steps/position"]["compression"], "gzip")
        for name in "effort displacement value target time step_time force_residual load".split():
            self.assertEqual(found["steps/" + name]["type"], "float64", name)
            self.assertEqual(found["steps/" + name]["shape"][0], 5, name)
        self.assertEqual(found["steps/effort"]["attrs"]["columns"], ["east.tension_N"])
        self.assertEqual(found["steps/value"]["attrs"]["columns"], ["tip.x_m", "tip.y_m", "tip.z_m"])
        self.assertEqual(found["scene/files/0"]["attrs"]["name"], "bar.vtk")

    def test_a_run_goes_on_with_the_same_bits(self):
        whole = self.run_well("run", "scene.yaml", "east.pull=12mm", "--steps", "25", "--record", "a.h5", "--json")
        os.remove(self.folder / "scene.yaml")
        os.remove(self.folder / "bar.vtk")
        for start in ("a.h5@0", "a.h5@10", "a.h5@13"):
            rest = self.run_well("run", "--from", start, "--json")
            self.assertEqual(self.last(rest), self.last(whole), start)

    def test_its_continuation_is_recorded_alike(self):
        self.run_well("run", "scene.yaml", "east.pull=12mm", "--steps", "25", "--record", "a.h5")
        self.run_well("run", "--from", "a.h5@13", "--record", "b.h5")
        a, b = self.dump("a.h5"), self.dump("b.h5")
        for name in "position effort displacement value".split():
            whole, rest = a["steps/" + name]["data"], b["steps/" + name]["data"]
            self.assertTrue(rest and whole.endswith(rest), name)

    def test_a_task_goes_on_with_the_same_bits(self):
        self.write("scene.yaml", scenes.SCENE + TASK)
        for mode in ("realtime", "converged"):
            words = ["--set", f"step.mode={mode}"]
            code, whole, err = self.lithe("track", "scene.yaml", *words, "--record", "a.h5", "--json")
            self.assertIn(code, (0, 1), err)  # one cable does not reach a circle
            again, rest, err = self.lithe("track", "--from", "a.h5@14", "--json")
            self.assertEqual(again, code, err)
            for key in ("actuators", "residual"):
                self.assertEqual(json.loads(rest)[key], json.loads(whole)[key], mode)

    def test_a_finished_run_takes_new_commands(self):
        self.run_well("run", "scene.yaml", "east.pull=5mm", "--record", "a.h5")
        out = self.run_well("run", "--from", "a.h5", "east.pull=8mm", "--json")
        direct = self.run_well("run", "scene.yaml", "east.pull=8mm", "--json")
        here, there = json.loads(out)["effectors"]["tip"], json.loads(direct)["effectors"]["tip"]
        for a, b in zip(here["position"], there["position"]):
            self.assertAlmostEqual(a, b, places=7)
        self.expect_error(2, ["run", "--from", "a.h5"], "finished")

    def test_a_recording_appears_whole_or_not_at_all(self):
        self.expect_error(1, ["run", "scene.yaml", "east.pull=5mm", "--quiet", "--record", "a.h5", *scenes.HOPELESS])
        self.assertIn("a.h5", self.files())  # a run that did not converge is told, too
        self.expect_error(3, ["run", "scene.yaml", "--record", "nowhere/a.h5"], "nowhere/a.h5", "cannot be written")
        self.expect_error(2, ["run", "scene.yaml", "--record", "."], "not a file")
        self.assertEqual([name for name in self.files() if "partial" in name], [])

    def test_what_is_no_recording_is_refused(self):
        self.write("junk.h5", b"\x89HDF\r\n\x1a\n" + bytes(200))
        self.write("text.h5", "hello")
        for name in ("junk.h5", "text.h5", "missing.h5"):
            self.expect_error(2, ["run", "--from", name], name)
        self.expect_error(2, ["run", "scene.yaml", "--from", "a.h5"], "leave 'scene.yaml' out")
        self.run_well("run", "scene.yaml", "east.pull=5mm", "--record", "a.h5")
        self.expect_error(2, ["run", "--from", "a.h5@99"], "99")
        self.expect_error(2, ["track", "--from", "a.h5"], "no task")

    def test_a_recording_cut_short_is_refused(self):
        self.run_well("run", "scene.yaml", "east.pull=5mm", "--record", "a.h5")
        data = (self.folder / "a.h5").read_bytes()
        for share in (0.2, 0.6, 0.95):
            self.write("cut.h5", data[: int(share * len(data))])
            self.expect_error(2, ["run", "--from", "cut.h5", "east.pull=6mm"], "cut.h5")

    def test_results_may_hold_their_recording(self):
        self.run_well("run", "scene.yaml", "east.pull=5mm", "--out", "r", "--record", "r/recording.h5")
        self.assertTrue((self.folder / "r" / "recording.h5").exists())
        self.run_well("run", "scene.yaml", "east.pull=6mm", "--out", "r")  # replaced
        self.assertFalse((self.folder / "r" / "recording.h5").exists())


class Snapshot(scenes.Case):
    def box(self, rows):
        """Columns and rows in which something stands before the sky."""
        dark = [(x, y) for y in range(0, len(rows), 4) for x in range(0, len(rows[0]) // 3, 4) if rows[y][3 * x] < 200]
        self.assertGreater(len(dark), 500)
        return [min(x for x, _ in dark), max(x for x, _ in dark), min(y for _, y in dark), max(y for _, y in dark)]

    def test_the_robot_is_in_the_picture_and_moves_with_its_cable(self):
        boxes = []
        for pull in ("0mm", "15mm"):
            code, _, err = self.lithe("run", "scene.yaml", f"east.pull={pull}", "--snapshot", "a.png")
            self.assertEqual(code, 0, err)
            boxes.append(self.box(self.pixels("a.png")))
        left, right, top, bottom = boxes[0]
        self.assertTrue(0 < left < right < 1276 and 0 < top < bottom < 956, boxes[0])
        self.assertGreater(boxes[1][1], right + 20)  # the bar bends to the east, which is to the right

    def draw(self, *words):
        code, _, err = self.lithe("run", "scene.yaml", "--quiet", "--snapshot", "a.png", *words)
        self.assertEqual(code, 0, err)
        rows = self.pixels("a.png")
        return [tuple(row[i : i + 3]) for row in rows[::3] for i in range(0, len(row), 9)]  # one pixel of nine

    def changes(self, one, two):
        return sum(max(abs(a - b) for a, b in zip(p, q)) > 12 for p, q in zip(one, two) if p != q)

    def red(self, pixels):
        return sum(r > 140 and g < 90 and b < 50 for r, g, b in pixels)

    def test_obstacles_and_the_forces_of_contacts_are_in_the_picture(self):
        post = "obstacles={post: {capsule: {from: [25, -30, 60], to: [25, 50, 60], radius: 4}}}"
        alone, beside = self.draw("east.pull=0mm"), self.draw("east.pull=0mm", "--set", post)
        changed = [b for a, b in zip(alone, beside) if a != b]
        self.assertGreater(len(changed), 500)
        self.assertLess(max(max(p) - min(p) for p in changed if max(p) > 100), 90)  # grey, before a dark bar at most
        self.assertEqual((self.red(alone), self.red(beside)), (0, 0))
        self.assertGreater(self.red(self.draw("east.pull=8mm", "--set", post)), 30)

    def test_every_shape_is_drawn_and_turns_with_its_path(self):
        self.write("wedge.obj", "v 30 0 70\nv 50 0 70\nv 40 20 70\nv 40 8 90\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
        shapes = {
            "plane": "{at: [45, 0, 0], normal: [-1, 0, 0]}",
            "sphere": "{center: [45, 10, 60], radius: 8}",
            "capsule": "{from: [45, -20, 60], to: [45, 20, 60], radius: 6}",
            "cylinder": "{from: [45, -20, 60], to: [45, 20, 60], radius: 6}",
            "box": "{center: [50, 10, 60], size: [20, 30, 10]}",
            "pipe": "{from: [10, 10, 0], to: [10, 10, 90], radius: 40}",
            "mesh": "{file: wedge.obj, mesh_unit: mm}",
        }
        alone = self.draw()
        if scenes.SANITIZED:  # one picture for all
            together = ", ".join("%s1: {%s: %s}" % (name, name, shape) for name, shape in shapes.items())
            self.assertGreater(self.changes(alone, self.draw("--set", "obstacles={%s}" % together)), 1000)
            return
        for name, shape in shapes.items():
            with self.subTest(shape=name):
                path = ", path: [{time: 40 ms, rotate: [0 deg, 20 deg, 30 deg]}]"
                still, turned = (self.draw("--set", "obstacles={o: {%s: %s%s}}" % (name, shape, way)) for way in ("", path))
                self.assertGreater(self.changes(alone, still), 150)
                moved = self.changes(still, turned)
                self.assertGreater(moved, 40) if name != "sphere" else self.assertLess(moved, 40)

    def test_a_recording_knows_how_obstacles_stood(self):
        turn = "obstacles={board: {box: {center: [60, 10, 85], size: [10, 60, 8]}, path: [{time: 40 ms, rotate: [0 deg, 0 deg, 36 deg], move: [4, 0, 0]}]}}"
        code, _, err = self.lithe("run", "scene.yaml", "--quiet", "--record", "a.h5", "--set", turn)
        self.assertEqual(code, 0, err)
        if h5py is None:
            self.skipTest("python3-h5py is not installed")
        with h5py.File(self.folder / "a.h5") as file:
            lines = file["steps/obstacle"][:].tolist()
        self.assertEqual(len(lines), 5)
        for step, line in enumerate(lines):
            for found, end in zip(line, (4e-3, 0, 0, 0, 0, math.pi / 5)):
                self.assertAlmostEqual(found, end * step / 4, delta=1e-9)

    def test_a_camera_looks_from_where_it_is_told(self):
        usual, same = self.draw("east.pull=8mm"), self.draw("east.pull=8mm", "--camera", "-53,23")
        self.assertEqual(usual, same)
        self.assertGreater(self.changes(usual, self.draw("east.pull=8mm", "--camera", "127,23")), 500)
        for wrong in ("1", "1,a", "1,95", "a,2", "1,2,3", "nan,1"):
            with self.subTest(camera=wrong):
                self.expect_error(2, ["run", "scene.yaml", "--snapshot", "b.png", "--camera", wrong], "--camera", "azimuth")
        self.assertFalse((self.folder / "b.png").exists())

    ROD = """\
units: {length: mm, pressure: MPa}
gravity: [%s m/s^2, %s m/s^2, %s m/s^2]
materials: {polymer: {law: corotational, young: 1, poisson: 0.4, density: 1 g/cm^3}}
bodies:
  wire:
    material: polymer
    rods: {shaft: {points: [[0, 0, 0], [%s]], elements: 10, %s, axis: [1, 1, 1]}}
    fix: {nearest: [0, 0, 0]}
"""

    def test_rods_have_their_thickness(self):
        covered = []
        for section in ("circle: 1", "circle: 3", "rectangle: {along: 2, across: 2}", "rectangle: {along: 8, across: 2}"):
            self.write("scene.yaml", self.ROD % (0, 0, 0, "0, 0, 100", section))
            covered.append(sum(max(p) < 200 for p in self.draw()))
        self.assertAlmostEqual(covered[1] / covered[0], 3, delta=0.25)
        self.assertGreater(covered[3] / covered[2], 2.5)

    def test_up_is_against_gravity(self):
        for gravity, end in (((3, 0, 0), "0, 0, 100"), ((0, -3, 0), "100, 0, 0"), ((0, 0, 3), "100, 0, 0")):
            self.write("scene.yaml", self.ROD % (*gravity, end, "circle: 3"))
            with self.subTest(gravity=gravity):
                width = len(range(0, 1280, 3))
                pixels = list(enumerate(self.draw("--camera", "-53,0")))
                moved = [i // width for i, (r, g, b) in pixels if r > b + 60]
                still = [i // width for i, (r, g, b) in pixels if b > r + 40 and r < 120]
                self.assertGreater(min(len(moved), len(still)), 30)
                self.assertGreater(sum(moved) / len(moved), sum(still) / len(still) + 20)

    def test_the_ground_is_there_wherever_the_robot_is(self):
        ground = "obstacles={ground: {plane: {at: [%s, 0, -5], normal: [0, 0, 1]}}}"
        near, far = (self.draw("east.pull=0mm", "--set", ground % x) for x in ("10", "5000"))
        alone = self.draw("east.pull=0mm")
        self.assertGreater(self.changes(alone, near), 5000)
        self.assertLess(self.changes(near, far), 100)

    def test_arrows_of_contacts_are_not_cropped(self):
        post = "obstacles={post: {sphere: {center: [25, 10, 85], radius: 4}}}"
        self.assertGreater(self.red(self.draw("--set", post, "east.pull=10mm", "--camera", "-90,0")), 20)
        rows = self.pixels("a.png")
        rim = [rows[0], rows[-1], *(row[:3] + row[-3:] for row in rows)]
        self.assertEqual(self.red(tuple(row[i : i + 3]) for row in rim for i in range(0, len(row), 3)), 0)

    def test_a_picture_that_cannot_be_written_is_told(self):
        self.expect_error(3, ["run", "scene.yaml", "--quiet", "--snapshot", "no/a.png"], "no/a.png")

    def test_a_picture_is_what_its_name_says(self):
        self.expect_error(2, ["run", "scene.yaml", "--snapshot", "a.svg"], "--snapshot", ".png", "a.svg")
        self.assertFalse((self.folder / "a.svg").exists())


class Report(scenes.Case):
    def test_a_report_is_one_page_that_holds_everything(self):
        self.assertEqual(self.lithe("run", "scene.yaml", "east.pull=5mm", "--record", "a.h5")[0], 0)
        code, out, err = self.lithe("report", "a.h5", "-o", "r.html")
        self.assertEqual((code, out), (0, "r.html\n"), err)
        text = (self.folder / "r.html").read_text()
        self.assertIn('<script id="data" type="text/plain">', text)
        self.assertNotIn("src=", text.split("<script>")[0])

    def test_a_scene_is_no_recording(self):
        self.expect_error(2, ["report", "scene.yaml"], "no recording", "--record")
        self.assertNotIn("report.html", self.files())

    def test_a_results_folder_is_taken_for_its_recording(self):
        words = ["--out", "r", "--record", "r/recording.h5"]
        self.assertEqual(self.lithe("run", "scene.yaml", "east.pull=5mm", *words)[0], 0)
        self.assertEqual(self.lithe("report", "r")[0], 0)
        self.assertIn("report.html", self.files())


if __name__ == "__main__":
    unittest.main()
