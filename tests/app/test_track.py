"""lithe track: the task is done, what cannot be reached is said, and the outputs are whole."""

import csv
import json
import math
import unittest

import scenes

# Four cables along a bar that stands on its end; the tip is in the middle of the far end.
ROBOT = """\
units: {length: mm, force: N, pressure: kPa}
materials:
  silicone: {law: corotational, young: 200 kPa, poisson: 0.4, density: 1 g/cm^3}
bodies:
  bar:
    mesh: bar.vtk
    material: silicone
    fix: {box: [[-1, -1, -1], [21, 21, 1]]}
actuators:
  east: {cable: {body: bar, through: [[18, 10, 30], [18, 10, 85]], pulled_from: [18, 10, -10]}, limits: {pull: [0, 20]}}
  north: {cable: {body: bar, through: [[10, 18, 30], [10, 18, 85]], pulled_from: [10, 18, -10]}, limits: {pull: [0, 20]}}
  west: {cable: {body: bar, through: [[2, 10, 30], [2, 10, 85]], pulled_from: [2, 10, -10]}, limits: {pull: [0, 20]}}
  south: {cable: {body: bar, through: [[10, 2, 30], [10, 2, 85]], pulled_from: [10, 2, -10]}, limits: {pull: [0, 20]}}
effectors:
  tip: {point: {body: bar, at: [10, 10, 90]}}
  lean: {point: {body: bar, at: [10, 10, 90]}, axes: [x, y]}
  middle: {point: {body: bar, at: [10, 10, 50]}, axes: [x], priority: 2}
sensors:
  string: {string: {body: bar, through: [[4, 4, 5], [4, 4, 85]]}}
  gauge: {force: {actuator: east}}
step: {dt: 10 ms}
"""

HOLD = "task={hold: {effector: lean, at: [14, 12]}}"
FAR = "task={hold: {effector: tip, at: [60, 10, 60]}}"
CIRCLE = (
    "task={follow: {effector: tip, circle: {center: [10, 10, 87], radius: 4, normal: [0, 0, 1],"
    " period: 200 ms}}, approach: 200 mm/s}"
)
KEYS = (
    "scene version steps dofs nodes elements threads converged residual step_ms phase_ms effectors"
    " actuators sensors contacts reached limits"
)


class Case(scenes.Case):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", ROBOT)

    def track(self, task, *words, status=0):
        code, out, err = self.lithe("track", "scene.yaml", "--json", "--set", task, *words)
        self.assertEqual(code, status, err)
        return json.loads(out)

    def table(self, name):
        with open(self.folder / "out" / name) as file:
            return list(csv.DictReader(file))


