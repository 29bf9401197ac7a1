"""Small meshes and scenes for the tests of the program, and a way to run it."""

import itertools
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import unittest
import zlib

LITHE = os.environ["LITHE"]
ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
SANITIZED = "sanitize" in os.path.basename(os.environ.get("LITHE_BUILD", ""))
GIBIBYTE = 1 << 30

# Whoever started the tests in the background may have had these ignored; then the program would ignore them too.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, lambda *unused: None)

# Kuhn's cut of a cube into six tetrahedra: the monotone paths from corner 000 to corner 111.
PATHS = list(itertools.permutations([(1, 0, 0), (0, 1, 0), (0, 0, 1)]))


def bar(cells=(2, 2, 9), size=10.0, hole=None, shift=0.0):
    """Nodes and tetrahedra of a grid of cubes along z; the cube `hole` is left out."""
    counts = [n + 1 for n in cells]
    number = {}
    nodes = []
    for k, j, i in itertools.product(*(range(n) for n in reversed(counts))):
        number[i, j, k] = len(nodes)
        nodes.append((i * size + shift, j * size, k * size))
    tets = []
    for cell in itertools.product(*(range(n) for n in cells)):
        if cell != hole:
            tets += [tuple(number[corner] for corner in corners(cell, path)) for path in PATHS]
    return nodes, tets


def corners(cell, path):
    points = [cell]
    for step in path:
        points.append(tuple(a + b for a, b in zip(points[-1], step)))
    if PATHS.index(path) not in (0, 3, 4):  # odd: turned, so that every volume is positive
        points[1], points[2] = points[2], points[1]
    return points


def vtk(nodes, cells):
    """Legacy VTK, ASCII; cells of four nodes are tetrahedra, of three triangles."""
    lines = ["# vtk DataFile Version 3.0", "test", "ASCII", "DATASET UNSTRUCTURED_GRID"]
    lines.append(f"POINTS {len(nodes)} double")
    lines += [" ".join(map(repr, node)) for node in nodes]
    lines.append(f"CELLS {len(cells)} {sum(len(cell) + 1 for cell in cells)}")
    lines += [" ".join(map(str, (len(cell), *cell))) for cell in cells]
    lines.append(f"CELL_TYPES {len(cells)}")
    lines += ["10" if len(cell) == 4 else "5" for cell in cells]
    return "\n".join(lines) + "\n"


def msh(nodes, tets, triangles, group):
    """Gmsh 4.1, ASCII: one volume, and one surface that is the physical group."""
    box = "0 0 0 100 100 100"
    lines = ["$MeshFormat", "4.1 0 8", "$EndMeshFormat"]
    lines += ["$PhysicalNames", "1", f'2 1 "{group}"', "$EndPhysicalNames"]
    lines += ["$Entities", "0 0 1 1", f"1 {box} 1 1 0", f"1 {box} 0 0", "$EndEntities"]
    lines += ["$Nodes", f"1 {len(nodes)} 1 {len(nodes)}", f"3 1 0 {len(nodes)}"]
    lines += [str(i + 1) for i in range(len(nodes))]
    lines += [" ".join(map(repr, node)) for node in nodes]
    lines += ["$EndNodes", "$Elements"]
    count = len(tets) + len(triangles)
    lines.append(f"2 {count} 1 {count}")
    number = itertools.count(1)
    for dimension, kind, cells in ((2, 2, triangles), (3, 4, tets)):
        lines.append(f"{dimension} 1 {kind} {len(cells)}")
        for cell in cells:
            lines.append(" ".join(map(str, (next(number), *(node + 1 for node in cell)))))
    lines.append("$EndElements")
    return "\n".join(lines) + "\n"


SCENE = """\
units: {length: mm, force: N, pressure: kPa}
materials:
  silicone: {law: corotational, young: 200 kPa, poisson: 0.4, density: 1 g/cm^3}
bodies:
  bar:
    mesh: bar.vtk
    material: silicone
    fix: {box: [[-1, -1, -1], [21, 21, 1]]}
actuators:
  east:
    cable: {body: bar, through: [[18, 10, 30], [18, 10, 85]], pulled_from: [18, 10, -10]}
    limits: {pull: [0, 20]}
effectors:
  tip: {point: {body: bar, at: [10, 10, 90]}}
step: {dt: 10 ms, steps: 4}
"""

BALLOON = """\
units: {length: mm, force: N, pressure: kPa}
materials:
  silicone: {law: corotational, young: 200 kPa, poisson: 0.4, density: 1 g/cm^3}
bodies:
  bar:
    mesh: bar.vtk
    material: silicone
    fix: {box: [[-1, -1, -1], [31, 31, 1]]}
actuators:
  belly:
    cavity: {body: bar}
    limits: {pressure: [-5, 50]}
    command: {pressure: 2}
step: {steps: 2}
"""

# One iteration of Newton cannot reach this.
HOPELESS = ["--set", "step.max_iterations=1", "--set", "step.tolerance=1e-14"]


class Case(unittest.TestCase):
    """A test in a folder of its own that holds bar.vtk and scene.yaml."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lithe-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write("bar.vtk", vtk(*bar()))
        self.write("scene.yaml", SCENE)

    def write(self, name, text):
        mode = "wb" if isinstance(text, bytes) else "w"
        with open(self.folder / name, mode) as file:
            file.write(text)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def start(self, *words, limits=(), **options):
        """Starts the program in the folder. limits: (resource, amount) pairs."""

        def prepare():
            for what, amount in limits:
                resource.setrlimit(what, (amount, resource.getrlimit(what)[1]))

        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
        return subprocess.Popen([LITHE, *words], cwd=self.folder, preexec_fn=prepare, **options)

    def lithe(self, *words, timeout=60, **options):
        """Runs the program and returns its exit status, standard output and standard error."""
        with self.start(*words, **options) as process:
            try:
                out, err = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                self.fail(f"lithe {' '.join(words)} took longer than {timeout} s")
            return process.returncode, out, err

    def expect_error(self, status, words, *mentions, **options):
        """The status, nothing on standard output, and one line of error that mentions all."""
        code, out, err = self.lithe(*words, **options)
        self.assertEqual(code, status, err)
        self.assertEqual(out, "")
        errors = [line for line in err.splitlines() if line.startswith("lithe: error: ")]
        self.assertEqual(len(errors), 1, err)
        for mention in mentions:
            self.assertIn(mention, errors[0])

    def pixels(self, name):
        """Rows of RGB bytes of a PNG without filters."""
        data = (self.folder / name).read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack_from(">II", data, 16)
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack_from(">I4s", data, at)
            body = data[at + 8 : at + 8 + length]
            self.assertEqual(struct.unpack_from(">I", data, at + 8 + length)[0], zlib.crc32(kind + body))
            packed += body if kind == b"IDAT" else b""
            at += 12 + length
        raw = zlib.decompress(packed)
        self.assertEqual(len(raw), height * (1 + 3 * width))
        return [raw[y * (1 + 3 * width) + 1 : (y + 1) * (1 + 3 * width)] for y in range(height)]
