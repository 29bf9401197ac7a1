"""Tolerances have names and reasons: small numbers stand in a room's tolerances.h, or in a table that says what they are."""

import os
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
SMALL = re.compile(r"(?<![\w.])(?:\d+\.?\d*|\.\d+)[eE]-\d+|0[xX][0-9a-fA-F.]+[pP]-\d+|\b(?:DBL|FLT)_EPSILON\b|(?<![\w.])0?\.00\d+")
# Small numbers that decide nothing.
TABLES = {
    "src/base/clock.h": "nanoseconds in seconds",
    "src/base/defaults.c": "what a definition says unless told otherwise; docs/scene.md has them",
    "src/base/elementary.h": "coefficients of logarithms and exponentials",
    "src/base/pool.c": "how long threads stay awake",
    "src/base/spectrum.h": "coefficients of a first guess",
    "src/app/command_bench.c": "units of work a second",
    "src/app/limits.c": "everyday units",
    "src/app/pace.c": "how long the program waits awake",
    "src/app/robust_draw.c": "ranges of axes",
    "src/app/show.c": "units",
    "src/io/raster.c": "the curve of sRGB",
    "src/io/snapshot.c": "widths of lines",
    "src/io/obstacle_draw.c": "colours",
}


def without_words(text):
    return NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def faults(root):
    for file in sorted(path for path in (root / "src").rglob("*") if path.suffix in (".c", ".h")):
        path, text = str(file.relative_to(root)), file.read_text()
        if file.name == "tolerances.h" or path in TABLES:
            continue
        for match in SMALL.finditer(without_words(text)):
            line, room = text.count("\n", 0, match.start()) + 1, file.relative_to(root).parts[1]
            yield f"{path}:{line}: {match[0]} is bare; give it a name and its reason in src/{room}/tolerances.h"


def nameless(text):
    """Numbers of a header without a comment right above their declaration."""
    before = ""
    for block in text.split("\n\n"):
        for line in block.splitlines():
            if line.startswith("static const double") and not before.startswith("//") and not before.endswith((",", ";")):
                yield line
            before = line.strip()
        before = ""


class Tolerances(unittest.TestCase):
    def test_small_numbers_have_names(self):
        self.assertEqual(list(faults(ROOT)), [])

    def test_names_have_reasons(self):
        headers = sorted((ROOT / "src").glob("*/tolerances.h"))
        self.assertGreater(len(headers), 10)
        for header in headers:
            with self.subTest(header=header):
                self.assertEqual(list(nameless(header.read_text())), [])

    def test_names_are_used(self):
        headers = sorted((ROOT / "src").glob("*/tolerances.h"))
        used = {word for path in (ROOT / "src").rglob("*.[ch]") if path not in headers
                for word in re.findall(r"\b[A-Z][A-Z_]+\b", without_words(path.read_text()))}
        for header in headers:
            names = set(re.findall(r"\b([A-Z][A-Z_]+)(?:\[\w+\])? = ", header.read_text()))
            self.assertEqual(names - used, set(), header)

    def test_a_table_that_is_gone_is_no_excuse(self):
        for path in TABLES:
            with self.subTest(path=path):
                self.assertRegex(without_words((ROOT / path).read_text()), SMALL)

    def test_a_bare_one_is_noticed(self):
        with tempfile.TemporaryDirectory(prefix="lithe-tolerances-") as folder:
            file = pathlib.Path(folder) / "src" / "step" / "sample.c"
            file.parent.mkdir(parents=True)
            for text, count in (("if (x < 1e-9)\n", 1), ("if (x < 64 * DBL_EPSILON)\n", 1), ("static const double near = 2.5e-4;\n", 1),
                                ("double y = 0.005 * x;\n", 1), ("double y = 0x1p-40;\n", 1), ("// about 1e-9\n", 0),
                                ('say("1e-10 is usual");\n', 0), ("double y = 1e9 * x - 0.05;\n", 0), ("int n = x1e-3;\n", 0)):
                file.write_text(text)
                with self.subTest(text=text):
                    self.assertEqual(len(list(faults(pathlib.Path(folder)))), count)

    def test_a_number_without_reason_is_noticed(self):
        self.assertEqual(len(list(nameless("#define A\n\nstatic const double X = 1e-9;\n"))), 1)
        self.assertEqual(len(list(nameless("// m: near\nstatic const double X = 1e-9,\n                    Y = 1;\n"))), 0)


if __name__ == "__main__":
    unittest.main()