class Track(Case):
    def test_json_has_every_key_of_the_contract(self):
        found = self.track(HOLD)
        self.assertEqual(set(found), set(KEYS.split()))
        self.assertEqual((found["converged"], found["reached"], found["limits"]), (True, True, []))
        lean, tip = found["effectors"]["lean"], found["effectors"]["tip"]
        self.assertEqual(lean["target"], [0.014, 0.012])
        self.assertEqual(len(lean["position"]), 2)
        for key in ("error", "error_rms", "error_max"):
            self.assertLess(lean[key], 1e-8)
            self.assertIsNone(tip[key])
        self.assertIsNone(tip["target"])
        self.assertLess(found["residual"]["task"], 1e-8)
        self.assertEqual(set(found["sensors"]["string"]), {"value"})
        self.assertEqual(
            found["sensors"]["gauge"]["value"], found["actuators"]["east"]["effort"]
        )
        self.assertEqual(found["steps"], 1)

    def test_what_it_finds_brings_a_forward_run_to_the_target(self):
        found = self.track(HOLD)
        pulls = [
            f"{name}.pull={a['displacement']!r} m"
            for name, a in found["actuators"].items()
            if a["effort"] > 0
        ]
        code, out, err = self.lithe("run", "scene.yaml", "--json", *pulls)
        self.assertEqual(code, 0, err)
        for got, wanted in zip(json.loads(out)["effectors"]["lean"]["position"], [0.014, 0.012]):
            self.assertAlmostEqual(got, wanted, places=7)

    def test_a_circle_is_followed_and_written_for_hardware(self):
        found = self.track(CIRCLE, "--out", "out")
        tip = found["effectors"]["tip"]
        self.assertTrue(found["reached"])
        self.assertLess(tip["error_max"], 1e-8)
        for got, wanted in zip(tip["target"], [0.014, 0.01, 0.087]):
            self.assertAlmostEqual(got, wanted, places=12)
        approach = 0.005 / 0.2 / 0.01
        self.assertEqual(found["steps"], math.ceil(approach) + 20)
        lines = self.table("series.csv")
        self.assertEqual(len(lines), found["steps"] + 1)
        for line in lines[3:]:
            at = [float(line[f"tip.{axis}_m"]) for axis in "xyz"]
            target = [float(line[f"target.tip.{axis}_m"]) for axis in "xyz"]
            self.assertLess(math.dist(at, target), 1e-8)
            self.assertAlmostEqual(math.hypot(target[0] - 0.01, target[1] - 0.01), 0.004, places=12)
        actuation = self.table("actuation.csv")
        names = [f"{a}.{q}" for a in ("east", "north", "west", "south") for q in ("pull_m", "tension_N")]
        self.assertEqual(list(actuation[0]), ["time_s", *names])
        self.assertEqual([line["time_s"] for line in actuation], [line["time_s"] for line in lines])
        for name, a in found["actuators"].items():
            self.assertEqual(float(actuation[-1][f"{name}.pull_m"]), a["displacement"])
            self.assertEqual(float(actuation[-1][f"{name}.tension_N"]), a["effort"])
        self.assertEqual(json.loads((self.folder / "out" / "summary.json").read_text()), found)

    def test_the_approach_keeps_its_speed_and_is_not_counted(self):
        task = "task={hold: {effector: lean, at: [14, 10]}, approach: 50 mm/s}"
        found = self.track(task, "--out", "out")
        lines = self.table("series.csv")
        self.assertEqual(found["steps"], 8)
        ways = [float(line["target.lean.x_m"]) for line in lines]
        for before, after in zip(ways, ways[1:]):
            self.assertLessEqual(after - before, 0.05 * 0.01 * (1 + 1e-9))
        self.assertEqual(ways[-1], 0.014)

    def test_realtime_follows_without_a_verdict(self):
        found = self.track(CIRCLE, "--set", "step.mode=realtime")
        self.assertIsNone(found["converged"])
        self.assertIsNone(found["reached"])
        self.assertLess(found["effectors"]["tip"]["error_max"], 1e-4)

    def test_a_table_of_its_own_series_is_followed_again(self):
        self.track(CIRCLE, "--out", "out")
        words = "task={follow: [{effector: tip, csv: out/series.csv}]}"
        found = self.track(words)
        self.assertTrue(found["reached"])

    def test_measured_strings_give_the_pose(self):
        sensors = {
            f"s{i}": f"{{string: {{body: bar, through: [[{x}, {y}, 5], [{x}, {y}, 85]]}}}}"
            for i, (x, y) in enumerate([(1, 1), (19, 1), (1, 19)])
        }
        words = [w for name, text in sensors.items() for w in ("--set", f"sensors.{name}={text}")]
        code, out, err = self.lithe(
            "run", "scene.yaml", "--json", "east.pull=4mm", "north.pull=2mm", *words
        )
        self.assertEqual(code, 0, err)
        truth = json.loads(out)
        goals = [
            f"{{sensor: {name}, at: {truth['sensors'][name]['value']!r} m}}" for name in sensors
        ]
        found = self.track(f"task={{hold: [{', '.join(goals)}]}}", *words)
        for got, wanted in zip(
            found["effectors"]["tip"]["position"], truth["effectors"]["tip"]["position"]
        ):
            self.assertAlmostEqual(got, wanted, places=6)
        self.assertLess(found["sensors"]["s0"]["error"], 1e-8)

    def test_a_kept_value_comes_before_targets(self):
        task = "task={hold: {effector: lean, at: [14, 10]}, keep: {sensor: string, at: 79 mm}}"
        found = self.track(task)
        self.assertAlmostEqual(found["sensors"]["string"]["value"], 0.079, places=9)
        self.assertLess(found["effectors"]["lean"]["error"], 1e-8)

    def test_given_actuators_stay_at_their_command(self):
        given = ["--set", "actuators.west.command={tension: 0.3 N}", "--set", "actuators.west.given=true"]
        found = self.track("task={hold: {effector: lean, at: [14, 10]}}", *given)
        self.assertAlmostEqual(found["actuators"]["west"]["effort"], 0.3, places=9)
        free = self.track("task={hold: {effector: lean, at: [14, 10]}}")
        self.assertAlmostEqual(free["actuators"]["west"]["effort"], 0, places=6)

    def test_a_later_priority_may_be_missed(self):
        task = "task={hold: [{effector: lean, at: [14, 10]}, {effector: middle, at: 20 mm}]}"
        found = self.track(task)
        self.assertTrue(found["reached"])
        self.assertLess(found["effectors"]["lean"]["error"], 1e-8)
        self.assertGreater(found["effectors"]["middle"]["error"], 1e-3)

    def test_steps_end_a_task_early(self):
        self.assertEqual(self.track(CIRCLE, "--steps", "5")["steps"], 5)

    def test_threads_do_not_change_a_bit(self):
        one, two = (self.track(CIRCLE, "--threads", n) for n in ("1", "2"))
        for key in ("effectors", "actuators", "residual", "sensors"):
            self.assertEqual(one[key], two[key])

    def test_run_does_not_look_at_the_task(self):
        plain = self.lithe("run", "scene.yaml", "east.pull=3mm", "--json")
        tasked = self.lithe("run", "scene.yaml", "east.pull=3mm", "--json", "--set", HOLD)
        self.assertEqual(plain[0], 0)
        for key in ("effectors", "actuators"):
            self.assertEqual(json.loads(plain[1])[key], json.loads(tasked[1])[key])

    def test_text_sums_the_track_up(self):
        code, out, err = self.lithe("track", "scene.yaml", "--set", HOLD)
        self.assertEqual(code, 0, err)
        for words in ("1 step, converged, targets reached", "off target", "rms", "gauge", "reads"):
            self.assertIn(words, out)


