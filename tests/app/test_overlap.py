"""No example's surfaces overlap by more than the mode allows, by geometry that is computed here from the frames; action equals reaction."""

import csv
import functools
import json
import math
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

from test_results import arrays

LITHE = os.environ["LITHE"]
EXAMPLES = pathlib.Path(os.environ["LITHE_ROOT"]) / "examples"
SANITIZED = "sanitize" in os.path.basename(os.environ.get("LITHE_BUILD", ""))
THOROUGH = "LITHE_THOROUGH" in os.environ  # every example as it is, and more of its frames
# As VTK numbers cells: faces of each, wound outwards, and tetrahedra that fill it; of quadratic ones by their corners.
TET = ([(1, 2, 3), (0, 3, 2), (0, 1, 3), (0, 2, 1)], [(0, 1, 2, 3)])
HEX = (
    [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
    [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)],
)
SOLID = {10: TET, 24: TET, 12: HEX}
MM = 1e-3
FOLDER = tempfile.TemporaryDirectory(prefix="lithe-test-")


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def mix(*parts):
    return tuple(sum(w * p[k] for w, p in parts) for k in range(3))


def to_segment(p, a, b):
    """Distance of a point from a segment."""
    u, d = sub(b, a), sub(p, a)
    t = min(max(dot(u, d) / dot(u, u), 0), 1)
    return math.dist(p, mix((1 - t, a), (t, b)))


def to_triangle(p, a, b, c):
    """Distance of a point from a triangle."""
    n = cross(sub(b, a), sub(c, a))
    height = dot(sub(p, a), n) / dot(n, n)
    foot = sub(p, tuple(height * x for x in n))
    inside = all(dot(cross(sub(j, i), sub(foot, i)), n) >= 0 for i, j in ((a, b), (b, c), (c, a)))
    return abs(height) * math.sqrt(dot(n, n)) if inside else min(to_segment(p, *e) for e in ((a, b), (b, c), (c, a)))


class Frame:
    """Where everything is in one frame."""

    def __init__(self, path):
        found = arrays(path)
        flat = found["Points"]
        self.x = [flat[i : i + 3] for i in range(0, len(flat), 3)]
        force = found["contact_force"]
        self.force = [math.fsum(force[k::3]) for k in range(3)]
        self.largest = max(map(abs, force))
        ends = found["offsets"]
        starts = (0, *ends[:-1])
        cells = [found["connectivity"][i:j] for i, j in zip(starts, ends)]
        solids = [(c, b, SOLID[t]) for c, b, t in zip(cells, found["body"], found["types"]) if t in SOLID]
        self.faces = [(tuple(c[i] for i in face), b) for c, b, (faces, _) in solids for face in faces]
        self.tets = [(tuple(c[i] for i in tet), b) for c, b, (_, tets) in solids for tet in tets]
        self.beams = [c for c in cells if len(c) == 2]
        rigid = [(c, b) for c, b in zip(cells, found["body"]) if len(c) == 3]
        self.add_convex(rigid)
        bare = sum(not c for c in cells)  # what attaches has no corners of its own
        assert len(solids) + len(self.beams) + len(rigid) + bare == len(cells)

    def add_convex(self, triangles):
        """Surfaces of rigid bodies, which are convex: a tetrahedron from each triangle to the middle."""
        self.faces += triangles
        for body in sorted({b for _, b in triangles}):
            own = [c for c, b in triangles if b == body]
            corners = sorted({i for c in own for i in c})
            self.tets += [((*c, len(self.x)), body) for c in own]
            self.x.append([math.fsum(self.x[i][k] for i in corners) / len(corners) for k in range(3)])

    def skin(self, body):
        """Triangles of the boundary."""
        outer = {}
        for face, b in self.faces:
            if b == body and outer.pop(tuple(sorted(face)), None) is None:
                outer[tuple(sorted(face))] = face
        return [(f[0], f[i], f[i + 1]) for f in outer.values() for i in range(1, len(f) - 1)]

    def points(self):
        """Points of all boundaries, corners of triangles and between them, and of rods."""
        for tri in {t for b in {b for _, b in self.tets} for t in self.skin(b)}:
            a, b, c = (self.x[i] for i in tri)
            yield from (a, mix((0.5, a), (0.5, b)), mix((1 / 3, a), (1 / 3, b), (1 / 3, c)))
        for i, j in self.beams:
            for t in (0, 0.5):
                yield mix((1 - t, self.x[i]), (t, self.x[j]))


