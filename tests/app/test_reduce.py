"""lithe reduce: a file that every command uses, the same after being killed, refused where it does not belong."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

LITHE = os.environ["LITHE"]
EXAMPLES = pathlib.Path(os.environ["LITHE_ROOT"]) / "examples"
SANITIZED = "sanitize" in os.path.basename(os.environ.get("LITHE_BUILD", ""))


class Reduce(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        text = (EXAMPLES / "accordion" / "robot.yaml").read_text()
        shutil.copy(EXAMPLES / "accordion" / "robot.msh", self.folder)
        self.scene = self.folder / "robot.yaml"
        self.scene.write_text(text + "reduction: {file: robot.h5, tolerance: 0.3 mm, samples: 8}\n")

    def lithe(self, *words, status=0):
        done = subprocess.run([LITHE, *map(str, words)], capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_the_file_serves_forward_inverse_and_recordings_and_is_the_same_after_a_kill(self):
        missing = self.lithe("check", self.scene, status=2).stderr
        self.assertIn("robot.h5", missing)
        made = json.loads(self.lithe("reduce", self.scene, "--json").stdout)
        self.assertIs(made["met"], True)
        self.assertLess(made["error"], made["tolerance"])
        self.assertLess(made["elements"], made["whole_elements"] / 20)
        first = (self.folder / "robot.h5").read_bytes()
        self.assertFalse((self.folder / "robot.h5.journal").exists())

        whole = EXAMPLES / "accordion" / "robot.yaml"
        few, all_of_it = (json.loads(self.lithe("run", scene, "air.pressure=17kPa", "--json").stdout)
                          for scene in (self.scene, whole))
        a, b = (run["effectors"]["tip"]["position"] for run in (few, all_of_it))
        self.assertLess(max(abs(p - q) for p, q in zip(a, b)), 0.3e-3)
        tracked = json.loads(self.lithe("track", self.scene, "--json", "--record", self.folder / "run.h5").stdout)
        self.assertIs(tracked["converged"], True)
        self.lithe("report", self.folder / "run.h5", "--out", self.folder / "page.html")
        self.assertIn("lithe reduce", self.lithe("run", self.scene, "--set", "materials.silicone.young=400 kPa", status=2).stderr)

        (self.folder / "robot.h5").unlink()
        again = [LITHE, "reduce", str(self.scene), "--quiet", "--threads", "2"]
        for wait in (0.2, 0.6):
            child = subprocess.Popen(again, stderr=subprocess.DEVNULL)
            time.sleep(wait * (8 if SANITIZED else 1))
            child.send_signal(signal.SIGKILL)
            child.wait()
        self.lithe("reduce", self.scene, "--quiet", "--threads", "2")
        self.assertEqual((self.folder / "robot.h5").read_bytes(), first)

    def test_a_patch_is_made_told_and_kept(self):
        box = "patch: {sphere: {center: [22, 0, 60], radius: 12}, shapes: 12}"
        post = "obstacles: {post: {sphere: {center: [0, 0, -300], radius: 10}}}\n"
        text = self.scene.read_text().replace("samples: 8", "samples: 4, " + box) + post
        self.scene.write_text(text)
        told = self.lithe("reduce", self.scene).stdout
        self.assertRegex(told, r"patch +\d+ nodes, \d+ of the coordinates")
        few = self.lithe("run", self.scene)
        self.assertRegex(few.stdout, r"reduced +\d+ coordinates, \d+ of them of a patch, \d+ elements")
        self.assertEqual(few.stderr, "")
        wide = self.lithe("check", self.scene, "--set", "actuators.air.limits.pressure=[0 kPa, 30 kPa]").stderr
        self.assertRegex(wide, r"'air' may go from pressure 0 to 30000 Pa, and the reduced model was made from 0 to \d+ Pa")
        other = self.lithe("run", self.scene, "--set", "reduction.patch.sphere.radius=20", status=2).stderr
        self.assertIn("another one than patch asks for", other)
        both = self.lithe("check", self.scene, "--set", "reduction.patch.contact=true", status=2).stderr
        self.assertIn("contact", both)

    def test_what_cannot_be_reduced_is_told(self):
        self.assertIn("reduction.file=", self.lithe("reduce", EXAMPLES / "accordion" / "robot.yaml", status=2).stderr)
        self.assertIn("cannot be reduced", self.lithe("reduce", EXAMPLES / "tripod" / "robot.yaml", "--set",
                                                      f"reduction.file={self.folder}/x.h5", status=2).stderr)
        self.assertIn("limits", self.lithe("reduce", self.scene, "--set", "actuators.air.limits.pressure=[0, .inf]", status=2).stderr)
        (self.folder / "robot.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
        self.assertIn("no reduction of use", self.lithe("run", self.scene, status=2).stderr)


if __name__ == "__main__":
    unittest.main()
