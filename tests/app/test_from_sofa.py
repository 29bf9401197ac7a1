"""docs/from-sofa.md: its scenes are sound."""

import re
import unittest

import scenes


class FromSofa(scenes.Case):
    def test_every_scene_on_the_page_is_sound(self):
        page = (scenes.ROOT / "docs" / "from-sofa.md").read_text()
        blocks = re.findall(r"```yaml\n(.*?)```", page, re.S)
        self.assertGreaterEqual(len(blocks), 2)
        self.write("cube.vtk", scenes.vtk(*scenes.bar(cells=(2, 2, 2))))
        for block in blocks:
            self.write("scene.yaml", block)
            code, _, err = self.lithe("check", "scene.yaml")
            self.assertEqual((code, err), (0, ""))

    def test_every_set_of_units_is_known(self):
        page = (scenes.ROOT / "docs" / "from-sofa.md").read_text()
        sets = re.findall(r"`(units: \{.*?\})`", page)
        self.assertGreaterEqual(len(sets), 4)
        for units in sets:
            self.write("scene.yaml", re.sub(r"units: .*", units, scenes.SCENE, count=1))
            code, _, err = self.lithe("check", "scene.yaml", "--set", "bodies.bar.mesh_unit=mm", "--set", "bodies.bar.fix={all: true}",
                                      "--set", "actuators={}", "--set", "effectors={}")
            self.assertEqual(code, 0, err)


if __name__ == "__main__":
    unittest.main()
