"""Contact as the program tells of it: pairs in the JSON, contacts.csv, forces in the frames; obstacles on their paths."""

import csv
import itertools
import json
import os
import pathlib
import re
import signal
import time
import unittest

import scenes
from test_results import arrays

POST = "obstacles={post: {capsule: {from: [25, -30, 60], to: [25, 50, 60], radius: 4}}}"


BOARD = "obstacles={board: {box: {center: [28, 10, 85], size: [10, 60, 8]}}}"
LEVER = str(pathlib.Path(os.environ["LITHE_ROOT"]) / "examples" / "lever" / "robot.yaml")

# Two prongs on a foot, a millimetre apart, and a cable that pulls one against the other.
TONGS = """\
units: {length: mm, force: N, pressure: kPa}
materials:
  silicone: {law: corotational, young: 200 kPa, poisson: 0.4}
bodies:
  tongs:
    mesh: tongs.vtk
    material: silicone
    fix: {box: [[-1, -1, -1], [31, 11, 1]]}
actuators:
  close:
    cable: {body: tongs, through: [[18, 5, 76]], pulled_from: [-40, 5, 76]}
effectors:
  left: {point: {body: tongs, at: [10, 5, 80]}}
  right: {point: {body: tongs, at: [11, 5, 80]}}
step: {steps: 4}
"""


def tongs():
    """A foot of 21 x 10 x 10 mm, and two prongs of 10 x 10 x 70 mm on it."""
    across = (0, 5, 10, 10.5, 11, 16, 21)
    cells = [c for c in itertools.product(range(6), range(2), range(16)) if c[2] < 2 or c[0] not in (2, 3)]
    tets = [scenes.corners(cell, path) for cell in cells for path in scenes.PATHS]
    number = {point: k for k, point in enumerate(sorted({point for tet in tets for point in tet}))}
    nodes = [(float(across[i]), 5.0 * j, 5.0 * k) for i, j, k in number]
    return nodes, [tuple(number[point] for point in tet) for tet in tets]


