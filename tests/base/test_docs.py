"""What the documentation lists is what there is: actuators, pages, parts, and no words that only insiders know."""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(os.environ["LITHE_ROOT"])
DOCS = ROOT / "docs"
# Where a part is called otherwise than the file that is linked.
CALLED = {"yaml": "libyaml", "z": "zlib", "websockets": "libwebsockets"}


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


class Tables(unittest.TestCase):
    def test_every_actuator_is_in_every_table_of_actuators(self):
        actuators = [name for path in sorted((ROOT / "src" / "scene").glob("actuator_*.c"))
                     for name in re.findall(r'\{KEYS_ACTUATOR, +"(\w+)", +KEYS_ONE_OF,', path.read_text())]
        self.assertGreater(len(actuators), 8)
        for page in ("docs/conventions.md", "docs/theory/rows.md"):
            for actuator in actuators:
                with self.subTest(page=page, actuator=actuator):
                    self.assertIn(f"\n| {actuator} |", text(page))

    def test_every_library_that_is_linked_is_among_the_parts(self):
        parts = text("docs/design.md").split("## Parts that are not ours")[1].split("\n## ")[0].lower()
        linked = re.findall(r"find_library\(\w+ (\w+)", text("CMakeLists.txt"))
        self.assertGreater(len(linked), 5)
        for library in linked:
            with self.subTest(library=library):
                self.assertIn(CALLED.get(library, library), parts)
        for tool in ("npm", "chromium", "gmsh"):
            self.assertIn(tool, parts)


class Headers(unittest.TestCase):
    def test_every_public_function_is_called_by_a_test_or_by_the_program_that_tests_run(self):
        callers = [path for folder in ("tests", "src/app", "examples/c") for path in (ROOT / folder).rglob("*")
                   if path.suffix in (".c", ".h", ".cpp")]
        called = set(re.findall(r"\blithe_\w+(?=\()", "".join(path.read_text(encoding="utf-8") for path in callers)))
        for header in sorted((ROOT / "include" / "lithe").glob("*.h")):
            functions = re.findall(r"LITHE_API\b[^;(]*?\b(lithe_\w+)\(", header.read_text(encoding="utf-8"))
            self.assertGreater(len(functions), 1)
            self.assertEqual(set(functions) - called, set(), header.name)


class Changelog(unittest.TestCase):
    def test_its_first_lines_are_of_this_version_and_say_all_that_it_does(self):
        _, newest, *_ = re.split(r"^## ", text("CHANGELOG.md"), flags=re.M)
        heading, _, told = newest.partition("\n\n")
        version = re.search(r"project\(lithe VERSION ([\d.]+)", text("CMakeLists.txt")).group(1)
        self.assertRegex(heading, rf"^{re.escape(version)}, (unreleased|\d{{4}}-\d\d-\d\d)$")
        self.assertIn(f'#define LITHE_VERSION "{version}"', text("include/lithe/lithe.h"))
        summary = told.partition("\n\n")[0]
        for what in ("statics", "motion", "forward", "inverse", "touching"):
            self.assertIn(what, summary)

    def test_every_command_of_the_program_is_in_it(self):
        commands = re.findall(r'^    \{"(\w+)", "', text("src/app/main.c"), re.M)
        self.assertGreater(len(commands), 8)
        for command in commands:
            with self.subTest(command=command):
                self.assertIn(f"`lithe {command}", text("CHANGELOG.md"))


class Pages(unittest.TestCase):
    def test_every_page_is_in_the_index_and_the_readme_leads_to_the_users_ones(self):
        index = text("docs/README.md")
        for page in sorted(DOCS.rglob("*.md")):
            name = page.relative_to(DOCS).as_posix()
            with self.subTest(page=name):
                self.assertTrue(name == "README.md" or f"]({name})" in index)
        for page in "contact materials dynamics robots experiments inverse scene program view from-sofa".split():
            with self.subTest(page=page):
                self.assertIn(f"](docs/{page}.md)", text("README.md"))

    def test_links_lead_somewhere(self):
        for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]:
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
                if "://" not in link:
                    with self.subTest(page=page.name, link=link):
                        self.assertTrue((page.parent / link).exists())

    def test_refusals_are_told_where_the_keys_are(self):
        scene = text("docs/scene.md")
        self.assertRegex(scene, r"`asynchronous`[^\n]*statics only")
        self.assertRegex(scene, r"Contacts with the scheme `alpha` need `lumped`")

    def test_interrupts_are_told_alike(self):
        for page in ("docs/program.md", "packaging/lithe.1"):
            told = re.sub(r"\s+", " ", text(page))
            with self.subTest(page=page):
                self.assertIn("SIGTERM", told)
                self.assertRegex(told, "An interrupt ends the step under way at its next iteration")
                self.assertRegex(told, "second one ends the program at once, by the signal itself")

    def test_how_effectors_move_says_what_contacts_do(self):
        section = text("docs/inverse.md").split("## How effectors move with actuators")[1].split("\n## ")[0]
        self.assertIn("Contacts are part of it", section)  # step/test_contact: the_jacobian_knows_contacts

    def test_no_word_is_for_insiders_only(self):
        insider = re.compile(r"\bpaper 0\d\d\b|\(ref\.\)|\bissue #?\d+\b", re.I)
        files = subprocess.run(["git", "ls-files", "*.md", "*.c", "*.h", "*.py", "*.1", "*.yaml", "*.mjs", "*.ts"], cwd=ROOT,
                               capture_output=True, text=True, check=False).stdout.split()
        for name in files or [path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md")]:
            if name != "tests/base/test_docs.py" and (ROOT / name).exists():
                with self.subTest(file=name):
                    self.assertIsNone(insider.search((ROOT / name).read_text(encoding="utf-8", errors="replace")))


if __name__ == "__main__":
    unittest.main()