def in_cylinder(a, b, radius, off=0.0, way=None):
    """Depth in a cylinder from a to b (mm), of what has a thickness of its own; way: where it has moved by a time."""

    def depth(frame, time):
        shift = way(time) if way else (0, 0, 0)
        start, end = ([(p + s) * MM for p, s in zip(point, shift)] for point in (a, b))
        axis = sub(end, start)
        length = math.sqrt(dot(axis, axis))
        worst = 0
        for p in frame.points():
            along = dot(sub(p, start), axis) / length
            out = math.sqrt(max(dot(sub(p, start), sub(p, start)) - along * along, 0))
            worst = max(worst, min((radius + off) * MM - out, along, length - along))
        return worst

    return depth


def outside_of(name, radius):
    """Depth of rods in the walls of a vessel; its triangles are in millimetres."""
    data = (EXAMPLES / name).read_bytes()
    (n,) = struct.unpack_from("<I", data, 80)
    tris = [struct.unpack_from("<12f", data, 84 + 50 * i)[3:] for i in range(n)]
    tris = [tuple(tuple(MM * x for x in t[i : i + 3]) for i in (0, 3, 6)) for t in tris]

    def depth(frame, time):
        worst = 0
        for p in frame.points():
            near = [t for t in tris if all(abs(t[0][k] - p[k]) < 12 * MM for k in range(3))]
            if not near:
                continue
            # inside, the solid angle of the whole surface is that of a sphere
            angle = sum(solid_angle(p, t) for t in tris)
            distance = min(to_triangle(p, *t) for t in near)
            worst = max(worst, radius * MM - (distance if abs(angle) > 2 * math.pi else -distance))
        return worst

    return depth


def solid_angle(p, tri):
    """Of a triangle as seen from a point [vanoosterom1983]."""
    a, b, c = (sub(q, p) for q in tri)
    la, lb, lc = (math.sqrt(dot(q, q)) for q in (a, b, c))
    return 2 * math.atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)


def contains(p, corners):
    a = corners[0]
    u, v, w = (sub(c, a) for c in corners[1:])
    volume, d = dot(u, cross(v, w)), sub(p, a)
    share = [dot(d, cross(v, w)) / volume, dot(u, cross(d, w)) / volume, dot(u, cross(v, d)) / volume]
    return min(*share, 1 - sum(share)) > 1e-9


def in_each_other(frame, time):
    """Depth of vertices of the boundary in tetrahedra that they are not corners of."""
    bodies = sorted({b for _, b in frame.tets})
    worst = 0
    skins = {b: frame.skin(b) for b in bodies}
    cells = [(c, b, [frame.x[i] for i in c]) for c, b in frame.tets]
    boxes = [(c, b, x, [(min(p[k] for p in x), max(p[k] for p in x)) for k in range(3)]) for c, b, x in cells]
    for own in bodies:
        for v in {i for tri in skins[own] for i in tri}:
            p = frame.x[v]
            for c, b, x, box in boxes:
                if box[0][0] < p[0] < box[0][1] and box[1][0] < p[1] < box[1][1] and box[2][0] < p[2] < box[2][1]:
                    if v not in c and (len(bodies) == 1 or b != own) and contains(p, x):
                        away = [t for t in skins[b] if v not in t]
                        worst = max(worst, min(to_triangle(p, *(frame.x[i] for i in t)) for t in away))
    return worst


def under_floor(frame, time):
    """Depth below z = 0."""
    return max(-p[2] for p in frame.points())


