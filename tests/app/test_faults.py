"""When the machine fails: disk full, read errors, folders that vanish, interrupts, too little memory."""

import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest

import scenes

SHIM = pathlib.Path(os.environ["LITHE_BUILD"]) / "tests" / "libfault_shim.so"
RESULTS = ["frame_00000.vtu", "frame_00001.vtu", "frames.pvd", "series.csv", "summary.json"]
TASK = "task: {hold: {effector: tip, at: 2.5}}\n"
REMEDY = re.compile(r"; \S.*$")


def errors(err):
    return [line for line in err.splitlines() if line.startswith("lithe: error: ")]


@unittest.skipIf(scenes.SANITIZED, "the sanitizers must be loaded first themselves")
class Injected(scenes.Case):
    """Every call to the system that a run makes for its files fails once."""

    def setUp(self):
        super().setUp()
        # a mesh of more than one buffer, so that reads and writes fail in the middle too
        self.write("bar.vtk", scenes.vtk(*scenes.bar(cells=(2, 2, 36), size=2.5)))
        scene = scenes.SCENE.replace("[[18, 10, 30], [18, 10, 85]]", "[[4, 2, 30], [4, 2, 85]]")
        self.write("scene.yaml", scene.replace("[18, 10, -10]", "[4, 2, -10]").replace("[10, 10, 90]", "[2, 2, 90]"))
        self.log = self.folder.with_name(self.folder.name + ".log")
        self.addCleanup(lambda: self.log.unlink(missing_ok=True))

    RUN = ("run", "scene.yaml", "east.pull=1mm", "--steps", "1", "--out", "new/out")

    def run_with_fault(self, fault, words=RUN):
        """Exit status, error output and the call that failed; None if the run got by without."""
        self.log.unlink(missing_ok=True)
        env = {**os.environ, "LD_PRELOAD": str(SHIM), "LITHE_FAULT": fault, "LITHE_FAULT_LOG": str(self.log)}
        code, _, err = self.lithe(*words, env=env)
        call = self.log.read_text().splitlines()[0].split()[1] if self.log.exists() else None
        return code, err, call

    def inject_everywhere(self, mark, check, words=RUN):
        struck = []
        for number in range(1, 400):
            code, err, call = self.run_with_fault(f"{number}{mark}", words)
            if call is None:
                self.assertEqual(code, 0, err)
                return struck
            with self.subTest(number=number, call=call):
                self.assertEqual(code, 3, err)
                self.assertEqual(len(errors(err)), 1, err)
                self.assertRegex(errors(err)[0], REMEDY)
                check(err)
            struck.append(call)
        self.fail("there was always another call that failed")

    def nothing_is_left(self, _):
        self.assertEqual(self.files(), ["bar.vtk", "scene.yaml"])

    def test_one_failure_anywhere_leaves_nothing(self):
        struck = self.inject_everywhere("", self.nothing_is_left)
        self.assertEqual(set(struck), {"open", "read", "write", "mkdir", "openat", "fsync", "rename"})
        self.assertGreater(struck.count("read"), 5)
        self.assertGreater(struck.count("write"), 10)
        self.assertEqual(struck.count("fsync"), len(RESULTS))

    def test_a_disk_that_stays_broken_leaves_nothing(self):
        self.inject_everywhere("+", self.nothing_is_left)

    def test_other_commands_that_write_leave_nothing_either(self):
        for tables, words in (
            (3, ["track", "task.yaml", "--set", "effectors.tip.axes=[x]", "--steps", "1", "--jacobian", "--out", "new/out"]),
            (0, ["check", "scene.yaml", "--offenders", "doubts.vtu"]),
        ):
            self.write("task.yaml", (self.folder / "scene.yaml").read_text() + TASK)
            before = self.files()
            with self.subTest(words=words):
                struck = self.inject_everywhere("", lambda _: self.assertEqual(self.files(), before), words)
                self.assertGreater(struck.count("write"), tables)
            shutil.rmtree(self.folder / "new", ignore_errors=True)
            (self.folder / "doubts.vtu").unlink(missing_ok=True)

    def keep_results(self):
        """Results of an earlier run, and a check that they are still there."""
        old = {}

        def restore():
            shutil.rmtree(self.folder / "new", ignore_errors=True)
            (self.folder / "new" / "out").mkdir(parents=True)
            for name, text in old.items():
                (self.folder / "new" / "out" / name).write_bytes(text)

        def found(folder):
            return {path.name: path.read_bytes() for path in folder.iterdir()}

        self.assertEqual(self.run_with_fault("0")[0], 0)
        old.update(found(self.folder / "new" / "out"))
        self.assertEqual(sorted(old), RESULTS)
        return old, restore, found

    def test_one_failure_anywhere_keeps_earlier_results(self):
        old, restore, found = self.keep_results()

        def check(_):
            self.assertEqual([path.name for path in (self.folder / "new").iterdir()], ["out"])
            self.assertEqual(found(self.folder / "new" / "out"), old)
            restore()

        self.assertIn("rename", self.inject_everywhere("", check))

    def test_a_disk_that_stays_broken_keeps_earlier_results_and_says_where(self):
        old, restore, found = self.keep_results()

        def check(err):
            (folder,) = (self.folder / "new").iterdir()
            self.assertEqual(found(folder), old)
            if folder.name != "out":
                self.assertIn(f"are now in '{folder}'", err)
            restore()

        self.inject_everywhere("+", check)


