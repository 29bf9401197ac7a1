"""Whatever Python comes first in the path, tests run by the system's, for which scripts/setup installs packages."""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
BUILD = pathlib.Path(os.environ["LITHE_BUILD"])
SYSTEM = "/usr/bin/python3"
PACKAGES = re.compile(r"\bimport (?:h5py|numpy)\b")


@unittest.skipUnless(os.path.exists(SYSTEM), "the system has no Python of its own")
class System(unittest.TestCase):
    def test_every_script_of_ctest_is_run_by_it(self):
        tests = (BUILD / "tests" / "CTestTestfile.cmake").read_text(encoding="utf-8")
        runs = re.findall(r'^add_test\(\S+ "([^"]+)" "[^"]+\.py"', tests, re.M)
        self.assertGreater(len(runs), 20)
        self.assertEqual(set(runs), {SYSTEM})

    def test_make_runs_it_too(self):
        said = subprocess.run(["make", "-n", "verify"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        self.assertIn(f"{SYSTEM} tests/app/test_overlap.py", said)

    def test_what_needs_packages_names_it(self):
        users = [path for folder in ("tests", "scripts", "bench") for path in (ROOT / folder).rglob("*")
                 if path.is_file() and "corpus" not in path.parts and PACKAGES.search(path.read_text(errors="replace"))]
        self.assertGreater(len(users), 3)
        for path in users:
            with self.subTest(file=path.name):
                self.assertIn(SYSTEM, path.read_text(encoding="utf-8"))

    def test_it_has_the_packages_where_all_tests_are_run(self):
        done = subprocess.run([SYSTEM, "-c", "import h5py, numpy"], capture_output=True, text=True)
        if done.returncode and os.environ.get("LITHE_BROWSER") != "required":
            self.skipTest("python3-h5py and python3-numpy are not installed; 'scripts/setup test' brings them")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