def ball_at(radius, ball, other):
    """Depth of a ball in a rigid body of any shape, both by their numbers."""

    def depth(frame, time):
        corners = {i for tri in frame.skin(ball) for i in tri}
        box = [[extreme(frame.x[i][k] for i in corners) for extreme in (min, max)] for k in range(3)]
        centre = [(low + high) / 2 for low, high in box]
        return radius * MM - min(to_triangle(centre, *(frame.x[i] for i in tri)) for tri in frame.skin(other))

    return depth


def at_rod(radius):
    """Depth of a body's boundary in the rods of another."""

    def depth(frame, time):
        rods = [(frame.x[i], frame.x[j]) for i, j in frame.beams]
        worst = 0
        for tri in frame.skin(frame.tets[0][1]):
            a, b, c = (frame.x[i] for i in tri)
            for p in (a, mix((0.5, a), (0.5, b)), mix((1 / 3, a), (1 / 3, b), (1 / 3, c))):
                if min(abs(p[2] - end[2]) for rod in rods for end in rod) < 2 * radius * MM:
                    worst = max(worst, radius * MM - min(to_segment(p, *rod) for rod in rods))
        return worst

    return depth


def pushed_way(time):
    """The path of the post in trunk/pushed.yaml, mm."""
    corners = [(0, 0), (1, 0), (4, 22), (5, 22), (7, 0)]
    for (t0, x0), (t1, x1) in zip(corners, corners[1:]):
        if time <= t1:
            return (x0 + (x1 - x0) * (time - t0) / (t1 - t0), 0, 0)
    return (0, 0, 0)


# scene: command and settings, depths of what may touch, every how many frames these are looked at
SCENES = {
    "capstan/robot.yaml": (["run"], [in_cylinder((0, 0, -20), (0, 0, 20), 50, off=0.25)], 4),
    "dominoes/robot.yaml": (["run", "--set", "dynamics.duration=0.4 s"], [in_each_other, under_floor], 20),
    "dominoes/stack.yaml": (["run", "--set", "dynamics.duration=0.1 s"], [in_each_other, under_floor], 5),
    "fork/robot.yaml": (["track", "--set", "step.dt=40 ms"], [outside_of("fork/vessel.stl", 1.5)], 40),
    "gripper/robot.yaml": (["run", "--set", "dynamics.duration=0.25 s"], [in_each_other], 50),
    "gripper/sphere.yaml": (["run", "--set", "dynamics.duration=0.25 s"], [in_each_other], 50),
    "lever/robot.yaml": (["track", "--set", "contacts.search=global"], [in_cylinder((105, -20, z), (105, 20, z), 5) for z in (16, -15.5)], 1),
    "maze/robot.yaml": (["run", "--set", "dynamics.duration=0.9 s"], [ball_at(5, 2, 1)], 15),
    "organ/robot.yaml": (["track", "--set", "step.dt=160 ms"], [in_each_other], 8),
    "snake/patch.yaml": (["run", "--set", "dynamics.duration=0.06 s"], [under_floor], 6),
    "snake/robot.yaml": (["run", "--set", "dynamics.duration=0.06 s"], [under_floor], 6),
    "staircase/rod.yaml": (["track", "--set", "step.dt=80 ms"], [at_rod(4)], 8),
    "tower/robot.yaml": (["run", "--steps", "3"], [in_each_other], 3),
    "tower/recover.yaml": (["track"], [in_each_other], 1),
    "trunk/between.yaml": (
        ["track", "--set", "step.dt=160 ms"],
        [in_cylinder((-15, -60, -240), (-15, 60, -240), 10), in_cylinder((34, -60, -225), (34, 60, -225), 10)],
        8,
    ),
    "trunk/pushed.yaml": (["track", "--set", "step.dt=160 ms"], [in_cylinder((-30, -60, -105), (-30, 60, -105), 8, way=pushed_way)], 12),
}


@functools.lru_cache(maxsize=None)
def run_scene(name):
    """Exit status, output, and the folder of results, once for all tests."""
    command, *faster = SCENES[name][0]
    out = pathlib.Path(FOLDER.name) / name.replace("/", "-")
    words = [LITHE, command, str(EXAMPLES / name), *([] if THOROUGH else faster), "--json", "--out", str(out)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=1000)
    return done.returncode, json.loads(done.stdout), out


