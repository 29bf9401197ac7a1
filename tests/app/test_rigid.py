"""Rigid bodies and joints as a scene says them: from a surface, and what is refused with which words."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

LITHE = os.environ["LITHE"]
CORNERS = "v 0 0 0\nv 20 0 0\nv 0 20 0\nv 0 0 20\n"
FACES = ("f 1 3 2", "f 1 2 4", "f 2 3 4", "f 1 4 3")
SCENE = """
gravity: [0, 0, -9.81 m/s^2]
bodies:
  rock: {mesh: rock.obj, mesh_unit: mm, mass: 10 g, rigid_body: {mesh: true}, place: {move: [0, 0, 1 mm]}}
effectors:
  top: {point: {body: rock, at: [0, 0, 21 mm]}}
obstacles: {floor: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.5}}
dynamics: {duration: 0.3 s}
step: {dt: 2 ms}
"""


class Rigid(unittest.TestCase):
    def lithe(self, command, *words, faces=FACES):
        with tempfile.TemporaryDirectory(prefix="lithe-rigid-") as folder:
            (pathlib.Path(folder) / "rock.obj").write_text(CORNERS + "\n".join(faces) + "\n")
            scene = pathlib.Path(folder) / "scene.yaml"
            scene.write_text(SCENE)
            return subprocess.run([LITHE, command, str(scene), *words], capture_output=True, text=True, timeout=60)

    def test_a_surface_is_a_rigid_body_and_comes_to_rest(self):
        done = self.lithe("check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("rigid      9 nodes, 4 elements, 6 free degrees of freedom", done.stdout)
        self.assertIn("volume     1.333 ml, mass 10 g", done.stdout)
        done = self.lithe("run", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertLess(abs(found["effectors"]["top"]["position"][2] - 0.02), 5e-5)
        self.assertLess(found["energy"]["kinetic"], 1e-12)

    def test_normals_may_look_inwards(self):
        inwards = [" ".join((face.split()[0], *reversed(face.split()[1:]))) for face in FACES]
        self.assertIn("volume     1.333 ml", self.lithe("check", faces=inwards).stdout)

    def test_what_cannot_be_is_refused(self):
        for value, words in (
            ("bodies.rock.rigid_body={mesh: true, inertia: [1 kg.mm^2, 1 kg.mm^2, 3 kg.mm^2]}", "no body can have this inertia"),
            ("bodies.rock.rigid_body={sphere: 3 mm}", "give it a mesh and"),
            ("bodies.rock.rigid_body={mesh: true, sphere: 3 mm}", "sphere"),
            ("bodies.rock.rigid={knob: {all: true}}", "nothing of it deforms"),
            ("joints={pin: {kind: hinge, body: rock, with: rock, at: [0, 0, 0], axis: [0, 0, 1]}}", "joins 'rock' with itself"),
            ("joints={pin: {kind: hinge, body: rock, at: [0, 0, 0]}}", "a hinge joint needs an axis"),
            ("joints={pin: {kind: ball, body: rock, at: [0, 0, 0], axis: [0, 0, 1]}}", "a ball joint has no axis"),
            ("joints={pin: {kind: ball, body: stone, at: [0, 0, 0]}}", "there is no body 'stone'"),
            ("joints={rock: {kind: ball, body: rock, at: [0, 0, 0]}}", "is used already"),
        ):
            with self.subTest(value=value):
                done = self.lithe("check", "--set", value)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(words, done.stderr)

    def test_a_body_may_be_like_another(self):
        more = "bodies.pebble={like: stone}", "bodies.stone={like: rock, mass: 20 g, place: {move: [50 mm, 0, 1 mm]}}"
        done = self.lithe("check", "--json", *(word for value in more for word in ("--set", value)))
        self.assertEqual(done.returncode, 0, done.stderr)
        bodies = {body["name"]: body for body in json.loads(done.stdout)["bodies"]}
        self.assertEqual([bodies[name]["mass"] for name in ("rock", "stone", "pebble")], [0.01, 0.02, 0.02])
        self.assertEqual(bodies["pebble"]["box"], bodies["stone"]["box"])
        for value, words in (("{like: pebble}", "is like itself"), ("{like: sand}", "there is no body 'sand'")):
            done = self.lithe("check", "--set", f"bodies.pebble={value}")
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)

    def test_an_open_surface_needs_its_inertia(self):
        done = self.lithe("check", faces=FACES[:3])
        self.assertEqual(done.returncode, 2)
        self.assertIn("encloses no volume", done.stderr)
        told = "bodies.rock.rigid_body={mesh: true, center: [5 mm, 5 mm, 5 mm], inertia: [1 kg.mm^2, 1 kg.mm^2, 1 kg.mm^2]}"
        self.assertEqual(self.lithe("check", "--set", told, faces=FACES[:3]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