# A cord that comes back across itself, this high above.
LOOP = """\
units: {length: mm, force: N, pressure: kPa}
materials:
  rubber: {law: corotational, young: 2000 kPa, poisson: 0.45, density: 1.1 g/cm^3}
bodies:
  cord:
    material: rubber
    rods:
      cord: {points: [[0, 0, 0], [40, 0, 0], [40, 30, 0], [20, 30, 0], [20, 0, HIGH], [20, -20, HIGH]], elements: 70, circle: 2}
    fix: {nearest: [0, 0, 0]}
contacts: {self: [cord]}
step: {steps: 1}
"""


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

    def test_a_realtime_run_overlaps_nowhere(self):
        found = self.go("run", POST, "--set", "step.mode=realtime", "--set", "step.iterations=1", "east.pull=10mm")["contacts"]
        self.assertEqual((found["over"], max(self.overlaps())), (0, 0))
        self.assertGreater(min(float(line["gap_m"]) for line in self.lines()), 0)

    def test_room_for_few_contacts_is_where_it_begins(self):
        few = ["--set", "contacts.max=2", "--set", "step.mode=realtime", "east.pull=10mm"]
        code, text, err = self.lithe("run", "scene.yaml", "--json", "--set", POST, *few)
        found = json.loads(text)["contacts"]
        self.assertEqual((code, found["over"], found["merged"]), (0, 0, 0), err)
        self.assertGreater(found["active"], 2)

    def test_an_obstacle_that_turns_on_its_path_pushes(self):
        """The board's end swings by more than the gap between it and the bar; its middle stays."""
        turn = BOARD[:-2] + ", path: [{time: 40 ms, rotate: [0 deg, 0 deg, 30 deg]}]}}"
        still = self.go("run", BOARD)
        found = self.go("run", turn)
        self.assertEqual((still["contacts"]["active"], still["steps"]), (0, 4))
        self.assertGreater(found["contacts"]["active"], 0)
        self.assertLess(found["contacts"]["pairs"][0]["force"][0], -1e-3)
        self.assertLess(found["contacts"]["max_penetration"], 1e-7)

    def test_prongs_touch_each_other_where_the_scene_says_so_and_else_pass(self):
        self.write("tongs.vtk", scenes.vtk(*tongs()))
        self.write("scene.yaml", TONGS)
        apart = {}
        for self_contact in ("[tongs]", "[]"):
            found = self.go("run", "contacts={self: " + self_contact + ", max: 60}", "close.pull=4mm")
            ends = [found["effectors"][name]["position"][0] for name in ("left", "right")]
            apart[self_contact] = ends[1] - ends[0]
            if self_contact == "[tongs]":
                self.assertEqual([found["contacts"]["pairs"][0][k] for k in ("first", "second")], ["tongs", "tongs"])
                self.assertGreater(found["contacts"]["active"], 0)
                self.assertLess(found["contacts"]["max_penetration"], 1e-6 * 0.09)
        self.assertGreater(apart["[tongs]"], -1e-6)
        self.assertLess(apart["[]"], -2e-3)

    def test_the_force_does_not_depend_on_the_room_for_contacts(self):
        board = BOARD.replace("28", "24.5")
        whole = self.go("run", board, "east.pull=4mm")
        few = self.go("run", board, "--set", "contacts={max: 2}", "east.pull=4mm")
        self.assertEqual((whole["contacts"]["merged"], few["contacts"]["merged"]), (0, 0))
        self.assertGreater(whole["contacts"]["active"], 2)
        force = [found["contacts"]["pairs"][0]["force"][0] for found in (whole, few)]
        self.assertAlmostEqual(force[1], force[0], delta=1e-9 * abs(force[0]))

    def test_only_what_is_named_touches_without_others(self):
        two = POST[:-1] + ", board: {box: {center: [28, 10, 85], size: [10, 60, 8]}}}"
        named = "contacts={others: false, pairs: [{body: bar, with: board}]}"
        both = self.go("run", two, "east.pull=10mm")
        one = self.go("run", two, "--set", named, "east.pull=10mm")
        self.assertEqual([p["second"] for p in both["contacts"]["pairs"]], ["post", "board"])
        self.assertEqual([p["second"] for p in one["contacts"]["pairs"]], ["board"])

    def test_a_local_search_ends_where_a_contact_begins_and_says_so(self):
        code, out, err = self.lithe("track", LEVER, "--json", "--quiet")
        self.assertEqual(code, 1, err)
        self.assertIn("the target of 'tip' is not reached", err)
        found = json.loads(out)
        self.assertTrue(found["converged"])
        self.assertIn("local minimum", found["contacts"]["proof"])
        self.assertAlmostEqual(found["contacts"]["pairs"][0]["gap"], 0, delta=1e-7)

    def test_limits_that_contact_makes_impossible_are_named(self):
        """A post drives the bar away from its cable, which may neither give nor pull harder."""
        path = POST[:-2] + ", path: [{time: 40 ms, move: [-20, 0, 0]}]}}"
        task = "task={hold: {effector: tip, at: [10, 10, 90]}}"
        limits = "actuators.east.limits={pull: [-1, 20], tension: [0, 0.2]}"
        words = ["track", "scene.yaml", "--quiet", "--set", path, "--set", task, "--set", limits, "--steps", "4", "--out", "out"]
        code, _, err = self.lithe(*words)
        self.assertEqual(code, 1, err)
        self.assertIn("no efforts meet all limits", err)
        self.assertIn("east", err)

    def test_a_pair_that_is_off_does_not_touch(self):
        off = "contacts={pairs: [{body: bar, with: post, off: true}]}"
        found = self.go("run", POST, "--set", off, "east.pull=8mm")
        self.assertEqual(found["contacts"]["active"], 0)
        self.assertEqual(found["contacts"]["pairs"][0]["force"], [0, 0, 0])
        self.assertIsNone(found["contacts"]["pairs"][0]["gap"])

    def test_a_rod_that_is_deep_in_itself_at_rest_is_refused(self):
        """Nothing could tell on which side of each other its parts belong."""
        for high, status in ((2, 2), (3, 2), (3.95, 0), (4.5, 0), (6, 0)):
            self.write("loop.yaml", LOOP.replace("HIGH", str(high)))
            for mode in ("realtime", "converged"):
                code, _, err = self.lithe("run", "loop.yaml", "--quiet", "--set", f"step.mode={mode}")
                self.assertEqual(code, status, f"{high} mm, {mode}: {err}")
                if status:
                    found = re.search(r"'cord' is (\S+) mm deep in itself at rest, at \(0.02,", err)
                    self.assertAlmostEqual(float(found[1]), 4 - high, delta=0.02, msg=err)
        self.write("loop.yaml", LOOP.replace("HIGH", "2").replace("contacts: {self: [cord]}\n", ""))
        code, _, err = self.lithe("run", "loop.yaml", "--quiet")
        self.assertEqual(code, 0, err)