class Jacobian(Case):
    def test_the_jacobian_is_how_effectors_move_with_pulls(self):
        found = self.track(CIRCLE, "--jacobian", "--out", "out")
        J, W = found["jacobian"], found["compliance"]
        self.assertEqual(J["columns"], [f"{a}.pull_m" for a in ("east", "north", "west", "south")])
        self.assertEqual(W["columns"][0], "east.tension_N")
        self.assertEqual(W["rows"], J["columns"] + J["rows"])
        self.assertEqual(J["rows"][:3], ["tip.x_m", "tip.y_m", "tip.z_m"])
        self.assertEqual(J["rows"][-1], "string_m")
        pulls = {name: a["displacement"] for name, a in found["actuators"].items()}
        more = dict(pulls, east=pulls["east"] + 1e-5)
        ends = []
        for pull in (pulls, more):
            words = [f"{name}.pull={value!r} m" for name, value in pull.items()]
            words += ["--set", "actuators.east.limits.tension=[-.inf, .inf]"]
            ends.append(json.loads(self.lithe("run", "scene.yaml", "--json", *words)[1]))
        for i, axis in enumerate("xyz"):
            here, there = (end["effectors"]["tip"]["position"][i] for end in ends)
            if all(found["actuators"][a]["effort"] > 1e-6 for a in pulls):
                self.assertAlmostEqual((there - here) / 1e-5, J["values"][i][0], places=2)
        for name, matrix in (("jacobian.csv", J), ("compliance.csv", W)):
            lines = self.table(name)
            self.assertEqual([line["row"] for line in lines], matrix["rows"])
            for line, row in zip(lines, matrix["values"]):
                self.assertEqual([float(line[c]) for c in matrix["columns"]], row)

    def test_text_shows_it_when_asked_only(self):
        code, out, err = self.lithe("track", "scene.yaml", "--set", HOLD, "--jacobian")
        self.assertEqual(code, 0, err)
        self.assertIn("jacobian", out)
        self.assertNotIn("jacobian", self.lithe("track", "scene.yaml", "--set", HOLD)[1])


