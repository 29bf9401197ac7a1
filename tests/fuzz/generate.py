"""Scenes at random: keys from the program's own table, values that are plausible or extreme."""

import random
import re

ROW = re.compile(r'\{KEYS_(\w+), +"(\w+)", +(\w+), +KEYS_(\w+), +QUANTITY_(\w+),')
BLOCK = re.compile(r'\[KEYS_(\w+)\] = \{"([\w.]+)", "[^"]*", (\w+)\}')
WORDS = ("corotational st-venant-kirchhoff neo-hookean mooney-rivlin yeoh ogden orthotropic gent converged realtime asynchronous "
         "euler alpha static lumped consistent hierarchy epsilon seidel local global volume point tet4 tet10 tet4-averaged hex8 "
         "as-meshed world own equilibrium rest open task jacobian real lockstep pull tension x y z").split()
# Units and plausible sizes, for a robot of 20 x 20 x 90 mm.
PLAUSIBLE = {
    "NUMBER": ("", (0, 0.1, 0.3, 0.45, 1, 2)), "LENGTH": ("mm", (0, 1, 5, 10, 20, 45, 90)), "FORCE": ("N", (0, 0.1, 1, 5)),
    "PRESSURE": ("kPa", (1, 10, 100, 500)), "MASS": ("g", (1, 20)), "TIME": ("s", (0.01, 0.05, 1)),
    "ANGLE": ("deg", (0, 10, 90)), "VOLUME": ("ml", (0.1, 1)), "DENSITY": ("kg/m^3", (1000, 2000)),
    "ACCELERATION": ("m/s^2", (0, 9.81)), "VELOCITY": ("mm/s", (1, 100)), "STIFFNESS": ("N/m", (10, 1000)),
    "MOMENT": ("N m", (0.001, 0.01)), "COMPLIANCE": ("m/N", (0.0001,)), "SPIN": ("rad/s", (1,)),
}
KIND_ROW = re.compile(r'\{KEYS_(\w+(?:\(LITHE_\w+\))?), +"(\w+)", +KEYS_(\w+), +KEYS_(\w+), +QUANTITY_(\w+),')
EXTREME = (0.0, -0.0, 1e-300, -1e-300, 1e-160, 1e160, -1e160, 1e308, -1e308, 5e-324, 1e-9, 1e9, -1.0, 0.5, 1 - 1e-16, 1e30)


def read_kinds(root, blocks, paths):
    """The same of actuators and sensors, whose keys stand in the files of their kinds."""
    for file in sorted((root / "src/scene").glob("actuator_*.c")) + sorted((root / "src/scene").glob("sensor_*.c")):
        text = file.read_text()
        for name, selects in re.findall(r'ACTUATOR_HEADINGS\("(\w+)", KEYS_SELECTS_(\w+)\)', text):
            for suffix, path in (("", name), ("_LIMITS", "limits"), ("_COMMAND", "command")):
                paths.setdefault(f"actuators.NAME.{path}", []).append((f"KIND_{name.upper()}{suffix}", not suffix and selects != "NONE"))
                blocks[f"KIND_{name.upper()}{suffix}"] = []
        for path in re.findall(r'\.heading = \{"(sensors\.NAME\.\w+)"', text):
            paths.setdefault(path, []).append((f"SENSOR_{path.split('.')[2].upper()}", False))
            blocks[f"SENSOR_{path.split('.')[2].upper()}"] = []
        for block, key, need, kind, dimension in KIND_ROW.findall(text):
            own = re.match(r"(SENSOR_)?(LIMITS_|COMMAND_)?OF\(LITHE_(\w+)\)", block)
            if own:
                suffix = "_" + own[2].rstrip("_") if own[2] else ""
                block = f"SENSOR_{own[3]}" if own[1] else f"KIND_{own[3]}{suffix}"
            blocks[block].append((key, need, kind, dimension))


def read_table(root):
    """Keys of every block, and the block that is at every path."""
    text = (root / "src/scene/keys.c").read_text()
    blocks, paths = {}, {}
    for block, path, selects in BLOCK.findall(text):
        paths.setdefault(path, []).append((block, selects != "NONE"))
        blocks[block] = []
    for block, key, need, kind, dimension in ROW.findall(text):
        blocks[block].append((key, need, kind, dimension))
    read_kinds(root, blocks, paths)
    assert len(blocks) > 50 and len(blocks["SCENE"]) > 10, "the table is written in another way now"
    return blocks, paths