# A soft block that is pushed down on another, and along it.
BLOCKS = """\
units: {length: mm, force: N, pressure: kPa}
gravity: [0, 0, 0]
materials: {soft: {law: neo-hookean, young: 100, poisson: 0.42, density: 1000 kg/m^3}}
bodies:
  low: {mesh: block.vtk, material: soft, fix: {plane: {point: [0, 0, 0], normal: [0, 0, -1]}}}
  top: {mesh: block.vtk, material: soft, place: {rotate: [0, 0, 20 deg], move: [4, -3, 16.5]}}
actuators:
  push:
    slider: {body: top, direction: [0.2, 0, -1], plane: {point: [0, 0, 32.4], normal: [0, 0, 1]}}
    play: {waypoints: [{time: 0.05 s, at: 3}]}
contacts: {friction: 0.8}
dynamics: {scheme: euler, duration: 0.05 s}
step: {mode: realtime, dt: 5 ms}
"""


# A bar that two cables along one side press against a leaning wall until it buckles: they hold it by their lengths.
BUCKLED = """\
units: {length: mm, force: N, pressure: kPa}
gravity: [-9.81 m/s^2, 0, 0]
materials:
  silicone: {law: corotational, young: 124 kPa, poisson: 0.42, density: 1.05 g/cm^3}
bodies:
  bar:
    mesh: bar.vtk
    material: silicone
    fix: {plane: {point: [0, 0, 0], normal: [0, 0, -1]}}
actuators:
  left: {cable: {body: bar, through: [THROUGH_2.25], pulled_from: [1, 2.25, -1]}, limits: {pull: [0, 15]}}
  right: {cable: {body: bar, through: [THROUGH_9], pulled_from: [1, 9, -1]}, limits: {pull: [0, 15]}}
obstacles:
  wall: {plane: {at: [0, 0, 78.6], normal: [0.607, -0.065, -1]}}
effectors:
  tip: {point: {body: bar, at: [5.4, 5.6, 75.6]}}
step: {mode: converged, steps: 10}
"""


# A bar that is bent over a ball until it slips off it.
SLIPPING = """\
units: {length: mm, force: N, pressure: kPa}
gravity: [-9.81 m/s^2, 0, 0]
materials:
  silicone: {law: corotational, young: 331 kPa, poisson: 0.42, density: 1.05 g/cm^3}
bodies:
  bar:
    mesh: bar.vtk
    material: silicone
    fix: {plane: {point: [0, 0, 0], normal: [0, 0, -1]}}
actuators:
  left: {cable: {body: bar, through: [THROUGH_2.63], pulled_from: [1, 2.63, -1]}, limits: {pull: [0, 21]}}
  right: {cable: {body: bar, through: [THROUGH_10.53], pulled_from: [1, 10.53, -1]}, limits: {pull: [0, 21]}}
obstacles:
  ball: {sphere: {center: [-8.42, 6.39, 85.86], radius: 6.15}}
effectors:
  tip: {point: {body: bar, at: [6.27, 6.585, 104.58]}}
step: {mode: converged, steps: 100}
"""


