"""The table of docs/meshes.md names every file that another program wrote, and nothing else."""

import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
DATA = ROOT / "tests" / "mesh" / "data"
WRITERS = {"Gmsh": "gmsh", "VTK": "vtk", "meshio": "meshio"}


def table():
    """(format, writer, file) of every cell."""
    lines = (ROOT / "docs" / "meshes.md").read_text(encoding="utf-8").splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("| format | Gmsh"))
    writers = [WRITERS[title.split()[0]] for title in lines[head].strip("| ").split(" | ")[1:]]
    for line in lines[head + 2 :]:
        if not line.startswith("|"):
            return
        form, *cells = line.strip("| ").split(" | ")
        for writer, cell in zip(writers, cells, strict=True):
            for file in re.findall(r"`([^`]+)`", cell):
                yield form, writer, file


class Table(unittest.TestCase):
    def test_every_file_stands_in_the_table_once(self):
        named = sorted(f"{writer}/{file}" for _, writer, file in table())
        there = sorted(f"{w}/{path.name}" for w in WRITERS.values() for path in (DATA / w).iterdir())
        self.assertEqual(named, there)

    def test_every_file_stands_beside_its_format(self):
        for form, _, file in table():
            kind = form.split()[0].rstrip(",").lower()
            self.assertTrue(file.endswith("." + kind), f"{file} as {form}")
            for word in ("text", "binary", "zlib", "base64", "appended"):
                self.assertEqual(word in file, word in form, f"{file} as {form}")


if __name__ == "__main__":
    unittest.main()
