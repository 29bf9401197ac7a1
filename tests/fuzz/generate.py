"""Scenes at random: keys from the program's own table, values that are plausible or extreme."""

import collections
import copy
import random
import re

import bases

ROW = re.compile(r'\{KEYS_([A-Z_]*?)(?:_?OF\(LITHE_(\w+)\))?, +"(\w+)", +(?:KEYS_)?(\w+), +KEYS_(\w+), +QUANTITY_(\w+),')
BLOCK = re.compile(r'\[KEYS_(\w+)\] = \{"([\w.]+)", "[^"]*", (\w+)\}')
# Words that a key may have; and all, for keys that have others.
KNOWN = {
    "law": "corotational st-venant-kirchhoff neo-hookean mooney-rivlin yeoh ogden orthotropic gent open task jacobian".split(),
    "element": "as-meshed tet4 tet4-averaged tet10 hex8".split(), "frame": ["world", "own"], "base": ["fixed", "free"],
    "kind": "fixed hinge ball prismatic cylindrical planar universal".split(), "search": ["local", "global"], "by": ["points", "volume"],
    "clock": ["real", "lockstep"], "quantity": "pull tension pressure volume travel force angle".split(), "beyond": ["reduced", "full"],
    "scheme": ["alpha", "euler"], "mass": ["lumped", "consistent"], "start": ["rest", "equilibrium"],
    "mode": "converged realtime asynchronous".split(), "method": "hierarchy epsilon seidel".split(),
}
WORDS = sorted({word for words in KNOWN.values() for word in words} | {"x", "y", "z"})
# Units and plausible sizes, for a robot of 20 x 20 x 90 mm.
PLAUSIBLE = {
    "NUMBER": ("", (0, 0.1, 0.3, 0.45, 1, 2)), "LENGTH": ("mm", (0, 1, 5, 10, 20, 45, 90)), "FORCE": ("N", (0, 0.1, 1, 5)),
    "PRESSURE": ("kPa", (1, 10, 100, 500)), "MASS": ("g", (1, 20)), "TIME": ("s", (0.01, 0.05, 1)),
    "ANGLE": ("deg", (0, 10, 90)), "VOLUME": ("ml", (0.1, 1)), "DENSITY": ("kg/m^3", (1000, 2000)),
    "ACCELERATION": ("m/s^2", (0, 9.81)), "VELOCITY": ("mm/s", (1, 100)), "STIFFNESS": ("N/m", (10, 1000)),
    "MOMENT": ("N.m", (0.001, 0.01)), "COMPLIANCE": ("m/N", (0.0001,)), "SPIN": ("rad/s", (1,)), "FREQUENCY": ("Hz", (0.1, 2)),
    "INERTIA": ("g.mm^2", (1000, 2000)), "ROTARY_STIFFNESS": ("N.m/rad", (0.001, 0.1)), "DAMPING": ("N.s/m", (0.01, 1)),
    "ROTARY_DAMPING": ("N.m.s/rad", (1e-5, 1e-3)), "FORCE_RATE": ("N/s", (1,)), "PRESSURE_RATE": ("kPa/s", (100,)),
    "VOLUME_RATE": ("ml/s", (1,)),
}
EXTREME = (0.0, -0.0, 1e-300, -1e-300, 1e-160, 1e160, -1e160, 1e308, -1e308, 5e-324, 1e-9, 1e9, -1.0, 0.5, 1 - 1e-16, 1e30)
NAMED = ("materials", "bodies", "joints", "loads", "actuators", "effectors", "sensors", "obstacles")
# Where the name that a key wants is given.
GIVEN = {"with": ("bodies", "obstacles"), "to": ("members",), "member": ("members",), "joint": ("joints",), "material": ("materials",),
         "effector": ("effectors",), "actuator": ("actuators",), "sensor": ("sensors",), "cavity": ("cavities",)}


def read_table(root):
    """Keys of every block, and the block that is at every path; kinds have theirs in files of their own."""
    blocks, paths = {}, {}
    texts = {file.name: file.read_text() for file in sorted((root / "src/scene").glob("*.c"))}
    for block, path, selects in BLOCK.findall(texts["keys.c"]):
        paths.setdefault(path, []).append((block, selects != "NONE"))
        blocks[block] = []
    for text in texts.values():
        for name, selects in re.findall(r'ACTUATOR_HEADINGS\("(\w+)", KEYS_SELECTS_(\w+)\)', text):
            for part, path in (("", name), ("LIMITS_", "limits"), ("COMMAND_", "command")):
                paths.setdefault(f"actuators.NAME.{path}", []).append((f"{part}{name.upper()}", not part and selects != "NONE"))
                blocks[f"{part}{name.upper()}"] = []
        for name in re.findall(r'\.heading = \{"sensors\.NAME\.(\w+)"', text):
            paths.setdefault(f"sensors.NAME.{name}", []).append((f"SENSOR_{name.upper()}", False))
            blocks[f"SENSOR_{name.upper()}"] = []
        for name in re.findall(r'\.heading = OWN\("(\w+)"\)', text):
            paths.setdefault(f"obstacles.NAME.{name}", []).append((f"OBSTACLE_{name.upper()}", False))
            blocks[f"OBSTACLE_{name.upper()}"] = []
    rows = 0
    for text in texts.values():
        for block, of, key, need, kind, dimension in ROW.findall(text):
            if of:  # KEYS_OF(LITHE_MOTOR), KEYS_LIMITS_OF(LITHE_MOTOR), KEYS_SENSOR_OF(LITHE_DISTANCE), KEYS_OBSTACLE_OF(LITHE_OBSTACLE_BOX)
                block = "_".join(filter(None, (block, of.removeprefix("OBSTACLE_"))))
            blocks[block].append((key, need, kind, dimension))
            rows += 1
    assert rows == sum(len(re.findall(r"\{KEYS_\w+(?:\(\w+\))?, +\"", text)) for text in texts.values()) > 500, "a row is written in another way"
    assert not [path for path in paths if not all(block in blocks for block, _ in paths[path])]
    return blocks, paths