class Overlap(unittest.TestCase):
    def check(self, name, found, out):
        contacts = found["contacts"]
        with open(out / "series.csv") as file:
            series = list(csv.DictReader(file))
        with open(out / "contacts.csv") as file:
            lines = list(csv.DictReader(file))
        self.assertTrue(any(float(line["force_N"]) > 1e-6 for line in lines), "nothing touches")
        self.assertEqual(contacts["over"], 0)
        self.assertLessEqual(max(float(line["overlap_m"]) for line in series[1:]), contacts["allowed"])
        frames = sorted(out.glob("frame_*.vtu"))
        every = max(SCENES[name][2] // 4, 1) if THOROUGH else SCENES[name][2]
        for k in range(len(frames) - 1, 0, -every):
            frame = Frame(frames[k])
            for depth in SCENES[name][1]:
                self.assertLessEqual(depth(frame, float(series[k]["time_s"])), contacts["allowed"] + 1e-9, f"frame {k}")
            self.check_reaction(frame, [line for line in lines if int(line["step"]) == int(series[k]["step"])])

    def check_reaction(self, frame, lines):
        """Between bodies forces cancel; what is left is what obstacles do."""
        bodies = {line["first"] for line in lines}
        expected = [0.0] * 3
        for line in lines:
            if line["second"] not in bodies | {"organ", "rod", "held", "ball", "tray", "box9"}:
                for k, axis in enumerate("xyz"):
                    expected[k] += float(line["force_N"]) * float(line[f"normal.{axis}"]) + float(line[f"friction.{axis}_N"])
        for k in range(3):
            self.assertAlmostEqual(frame.force[k], expected[k], delta=1e-6 * frame.largest + 1e-12)

    def test_every_example_that_touches_is_looked_at(self):
        touching = {
            str(path.relative_to(EXAMPLES))
            for path in EXAMPLES.glob("*/*.yaml")
            if any(line.startswith(("contacts:", "obstacles:")) for line in path.read_text().splitlines())
        }
        self.assertEqual(touching, set(SCENES))

    def test_no_example_overlaps_by_more_than_is_allowed(self):
        for name in SCENES:
            if SANITIZED and name not in ("lever/robot.yaml", "capstan/robot.yaml"):
                continue
            if name == "tower/recover.yaml" and not THOROUGH:  # tower/robot.yaml is the same robot
                continue
            with self.subTest(name=name):
                code, found, out = run_scene(name)
                self.assertIn(code, (0, 1))  # a target may be out of reach
                self.check(name, found, out)


class Tower(unittest.TestCase):
    """Sections that lean on each other [coevoet2019, table 4.2]."""

    @unittest.skipIf(SANITIZED, "step/test_skins moves the same tower there")
    def test_one_step_and_many_end_in_the_same_shape(self):
        code, many, _ = run_scene("tower/robot.yaml")
        self.assertEqual(code, 0)
        words = [LITHE, "run", str(EXAMPLES / "tower/robot.yaml"), "--json", "--quiet", "--steps", "1"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, 0, done.stderr)
        tips = (found["effectors"]["tip"]["position"] for found in (json.loads(done.stdout), many))
        for one, other in zip(*tips):
            self.assertLess(abs(one - other), 1e-5)  # sections slide on each other without friction

    @unittest.skipUnless(THOROUGH, "takes half a minute: a part of `make verify`")
    @unittest.expectedFailure  # it ends where a contact begins, 0.01 mm off, and says so: pressures come back to 0.02 %
    def test_pressures_are_recovered_from_rest_through_contact(self):
        code, found, _ = run_scene("tower/recover.yaml")
        self.assertEqual(code, 0)
        self.assertGreater(found["contacts"]["active"], 5)
        for name, applied in zip(("air-1", "air-2", "air-3", "air-4"), (20e3, 18e3, 24e3, 22e3)):
            self.assertLess(abs(found["actuators"][name]["effort"] / applied - 1), 1e-4)


if __name__ == "__main__":
    unittest.main()
