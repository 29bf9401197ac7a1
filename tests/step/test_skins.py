"""Soft surfaces that touch each other: converged steps end, and the answer does not depend on how many there are."""

import json
import os
import pathlib
import subprocess
import unittest

LITHE = os.environ["LITHE"]
SANITIZED = "sanitize" in os.path.basename(os.environ.get("LITHE_BUILD", ""))
EXAMPLES = pathlib.Path(os.environ["LITHE_ROOT"]) / "examples"


def run(scene, *settings):
    chosen = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run([LITHE, "run", str(EXAMPLES / scene), "--json", *chosen], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Skins(unittest.TestCase):
    def test_two_soft_bodies_converge_and_do_not_overlap(self):
        result = run("organ/robot.yaml", "step.mode=converged", f"step.steps={1 if SANITIZED else 3}",
                     "actuators.instrument.command={force: 6}")
        self.assertTrue(result["converged"])
        self.assertGreater(result["contacts"]["active"], 10)
        self.assertLess(result["contacts"]["max_penetration"], 1e-6 * 0.15)  # of the robot's size

    # Slits of 1 mm close: in one step what faces each other would pass through by more than the detection distance.
    def test_a_slit_closes_alike_in_one_step_and_in_more(self):
        contacts = "contacts={self: [robot], detection_distance: 0.4, max: 200}"
        coarse = "bodies.robot.mesh=../../bench/in_contact/tower.msh"
        steps, mesh = ((1,), [coarse]) if SANITIZED else ((1, 3), [])
        tips = [run("tower/robot.yaml", contacts, f"step.steps={n}", *mesh)["effectors"]["tip"]["position"] for n in steps]
        for one, more in zip(tips[0], tips[-1]):
            self.assertLess(abs(one - more), 1e-5)
        self.assertGreater(tips[0][2], 0.092)  # lifted by what leans on each other, from 0.083


if __name__ == "__main__":
    unittest.main()