class Generator:
    def __init__(self, root, seed):
        self.dice = random.Random(seed)
        self.blocks, self.paths = read_table(root)
        self.wild = 0.0
        self.names = {}

    def chance(self, share):
        return self.dice.random() < share

    def number(self, dimension):
        unit, sizes = PLAUSIBLE[dimension]
        value = self.dice.choice(EXTREME) if self.chance(self.wild) else self.dice.choice(sizes) * self.dice.choice((1, 1, -1))
        return f"{value!r} {unit}".strip()

    def place(self):
        """A point, mostly inside the robot."""
        if self.chance(self.wild):
            return [self.number("LENGTH") for _ in range(3)]
        return [f"{self.dice.uniform(0, size):.3f} mm" for size in (20, 20, 90)]

    def point(self):
        """Of a line: mostly a place, or an end of any kind."""
        return self.map("END") if self.chance(0.2) else self.place()

    def triple(self, dimension):
        if dimension == "LENGTH" and self.chance(0.8):
            return self.place()
        return [self.number(dimension) for _ in range(3)]

    def name(self, path, key):
        """One that the scene has, mostly."""
        if self.chance(0.05):
            return self.dice.choice(("tip", "nobody", "", "east"))
        sections = (path.split(".")[-2],) if key == "like" else GIVEN.get(key, ("bodies",))
        known = [name for section in sections for name in sorted(self.names.get(section, ()))]
        return self.dice.choice(known) if known else "a"

    def words(self, key):
        if key == "distances":
            return self.dice.sample(("stay", "ring"), self.dice.randint(1, 2))
        return [self.name("", "body")] if key == "self" else self.dice.sample(("x", "y", "z"), self.dice.randint(1, 2))

    def value(self, path, key, kind, dimension):
        dice = self.dice
        some = dice.randint(2, 4)
        plain = {
            "QUANTITY": lambda: self.number(dimension),
            "EFFORT": lambda: self.number(dimension) if self.chance(0.7) else [self.number(dimension) for _ in range(3)],
            "NUMBERS": lambda: [self.number(dimension) for _ in range(dice.randint(1, 3))],
            "RANGE": lambda: sorted((self.number(dimension) for _ in range(2)), key=lambda t: float(t.split()[0])),
            "TRIPLE": lambda: self.triple(dimension), "TRIPLES": lambda: [self.triple(dimension) for _ in range(some)],
            "CORNERS": lambda: [self.place(), self.place()], "CARRIED": self.point,
            "CARRIEDS": lambda: [self.point() for _ in range(some)],
            "VALUE": lambda: self.number("LENGTH"), "SPAN": lambda: [self.number("LENGTH") for _ in range(2)],
            "VALUES": lambda: dice.choice((self.place(), self.number("LENGTH"))),
            "INTEGER": lambda: dice.choice((0, -1, 10**9, 2**31, 10**30)) if self.chance(self.wild) else dice.randint(1, 6),
            "BOOL": lambda: self.chance(0.5), "TRUE": lambda: True,
            "WORD": lambda: dice.choice(KNOWN[key] if key in KNOWN and self.chance(0.8) else WORDS),
            "WORDS": lambda: self.words(key), "NAME": lambda: self.name(path, key), "NAMES": lambda: [self.name(path, "body")],
            "UNIT": lambda: PLAUSIBLE[dimension][0] or "mm",
            "TEXT": lambda: dice.choice(bases.FILES) if key in ("mesh", "file", "csv") else dice.choice(("side", "dragon skin 30", *bases.FILES)),
        }
        if kind in plain:
            return plain[kind]()
        inner = f"{path}.{key}" if path else key
        if kind == "NAMED":
            names = sorted(self.names.get(key, ())) + ["a", "b"]
            if path in ("plant", "wire", "estimate"):  # what the scene has, again
                names = sorted(self.names["actuators"] | self.names["effectors"] | self.names["loads"]) or names
            return {dice.choice(names): self.map(f"{inner}.NAME") for _ in range(dice.randint(1, 2))}
        if kind == "MAPS" or kind == "MAP_OR_MAPS" and self.chance(0.3):
            return [self.map(inner) for _ in range(dice.randint(1, 2))]
        return self.map(inner)

    def block_at(self, path, around=()):
        """Of several kinds', mostly that of the kind that the map around it has."""
        last = path.split(".")[-1]
        other = {"point": "POINT", "position": "POINT", "string": "LINE", "length": "LINE", "volume": "VOLUME", "path": "obstacles.NAME.path",
                 "capsule": "obstacles.NAME.cylinder", "pipe": "obstacles.NAME.cylinder", "cone": "obstacles.NAME.cylinder",
                 "keep": "task.hold", "force": "sensors.NAME.pressure", "any_of": "SELECTION.all_of", "none_of": "SELECTION.all_of",
                 "play": "actuators.NAME.play", "waypoints": "actuators.NAME.play.waypoints", "sine": "actuators.NAME.play.sine"}
        if path.startswith("bodies.NAME.members.NAME.") and path not in self.paths:
            path = path.replace(".members.NAME", "")
        if path == "bodies.NAME.rigid_body.capsule" or path == "bodies.NAME.cylinder":
            path = "bodies.NAME.rigid_body.cylinder"
        if path == "urdf.place":
            path = "bodies.NAME.place"
        if path not in self.paths and f"SELECTION.{last}" in self.paths:
            path = f"SELECTION.{last}"
        found = self.paths.get(path) or self.paths.get(other.get(last), [("POINT", False)])
        mine = [one for one in found if any(one[0].endswith(f"_{key.upper()}") for key in around)]
        return self.dice.choice(mine if mine and self.chance(0.8) else found)

    def map(self, path, around=()):
        block, selects = self.block_at(path, around)
        rows = list(self.blocks[block])
        if selects:
            rows += self.blocks["SELECTION"]
        alternatives = [row for row in rows if row[1] == "ONE_OF"]
        chosen = [row for row in rows if row[1] == "REQUIRED" or row[1] == "OPTIONAL" and self.chance(0.25)]
        if alternatives:
            chosen.append(self.dice.choice(alternatives))
        self.dice.shuffle(chosen)
        keys = [row[0] for row in chosen]
        made = {}
        for key, _, kind, dimension in chosen:
            if not self.chance(0.01):
                inner = f"{path}.{key}" if path else key
                made[key] = self.map(inner, keys) if kind == "MAP" and key in ("limits", "command") else self.value(path, key, kind, dimension)
        return made

    def named(self, path):
        """Whether the keys of the map there are names."""
        return path in NAMED or path.endswith((
            ".surfaces", ".cavities", ".rods", ".shells", ".springs", ".threads", ".members", ".rigid", "wire.out", "wire.in",
            "plant.actuators", "plant.sensors", "plant.loads", "estimate.readings", "estimate.unknowns"))

    def holders(self, tree, path="", around=()):
        """Every map of a scene with its path in the table, and the keys beside it."""
        if isinstance(tree, list):
            for item in tree:
                yield from self.holders(item, path, around)
        if not isinstance(tree, dict):
            return
        yield tree, path, around
        for key, value in tree.items():
            yield from self.holders(value, f"{path}.NAME" if self.named(path) else f"{path}.{key}".strip("."), tuple(tree))

    def gather(self, scene):
        """Names that the scene gives, by what they are of."""
        self.names = collections.defaultdict(set)
        for tree, path, _ in self.holders(scene):
            for section in (*NAMED, "cavities", "members"):
                if path == section or path.endswith(f".{section}"):
                    self.names[section] |= set(tree)

    def change(self, scene):
        """One key more, one other value, or one key less."""
        tree, path, around = (scene, "", ()) if self.chance(0.15) else self.dice.choice(list(self.holders(scene)))
        block, selects = self.block_at(path or "SCENE", around)
        rows = self.blocks[block] + (self.blocks["SELECTION"] if selects else [])
        if self.chance(0.1) and tree:
            del tree[self.dice.choice(list(tree))]
        elif self.named(path):
            tree[self.dice.choice([*tree, "a", "b"])] = self.map(f"{path}.NAME")
        elif rows:
            key, _, kind, dimension = self.dice.choice(rows)
            new = self.value(path, key, kind, dimension)
            if isinstance(tree.get(key), dict) and isinstance(new, dict):
                tree[key].update(new)
            else:
                tree[key] = new

    def scene(self):
        """One that runs, with a few changes."""
        self.wild = self.dice.choice((0, 0, 0.02, 0.1, 0.5))
        scene = copy.deepcopy(bases.choose(self.dice))
        self.gather(scene)
        for _ in range(self.dice.choice((1, 1, 2, 3, 5))):
            self.change(scene)
        if isinstance(scene.get("step"), dict) and self.chance(0.9):
            scene["step"]["steps"] = self.dice.randint(1, 3)
        return scene
