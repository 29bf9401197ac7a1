"""The Debian packages: what they hold and what they ask for. scripts/test_package installs them in a clean root."""

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


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=240, **options)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


@unittest.skipIf(SANITIZED, "nobody packages the sanitizers")
@unittest.skipUnless(shutil.which("dpkg-shlibdeps"), "dpkg-dev is not installed")
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="lithe-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        env = {key: value for key, value in os.environ.items() if key != "DESTDIR"}
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder, env=env, cwd=BUILD)
        cls.packages = {path.name.split("_")[0]: path for path in cls.folder.glob("*.deb")}

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.packages[package], name).strip()

    def content(self, package):
        lines = [line.split() for line in run("dpkg-deb", "-c", self.packages[package]).splitlines()]
        return {words[5].lstrip("."): words for words in lines if not words[0].startswith("d")}

    def test_there_are_two(self):
        self.assertEqual(set(self.packages), {"lithe", "lithe-dev"})
        version = run(BUILD / "lithe", "--version").split()[1]
        for package in self.packages:
            self.assertEqual(self.field(package, "Version"), version)

    def test_the_program_and_the_library_are_in_the_first(self):
        names = "\n".join(self.content("lithe"))
        for pattern in (r"/usr/bin/lithe", r"/usr/lib/\S*liblithe\.so\.1", r"/usr/share/man/man1/lithe\.1",
                        r"/usr/share/bash-completion/completions/lithe", r"/usr/share/doc/lithe/copyright"):
            self.assertRegex(names, rf"(?m)^{pattern}$")
        self.assertNotIn("include", names)

    def test_what_builds_programs_is_in_the_second(self):
        names = "\n".join(self.content("lithe-dev"))
        for pattern in (r"/usr/include/lithe/lithe\.h", r"/usr/lib/\S*pkgconfig/lithe\.pc", r"/usr/lib/\S*liblithe\.so",
                        r"/usr/lib/\S*cmake/lithe/lithe-config\.cmake"):
            self.assertRegex(names, rf"(?m)^{pattern}$")
        self.assertEqual(self.field("lithe-dev", "Depends"), f"lithe (= {self.field('lithe', 'Version')})")

    def test_everything_is_the_system_administrators(self):
        for package in self.packages:
            for name, words in self.content(package).items():
                self.assertEqual(words[1], "root/root", name)
                self.assertRegex(words[0], r"^l|^-rw-r--r--$|^-rwxr-xr-x$", name)

    def test_the_libraries_it_needs_are_asked_for(self):
        asked = self.field("lithe", "Depends")
        for library in ("libc6", "libyaml-0", "libexpat1", "libamd", "libmetis"):
            self.assertRegex(asked, rf"(^|[ ,]){re.escape(library)}")
        self.assertNotIn("-dev", asked)


if __name__ == "__main__":
    unittest.main()