class Generator:
    def __init__(self, root, seed):
        self.dice = random.Random(seed)
        self.blocks, self.paths = read_table(root)
        self.wild = 0.0

    def chance(self, share):
        return self.dice.random() < share

    def number(self, dimension):
        unit, sizes = PLAUSIBLE.get(dimension, ("", (0.1, 1)))
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

    def name(self, key):
        names = {"body": "bar", "material": "silicone", "effector": "tip", "actuator": "east", "cavity": "belly", "sensor": "string", "member": "a", "to": "b"}
        return names.get(key, "bar") if not self.chance(0.05) else self.dice.choice(("tip", "nobody", "", "east"))

    def value(self, path, key, kind, dimension):
        dice = self.dice
        some = dice.randint(2, 4)
        plain = {
            "QUANTITY": lambda: self.number(dimension), "EFFORT": lambda: self.number(dimension),
            "NUMBERS": lambda: [self.number(dimension) for _ in range(dice.randint(1, 3))],
            "RANGE": lambda: sorted((self.number(dimension) for _ in range(2)), key=lambda t: float(t.split()[0])),
            "TRIPLE": lambda: self.triple(dimension), "TRIPLES": lambda: [self.triple(dimension) for _ in range(some)],
            "CORNERS": lambda: [self.place(), self.place()], "CARRIED": self.point,
            "CARRIEDS": lambda: [self.point() for _ in range(some)],
            "VALUE": lambda: self.number("LENGTH"), "SPAN": lambda: [self.number("LENGTH") for _ in range(2)],
            "VALUES": lambda: dice.choice((self.place(), self.number("LENGTH"))),
            "INTEGER": lambda: dice.choice((0, -1, 10**9, 2**31, 10**30)) if self.chance(self.wild) else dice.randint(1, 6),
            "BOOL": lambda: self.chance(0.5), "TRUE": lambda: True, "WORD": lambda: dice.choice(WORDS),
            "WORDS": lambda: dice.sample(("stay", "ring") if key == "distances" else ("x", "y", "z"), dice.randint(1, 2)), "NAME": lambda: self.name(key),
            "NAMES": lambda: ["bar"], "UNIT": lambda: PLAUSIBLE.get(dimension, ("mm",))[0] or "mm",
            "TEXT": lambda: {"mesh": "bar.vtk", "file": "wedge.obj"}.get(key, dice.choice(("side", "bar.vtk", "dragon skin 30"))),
        }
        if kind in plain:
            return plain[kind]()
        inner = f"{path}.{key}" if path else key
        if kind == "NAMED":
            return {dice.choice(("a", "b", "belly", "string", "east", "tip")): self.map(f"{inner}.NAME") for _ in range(dice.randint(1, 2))}
        if kind == "MAPS" or kind == "MAP_OR_MAPS" and self.chance(0.3):
            return [self.map(inner) for _ in range(dice.randint(1, 2))]
        return self.map(inner)

    def block_at(self, path):
        last = path.split(".")[-1]
        other = {"point": "POINT", "position": "POINT", "string": "LINE", "length": "LINE", "volume": "VOLUME",
                 "capsule": "obstacles.NAME.cylinder", "pipe": "obstacles.NAME.cylinder", "keep": "task.hold", "force": "sensors.NAME.pressure"}
        if path in self.paths:
            return self.dice.choice(self.paths[path])
        if last in ("sphere", "plane"):
            return self.dice.choice(self.paths[f"SELECTION.{last}"])
        return self.dice.choice(self.paths.get(other.get(last), [("POINT", False)]))

    def map(self, path):
        block, selects = self.block_at(path)
        rows = list(self.blocks[block])
        if selects:
            rows += self.blocks["SELECTION"]
        alternatives = [row for row in rows if row[1] == "ONE_OF"]
        chosen = [row for row in rows if row[1] == "REQUIRED" or row[1] == "OPTIONAL" and self.chance(0.25)]
        if alternatives:
            chosen.append(self.dice.choice(alternatives))
        self.dice.shuffle(chosen)
        return {row[0]: self.value(path, row[0], row[2], row[3]) for row in chosen if not self.chance(0.01)}

    def holders(self, tree, path=""):
        """Every map of a scene with its path in the table."""
        if isinstance(tree, list):
            for item in tree:
                yield from self.holders(item, path)
        if not isinstance(tree, dict):
            return
        yield tree, path
        named = path in ("materials", "bodies", "loads", "actuators", "effectors", "sensors", "obstacles") or path.endswith(
            (".surfaces", ".cavities", ".rods", ".shells", ".springs", ".threads", ".members", "wire.out", "wire.in", "plant.actuators", "plant.sensors",
             "plant.loads"))
        for key, value in tree.items():
            yield from self.holders(value, f"{path}.NAME" if named else f"{path}.{key}".strip("."))

    def change(self, scene):
        """One key more, one other value, or one key less."""
        tree, path = self.dice.choice(list(self.holders(scene)))
        if path and path not in self.paths:
            return
        block, _ = self.dice.choice(self.paths[path or "SCENE"])
        if self.chance(0.1) and tree:
            del tree[self.dice.choice(list(tree))]
        elif self.blocks[block]:
            key, _, kind, dimension = self.dice.choice(self.blocks[block])
            new = self.value(path, key, kind, dimension)
            if isinstance(tree.get(key), dict) and isinstance(new, dict):
                tree[key].update(new)
            else:
                tree[key] = new

    def scene(self):
        """One that runs, with a few changes."""
        self.wild = self.dice.choice((0, 0, 0.02, 0.1, 0.5))
        scene = {
            "units": {"length": "mm", "force": "N", "pressure": "kPa"},
            "materials": {"silicone": {"law": "corotational", "young": "200 kPa", "poisson": 0.4, "density": "1 g/cm^3"}},
            "bodies": {"bar": {"mesh": "bar.vtk", "material": "silicone", "fix": {"box": [[-1, -1, -1], [21, 21, 1]]},
                               "surfaces": {"side": {"plane": {"point": [19.9, 0, 0], "normal": [1, 0, 0]}}}}},
            "actuators": {"east": {"cable": {"body": "bar", "through": [[18, 10, 30], [18, 10, 85]], "pulled_from": [18, 10, -10]},
                                   "limits": {"pull": [0, 20]}, "command": {"pull": "3 mm"}}},
            "effectors": {"tip": {"point": {"body": "bar", "at": [10, 10, 90]}}},
            "step": {"dt": "10 ms", "steps": 2},
        }
        extra = {
            "obstacles": {"ball": {"sphere": {"center": [30, 10, 80], "radius": 12}}}, "dynamics": {"scheme": "euler"},
            "gravity": ["0 m/s^2", "0 m/s^2", "-9.81 m/s^2"], "contacts": {"self": ["bar"]},
            "task": {"hold": {"effector": "tip", "at": 12}},
        }
        for key, value in extra.items():
            if self.chance(0.25):
                scene[key] = value
        if self.chance(0.2):
            del scene["bodies"]["bar"]["mesh"]
            scene["bodies"]["bar"]["members"] = {
                "a": {"mesh": "bar.vtk"}, "b": {"rigid_body": {"box": [24, 24, 6]}, "mass": "20 g", "place": {"move": [10, 10, 92]}}}
            scene["bodies"]["bar"]["attachments"] = [{"member": "a", "to": "b", "overlap": True}]
        if self.chance(0.2):
            scene["bodies"]["bar"]["frame"] = "own"
            scene["bodies"]["copy"] = {"like": "bar", "place": {"rotate": ["20 deg", 0, "90 deg"], "move": [60, 0, 0]}}
            scene["actuators"]["west"] = {"like": "east", "body": "copy"}
            scene["effectors"]["end"] = {"like": "tip", "body": "copy"}
        if self.chance(0.2):
            scene["bodies"]["bar"]["springs"] = {"stay": {"from": [2, 10, 20], "to": [2, 10, 80], "stiffness": "20 N/m"}}
            scene["bodies"]["bar"]["threads"] = {"ring": {"points": [[5, 5, 50], [15, 5, 50], [15, 15, 50], [5, 15, 50]], "closed": True, "radius": 0.2, "slack": False}}
            scene["actuators"]["air"] = {"rest_length": {"body": "bar", "distances": ["stay", "ring"]}, "command": {"pressure": 5}}
        if "task" in scene:
            scene["effectors"]["tip"]["axes"] = ["x"]
        for _ in range(self.dice.choice((1, 1, 2, 3, 5))):
            self.change(scene)
        if isinstance(scene.get("step"), dict) and self.chance(0.9):
            scene["step"]["steps"] = self.dice.randint(1, 3)
        return scene