class Slipping(scenes.Case):
    def test_pulls_in_realtime_do_not_jump_where_a_bar_slips_off(self):
        text = SLIPPING
        for y in (2.63, 10.53):
            text = text.replace(f"THROUGH_{y}", ", ".join(f"[1, {y}, {8.71 * k}]" for k in range(1, 12)))
        nodes, tets = scenes.bar((2, 3, 14), 1.0)
        (self.folder / "bar.vtk").write_text(scenes.vtk([(6.27 * x, 4.39 * y, 7.47 * z) for x, y, z in nodes], tets))
        (self.folder / "slipping.yaml").write_text(text)
        code, _, err = self.lithe("run", "slipping.yaml", "--out", "out", "left.pull=12.3mm", "right.pull=10.7mm")
        self.assertEqual(code, 0, err)
        with open(self.folder / "out" / "series.csv") as file:
            path = [[line[f"tip.{axis}_m"] for axis in "xyz"] for line in csv.DictReader(file)]
        lines = [f"{0.01 * k},{','.join(point)}" for k, point in enumerate(path)]
        (self.folder / "path.csv").write_text("time_s,tip.x_m,tip.y_m,tip.z_m\n" + "\n".join(lines) + "\n")
        code, _, err = self.lithe("track", "slipping.yaml", "--out", "out", "--set", "task={follow: {effector: tip, csv: path.csv}, settle: 20}",
                                  "--set", "step={mode: realtime, dt: 5 ms}")
        self.assertEqual(code, 0, err)
        with open(self.folder / "out" / "series.csv") as file:
            pulls = [[float(line[f"{side}.pull_m"]) for side in ("left", "right")] for line in csv.DictReader(file)]
        for side in (0, 1):
            way = sum(abs(b[side] - a[side]) for a, b in zip(pulls, pulls[1:]))
            self.assertLess(way, 1.3 * pulls[-1][side])


class Buckled(scenes.Case):
    def test_pulls_are_recovered_where_only_they_hold_the_shape(self):
        text = BUCKLED
        for y in (2.25, 9):
            text = text.replace(f"THROUGH_{y}", ", ".join(f"[1, {y}, {6.33 * k}]" for k in range(1, 12)))
        nodes, tets = scenes.bar((2, 3, 14), 1.0)
        (self.folder / "bar.vtk").write_text(scenes.vtk([(5.4 * x, 3.75 * y, 5.4 * z) for x, y, z in nodes], tets))
        (self.folder / "buckled.yaml").write_text(text)
        code, out, err = self.lithe("run", "buckled.yaml", "--json", "left.pull=4.7mm", "right.pull=6.8mm")
        self.assertEqual(code, 0, err)
        tip = json.loads(out)["effectors"]["tip"]["position"]
        aim = ", ".join(f"{1e3 * x!r}" for x in tip)
        code, out, err = self.lithe("track", "buckled.yaml", "--json", "--set", f"task={{hold: {{effector: tip, at: [{aim}]}}}}",
                                    "--set", "step.steps=1")
        self.assertEqual(code, 0, err)
        found = json.loads(out)["actuators"]
        self.assertAlmostEqual(found["left"]["displacement"], 4.7e-3, delta=1e-9)
        self.assertAlmostEqual(found["right"]["displacement"], 6.8e-3, delta=1e-9)


