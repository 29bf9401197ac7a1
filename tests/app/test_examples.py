"""The example robots reach every corner of their commands, told efforts or displacements alike, on any threads."""

import csv
import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

LITHE = os.environ["LITHE"]
EXAMPLES = pathlib.Path(os.environ["LITHE_ROOT"]) / "examples"
SANITIZED = "sanitize" in os.path.basename(os.environ.get("LITHE_BUILD", ""))
LEGS = ("north", "west", "south", "east")


class Example(unittest.TestCase):
    def settle(self, name, *words):
        """The last equilibrium, reached in one step from rest."""
        scene = EXAMPLES / name / "robot.yaml"
        words = [LITHE, "run", str(scene), *words, "--set", "step.mode=converged", "--steps", "1", "--json", "--quiet"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
        found = json.loads(done.stdout)
        self.assertIs(found["converged"], True)
        self.assertLess(found["residual"]["force"], 1e-8, words)
        self.assertLess(found["residual"]["task"], 1e-8, words)
        return found

    def check_same(self, one, two, smallest=1e-3):
        """The tip to 1e-6 of 0.1 m, rows to 1e-6 of the largest one, or of the smallest (m, N) that counts."""
        tips = (found["effectors"]["tip"]["position"] for found in (one, two))
        for a, b in zip(*tips):
            self.assertLess(abs(a - b), 1e-6 * 0.1)
        for key in ("displacement", "effort"):
            values = [[rows[key] for rows in found["actuators"].values()] for found in (one, two)]
            scale = max(*map(abs, values[0]), smallest)
            for a, b in zip(*values):
                self.assertLess(abs(a - b), 1e-6 * scale, key)


class Parallel(Example):
    def test_every_corner_is_reached_and_efforts_lead_there_again(self):
        for pulls in list(itertools.product((0, 20), repeat=4))[:: 5 if SANITIZED else 1]:
            with self.subTest(pulls=pulls):
                found = self.settle("parallel", *(f"{leg}.pull={pull}mm" for leg, pull in zip(LEGS, pulls)))
                for leg, pull in zip(LEGS, pulls):
                    row = found["actuators"][leg]
                    self.assertGreaterEqual(row["effort"], 0)
                    slack = row["effort"] == 0 and row["displacement"] > pull / 1000
                    self.assertTrue(slack or abs(row["displacement"] - pull / 1000) < 1e-9, row)
                if list(pulls) == sorted(pulls):  # none, one, two, three, four of them
                    efforts = (f"{leg}.tension={found['actuators'][leg]['effort']!r} N" for leg in LEGS)
                    self.check_same(found, self.settle("parallel", *efforts))

    def test_opposite_cables_move_the_tip_to_opposite_sides(self):
        tips = {leg: self.settle("parallel", f"{leg}.pull=20mm")["effectors"]["tip"]["position"] for leg in LEGS}
        for leg, other, axis in (("north", "south", 1), ("east", "west", 0)):
            self.assertLess(tips[leg][axis] * tips[other][axis], -1e-4)

    def test_threads_do_not_change_a_bit(self):
        one, two = (self.settle("parallel", "north.pull=20mm", "west.pull=10mm", "--threads", n) for n in ("1", "2"))
        for key in ("effectors", "actuators", "residual"):
            self.assertEqual(one[key], two[key])


class Accordion(Example):
    def test_full_pressure_is_reached_and_the_volume_leads_there_again(self):
        rest = self.settle("accordion", "air.pressure=0kPa")["effectors"]["tip"]["position"]
        found = self.settle("accordion", "air.pressure=20kPa")
        tip, air = found["effectors"]["tip"]["position"], found["actuators"]["air"]
        self.assertGreater(tip[2], rest[2] + 0.001)
        self.assertLess(max(abs(tip[0]), abs(tip[1])), 0.002)  # it is round
        self.check_same(found, self.settle("accordion", f"air.volume={air['displacement']!r} m^3"), 0)

    def test_threads_do_not_change_a_bit(self):
        one, two = (self.settle("accordion", "--threads", n) for n in ("1", "2"))
        for key in ("effectors", "actuators", "residual"):
            self.assertEqual(one[key], two[key])


class Tripod(Example):
    """Servos, rigid arms and a rigid platform: what the angles were made of is found again."""

    SERVOS = ("one", "two", "three")
    SIZE = 0.19

    def track(self, height, tilt):
        scene = (EXAMPLES / "tripod" / "robot.yaml").read_text().split("# The platform rises")[0]
        scene += "task:\n  hold:\n    - {effector: centre, at: %.15g m}\n" % height
        scene += "    - {effector: tilt, at: [%.15g rad, %.15g rad]}\n" % tuple(tilt)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "robot.yaml"
            path.write_text(scene.replace("robot.msh", str((EXAMPLES / "tripod" / "robot.msh").resolve())))
            words = [LITHE, "track", str(path), "--json", "--quiet", "--steps", "1"]
            return subprocess.run(words, capture_output=True, text=True, timeout=120)

    def pose(self, angles):
        found = self.settle("tripod", *(f"{name}.angle={angle}deg" for name, angle in zip(self.SERVOS, angles)))
        return found["effectors"]["centre"]["position"], found["effectors"]["tilt"]["position"]

    def test_every_corner_is_reached(self):
        for angles in list(itertools.product((-45, 45), repeat=3))[:: 4 if SANITIZED else 1]:
            with self.subTest(angles=angles):
                self.pose(angles)

    def test_poses_are_reached(self):
        draw = random.Random(1)
        for trial in range(3 if SANITIZED else 10):
            angles = [draw.uniform(-44, 44) for _ in self.SERVOS]
            with self.subTest(angles=angles):
                height, tilt = self.pose(angles)
                done = self.track(height, tilt)
                self.assertEqual(done.returncode, 0, done.stderr)
                found = json.loads(done.stdout)
                self.assertLess(abs(found["effectors"]["centre"]["position"] - height), 1e-6 * self.SIZE)
                for one, other in zip(found["effectors"]["tilt"]["position"], tilt):
                    self.assertLess(abs(one - other), 1e-6)
                for name, angle in zip(self.SERVOS, angles):
                    self.assertLess(abs(math.degrees(found["actuators"][name]["displacement"]) - angle), 1e-3)

    def test_poses_out_of_reach_name_what_is_in_the_way(self):
        done = self.track(0.13, (0, 0))  # higher than all arms up
        self.assertEqual(done.returncode, 1, done.stderr)
        for name in self.SERVOS:
            self.assertIn(name, done.stderr)
            self.assertIn("angle", done.stderr)


class Tasks(Example):
    """Every example does its task in real time."""

    def test_tips_stay_on_their_paths(self):
        for name in ("parallel", "finger", "accordion", "staircase", "trunk", "catheter"):
            with self.subTest(name=name):
                words = [LITHE, "track", str(EXAMPLES / name / "robot.yaml"), "--set", "step.mode=realtime", "--json"]
                words += ["--steps", "40"] if SANITIZED else []
                done = subprocess.run(words, capture_output=True, text=True, timeout=250)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("notice", done.stderr)
                found = json.loads(done.stdout)
                self.assertEqual(found["limits"], [])
                followed = [e for e in found["effectors"].values() if e["target"] is not None]
                self.assertEqual(len(followed), 1)
                self.assertLess(followed[0]["error_max"], 5e-5)


class Fork(Example):
    """The catheter finds either branch, whatever the length of its steps."""

    def test_it_reaches_both_branches_in_short_and_long_steps(self):
        mirrored = ["--set", "task.follow.waypoints.2.at=[-7, 0.3, 120.4]", "--set", "task.follow.waypoints.3.at=[-28, 0, 156]"]
        runs = [("60 ms", mirrored), ("60 ms", []), ("40 ms", mirrored), ("10 ms", [])]
        for dt, branch in runs[: 1 if SANITIZED else None]:
            with self.subTest(dt=dt, branch=branch):
                words = [LITHE, "track", str(EXAMPLES / "fork" / "robot.yaml"), "--json", "--set", f"step.dt={dt}", *branch]
                done = subprocess.run(words, capture_output=True, text=True, timeout=250)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("notice", done.stderr)
                found = json.loads(done.stdout)
                self.assertLess(found["effectors"]["tip"]["error_max"], 2e-4)
                self.assertLess(found["effectors"]["tip"]["error"], 1e-8)
                self.assertEqual(found["contacts"]["over"], 0)


class Dominoes(Example):
    """Rigid bodies that roll, topple and lie on each other."""

    def play(self, *words):
        words = [LITHE, "run", str(EXAMPLES / "dominoes" / "robot.yaml"), "--json", "--quiet", *words]
        done = subprocess.run(words, capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["effectors"]

    def test_the_ball_rolls_at_5_7_of_its_speed(self):
        a, b = (self.play("--steps", n)["middle"]["position"][0] for n in ("35", "50"))
        self.assertLess(abs((b - a) / 0.030 / (0.6 * 5 / 7) - 1), 2e-3)

    @unittest.skipIf(SANITIZED, "step/test_rigid has contacts of rigid bodies there")
    def test_all_blocks_fall(self):
        self.assertLess(self.play()["top"]["position"][2], 0.02)


class Stack(Example):
    """Ten rigid boxes on each other."""

    @unittest.skipIf(SANITIZED, "step/test_rigid_contact has a smaller one there")
    def test_they_come_to_rest_and_stand(self):
        words = [LITHE, "run", str(EXAMPLES / "dominoes" / "stack.yaml"), "--json", "--quiet", "--set", "dynamics.duration=5 s"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        x, y, z = found["effectors"]["top"]["position"]
        self.assertLess(max(abs(x), abs(y)), 1e-6)
        self.assertLess(abs(z - 0.19), 0.003)  # ten gaps of what contacts keep
        self.assertLess(found["energy"]["kinetic"], 1e-18)  # J: at such speeds none gets farther than that in the minute


class Gripper(Example):
    """Three soft fingers hold what is rigid."""

    @unittest.skipIf(SANITIZED, "step/test_rigid_contact has contacts of rigid bodies there")
    def test_a_box_and_a_ball_are_lifted(self):
        for scene in ("robot.yaml", "sphere.yaml"):
            words = [LITHE, "run", str(EXAMPLES / "gripper" / scene), "--json", "--quiet", "--steps", "200"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)["effectors"]
            self.assertGreater(found["centre"]["position"][2], -0.05 + 0.8 * 0.015 - 0.003)  # lift.travel_m at 1 s, aslant
            self.assertLess(found["centre"]["position"][0] - found["top"]["position"][0], 0.003)

    @unittest.skipIf(SANITIZED, "step/test_rigid_contact has contacts of rigid bodies there")
    def test_shaking_loses_nothing(self):
        """Three seconds of it: where the thing lies between the fingers in the end, against before."""
        for scene in ("robot.yaml", "sphere.yaml"):
            found = []
            for steps in ("200", "800"):
                words = [LITHE, "run", str(EXAMPLES / "gripper" / scene), "--json", "--quiet", "--steps", steps]
                done = subprocess.run(words, capture_output=True, text=True, timeout=120)
                self.assertEqual(done.returncode, 0, done.stderr)
                ends = json.loads(done.stdout)["effectors"]
                found.append([a - b for a, b in zip(ends["centre"]["position"], ends["top"]["position"])])
            self.assertLess(math.dist(*found), 1e-3, scene)


class Maze(Example):
    """A tripod leans a tray so that a ball rolls through its maze."""

    @unittest.skipIf(SANITIZED, "step/test_rigid_contact has contacts of rigid bodies there")
    def test_the_ball_comes_out(self):
        scene = str(EXAMPLES / "maze" / "robot.yaml")
        for time, corner in (("2.2 s", (23, 1)), ("5.2 s", (23, 23))):  # against the walls, a radius off them
            words = [LITHE, "run", scene, "--json", "--quiet", "--set", "step.dt=10 ms", "--set", f"dynamics.duration={time}"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)["effectors"]
            ball, end = (found[name]["position"] for name in ("ball-at", "corner"))
            gone = math.dist(ball, end)
            self.assertLess(abs(gone - math.hypot(28 - corner[0], 28 - corner[1], 5) / 1000), 0.004, time)

    @unittest.skipIf(SANITIZED, "the tripod's own tests are there")
    def test_the_angles_are_those_that_the_inverse_finds(self):
        with tempfile.TemporaryDirectory() as folder:
            words = [LITHE, "track", str(EXAMPLES / "maze" / "tilt.yaml"), "--quiet", "--out", folder + "/out"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(folder + "/out/actuation.csv", encoding="utf-8") as found, open(EXAMPLES / "maze" / "tilt.csv", encoding="utf-8") as told:
                for one, other in zip(csv.DictReader(found), csv.DictReader(told), strict=True):
                    for name in ("one", "two", "three"):
                        self.assertLess(abs(float(one[name + ".angle_rad"]) - float(other[name + ".angle_rad"])), 1e-5)


class Snake(Example):
    """Soft links between rigid plates on wheels."""

    def test_its_files_are_what_its_script_writes(self):
        script = EXAMPLES / "snake" / "scene.py"
        for what, name in (("mesh", "link.msh"), ("robot", "robot.yaml"), ("patch", "patch.yaml"), ("link", "link.yaml"), ("length", "length.yaml")):
            done = subprocess.run(["/usr/bin/env", "python3", str(script), what], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.stdout, (EXAMPLES / "snake" / name).read_text(), name)

    def test_a_link_bends_to_both_sides_alike(self):
        bend = {}
        for side in ("left", "right"):
            words = [LITHE, "run", str(EXAMPLES / "snake" / "link.yaml"), f"{side}.pressure=20kPa", "--set", "step.dt=1 s", "--steps", "1", "--json", "--quiet"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            bend[side] = json.loads(done.stdout)["effectors"]["bend"]["position"][2]
        self.assertLess(bend["left"], -0.1)
        self.assertLess(abs(bend["left"] + bend["right"]), 0.02 * bend["right"])

    @unittest.skipIf(SANITIZED, "step/test_members and step/test_joints have its parts there")
    def test_threads_do_not_change_a_bit_while_it_rolls(self):
        found = []
        for threads in ("1", "3"):
            words = [LITHE, "run", str(EXAMPLES / "snake" / "robot.yaml"), "--steps", "12", "--threads", threads, "--json", "--quiet"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            found.append(json.loads(done.stdout))
        self.assertEqual(found[0]["contacts"]["active"], 10)
        for other in found[1:]:
            for key in ("effectors", "actuators", "residual", "energy"):
                self.assertEqual(found[0][key], other[key])


class Linkage(Example):
    """A four-bar linkage, once around."""

    def test_the_rocker_is_where_the_triangles_say(self):
        for steps in (37, 100, 200):
            words = [LITHE, "run", str(EXAMPLES / "linkage" / "robot.yaml"), "--json", "--quiet", "--steps", str(steps)]
            done = subprocess.run(words, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)
            angle = math.pi * steps / 100
            x, z = 0.03 * math.sin(angle), 0.03 * math.cos(angle)
            far = math.hypot(0.1 - x, z)
            tilt = math.atan2(-z, 0.1 - x) + math.acos((0.08**2 + far**2 - 0.07**2) / (2 * 0.08 * far))
            for one, other in zip(found["effectors"]["end"]["position"], (x + 0.08 * math.cos(tilt), 0, z + 0.08 * math.sin(tilt))):
                self.assertLess(abs(one - other), 1e-8)
            self.assertLess(max(joint["gap"] for joint in found["joints"].values()), 1e-9)


class Stewart(Example):
    """A platform on six legs, whose lengths are distances of points."""

    @staticmethod
    def rotate(vector, p):
        angle = math.hypot(*vector)
        if angle == 0:
            return p
        k = [v / angle for v in vector]
        cross = (k[1] * p[2] - k[2] * p[1], k[2] * p[0] - k[0] * p[2], k[0] * p[1] - k[1] * p[0])
        along = sum(a * b for a, b in zip(k, p)) * (1 - math.cos(angle))
        return [math.cos(angle) * a + math.sin(angle) * b + along * c for a, b, c in zip(p, cross, k)]

    def test_every_leg_is_as_long_as_its_ends_are_apart(self):
        def ring(radius, angles, height):
            return [(radius * math.cos(a), radius * math.sin(a), height) for a in map(math.radians, angles)]

        feet = ring(0.1, (-12, 12, 108, 132, 228, 252), 0)
        heads = ring(0.06, (-48, 48, 72, 168, 192, 288), 0)
        with tempfile.TemporaryDirectory() as folder:
            words = [LITHE, "track", str(EXAMPLES / "stewart" / "robot.yaml"), "--quiet", "--out", folder + "/out"]
            words += ["--set", "step.dt=0.1 s"] if SANITIZED else []
            done = subprocess.run(words, capture_output=True, text=True, timeout=250)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(folder + "/out/series.csv", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        self.assertGreater(len(rows), 20)
        leant = 0
        for row in rows:
            centre = [float(row[f"centre.{axis}_m"]) for axis in "xyz"]
            lean = [float(row[f"lean.{axis}_rad"]) for axis in "xyz"]
            leant = max(leant, math.hypot(*lean))
            for i, (foot, head) in enumerate(zip(feet, heads), 1):
                end = [a + b for a, b in zip(centre, self.rotate(lean, head))]
                travel = math.dist(foot, end) - math.dist(foot, (head[0], head[1], 0.12))
                self.assertLess(abs(float(row[f"motor{i}.travel_m"]) - travel), 2e-8)  # places have nine digits
            held = sum(float(row[f"head{i}.force.z_N"]) for i in range(1, 7))
            self.assertLess(abs(held - 0.3 * 9.81), 1e-6)
        self.assertGreater(leant, 0.2)


class Lever(Example):
    """A beam between two posts [coevoet2019, figure 4.6]."""

    def track(self, at, *words):
        posts = ", ".join(f"{name}: {{cylinder: {{from: [{at}, -20, {z}], to: [{at}, 20, {z}], radius: 5}}}}"
                          for name, z in (("above", 16), ("below", -15.5)))
        words = [f"--set={word}" for word in (f"obstacles={{{posts}}}", *words)]
        words = [LITHE, "track", str(EXAMPLES / "lever" / "robot.yaml"), "--json", "--quiet", *words]
        done = subprocess.run(words, capture_output=True, text=True, timeout=250)
        return done.returncode, json.loads(done.stdout)

    def test_wherever_the_posts_stand_the_lever_is_found(self):
        for at in (97, 100, 103):  # at 97 and 103 the linear model sees another way, which an obstacle bars in truth
            with self.subTest(at=at):
                code, found = self.track(at, "contacts.search=global")
                self.assertEqual(code, 0)
                self.assertEqual(found["actuators"]["upper"]["effort"], 0)
                self.assertGreater(found["actuators"]["lower"]["effort"], 9)
                self.assertLess(found["effectors"]["tip"]["error"], 1e-8)


class Swing(unittest.TestCase):
    """The trunk that is let go."""

    def test_it_swings_to_the_other_side_and_gains_no_energy(self):
        words = [LITHE, "run", str(EXAMPLES / "trunk" / "swing.yaml"), "--json", "--quiet", "--steps"]
        total = []
        for steps in ("1", "9"):
            done = subprocess.run([*words, steps], capture_output=True, text=True, timeout=250)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)
            total.append(sum(found["energy"].values()))
        self.assertLess(found["effectors"]["tip"]["position"][0], -0.04)
        self.assertLess(total[1], total[0])
        self.assertGreater(total[1], 0.7 * total[0])
        self.assertGreater(found["adaptive"]["taken"], 9)
        self.assertLessEqual(found["adaptive"]["error"], 5e-5)


class Catheter(Example):
    def test_a_tendon_bends_it_to_its_own_side_and_back(self):
        found = self.settle("catheter", "first.pull=1.5mm")
        tip, heading = (found["effectors"][name] for name in ("tip", "heading"))
        x, y, z = tip["position"]
        self.assertGreater(x, 0.03)
        self.assertLess(abs(y), 1e-6)
        self.assertLess(z, 0.095)
        told = found["actuators"]["first"]["effort"]
        again = self.settle("catheter", f"first.tension={told!r}N")
        self.check_same(found, again)
        for one, two in zip(heading["position"], again["effectors"]["heading"]["position"]):
            self.assertLess(abs(one - two), 1e-6)


class Module(Example):
    PAIRS = ("pair1", "pair2", "pair3")

    def test_a_pair_bends_the_module_away_from_itself_and_all_of_them_lengthen_it(self):
        tip = self.settle("module", "pair1.pressure=30kPa")["effectors"]["tip"]["position"]
        away = -(tip[0] * math.cos(math.pi / 3) + tip[1] * math.sin(math.pi / 3))  # its chambers are at 30 and 90 degrees
        aside = abs(tip[0] * math.sin(math.pi / 3) - tip[1] * math.cos(math.pi / 3))
        self.assertGreater(away, 5e-3)
        self.assertLess(aside, 0.1 * away)
        if not SANITIZED:
            tip = self.settle("module", *(f"{pair}.pressure=30kPa" for pair in self.PAIRS))["effectors"]["tip"]["position"]
            self.assertGreater(tip[2], 57e-3)
            self.assertLess(math.hypot(tip[0], tip[1]), 1e-3)


if __name__ == "__main__":
    unittest.main()
