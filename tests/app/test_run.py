"""lithe run: motion, the JSON contract, and how a run ends."""

import json
import resource
import signal
import time
import unittest

import scenes

KEYS = {
    "": "scene version steps dofs nodes elements threads converged residual step_ms phase_ms"
    " effectors actuators sensors contacts",
    "residual": "force task floor",
    "step_ms": "mean median p99 max idle",
    "phase_ms": "assemble factor free rows condense solve correct",
    "contacts": "active max_force proof open max_penetration allowed merged over deepest pairs",
    "sensors": "",
}


class Run(scenes.Case):
    def run_json(self, *words, status=0):
        code, out, err = self.lithe("run", "scene.yaml", "--json", *words)
        self.assertEqual(code, status, err)
        return json.loads(out)

    def test_json_has_every_key_of_the_contract_and_no_other(self):
        found = self.run_json("east.pull=5mm")
        for path, keys in KEYS.items():
            self.assertEqual(set(found[path] if path else found), set(keys.split()), path)
        tip = found["effectors"]["tip"]
        self.assertEqual(
            {key for key in tip if tip[key] is None},
            {"target", "error", "error_rms", "error_max"},
        )
        self.assertEqual(len(tip["position"]), 3)
        self.assertEqual(set(found["actuators"]["east"]), {"effort", "displacement"})
        self.assertIs(found["converged"], True)
        self.assertEqual((found["steps"], found["threads"]), (4, 1))

    def test_pulling_a_cable_bends_the_bar_towards_it(self):
        found = self.run_json("east.pull=5mm")
        self.assertAlmostEqual(found["actuators"]["east"]["displacement"], 0.005, places=8)
        self.assertGreater(found["actuators"]["east"]["effort"], 0)
        self.assertGreater(found["effectors"]["tip"]["position"][0], 0.012)
        self.assertLess(found["residual"]["force"], 1e-5)

    def test_effort_and_displacement_commands_agree(self):
        pulled = self.run_json("east.pull=5mm")
        tension = pulled["actuators"]["east"]["effort"]
        drawn = self.run_json(f"east.tension={tension!r} N")
        self.assertAlmostEqual(drawn["actuators"]["east"]["displacement"], 0.005, places=6)

    def test_without_commands_nothing_moves(self):
        tip = self.run_json()["effectors"]["tip"]["position"]
        for got, expected in zip(tip, [0.01, 0.01, 0.09]):
            self.assertAlmostEqual(got, expected, places=9)

    def test_the_command_line_replaces_the_scenes_command(self):
        command = ["--set", "actuators.east.command.pull=3 mm"]
        self.assertAlmostEqual(
            self.run_json(*command)["actuators"]["east"]["displacement"], 0.003, places=8
        )
        found = self.run_json(*command, "east.pull=1mm")
        self.assertAlmostEqual(found["actuators"]["east"]["displacement"], 0.001, places=8)

    def test_a_cavity_is_inflated(self):
        self.write("scene.yaml", scenes.BALLOON)
        self.write("bar.vtk", scenes.vtk(*scenes.bar(cells=(3, 3, 3), hole=(1, 1, 1))))
        belly = self.run_json()["actuators"]["belly"]
        self.assertAlmostEqual(belly["effort"], 2000, places=6)
        self.assertGreater(belly["displacement"], 0)

    def test_limits_hold_from_the_first_step(self):
        limits = ["--set", "actuators.east.limits.pull=[5, 20]"]
        found = self.run_json(*limits, "east.pull=6mm")
        self.assertAlmostEqual(found["actuators"]["east"]["displacement"], 0.006, places=8)

    def test_steps_come_from_the_option_before_the_scene(self):
        self.assertEqual(self.run_json("--steps", "2")["steps"], 2)
        self.assertEqual(self.run_json("--set", "step.steps=3")["steps"], 3)
        self.assertEqual(self.run_json("--set", "step.steps=3", "--steps=1")["steps"], 1)

    def test_threads_do_not_change_a_bit(self):
        one, two = (self.run_json("east.pull=5mm", "--threads", n) for n in ("1", "2"))
        self.assertEqual((one["threads"], two["threads"]), (1, 2))
        for key in ("effectors", "actuators", "residual"):
            self.assertEqual(one[key], two[key])

    def test_realtime_has_no_verdict(self):
        found = self.run_json("--set", "step.mode=realtime", "east.pull=2mm")
        self.assertIsNone(found["converged"])

    def test_not_converging_is_said_with_residuals_and_status_1(self):
        code, out, err = self.lithe("run", "scene.yaml", "east.pull=15mm", *scenes.HOPELESS)
        self.assertEqual(code, 1, err)
        self.assertIn("NOT CONVERGED", out)
        self.assertIn("lithe: error: step 1 of 4:", err)
        self.assertRegex(err, r"residuals: \d")
        found = self.run_json("east.pull=15mm", *scenes.HOPELESS, status=1)
        self.assertIs(found["converged"], False)

    @unittest.skipIf(scenes.SANITIZED, "sanitizers need more memory than this allows")
    def test_too_little_memory_is_said_and_leaves_nothing(self):
        self.write("bar.vtk", scenes.vtk(*scenes.bar(cells=(16, 16, 60), size=1.25)))
        words = ["run", "scene.yaml", "--out", "out"]
        words += ["--set", "effectors.tip.point.at=[10, 10, 75]"]
        words += ["--set", "actuators.east.cable.through=[[18, 10, 30], [18, 10, 70]]"]
        for megabytes in (40, 80, 120):
            limits = [(resource.RLIMIT_AS, megabytes << 20)]
            self.expect_error(3, words, "out of memory", limits=limits)
            self.assertEqual(self.files(), ["bar.vtk", "scene.yaml"])

    def test_text_sums_the_run_up(self):
        code, out, _ = self.lithe("run", "scene.yaml", "east.pull=5 mm")
        self.assertEqual(code, 0)
        for words in ("4 steps, converged", "Newton iterations", "tip", "moved", "pull 5 mm", " N"):
            self.assertIn(words, out)

    def test_text_calls_roundoff_zero(self):
        code, out, _ = self.lithe("run", "scene.yaml", "east.pull=0mm")
        self.assertEqual(code, 0)
        self.assertIn("moved 0 mm", out)
        self.assertIn("pull 0 mm", out)

    def test_quiet_says_nothing_but_json(self):
        self.assertEqual(self.lithe("run", "scene.yaml", "--quiet"), (0, "", ""))
        self.assertIn("scene", self.run_json("--quiet"))


