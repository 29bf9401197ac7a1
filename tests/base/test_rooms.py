"""The rooms stay in order: each includes only rooms before it, and the library neither prints nor exits."""

import os
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
ORDER = "base sparse mesh material element body row contact solve step control reduce drive scene io study app".split()
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
SPEECH = re.compile(r"\b(exit|_exit|_Exit|quick_exit|abort|printf|vprintf|puts|putchar|perror)\s*\("
                    r"|\b(stderr|stdout)\b")
STEP_HEADER_MAX = 120  # lines
STEP_FILES_MAX = 25
NOT_OF_STEP = re.compile(r"\bsparse_\w+|\b(n?blocks?|block_\w+|\w+_blocks?|pattern|symbolic|hold)\b|\bheld\["
                         r"|\bROW_(CABLE|PISTON|CAVITY|MEAN|ROTATION|SLIDER|MODULUS|ANGLE)\b|(->|\.)(shell|cloud|region)\b")
KIND = (r"((SHAPE|LITHE_OBSTACLE|LITHE_SENSOR)_[A-Z]+|LITHE_(STRING|POSITION|DISTANCE|CABLE|PISTON|SPRING|CAVITY|REST_LENGTH"
        r"|LIQUID|FORCE|SLIDER|MODULUS|SERVO|MOTOR|LINEAR_MOTOR|COROTATIONAL|ST_VENANT_KIRCHHOFF|NEO_HOOKEAN|MOONEY_RIVLIN"
        r"|YEOH|OGDEN|ORTHOTROPIC|GENT))\b")
KIND_ASKED = re.compile(rf"([!=]=|\bcase)\s*{KIND}|{KIND}\s*[!=]=")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
# What C17 and POSIX bring; a user's program needs nothing else.
STANDARD = re.compile(r"^(assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal"
                      r"|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath"
                      r"|threads|time|uchar|wchar|wctype|unistd|pthread)\.h$")


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".c", ".h"))


def includes(path):
    return INCLUDE.findall(path.read_text())


def room_faults(root):
    """Includes of a later room, and rooms that the order does not know."""
    for path in sources(root / "src"):
        room = path.relative_to(root / "src").parts[0]
        if room not in ORDER:
            yield f"{path}: there is no room '{room}' in the order"
            continue
        for mark, name in includes(path):
            other = name.split("/")[0]
            if mark == '"' and "/" not in name:
                yield f'{path}: includes "{name}" without its room'
            elif mark == '"' and other != "lithe" and other not in ORDER:
                yield f"{path}: includes {name}, which is of no room"
            elif other in ORDER and ORDER.index(other) > ORDER.index(room):
                yield f"{path}: {room} includes {name}, of a room after it"


def name_faults(root):
    """A file's name says what it holds: no two rooms have one of the same name, but each its tolerances."""
    rooms = {}
    for path in sources(root / "src"):
        if path.name in rooms and path.name != "tolerances.h":
            yield f"{path}: {rooms[path.name]} is called so too"
        rooms[path.name] = path


def reached(root, path, seen):
    """Our headers that a file sees, also by way of others."""
    for mark, name in includes(path):
        header = root / "src" / name
        if mark == '"' and name not in seen:
            seen.add(name)
            if header.exists():
                reached(root, header, seen)
    return seen


def program_faults(root):
    """The program stands on the public headers, base and io: whatever it can do, a user's program can."""
    for path in sources(root / "src" / "app"):
        for name in sorted(reached(root, path, set())):
            if name.split("/")[0] not in ("lithe", "base", "io", "app"):
                yield f"{path}: sees {name}, of an inner room"


def header_faults(root):
    """The public header stands on its own."""
    for path in sources(root / "include"):
        for mark, name in includes(path):
            if mark == '"' and not name.startswith("lithe/") or not STANDARD.match(name) and mark == "<":
                yield f"{path}: includes {name}"


def speech_faults(root):
    """A library never prints and never exits; the program may."""
    for path in sources(root / "src"):
        if path.relative_to(root / "src").parts[0] == "app":
            continue
        code = COMMENT_OR_STRING.sub(lambda match: "\n" * match[0].count("\n"), path.read_text())
        for match in SPEECH.finditer(code):
            if path.name == "h5_child.c" and match[1] == "_exit":
                continue  # of the child process that it starts
            line = code.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {match[1] or match[2]} in the library"


def example_faults(root):
    """A user's program sees the public header and nothing else of ours."""
    for path in sorted((root / "examples" / "c").glob("*.c")):
        for mark, name in includes(path):
            if mark == '"' or name != "lithe/lithe.h" and not STANDARD.match(name):
                yield f"{path}: includes {name}"


def step_faults(root):
    """The step can be read: a header for each idea; it knows spaces, never nodes' blocks, held axes or kinds of rows."""
    files = sum(path.suffix == ".c" for path in sources(root / "src" / "step"))
    if files > STEP_FILES_MAX:
        yield f"src/step has {files} .c files; at most {STEP_FILES_MAX}, what is more belongs elsewhere"
    for path in sources(root / "src" / "step"):
        lines = path.read_text().count("\n")
        if path.suffix == ".h" and lines > STEP_HEADER_MAX:
            yield f"{path}: {lines} lines; a header of the step has at most {STEP_HEADER_MAX}"
        for _, name in includes(path):
            if name.startswith("sparse/"):
                yield f"{path}: includes {name}, which is the body's business"
        code = COMMENT_OR_STRING.sub(lambda match: "\n" * match[0].count("\n"), path.read_text())
        for match in NOT_OF_STEP.finditer(code):
            line = code.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {match[0]}, which is the business of a body, its space or a row"


