"""What continuous integration and a release look at: nothing is left out of it."""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])


def steps(target):
    """What make would do for it."""
    done = subprocess.run(["make", "--dry-run", "--no-print-directory", target], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


class Everything(unittest.TestCase):
    def test_a_release_is_checked_by_one_command(self):
        asked = steps("release-check")
        for part in ("ctest --test-dir build ", "ctest --test-dir build-sanitize ", "scripts/fuzz ", "scripts/lint\n", "build/tests/verify\n",
                     "build/tests/experiments\n", "scripts/bench\n", "cpack", "scripts/test_package"):
            with self.subTest(part=part):
                self.assertIn(part, asked)

    def test_races_are_looked_for_by_continuous_integration_alone(self):
        self.assertIn("scripts/race", (ROOT / ".ci" / "run").read_text())
        self.assertNotIn("scripts/race", steps("test"))
        looked = (ROOT / "scripts" / "race").read_text()
        for what in ("base_test_pool", "step_test_async", "tests/app/test_view.py View"):
            self.assertIn(what, looked)

    def test_ctest_runs_a_slice_of_every_case_and_experiment(self):
        """Without a list nothing is chosen; and both halves of the cases are by the same list."""
        cmake = (ROOT / "tests" / "CMakeLists.txt").read_text()
        self.assertRegex(cmake, r"verify --quick \$\{PAGE\} --but \$\{(\w+)\}\)\s+add_test\(NAME verify/contact COMMAND verify --quick \$\{PAGE\} \$\{\1\}\)")
        chosen = re.findall(r"set\(EXPERIMENTS *([^)]*)\)", cmake)
        self.assertEqual(chosen, ["", "a b"])  # the second under the sanitizers


if __name__ == "__main__":
    unittest.main()
