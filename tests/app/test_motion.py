"""lithe run and lithe track on scenes with dynamics: time, release, energies, commands in time."""

import csv
import json
import unittest

import scenes

ALPHA = "dynamics={scheme: alpha, spectral_radius: 1, duration: 0.2 s}"


class Motion(scenes.Case):
    def run_json(self, *words, command="run", status=0):
        sets = [word for each in words for word in ("--set", each)]
        code, out, err = self.lithe(command, "scene.yaml", "--json", *sets)
        self.assertEqual(code, status, err)
        return json.loads(out)

    def refused(self, says, *words):
        sets = [word for each in words for word in ("--set", each)]
        code, out, err = self.lithe("run", "scene.yaml", *sets)
        self.assertEqual((code, out), (2, ""))
        self.assertIn(says, err)

    def test_a_release_swings_and_keeps_its_energy(self):
        found = self.run_json(
            "dynamics={spectral_radius: 1, duration: 0.3 s, start: equilibrium}",
            "step.dt=2 ms",
            "actuators.east.limits.pull=[-50, 20]",
            "actuators.east.command={pull: 8}",
            "actuators.east.play={waypoints: [{time: 0, at: -50}]}",
        )
        self.assertAlmostEqual(found["time"], 0.3, places=9)
        self.assertEqual((found["steps"], found["actuators"]["east"]["effort"]), (150, 0))
        self.assertEqual(set(found["energy"]), {"kinetic", "elastic", "potential"})
        self.assertEqual(set(found["momentum"]), {"linear", "angular"})
        still = self.run_json("actuators.east.command={pull: 8}")
        self.assertNotIn("energy", still)
        self.assertGreater(sum(found["energy"].values()), 1e-5)

    def test_series_tells_energies_in_time(self):
        self.run_json("gravity=[1 m/s^2, 0, 0]", ALPHA)
        code, _, err = self.lithe(
            "run", "scene.yaml", "--out", "out", "--set", ALPHA, "--set", "gravity=[1 m/s^2, 0, 0]"
        )
        self.assertEqual(code, 0, err)
        with open(self.folder / "out" / "series.csv", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        total = [
            sum(float(line[key]) for key in ("kinetic_J", "elastic_J", "potential_J"))
            for line in lines
        ]
        largest = max(float(line["kinetic_J"]) for line in lines)
        self.assertEqual(float(lines[-1]["time_s"]), 0.2)
        self.assertGreater(largest, 0)
        for each in total:
            self.assertLess(abs(each), 1e-3 * largest)  # nothing at the start, nothing ever

    def test_a_reduced_robot_that_may_meet_itself_swings_on(self):
        whole = ["dynamics={scheme: SCHEME, duration: 50 ms}", "contacts={self: [bar]}", "actuators.east.command={pull: 3}"]
        for scheme in ("euler", "alpha"):
            with self.subTest(scheme):
                found = self.run_json(*[word.replace("SCHEME", scheme) for word in whole], "reduction={beam: {frames: 6}}")
                self.assertTrue(found["converged"])
                self.assertGreater(found["energy"]["kinetic"], 0)

    def test_a_bar_that_nothing_holds_falls(self):
        text = (self.folder / "scene.yaml").read_text(encoding="utf-8")
        held = "    fix: {box: [[-1, -1, -1], [21, 21, 1]]}\n"
        self.assertIn(held, text)
        (self.folder / "scene.yaml").write_text(text.replace(held, ""), encoding="utf-8")
        self.refused("nothing holds")
        self.refused("nothing holds", "dynamics={start: equilibrium}")
        found = self.run_json(
            ALPHA, "gravity=[0, 0, -10 m/s^2]", "bodies.bar.velocity=[1 m/s, 0, 0]"
        )
        tip = found["effectors"]["tip"]["position"]
        self.assertAlmostEqual(tip[0], 0.01 + 0.2, places=9)
        self.assertAlmostEqual(tip[2], 0.09 - 0.2, places=9)

    def test_commands_go_on_in_time_in_statics_too(self):
        found = self.run_json(
            "actuators.east.command={pull: 4}",
            "actuators.east.play={sine: {amplitude: 2, period: 40 ms}}",
        )
        self.assertEqual(found["steps"], 4)
        self.assertAlmostEqual(found["actuators"]["east"]["displacement"], 0.004, places=9)
        (self.folder / "table.csv").write_text(
            "time_s,east.pull_m,east.tension_N\n0,0,0\n0.03,0.006,1\n", encoding="utf-8"
        )
        found = self.run_json(
            "actuators.east.command={pull: 0}", "actuators.east.play={csv: table.csv}"
        )
        self.assertEqual(found["steps"], 3)
        self.assertAlmostEqual(found["actuators"]["east"]["displacement"], 0.006, places=9)

    def test_the_inverse_in_motion_follows_its_target(self):
        found = self.run_json(
            "dynamics={scheme: euler, start: equilibrium}",
            "actuators.east.command={pull: 2}",
            "effectors.side={point: {body: bar, at: [10, 10, 90]}, axes: [x]}",
            "task={follow: {effector: side, waypoints: [{time: 0.1 s, at: 14}, "
            "{time: 0.3 s, at: 20}]}}",
            command="track",
        )
        self.assertIs(found["converged"], True)
        self.assertLess(found["effectors"]["side"]["error_max"], 1e-7)
        self.assertGreater(found["energy"]["kinetic"], 0)

    def test_adaptive_steps_are_counted_and_end_where_results_are_wanted(self):
        found = self.run_json(
            "gravity=[9.81 m/s^2, 0, 0]", "dynamics={duration: 0.2 s, adaptive: {error: 0.01 mm}}", "step.dt=40 ms"
        )
        self.assertEqual(found["steps"], 5)
        self.assertAlmostEqual(found["time"], 0.2, places=12)
        told = found["adaptive"]
        self.assertGreater(told["taken"], 10)
        self.assertLessEqual(told["error"], 1e-5)
        self.assertTrue(0 < told["shortest"] <= told["longest"] <= 0.04)
        self.assertNotIn("adaptive", self.run_json(ALPHA))

    def test_mistakes_are_told_with_their_remedy(self):
        self.refused("expected one of euler, alpha", "dynamics={scheme: alfa}")
        self.refused("must lie between 0 and 1", "dynamics={spectral_radius: 2}")
        self.refused("must not be negative", "dynamics={mass_damping: -1 s^-1}")
        self.refused("expected a frequency", "dynamics={mass_damping: 1 s}")
        self.refused("adaptive needs the key 'error'", "dynamics={adaptive: {}}")
        self.refused("error must be above 0", "dynamics={adaptive: {error: 0 mm}}")
        self.refused("take mode: converged", "dynamics={adaptive: {error: 1 mm}}", "step.mode=realtime")
        self.refused("lower shortest", "dynamics={adaptive: {error: 1 mm, shortest: 1 s}}")
        self.refused("give its material a density", ALPHA, "materials.silicone.density=0")
        push = "loads={push: {force: {body: bar, at: [10, 10, 90], value: [1, 0, 0]}, until: 0 s}}"
        self.refused("add a section dynamics", push)
        self.refused("add a section dynamics", "bodies.bar.spin=[1 rad/s, 0, 0]")
        self.refused(
            "outside the limits",
            "actuators.east.command={pull: 1}",
            "actuators.east.play={waypoints: [{time: 1 s, at: 21}]}",
        )
        self.refused(
            "must not fall",
            "actuators.east.command={pull: 1}",
            "actuators.east.play={waypoints: [{time: 2 s, at: 2}, {time: 1 s, at: 3}]}",
        )


if __name__ == "__main__":
    unittest.main()