# A soft block that is pushed onto another one aslant, and comes to rest on it.
class Naming(scenes.Case):
    def test_the_answer_does_not_depend_on_order_room_or_detection_distance(self):
        nodes, tets = scenes.bar(cells=(4, 4, 2), size=10.0)
        self.write("block.vtk", scenes.vtk([(x - 20, y - 20, z * 16 / 20) for x, y, z in nodes], tets))
        low, top = [line for line in BLOCKS.splitlines(True) if "block.vtk" in line]
        still = re.sub(r"(contacts|dynamics|step): .*\n", "", BLOCKS).replace("play: {waypoints: [{time: 0.05 s, at: 3}]}", "command: {travel: 3}")
        self.write("blocks.yaml", still)
        self.write("turned.yaml", still.replace(low + top, top + low))
        told = (
            ("blocks.yaml", "{}"),
            ("turned.yaml", "{}"),
            ("blocks.yaml", "{pairs: [{body: top, with: low}]}"),
            ("blocks.yaml", "{detection_distance: 0.01}"),
            ("blocks.yaml", "{detection_distance: 20}"),
            ("blocks.yaml", "{max: 1}"),
        )
        found = {}
        for scene, contacts in told:
            code, text, err = self.lithe("run", scene, "--json", "--set", f"contacts={contacts}")
            self.assertEqual(code, 0, err)
            (pair,) = json.loads(text)["contacts"]["pairs"]
            self.assertGreater(pair["active"], 20)
            sign = 1 if pair["first"] == "low" else -1
            found[scene, contacts] = [sign * force for force in pair["force"]]
        first = found[told[0]]
        self.assertLess(first[2], -1)
        for which, force in found.items():
            for one, other in zip(first, force):
                self.assertAlmostEqual(other, one, delta=1e-7 * abs(first[2]), msg=which)


@unittest.skipIf(scenes.SANITIZED, "other tests step through the same code; this one counts")
class Sliding(scenes.Case):
    def test_soft_blocks_that_slide_on_each_other_take_few_passes(self):
        nodes, tets = scenes.bar(cells=(8, 8, 3), size=5.0)
        self.write("block.vtk", scenes.vtk([(x - 20, y - 20, z * 16 / 15) for x, y, z in nodes], tets))
        self.write("blocks.yaml", BLOCKS)
        code, text, err = self.lithe("run", "blocks.yaml", "--out", "out")
        self.assertEqual(code, 0, err)
        self.assertLess(int(re.search(r"(\d+) Newton iterations", text)[1]), 200)  # of ten steps
        with open(self.folder / "out" / "series.csv") as file:
            self.assertLess(max(float(line["residual"]) for line in csv.DictReader(file)), 0.03)


class Interrupt(scenes.Case):
    """Inside one long solve: no step has ended yet."""

    def interrupt(self, number, *words):
        with self.start(*words, "--out", "out", "--json") as process:
            time.sleep(3 if scenes.SANITIZED else 1)
            self.assertIsNone(process.poll(), "it had ended before")
            process.send_signal(number)
            try:
                out, err = process.communicate(timeout=60)
            finally:
                process.kill()  # one that goes on shall fail here, not hang
        self.assertEqual((process.returncode, out), (130, ""), err)
        self.assertIn("interrupted", err)
        self.assertFalse((self.folder / "out").exists())
        self.assertEqual([name for name in self.files() if "partial" in name], [])

    def test_a_run_ends_inside_a_step(self):
        self.write("bar.vtk", scenes.vtk(*scenes.bar((6, 6, 60), 10 / 3)))
        steps = ["--set", "step.steps=100000", "--set", "step.tolerance=1e-15", "--set", "step.max_iterations=1000000"]
        self.interrupt(signal.SIGTERM, "run", "scene.yaml", "east.pull=20mm", "--set", POST, *steps)

    def test_a_track_ends_inside_a_step(self):
        task = "task={hold: {effector: tip, at: [40, 10, 70]}}"
        endless = ["--set", "step.tolerance=1e-15", "--set", "step.max_iterations=1000000"]
        self.write("bar.vtk", scenes.vtk(*scenes.bar((9, 9, 90), 20 / 9)))
        self.interrupt(signal.SIGINT, "track", "scene.yaml", "--set", POST, "--set", task, *endless)


if __name__ == "__main__":
    unittest.main()