class Unreachable(Case):
    def test_the_distance_and_the_limits_are_said(self):
        code, out, err = self.lithe("track", "scene.yaml", "--set", FAR)
        self.assertEqual(code, 1, err)
        self.assertIn("TARGET NOT REACHED", out)
        self.assertRegex(err, r"lithe: error: the target of 'tip' is not reached: the end is [\d.]+ mm away")
        self.assertRegex(err, r"east: pull limit 20 mm holds it back: [\d.]+ mm more would bring the target [\d.]+ .?m nearer")

    def test_json_says_it(self):
        found = self.track(FAR, status=1)
        self.assertEqual((found["converged"], found["reached"]), (True, False))
        self.assertGreater(found["effectors"]["tip"]["error"], 1e-3)
        east = [limit for limit in found["limits"] if limit["actuator"] == "east"]
        self.assertEqual(east[0]["quantity"], "pull")
        self.assertEqual((east[0]["end"], east[0]["limit"]), ("upper", 0.02))
        self.assertGreater(east[0]["multiplier"], 0)

    def test_the_multiplier_is_what_more_room_brings(self):
        found = self.track(FAR, status=1)
        (east,) = [limit for limit in found["limits"] if limit["actuator"] == "east"]
        more = self.track(FAR, "--set", "actuators.east.limits.pull=[0, 20.1]", status=1)
        gain = found["effectors"]["tip"]["error"] - more["effectors"]["tip"]["error"]
        self.assertAlmostEqual(gain / 1e-4 / east["multiplier"], 1, places=1)

    def test_a_point_of_the_path_that_is_missed_counts(self):
        task = (
            "task={follow: {effector: lean, waypoints: [{time: 0, at: [10, 10]},"
            " {time: 50 ms, at: [90, 10]}, {time: 100 ms, at: [12, 10]}]}}"
        )
        code, _, err = self.lithe("track", "scene.yaml", "--set", task)
        self.assertEqual(code, 1, err)
        self.assertIn("not reached everywhere", err)
        self.assertIn("at 0.06 s (step 6 of 11)", err)

    def test_rates_are_named(self):
        rate = ["--set", "actuators.east.limits={pull: [0, 20], pull_rate: 10 mm/s}"]
        code, _, err = self.lithe("track", "scene.yaml", "--set", HOLD, *rate)
        self.assertEqual(code, 1, err)
        self.assertRegex(err, r"east: pull rate limit 10 mm/s holds it back")

    def test_a_start_that_limits_forbid_is_named(self):
        words = ["--set", "actuators.east.limits={pull: [10, 20], tension: [0, 0.01]}"]
        words += ["--set", "actuators.east.command={pull: 10}", "--set", HOLD]
        code, out, err = self.lithe("track", "scene.yaml", "--json", *words)
        self.assertEqual(code, 1, err)
        self.assertIn("no rest under its starting commands: actuator 'east' is at its effort limit", err)
        found = json.loads(out)
        self.assertEqual((found["converged"], found["reached"], found["steps"]), (False, False, 0))

    def test_contradicting_limits_are_named(self):
        words = ["--set", "actuators.east.limits={pull: [10, 20], tension: [0, 0.01]}"]
        for name in ("north", "west", "south"):
            words += ["--set", f"actuators.{name}.limits.tension=[0, 0.01]"]
        code, _, err = self.lithe("track", "scene.yaml", "--set", HOLD, *words)
        self.assertEqual(code, 1, err)
        self.assertIn("the upper limit on the effort of 'east'", err)
        self.assertIn("the lower limit on the displacement of 'east'", err)
        self.assertIn("contradict each other", err)

    def test_a_kept_value_that_limits_forbid_is_named(self):
        code, _, err = self.lithe(
            "track", "scene.yaml", "--set", "task={keep: {sensor: string, at: 300 mm}}"
        )
        self.assertEqual(code, 1, err)
        self.assertIn("lithe: error: step 1 of 1: ", err)

    def test_results_are_written_all_the_same(self):
        self.track(FAR, "--out", "out", status=1)
        self.assertEqual(len(self.table("actuation.csv")), 2)

    def test_earlier_results_of_a_track_are_replaced(self):
        self.track(FAR, "--out", "out", "--jacobian", status=1)
        self.assertEqual(self.lithe("run", "scene.yaml", "--out", "out", "--quiet")[0], 0)
        names = {path.name for path in (self.folder / "out").iterdir()}
        self.assertFalse(names & {"actuation.csv", "jacobian.csv", "compliance.csv"})


