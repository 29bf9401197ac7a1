"""The walk through one inverse step in docs/design.md names functions that exist, in the files that it says."""

import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
TITLE = "## One inverse step, file by file"
NAME = re.compile(r"`([a-z_]+/[a-z_0-9]+\.[ch])`|`([a-z][a-z0-9]*_[a-z0-9_]+)`")


def walk_of(text):
    return text.split(TITLE, 1)[1].split("\n## ", 1)[0] if TITLE in text else ""


def definitions(root):
    """The files in which each function is defined."""
    found = {}
    for path in sorted((root / "src").rglob("*.c")):
        for match in re.finditer(r"^(?:static )?[a-z][\w ]*[ *]+([a-z]\w*)\((?:[^;{}()]|\([^()]*\))*\)\n\{", path.read_text(),
                                 re.MULTILINE):
            found.setdefault(match[1], set()).add(path.relative_to(root / "src").as_posix())
    return found


def faults(walk, defined):
    """Files and functions that are not there, and functions that stand elsewhere than it says."""
    for item in re.split(r"\n(?=\d+\. )", walk):
        files = {match[1] for match in NAME.finditer(item) if match[1]}
        known = set().union(*defined.values()) if defined else set()
        for name in files - known:
            yield f"there is no file src/{name}"
        for match in NAME.finditer(item):
            if match[2] and match[2] not in defined:
                yield f"there is no function {match[2]}"
        for match in re.finditer(r"`([a-z]\w*_\w+)`(?:, `[a-z_0-9]+`)* in `([a-z_]+/[a-z_0-9]+\.c)`", item):
            if match[1] in defined and match[2] not in defined[match[1]]:
                yield f"{match[1]} does not stand in src/{match[2]}"
        for match in re.finditer(r"`([a-z_]+/[a-z_0-9]+\.c)` `([a-z]\w*_\w+)`", item):
            if match[2] in defined and match[1] not in defined[match[2]]:
                yield f"{match[2]} does not stand in src/{match[1]}"


class Walk(unittest.TestCase):
    def test_what_it_names_exists(self):
        walk = walk_of((ROOT / "docs" / "design.md").read_text())
        self.assertGreater(len(NAME.findall(walk)), 30)
        self.assertEqual(list(faults(walk, definitions(ROOT))), [])

    def test_it_goes_from_the_command_to_the_program_and_back(self):
        walk = walk_of((ROOT / "docs" / "design.md").read_text())
        for name in ("command_track", "lithe_step", "step_pass", "inverse_solve", "hierarchy_solve", "newton_solve"):
            self.assertIn(f"`{name}`", walk)

    def test_what_is_wrong_is_noticed(self):
        defined = {"step_pass": {"step/phases.c"}, "qp_solve": {"solve/qp.c"}}
        self.assertEqual(list(faults("1. `step_pass` in `step/phases.c`", defined)), [])
        for walk in ("1. `step_passes` in `step/phases.c`", "1. `step_pass` in `step/nowhere.c`", "1. `step_pass` in `solve/qp.c`",
                     "1. `solve/qp.c` `step_pass` goes"):
            with self.subTest(walk=walk):
                self.assertGreaterEqual(len(list(faults(walk, defined))), 1)


if __name__ == "__main__":
    unittest.main()