class Interrupt(scenes.Case):
    def interrupt(self, number):
        with self.start("run", "scene.yaml", "east.pull=5mm", "--steps", "900000", "--out", "a/b",
                        "--json") as process:
            for _ in range(600):
                if list(self.folder.glob("a/b.partial-*/frame_00001.vtu")):
                    break
                time.sleep(0.05)
            else:
                self.fail("no frame was written")
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, ""))
        self.assertIn("interrupted", err)
        self.assertEqual(self.files(), ["bar.vtk", "scene.yaml"])

    def test_an_interrupt_leaves_nothing_behind(self):
        self.interrupt(signal.SIGINT)

    def test_a_request_to_end_leaves_nothing_behind(self):
        self.interrupt(signal.SIGTERM)


class Times(scenes.Case):
    def test_steps_that_did_nothing_are_left_out_of_the_times(self):
        command = "actuators.east.command={pull: 0}"
        play = "actuators.east.play={waypoints: [{time: 20 ms, at: 5 mm}]}"
        words = ["run", "scene.yaml", "--set", command, "--set", play, "--steps", "40"]
        code, out, err = self.lithe(*words, "--json")
        self.assertEqual(code, 0, err)
        times = json.loads(out)["step_ms"]
        self.assertEqual(times["idle"], 38)
        code, out, err = self.lithe(*words)
        self.assertRegex(out, r"step time +[0-9.]*[1-9][0-9.]* [um]s median of 2; the others had nothing to do")

    def test_steps_that_all_did_nothing_are_timed(self):
        code, out, err = self.lithe("run", "scene.yaml", "--set", "actuators.east.limits.pull=[0, 20]", "--json")
        self.assertEqual(code, 0, err)
        times = json.loads(out)["step_ms"]
        self.assertEqual(times["idle"], 0)
        self.assertGreater(times["median"], 0)


if __name__ == "__main__":
    unittest.main()
