"""lithe bench: what it measures and how it ends. How long steps take is no business of a test."""

import json
import os
import unittest

import scenes

PHASES = "assemble factor free rows condense solve correct".split()
TASK = """\
task:
  hold: {effector: tip, at: [11, 10, 90]}
"""
FAR = TASK.replace("[11, 10, 90]", "[80, 10, 90]")


class Bench(scenes.Case):
    def bench(self, *words, status=0):
        code, out, err = self.lithe("bench", "scene.yaml", "--json", *words)
        self.assertEqual(code, status, err)
        return json.loads(out) if status == 0 else err

    def test_json_has_the_runs_keys_and_its_own(self):
        code, out, err = self.lithe("run", "scene.yaml", "--json")
        self.assertEqual(code, 0, err)
        found = self.bench("--steps", "30")
        self.assertEqual(set(found) - set(json.loads(out)), {"bench"})
        self.assertEqual(set(json.loads(out)) - set(found), set())
        self.assertEqual((found["steps"], found["converged"]), (30, None))
        own = found["bench"]
        self.assertEqual(set(own), set("motion warm_up core preempted factor_gflops factor_flops model_bytes "
                                       "state_bytes phases_ms".split()))
        self.assertEqual(list(own["phases_ms"]), PHASES)
        for phase, times in own["phases_ms"].items():
            self.assertEqual(set(times), {"mean", "median", "p99", "max", "share"})
            self.assertLessEqual(times["median"], times["p99"])
            self.assertLessEqual(times["p99"], times["max"])
            self.assertEqual(times["median"], found["phase_ms"][phase])
        self.assertLessEqual(sum(times["share"] for times in own["phases_ms"].values()), 1)
        self.assertGreater(own["factor_gflops"], 0)
        self.assertGreater(own["state_bytes"], own["model_bytes"])

    def test_one_thread_is_pinned_to_a_core_it_may_use(self):
        self.assertIn(self.bench("--steps", "2")["bench"]["core"], os.sched_getaffinity(0))
        self.assertIsNone(self.bench("--steps", "2", "--threads", "2")["bench"]["core"])

    def test_the_robot_gets_where_its_commands_want_it(self):
        found = self.bench("east.pull=5mm")
        self.assertEqual((found["steps"], found["bench"]["motion"]), (200, "commands"))
        self.assertAlmostEqual(found["actuators"]["east"]["displacement"], 0.005, places=4)

    def test_a_task_is_followed_and_missing_it_is_no_failure(self):
        for task, far in ((TASK, False), (FAR, True)):
            self.write("scene.yaml", scenes.SCENE + task)
            found = self.bench("--steps", "50")
            self.assertEqual(found["bench"]["motion"], "task")
            tip = found["effectors"]["tip"]
            self.assertEqual(tip["target"][1:], [0.01, 0.09])
            self.assertEqual(tip["error"] > 0.02, far)

    def test_the_users_mode_has_the_last_word(self):
        found = self.bench("--steps", "3", "--set", "step.mode=converged", "east.pull=1mm")
        self.assertIs(found["converged"], True)
        self.assertLess(found["residual"]["force"], 1e-5)

    def test_text_names_every_phase(self):
        code, out, _ = self.lithe("bench", "scene.yaml", "--steps", "5")
        self.assertEqual(code, 0)
        for word in ("5 steps", "median", "p99", "share", "Gflop/s", "MiB", *PHASES):
            self.assertIn(word, out)
        self.assertEqual(self.lithe("bench", "scene.yaml", "--steps", "5", "--quiet"), (0, "", ""))

    def test_bad_input_is_refused_as_everywhere(self):
        self.expect_error(2, ["bench", "scene.yaml", "est.pull=1mm"], "'east'")
        self.expect_error(2, ["bench", "scene.yaml", "--out", "a"], "'--out'")
        self.expect_error(2, ["bench"], "SCENE")

    def test_a_step_that_fails_ends_it_with_1(self):
        self.assertIn("error", self.bench("--set", "step.mode=converged", "east.pull=15mm", *scenes.HOPELESS, status=1))


if __name__ == "__main__":
    unittest.main()