class Folders(scenes.Case):
    def start_long(self, out="out"):
        process = self.start("run", "scene.yaml", "east.pull=5mm", "--steps", "900000", "--out", out)
        deadline = time.time() + 60
        while time.time() < deadline:
            found = list(self.folder.glob(f"{out}.partial-*/frame_00001.vtu"))
            if found:
                return process, found[0].parent
            time.sleep(0.02)
        process.kill()
        self.fail("no frame was written")

    def end(self, process):
        with process:
            out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (3, ""), err)
        self.assertEqual(len(errors(err)), 1, err)
        return err

    def test_a_folder_that_vanishes_ends_the_run(self):
        process, partial = self.start_long()
        partial.rename(self.folder / "elsewhere")
        self.assertIn("removed or renamed meanwhile", self.end(process))
        self.assertEqual(self.files(), ["bar.vtk", "elsewhere", "scene.yaml"])

    def test_a_parent_that_vanishes_ends_the_run(self):
        (self.folder / "deep").mkdir()
        process, _ = self.start_long("deep/out")
        (self.folder / "deep").rename(self.folder / "elsewhere")
        self.assertIn("removed or renamed meanwhile", self.end(process))

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_may_not_be_written_to(self):
        (self.folder / "locked").mkdir(mode=0o555)
        words = ["run", "scene.yaml", "--out", "locked/out"]
        self.expect_error(3, words, "locked/out", "choose a folder that you may write to")

    def test_a_file_system_without_room_for_folders(self):
        self.expect_error(3, ["run", "scene.yaml", "--out", "/proc/out"], "/proc/out", "; ")


class Interrupted(scenes.Case):
    def test_an_interrupt_at_any_moment_leaves_all_or_nothing(self):
        words = ["run", "scene.yaml", "east.pull=5mm", "--steps", "60", "--out", "out", "--quiet"]
        begin = time.time()
        self.assertEqual(self.lithe(*words)[0], 0)
        whole = time.time() - begin
        ends = set()
        for k in range(16):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            with self.start(*words) as process:
                time.sleep(whole * k / 14)
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=60)
            ends.add(process.returncode)
            # before the program watches for it, the system's own answer: it is gone
            self.assertIn(process.returncode, (0, 130, -signal.SIGINT))
            if process.returncode == 0:
                self.assertEqual(len(list((self.folder / "out").iterdir())), 64)
            self.assertEqual(self.files(), ["bar.vtk"] + ["out"] * (process.returncode == 0) + ["scene.yaml"])
        self.assertIn(130, ends)


@unittest.skipIf(scenes.SANITIZED, "sanitizers take address space of their own")
class Memory(scenes.Case):
    NEED = re.compile(r"needs about ([0-9.]+) ([MG])iB")

    def write_cube(self, cells, size):
        """Legacy VTK, binary: large meshes are written and read in no time."""
        nodes, tets = scenes.bar(cells=cells, size=size)
        head = f"# vtk DataFile Version 3.0\ntest\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS {len(nodes)} double\n"
        points = struct.pack(f">{3 * len(nodes)}d", *(c for node in nodes for c in node))
        cells = struct.pack(f">{5 * len(tets)}i", *(v for tet in tets for v in (4, *tet)))
        self.write("bar.vtk", head.encode() + points + f"\nCELLS {len(tets)} {5 * len(tets)}\n".encode() + cells +
                   f"\nCELL_TYPES {len(tets)}\n".encode() + struct.pack(f">{len(tets)}i", *[10] * len(tets)))

    def place(self, length):
        return ["--set", f"effectors.tip.point.at=[10, 10, {length}]",
                "--set", f"actuators.east.cable.through=[[18, 10, {0.3 * length}], [18, 10, {0.9 * length}]]"]

    def need(self, megabytes, *words):
        """The size in the message with which a run under that limit is refused, in MiB."""
        limits = [(resource.RLIMIT_AS, megabytes << 20)]
        code, out, err = self.lithe("run", "scene.yaml", *words, limits=limits)
        self.assertEqual((code, out), (3, ""), err)
        (line,) = errors(err)
        self.assertIn("coarser mesh", line)
        found = self.NEED.search(line)
        self.assertTrue(found, line)
        return float(found[1]) * (1024 if found[2] == "G" else 1)

    def test_a_mesh_too_large_for_one_gibibyte_is_refused_at_once_with_its_need(self):
        self.write_cube((34, 34, 34), 20 / 34)
        begin = time.time()
        self.assertGreater(self.need(1024, *self.place(20)), 1024)
        self.assertLess(time.time() - begin, 30)

    def test_the_need_that_is_said_is_about_what_is_used(self):
        for cells, size in (((14, 14, 14), 20 / 14), ((6, 6, 90), 20 / 6)):
            self.write_cube(cells, size)
            words = self.place(cells[2] * size)
            said = self.need(60, *words)
            process = self.start("run", "scene.yaml", "--steps", "1", *words, stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = status
            process.stderr.close()
            self.assertEqual(status, 0)
            used = used.ru_maxrss / 1024
            self.assertLess(0.5 * used, said, cells)
            self.assertLess(said, 2 * used, cells)

    def test_what_fits_under_the_limit_runs(self):
        limits = [(resource.RLIMIT_AS, 1 << 30)]
        self.assertEqual(self.lithe("run", "scene.yaml", "east.pull=1mm", limits=limits)[0], 0)


if __name__ == "__main__":
    unittest.main()
