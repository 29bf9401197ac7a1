"""lithe landscape: pieces and minima of the cost over the efforts, as SVG and PNG."""

import math
import os
import pathlib
import unittest
import xml.etree.ElementTree as xml

import scenes

LEVER = str(pathlib.Path(os.environ["LITHE_ROOT"]) / "examples" / "lever" / "robot.yaml")
SVG = "{http://www.w3.org/2000/svg}"


def off(point, line):
    """Distance from a polyline."""
    least = math.inf
    for (a, b), (c, d) in zip(line, line[1:]):
        u, v, x, y = c - a, d - b, point[0] - a, point[1] - b
        along = min(max((u * x + v * y) / ((u * u + v * v) or 1), 0), 1)
        least = min(least, math.hypot(x - along * u, y - along * v))
    return least


class Landscape(scenes.Case):
    def draw(self, *words):
        code, out, err = self.lithe("landscape", LEVER, "--out", "l.svg", *words)
        self.assertEqual(code, 0, err)
        return out, xml.parse(self.folder / "l.svg").getroot()

    def circles(self, root):
        return [(c.get("stroke"), float(c.get("cx")), float(c.get("cy"))) for c in root.iter(SVG + "circle")]

    def test_both_minima_of_the_lever_are_drawn_and_the_better_one_is_proved(self):
        out, root = self.draw("--set", "contacts.search=global")
        self.assertIn("2 local minima; the way ends in a global minimum", out)
        (best, x, y), (other, u, v) = self.circles(root)
        self.assertEqual((best, other), ("#dd0000", "#00aa00"))
        self.assertAlmostEqual(x, 70, delta=0.1)  # the lower cable alone
        self.assertGreater(u, x)  # the other is where both pull

    def test_starting_free_the_local_search_ends_at_the_worse_one(self):
        out, root = self.draw()
        self.assertIn("the way ends in a local minimum", out)
        end = next(p for p in root.iter(SVG + "path") if p.get("class") == "end").get("d").split()
        x, y = float(end[0][1:]) + 5, float(end[1]) + 5
        _, u, v = self.circles(root)[1]
        self.assertLess(abs(x - u) + abs(y - v), 1)

    def test_a_name_of_another_kind_is_refused(self):
        self.expect_error(2, ["landscape", LEVER, "--out", "l.jpg"], "--out", ".svg or .png", "l.jpg")
        self.assertFalse((self.folder / "l.jpg").exists())

    def test_a_png_has_the_colours_of_the_svg(self):
        _, root = self.draw("--set", "contacts.search=global")
        code, out, err = self.lithe("landscape", LEVER, "--out", "l.png", "--set", "contacts.search=global")
        self.assertEqual(code, 0, err)
        self.assertIn("l.png: ", out)
        rows = self.pixels("l.png")
        self.assertEqual((len(rows[0]) // 3, len(rows)), (1160, 1120))  # two pixels for each unit

        def colour(x, y):
            at = 3 * int(2 * x)
            return "#" + rows[int(2 * y)][at : at + 3].hex()

        self.assertEqual(colour(2, 2), "#ffffff")
        line = [tuple(map(float, p.split(","))) for p in root.find(SVG + "polyline").get("points").split()]
        for rect in list(root.iter(SVG + "rect"))[1::50]:
            x, y, width = (float(rect.get(key)) for key in ("x", "y", "width"))
            middle = (x + width / 2, y + 2)
            if off(middle, line) > 20:  # and so is every circle
                self.assertEqual(colour(*middle), rect.get("fill"))
        (_, x, y), (_, u, v) = self.circles(root)
        self.assertEqual((colour(x + 7, y), colour(u - 7, v)), ("#dd0000", "#00aa00"))
        a, b = max(zip(line, line[1:]), key=lambda ends: math.dist(*ends))
        self.assertEqual(colour((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), "#ffffff")
        below = [colour(310 + 0.5 * k, 20 + 480 + 40 - 0.5 * i) for k in range(-70, 70) for i in range(20)]
        self.assertGreater(below.count("#000000"), 30)  # upper (N)

    def test_one_actuator_makes_a_curve(self):
        self.write("scene.yaml", scenes.SCENE + "task: {hold: {effector: tip, at: [14, 10, 89]}}\n")
        post = "obstacles={post: {capsule: {from: [25, -30, 60], to: [25, 50, 60], radius: 4}}}"
        code, out, err = self.lithe(
            "landscape", "scene.yaml", "--set", post, "--set", "contacts={detection_distance: 3}", "--set", "actuators.east.limits={tension: [0, 20]}"
        )
        self.assertEqual(code, 0, err)
        root = xml.parse(self.folder / "landscape.svg").getroot()
        self.assertEqual(len(list(root.iter(SVG + "polyline"))), 2)

    def test_a_pair_may_be_looked_at_from_another_distance(self):
        self.write("scene.yaml", scenes.SCENE + "task: {hold: {effector: tip, at: [14, 10, 89]}}\n")
        post = "obstacles={post: {capsule: {from: [25, -30, 60], to: [25, 50, 60], radius: 4}}}"
        limits = ["--set", "actuators.east.limits={tension: [0, 20]}"]
        told = {}
        for everything, pair in (("0.5", ""), ("3", ""), ("3", "0.5"), ("0.5", "3")):
            named = f", pairs: [{{body: bar, with: post, detection_distance: {pair}}}]" if pair else ""
            contacts = f"contacts={{detection_distance: {everything}{named}}}"
            code, told[everything, pair], err = self.lithe("landscape", "scene.yaml", "--set", post, "--set", contacts, *limits)
            self.assertEqual(code, 0, err)
        self.assertNotEqual(told["0.5", ""], told["3", ""])
        self.assertEqual(told["3", "0.5"], told["0.5", ""])
        self.assertEqual(told["0.5", "3"], told["3", ""])

    def test_what_cannot_be_drawn_is_said(self):
        self.write("scene.yaml", scenes.SCENE)
        self.expect_error(2, ["landscape", "scene.yaml"], "the scene has no task")
        self.write("scene.yaml", scenes.SCENE + "task: {hold: {effector: tip, at: [14, 10, 89]}}\n")
        self.expect_error(1, ["landscape", "scene.yaml"], "nothing is near enough to touch")


if __name__ == "__main__":
    unittest.main()
