"""Materials in the program: the library of silicones, laws by name, mistakes and their answers."""

import json
import unittest

import scenes


def scene(material, extra=""):
    return f"""units: {{length: mm, force: N, pressure: kPa}}
materials: {{stuff: {{{material}}}}}
bodies:
  bar: {{mesh: bar.vtk, material: stuff, fix: {{box: [[-1, -1, -1], [100, 100, 0.1]]}}}}
loads:
  pull: {{force: {{body: bar, at: [10, 10, 90], value: [0.1, 0, 0]}}}}
effectors: {{tip: {{point: {{body: bar, at: [10, 10, 90]}}}}}}
{extra}
"""


class Materials(scenes.Case):
    def put(self, text):
        self.write("s.yaml", text)
        return "s.yaml"

    def run_json(self, name):
        code, out, err = self.lithe("run", name, "--json")
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def tip(self, material):
        return self.run_json(self.put(scene(material)))["effectors"]["tip"]["position"][0]

    def test_the_library_is_listed(self):
        code, out, err = self.lithe("materials")
        self.assertEqual((code, err), (0, ""))
        for name in ("ecoflex-00-30", "ecoflex-00-50", "dragon-skin-10", "dragon-skin-30", "elastosil-m4601",
                     "smooth-sil-950"):
            self.assertIn(name, out)
        self.expect_error(2, ["materials", "soft"], "'soft'")

    def test_a_stiffer_silicone_bends_less(self):
        names = ["ecoflex-00-30", "ecoflex-00-50", "dragon-skin-10", "dragon-skin-30", "elastosil-m4601",
                 "smooth-sil-950"]
        ways = [self.tip(f"from: {name}") for name in names]
        self.assertEqual(ways, sorted(ways, reverse=True))

    def test_laws_agree_where_strains_are_small(self):
        common = "young: 100 MPa, poisson: 0.4"
        laws = ["law: corotational", "law: st-venant-kirchhoff", "law: neo-hookean",
                "law: mooney-rivlin, coefficients: [3, 1]", "law: yeoh, coefficients: [3, 1]",
                "law: ogden, coefficients: [3, 1], exponents: [1.5, 4]"]
        ways = [self.tip(f"{law}, {common}") - 0.01 for law in laws]
        ways.append(self.tip("law: orthotropic, moduli: [100 MPa, 100 MPa, 100 MPa], ratios: [0.4, 0.4, 0.4], "
                             "shears: [35.714285714 MPa, 35.714285714 MPa, 35.714285714 MPa], fibre: [1, 2, 3]") - 0.01)
        for way in ways:
            self.assertAlmostEqual(way / ways[0], 1, delta=1e-4)

    def test_fibres_along_a_bar_keep_it_from_bending(self):
        along = "law: orthotropic, moduli: [2 MPa, 100, 100], ratios: [0.3, 0.3, 0.4], " \
                "shears: [60, 60, 35.714286], fibre: "
        self.assertLess(3 * (self.tip(along + "[0, 0, 1]") - 0.01), self.tip(along + "[1, 0, 0]") - 0.01)

    def test_regions_may_have_laws_of_their_own(self):
        text = scene("law: corotational, young: 200, poisson: 0.4")
        text = text.replace("materials: {", "materials: {soft: {law: neo-hookean, young: 50, poisson: 0.4}, ")
        parted = text.replace("material: stuff,", "material: stuff, regions: [{box: [[-1, -1, 45], [100, 100, 100]], "
                              "material: soft}],")
        whole = self.run_json(self.put(text))["effectors"]["tip"]["position"][0]
        mixed = self.run_json(self.put(parted))["effectors"]["tip"]["position"][0]
        self.assertGreater(mixed - 0.01, 1.1 * (whole - 0.01))

    def test_every_solid_element_is_stiffer_under_a_sudden_load_by_what_its_series_says(self):
        for element in ("tet4", "tet10"):
            common = "law: neo-hookean, young: 2 MPa, poisson: 0.4, prony: [{weight: 0.3, time: 1 s}]"
            ways = []
            for step in ("{creep: true, dt: 1 us, steps: 1}", "{steps: 1}"):
                text = scene(common, f"step: {step}").replace("mesh: bar.vtk", f"mesh: bar.vtk, element: {element}")
                text = text.replace("value: [0.1", "value: [0.001")
                ways.append(self.run_json(self.put(text))["effectors"]["tip"]["position"][0] - 0.01)
            self.assertAlmostEqual(ways[0] / ways[1], 0.7, delta=1e-4)

    def test_mistakes_say_what_to_do(self):
        for material, words in (
            ("law: corotational, young: 100, poisson: 0.5", ("Poisson", "0.45 to 0.499")),
            ("law: corotational, young: -1, poisson: 0.3", ("young", "above 0")),
            ("law: neo-hookean, young: 100, poisson: 0.5", ("Poisson", "0.45 to 0.499")),
            ("law: corotational, young: 100, poisson: 0.3, prony: [{weight: 0.7, time: 1 s}, {weight: 0.6, time: 2 s}]",
             ("weights sum to 1.3", "keep the sum below 1")),
            ("law: neo-hookean, poisson: 0.3", ("'young'",)),
            ("law: yeoh, young: 100, poisson: 0.3", ("[c1, c2]", "neo-hookean")),
            ("from: ecoflex-00-40", ("did you mean 'ecoflex-00-30'",)),
            ("from: ecoflex-00-30, law: ogden", ("yeoh", "remove law")),
            ("law: neo-hookean, young: 100, poisson: 0.3, fibre: [1, 0, 0]", ("orthotropic", "remove")),
            ("law: orthotropic, moduli: [1, 1, 1], shears: [1, 1, 1], ratios: [0, 0, 0]", ("fibre",)),
        ):
            self.expect_error(2, ["check", self.put(scene(material))], "s.yaml:2:", *words)
        massless = scene("law: corotational, young: 100, poisson: 0.3", "dynamics: {}")
        self.expect_error(2, ["run", self.put(massless)], "has no mass", "give its material a density", "or the body a mass")

    def test_a_shape_with_elements_inside_out_is_never_a_success(self):
        # a force on one node pokes it through the elements below, so gently that nothing jumps
        text = scene("law: corotational, young: 100, poisson: 0.3").replace("90]", "20]")
        self.write("bar.vtk", scenes.vtk(*scenes.bar((2, 2, 2))))
        code, out, err = self.lithe("run", self.put(text.replace("[0.1, 0, 0]", "[0, 0, -11]")), "--quiet")
        self.assertEqual(code, 1)
        self.assertIn("2 elements are inside out", err)
        self.assertNotIn("stopped at", err)


if __name__ == "__main__":
    unittest.main()