def kind_faults(root):
    """One place for a kind: whoever asks which kind a shape, obstacle, actuator, sensor or law is asks its table instead."""
    for path in sources(root / "src"):
        if path.relative_to(root / "src").parts[0] == "app" or path.name.startswith(("actuator_", "sensor_")):
            continue  # the one has the public API alone, the others are kinds' own files
        code = COMMENT_OR_STRING.sub(lambda match: "\n" * match[0].count("\n"), path.read_text())
        for match in KIND_ASKED.finditer(code):
            line = code.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {match[0]}; what differs between kinds is a member of its table"


CHECKS = (room_faults, program_faults, name_faults, header_faults, speech_faults, example_faults, step_faults,
          kind_faults)


class Rooms(unittest.TestCase):
    def test_the_repository_keeps_the_rules(self):
        for check in CHECKS:
            with self.subTest(check.__name__):
                self.assertEqual(list(check(ROOT)), [])

    def test_there_is_something_to_check(self):
        self.assertGreater(len(sources(ROOT / "src")), 50)
        self.assertTrue((ROOT / "include" / "lithe" / "lithe.h").exists())


class Checker(unittest.TestCase):
    """Every rule, broken once in a small tree, is noticed."""

    def faults(self, name, text):
        with tempfile.TemporaryDirectory(prefix="lithe-rooms-") as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(text)
            return [fault for check in CHECKS for fault in check(pathlib.Path(folder))]

    def test_good_files_pass(self):
        good = '#include "base/vec.h"\n#include "row/row.h"\n#include <math.h>\n'
        words = '// exit(1) and stderr\nconst char *text = "printf(";\nint n = snprintf(0, 0, "");\n'
        self.assertEqual(self.faults("src/step/good.c", good + words), [])
        self.assertEqual(self.faults("examples/c/good.c", "#include <lithe/lithe.h>\n#include <stdio.h>\n"), [])

    def test_a_name_in_two_rooms_is_noticed(self):
        with tempfile.TemporaryDirectory(prefix="lithe-rooms-") as folder:
            for room in ("base", "mesh"):
                path = pathlib.Path(folder) / "src" / room / "same.c"
                path.parent.mkdir(parents=True)
                path.write_text("int x;\n")
            self.assertEqual(len(list(name_faults(pathlib.Path(folder)))), 1)

    def test_too_many_files_of_the_step_are_noticed(self):
        with tempfile.TemporaryDirectory(prefix="lithe-rooms-") as folder:
            step = pathlib.Path(folder) / "src" / "step"
            step.mkdir(parents=True)
            for i in range(STEP_FILES_MAX + 1):
                (step / f"page{i}.c").write_text("int x;\n")
            self.assertEqual(len(list(step_faults(pathlib.Path(folder)))), 1)

    def test_every_broken_rule_is_noticed(self):
        for name, text in (
            ("src/base/bad.c", '#include "mesh/mesh.h"\n'),
            ("src/row/bad.h", '  #  include "step/model.h"\n'),
            ("src/app/bad.c", '#include "step/model.h"\n'),
            ("src/cellar/bad.c", "int x;\n"),
            ("src/base/bad.c", '#include "vec.h"\n'),
            ("src/base/bad.c", '#include "tests/bar.h"\n'),
            ("src/io/bad.c", '#include <app/say.h>\n'),
            ("include/lithe/lithe.h", '#include "base/vec.h"\n'),
            ("include/lithe/lithe.h", "#include <yaml.h>\n"),
            ("src/base/bad.c", "void f(void) { exit(1); }\n"),
            ("src/base/bad.c", "void f(void) { abort(); }\n"),
            ("src/io/bad.c", 'void f(void) { printf("x"); }\n'),
            ("src/step/bad.c", 'void f(void) { fprintf(stderr, "x"); }\n'),
            ("examples/c/bad.c", '#include "lithe/lithe.h"\n'),
            ("examples/c/bad.c", "#include <step/model.h>\n"),
            ("src/step/bad.h", "// one idea too many\n" * 121),
            ("src/step/bad.c", '#include "sparse/sparse.h"\n'),
            ("src/step/bad.c", "int f(const body *b) { return b->pattern.n; }\n"),
            ("src/step/bad.c", "int f(const body *b) { return b->held[0]; }\n"),
            ("src/step/bad.c", "int f(const row *r) { return r->kind == ROW_CABLE; }\n"),
            ("src/step/bad.c", "int f(const row *r) { return r->region.n; }\n"),
            ("src/contact/bad.c", "int f(const contact_shape *s) { return s->kind == SHAPE_BOX; }\n"),
            ("src/io/bad.c", "int f(shape_kind k) { switch (k) { case SHAPE_BOX: return 1; default: return 0; } }\n"),
            ("src/control/bad.c", "int f(const lithe_model *m) { return m->actuator[0].type == LITHE_MODULUS; }\n"),
            ("src/io/bad.c", "int f(const lithe_sensor_def *d) { return d->kind != LITHE_SENSOR_EFFORT; }\n"),
            ("src/scene/bad.c", "int f(const lithe_material_def *d) { return d->law == LITHE_GENT; }\n"),
            ("src/scene/bad.c", "int f(const lithe_obstacle_def *d) { return LITHE_OBSTACLE_MESH != d->kind; }\n"),
        ):
            with self.subTest(text=text):
                self.assertEqual(len(self.faults(name, text)), 1)


if __name__ == "__main__":
    unittest.main()
