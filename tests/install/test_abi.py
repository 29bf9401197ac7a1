"""The library's name follows what programs were built against, and C++ programs can be built with its headers.

tests/install/abi.txt lists what programs of this SONAME rely on: exported functions, and the sizes of structs. What is
listed must stay; definitions, which carry their size, may grow. What has to change otherwise takes a new LITHE_ABI in
CMakeLists.txt and a new list:

    LITHE_ROOT=. LITHE_BUILD=build python3 tests/install/test_abi.py --write
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
BUILD = pathlib.Path(os.environ["LITHE_BUILD"])
SANITIZED = "sanitize" in BUILD.name
LIST = ROOT / "tests" / "install" / "abi.txt"
HEADERS = sorted((ROOT / "include" / "lithe").glob("*.h"))
STRUCT = re.compile(r"^typedef struct (lithe_\w+) \{\n(.*?)^\} \1;", re.MULTILINE | re.DOTALL)


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=240, **options)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def includes():
    return "".join(f"#include <lithe/{path.name}>\n" for path in HEADERS)


def structs():
    """Name and whether it carries its size."""
    for path in HEADERS:
        for name, body in STRUCT.findall(path.read_text()):
            yield name, "size_t bytes;" in body.split("\n", 1)[0]


def compile_and_run(compiler, suffix, text, flags):
    with tempfile.TemporaryDirectory(prefix="lithe-abi-") as folder:
        source, program = pathlib.Path(folder) / f"main{suffix}", pathlib.Path(folder) / "main"
        source.write_text(text)
        run(compiler, *flags, "-I", ROOT / "include", source, "-o", program, "-L", BUILD, "-llithe", f"-Wl,-rpath,{BUILD}")
        return run(program)


def sizes():
    lines = "".join(f'    printf("%s %zu\\n", "{name}", sizeof({name}));\n' for name, _ in structs())
    text = f"{includes()}#include <stdio.h>\nint main(void)\n{{\n{lines}    return 0;\n}}\n"
    return {name: int(size) for name, size in (line.split() for line in compile_and_run("cc", ".c", text, []).splitlines())}


def exports():
    out = run("nm", "-D", "--defined-only", BUILD / "liblithe.so")
    return sorted(line.split()[-1] for line in out.splitlines() if line.split()[-1].startswith("lithe_"))


def soname():
    return re.search(r"soname: \[liblithe\.so\.(\d+)\]", run("readelf", "-d", BUILD / "liblithe.so"))[1]


def declared():
    """Functions of the headers, but those that stand in them whole."""
    for path in HEADERS:
        for match in re.finditer(r"^LITHE_API [^;]*?\b(lithe_\w+)\(", path.read_text(), re.MULTILINE):
            yield match[1]


def write_list():
    growing = {name for name, grows in structs() if grows}
    lines = [f"abi {soname()}"] + exports()
    lines += [f"{name} {size}{' grows' if name in growing else ''}" for name, size in sorted(sizes().items())]
    LIST.write_text("\n".join(lines) + "\n")


@unittest.skipIf(SANITIZED, "the sanitizers' library is for nobody's programs")
class Abi(unittest.TestCase):
    def setUp(self):
        lines = LIST.read_text().splitlines()
        self.number = lines[0].removeprefix("abi ")
        self.functions = [line for line in lines[1:] if " " not in line]
        self.structs = [line.split() for line in lines[1:] if " " in line]

    def test_the_list_is_of_this_soname(self):
        self.assertEqual(self.number, soname(), "a new SONAME needs a new list: test_abi.py --write")
        self.assertGreater(len(self.functions), 100)
        self.assertGreater(len(self.structs), 30)

    def test_no_function_has_gone(self):
        gone = sorted(set(self.functions) - set(exports()))
        self.assertEqual(gone, [], "programs rely on these; to take them away, raise LITHE_ABI and write a new list")

    def test_structs_have_the_size_that_programs_know(self):
        now = sizes()
        for name, size, *grows in self.structs:
            with self.subTest(name):
                (self.assertGreaterEqual if grows else self.assertEqual)(
                    now[name], int(size), "programs know it so; to change it, raise LITHE_ABI and write a new list")

    def test_what_the_headers_declare_is_exported_and_nothing_else(self):
        self.assertEqual(sorted(set(declared())), exports())


@unittest.skipIf(SANITIZED or not shutil.which("c++"), "no C++ compiler, or the sanitizers' library")
class Cxx(unittest.TestCase):
    """A C++ program includes every header, without a warning, and moves a robot."""

    PROGRAM = """
#include <cmath>
#include <cstdio>

static const char scene_text[] =
    "units: {length: mm, force: N, pressure: MPa}\\n"
    "gravity: [0 m/s^2, 0 m/s^2, -9.81 m/s^2]\\n"
    "materials: {polymer: {law: corotational, young: 60, poisson: 0.4, density: 1050 kg/m^3}}\\n"
    "bodies: {rod: {material: polymer, rods: {r: {points: [[0, 0, 0], [100, 0, 0]], elements: 10, circle: 1}},\\n"
    "  fix: {nearest: [0, 0, 0]}}}\\n"
    "effectors: {tip: {point: {body: rod, at: [100, 0, 0]}}}\\n";

int main()
{
    lithe_report report = lithe_report_default();
    lithe_scene *scene = nullptr;
    lithe_model *model = nullptr;
    lithe_state *state = nullptr;
    lithe_def def = lithe_def_default();
    lithe_actuator_def cable = lithe_actuator_def_default(LITHE_CABLE);
    lithe_calibrate_def calibrate = lithe_calibrate_def_default();
    if (def.bytes != sizeof def || cable.bytes != sizeof cable || calibrate.threads != 1)
        return 1;
    if (lithe_scene_read_text(scene_text, sizeof scene_text - 1, "text", 0, nullptr, &scene, &report) != LITHE_OK ||
        lithe_compile(lithe_scene_def(scene), &model, &report) != LITHE_OK ||
        lithe_state_create(model, 1, &state, &report) != LITHE_OK || lithe_step(model, state) != LITHE_OK)
        return std::fprintf(stderr, "%s", report.error), 1;
    double tip[3];
    lithe_effector_value(model, state, 0, tip);
    std::printf("%.6f\\n", tip[2]);
    lithe_state_free(state);
    lithe_model_free(model);
    lithe_scene_free(scene);
    return 0;
}
"""

    def test_a_program_is_built_and_run(self):
        out = compile_and_run("c++", ".cpp", includes() + self.PROGRAM,
                              ["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"])
        sag = -1050 * 9.81 * 0.1 ** 4 / (8 * 60e6) * 4 / 0.001 ** 2  # of a cantilever under its weight, w L^4 / 8 E I
        self.assertAlmostEqual(float(out), sag, delta=0.05 * abs(sag))

    def test_each_header_stands_alone(self):
        for path in HEADERS:
            with self.subTest(path.name), tempfile.TemporaryDirectory(prefix="lithe-abi-") as folder:
                for compiler, suffix, standard in (("c++", ".cpp", "c++11"), ("cc", ".c", "c11")):
                    source = pathlib.Path(folder) / f"alone{suffix}"
                    source.write_text(f"#include <lithe/{path.name}>\n")
                    run(compiler, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
                        "-I", ROOT / "include", source)


if __name__ == "__main__":
    if "--write" in sys.argv:
        write_list()
    else:
        unittest.main()
