"""The installed copy: what is in it, that programs can be built with it, and that it goes away again."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
BUILD = pathlib.Path(os.environ["LITHE_BUILD"])
SANITIZED = "sanitize" in BUILD.name
NOTES = ("install_manifest.txt", "install_folders.txt")

PROJECT = """\
cmake_minimum_required(VERSION 3.20)
project(bend LANGUAGES C)
find_package(lithe 0.1 REQUIRED)
add_executable(bend bend.c)
target_link_libraries(bend lithe::lithe)
"""


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=240, **options)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def tree(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


class Case(unittest.TestCase):
    """Installs with a folder for it; what a person installed from this build folder can be uninstalled afterwards too."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="lithe-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        aside = pathlib.Path(tempfile.mkdtemp(prefix="lithe-install-"))
        for name in NOTES:
            if (BUILD / name).exists():
                shutil.move(BUILD / name, aside / name)
        cls.addClassCleanup(cls.restore, aside)

    @staticmethod
    def restore(aside):
        for name in NOTES:
            (BUILD / name).unlink(missing_ok=True)
            if (aside / name).exists():
                shutil.move(aside / name, BUILD / name)
        aside.rmdir()


class Installed(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.env = {**os.environ, "LD_LIBRARY_PATH": str(cls.found("liblithe.so.1").parent)}

    @classmethod
    def found(cls, name):
        (path,) = (path for path in cls.prefix.rglob(name))
        return path

    def check(self, name, program):
        out = run(program, cwd=ROOT, env=self.env)
        self.assertEqual(out, run(BUILD / "tests" / f"example_{name}", cwd=ROOT))

    def test_everything_is_in_its_place(self):
        for name in ("bin/lithe", "include/lithe/lithe.h", "share/man/man1/lithe.1", "share/doc/lithe/copyright",
                     "share/bash-completion/completions/lithe"):
            self.assertTrue((self.prefix / name).is_file(), name)
        for name in ("lithe.pc", "lithe-config.cmake", "lithe-config-version.cmake", "liblithe.so"):
            self.assertTrue(self.found(name).exists(), name)
        for path in self.prefix.rglob("*"):
            self.assertTrue(path.is_dir() or str(self.prefix) not in path.read_text(errors="ignore"), path)
            self.assertFalse(path.suffix == ".a", path)

    def test_the_library_has_its_name_and_shows_nothing_but_its_own(self):
        library = self.found("liblithe.so.1")
        self.assertIn("Library soname: [liblithe.so.1]", run("readelf", "-d", library))
        names = {line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()}
        if not SANITIZED:
            self.assertEqual({name for name in names if not name.startswith("lithe_")}, set())
        headers = "".join(path.read_text() for path in (self.prefix / "include" / "lithe").glob("*.h"))
        promised = set(re.findall(r"^LITHE_API [^;]*?\b(lithe_\w+)\(", headers, re.MULTILINE))
        self.assertGreater(len(promised), 50)
        self.assertEqual(promised - names, set())

    def test_the_program_runs_and_all_versions_agree(self):
        version = run(self.found("bin/lithe"), "--version").split()[1]
        pc = run("pkg-config", "--modversion", self.found("lithe.pc")).strip()
        self.assertEqual(version, pc)
        self.assertIn(f'"lithe {version}"', self.found("lithe.1").read_text())
        self.assertIn(f'LITHE_VERSION "{version}"', self.found("lithe.h").read_text())
        run(self.found("bin/lithe"), "check", ROOT / "examples" / "finger" / "robot.yaml")

    @unittest.skipIf(SANITIZED, "its library needs the sanitizers' own")
    def test_a_program_is_built_with_pkg_config(self):
        env = {**os.environ, "PKG_CONFIG_PATH": str(self.found("lithe.pc").parent)}
        flags = run("pkg-config", "--cflags", "--libs", "lithe", env=env).split()
        for name in ("bend", "track", "vary"):
            with self.subTest(name):
                program = self.folder / name
                run("cc", "-std=c17", "-Wall", "-Werror", ROOT / "examples" / "c" / f"{name}.c", "-o", program, *flags, "-lm")
                self.check(name, program)

    @unittest.skipIf(SANITIZED, "its library needs the sanitizers' own")
    def test_a_program_is_built_with_find_package(self):
        source = self.folder / "project"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(PROJECT)
        shutil.copy(ROOT / "examples" / "c" / "bend.c", source)
        run("cmake", "-S", source, "-B", source / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", source / "build")
        self.check("bend", source / "build" / "bend")


class Manual(unittest.TestCase):
    """The manual and the completion know every command and every option."""

    @classmethod
    def setUpClass(cls):
        cls.manual = (ROOT / "packaging" / "lithe.1").read_text().replace("\\-", "-")
        cls.commands = re.findall(r"^  lithe ([a-z]+) ", run(BUILD / "lithe", "--help"), re.MULTILINE)

    def options(self, command):
        return re.findall(r"^  (--[a-z-]+) ", run(BUILD / "lithe", command, "--help"), re.MULTILINE)

    def test_the_manual_is_complete(self):
        self.assertGreater(len(self.commands), 2)
        for command in self.commands:
            self.assertTrue(re.search(rf"(?m)^\.BI? {command}( |$)", self.manual), command)
            for option in self.options(command):
                self.assertTrue(re.search(rf"(?m)^\.BI? {option}\b", self.manual), f"{command} {option}")
        for status in ("0", "1", "2", "3", "130"):
            self.assertIn(f"\n.B {status}\n", self.manual)

    def test_the_manual_speaks_of_no_command_that_is_not_there(self):
        section = self.manual.split(".SH COMMANDS")[1].split(".SH")[0]
        told = re.findall(r"(?m)^\.TP\n\.BI? ([a-z]+)(?: |$)", section)
        self.assertEqual(sorted(told), sorted(self.commands))

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_the_manual_is_well_formed(self):
        words = ["groff", "-man", "-ww", "-z", str(ROOT / "packaging" / "lithe.1")]
        done = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def complete(self, *words):
        script = (f"source '{ROOT}/packaging/completion.bash'; COMP_WORDS=({' '.join(words)} ''); "
                  f"[ -z '{words[-1]}' ] || unset 'COMP_WORDS[-1]'; COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); "
                  "_lithe; printf '%s\\n' \"${COMPREPLY[@]}\"")
        env = {**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}"}
        return run("bash", "-c", script, cwd=ROOT / "examples" / "parallel", env=env).split()

    def test_completion_knows_commands_options_scenes_and_actuators(self):
        self.assertEqual(self.complete("lithe", "ch"), ["check"])
        self.assertEqual(set(self.complete("lithe", "-")), {"--help", "--version"})
        for command in self.commands:
            self.assertEqual(self.complete("lithe", command, "--"), self.options(command))
        self.assertEqual(self.complete("lithe", "run", "rob"), ["robot.yaml"])
        self.assertEqual(self.complete("lithe", "run", "robot.yaml", "n"), ["north.pull="])


class Uninstalled(Case):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lithe-install-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def install(self, env, prefix):
        run("cmake", "--install", BUILD, "--prefix", prefix, env=env)

    def uninstall(self, env):
        run("cmake", f"-DBUILD={BUILD}", "-P", ROOT / "packaging" / "uninstall.cmake", env=env)

    def test_nothing_is_left(self):
        for env, prefix in ((os.environ, self.folder / "usr" / "local"),
                            ({**os.environ, "DESTDIR": str(self.folder / "stage")}, "/opt/lithe")):
            self.install(env, prefix)
            self.install(env, prefix)  # over itself
            self.assertGreater(len(tree(self.folder)), 10)
            self.uninstall(env)
            self.assertEqual(tree(self.folder), [])

    def test_what_was_there_before_stays(self):
        (self.folder / "share" / "man").mkdir(parents=True)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "other").write_text("mine")
        before = tree(self.folder)
        self.install(os.environ, self.folder)
        self.uninstall(os.environ)
        self.assertEqual(tree(self.folder), before)

    def test_without_an_installation_it_says_so(self):
        words = ["cmake", f"-DBUILD={self.folder}", "-P", str(ROOT / "packaging" / "uninstall.cmake")]
        done = subprocess.run(words, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nothing was installed", " ".join(done.stderr.split()))


if __name__ == "__main__":
    unittest.main()
