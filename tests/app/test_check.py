"""lithe check: what is in a scene, as text and as JSON."""

import json
import unittest

import scenes


class Check(scenes.Case):
    def check(self, *words):
        code, out, err = self.lithe("check", "scene.yaml", "--json", *words)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_json_has_the_size_of_everything(self):
        found = self.check()
        nodes, tets = scenes.bar()
        free = 3 * (len(nodes) - 9)
        self.assertEqual(found["scene"], "scene.yaml")
        self.assertEqual(
            (found["nodes"], found["elements"], found["dofs"]), (len(nodes), len(tets), free)
        )
        self.assertEqual(found["rows"], 1 + 3)
        self.assertEqual(found["effectors"]["tip"]["position"], [0.01, 0.01, 0.09])

    def test_json_has_volume_mass_box_and_quality(self):
        (body,) = self.check()["bodies"]
        self.assertEqual(body["name"], "bar")
        self.assertAlmostEqual(body["volume"] / 36e-6, 1, places=12)
        self.assertAlmostEqual(body["mass"] / 36e-3, 1, places=12)
        for got, expected in zip(sum(body["box"], []), [0, 0, 0, 0.02, 0.02, 0.09]):
            self.assertAlmostEqual(got, expected, places=15)
        self.assertTrue(0 < body["quality"]["worst"] <= body["quality"]["median"] <= 1)
        self.assertEqual(body["cavities"], [])

    def test_json_has_limits_and_commands(self):
        east = self.check("--set", "actuators.east.command.pull=3")["actuators"]["east"]
        self.assertEqual(east["kind"], "cable")
        self.assertEqual(east["effort_limit"], [0, None])
        self.assertEqual(east["displacement_limit"], [0, 0.02])
        self.assertEqual(east["command"], {"pull": 0.003})

    def test_a_hole_is_found_as_a_cavity(self):
        self.write("scene.yaml", scenes.BALLOON)
        self.write("bar.vtk", scenes.vtk(*scenes.bar(cells=(3, 3, 3), hole=(1, 1, 1))))
        (body,) = self.check()["bodies"]
        self.assertEqual(len(body["cavities"]), 1)
        self.assertAlmostEqual(body["cavities"][0] / 1e-6, 1, places=12)

    def test_text_uses_everyday_units(self):
        code, out, _ = self.lithe("check", "scene.yaml")
        self.assertEqual(code, 0)
        for words in ("body bar", "36 ml", "36 g", "pull 0 to 20 mm", "tension 0 to inf N"):
            self.assertIn(words, out)

    def test_quiet_says_nothing(self):
        self.assertEqual(self.lithe("check", "scene.yaml", "--quiet"), (0, "", ""))

    def test_set_overrides_a_key(self):
        found = self.check("--set", "materials.silicone.density=2 g/cm^3", "--set=step.steps=7")
        self.assertAlmostEqual(found["bodies"][0]["mass"] / 72e-3, 1, places=12)


if __name__ == "__main__":
    unittest.main()
