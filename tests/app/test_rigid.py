"""Rigid bodies and joints that cannot be: a message that says why, and exit status 2."""

import os
import pathlib
import subprocess
import tempfile
import unittest

LITHE = os.environ["LITHE"]

SCENE = """
units: {{length: mm}}
gravity: [0, 0, -9.81 m/s^2]
bodies:
  arm: {{rigid_body: {{box: [10, 10, 80]{body}}}{mass}, place: {{move: [0, 0, 40]}}}}
  hand: {{rigid_body: {{sphere: 10}}, mass: 10 g, place: {{move: [0, 0, 90]}}}}
joints:
  shoulder: {{kind: hinge, body: arm, at: [0, 0, 0], axis: [0, 1, 0]{angle}}}
  wrist: {{kind: {kind}, body: hand, with: {other}, at: [0, 0, 80]}}
actuators:
  motor: {{{motor}: {{joint: {driven}}}}}
dynamics: {{duration: 10 ms}}
step: {{dt: 1 ms}}
"""

SOUND = {"body": "", "mass": ", mass: 50 g", "angle": "", "kind": "ball", "other": "arm", "motor": "motor", "driven": "shoulder"}


class Rigid(unittest.TestCase):
    def run_scene(self, **changed):
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder, "robot.yaml")
            scene.write_text(SCENE.format(**{**SOUND, **changed}), encoding="utf-8")
            return subprocess.run([LITHE, "run", str(scene), "--quiet"], capture_output=True, text=True, timeout=60)

    def test_a_sound_one_runs(self):
        done = self.run_scene()
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_cannot_be_is_refused(self):
        refused = {
            "joins 'hand' with itself": {"other": "hand"},
            "has no mass, and what moves needs one": {"mass": ""},
            "no body can have this inertia": {"body": ", inertia: [1 kg.mm^2, 1 kg.mm^2, 3 kg.mm^2]"},
            "a hinge joint needs an axis": {"kind": "hinge"},
            "there is no body 'nobody'": {"other": "nobody"},
            "it is at 0 at rest, beyond them": {"angle": ", angle: {limits: [10 deg, 20 deg]}"},
            "leaves no travel free": {"angle": ", travel: {stiffness: 1 N/m}"},
            "give its stiffness too": {"angle": ", angle: {rest: 10 deg}"},
            "must not be negative": {"angle": ", angle: {damping: -1 N.m.s/rad}"},
            "a rotary stiffness such as": {"angle": ", angle: {stiffness: 1 N/m}"},
            "leaves no such angle free": {"driven": "wrist"},
            "leaves no such travel free": {"motor": "linear_motor"},
        }
        for said, changed in refused.items():
            with self.subTest(said=said):
                done = self.run_scene(**changed)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertIn("robot.yaml:", done.stderr)


if __name__ == "__main__":
    unittest.main()