class BadInput(Case):
    def test_bad_tasks_are_refused_at_their_place(self):
        for task, mention in (
            ("task={hold: {effector: top, at: [1, 2, 3]}}", "--set task: there is no effector 'top': did you mean 'tip'?"),
            ("task={hold: {effector: tip, at: [1, 2]}}", "'tip' has 3 numbers"),
            ("task={hold: [{effector: tip, at: [1, 2, 3]}, {effector: tip, at: [1, 2, 3]}]}", "has a target already"),
            ("task={follow: {effector: lean, circle: {}}}", "a circle needs the x, y and z"),
            ("task={follow: {effector: tip, csv: none.csv}}", "none.csv: cannot open the table"),
            ("task={hold: {sensor: gauge, at: 1}}", "can have no target"),
        ):
            self.expect_error(2, ["track", "scene.yaml", "--set", task], mention)

    def test_tables_with_holes_are_refused_at_their_line(self):
        self.write("path.csv", "time_s,tip.x_m,tip.y_m,tip.z_m\n0,0.01,0.01,0.088\n1,0.01,,0.088\n")
        task = "task={follow: {effector: tip, csv: path.csv}}"
        self.expect_error(2, ["track", "scene.yaml", "--set", task], "path.csv:3:3: a value is missing")

    def test_a_scene_without_a_task_is_refused(self):
        self.expect_error(2, ["track", "scene.yaml"], "the scene has no task", "lithe run")

    def test_a_task_without_free_actuators_is_refused(self):
        words = ["--set", "actuators={}", "--set", "sensors={}"]
        self.expect_error(2, ["track", "scene.yaml", "--set", HOLD, *words], "no actuator is free")

    def test_a_task_that_never_ends_is_refused(self):
        task = CIRCLE.replace("200 ms", "9000 h")
        self.expect_error(2, ["track", "scene.yaml", "--set", task], "more than 10000000 steps")
        task = "task={hold: {effector: lean, at: [14, 10]}, approach: 1 pm/s}"
        self.expect_error(2, ["track", "scene.yaml", "--set", task], "approach faster")

    def test_words_behind_the_scene_are_refused(self):
        self.expect_error(2, ["track", "scene.yaml", "east.pull=3mm"], "too much")


class Actuators(Case):
    """lithe run with the actuators that the inverse brought."""

    def add(self, name, text):
        return ["--set", f"actuators.{name}={text}"]

    def run_json(self, *words):
        code, out, err = self.lithe("run", "scene.yaml", "--json", *words)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_a_free_force_has_three_numbers(self):
        push = self.add("push", "{force: {body: bar, at: [10, 10, 90]}}")
        found = self.run_json(*push, "push.force=[0.05 N, 0, -0.1 N]")
        effort = found["actuators"]["push"]["effort"]
        for got, wanted in zip(effort, [0.05, 0, -0.1]):
            self.assertAlmostEqual(got, wanted, places=12)
        moved = found["actuators"]["push"]["displacement"]
        self.assertGreater(moved[0], 1e-4)
        self.assertLess(moved[2], 0)

    def test_a_slider_moves_its_nodes(self):
        rail = self.add("rail", "{slider: {body: bar, box: [[-1, -1, 89], [21, 21, 91]], direction: [0, 0, 1]}}")
        found = self.run_json(*rail, "rail.travel=-2mm")
        self.assertAlmostEqual(found["effectors"]["tip"]["position"][2], 0.088, places=9)
        self.assertLess(found["actuators"]["rail"]["effort"], 0)

    def test_a_modulus_is_told_and_has_no_displacement(self):
        soft = self.add("soft", "{modulus: {body: bar}, command: {young: 100}}")
        found = self.run_json(*soft, "east.tension=0.5N")
        self.assertIsNone(found["actuators"]["soft"]["displacement"])
        self.assertAlmostEqual(found["actuators"]["soft"]["effort"], 1e5, places=6)
        stiff = self.run_json("east.tension=0.5N")
        self.assertGreater(
            found["actuators"]["east"]["displacement"],
            1.8 * stiff["actuators"]["east"]["displacement"],
        )

    def test_a_displacement_beyond_its_limit_is_noticed(self):
        code, _, err = self.lithe("run", "scene.yaml", "east.tension=8N", "--set", "step.steps=4")
        self.assertEqual(code, 0, err)
        self.assertRegex(err, r"notice: its tension brings 'east' to a pull of [\d.]+ mm, beyond the limit of 20 mm")
        self.assertNotIn("beyond", self.lithe("run", "scene.yaml", "east.tension=1N")[2])

    def test_check_names_everything(self):
        words = self.add("push", "{force: {body: bar, at: [10, 10, 90]}, given: true}")
        words += ["--set", CIRCLE]
        code, out, err = self.lithe("check", "scene.yaml", *words)
        self.assertEqual(code, 0, err)
        for text in ("push       force", "given", "string     string", "gauge      effort of east", "circle"):
            self.assertIn(text, out)
        found = json.loads(self.lithe("check", "scene.yaml", "--json", *words)[1])
        self.assertEqual(found["rows"], 4 + 3 + 3 + 2 + 1 + 1)
        self.assertEqual(found["task"]["goals"][0]["path"], "circle")
        self.assertEqual(found["effectors"]["lean"]["rows"], 2)
        self.assertEqual(found["sensors"]["string"]["kind"], "string")


if __name__ == "__main__":
    unittest.main()
