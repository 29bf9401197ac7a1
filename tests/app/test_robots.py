"""docs/robots.md: its commands give what it shows, and its pictures are there."""

import os
import pathlib
import re
import shlex
import subprocess
import unittest

LITHE = os.environ["LITHE"]
ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
PAGE = (ROOT / "docs" / "robots.md").read_text(encoding="utf-8")
ROBOTS = ["parallel", "tripod", "accordion", "finger", "trunk", "staircase"]
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


def shown():
    """Command and output of every block."""
    for block in re.findall(r"```\n\$ lithe (.*?)```", PAGE, re.DOTALL):
        command, _, output = block.partition("\n")
        yield shlex.split(command), output.splitlines()


class Robots(unittest.TestCase):
    def test_every_command_on_a_kept_mesh_gives_what_the_page_shows(self):
        ran = []
        for command, expected in shown():
            if any("build/meshes" in word for word in command):
                continue
            run = subprocess.run([LITHE, *command], cwd=ROOT, capture_output=True, text=True, timeout=120)
            self.assertEqual(run.returncode, 0, run.stderr)
            got = [line for line in run.stdout.splitlines() if "step time" not in line]
            self.assertEqual([line.split()[0] for line in got], [line.split()[0] for line in expected])
            for line, other in zip(got, expected):
                if "residual" not in line:
                    self.compare(line, other)
            ran.append(command[1].split("/")[1])
        self.assertEqual(ran, ROBOTS)

    def compare(self, line, other):
        self.assertEqual(NUMBER.sub("#", line), NUMBER.sub("#", other))
        for a, b in zip(NUMBER.findall(line), NUMBER.findall(other)):
            self.assertAlmostEqual(float(a), float(b), delta=2e-3 + 2e-3 * abs(float(b)), msg=line)

    def test_every_robot_has_a_small_picture_and_the_command_that_draws_it(self):
        for robot in ROBOTS:
            self.assertIn(f"(pictures/{robot}.svg)\n\n    scripts/pictures {robot}\n", PAGE)
            size = (ROOT / "docs" / "pictures" / f"{robot}.svg").stat().st_size
            self.assertLess(size, 150_000, robot)


if __name__ == "__main__":
    unittest.main()
